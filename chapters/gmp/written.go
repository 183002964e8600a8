package gmp

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Written returns own, a student's parts by chapter, without those in which a
// method is still a TODO: a part serves when it is whole, since half a queue is
// worse than none. unwritten has those that were left out.
//
// sources holds the Go files of the parts, in folders whose names begin with the
// chapter: "ch04_select". Only they can tell: to call a method in order to see
// whether it is written would be to run it.
func Written(own map[string]Version, sources fs.FS) (written map[string]Version, unwritten Unwritten) {
	todo := todos(sources)
	written, unwritten = map[string]Version{}, Unwritten{}
	for chapter, parts := range own {
		var whole []string
		for _, part := range parts.partNames() {
			isTodo := func(method string) bool { return todo[chapter+"."+method] }
			if slices.ContainsFunc(methodNames[part], isTodo) {
				unwritten[chapter] = append(unwritten[chapter], part)
			} else {
				whole = append(whole, part)
			}
		}
		written[chapter] = parts.Only(whole...)
	}
	return written, unwritten
}

// Unwritten has the names of a student's parts, by chapter, in which a method is
// still to write.
type Unwritten map[string][]string

// In returns those that would serve in one of these Releases if they were written,
// one string a chapter: "Waitqs, Select (ch04)".
func (u Unwritten) In(releases ...string) []string {
	var list []string
	for _, chapter := range slices.Sorted(maps.Keys(u)) {
		var parts []string
		for _, part := range u[chapter] {
			serves := func(release string) bool { return OwnForm(formOf(release, part)) == chapter }
			if slices.ContainsFunc(releases, serves) {
				parts = append(parts, part)
			}
		}
		if len(parts) > 0 {
			list = append(list, fmt.Sprintf("%s (%s)", strings.Join(parts, ", "), chapter))
		}
	}
	return list
}

// Reached returns the newest of the Releases in which a finished chapter has a part for the
// first time; a chapter is finished if none of its parts is unwritten. Up to chapter 4 it is
// 0.x, which is also returned if no chapter is finished, and with chapter 5 it is 1.0.
func (u Unwritten) Reached() string {
	known := map[string]bool{} // the chapters of older releases
	reached := Releases[0]
	for at, release := range Releases {
		for _, row := range history {
			chapter := OwnForm(row.forms[at])
			if isChapter := strings.HasPrefix(chapter, "ch") && !strings.Contains(chapter, "/"); isChapter && !known[chapter] {
				known[chapter] = true
				if len(u[chapter]) == 0 {
					reached = release
				}
			}
		}
	}
	return reached
}

// partNames lists the parts that v has, in the order of the contracts.
func (v Version) partNames() []string {
	var names []string
	fields := reflect.ValueOf(v)
	for f := range fields.Type().Fields() {
		if f.Type.Kind() == reflect.Func && !fields.FieldByIndex(f.Index).IsNil() {
			names = append(names, f.Name)
		}
	}
	return names
}

// todos finds the calls gmp.TODO("Method") in the files but for the tests: the
// keys are "ch04.Method". A file that cannot be read or parsed has none; the
// compiler will say what is wrong with it.
func todos(sources fs.FS) map[string]bool {
	found := map[string]bool{}
	names, _ := fs.Glob(sources, "*/*.go")
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := fs.ReadFile(sources, name)
		if err != nil {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		chapter, _, _ := strings.Cut(path.Dir(name), "_")
		ast.Inspect(file, func(n ast.Node) bool {
			if method, ok := todoOf(n); ok {
				found[chapter+"."+method] = true
			}
			return true
		})
	}
	return found
}

// todoOf returns the method in a call gmp.TODO("Method").
func todoOf(n ast.Node) (method string, ok bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", false
	}
	fn, isSelector := call.Fun.(*ast.SelectorExpr)
	arg, isLiteral := call.Args[0].(*ast.BasicLit)
	if !isSelector || fn.Sel.Name != "TODO" || !isLiteral {
		return "", false
	}
	method, err := strconv.Unquote(arg.Value)
	return method, err == nil
}
