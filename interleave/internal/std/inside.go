package std

import "strings"

// Inside is what threads can meet in, inside of a package: "" if there is nothing. A
// package that is not in the table counts as one that has something.
func Inside(pkg string) string {
	if p, ok := packages[pkg]; ok {
		return p.inside
	}
	if first, _, _ := strings.Cut(pkg, "/"); first == "internal" || first == "vendor" || strings.Contains(pkg, "/internal/") {
		return "" // it counts for the packages that import it
	}
	return "the insides"
}

// packages says of a package what it has inside, and why that is all.
var packages = map[string]struct{ inside, why string }{
	"cmp": values, "html": values, "math": values, "math/bits": values, "math/cmplx": values, "path": values, "strconv": values, "structs": values,
	"unicode": values, "unicode/utf16": values, "unicode/utf8": values, "unsafe": values, "go/version": values,
	"bufio": data, "bytes": data, "container/heap": data, "container/list": data, "container/ring": data, "errors": data, "maps": data, "slices": data, "sort": data, "strings": data,
	"crypto/hmac": data, "crypto/md5": data, "crypto/sha1": data, "crypto/sha256": data, "crypto/sha3": data, "crypto/sha512": data, "crypto/subtle": data,
	"hash": data, "hash/adler32": data, "hash/crc32": data, "hash/crc64": data, "hash/fnv": data,
	"encoding/ascii85": data, "encoding/base32": data, "encoding/base64": data, "encoding/binary": data, "encoding/csv": data, "encoding/hex": data, "encoding/pem": data,
	"encoding/gob": types, "encoding/json": types, "encoding/xml": types,
	"index/suffixarray": data, "math/big": data, "net/netip": data, "net/url": data, "text/scanner": data, "text/tabwriter": data,

	"embed":        {"", "files that never change"},
	"fmt":          {"", "its pool shows nowhere"},
	"hash/maphash": {"", "its seeds go by chance"},
	"io":           {"", "a pipe is channels, which are refused"},
	"iter":         {"", "its coroutines are controlled"},
	"math/rand":    {"", "what has no Rand goes by chance"},
	"math/rand/v2": {"", "what has no Rand goes by chance"},
	"regexp":       {"", "its pools and caches show nowhere"},
	"testing":      {"", "the log of a test has a lock, and no thread reads it"},
	"unique":       {"", "its map shows nowhere"},

	"context":     {"locks and goroutines", "a context has a lock, and its cancellation goes to others"},
	"crypto/rand": {"the system", "it goes by chance"},
	"expvar":      {"locks and atomics", "variables are for all"},
	"log":         {"locks", "a logger has a lock, and a writer"},
	"log/slog":    {"locks", "a handler has a lock, and a writer"},
	"os":          {"files and the environment", "they are for all"},
	"reflect":     {"values of reflection", "what a Value points to cannot be told"},
	"runtime":     {"the garbage collector", "finalizers and statistics"},

	"runtime/debug": {"the garbage collector", "its limits are for all"},

	"time": {"timers", "a timer has a goroutine, or as good as one"},
	"weak": {"the garbage collector", "it says when something goes"},
}

var (
	values = struct{ inside, why string }{"", "functions of values"}
	data   = struct{ inside, why string }{"", "no state but in its values"}
	types  = struct{ inside, why string }{"", "its caches of types show nowhere"}
)
