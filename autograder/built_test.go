package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The test binary is built from this course, and says so.
func TestBuiltHere(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	name, err := (&app{root: root, built: built}).otherThanBuilt()
	require.NoError(t, err)
	assert.Empty(t, name)
}

// Every command that works on the course refuses another one than it was built from, before it
// touches anything; help and play work, and the doctor says what is wrong.
func TestOtherCourse(t *testing.T) {
	const list, suite = "chapters/list.go", "chapters/ch01/suite.go"
	for _, tt := range []struct {
		what string
		here map[string]string // the course that is there
		want string            // the file that is named
	}{
		{"the same", map[string]string{list: "1\n2\n", suite: "3"}, ""},
		{"with the line ends of Windows", map[string]string{list: "1\r\n2\r\n", suite: "3"}, ""},
		{"a chapter fewer", map[string]string{list: "1\n", suite: "3"}, list},
		{"another suite", map[string]string{list: "1\n2\n", suite: "4"}, suite},
		{"no suite", map[string]string{list: "1\n2\n"}, suite},
		{"one more file", map[string]string{list: "1\n2\n", suite: "3", "chapters/ch02/suite.go": "5"}, "chapters/ch02/suite.go"},
		{"one more test", map[string]string{list: "1\n2\n", suite: "3", "chapters/list_test.go": "5"}, ""},
	} {
		t.Run(tt.what, func(t *testing.T) {
			from := t.TempDir()
			for name, text := range map[string]string{"list.go": "1\n2\n", "ch01/suite.go": "3"} {
				require.NoError(t, writeFile(filepath.Join(from, name), []byte(text)))
			}
			a := newTestApp(t, 80)
			for name, text := range tt.here {
				a.write(t, name, text)
			}
			a.built = map[string]fs.FS{"chapters": os.DirFS(from)}
			for _, name := range []string{"", "test", "watch", "hint", "diff", "reset", "book", "update", "grade", "batch", "export", "gen", "verify"} {
				cmd, _, err := a.command().Find([]string{name})
				require.NoError(t, err)
				err = cmd.Root().PersistentPreRunE(cmd, nil)
				if tt.want == "" {
					assert.NoError(t, err, name)
					continue
				}
				if assert.Error(t, err, name) {
					assert.Contains(t, err.Error(), "this command was built from another version of the course than the one in "+a.root+", where "+filepath.FromSlash(tt.want)+" is different: call the command of that course, ", name)
					assert.Contains(t, err.Error(), "; nothing was done", name)
				}
			}
			assert.Equal(t, map[bool]verdict{true: well, false: missing}[tt.want == ""], a.commandFinding().verdict)
			_, _, said := a.do("help")
			assert.Empty(t, said)
		})
	}
}

// An update that was interrupted has left files of two versions: the copy of the command that is
// to finish it may.
func TestOtherCourseInterrupted(t *testing.T) {
	a := newTestApp(t, 80)
	a.write(t, "chapters/list.go", "1")
	a.built = map[string]fs.FS{"chapters": os.DirFS(t.TempDir())}
	a.write(t, ".gosched/update/plan.json", "{}")
	cmd, _, err := a.command().Find([]string{"update"})
	require.NoError(t, err)
	assert.NoError(t, cmd.Root().PersistentPreRunE(cmd, nil))
}
