package update

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/sample"
)

// A course is its files.
type course map[string]string

// queue is an exercise of the small course.
const queue = `package ch01

// Put puts.
func Put() {
	panic("put")
}

// Get gets.
func Get() {
	panic("get")
}
`

const page = "# Chapter 1\n\n## Checks\n\n| Check | Points | What holds |\n|--|--:|--|\n| fifo | 3 | In order. |\n"

// first is the version that the student has.
func first() course {
	return course{
		"go.mod":                         "module gosched\n",
		".gitignore":                     "/.gosched/\n/notes\n",
		"chapters/ch01/suite.go":         "package suite // 1\n",
		"chapters/ch01/old.go":           "package suite // old\n",
		"exercises/ch01/README.md":       page,
		"exercises/ch01/queue.go":        queue,
		"exercises/ch01/gone.go":         "package ch01 // gone\n",
		"exercises/ch01/predict_test.go": "package ch01_test\n\nfunc swapped() {}\n",
		"exercises/generated.sum":        "1\n",
	}
}

// second is the next one: a suite is changed and has one more check, a comment of the exercise is
// another, a file of it is new and one is gone.
func second() course {
	c := first()
	c["chapters/ch01/suite.go"] = "package suite // 2\n"
	c["chapters/ch01/more.go"] = "package suite // more\n"
	delete(c, "chapters/ch01/old.go")
	c["exercises/ch01/README.md"] = page + "| race | 2 | No G is lost. |\n"
	c["exercises/ch01/queue.go"] = strings.Replace(queue, "// Put puts.", "// Put puts at the tail.", 1)
	c["exercises/ch01/ring.go"] = "package ch01 // the course's ring\n"
	delete(c, "exercises/ch01/gone.go")
	c["exercises/ch01/predict_test.go"] += "\nfunc split() {}\n"
	c["exercises/generated.sum"] = "2\n"
	return c
}

func (c course) write(t *testing.T, dir string) {
	t.Helper()
	for name, text := range c {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
}

// given are the exercises, as gen makes them.
func (c course) given() map[string][]byte {
	given := map[string][]byte{}
	for name, text := range c {
		if strings.HasPrefix(name, exercises) && name != "exercises/generated.sum" {
			given[name] = []byte(text)
		}
	}
	return given
}

// git runs git in a folder, as somebody.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=ann", "-c", "user.email=ann@localhost", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %s: %s", args, out)
	return strings.TrimSpace(string(out))
}

// student makes the repository of a student who has the course, and changes to it that are
// committed.
func student(t *testing.T, c course, changes course) string {
	t.Helper()
	dir := t.TempDir()
	c.write(t, dir)
	git(t, dir, "init", "--quiet")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "-m", "the course")
	if len(changes) > 0 {
		changes.write(t, dir)
		git(t, dir, "add", ".")
		git(t, dir, "commit", "--quiet", "-m", "mine")
	}
	return dir
}

// handout is a new version in a folder.
func handout(t *testing.T, c course) string {
	dir := t.TempDir()
	c.write(t, dir)
	return dir
}

func options(root, from string, has course) Options {
	return Options{Root: root, From: from, Given: has.given(), Functions: func(name string, text []byte) (names []string) {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			return nil
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				names = append(names, d.Name.Name)
			}
		}
		return names
	}}
}

// brought plans an update and carries it out.
func brought(t *testing.T, o Options) *Plan {
	t.Helper()
	p, err := New(t.Context(), o)
	require.NoError(t, err)
	require.NoError(t, p.Save(t.Context()))
	require.NoError(t, p.Do(t.Context()))
	return p
}

// tree is what is in a folder, but for what git and the command keep.
func tree(t *testing.T, dir string) course {
	t.Helper()
	c := course{}
	require.NoError(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" || d.Name() == ".gosched" {
				return filepath.SkipDir
			}
			return nil
		}
		text, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		c[filepath.ToSlash(rel)] = string(text)
		return err
	}))
	return c
}

// without is a tree without the list of sums.
func without(c course) course {
	delete(c, SumsName)
	return c
}

func TestUntouched(t *testing.T) {
	dir := student(t, first(), nil)
	p := brought(t, options(dir, handout(t, second()), first()))
	assert.Equal(t, second(), without(tree(t, dir)))
	assert.Equal(t, []string{
		"3 files of the course are new, changed or gone.",
		"ch01: new checks: race.",
		"ch01: new predictions: split.",
		"ch01: files of the exercise that are new or changed: predict_test.go, queue.go, ring.go.",
	}, p.News)
	assert.Empty(t, p.Merged)
	assert.Empty(t, p.Look)
}

// edited is what a student has done: a method is written, some files are the student's own, and
// one of them the new version has, too.
func edited() course {
	return course{
		"exercises/ch01/queue.go": strings.Replace(queue, `panic("put")`, `put()`, 1),
		"exercises/ch01/gone.go":  "package ch01 // gone, and written in\n",
		"exercises/ch01/ring.go":  "package ch01 // my ring\n",
		"exercises/ch01/mine.go":  "package ch01 // mine\n",
		"chapters/ch01/suite.go":  "package suite // 1, and mine\n",
		"chapters/ch01/more.go":   "package suite // my own\n",
		"notes":                   "ignored by git\n",
		"todo.txt":                "mine\n",
	}
}

// after is what then is there.
func after() course {
	c := second()
	c["exercises/ch01/queue.go"] = strings.Replace(c["exercises/ch01/queue.go"], `panic("put")`, `put()`, 1)
	c["exercises/ch01/ring.go.new"] = c["exercises/ch01/ring.go"]
	for _, name := range []string{"exercises/ch01/gone.go", "exercises/ch01/ring.go", "exercises/ch01/mine.go", "notes", "todo.txt"} {
		c[name] = edited()[name]
	}
	return c
}

func TestNothingIsLost(t *testing.T) {
	for _, committed := range []bool{true, false} {
		t.Run(fmt.Sprintf("committed %v", committed), func(t *testing.T) {
			dir := student(t, first(), map[bool]course{true: edited()}[committed])
			edited().write(t, dir)
			before, head := tree(t, dir), git(t, dir, "rev-parse", "HEAD")
			p := brought(t, options(dir, handout(t, second()), first()))
			assert.Equal(t, after(), without(tree(t, dir)))
			assert.Equal(t, []string{"exercises/ch01/queue.go: your code, with what the course has changed around it."}, p.Merged)
			assert.Equal(t, []string{
				"You have a file chapters/ch01/more.go, and now the course has one: the course's is there now, and yours on the branch that is named below.",
				"You have changed chapters/ch01/suite.go: the course's is there now, and yours on the branch that is named below.",
				"The course no longer has exercises/ch01/gone.go; you have written in it, so it is still there. If the chapter no longer compiles, move what you need elsewhere.",
				"You have a file exercises/ch01/ring.go, and now the course has one: yours is kept, and the course's is in ring.go.new. Take over what you need, and remove that.",
			}, p.Look)

			assert.Equal(t, head, git(t, dir, "rev-parse", "HEAD"), "it commits nothing")
			saved := t.TempDir()
			git(t, dir, "worktree", "add", "--quiet", saved, p.Backups[0])
			delete(before, "notes") // nobody has asked git to keep it, and it was not touched
			was := tree(t, saved)
			delete(was, ".git") // a file, in a work tree
			assert.Equal(t, before, was, "the branch has all that was there")

			again, err := New(t.Context(), options(dir, handout(t, second()), second()))
			require.NoError(t, err)
			assert.Empty(t, again.Steps, "the second time there is nothing to do")
		})
	}
}

func TestConflict(t *testing.T) {
	mine := strings.Replace(queue, "// Put puts.", "// Put is mine.", 1)
	dir := student(t, first(), course{"exercises/ch01/queue.go": mine})
	p := brought(t, options(dir, handout(t, second()), first()))
	now := tree(t, dir)
	assert.Equal(t, mine, now["exercises/ch01/queue.go"])
	assert.Equal(t, second()["exercises/ch01/queue.go"], now["exercises/ch01/queue.go.new"])
	assert.Equal(t, []string{"You and the course have changed the same lines of exercises/ch01/queue.go: yours is kept, and the course's is in queue.go.new. Take over what you need, and remove that."}, p.Look)
	assert.Empty(t, p.Merged)
}

// Where a function is moved, lines merge that do not compile.
func TestTwice(t *testing.T) {
	next := second()
	next["exercises/ch01/queue.go"] = queue + "\nfunc Drain() {}\n"
	dir := student(t, first(), course{"exercises/ch01/queue.go": strings.Replace(queue, "package ch01\n", "package ch01\n\nfunc Drain() {}\n", 1)})
	p := brought(t, options(dir, handout(t, next), first()))
	assert.Empty(t, p.Merged)
	assert.Len(t, p.Look, 1)
}

// A third version, of which the repository has no history in common with the second.
func TestOnceMore(t *testing.T) {
	dir := student(t, first(), nil)
	brought(t, options(dir, handout(t, second()), first()))
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "-m", "updated")
	third := second()
	third["chapters/ch01/suite.go"] = "package suite // 3\n"
	delete(third, "chapters/ch01/more.go")
	p := brought(t, options(dir, handout(t, third), second()))
	assert.Empty(t, p.Look, "what the second version gave is not the student's")
	assert.Equal(t, third, without(tree(t, dir)))
}

// A version without the pages of the book takes none away, and one with them brings its own.
func TestPages(t *testing.T) {
	before := first()
	before[Pages+"/index.html"], before[Pages+"/old.html"] = "1", "1"
	dir := student(t, before, nil)
	p := brought(t, options(dir, handout(t, second()), before))
	assert.Empty(t, p.Look)
	assert.Equal(t, "1", tree(t, dir)[Pages+"/old.html"])
	third := second()
	third[Pages+"/index.html"] = "3"
	brought(t, options(dir, handout(t, third), second()))
	assert.Equal(t, third, without(tree(t, dir)))
}

// From a repository with a common history, at a branch.
func TestClone(t *testing.T) {
	upstream := student(t, first(), nil)
	dir := filepath.Join(t.TempDir(), "clone")
	git(t, upstream, "clone", "--quiet", upstream, dir)
	edited().write(t, dir)
	git(t, upstream, "switch", "--quiet", "-c", "next")
	for name := range first() {
		require.NoError(t, os.Remove(filepath.Join(upstream, filepath.FromSlash(name))))
	}
	second().write(t, upstream)
	git(t, upstream, "add", "--all")
	git(t, upstream, "commit", "--quiet", "-m", "the second version")
	o := options(dir, upstream, first())
	o.Ref = "next"
	brought(t, o)
	assert.Equal(t, after(), without(tree(t, dir)))
}

// countdown is a context that ends when it was asked so many times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// However far an update has come when it is interrupted, it is finished by another call.
func TestInterrupted(t *testing.T) {
	from := handout(t, second())
	for done := 0; done < 8; done += sample.Of(4, 3, 1) {
		dir := student(t, first(), nil)
		edited().write(t, dir)
		p, err := New(t.Context(), options(dir, from, first()))
		require.NoError(t, err)
		require.NoError(t, p.Save(t.Context()))
		require.Error(t, p.Do(&countdown{t.Context(), done}))
		assert.NotEqual(t, after(), without(tree(t, dir)), "after %d steps it is not done", done)
		pending, err := Pending(dir)
		require.NoError(t, err)
		require.NotNil(t, pending)
		assert.Equal(t, p.Look, pending.Look)
		const since = "exercises/ch01/mine.go"
		course{since: "package ch01 // mine, and better\n"}.write(t, dir)
		require.NoError(t, pending.Save(t.Context()))
		require.Len(t, pending.Backups, 2)
		assert.Equal(t, p.Backups, pending.Backups[:1], "the first is from before the update")
		assert.Equal(t, "package ch01 // mine", git(t, dir, "show", pending.Backups[0]+":"+since))
		assert.Equal(t, "package ch01 // mine, and better", git(t, dir, "show", pending.Backups[1]+":"+since))
		edited().write(t, dir)
		require.NoError(t, pending.Do(t.Context()))
		assert.Equal(t, after(), without(tree(t, dir)), "interrupted after %d steps", done)
		pending, err = Pending(dir)
		require.NoError(t, err)
		assert.Nil(t, pending)
	}
}

// Programs are programs afterwards, from a folder and from a repository, and others are not.
func TestPrograms(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no executable bits here")
	}
	const newer, changed, became, was, same = "tools/newer", "tools/changed", "tools/became", "tools/was", "tools/same"
	before, after := first(), second()
	for _, name := range []string{changed, became, was, same} {
		before[name], after[name] = "#!/bin/sh\n", "#!/bin/sh\n"
	}
	after[newer], after[changed] = "#!/bin/sh\n", "#!/bin/sh\n# 2\n"
	program := func(dir string, names ...string) {
		for _, name := range names {
			require.NoError(t, os.Chmod(filepath.Join(dir, name), 0o755))
		}
	}
	for _, repository := range []bool{false, true} {
		t.Run(fmt.Sprintf("repository %v", repository), func(t *testing.T) {
			dir := student(t, before, nil)
			program(dir, changed, was, same)
			git(t, dir, "commit", "--quiet", "--all", "-m", "programs")
			from := handout(t, after)
			program(from, newer, changed, became, same)
			if repository {
				git(t, from, "init", "--quiet")
				git(t, from, "add", ".")
				git(t, from, "commit", "--quiet", "-m", "the second version")
			}
			p := brought(t, options(dir, from, before))
			assert.Empty(t, p.Look)
			for name, want := range map[string]bool{newer: true, changed: true, became: true, was: false, same: true, "go.mod": false} {
				info, err := os.Stat(filepath.Join(dir, name))
				require.NoError(t, err)
				assert.Equal(t, want, info.Mode()&0o100 != 0, "%s is a program", name)
			}
		})
	}
}

func TestUnusable(t *testing.T) {
	dir := student(t, first(), nil)
	other, empty := student(t, first(), nil), t.TempDir()
	inner := course{"a": ""}
	for _, tt := range []struct{ name, root, from, ref, want string }{
		{"no repository", handout(t, first()), dir, "", "is not in a repository of git, so nothing can be saved before the update; go there and run: git init && git add . && git commit -m mine"},
		{"no folder", dir, filepath.Join(empty, "none"), "", "there is no such folder; name a folder, or a URL"},
		{"no course", dir, handout(t, inner), "", "has no course: its go.mod does not begin with module gosched"},
		{"a ref of a folder", dir, handout(t, second()), "v2", "--ref is for repositories, and"},
		{"no such ref", dir, other, "v2", "v2 of " + other + " cannot be fetched: "},
		{"a flag for a ref", dir, other, "--upload-pack=x", "is no name of a branch, a tag or a commit"},
		{"itself", dir, dir, "", "is this course itself; name the new version"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := options(tt.root, tt.from, first())
			o.Ref = tt.ref
			_, err := New(t.Context(), o)
			var why Unusable
			require.ErrorAs(t, err, &why)
			assert.Contains(t, err.Error(), tt.want)
		})
	}
	assert.Equal(t, first(), tree(t, dir), "nothing was changed")
}

// listed is a course whose list of sums says how its exercises are given, as gen writes it.
func (c course) listed() course {
	var list strings.Builder
	for name, text := range c.given() {
		fmt.Fprintf(&list, "%s  %s\n", sum(text), strings.TrimPrefix(name, exercises))
	}
	c[given] = list.String()
	return c
}

// A command of another version took for given what the student never had, and so did not bring it.
// The right one makes up for that, whether the wrong update was committed or not, and also in files
// that the student has written in; what the student has removed stays removed.
func TestMakesUp(t *testing.T) {
	const removed, written, list = "exercises/ch01/predict_test.go", "exercises/ch01/queue.go", "exercises/list.go"
	before, next := first(), second()
	before[list], next[list] = "package exercises // 1\n", "package exercises // 1 and 2\n"
	next["exercises/ch02/README.md"] = page
	next["exercises/ch02/loop.go"] = "package ch02 // to write\n"
	before.listed()
	next.listed()
	for _, committed := range []bool{false, true} {
		t.Run(fmt.Sprintf("committed %v", committed), func(t *testing.T) {
			dir := student(t, before, course{written: strings.Replace(queue, `panic("put")`, `put()`, 1)})
			require.NoError(t, os.Remove(filepath.Join(dir, removed)))
			for name, text := range next { // what the wrong update did
				if !strings.HasPrefix(name, exercises) || name == given {
					course{name: text}.write(t, dir)
				}
			}
			course{list + ".new": next[list], "exercises/ch01/gone.go": "package ch01 // gone, and written in\n"}.write(t, dir)
			if committed {
				git(t, dir, "add", "--all")
				git(t, dir, "commit", "--quiet", "-m", "updated")
			}

			p := brought(t, options(dir, handout(t, next), next))
			now, want := without(tree(t, dir)), maps.Clone(next)
			delete(want, removed)
			want[written] = after()[written]
			want["exercises/ch01/gone.go"] = now["exercises/ch01/gone.go"] // it is not about that
			assert.Equal(t, want, now)
			assert.Equal(t, []string{written + ": your code, with what the course has changed around it."}, p.Merged)
			assert.Contains(t, p.News, "ch02 is new: 1 checks.")
			git(t, dir, "add", "--all")
			git(t, dir, "commit", "--quiet", "-m", "made up for")
			again, err := New(t.Context(), options(dir, handout(t, next), next))
			require.NoError(t, err)
			assert.Empty(t, again.Steps, "then there is nothing to do")
			assert.Empty(t, again.News)
		})
	}
}
