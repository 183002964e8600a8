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

// laterForm begins a paragraph of a contract that is for later chapters.
var laterForm = regexp.MustCompile(`^From chapter (\d+) on\b`)

// contracts returns the contract of each method and each interface, as it is for a chapter:
// without paragraphs that begin "From chapter N on" with an N that comes later.
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
			if m := laterForm.FindStringSubmatch(paragraph); m != nil {
				if n, _ := strconv.Atoi(m[1]); n > at {
					continue
				}
			}
			kept = append(kept, paragraph)
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
