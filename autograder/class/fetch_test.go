package class

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A student's repository, made with git.
type studentRepository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T) studentRepository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here")
	}
	r := studentRepository{t, t.TempDir()}
	r.git("", "init", "--quiet", "-b", "main")
	return r
}

// git runs git in the repository, at the time when.
func (r studentRepository) git(when string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE="+when, "GIT_AUTHOR_DATE="+when)
	out, err := cmd.CombinedOutput()
	require.NoError(r.t, err, "git %q: %s", args, out)
	return strings.TrimSpace(string(out))
}

// commit writes a submission, commits everything and returns the hash.
func (r studentRepository) commit(when, text string) string {
	r.t.Helper()
	require.NoError(r.t, os.WriteFile(filepath.Join(r.dir, "submission"), []byte(text), 0o644))
	r.git(when, "add", "--all")
	r.git(when, "commit", "--quiet", "--message", "x")
	return r.git(when, "rev-parse", "HEAD")
}

// TestLate: commits after the date are graded and marked, and it is said what was there in time.
func TestLate(t *testing.T) {
	r := newRepository(t)
	first := r.commit("2026-03-01T10:00:00Z", "1")
	second := r.commit("2026-03-01T12:00:00Z", "2")
	r.git("", "tag", "handed-in")
	third := r.commit("2026-03-02T12:00:00Z", "3")
	due := func(text string) time.Time {
		at, err := time.Parse(time.RFC3339, text)
		require.NoError(t, err)
		return at
	}
	b := newBatch(t, 0)
	b.Rows = []Row{
		{Student: "late", Source: "file://" + filepath.ToSlash(r.dir), Due: due("2026-03-01T13:00:00+01:00")},
		{Student: "exactly", Source: r.dir, Ref: "handed-in", Due: due("2026-03-01T13:00:00+01:00")},
		{Student: "hash", Source: r.dir, Ref: first, Due: due("2026-03-01T13:00:00+01:00")},
		{Student: "never", Source: r.dir, Ref: "main", Due: due("2026-02-01T00:00:00Z")},
		{Student: "undated", Source: r.dir, Ref: "main"},
		{Student: "folder", Source: r.dir, Due: due("2026-02-01T00:00:00Z")},
		{Student: "no branch", Source: r.dir, Ref: "mine"},
		{Student: "no commit", Source: r.dir, Ref: strings.Repeat("a", 40)},
		{Student: "no repository", Source: t.TempDir(), Ref: "main"},
		{Student: "no folder", Source: "file:///nowhere/at/all"},
	}
	require.NoError(t, b.Run(t.Context()))
	c, table := read(t, b.Out)
	type row struct {
		status          Status
		commit, inTime  string
		late, submitted string
		message         string
	}
	got := map[string]row{}
	for _, s := range c.Students {
		got[s.Student] = row{s.Status, s.Commit, s.InTime, s.lateness(), s.Sum, s.Message}
	}
	assert.Equal(t, map[string]row{
		"late":          {Graded, third, second, "late", "3", ""},
		"exactly":       {Graded, second, "", "in time", "2", ""},
		"hash":          {Graded, first, "", "in time", "1", ""},
		"never":         {Graded, third, "", "late", "3", ""},
		"undated":       {Graded, third, "", "", "3", ""},
		"folder":        {Graded, "", "", "", "3", ""},
		"no branch":     {NoSubmission, "", "", "", "", "the repository has no branch or tag mine (a commit is named by all its digits)"},
		"no commit":     {NoSubmission, "", "", "", "", "the repository has no commit " + strings.Repeat("a", 40)},
		"no repository": {NoSubmission, "", "", "", "", "there is no repository"},
		"no folder":     {NoSubmission, "", "", "", "", "there is no repository"},
	}, got)
	assert.Contains(t, table, ",late,2026-03-01T13:00:00+01:00,"+third+",2026-03-02T12:00:00Z,"+second+",")

	t.Run("a commit is not fetched again", func(t *testing.T) {
		require.NoError(t, os.Rename(r.dir, r.dir+".gone"))
		defer os.Rename(r.dir+".gone", r.dir)
		require.NoError(t, b.Run(t.Context()))
		c, _ := read(t, b.Out)
		assert.Equal(t, []string{"hash"}, c.With(Graded))
	})
}

// TestWrite: what is graded are the bytes of the commit. Nothing in a repository is run, applied or
// followed, and nothing leads out of the folder.
func TestWrite(t *testing.T) {
	r := newRepository(t)
	ran := filepath.Join(t.TempDir(), "ran")
	files := map[string]string{
		".gitattributes": "*.lfs filter=lfs\n*.go export-subst ident\nhidden export-ignore\n*.txt text eol=crlf\n",
		"a.lfs":          "version https://git-lfs.github.com/spec/v1\n",
		"a.go":           "// $Id$ $Format:%H$\n",
		"hidden":         "x",
		"a.txt":          "one\ntwo\n",
		"empty":          "",
		"ü/ö \"x\"":      "quoted",
	}
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(r.dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o644))
	}
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(r.dir, "link")))
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, ".gitmodules"), []byte("[submodule \"s\"]\n\tpath = s\n\turl = ext::sh -c true\n"), 0o644))
	r.git("", "update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("a", 40)+",s")
	r.git("2026-03-01T10:00:00Z", "add", ".")
	r.git("2026-03-01T10:00:00Z", "commit", "--quiet", "--message", "x")
	for _, hook := range []string{"post-checkout", "post-merge", "reference-transaction", "post-index-change", "pre-auto-gc"} {
		require.NoError(t, os.WriteFile(filepath.Join(r.dir, ".git", "hooks", hook), []byte("#!/bin/sh\necho "+hook+" >>"+ran+"\n"), 0o755))
	}
	for _, setting := range []string{"uploadpack.packObjectsHook", "core.fsmonitor", "core.sshCommand", "filter.lfs.smudge", "filter.lfs.process", "core.pager"} {
		r.git("", "config", setting, "echo "+setting+" >>"+ran)
	}
	temp := t.TempDir()
	found, err := fetch(t.Context(), Row{Source: r.dir, Ref: "main"}, "", temp, "")
	require.NoError(t, err)
	for name, text := range files {
		got, err := os.ReadFile(filepath.Join(found.dir, name))
		require.NoError(t, err)
		assert.Equal(t, text, string(got), name)
	}
	to, err := os.Readlink(filepath.Join(found.dir, "link"))
	require.NoError(t, err, "a link stays a link, to be refused by whoever reads the submission")
	assert.Equal(t, "/etc/passwd", to)
	assert.NoFileExists(t, filepath.Join(found.dir, "s"))
	said, err := os.ReadFile(ran)
	assert.ErrorIs(t, err, os.ErrNotExist, "something of the student's was run: %s", said)
}

// TestForgedCommit: a commit that no git add has made does not write beside its folder.
func TestForgedCommit(t *testing.T) {
	r := newRepository(t)
	r.commit("2026-03-01T10:00:00Z", "1")
	blob, err := hex.DecodeString(r.git("", "rev-parse", "HEAD:submission"))
	require.NoError(t, err)
	forged := filepath.Join(t.TempDir(), "tree")
	require.NoError(t, os.WriteFile(forged, append([]byte("100644 ../evil\x00"), blob...), 0o644))
	tree := r.git("", "hash-object", "-t", "tree", "--literally", "-w", forged)
	r.git("", "update-ref", "refs/heads/forged", r.git("2026-03-01T10:00:00Z", "commit-tree", "-m", "x", tree))
	temp := t.TempDir()
	_, err = fetch(t.Context(), Row{Source: r.dir, Ref: "forged"}, "", temp, "")
	assert.Equal(t, Unusable(`the commit has a file with the name "../evil"`), err)
	assert.NoFileExists(t, filepath.Join(temp, "evil"))
}

// forge makes a commit with that line about who made it, and when, on a branch.
func (r studentRepository) forge(branch, who string) {
	r.t.Helper()
	text := "tree " + r.git("", "rev-parse", "HEAD^{tree}") + "\nauthor " + who + "\ncommitter " + who + "\n\nx\n"
	file := filepath.Join(r.t.TempDir(), "commit")
	require.NoError(r.t, os.WriteFile(file, []byte(text), 0o644))
	r.git("", "update-ref", "refs/heads/"+branch, r.git("", "hash-object", "-t", "commit", "--literally", "-w", file))
}

// TestForgedTime: a time that no calendar has stops neither the batch nor the table.
func TestForgedTime(t *testing.T) {
	r := newRepository(t)
	r.commit("2026-03-01T10:00:00Z", "1")
	r.forge("distant", "a <a@example.com> 99999999999999 +0000")
	r.forge("timeless", "a <a@example.com>")
	b := newBatch(t, 0)
	for _, branch := range []string{"distant", "timeless", "main"} {
		b.Rows = append(b.Rows, Row{Student: branch, Source: r.dir, Ref: branch})
	}
	require.NoError(t, b.Run(t.Context()))
	c, _ := read(t, b.Out)
	assert.Equal(t, []string{"distant", "timeless"}, c.With(NoSubmission))
	assert.Equal(t, []string{"main"}, c.With(Graded))
	for _, s := range c.Students[:2] {
		assert.Regexp(t, "^the commit [0-9a-f]{40} has a time that no calendar has$", s.Message)
	}
}

// TestForgedLink: a link that no system can have is the submission's fault.
func TestForgedLink(t *testing.T) {
	r := newRepository(t)
	for branch, to := range map[string]string{"empty": "", "long": strings.Repeat("x", 5000), "nul": "a\x00b"} {
		r.git("", "checkout", "--quiet", "--orphan", branch)
		r.commit("2026-03-01T10:00:00Z", to)
		r.git("", "update-index", "--add", "--cacheinfo", "120000,"+r.git("", "rev-parse", "HEAD:submission")+",link")
		r.git("2026-03-01T10:00:00Z", "commit", "--quiet", "--message", "x")
		_, err := fetch(t.Context(), Row{Source: r.dir, Ref: branch}, "", t.TempDir(), "")
		assert.Equal(t, Unusable(`the commit has a symbolic link with the name "link" that leads nowhere`), err, branch)
	}
}

// TestSays: what a host says may be endless, and be meant for a terminal. What is told of it is
// neither.
func TestSays(t *testing.T) {
	newRepository(t) // for its skip
	if runtime.GOOS == "windows" {
		t.Skip("an alias of git's is a script for a shell")
	}
	_, err := repository{home: t.TempDir(), dir: t.TempDir()}.git(t.Context(), "-c", `alias.say=!head -c 100000 /dev/zero | tr '\0' x >&2; printf '\033[2Jthe end' >&2; exit 1; #`, "say")
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 5000)
	assert.Contains(t, err.Error(), `xxx\x1b[2Jthe end`)
}

// TestAnothersFolder: an instructor, or a container, may not be who owns a submission.
func TestAnothersFolder(t *testing.T) {
	student := newRepository(t)
	student.commit("2026-03-01T10:00:00Z", "1")
	r := repository{home: t.TempDir(), dir: t.TempDir()}
	_, err := r.fetch(t.Context(), student.dir, Row{})
	require.NoError(t, err)
	cmd := r.command(t.Context(), "fetch", "--quiet", "--", student.dir, "HEAD")
	cmd.Env = append(cmd.Env, "GIT_TEST_ASSUME_DIFFERENT_OWNER=1") // git's own tests have this
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err, "%s", out)
}

// TestHugeCommit: a commit whose folders all have the same ten in them has ten thousand million
// files in eleven objects.
func TestHugeCommit(t *testing.T) {
	r := newRepository(t)
	r.commit("2026-03-01T10:00:00Z", "1")
	file := filepath.Join(t.TempDir(), "tree")
	mode, hash := "100644", r.git("", "rev-parse", "HEAD:submission")
	for range 10 {
		object, err := hex.DecodeString(hash)
		require.NoError(t, err)
		var tree []byte
		for name := range 10 {
			tree = append(fmt.Appendf(tree, "%s %d\x00", mode, name), object...)
		}
		require.NoError(t, os.WriteFile(file, tree, 0o644))
		mode, hash = "40000", r.git("", "hash-object", "-t", "tree", "-w", file)
	}
	r.git("", "update-ref", "refs/heads/huge", r.git("2026-03-01T10:00:00Z", "commit-tree", "-m", "x", hash))
	_, err := fetch(t.Context(), Row{Source: r.dir, Ref: "huge"}, "", t.TempDir(), "")
	assert.Equal(t, Unusable("the commit has more than 20000 files or more than 200 MB"), err)
}

// TestLongName: git knows names of any length.
func TestLongName(t *testing.T) {
	line := "100644 blob " + strings.Repeat("a", 40) + "       1\t"
	all, err := readEntries(bufio.NewReaderSize(strings.NewReader(line+strings.Repeat("x", maxPath)+"\x00"), 2*maxPath))
	require.NoError(t, err)
	assert.Len(t, all, 1)
	_, err = readEntries(bufio.NewReaderSize(strings.NewReader(line+strings.Repeat("x", 1<<20)+"\x00"), 2*maxPath))
	assert.Equal(t, Unusable("the commit has a file with a name of more than 1000 bytes"), err)
}

// TestCheckNames: a commit can be made by hand, with names that git add would refuse.
func TestCheckNames(t *testing.T) {
	for _, tt := range []struct {
		names []string
		err   string
	}{
		{[]string{"a/b", "a/c", "b"}, ""},
		{[]string{"../a"}, `the commit has a file with the name "../a"`},
		{[]string{"/a"}, `the commit has a file with the name "/a"`},
		{[]string{"a/./b"}, `the commit has a file with the name "a/./b"`},
		{[]string{"a/.GIT/config"}, `the commit has a file with the name "a/.GIT/config"`},
		{[]string{""}, `the commit has a file with the name ""`},
		{[]string{"a", "a"}, `the commit has a file with the name "a"`},
		{[]string{"a", "a/b/c"}, `the commit has a file with the name "a/b/c" below one with the name "a"`},
		{[]string{strings.Repeat("x", 256)}, `the commit has a file with the name "` + strings.Repeat("x", 100) + `"`},
	} {
		var all []entry
		for _, name := range tt.names {
			all = append(all, entry{name: name})
		}
		if err := checkNames(all); tt.err == "" {
			assert.NoError(t, err)
		} else {
			assert.Equal(t, Unusable(tt.err), err, "%q", tt.names)
		}
	}
}

// TestFetchOverHTTPS: a host that asks for a password gets none, and one that does not work is no
// fault of the student's.
func TestFetchOverHTTPS(t *testing.T) {
	newRepository(t) // for its skip
	status, asked := http.StatusUnauthorized, make(chan http.Header, 100)
	host := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Header
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(status)
	}))
	defer host.Close()
	home := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(home, ".netrc"), []byte("default login me password secret\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[http]\nsslVerify = false\n[credential]\nhelper = \"!echo password=secret; echo username=me; #\"\n"), 0o600))
	t.Setenv("HOME", home)
	fetchFrom := func(ctx context.Context) error {
		_, err := fetch(ctx, Row{Source: host.URL + "/ann/gosched.git"}, "", t.TempDir(), "")
		return err
	}
	assert.ErrorContains(t, fetchFrom(t.Context()), "certificate", "the user's settings do not count")
	assert.NotErrorAs(t, fetchFrom(t.Context()), new(Unusable))

	certificate := filepath.Join(home, "host.pem")
	writePEM(t, certificate, host)
	t.Setenv("GIT_SSL_CAINFO", certificate)
	t.Setenv("SSL_CERT_FILE", certificate)
	err := fetchFrom(t.Context())
	assert.Equal(t, Unusable("there is no repository, or it is not public"), err)
	status = http.StatusNotFound
	assert.Equal(t, Unusable("there is no repository"), fetchFrom(t.Context()))
	status = http.StatusBadGateway
	err = fetchFrom(t.Context())
	assert.ErrorContains(t, err, "502")
	assert.NotErrorAs(t, err, new(Unusable))
	for len(asked) > 0 {
		assert.Empty(t, (<-asked).Get("Authorization"), "no password is sent")
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, fetchFrom(ctx), context.Canceled)
}

// writePEM writes the certificate of a host.
func writePEM(t *testing.T, name string, host *httptest.Server) {
	t.Helper()
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: host.Certificate().Raw})
	require.NoError(t, os.WriteFile(name, text, 0o600))
}
