package book

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// longSnippet is how many lines of code there may be on a phone without a fold.
const longSnippet = 30

// snippet shows Go code from a file of the repository. What an exercise asks for is
// folded, so that nobody reads it by accident who wants to write it; what is long is folded
// on a phone.
func (b *builder) snippet(p *page, e *element, args *arguments) error {
	target := args.word()
	if target == "" {
		return fmt.Errorf("which code? write ::: snippet FILE.go#NAME")
	}
	file, name, _ := strings.Cut(target, "#")
	source, err := b.readFile(file)
	if err != nil {
		return err
	}
	if path.Ext(file) != ".go" {
		return fmt.Errorf("%s is not a Go file", file)
	}
	text, exercise, err := cut(source, name, args.get("doc") != "no", args.flag("body"))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	text = dropDirectives(text)
	if text, err = between(text, args.get("from"), args.get("to")); err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	head := b.sourceLink(file, code(file))
	if title := args.get("title"); title != "" { // the file is not to be opened
		head = code(title)
	}
	if name != "" {
		head += " · " + code(name)
	}
	html := highlight("go", dedent(text))
	switch lines := strings.Count(dedent(text), "\n"); {
	case exercise:
		html = `<details class="solution"><summary>` + esc(b.words.Solution) + "</summary>\n" + html + "</details>"
	case lines > longSnippet:
		html = `<details class="long" open><summary>` + fmt.Sprintf(esc(b.words.Lines), lines, esc(cmp.Or(args.get("title"), path.Base(file)))) + "</summary>\n" + html + "</details>"
	}
	figure(e, "code", head, html)
	return nil
}

// readFile reads a file of the repository and says in one sentence why it cannot.
func (b *builder) readFile(file string) (string, error) {
	if !fs.ValidPath(file) {
		return "", fmt.Errorf("%q is not a path from the root of the repository", file)
	}
	b.used.LoadOrStore(file, stamp(b.files, file))
	text, err := fs.ReadFile(b.files, file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no file %s", file)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n"), err
}

// cut returns whole lines of a Go source: a declaration or a region, or all of
// it if name is empty. With body it returns only what is between the braces
// of a function. exercise: it is of a function that an exercise asks for.
func cut(source, name string, doc, body bool) (text string, exercise bool, err error) {
	if name == "" {
		return source, false, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", false, fmt.Errorf("it is not Go: %w", err)
	}
	line := func(pos token.Pos) int { return fset.PositionFor(pos, false).Line }
	lines := strings.SplitAfter(source, "\n")
	decl := declaration(file, name)
	if decl == nil {
		if body {
			return "", false, fmt.Errorf("there is no function %s", name)
		}
		text, err := region(lines, name)
		return text, false, err
	}
	first, last := line(decl.Pos()), line(decl.End())
	if body {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			return "", false, fmt.Errorf("%s is not a function with a body", name)
		}
		first, last = line(f.Body.Lbrace)+1, line(f.Body.Rbrace)-1
	} else if c := comment(decl); doc && c != nil {
		first = line(c.Pos())
	}
	return strings.Join(lines[first-1:last], ""), hasDirective(decl, "//course:exercise"), nil
}

// hasDirective reports whether a line of the declaration's comment is directive.
func hasDirective(d ast.Decl, directive string) bool {
	c := comment(d)
	return c != nil && slices.ContainsFunc(c.List, func(l *ast.Comment) bool { return l.Text == directive })
}

// declaration finds F, T, T.M, or a constant or variable in file. Of a group
// of constants or variables it is the whole group. Nil if there is none.
func declaration(file *ast.File, name string) ast.Decl {
	recv, method, isMethod := strings.Cut(name, ".")
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if isMethod && d.Recv != nil && d.Name.Name == method && receiver(d) == recv ||
				d.Recv == nil && d.Name.Name == name {
				return d
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.Name == name {
						return d
					}
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						if id.Name == name {
							return d
						}
					}
				}
			}
		}
	}
	return nil
}

// receiver is the name of the receiver's type, without star and parameters.
func receiver(f *ast.FuncDecl) string {
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

func comment(d ast.Decl) *ast.CommentGroup {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Doc
	case *ast.GenDecl:
		return d.Doc
	}
	return nil
}

// region returns the lines between "// #region name" and "// #endregion".
func region(lines []string, name string) (string, error) {
	first := -1
	for i, l := range lines {
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(l), "//"))
		switch {
		case !isRegionMark(l):
		case first < 0 && len(words) == 2 && words[0] == "#region" && words[1] == name:
			first = i + 1
		case first >= 0 && words[0] == "#endregion":
			return strings.Join(lines[first:i], ""), nil
		case first >= 0:
			return "", fmt.Errorf("the region %s has another one inside, in line %d", name, i+1)
		}
	}
	if first >= 0 {
		return "", fmt.Errorf("the region %s does not end: // #endregion is missing", name)
	}
	return "", fmt.Errorf("there is neither a declaration nor a region %s", name)
}

func isRegionMark(line string) bool {
	s := strings.TrimSpace(line)
	return strings.HasPrefix(s, "// #region ") || s == "// #endregion" || strings.HasPrefix(s, "// #endregion ")
}

// dropDirectives takes out what is not meant for readers: build constraints, lines and
// trailing comments that begin with //course:, with the empty line of a
// comment before them, and the marks of regions.
func dropDirectives(text string) string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		s := strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(s, "//course:"), strings.HasPrefix(s, "//go:build "):
			if n := len(out); n > 0 && strings.TrimSpace(out[n-1]) == "//" {
				out = out[:n-1]
			}
			continue
		case isRegionMark(l):
			continue
		case s == "" && len(out) > 0 && strings.TrimSpace(out[len(out)-1]) == "":
			continue
		}
		if before, _, ok := strings.Cut(l, "//course:"); ok {
			l = strings.TrimRight(before, " \t")
		}
		out = append(out, l)
	}
	return strings.Trim(strings.Join(out, "\n"), "\n") + "\n"
}

// between returns the lines from the first that contains from to the next that
// contains to, both included. An empty from or to is the begin or the end; a ^
// before the text asks for a line that begins with it.
func between(text, from, to string) (string, error) {
	lines := strings.SplitAfter(text, "\n")
	first := 0
	for from != "" && first < len(lines) && !matches(lines[first], from) {
		first++
	}
	if first == len(lines) {
		return "", fmt.Errorf("no line contains from=%q", from)
	}
	if to == "" {
		return strings.Join(lines[first:], ""), nil
	}
	last := first
	if from != "" {
		last++
	}
	for ; last < len(lines); last++ {
		if matches(lines[last], to) {
			return strings.Join(lines[first:last+1], ""), nil
		}
	}
	return "", fmt.Errorf("no line after from=%q contains to=%q", from, to)
}

func matches(line, text string) bool {
	if start, ok := strings.CutPrefix(text, "^"); ok {
		return strings.HasPrefix(line, start)
	}
	return strings.Contains(line, text)
}

// dedent takes off the tabs that all lines begin with.
func dedent(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	common := -1
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		if n := len(l) - len(strings.TrimLeft(l, "\t")); common < 0 || n < common {
			common = n
		}
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(l[min(max(common, 0), len(l)):], " \t")
	}
	return strings.Join(lines, "\n") + "\n"
}
