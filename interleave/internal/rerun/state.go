package rerun

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/goroot"
)

// A symbol is a variable of a binary.
type symbol struct {
	name     string
	at, size uint64
}

// variablesOf returns the symbols of a binary that are no functions, by address.
func variablesOf(file string) (all []symbol, err error) {
	if f, err := elf.Open(file); err == nil {
		defer f.Close()
		symbols, err := f.Symbols()
		for _, s := range symbols {
			if elf.ST_TYPE(s.Info) == elf.STT_OBJECT && s.Size > 0 {
				all = append(all, symbol{s.Name, s.Value, s.Size})
			}
		}
		return all, err
	}
	if f, err := macho.Open(file); err == nil {
		defer f.Close()
		if f.Symtab == nil {
			return nil, fmt.Errorf("%s has no symbols", file)
		}
		for _, s := range f.Symtab.Syms {
			if n := int(s.Sect) - 1; n >= 0 && n < len(f.Sections) && f.Sections[n].Seg == "__DATA" {
				all = append(all, symbol{strings.TrimPrefix(s.Name, "_"), s.Value, f.Sections[n].Addr + f.Sections[n].Size - s.Value})
			}
		}
		return sized(all), nil
	}
	f, err := pe.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for _, s := range f.Symbols {
		if n := int(s.SectionNumber) - 1; n >= 0 && n < len(f.Sections) && (f.Sections[n].Name == ".data" || f.Sections[n].Name == ".bss") {
			all = append(all, symbol{s.Name, uint64(f.Sections[n].VirtualAddress + s.Value), uint64(f.Sections[n].VirtualSize - s.Value)})
		}
	}
	return sized(all), nil
}

// sized has each symbol end where the next begins, at the latest.
func sized(all []symbol) []symbol {
	slices.SortFunc(all, func(a, b symbol) int { return int(int64(a.at) - int64(b.at)) })
	for i := range all[:max(0, len(all)-1)] {
		all[i].size = min(all[i].size, all[i+1].at-all[i].at)
	}
	return slices.DeleteFunc(all, func(s symbol) bool { return s.size == 0 })
}

// writeVariables writes where a binary has its package-level variables, for the engine. Kept are the packages whose state is put back.
func writeVariables(binary, file string, kept map[string]bool) error {
	all, err := variablesOf(binary)
	if err != nil {
		return fmt.Errorf("the symbols of %s: %w", filepath.Base(binary), err)
	}
	var text strings.Builder
	line := func(kind string, s symbol) {
		fmt.Fprintf(&text, "%s %x %x %s\n", kind, s.at, s.size, strings.ReplaceAll(s.name, " ", ""))
	}
	const anchor = goroot.Project + "interleave/internal/variables.Anchor"
	for _, s := range all {
		if s.name == anchor {
			line("at", s)
		}
	}
	for _, s := range all {
		pkg, name := packageOf(s.name)
		switch {
		case name == "" || strings.HasPrefix(s.name, "go:") || strings.HasPrefix(s.name, "type:") || strings.HasPrefix(name, ".inittask") || strings.HasPrefix(name, ".dict"):
		case kept[pkg]:
			line("kept", s)
		case pkg == "main" || strings.HasPrefix(pkg, goroot.Project) || strings.HasPrefix(name, "spindle"):
			line("other", s)
		default:
			line("std", s)
		}
	}
	return os.WriteFile(file, []byte(text.String()), 0o600)
}

// packageOf splits the name of a symbol.
func packageOf(symbol string) (pkg, name string) {
	path, _, _ := strings.Cut(symbol, "[") // type arguments may have slashes
	slash := strings.LastIndexByte(path, '/') + 1
	dot := strings.IndexByte(symbol[slash:], '.')
	if dot < 0 {
		return "", ""
	}
	return strings.ReplaceAll(symbol[:slash+dot], "%2e", "."), symbol[slash+dot+1:]
}

// stateFile is where that is, for the binary at path.
func stateFile(path string) string { return path + ".state" }
