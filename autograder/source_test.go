package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSourceOf(t *testing.T) {
	const want = "https://github.com/gopher/gosched/blob/HEAD/"
	for remote, want := range map[string]string{
		"https://github.com/gopher/gosched.git":           want,
		"https://github.com/gopher/gosched":               want,
		"https://github.com/gopher/gosched/":              want,
		"https://GitHub.com/gopher/gosched.git":           want,
		"https://gopher:secret@github.com/gopher/gosched": want,
		"git@github.com:gopher/gosched.git":               want,
		"github.com:gopher/gosched":                       want,
		"git@github.com:/gopher/gosched.git":              want,
		"ssh://git@github.com:22/gopher/gosched.git":      want,
		"git@gitlab.com:group/sub/gosched.git":            "https://gitlab.com/group/sub/gosched/-/blob/HEAD/",
		"https://bitbucket.org/gopher/gosched":            "https://bitbucket.org/gopher/gosched/src/HEAD/",

		"":                                  "",
		"/srv/git/gosched.git":              "",
		"../gosched":                        "",
		`C:\src\gosched`:                    "",
		"file:///srv/git/gosched.git":       "",
		"https://git.example.com/a/gosched": "",
		"git@localhost:a/gosched":           "",
		"https://github.com/":               "",
		"https://github.com/gopher":         "",
	} {
		assert.Equal(t, want, sourceOf(remote, ""), remote)
	}
	assert.Equal(t, want+"courses/a%20b/", sourceOf("https://github.com/gopher/gosched", "courses/a b/"))
}

// The address is that of the checkout with the course, whose folder may be one in a larger
// repository.
func TestSource(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(t.TempDir()))            // a temporary folder may be in a repository
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX"} { // those of a hook
		t.Setenv(name, "")
		require.NoError(t, os.Unsetenv(name))
	}
	a := newTestApp(t, 80)
	ctx := context.Background()
	source := func() string {
		t.Helper()
		address, err := a.source(ctx, fromOrigin)
		require.NoError(t, err)
		return address
	}
	assert.Empty(t, source(), "it is in no repository")
	run := func(args ...string) {
		t.Helper()
		_, err := a.git(ctx, args...)
		require.NoError(t, err)
	}
	run("init", "--quiet")
	assert.Empty(t, source(), "it was cloned from nowhere")
	run("remote", "add", "origin", "git@github.com:gopher/gosched.git")
	assert.Equal(t, "https://github.com/gopher/gosched/blob/HEAD/", source())
	a.root = a.path("exercises")
	assert.Equal(t, "https://github.com/gopher/gosched/blob/HEAD/exercises/", source())
}

func TestGivenSource(t *testing.T) {
	a := newTestApp(t, 80)
	for given, want := range map[string]string{"": "", "https://example.com/src": "https://example.com/src/", "http://localhost/src/": "http://localhost/src/"} {
		got, err := a.source(context.Background(), given)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, given := range []string{"github.com/gopher/gosched", "git@github.com:gopher/gosched", "https:///blob", "file:///srv/gosched", "https://%"} {
		status, _, errs := a.do("book", "--source", given, "--out", t.TempDir())
		assert.Equal(t, exitUsage, status, given)
		assert.Contains(t, errs, "--source takes the web address", given)
	}
}
