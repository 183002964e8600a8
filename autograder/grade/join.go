package grade

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gosched/autograder/gen"
	"gosched/autograder/jail"
	"gosched/autograder/policy"
	"gosched/chapters"
)

// To link a test binary takes longer than most checks of a chapter together. So chapters that
// are graded at once, and the student's own stack, share one. What cannot be in it is built on
// its own, as go test would: chapter builds it. The verdicts are the same, since each check
// still has a process of its own, and a chapter joins only if its code does nothing in the
// processes of the others.
//
// The tests of a chapter are a package that no other can import. Under another name they can:
// the joined binary is built with copies of their files, in a folder of the name that go test
// gives that package, exercises/ch01_goroutine_test, which is only in the overlay. Lines are
// still counted in the files that the student knows.

// A joint is the binary that several chapters share.
type joint struct {
	dir     string          // where the files of its overlay are
	pkg     string          // its package, a path from the root
	overlay Overlay         // where that and the copies are
	in      map[string]bool // the IDs of the chapters whose checks it has
	own     string          // it has the student's own stack up to this chapter; "": it has none

	racing  []chapters.Chapter // those of it with checks for the race detector
	raced   sync.Once          // builds their joint
	raceErr error              // of that
}

// has reports whether the checks of a chapter are in the joint, which may be nil.
func (j *joint) has(id string) bool { return j != nil && j.in[id] }

// hasOwn reports whether the own stack of a chapter is.
func (j *joint) hasOwn(id string) bool { return j != nil && j.own >= id }

// pattern is child.pattern in the joint: the tests of a chapter are subtests there.
func (j *joint) pattern(id, pattern string) string {
	test, rest, more := strings.Cut(pattern, "/")
	if more {
		rest = "/" + rest
	}
	return test + "/^" + id + "$" + rest
}

// join builds the joint of the chapters to be graded, or as many of them as compile. It is
// nil if there would be too little in it to be worth a build of its own. The files of its
// overlay are in dir.
func (g *grading) join(ctx context.Context, dir string) (*joint, error) {
	var joined, own []chapters.Chapter
	for _, ch := range g.chapters {
		if g.joins(ch) {
			joined = append(joined, ch)
		}
	}
	if g.Of == Exercises && g.Own != OwnNever {
		own = g.stackUpTo(g.chapters[len(g.chapters)-1].ID)
	}
	standIns := g.standIns()
	if len(standIns) > 0 {
		own = standIns
	}
	drop := func(not func(chapters.Chapter) bool) { // a stack ends below the first that it cannot have
		if at := slices.IndexFunc(own, not); len(standIns) > 0 {
			own = slices.DeleteFunc(own, not)
		} else if at >= 0 {
			own = own[:at]
		}
	}
	drop(func(ch chapters.Chapter) bool { return !g.joins(ch) })
	for {
		parts := len(joined)
		if len(own) > 0 {
			parts++
		}
		if len(joined) == 0 || parts < 2 {
			return nil, nil
		}
		j, err := g.jointOf(dir, joined, own)
		if err != nil {
			return nil, err
		}
		g.tell(j.what(), 0)
		err = g.buildTest(ctx, j.pkg, g.binary(j.name()), j.overlay)
		switch {
		case err == nil && g.starts(ctx, g.binary(j.name())):
			return j, nil
		case err == nil:
			return nil, nil
		}
		broken, ok := errors.AsType[*BuildError](err)
		if !ok {
			return nil, err
		}
		breaks := func(ch chapters.Chapter) bool { return broken.mentions(path.Join(g.Of, ch.Dir)) }
		before := len(joined) + len(own)
		joined = slices.DeleteFunc(joined, breaks)
		drop(breaks)
		if len(joined)+len(own) == before {
			return nil, nil // no chapter is to blame alone
		}
	}
}

// mentions reports whether the compiler complained of the folder, or of a file in it.
func (e *BuildError) mentions(dir string) bool {
	for name := range e.files() {
		if name = filepath.ToSlash(name); name == dir || path.Dir(name) == dir {
			return true
		}
	}
	return false
}

// stackUpTo returns the chapters up to last, which is all that the own stack of last is made of.
func (g *grading) stackUpTo(last string) []chapters.Chapter {
	return slices.DeleteFunc(slices.Clone(g.All), func(ch chapters.Chapter) bool { return ch.Suite == nil || ch.ID > last })
}

// what is what is built, for Event.Building.
func (j *joint) what() string {
	if len(j.in) > 1 {
		return fmt.Sprintf("%d chapters", len(j.in))
	}
	return slices.Collect(maps.Keys(j.in))[0]
}

// name is the name of the joint's binary.
func (j *joint) name() string { return path.Base(j.pkg) }

// jointOf writes the files of the joint of these chapters to dir.
func (g *grading) jointOf(dir string, joined, own []chapters.Chapter) (*joint, error) {
	j := &joint{dir: dir, pkg: path.Join(g.Of, "joined"), overlay: g.Overlay.with(nil), in: map[string]bool{}}
	put := func(name string, text []byte) error {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		j.overlay[name] = file
		return os.WriteFile(file, text, 0o644)
	}
	var imports strings.Builder
	tests := map[string]*strings.Builder{}
	for _, ch := range joined {
		pkg := path.Join(g.Of, ch.Dir)
		for _, name := range testFiles(ch) {
			text, err := g.read(path.Join(pkg, name))
			if err != nil {
				return nil, err
			}
			copied := strings.TrimSuffix(name, "_test.go") + ".go"
			head := "//line " + filepath.Join(g.Root, filepath.FromSlash(pkg), name) + ":1\n"
			if err := put(path.Join(pkg+"_test", copied), append([]byte(head), text...)); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(&imports, "\t%s %q\n", ch.ID, "gosched/"+pkg+"_test")
		for _, test := range testsOf(ch) {
			if tests[test] == nil {
				tests[test] = &strings.Builder{}
			}
			fmt.Fprintf(tests[test], "\tt.Run(%q, %s.%s)\n", ch.ID, ch.ID, test)
		}
		j.in[ch.ID] = true
	}
	if len(own) > 0 {
		for name, text := range gen.Own(own, gen.WithheldIn(g.Root)) {
			name = path.Join(Exercises, name)
			if path.Base(name) == "own_test.go" { // of the package itself: a package less to compile
				name = Exercises + "/own.go"
			}
			if err := put(name, text); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(&imports, "\town %q\n", "gosched/"+Exercises)
		tests["TestOwn"] = &strings.Builder{}
		tests["TestOwn"].WriteString("\town.TestOwn(t)\n")
		j.own = own[len(own)-1].ID
	}
	text := "package joined_test\n\nimport (\n\t\"testing\"\n\n" + imports.String() + ")\n"
	for _, name := range slices.Sorted(maps.Keys(tests)) {
		text += "\nfunc " + name + "(t *testing.T) {\n" + tests[name].String() + "}\n"
	}
	return j, put(path.Join(j.pkg, "joined_test.go"), []byte(text))
}

// testFiles are the files of a chapter's tests, which run its checks.
func testFiles(ch chapters.Chapter) []string {
	names := []string{ch.ID + "_test.go"}
	for _, c := range ch.Suite.Checks {
		if file := c.Kind.File(); file != "" && !slices.Contains(names, file) {
			names = append(names, file)
		}
	}
	return names
}

// testsOf are the tests in those files.
func testsOf(ch chapters.Chapter) []string {
	var names []string
	for _, c := range ch.Suite.Checks {
		test, _, _ := strings.Cut(c.Kind.Pattern(c.Name), "/")
		if test = strings.Trim(test, "^$"); !slices.Contains(names, test) {
			names = append(names, test)
		}
	}
	return names
}

// read reads a file of the tree that is graded, a slash path from the root.
func (g *grading) read(name string) ([]byte, error) {
	file, replaced := g.Overlay[name]
	switch {
	case !replaced:
		file = filepath.Join(g.Root, filepath.FromSlash(name))
	case file == "":
		return nil, os.ErrNotExist
	}
	return os.ReadFile(file)
}

// goFiles are the names of the Go files in a folder of the tree that is graded.
func (g *grading) goFiles(dir string) []string {
	names := map[string]bool{}
	entries, _ := os.ReadDir(filepath.Join(g.Root, filepath.FromSlash(dir)))
	for _, e := range entries {
		names[e.Name()] = true
	}
	for name, file := range g.Overlay {
		if path.Dir(name) == dir {
			names[path.Base(name)] = file != ""
		}
	}
	var found []string
	for name, there := range names {
		if there && path.Ext(name) == ".go" {
			found = append(found, name)
		}
	}
	return found
}

// joins reports whether a chapter may be in the joint: its tests are the files and functions
// that belong there, and its code does nothing before it is called. Another chapter's check
// would feel an init that ends the process.
func (g *grading) joins(ch chapters.Chapter) bool {
	pkg, tests := path.Join(g.Of, ch.Dir), testFiles(ch)
	missing, parts := testsOf(ch), 0
	names := tests
	if g.Of == Exercises {
		names = g.goFiles(pkg)
	}
	for _, name := range slices.Concat(names, tests) {
		text, err := g.read(path.Join(pkg, name))
		if err != nil {
			return false
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil || g.Of == Exercises && !policy.Idle(f) {
			return false
		}
		switch {
		case slices.Contains(tests, name):
			if f.Name.Name != ch.ID+"_test" {
				return false
			}
			missing = slices.DeleteFunc(missing, func(test string) bool { return declares(f, test) })
		case strings.HasSuffix(name, "_test.go"):
			return false
		default:
			parts++
		}
	}
	return len(missing) == 0 && (parts > 0 || g.Of == Solutions)
}

// declares reports whether a file has the function.
func declares(f *ast.File, function string) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Recv == nil && fn.Name.Name == function
	})
}

// starts reports whether a test binary gets as far as its first test.
func (g *grading) starts(ctx context.Context, binary string) bool {
	ctx, cancel := context.WithTimeout(ctx, defaultDeadline)
	defer cancel()
	end, err := jail.Child{Level: g.Level, Limits: jail.Limits{Memory: memoryLimit}, Path: binary, Args: []string{"-test.run=^$"}}.Run(ctx)
	return err == nil && end.OK()
}
