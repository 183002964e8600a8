package diff

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Code is a Go file without its comments, but for directives of the compiler, and as gofmt
// formats it: what two people have to say about the same code is not a difference in it. A file that
// does not parse is what it is.
func Code(text []byte) string {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return string(text)
	}
	var code bytes.Buffer
	end := 0
	for _, group := range file.Comments {
		for _, c := range group.List {
			if directive(c) {
				continue
			}
			code.Write(text[end:set.Position(c.Pos()).Offset])
			end = set.Position(c.End()).Offset
		}
	}
	code.Write(text[end:])
	formatted, err := format.Source(code.Bytes())
	if err != nil {
		return string(text)
	}
	return withoutGaps(string(formatted))
}

// directive reports whether a comment is for the compiler.
func directive(c *ast.Comment) bool {
	return strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "//line ")
}

// withoutGaps is a text with an empty line after each declaration of several lines, and no others:
// comments leave some.
func withoutGaps(text string) string {
	kept := slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool { return line == "\n" })
	var code strings.Builder
	for i, line := range kept {
		code.WriteString(line)
		if ends := strings.HasPrefix(line, "}") || strings.HasPrefix(line, ")") || strings.HasPrefix(line, "package "); ends && i+1 < len(kept) && kept[i+1] != "" {
			code.WriteString("\n")
		}
	}
	return code.String()
}
