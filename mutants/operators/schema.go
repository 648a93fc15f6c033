package operators

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// chosenPath is what the generated code imports, and chosenNumber what it asks then.
const (
	chosenPath   = "github.com/spindle-go/spindle/mutants/operators/chosen"
	chosenNumber = "zzchosen.Number()"
)

// Source returns the text of each file with all its mutants, by slash path from
// the module's root, as package overlay takes them. A function that has mutants
// begins with the switch; their copies are at the end of the file.
func (d *Design) Source() map[string][]byte { return d.SourceBy(chosenNumber) }

// SourceBy is Source where the number of the mutant is an expression of the package's own:
// package runtime can import nothing that reads it.
func (d *Design) SourceBy(number string) map[string][]byte {
	out := make(map[string][]byte)
	for _, file := range d.files {
		if text := d.text(file, number, false); text != nil {
			out[file.path] = text
		}
	}
	return out
}

// text is a file with the copies of its mutants: with the switches over number, if
// it is not empty, and with copies of the functions as they were, which have the
// number 0. Without mutants it is nil.
func (d *Design) text(file *file, number string, originals bool) []byte {
	var fns []*function
	of := make(map[*function][]*mutant)
	for _, m := range d.mutants {
		if m.file != file {
			continue
		}
		if of[m.fn] == nil {
			fns = append(fns, m.fn)
		}
		of[m.fn] = append(of[m.fn], m)
	}
	if len(fns) == 0 {
		return nil
	}
	whole := &function{pkg: d.pkg, file: file, decl: fns[0].decl, to: len(file.text)}
	var edits []edit
	if number == chosenNumber {
		at := whole.offset(file.ast.Name.End())
		edits = append(edits, edit{at, at, "; import zzchosen \"" + chosenPath + "\""})
	}
	if number != "" {
		for _, f := range fns {
			edits = append(edits, f.switchTo(number, of[f])...)
		}
	}
	text, _ := whole.apply(edits)
	b := new(strings.Builder)
	b.WriteString(text)
	for _, f := range fns {
		if originals {
			text, name := f.copyWith(nil)
			b.WriteString("\n" + (&mutant{fn: f, text: text, name: name}).named(0) + "\n")
		}
		for _, m := range of[f] {
			fmt.Fprintf(b, "\n// %s\n%s\n", m.ID, m.named(m.Number))
		}
	}
	return []byte(b.String())
}

// switchTo are the edits of a function that call the mutant that is chosen. They
// add no line. Parameters without a name get one.
func (f *function) switchTo(number string, ms []*mutant) (edits []edit) {
	call := ""
	if f.decl.Recv != nil {
		names, e := f.names(f.decl.Recv, "zzreceiver")
		edits = append(edits, e...)
		call = names[0] + "."
	}
	names, e := f.names(f.decl.Type.Params, "zzparameter")
	edits = append(edits, e...)
	args := "(" + strings.Join(names, ", ")
	if list := f.decl.Type.Params.List; len(list) > 0 {
		if _, ok := list[len(list)-1].Type.(*ast.Ellipsis); ok {
			args += "..."
		}
	}
	args += ")"
	if p := f.decl.Type.TypeParams; p != nil {
		names, e := f.names(p, "zzType")
		edits = append(edits, e...)
		args = "[" + strings.Join(names, ", ") + "]" + args
	}
	var b strings.Builder
	b.WriteString(" switch " + number + " {")
	for i, m := range ms {
		if i > 0 {
			b.WriteString(";")
		}
		target := call + copyName(f.decl.Name.Name, m.Number) + args
		if f.decl.Type.Results == nil {
			fmt.Fprintf(&b, " case %d: %s; return", m.Number, target)
		} else {
			fmt.Fprintf(&b, " case %d: return %s", m.Number, target)
		}
	}
	b.WriteString(" };")
	at := f.offset(f.decl.Body.Lbrace) + 1
	return append(edits, edit{at, at, b.String()})
}

// names returns the names of parameters, and the edits that give names to those
// that have none.
func (f *function) names(list *ast.FieldList, prefix string) (names []string, edits []edit) {
	next := func() string {
		names = append(names, fmt.Sprint(prefix, len(names)))
		return names[len(names)-1]
	}
	for _, field := range list.List {
		if len(field.Names) == 0 {
			at := f.offset(field.Type.Pos())
			edits = append(edits, edit{at, at, next() + " "})
		}
		for _, n := range field.Names {
			if n.Name == "_" {
				edits = append(edits, edit{f.offset(n.Pos()), f.offset(n.End()), next()})
				continue
			}
			names = append(names, n.Name)
		}
	}
	return names, slices.Clip(edits)
}
