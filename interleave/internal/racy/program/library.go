package program

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"container/list"
	"container/ring"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/fnv"
	"io"
	"log"
	"maps"
	"math/big"
	"math/rand/v2"
	"net/url"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/spindle-go/spindle/interleave/internal/racy"
)

// A group is statements on one part of an object. Each is right whatever others have done, if nothing races.
type group struct {
	name  string
	read  []func(o *object, k *sink)
	write []func(o *object, n int32)
	ask   []func(o *object, n int32) // these have locks of their own
}

// Groups returns how many statements there are.
func Groups() []racy.Group {
	all := make([]racy.Group, len(groups))
	for i, g := range groups {
		all[i] = racy.Group{Reads: len(g.read), Writes: len(g.write), Asks: len(g.ask)}
	}
	return all
}

// A library is what an object has for the standard library to work on.
type library struct {
	buffer  bytes.Buffer
	builder strings.Builder
	reader  bytes.Reader
	scans   *bufio.Reader
	writes  *bufio.Writer
	raw     []byte // 16, of a backing array of 64
	ints    []int
	words   []string
	m       map[string]int
	list    *list.List
	ring    *ring.Ring
	heap    ints
	fnv     hash.Hash32
	crc     hash.Hash32
	record  record
	big     big.Int
	time    time.Time
	values  url.Values
	random  *rand.Rand
	err     error
	fields  reflect.Value // of record

	ctx    context.Context
	cancel context.CancelFunc
	table  sync.Map
	once   sync.Once
	held   atomic.Value
	logger *log.Logger
	logged bytes.Buffer
	n      int
}

type record struct {
	Name string
	N    int
	Tags []string
	In   map[string]int
	Of   *record
}

type ints []int

func (s ints) Len() int           { return len(s) }
func (s ints) Less(i, j int) bool { return s[i] < s[j] }
func (s ints) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *ints) Push(v any)        { *s = append(*s, v.(int)) }
func (s *ints) Pop() any          { v := (*s)[len(*s)-1]; *s = (*s)[:len(*s)-1]; return v }

// A number words itself.
type number struct{ n int }

func (n *number) String() string { return strconv.Itoa(n.n) }

func newLibrary(l *library) {
	l.raw = make([]byte, 16, 64)
	copy(l.raw, "c,b;a 0123456789")
	l.buffer.WriteString("1 one\n")
	l.builder.WriteString("one")
	l.reader.Reset([]byte("one two\nthree"))
	l.scans = bufio.NewReaderSize(strings.NewReader(strings.Repeat("one two\n", 40)), 16)
	l.writes = bufio.NewWriterSize(io.Discard, 16)
	l.ints, l.words, l.heap = []int{3, 1, 2, 5, 4}, []string{"c", "a", "b"}, ints{1, 2, 3}
	l.m = map[string]int{"a": 1, "b": 2}
	l.list, l.ring = list.New(), ring.New(3)
	l.list.PushBack(1)
	l.fnv, l.crc = fnv.New32a(), crc32.NewIEEE()
	l.record = record{Name: "a", N: 1, Tags: []string{"x", "y"}, In: map[string]int{"k": 1}, Of: new(record)}
	l.fields = reflect.ValueOf(&l.record).Elem()
	l.big.SetInt64(1 << 40)
	l.time = time.Unix(1, 0).UTC()
	l.values = url.Values{"k": {"v"}}
	l.random = rand.New(rand.NewPCG(1, 2))
	l.err = errors.New("an error")
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.logger = log.New(&l.logged, "", 0)
}

var groups = []group{
	{name: "forms", read: reading, write: writing},
	{
		name: "buffer",
		read: []func(o *object, k *sink){
			func(o *object, k *sink) { k.n = o.buffer.Len() },
			func(o *object, k *sink) { k.text = o.buffer.String() },
			func(o *object, k *sink) { k.bytes = bytes.Clone(o.buffer.Bytes()) },
			func(o *object, k *sink) { k.n = bytes.Count(o.buffer.Bytes(), []byte("n")) },
		},
		write: []func(o *object, n int32){
			func(o *object, n int32) { o.buffer.WriteByte(byte(n)) },
			func(o *object, n int32) { o.buffer.WriteString("two") },
			func(o *object, n int32) { o.buffer.Reset() },
			func(o *object, n int32) { fmt.Fprintf(&o.buffer, "%d %s\n", n, "x") },
			func(o *object, n int32) { o.buffer.ReadByte() },
			func(o *object, n int32) { o.buffer.ReadString('\n') },
			func(o *object, n int32) { var v int; fmt.Fscan(&o.buffer, &v) },
			func(o *object, n int32) { io.Copy(io.Discard, &o.buffer) },
			func(o *object, n int32) { o.buffer.Truncate(o.buffer.Len() / 2) },
			func(o *object, n int32) { json.NewEncoder(&o.buffer).Encode(n) },
			func(o *object, n int32) { binary.Write(&o.buffer, binary.LittleEndian, n) },
			func(o *object, n int32) { o.buffer.Grow(100) },
		},
	},
	{
		name: "builder",
		read: []func(o *object, k *sink){
			func(o *object, k *sink) { k.text = o.builder.String() },
			func(o *object, k *sink) { k.n = o.builder.Len() },
			func(o *object, k *sink) { k.n = strings.Count(o.builder.String(), "n") },
			func(o *object, k *sink) { k.text = strings.ToUpper(o.builder.String()) },
		},
		write: []func(o *object, n int32){
			func(o *object, n int32) { o.builder.WriteByte('a') },
			func(o *object, n int32) { o.builder.WriteRune('é') },
			func(o *object, n int32) { fmt.Fprint(&o.builder, n) },
			func(o *object, n int32) { o.builder.Reset() },
			func(o *object, n int32) { strings.NewReplacer("a", "b").WriteString(&o.builder, "banana") },
		},
	},
	{
		name: "raw",
		read: []func(o *object, k *sink){
			func(o *object, k *sink) { k.text = string(o.raw) },
			func(o *object, k *sink) { k.n = bytes.IndexByte(o.raw, '9') },
			func(o *object, k *sink) { k.n = bytes.Index(o.raw, []byte("89")) },
			func(o *object, k *sink) { k.any = bytes.Equal(o.raw, make([]byte, 16)) },
			func(o *object, k *sink) { k.n = bytes.Compare(o.raw, make([]byte, 16)) },
			func(o *object, k *sink) { k.any = bytes.Fields(o.raw) },
			func(o *object, k *sink) { k.bytes = bytes.ToUpper(o.raw) },
			func(o *object, k *sink) { k.any = bytes.HasPrefix(o.raw, []byte("c,")) },
			func(o *object, k *sink) { k.any = bytes.Split(o.raw, []byte(",")) },
			func(o *object, k *sink) { k.any = bytes.Contains(o.raw, []byte("zz")) },
			func(o *object, k *sink) { k.text = hex.EncodeToString(o.raw) },
			func(o *object, k *sink) { k.text = base64.StdEncoding.EncodeToString(o.raw) },
			func(o *object, k *sink) { k.n = int(binary.BigEndian.Uint32(o.raw)) },
			func(o *object, k *sink) { k.n = int(crc32.ChecksumIEEE(o.raw)) },
			func(o *object, k *sink) { k.n = utf8.RuneCount(o.raw) },
			func(o *object, k *sink) { _, k.err = fmt.Fprintf(io.Discard, "%x %s", o.raw, o.raw) },
			func(o *object, k *sink) { _, k.err = io.Discard.Write(o.raw) },
			func(o *object, k *sink) { k.bytes = make([]byte, 16); copy(k.bytes, o.raw) },
			func(o *object, k *sink) { k.n = slices.Index(o.raw, '9') },
			func(o *object, k *sink) { k.bytes = slices.Clone(o.raw) },
			func(o *object, k *sink) { k.bytes = append([]byte(nil), o.raw...) },
			func(o *object, k *sink) { k.any = json.Valid(o.raw) },
			func(o *object, k *sink) { k.text = strconv.Quote(string(o.raw[:4])) },
			func(o *object, k *sink) { k.any = bytes.EqualFold(o.raw, []byte("c,b;a 0123456789")) },
		},
		write: []func(o *object, n int32){
			func(o *object, n int32) { strconv.AppendInt(o.raw[:2], 12345, 10) },
			func(o *object, n int32) { strconv.AppendInt(o.raw[:2], int64(n), 10) },
			func(o *object, n int32) { strconv.AppendQuote(o.raw[:0], "qu") },
			func(o *object, n int32) { strconv.AppendFloat(o.raw[:0], 1.5, 'g', -1, 64) },
			func(o *object, n int32) { strconv.AppendBool(o.raw[:1], true) },
			func(o *object, n int32) { strconv.AppendUint(o.raw[:1], 77, 10) },
			func(o *object, n int32) { utf8.AppendRune(o.raw[:0], 'é') },
			func(o *object, n int32) { utf8.EncodeRune(o.raw[1:], 'é') },
			func(o *object, n int32) { o.time.AppendFormat(o.raw[:0], time.RFC3339) },
			func(o *object, n int32) { _ = fmt.Appendf(o.raw[:0], "%d", 123) },
			func(o *object, n int32) { copy(o.raw, "copied") },
			func(o *object, n int32) { copy(o.raw[8:], o.raw[:8]) },
			func(o *object, n int32) { clear(o.raw) },
			func(o *object, n int32) { slices.Reverse(o.raw) },
			func(o *object, n int32) { slices.Sort(o.raw) },
			func(o *object, n int32) { hex.Encode(o.raw, []byte("ab")) },
			func(o *object, n int32) { base64.StdEncoding.Encode(o.raw, []byte("abc")) },
			func(o *object, n int32) { binary.LittleEndian.PutUint64(o.raw[3:], 1) },
			func(o *object, n int32) { binary.PutUvarint(o.raw, 300) },
			func(o *object, n int32) { binary.BigEndian.AppendUint16(o.raw[:2], 1) },
			func(o *object, n int32) { io.ReadFull(strings.NewReader("read fully"), o.raw[:4]) },
			func(o *object, n int32) { reflect.Copy(reflect.ValueOf(o.raw), reflect.ValueOf([]byte("re"))) },
		},
	},
	{
		name: "slices",
		read: []func(o *object, k *sink){
			func(o *object, k *sink) { k.any = slices.Contains(o.ints, 7) },
			func(o *object, k *sink) { k.n = slices.Max(o.ints) },
			func(o *object, k *sink) { k.any = slices.IsSorted(o.ints) },
			func(o *object, k *sink) {
				k.any = sort.SliceIsSorted(o.ints, func(i, j int) bool { return o.ints[i] < o.ints[j] })
			},
			func(o *object, k *sink) { k.n, _ = slices.BinarySearch(o.ints, 3) },
			func(o *object, k *sink) { k.n = sort.SearchInts(o.ints, 3) },
			func(o *object, k *sink) { k.text = strings.Join(o.words, ",") },
			func(o *object, k *sink) { k.text = fmt.Sprint(o.ints, o.words) },
			func(o *object, k *sink) { k.any = slices.Collect(slices.Values(o.ints)) },
			func(o *object, k *sink) { k.any = slices.Equal(o.words, []string{"c", "a", "b"}) },
			func(o *object, k *sink) { k.any = reflect.DeepEqual(o.ints, []int{3, 1, 2, 5, 4}) },
			func(o *object, k *sink) { k.n = len(slices.Sorted(slices.Values(o.words))) },
			func(o *object, k *sink) { k.bytes, k.err = json.Marshal(o.ints) },
		},
		write: []func(o *object, n int32){
			func(o *object, n int32) { sort.Ints(o.ints) },
			func(o *object, n int32) { sort.Sort(sort.Reverse(sort.IntSlice(o.ints))) },
			func(o *object, n int32) { sort.Slice(o.ints, func(i, j int) bool { return o.ints[i] < o.ints[j] }) },
			func(o *object, n int32) { slices.Sort(o.ints); o.ints[0] = 9 },
			func(o *object, n int32) { slices.SortFunc(o.ints, func(a, b int) int { return cmp.Compare(b, a) }) },
			func(o *object, n int32) { o.ints = slices.Insert(o.ints, 1, 6) },
			func(o *object, n int32) { o.ints = append(o.ints[:4], 4) },
			func(o *object, n int32) {
				o.ints[3] = 5
				o.ints = slices.DeleteFunc(o.ints, func(v int) bool { return v > 100 })
			},
			func(o *object, n int32) { reflect.Swapper(o.ints)(0, 1) },
			func(o *object, n int32) { sort.Strings(o.words); o.words[0] = "z" },
			func(o *object, n int32) { json.Unmarshal([]byte("[1,2,3,4]"), &o.ints) },
			func(o *object, n int32) { reflect.ValueOf(o.ints).Index(1).SetInt(3) },
			func(o *object, n int32) {
				rand.Shuffle(len(o.words), func(i, j int) { o.words[i], o.words[j] = o.words[j], o.words[i] })
			},
		},
	},
	{
		name: "maps",
		read: []func(o *object, k *sink){
			func(o *object, k *sink) { k.n = o.m["a"] },
			func(o *object, k *sink) { k.n = len(o.m) },
			func(o *object, k *sink) { k.any = maps.Clone(o.m) },
			func(o *object, k *sink) { k.any = slices.Sorted(maps.Keys(o.m)) },
			func(o *object, k *sink) { k.text = fmt.Sprint(o.m) },
			func(o *object, k *sink) { k.bytes, k.err = json.Marshal(o.m) },
			func(o *object, k *sink) { k.any = maps.Equal(o.m, map[string]int{"a": 1}) },
			func(o *object, k *sink) { k.any = reflect.ValueOf(o.m).MapIndex(reflect.ValueOf("a")).IsValid() },
			func(o *object, k *sink) { k.text = o.values.Encode() },
			func(o *object, k *sink) { k.text = o.values.Get("k") },
		},
		write: []func(o *object, n int32){
			func(o *object, n int32) { o.m["a"] = 3 },
			func(o *object, n int32) { delete(o.m, "b") },
			func(o *object, n int32) { maps.Copy(o.m, map[string]int{"c": 3}) },
			func(o *object, n int32) { maps.DeleteFunc(o.m, func(k string, v int) bool { return v > 2 }) },
			func(o *object, n int32) { clear(o.m) },
			func(o *object, n int32) { reflect.ValueOf(o.m).SetMapIndex(reflect.ValueOf("d"), reflect.ValueOf(4)) },
			func(o *object, n int32) { json.Unmarshal([]byte(`{"a":5}`), &o.m) },
			func(o *object, n int32) { maps.Insert(o.m, maps.All(map[string]int{"e": 5})) },
			func(o *object, n int32) { o.values.Add("k", "w") },
			func(o *object, n int32) { o.values.Set("l", "w") },
		},
	},
	{
		name: "containers",
		read: []func(o *object, k *sink){
			func(o *object, k *sink) { k.n = o.list.Len() },
			func(o *object, k *sink) { k.any = o.list.Front() },
			func(o *object, k *sink) {
				for e := o.list.Front(); e != nil; e = e.Next() {
					k.any = e.Value
				}
			},
			func(o *object, k *sink) { o.ring.Do(func(v any) { k.any = v }) },
			func(o *object, k *sink) { k.n = o.heap.Len() },
			func(o *object, k *sink) { k.n = o.heap[0] },
		},
		write: []func(o *object, n int32){
			func(o *object, n int32) { o.list.PushFront(n) },
			func(o *object, n int32) { o.list.PushBack(n) },
			func(o *object, n int32) { o.list.MoveToBack(o.list.Front()) },
			func(o *object, n int32) { o.list.PushBack(o.list.Remove(o.list.Back())) },
			func(o *object, n int32) { o.ring.Value = n },
			func(o *object, n int32) { o.ring = o.ring.Next() },
			func(o *object, n int32) { heap.Push(&o.heap, 2) },
			func(o *object, n int32) { o.heap[0] = 5; heap.Fix(&o.heap, 0) },
		},
	},
	{
		name: "records",
		read: []func(o *object, k *sink){
			func(o *object, k *sink) { k.bytes, k.err = json.Marshal(&o.record) },
			func(o *object, k *sink) { k.bytes, k.err = json.Marshal(o.record) },
			func(o *object, k *sink) { k.text = fmt.Sprintf("%+v", o.record) },
			func(o *object, k *sink) { k.text = fmt.Sprintf("%v", &o.record) },
			func(o *object, k *sink) { k.any = reflect.DeepEqual(&o.record, &record{Name: "a", N: 1}) },
			func(o *object, k *sink) { k.n = int(o.fields.Field(1).Int()) },
			func(o *object, k *sink) { k.any = o.fields.Field(0).Interface() },
			func(o *object, k *sink) { k.text = strconv.Itoa(o.record.N) },
			func(o *object, k *sink) { k.text = o.err.Error() },
			func(o *object, k *sink) { k.any = errors.Is(o.err, io.EOF) },
			func(o *object, k *sink) { k.text = o.big.String() },
			func(o *object, k *sink) { k.n = o.big.Cmp(big.NewInt(7)) },
			func(o *object, k *sink) { k.text = o.time.Format(time.RFC3339Nano) },
			func(o *object, k *sink) { k.any = o.time.IsZero() },
			func(o *object, k *sink) { k.n = int(o.fnv.Sum32()) },
			func(o *object, k *sink) { k.bytes = o.crc.Sum(nil) },
		},
		write: []func(o *object, n int32){
			func(o *object, n int32) {
				json.Unmarshal([]byte(`{"Name":"b","N":2,"Tags":["z"],"In":{"k":2}}`), &o.record)
			},
			func(o *object, n int32) { json.NewDecoder(strings.NewReader(`{"N":3}`)).Decode(&o.record) },
			func(o *object, n int32) { fmt.Sscanf("17", "%d", &o.record.N) },
			func(o *object, n int32) { fmt.Sscan("name", &o.record.Name) },
			func(o *object, n int32) { o.fields.Field(1).SetInt(9) },
			func(o *object, n int32) { o.fields.Field(0).SetString("s") },
			func(o *object, n int32) { o.record.Of = &record{N: o.record.N} },
			func(o *object, n int32) { o.record.Tags[1] = "t" },
			func(o *object, n int32) {
				reflect.ValueOf(&o.record).Elem().Set(reflect.ValueOf(record{Of: new(record), Tags: make([]string, 2), In: map[string]int{}}))
			},
			func(o *object, n int32) { o.err = fmt.Errorf("more: %w", errors.New("inner")) },
			func(o *object, n int32) { o.err = errors.Join(o.err, io.EOF) },
			func(o *object, n int32) { o.big.Mul(&o.big, big.NewInt(3)) },
			func(o *object, n int32) { o.big.SetString("123456789012345678901234567890", 10) },
			func(o *object, n int32) { o.time = o.time.Add(time.Second) },
			func(o *object, n int32) { o.time.UnmarshalText([]byte("2020-01-02T03:04:05Z")) },
			func(o *object, n int32) { o.fnv.Write([]byte("sum")) },
			func(o *object, n int32) { io.WriteString(o.crc, "sum") },
			func(o *object, n int32) { o.random.IntN(3) },
		},
	},
	{
		name: "streams",
		read: []func(o *object, k *sink){
			func(o *object, k *sink) { k.n = o.scans.Buffered() },
			func(o *object, k *sink) { k.n = o.writes.Available() },
			func(o *object, k *sink) { k.n = o.reader.Len() },
		},
		write: []func(o *object, n int32){
			func(o *object, n int32) { o.scans.ReadByte() },
			func(o *object, n int32) { o.scans.ReadString('\n') },
			func(o *object, n int32) { o.scans.Peek(4) },
			func(o *object, n int32) { bufio.NewScanner(o.scans).Scan() },
			func(o *object, n int32) { o.writes.WriteString("more") },
			func(o *object, n int32) { o.writes.Flush() },
			func(o *object, n int32) { fmt.Fprintln(o.writes, n, "words") },
			func(o *object, n int32) { o.reader.ReadByte() },
			func(o *object, n int32) { o.reader.Seek(0, io.SeekStart) },
			func(o *object, n int32) { io.CopyN(o.writes, &o.reader, 2) },
		},
	},
	{
		// The fields that these guard are written beside them, too.
		name: "guarded",
		read: []func(o *object, k *sink){
			func(o *object, k *sink) { k.n = o.n },
			func(o *object, k *sink) { k.n = o.logged.Len() },
		},
		write: []func(o *object, n int32){
			func(o *object, n int32) { o.n++ },
			func(o *object, n int32) { o.logged.WriteString("beside\n") },
		},
		ask: []func(o *object, n int32){
			func(o *object, n int32) { o.once.Do(func() { o.n++ }); _ = o.n },
			func(o *object, n int32) { o.logger.Println("logged", n) },
			func(o *object, n int32) { o.logger.Printf("logged %d", n) },
			func(o *object, n int32) { o.logger.SetPrefix("p") },
			func(o *object, n int32) { o.table.Store(n, new(int)) },
			func(o *object, n int32) { o.table.LoadOrStore(n, new(int)) },
			func(o *object, n int32) { o.table.Range(func(_, v any) bool { _ = *v.(*int); return true }) },
			func(o *object, n int32) { o.held.Store(&number{int(n)}) },
			func(o *object, n int32) {
				if v, ok := o.held.Load().(*number); ok {
					_ = v.String()
				}
			},
			func(o *object, n int32) { o.cancel() },
			func(o *object, n int32) { _ = o.ctx.Err() },
			func(o *object, n int32) {
				ctx, cancel := context.WithCancel(context.WithValue(o.ctx, key{}, n))
				_ = ctx.Value(key{})
				cancel()
			},
			func(o *object, n int32) {
				select {
				case <-o.ctx.Done():
				default:
				}
			},
		},
	},
}

// key is one of a context.
type key struct{}
