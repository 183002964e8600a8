// Package mutation makes wrong solutions out of a right one: one for each small mistake
// that somebody might make. A statement is forgotten, or stands on the wrong side of an
// Unlock; a condition is the wrong way round; it is the other one of two queues. A suite
// that passes one of them has a gap, or the change changes nothing; then somebody must
// say why, in the chapter's list of equivalent mutations.
//
// The mistakes are found in the syntax tree of the solution, so none can be forgotten,
// also when the solution changes:
//
//	statements.go   forgotten, swapped, moved across what others see, a lock given back too early
//	expressions.go  conditions, comparisons, constants, signs, arguments
//	similar.go      the other one of two things that are easily confused
//	atomics.go      an atomic operation in two steps, or once instead of again and again
//	rules.go        those of which it is certain that they change nothing
//
// All mutations of some chapters are one program (program.go), which is in no folder but
// in an overlay; each is run in a process of its own (run.go, package kill).
package mutation

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A Mutation is a function of the solution with one change.
type Mutation struct {
	Chapter string // "ch03"
	// Name is the function, what is changed and how, in one line: "Enqueue: q.Last = sg: left
	// out". It is unique in its chapter, and the same as long as that code is.
	Name   string
	Source string // the function as text, with the change
	Rule   string // why it certainly changes nothing; "" if it may change something

	in *function
	n  int // its number in the chapter, from 1
}

// Original is the function as text, without the change, and without comments.
func (m *Mutation) Original() string { return m.in.text(m.in.decl) }

// File is the file of the solution that it is in: "solutions/ch03_park/waitq.go".
func (m *Mutation) File() string { return m.in.file.name }

// A maker makes the mutations of one function.
type maker struct {
	*function
	calculations map[types.Object]bool // see calculates
	found        []*Mutation
}

// An edit replaces what stands between two places.
type edit struct {
	from, to token.Pos
	text     string
}

func replace(n ast.Node, text string) edit        { return edit{n.Pos(), n.End(), text} }
func insert(at token.Pos, text string) edit       { return edit{at, at, text} }
func (m *maker) before(s ast.Stmt, t string) edit { return insert(s.Pos(), t+"\n") }
func (m *maker) after(s ast.Stmt, t string) edit  { return insert(s.End(), "\n"+t) }

// cut takes a statement away, and the end of its line.
func (m *maker) cut(s ast.Stmt) edit {
	to := s.End()
	if rest := m.src[m.offset(to):]; strings.HasPrefix(rest, "\n") {
		to++
	}
	return edit{s.Pos(), to, ""}
}

// add makes the mutation with these edits, which do not overlap. One that is no Go text
// is none.
func (m *maker) add(what, change, rule string, edits ...edit) {
	slices.SortStableFunc(edits, func(a, b edit) int { return int(a.from - b.from) })
	var b strings.Builder
	at := m.decl.Pos()
	for _, e := range edits {
		b.WriteString(m.between(at, e.from) + e.text)
		at = e.to
	}
	b.WriteString(m.between(at, m.decl.End()))
	source, ok := formatted(b.String())
	if !ok {
		return
	}
	m.found = append(m.found, &Mutation{
		Name:   m.name + ": " + short(what) + ": " + change,
		Source: source,
		Rule:   rule,
		in:     m.function,
	})
}

const packageClause = "package p\n\n"

// formatted is the text of a function as gofmt writes it.
func formatted(function string) (text string, ok bool) {
	out, err := format.Source([]byte(packageClause + function))
	if err != nil {
		return "", false
	}
	return strings.TrimSpace(strings.TrimPrefix(string(out), packageClause)), true
}

// distinct leaves out the mutations that read like the original or like one before.
func distinct(all []*Mutation) []*Mutation {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(m *Mutation) bool {
		key := m.in.name + "\n" + squeezed(m.Source)
		known := seen[key] || squeezed(m.Source) == squeezed(m.Original())
		seen[key] = true
		return known
	})
}

// squeezed is a text without its blank lines.
func squeezed(text string) string {
	for strings.Contains(text, "\n\n") {
		text = strings.ReplaceAll(text, "\n\n", "\n")
	}
	return text
}

// number gives each mutation its number, and those that are called the same the number
// of their place as well.
func number(all []*Mutation) {
	seen := map[string]int{}
	for i, m := range all {
		m.n = i + 1
		if seen[m.Name]++; seen[m.Name] > 1 {
			m.Name += fmt.Sprintf(" (%d)", seen[m.Name])
		}
	}
}

// maxName is how much of a piece of code a name shows.
const maxName = 90

func short(code string) string {
	if runes := []rune(code); len(runes) > maxName {
		return string(runes[:maxName-1]) + "…"
	}
	return code
}
