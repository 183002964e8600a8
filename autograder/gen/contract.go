package gen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"gosched/chapters"
)

// form begins a paragraph of a contract that is for some chapters only.
var form = regexp.MustCompile(`^(?:From chapter (\d+) on|In chapter (\d+))\b`)

// instead stands between the contract of an older form and that which takes its place in a
// later chapter.
var instead = regexp.MustCompile(`^Instead, in chapter (\d+):$`)

// standsIn reports whether a paragraph of a contract is for a chapter: one that begins
// "From chapter N on" is for chapter N and later ones, one that begins "In chapter N" for
// chapter N alone.
func standsIn(paragraph string, chapter int) bool {
	m := form.FindStringSubmatch(paragraph)
	switch {
	case m == nil:
		return true
	case m[1] != "":
		from, _ := strconv.Atoi(m[1])
		return from <= chapter
	}
	only, _ := strconv.Atoi(m[2])
	return only == chapter
}

// contracts returns the contract of each method and each interface, as it is for a chapter:
// without the paragraphs that are for others. What follows "Instead, in chapter N:" is all that
// there is for chapter N, and is not there for any other.
func contracts(root string, ch chapters.Chapter) (map[string]string, error) {
	name := filepath.Join(root, "chapters", "gmp", "contracts.go")
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("the contracts cannot be read: %w", err)
	}
	syntax, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	at, _ := strconv.Atoi(number(ch))
	texts := map[string]string{}
	add := func(name string, doc *ast.CommentGroup) {
		if doc == nil {
			return
		}
		var kept []string
		for _, paragraph := range strings.Split(doc.Text(), "\n\n") {
			if m := instead.FindStringSubmatch(paragraph); m != nil {
				if only, _ := strconv.Atoi(m[1]); only != at {
					break
				}
				kept = nil
				continue
			}
			if standsIn(paragraph, at) {
				kept = append(kept, paragraph)
			}
		}
		texts[name] = strings.TrimRight(strings.Join(kept, "\n\n"), "\n") + "\n"
	}
	for _, decl := range syntax.Decls {
		decl, ok := decl.(*ast.GenDecl)
		if !ok || decl.Tok != token.TYPE {
			continue
		}
		for _, spec := range decl.Specs {
			spec := spec.(*ast.TypeSpec)
			part, ok := spec.Type.(*ast.InterfaceType)
			if !ok {
				continue
			}
			add(spec.Name.Name, decl.Doc)
			for _, method := range part.Methods.List {
				for _, name := range method.Names {
					add(name.Name, method.Doc)
				}
			}
		}
	}
	return texts, nil
}
