package book

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"html/template"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// A goroot is the Go whose source the facts of the book are checked against.
type goroot struct {
	src     string // the folder; "" if there is none
	version string // "go1.26.8"
	files   map[string]*goFile
}

// A goFile is a parsed file of a goroot.
type goFile struct {
	fset   *token.FileSet
	syntax *ast.File
	source string
	scope  *types.Scope // the constants, as far as this file alone defines them
}

// facts are what a page states with {{goroot}}.
type facts struct {
	checked, skipped int
	evidence         []evidence // each fact once
}

// Evidence is a fact that was checked, as it is listed at the end of its page.
type evidence struct {
	claim  claim
	Number int // from 1
	Where  string
	URL    string        // where to read it, "" if this Go is no release
	Says   template.HTML // what is there
}

// openGoroot opens dir, or the Go that the repository is built with.
func openGoroot(root, dir string) *goroot {
	g := &goroot{files: map[string]*goFile{}}
	if dir == "" {
		cmd := exec.Command("go", "env", "GOROOT")
		cmd.Dir = root
		out, err := cmd.Output()
		if err != nil {
			return g
		}
		dir = strings.TrimSpace(string(out))
	}
	version, err := os.ReadFile(filepath.Join(dir, "VERSION"))
	if err != nil {
		return g
	}
	if _, err := os.Stat(filepath.Join(dir, "src", "runtime", "proc.go")); err != nil {
		return g
	}
	g.src = filepath.Join(dir, "src")
	g.version, _, _ = strings.Cut(string(version), "\n")
	return g
}

// isRelease reports whether g is of the release that the book describes.
func (g *goroot) isRelease() bool {
	return g.version == "go"+Release || strings.HasPrefix(g.version, "go"+Release+".")
}

// A claim is {{goroot FILE#DECL op value as shown}}.
type claim struct {
	file, decl string
	op         string // "" (it exists), "=", "~" or "!~"
	value      string
	shown      string // "" if not given
}

func (c claim) String() string {
	return strings.TrimSpace(c.file + " " + c.decl + " " + c.op + " " + c.value)
}

var errClaim = errors.New("it is written {{goroot FILE#DECLARATION}}, with = VALUE, ~ CODE or !~ CODE after it, and as TEXT at the end if need be")

func parseClaim(s string) (claim, error) {
	var c claim
	target, rest, _ := strings.Cut(s+" ", " ")
	var ok bool
	if c.file, c.decl, ok = strings.Cut(target, "#"); !ok || c.file == "" || c.decl == "" {
		return c, errClaim
	}
	rest = " " + strings.TrimSpace(rest)
	if i := strings.LastIndex(rest, " as "); i >= 0 {
		c.shown = strings.TrimSpace(rest[i+len(" as "):])
		rest = rest[:i]
	}
	rest = strings.TrimSpace(rest)
	for _, op := range []string{"!~", "~", "="} {
		if value, ok := strings.CutPrefix(rest, op); ok {
			c.op, c.value = op, strings.TrimSpace(value)
			rest = ""
			break
		}
	}
	switch {
	case rest != "", c.op != "" && c.value == "":
		return c, errClaim
	case c.op == "!~" && c.shown == "":
		return c, errors.New("what is absent cannot be shown: say what is, with as TEXT")
	}
	return c, nil
}

// fact checks a claim and returns what the page shows, and its words.
func (b *builder) fact(p *page, line int, written string) (html, text string) {
	c, err := parseClaim(written)
	if err != nil {
		b.fail(p, line, "goroot: %v", err)
		return "", ""
	}
	text, html = c.decl, code(c.decl)
	switch {
	case c.shown != "":
		shown := b.words.apostrophes(c.shown)
		text, html = strings.ReplaceAll(shown, "`", ""), withCode(shown)
	case c.op != "":
		text, html = c.value, code(c.value)
	}
	mark, class, title := b.checkFact(p, line, c)
	if class == checkedFact {
		mark = fmt.Sprintf(`<a class="mark" href="#fact-%d" tabindex="-1" aria-hidden="true">%s</a>`, b.evidence(p, c), mark)
	} else {
		mark = `<span class="mark" aria-hidden="true">` + mark + `</span>`
	}
	return `<span class="fact ` + class + `" title="` + esc(title) + `">` + html + mark + `</span>`, text
}

const checkedFact = "checked"

// checkFact checks a claim and returns the mark that tells the reader the result.
func (b *builder) checkFact(p *page, line int, c claim) (mark, class, title string) {
	if b.goroot.src == "" {
		p.facts.skipped++
		b.warn(p, line, "goroot: skipped, because the source of Go is not installed: %s", c)
		return "○", "skipped", fmt.Sprintf(b.words.GorootSkipped, c, Release)
	}
	err := b.goroot.check(c)
	if err != nil && !b.goroot.isRelease() {
		b.warn(p, line, "goroot: checked against go%s only, %s differs: %v", Release, b.goroot.version, err)
		return "≠", "other", fmt.Sprintf(b.words.GorootOther, c, Release, err)
	}
	if err != nil {
		b.fail(p, line, "goroot: %v (in %s)", err, b.goroot.version)
		return "", "", ""
	}
	p.facts.checked++
	return "✓", checkedFact, fmt.Sprintf(b.words.GorootChecked, c, b.goroot.version)
}

// evidence lists a claim that was checked, and returns its number on the page.
func (b *builder) evidence(p *page, c claim) int {
	c.shown = ""
	for _, e := range p.facts.evidence {
		if e.claim == c {
			return e.Number
		}
	}
	says := map[string]string{
		"": b.words.FactDeclared, "=": b.words.FactEqual, "~": b.words.FactContains, "!~": b.words.FactLacks,
	}[c.op]
	told := []any{code(c.decl)}
	if c.op != "" {
		told = append(told, code(c.value))
	}
	e := evidence{claim: c, Number: len(p.facts.evidence) + 1, Says: template.HTML(fmt.Sprintf(says, told...))}
	e.Where, e.URL = b.goroot.where(c)
	p.facts.evidence = append(p.facts.evidence, e)
	return e.Number
}

// where says where the declaration of a claim stands, which was checked: the line, and its
// address at the tag of this release.
func (g *goroot) where(c claim) (line, url string) {
	f := g.files[c.file]
	at := f.fset.Position(f.find(c.decl).whole.Pos()).Line
	line = fmt.Sprintf("%s:%d", c.file, at)
	if released.MatchString(g.version) {
		url = fmt.Sprintf("https://github.com/golang/go/blob/%s/src/%s#L%d", g.version, c.file, at)
	}
	return line, url
}

// released matches the versions of Go that have a tag of the same name.
var released = regexp.MustCompile(`^go\d+\.\d+(\.\d+|rc\d+)?$`)

// withCode escapes a text in which code stands between backquotes.
func withCode(s string) string {
	parts := strings.Split(s, "`")
	for i, part := range parts {
		parts[i] = esc(part)
		if i%2 == 1 {
			parts[i] = code(part)
		}
	}
	return strings.Join(parts, "")
}

// check returns nil if the claim holds.
func (g *goroot) check(c claim) error {
	f, err := g.open(c.file)
	if err != nil {
		return err
	}
	d := f.find(c.decl)
	if d == nil {
		return fmt.Errorf("%s does not declare %s", c.file, c.decl)
	}
	switch c.op {
	case "~", "!~":
		has := contains(scan(f.text(d.whole)), scan(c.value))
		if has == (c.op == "~") {
			return nil
		}
		if has {
			return fmt.Errorf("%s in %s does contain %s", c.decl, c.file, c.value)
		}
		return fmt.Errorf("%s in %s does not contain %s", c.decl, c.file, c.value)
	case "=":
		return f.equal(c, d)
	}
	return nil
}

// open parses a file below src.
func (g *goroot) open(name string) (*goFile, error) {
	if f, ok := g.files[name]; ok {
		return f, nil
	}
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("%q is not a path below GOROOT/src", name)
	}
	source, err := os.ReadFile(filepath.Join(g.src, filepath.FromSlash(name)))
	if err != nil {
		return nil, fmt.Errorf("there is no file %s below GOROOT/src", name)
	}
	f := &goFile{fset: token.NewFileSet(), source: string(source)}
	f.syntax, err = parser.ParseFile(f.fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f.scope = constants(f)
	g.files[name] = f
	return f, nil
}

// constants evaluates the constants of a file. What depends on other files or
// imports has no value.
func constants(f *goFile) *types.Scope {
	only := &ast.File{Name: f.syntax.Name}
	for _, d := range f.syntax.Decls {
		if d, ok := d.(*ast.GenDecl); ok && (d.Tok == token.CONST || d.Tok == token.TYPE) {
			only.Decls = append(only.Decls, d)
		}
	}
	conf := types.Config{Error: func(error) {}}
	pkg, _ := conf.Check(f.syntax.Name.Name, f.fset, []*ast.File{only}, nil)
	return pkg.Scope()
}

// A goDecl is what a claim is about.
type goDecl struct {
	whole ast.Node // where ~ looks
	value ast.Expr // what = compares: a value, or a type where there is none; may be nil
	name  string   // of a constant, else ""
}

// find looks for F, T, T.M, T.field, or a constant or variable.
func (f *goFile) find(name string) *goDecl {
	outer, member, dotted := strings.Cut(name, ".")
	for _, d := range f.syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == name ||
				dotted && d.Recv != nil && receiver(d) == outer && d.Name.Name == member {
				return &goDecl{whole: d}
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if found := inSpec(d, spec, name, outer, member); found != nil {
					return found
				}
			}
		}
	}
	return nil
}

func inSpec(d *ast.GenDecl, spec ast.Spec, name, outer, member string) *goDecl {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.Name == name {
			return &goDecl{whole: spec, value: spec.Type}
		}
		if s, ok := spec.Type.(*ast.StructType); ok && spec.Name.Name == outer {
			for _, field := range s.Fields.List {
				for _, id := range field.Names {
					if id.Name == member {
						return &goDecl{whole: field, value: field.Type}
					}
				}
			}
		}
	case *ast.ValueSpec:
		for i, id := range spec.Names {
			if id.Name != name {
				continue
			}
			found := &goDecl{whole: spec, value: spec.Type}
			if i < len(spec.Values) {
				found.value = spec.Values[i]
			}
			if d.Tok == token.CONST {
				found.name = name
			}
			return found
		}
	}
	return nil
}

// equal compares constants by value, and everything else token by token.
func (f *goFile) equal(c claim, d *goDecl) error {
	if d.name != "" {
		if known, ok := f.scope.Lookup(d.name).(*types.Const); ok && known.Val().Kind() != constant.Unknown {
			want, err := types.Eval(token.NewFileSet(), nil, token.NoPos, c.value)
			if err != nil || want.Value == nil {
				return fmt.Errorf("%q is not a constant expression", c.value)
			}
			if !constant.Compare(constant.ToFloat(known.Val()), token.EQL, constant.ToFloat(want.Value)) &&
				known.Val().ExactString() != want.Value.ExactString() {
				return fmt.Errorf("%s in %s is %s, not %s", c.decl, c.file, known.Val().ExactString(), c.value)
			}
			return nil
		}
	}
	if d.value == nil {
		return fmt.Errorf("%s in %s has no value to compare: state what it contains with ~", c.decl, c.file)
	}
	text := f.text(d.value)
	if strings.Join(scan(text), " ") != strings.Join(scan(c.value), " ") {
		return fmt.Errorf("%s in %s is %s, not %s", c.decl, c.file, strings.Join(strings.Fields(text), " "), c.value)
	}
	return nil
}

func (f *goFile) text(n ast.Node) string {
	return f.source[f.fset.Position(n.Pos()).Offset:f.fset.Position(n.End()).Offset]
}

// scan splits Go source into its tokens, without comments and the semicolons
// that stand for ends of lines.
func scan(source string) []string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(source))
	s.Init(file, []byte(source), func(token.Position, string) {}, 0)
	var out []string
	for {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return out
		case tok == token.SEMICOLON && text != ";":
		case text == "":
			out = append(out, tok.String())
		default:
			out = append(out, text)
		}
	}
}

func contains(all, part []string) bool {
	for i := 0; i+len(part) <= len(all); i++ {
		j := 0
		for j < len(part) && all[i+j] == part[j] {
			j++
		}
		if j == len(part) {
			return true
		}
	}
	return false
}
