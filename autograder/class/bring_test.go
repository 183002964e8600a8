package class

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What was fetched is graded without git and without the repositories as it would have been with
// them: the same commits, of the same times, late or not.
func TestBring(t *testing.T) {
	r := newRepository(t)
	first := r.commit("2026-03-01T12:00:00Z", "7")
	r.commit("2026-03-03T12:00:00Z", "8")
	url := "file://" + filepath.ToSlash(r.dir)
	due := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	base := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(base, "dan"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(base, "dan", "submission"), []byte("9"), 0o644))
	rows := []Row{
		{Student: "ann", Source: url, Ref: first, Due: due},
		{Student: "bob", Name: "Bob, \"B\"", Source: url, Due: due},
		{Student: "cy", Source: url, Ref: "none"},
		{Student: "dan", Source: "dan"},
		{Student: "eve", Source: "gone"},
	}
	graded := func(rows []Row, base string) (*Class, string) {
		b := newBatch(t, 0)
		b.Rows, b.Base = rows, base
		require.NoError(t, b.Run(t.Context()))
		return read(t, b.Out)
	}
	direct, wanted := graded(rows, base)

	out := filepath.Join(t.TempDir(), "fetched")
	told := 0
	failed, err := (&Bringing{Rows: rows, Base: base, Out: out, Progress: func(done, total int) { told++; assert.Equal(t, 5, total) }}).Run(t.Context())
	require.NoError(t, err)
	assert.Empty(t, failed)
	assert.Equal(t, 5, told)
	f, err := os.Open(filepath.Join(out, RosterFile))
	require.NoError(t, err)
	defer f.Close()
	brought, err := ReadRoster(f)
	require.NoError(t, err)
	for _, row := range brought {
		assert.False(t, row.Git() && row.Absent == "", row.Student)
	}
	assert.Equal(t, "the repository has no branch or tag none (a commit is named by all its digits)", brought[2].Absent)
	moved := filepath.Join(t.TempDir(), "elsewhere") // the grading computer has it where it likes
	require.NoError(t, os.Rename(out, moved))
	require.NoError(t, os.RemoveAll(r.dir))
	t.Setenv("PATH", "")
	after, table := graded(brought, moved)
	assert.Equal(t, wanted, table)
	for i := range direct.Students {
		assert.Equal(t, direct.Students[i].Sum, after.Students[i].Sum, direct.Students[i].Student)
	}
	left, err := filepath.Glob(filepath.Join(moved, ".*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// A source that is a folder in the folder that is moved can be moved with it; another stays where
// it is.
func TestBringFolders(t *testing.T) {
	class := t.TempDir()
	other := t.TempDir()
	for _, dir := range []string{filepath.Join(class, "submissions", "ann"), filepath.Join(other, "ben")} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
	}
	rows := []Row{{Student: "ann", Source: "submissions/ann"}, {Student: "ben", Source: filepath.Join(other, "ben")}}
	failed, err := (&Bringing{Rows: rows, Base: class, Out: class}).Run(t.Context())
	require.NoError(t, err)
	assert.Empty(t, failed)
	f, err := os.Open(filepath.Join(class, RosterFile))
	require.NoError(t, err)
	defer f.Close()
	brought, err := ReadRoster(f)
	require.NoError(t, err)
	assert.Equal(t, rows, brought)
}

// A source that fails keeps its address, and its student is named.
func TestBringFails(t *testing.T) {
	newRepository(t) // there is git
	server := httptest.NewServer(nil)
	server.Close() // nobody listens there now
	row := Row{Student: "ann", Source: "https" + strings.TrimPrefix(server.URL, "http") + "/ann"}
	out := t.TempDir()
	failed, err := (&Bringing{Rows: []Row{row}, Out: out}).Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"ann"}, failed)
	text, err := os.ReadFile(filepath.Join(out, RosterFile))
	require.NoError(t, err)
	assert.Contains(t, string(text), "ann,"+row.Source+",")
}

// The token is for GitHub, and no process has it in its arguments.
func TestToken(t *testing.T) {
	r := repository{home: t.TempDir(), token: "secret"}
	env := strings.Join(r.environment(), "\n")
	assert.Contains(t, env, "GIT_CONFIG_KEY_0=http.https://github.com/.extraHeader\n")
	assert.Contains(t, env, "GIT_CONFIG_VALUE_0=Authorization: Basic eC1hY2Nlc3MtdG9rZW46c2VjcmV0")
	cmd := r.command(t.Context(), "fetch")
	assert.NotContains(t, strings.Join(cmd.Args, " "), "secret")
	assert.NotContains(t, strings.Join(repository{}.environment(), "\n"), "GIT_CONFIG_COUNT")
}
