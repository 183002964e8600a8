package policy

import (
	"bytes"
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// text looks at a file as characters: a reader must see what the compiler sees. It reports
// whether the file is small enough to be parsed.
func (c *checker) text(text []byte) bool {
	if len(text) > MaxFile {
		c.report(0, fmt.Sprintf("it has %d bytes", len(text)), fmt.Sprintf("a file may have %d", MaxFile))
		return false
	}
	line := 0
	for l := range bytes.Lines(text) {
		line++
		l = bytes.TrimSuffix(bytes.TrimSuffix(l, []byte("\n")), []byte("\r"))
		if len(l) > MaxLine {
			c.report(line, fmt.Sprintf("the line has %d bytes", len(l)), fmt.Sprintf("a line may have %d; gofmt does not break lines, but you can", MaxLine))
		}
		for len(l) > 0 {
			r, n := utf8.DecodeRune(l)
			if what := unseen(r, n); what != "" {
				c.report(line, what, "delete the character; in a string, write it as an escape such as \\u200b")
			}
			l = l[n:]
		}
	}
	return true
}

// unseen says what is wrong with a character that a reader does not see, or that lets the line
// look otherwise than it is; "" if nothing is. n is the number of its bytes.
func unseen(r rune, n int) string {
	switch {
	case r == utf8.RuneError && n <= 1:
		return "it is not UTF-8 here"
	case r == '\t':
		return ""
	case unicode.Is(unicode.Cc, r):
		return fmt.Sprintf("there is the control character %U", r)
	case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c:
		return fmt.Sprintf("there is %U, which changes the order in which the line is shown", r)
	case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) || slices.Contains(blanks, r):
		return fmt.Sprintf("there is the invisible character %U", r)
	}
	return ""
}

// blanks are letters, to the compiler, that have no form.
var blanks = []rune{0x115f, 0x1160, 0x3164, 0xffa0, 0x2800, 0x034f, 0x17b4, 0x17b5}

// allowedDirectives are those that change nothing but how fast the code is, and those that the
// compiler ignores.
var allowedDirectives = []string{"//go:noinline", "//go:generate", "//go:fix"}

// directives refuses comments that tell the compiler something.
func (c *checker) directives(file *ast.File) {
	for _, group := range file.Comments {
		for _, comment := range group.List {
			text := comment.Text
			word, _, _ := strings.Cut(text, " ")
			word, _, _ = strings.Cut(word, "\t")
			switch {
			case strings.HasPrefix(text, "//go:") && !slices.Contains(allowedDirectives, word):
				instead := "leave it out: the parts are plain Go, for any system"
				if word == "//go:nosplit" || word == "//go:norace" {
					instead = "leave it out: the parts run as the compiler makes them"
				}
				c.at(comment.Pos(), "there is the directive "+word, instead)
			case strings.HasPrefix(text, "//line ") || strings.HasPrefix(text, "/*line "):
				c.at(comment.Pos(), "there is a line directive", "leave it out, so that messages name the lines that you see")
			case strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(text, "//")), "+build "):
				c.at(comment.Pos(), "there is a build constraint", "leave it out: the parts are built on any system")
			case strings.HasPrefix(text, "//export ") || strings.HasPrefix(text, "//extern "):
				c.at(comment.Pos(), "there is the directive "+word, "leave it out: nothing here is in C")
			}
		}
	}
}

// identifiers refuses names that look like others: the letters of another script that have the
// form of Latin ones, among Latin letters or alone.
func (c *checker) identifiers(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		latin, alike, other := false, false, false
		for _, r := range id.Name {
			switch {
			case r < utf8.RuneSelf:
				latin = latin || unicode.IsLetter(r)
			case strings.ContainsRune(likeLatin, r) || unicode.In(r, fullwidth):
				alike = true
			case unicode.Is(unicode.Latin, r):
				latin = true
			case unicode.IsLetter(r):
				other = true
			}
		}
		if alike && (latin || !other) {
			c.at(id.Pos(), fmt.Sprintf("the name %+q has letters that look like Latin ones and are not", id.Name), "write it in the letters of one script")
		}
		return true
	})
}

// likeLatin are the letters of the Greek, Cyrillic and Armenian scripts with the form of a
// Latin one.
const likeLatin = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονυα" +
	"АВЕЅІЈКМНОРСТУХԚԜасеорхуіјѕһԁԛԝ" +
	"օսոհզցյ"

// fullwidth are the forms of Latin letters for East Asian text, and those of mathematics.
var fullwidth = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0xff21, Hi: 0xff3a, Stride: 1}, {Lo: 0xff41, Hi: 0xff5a, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x1d400, Hi: 0x1d7ff, Stride: 1}},
}
