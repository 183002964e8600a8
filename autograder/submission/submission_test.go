package submission

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/chapters"
)

// course is the course of this repository.
var course = sync.OnceValues(func() (*Course, error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	return Open(root, chapters.All)
})

// A student is a submission that is made for a test.
type student struct {
	*testing.T
	course *Course
	dir    string
}

func newStudent(t *testing.T) *student {
	c, err := course()
	require.NoError(t, err)
	return &student{t, c, t.TempDir()}
}

// write writes a file of the submission.
func (s *student) write(name, text string) {
	s.Helper()
	name = filepath.Join(s.dir, filepath.FromSlash(name))
	require.NoError(s, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(s, os.WriteFile(name, []byte(text), 0o644))
}

// copy writes a file of the exercises as it is given.
func (s *student) copy(name string) {
	s.Helper()
	s.write(name, string(s.course.given[name]))
}

// read reads the submission.
func (s *student) read() *Files {
	s.Helper()
	files, err := s.course.Read(s.dir)
	require.NoError(s, err)
	s.Cleanup(func() { assert.NoError(s, files.Remove()) })
	return files
}

// found are the findings in short.
func found(files *Files) []string {
	var all []string
	for _, f := range files.Findings {
		all = append(all, f.File+": "+f.What)
	}
	return all
}

// text is what stands in for a file of the exercises.
func (s *student) text(files *Files, name string) string {
	s.Helper()
	require.Contains(s, files.Overlay, name)
	text, err := os.ReadFile(files.Overlay[name])
	require.NoError(s, err)
	return string(text)
}

const (
	runq    = "exercises/ch07_runq/runq.go"
	steal   = "exercises/ch07_runq/steal.go"
	mineOf7 = "exercises/ch07_runq/mine_test.go"
	good    = "package ch07\n\n// It is mine.\n"
)

func TestRead(t *testing.T) {
	s := newStudent(t)
	s.write(runq, good)
	s.write("exercises/ch07_runq/ring.go", "package ch07\n\ntype ring int\n")
	files := s.read()
	assert.Empty(t, files.Findings)
	assert.Empty(t, files.Ignored)
	assert.Equal(t, []string{"exercises/ch07_runq/ring.go", runq}, files.Taken)
	assert.Equal(t, good, s.text(files, runq))
	assert.Equal(t, "package ch07\n\ntype ring int\n", s.text(files, "exercises/ch07_runq/ring.go"))
	for name, text := range s.course.given {
		if name != runq {
			assert.Equal(t, string(text), s.text(files, name), "%s is not there, so it is as it was given", name)
		}
	}
	for name, file := range files.Overlay {
		assert.Equal(t, filepath.Join(files.Dir, filepath.FromSlash(name)), file)
	}
}

func TestReadExercisesAlone(t *testing.T) {
	whole, alone, archive := newStudent(t), newStudent(t), newStudent(t)
	whole.write(runq, good)
	alone.write(strings.TrimPrefix(runq, "exercises/"), good)
	archive.write("course-main/"+runq, good)
	sum := whole.read().Sum
	assert.Equal(t, sum, alone.read().Sum)
	assert.Equal(t, sum, archive.read().Sum)
	archive.write("course-main/more.txt", "x")
	assert.Equal(t, []string{"more.txt"}, archive.read().Ignored)
}

func TestReadNothing(t *testing.T) {
	s := newStudent(t)
	s.write("homework.txt", "none")
	files := s.read()
	assert.Equal(t, []string{"exercises: there is no such folder"}, found(files))
	assert.Equal(t, string(s.course.given[runq]), s.text(files, runq))
	_, err := s.course.Read(filepath.Join(s.dir, "none"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// What is not the student's to write is not taken, and is named if it is not as in the course.
func TestIgnored(t *testing.T) {
	s := newStudent(t)
	s.copy("exercises/ch07_runq/README.md")
	s.copy("exercises/own_test.go")
	s.copy("exercises/play/main.go")
	s.write("exercises/exercises.go", string(s.course.given["exercises/exercises.go"])+"// more\n")
	s.write("exercises/ch07_runq/ch07_test.go", "package ch07_test\n")
	s.write("exercises/ch07_runq/more_test.go", "package ch07_test\n")
	s.write("exercises/ch07_runq/fast.s", "TEXT\n")
	s.write("exercises/ch07_runq/testdata/x", "x")
	s.write("exercises/ch99_more/x.go", "package x\n")
	s.write("exercises/generated.sum", "old")
	s.write("chapters/ch07_runq/suite.go", "package ch07\n")
	s.write("chapters/check/more.go", "package check\n")
	s.write("go.mod", "module gosched\n")
	s.write("go.work", "go 1.26\n")
	s.write("vendor/github.com/stretchr/testify/assert/assert.go", "package assert\n")
	s.write(".github/workflows/classroom.yml", "on: push\n")
	s.write(".git/config", "x")
	s.write(".gosched/bin/x", "x")
	license, err := os.ReadFile("../../LICENSE")
	require.NoError(t, err)
	s.write("LICENSE", strings.ReplaceAll(string(license), "\n", "\r\n"))
	contributing, err := os.ReadFile("../../CONTRIBUTING.md")
	require.NoError(t, err)
	s.write("CONTRIBUTING.md", "%"+string(contributing[1:]))
	files := s.read()
	assert.Empty(t, files.Findings)
	assert.Empty(t, files.Taken)
	assert.Equal(t, []string{
		".github/workflows/classroom.yml", "CONTRIBUTING.md", "chapters/ch07_runq/suite.go", "chapters/check/more.go",
		"exercises/ch07_runq/ch07_test.go", "exercises/ch07_runq/fast.s", "exercises/ch07_runq/more_test.go", "exercises/ch07_runq/testdata/",
		"exercises/ch99_more/", "exercises/exercises.go", "go.mod", "go.work", "vendor/",
	}, files.Ignored)
	assert.Equal(t, string(s.course.given["exercises/ch07_runq/ch07_test.go"]), s.text(files, "exercises/ch07_runq/ch07_test.go"))
	assert.NotContains(t, files.Overlay, "exercises/ch07_runq/more_test.go")
	assert.NotContains(t, files.Overlay, "exercises/ch07_runq/fast.s")
}

// Which entries of a very large folder are seen depends on the file system, so none is taken.
func TestTakesNothingOfMany(t *testing.T) {
	s := newStudent(t)
	for i := range maxFolder + 1 {
		s.write(fmt.Sprintf("exercises/ch07_runq/x%d.go", i), fmt.Sprintf("package ch07\n\n// %d\n", i))
	}
	files := s.read()
	assert.Equal(t, []string{"exercises/ch07_runq: it has more than 64 Go files, or than 1000 of any kind"}, found(files))
	assert.Empty(t, files.Taken)
}

// A submission with very many files is looked at for as long as others.
func TestIgnoredIsBounded(t *testing.T) {
	s := newStudent(t)
	for i := range maxFolder + 50 {
		s.write("file"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+string(rune('a'+i/26)), "")
	}
	s.write(runq, good)
	files := s.read()
	assert.Equal(t, []string{runq}, files.Taken)
	assert.Len(t, files.Ignored, maxIgnored+1)
	assert.Regexp(t, `^… and \d+ more$`, files.Ignored[maxIgnored])
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(s *student)
		want string
	}{
		{"what the policy refuses", func(s *student) { s.write(runq, "package ch07\n\nimport \"os\"\n") }, runq + `: it imports "os"`},
		{"parts of other chapters", func(s *student) {
			s.write(runq, "package ch07\n\nimport \"gosched/chapters/gmp\"\n\nvar Parts = gmp.Version{Loop: nil}\n")
		}, runq + ": its version has Loop"},
		{"a large file", func(s *student) { s.write(runq, good+strings.Repeat("// x\n", 1<<18)) }, runq + ": it has more than 1048576 bytes"},
		{"a folder", func(s *student) { s.write(runq+"/x", "") }, runq + ": it is a folder"},
		{"for one system", func(s *student) { s.write("exercises/ch07_runq/runq_linux.go", good) }, "exercises/ch07_runq/runq_linux.go: by its name Go builds it on some systems alone"},
		{"for one processor", func(s *student) { s.write("exercises/ch07_runq/runq_amd64.go", good) }, "exercises/ch07_runq/runq_amd64.go: by its name Go builds it on some systems alone"},
		{"hidden from Go", func(s *student) { s.write("exercises/ch07_runq/_x.go", good) }, `exercises/ch07_runq: the name of the file "_x.go" has other characters than ASCII letters, digits, _, - and ., or does not begin with a letter or a digit`},
		{"another end", func(s *student) { s.write("exercises/ch07_runq/x.GO", good) }, `exercises/ch07_runq: the name of the file "x.GO" has other characters than ASCII letters, digits, _, - and ., or does not begin with a letter or a digit`},
		{"very many files", func(s *student) {
			for i := range maxParts + 1 {
				s.write("exercises/ch07_runq/x"+strings.Repeat("y", i)+".go", good)
			}
		}, "exercises/ch07_runq: it has more than 64 Go files, or than 1000 of any kind"},
		{"a mended test", func(s *student) {
			s.write(mineOf7, strings.Replace(string(s.course.given[mineOf7]), `solutions.Mutants("ch07")`, "nil", 1))
		}, mineOf7 + ": function TestMine, which was given, has changed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStudent(t)
			s.write(steal, "package ch07\n\n// Mine, too.\n")
			tt.do(s)
			files := s.read()
			assert.Contains(t, found(files), tt.want)
			unit := Unit(files.Findings[0].File)
			for name := range files.Overlay {
				if Unit(name) == unit {
					assert.Equal(t, string(s.course.given[name]), s.text(files, name), "%s is refused with %s", name, unit)
				}
			}
			if unit == mineOf7 {
				assert.Equal(t, "package ch07\n\n// Mine, too.\n", s.text(files, steal), "the parts are not refused with a test")
			}
		})
	}
}

// Files of which a system has no others.
func TestRefusedOnUnix(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names and links are others there")
	}
	secret := filepath.Join(t.TempDir(), "secret.go")
	require.NoError(t, os.WriteFile(secret, []byte("package ch07\n\n// secret\n"), 0o644))
	for _, tt := range []struct {
		name string
		do   func(s *student) error
		want string
	}{
		{"a link out of the submission", func(s *student) error { return os.Symlink(secret, filepath.Join(s.dir, runq)) }, runq + ": it is a symbolic link"},
		{"a link within it", func(s *student) error { return os.Symlink("steal.go", filepath.Join(s.dir, runq)) }, runq + ": it is a symbolic link"},
		{"a link to nothing", func(s *student) error { return os.Symlink("none", filepath.Join(s.dir, runq)) }, runq + ": it is a symbolic link"},
		{"a folder that is a link", func(s *student) error {
			return os.Symlink("ch07_runq", filepath.Join(s.dir, "exercises", "ch08_loop"))
		}, "exercises/ch08_loop: it is a symbolic link and no folder"},
		{"a hard link", func(s *student) error { return os.Link(secret, filepath.Join(s.dir, runq)) }, runq + ": it has other names, too, by hard links"},
		{"a pipe", func(s *student) error { return mkfifo(filepath.Join(s.dir, runq)) }, runq + ": it is a named pipe"},
		{"without rights", func(s *student) error {
			if os.Getuid() == 0 {
				return errors.ErrUnsupported
			}
			s.write(runq, good)
			return os.Chmod(filepath.Join(s.dir, runq), 0)
		}, runq + ": it cannot be read"},
		{"capital letters alone", func(s *student) error { s.write("exercises/ch07_runq/Runq.go", good); return nil }, "exercises/ch07_runq/Runq.go: its name differs from runq.go in capital letters alone"},
		{"a name with a line in it", func(s *student) error { s.write("exercises/ch07_runq/a\nb.go", good); return nil },
			`exercises/ch07_runq: the name of the file "a\nb.go" has other characters than ASCII letters, digits, _, - and ., or does not begin with a letter or a digit`},
		{"a name that is not seen", func(s *student) error { s.write("exercises/ch07_runq/a\u200b.go", good); return nil },
			`exercises/ch07_runq: the name of the file "a\u200b.go" has other characters than ASCII letters, digits, _, - and ., or does not begin with a letter or a digit`},
		{"a name with a backslash", func(s *student) error { s.write(`exercises/ch07_runq/..\x.go`, good); return nil },
			`exercises/ch07_runq: the name of the file "..\\x.go" has other characters than ASCII letters, digits, _, - and ., or does not begin with a letter or a digit`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStudent(t)
			s.write(steal, string(s.course.given[steal]))
			if err := tt.do(s); errors.Is(err, errors.ErrUnsupported) {
				t.Skip(err)
			} else {
				require.NoError(t, err)
			}
			files := s.read()
			assert.Contains(t, found(files), tt.want)
			for name := range files.Overlay {
				assert.NotContains(t, s.text(files, name), "secret", name)
			}
			assert.Equal(t, string(s.course.given[runq]), s.text(files, runq))
		})
	}
}

// A whole course of links comes to nothing.
func TestExercisesAreALink(t *testing.T) {
	s, other := newStudent(t), newStudent(t)
	other.write(runq, good)
	if err := os.Symlink(filepath.Join(other.dir, "exercises"), filepath.Join(s.dir, "exercises")); err != nil {
		t.Skip(err)
	}
	files := s.read()
	assert.Equal(t, []string{"exercises: it is a symbolic link and no folder"}, found(files))
	assert.Empty(t, files.Taken)
}

// The sum is that of what decides, and of what a report names as ignored: who has another one
// must not be told of it.
func TestSum(t *testing.T) {
	sum := func(do func(s *student)) string {
		s := newStudent(t)
		s.write(runq, good)
		do(s)
		return s.read().Sum
	}
	same := sum(func(*student) {})
	ignored := sum(func(s *student) { s.write("go.mod", "module x\n") })
	assert.NotEqual(t, same, ignored)
	assert.Equal(t, ignored, sum(func(s *student) { s.write("go.mod", "module y\n") }), "it was not read")
	assert.NotEqual(t, ignored, sum(func(s *student) { s.write("go.work", "module x\n") }))
	assert.NotEqual(t, same, sum(func(s *student) { s.write(runq, good+"\n") }))
	assert.NotEqual(t, same, sum(func(s *student) { s.write(steal, good) }))
	large := sum(func(s *student) { s.write(steal, strings.Repeat("x", 2<<20)) })
	assert.NotEqual(t, same, large, "it was refused")
	assert.Equal(t, large, sum(func(s *student) { s.write(steal, strings.Repeat("y", 2<<20)) }), "and not read")
}

// What the policy could not read no compiler may take.
func TestUnparsed(t *testing.T) {
	s := newStudent(t)
	s.write(runq, "package ch07\n\nfunc {\n")
	files := s.read()
	assert.Empty(t, files.Findings, "the compiler says it")
	assert.Equal(t, "package ch07\n\nfunc {\n\n)\n", s.text(files, runq))
}

// In an instructor's clone the exercises may be the instructor's own: nothing of them is built.
func TestInstructorsOwn(t *testing.T) {
	s := newStudent(t)
	root := t.TempDir()
	for _, name := range []string{runq, "exercises/ch07_runq/notes.go", "exercises/ch07_runq/x.s", "exercises/play/more.go"} {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte("the instructor's"), 0o644))
	}
	s.course = &Course{root: root, all: s.course.all, given: s.course.given, solved: s.course.solved}
	s.copy(steal)
	files := s.read()
	for _, name := range []string{"exercises/ch07_runq/notes.go", "exercises/ch07_runq/x.s", "exercises/play/more.go"} {
		file, ok := files.Overlay[name]
		assert.True(t, ok && file == "", "%s is left out", name)
	}
	assert.Equal(t, string(s.course.given[runq]), s.text(files, runq))
}

// The overlay builds: the solution as a submission, in a course whose exercises are broken.
func TestBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a chapter")
	}
	s := newStudent(t)
	ch := chapters.All[6]
	solution, err := gen.Solution(s.course.root, ch)
	require.NoError(t, err)
	for name, text := range solution {
		s.write(path.Join("exercises", ch.Dir, name), string(text))
	}
	s.write(path.Join("exercises", ch.Dir, "more.go"), moreOf7)
	files := s.read()
	assert.Empty(t, files.Findings)
	binary := filepath.Join(t.TempDir(), "own")
	require.NoError(t, grade.BuildCommand(context.Background(), s.course.root, "./exercises/play", binary, files.Overlay))
}

// moreOf7 is written as few would write it, and as anybody may: a helper in a file of its own, a
// generic one, a type in a function, a method value, a struct that is embedded, labels, a package
// imported under another name, another one's name given to a variable, variables that are
// functions, names that the course has for something else.
const moreOf7 = `package ch07

import (
	str "strings"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

type counted struct{ Code, Machine int }

type Timers struct {
	counted
	s    *gmp.Sched
	put  func(pp *gmp.P, gp *gmp.G, next bool)
	Main []machine.Pointer[gmp.G]
}

func (t *Timers) Run(pp *gmp.P) { t.Code++; t.With(&pp.Timers) }

func (t *Timers) With(list *gmp.TimerList) { list.Lock(); defer list.Unlock() }

func last[T any](xs []T) (x T) {
	if n := len(xs); n > 0 {
		x = xs[n-1]
	}
	return x
}

func more(s *gmp.Sched, pp *gmp.P) *gmp.G {
	type pair struct{ gp *gmp.G }
	machine := s.Machine
	t := &Timers{s: s, put: s.Runqput}
	t.Machine, t.Main = 1, pp.Runq
	p := &t.Machine
	*p = int(machine.Size()) + len(str.Repeat("x", 2))
	run, pairs := t.Run, []pair{}
outer:
	for {
		switch gp, _ := s.Runqget(pp); {
		case gp == nil:
			break outer
		default:
			pairs = append(pairs, pair{gp})
			goto next
		}
	next:
		run(pp)
	}
	var x any = last(pairs)
	if x, ok := x.(pair); ok {
		return x.gp
	}
	return nil
}
`

func TestFindings(t *testing.T) {
	s := newStudent(t)
	s.write(runq, "package ch07\n\nimport \"os\"\n")
	s.write("exercises/ch08_loop/loop.go", "package ch08\n\nimport \"os\"\n")
	found, err := Findings(s.dir, chapters.All[6:7])
	require.NoError(t, err)
	require.Len(t, found, 1, "there are no solutions here, and one chapter was asked for")
	assert.Equal(t, runq+":3: it imports \"os\"; print with s.Printf, which stands in the evidence of a check; a part needs nothing else of the system", found[0].String())
	for name := range s.course.given {
		s.copy(name)
	}
	require.NoError(t, os.CopyFS(filepath.Join(s.dir, "solutions"), os.DirFS(filepath.Join(s.course.root, "solutions"))))
	require.NoError(t, os.CopyFS(filepath.Join(s.dir, "chapters"), os.DirFS(filepath.Join(s.course.root, "chapters"))))
	found, err = Findings(s.dir, chapters.All[6:7])
	require.NoError(t, err)
	assert.Empty(t, found, "nothing that is given is refused")
	s.write(mineOf7, strings.Replace(string(s.course.given[mineOf7]), `solutions.Mutants("ch07")`, "nil", 1))
	found, err = Findings(s.dir, chapters.All[6:7])
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, "function TestMine, which was given, has changed", found[0].What)
}
