package gen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"gosched/chapters"
	"gosched/chapters/check"
)

func readArchive(t *testing.T, name string) map[string]string {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	files := map[string]string{}
	for _, f := range a.Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

// pathBase stands for packageNames where there is no tree: math/rand/v2 is rand.
var plain = &Maker{PackageName: packageNames("testdata/none")}

func TestStub(t *testing.T) {
	files := readArchive(t, "stub.txtar")
	stub, err := plain.Stub("in.go", []byte(files["in.go"]))
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(files["want.go"], string(stub.Source)))
	assert.Equal(t, []string{"runQueue.Runqput", "one"}, stub.Functions)

	guided, err := (&Maker{PackageName: plain.PackageName, Guided: true}).Stub("in.go", []byte(files["in.go"]))
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(files["guided.go"], string(guided.Source)))

	other, err := plain.Stub("in.go", []byte("package p\n\nimport \"gosched/chapters/check\"\n\n//course:exercise\nfunc f() string { return check.Nothing }\n"))
	require.NoError(t, err)
	assert.Contains(t, string(other.Source), "import \"gosched/chapters/check\"\n\nfunc f() string {\n\tpanic(check.TODO(\"f\"))\n}")

	again, err := plain.Stub("want.go", stub.Source)
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(string(stub.Source), string(again.Source)), "a file without directives stays as it is")
}

func TestStrip(t *testing.T) {
	files := readArchive(t, "stub.txtar")
	got, err := Strip("in.go", []byte(files["in.go"]))
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(files["strip.go"], string(got)))
}

func TestStubErrors(t *testing.T) {
	const head = "package p\n\nimport \"gosched/chapters/gmp\"\n\nvar _ gmp.G\n\n"
	for _, tt := range []struct{ name, src, want string }{
		{"no body", head + "//course:exercise\nfunc f()\n", "in.go:8:1: //course:exercise needs a function with a body"},
		{"no gmp", "package p\n\n//course:exercise\nfunc f() {}\n", `in.go:4:1: a file with //course:exercise must import "gosched/chapters/gmp" or "gosched/chapters/check"`},
		{"step outside", head + "func f() {\n\t//course:step Go.\n}\n", "in.go:8:2: //course:step stands outside of a function with //course:exercise"},
		{"step without text", head + "//course:exercise\nfunc f() {\n\t//course:step\n}\n", "in.go:9:2: //course:step needs a text"},
		{"apart", head + "//course:exercise\n\nfunc f() {}\n", "in.go:7:1: //course:exercise must stand alone in the comment directly above a declaration"},
		{"with text", head + "//course:omit this\nfunc f() {}\n", "in.go:7:1: //course:omit must stand alone in the comment directly above a declaration"},
		{"on a type", head + "//course:exercise\ntype t int\n", "in.go:7:1: //course:exercise must stand alone in the comment directly above a declaration"},
		{"unknown", head + "//course:exercize\nfunc f() {}\n", "in.go:7:1: unknown directive //course:exercize; there are //course:exercise, holds, question, lead, step, mend and omit"},
		{"syntax", "package p\n\nfunc {\n", "in.go:3:6: expected 'IDENT', found '{'"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := plain.Stub("in.go", []byte(tt.src))
			assert.EqualError(t, err, tt.want)
		})
	}
}

func TestUnusedImports(t *testing.T) {
	const body = "\n\n//course:exercise\nfunc f() { fmt.Print(os.Args) }\n"
	for _, tt := range []struct{ name, imports, want string }{
		{"single", "import \"fmt\"\nimport \"os\"\nimport \"gosched/chapters/gmp\"", "import \"gosched/chapters/gmp\""},
		{"grouped", "import (\n\t\"fmt\"\n\t\"os\"\n\n\t\"gosched/chapters/gmp\"\n)", "import (\n\t\"gosched/chapters/gmp\"\n)"},
		{"two groups", "import (\n\t\"fmt\"\n\t\"os\"\n)\n\nimport \"gosched/chapters/gmp\"", "import \"gosched/chapters/gmp\""},
		{"blank, dot and never used stay", "import (\n\t_ \"embed\"\n\t. \"errors\"\n\t\"fmt\"\n\t\"os\"\n\t\"sync\"\n\n\t\"gosched/chapters/gmp\"\n)",
			"import (\n\t_ \"embed\"\n\t. \"errors\"\n\t\"sync\"\n\n\t\"gosched/chapters/gmp\"\n)"},
		{"renamed", "import (\n\tfmt \"gosched/other\"\n\t\"os\"\n\n\t\"gosched/chapters/gmp\"\n)", "import (\n\t\"gosched/chapters/gmp\"\n)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stub, err := plain.Stub("in.go", []byte("package p\n\n"+tt.imports+body))
			require.NoError(t, err)
			want := "package p\n\n" + tt.want + "\n\nfunc f() {\n\tpanic(gmp.TODO(\"f\"))\n}\n"
			assert.Empty(t, cmp.Diff(want, string(stub.Source)))
		})
	}
}

// course unpacks the course of course.txtar and returns its exercises as they
// should be.
func course(t *testing.T) (root string, all []chapters.Chapter, want map[string]string) {
	root, want = t.TempDir(), map[string]string{}
	for name, text := range readArchive(t, "course.txtar") {
		if rest, ok := strings.CutPrefix(name, "exercises/"); ok {
			want[rest] = text
			continue
		}
		require.NoError(t, writeFile(filepath.Join(root, name), []byte(text)))
	}
	suite := &check.Suite{ID: "ch07", Checks: []check.Check{
		{Name: "fifo", Points: 10, Property: "Gs leave in the order in which they came."},
		{Name: "mine", Points: 5, Property: "Your test fails on a wrong queue | stack."},
	}}
	return root, []chapters.Chapter{
		{ID: "ch07", Dir: "ch07_runq", Title: "The run queue", Suite: suite},
		{ID: "ch08", Dir: "ch08_loop", Title: "Not written yet"},
	}, want
}

func TestExercises(t *testing.T) {
	root, all, want := course(t)
	files, err := Exercises(root, all, false)
	require.NoError(t, err)
	got := map[string]string{}
	for name, text := range files {
		got[name] = string(text)
	}
	assert.Empty(t, cmp.Diff(want, got))
}

func TestExercisesErrors(t *testing.T) {
	root, all, _ := course(t)
	require.NoError(t, os.Remove(filepath.Join(root, "chapters/ch07_runq/task.md")))
	_, err := Exercises(root, all, false)
	assert.ErrorContains(t, err, "ch07 has no task: ")

	require.NoError(t, os.RemoveAll(filepath.Join(root, "solutions")))
	_, err = Exercises(root, all, false)
	assert.EqualError(t, err, "ch07 has a suite, but there is no Go file in solutions/ch07_runq")
}

func TestWrite(t *testing.T) {
	dir, backup := t.TempDir(), t.TempDir()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}
	write := func(files map[string][]byte, force bool) []File {
		t.Helper()
		report, err := Write(dir, files, force, backup)
		require.NoError(t, err)
		return report
	}
	first := map[string][]byte{"a/x.go": []byte("x1"), "a/y.go": []byte("y1"), "old.go": []byte("old"), "older.go": []byte("older")}
	assert.Equal(t, []File{{"a/x.go", Created}, {"a/y.go", Created}, {"old.go", Created}, {"older.go", Created}}, write(first, false))
	assert.Empty(t, write(first, false), "a second time there is nothing to do")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "a/y.go"), []byte("edited"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "older.go"), []byte("edited"), 0o644))
	second := map[string][]byte{"a/x.go": []byte("x2"), "a/y.go": []byte("y2"), "b.go": []byte("b")}
	assert.Equal(t, []File{{"a/x.go", Updated}, {"a/y.go", Kept}, {"b.go", Created}, {"old.go", Removed}, {"older.go", Kept}}, write(second, false))
	assert.Equal(t, "x2", read("a/x.go"))
	assert.Equal(t, "edited", read("a/y.go"))
	assert.NoFileExists(t, filepath.Join(dir, "old.go"))

	assert.Equal(t, []File{{"a/y.go", Replaced}}, write(second, true))
	assert.Equal(t, "y2", read("a/y.go"))
	saved, err := os.ReadFile(filepath.Join(backup, "a/y.go"))
	require.NoError(t, err)
	assert.Equal(t, "edited", string(saved))
}

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	files := map[string][]byte{"a.go": []byte("a"), "b.go": []byte("b")}
	compare := func() []File {
		t.Helper()
		report, err := Compare(dir, files)
		require.NoError(t, err)
		return report
	}
	assert.Equal(t, []File{{"a.go", Missing}, {"b.go", Missing}, {sumsFile, Missing}}, compare())
	_, err := Write(dir, files, false, "")
	require.NoError(t, err)
	assert.Empty(t, compare())

	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("edited"), 0o644))
	require.NoError(t, os.Remove(filepath.Join(dir, "b.go")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c.go"), []byte("c"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, sumsFile), []byte("x"), 0o644))
	assert.Equal(t, []File{{"a.go", Differs}, {"b.go", Missing}, {sumsFile, Differs}, {"c.go", Extra}}, compare())
}

// TestContracts reads a contract that has another form in a later chapter.
func TestContracts(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "chapters", "gmp"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(root, "chapters", "gmp", "contracts.go"), []byte(`package gmp

type Calls interface {
	// Enter does one thing.
	//
	// From chapter 12 on it does more.
	//
	// Instead, in chapter 18:
	//
	// Enter does another thing.
	//
	// And that is all.
	Enter()
}
`), 0o666))
	for id, want := range map[string]string{
		"ch11": "Enter does one thing.\n",
		"ch12": "Enter does one thing.\n\nFrom chapter 12 on it does more.\n",
		"ch18": "Enter does another thing.\n\nAnd that is all.\n",
	} {
		texts, err := contracts(root, chapters.Chapter{ID: id})
		require.NoError(t, err)
		assert.Equal(t, want, texts["Enter"], id)
	}
}
