package class

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"gosched/autograder/grade"
)

// What a student may push has no limit; what is fetched of it has.
const (
	fetchTime    = 3 * time.Minute
	fetchBytes   = 1 << 30 // of a file that git writes; where there is no ulimit, the time bounds it
	treeEntries  = 20_000
	treeBytes    = 200 << 20
	maxPath      = 1000 // bytes
	historyDepth = 1000 // commits that are looked at for the last one in time
)

// An Unusable is an error that says why there is nothing to be graded at a student's source. A Sum
// may return it.
type Unusable string

func (u Unusable) Error() string { return string(u) }

// A fetched is what was found at a source.
type fetched struct {
	dir    string
	commit string    // "" for a folder
	time   time.Time // of the commit
	inTime string    // if that is late, the last commit before
}

// fetch makes the submission of a row available in a folder. A source that is a folder is taken
// where it is, from base if it is relative; a commit is written to the folder temp, which is
// empty. The error is an Unusable if nothing is there to be graded. token is that of a Bringing.
func fetch(ctx context.Context, row Row, base, temp, token string) (fetched, error) {
	source := row.Source
	if row.Absent != "" {
		return fetched{}, Unusable(row.Absent)
	}
	if !strings.Contains(source, "://") {
		if !filepath.IsAbs(source) {
			source = filepath.Join(base, source)
		}
		if info, err := os.Stat(source); errors.Is(err, fs.ErrNotExist) {
			return fetched{}, Unusable("there is no folder " + row.Source)
		} else if err != nil {
			return fetched{}, err
		} else if !info.IsDir() {
			return fetched{}, Unusable(row.Source + " is not a folder")
		}
	}
	if !row.Git() {
		found := fetched{dir: source}
		if !row.Committed.IsZero() {
			found.commit, found.time, found.inTime = row.Ref, row.Committed, row.InTime
		}
		return found, nil
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	r := repository{home: filepath.Join(temp, "home"), dir: filepath.Join(temp, "git"), token: token}
	found, err := r.fetch(ctx, source, row)
	if err == nil {
		found.dir = filepath.Join(temp, "tree")
		err = r.write(ctx, found.commit, found.dir)
	}
	if err != nil && ctx.Err() == context.DeadlineExceeded {
		err = fmt.Errorf("fetching %s took longer than %v", row.Source, fetchTime)
	}
	return found, err
}

// A repository is one of our own, empty before, into which a commit is fetched. Git never runs
// in a student's repository, whose configuration could name programs.
type repository struct{ home, dir, token string }

// fetch fetches what a row names, and finds out when it was made.
func (r repository) fetch(ctx context.Context, source string, row Row) (found fetched, err error) {
	if _, err := exec.LookPath("git"); err != nil {
		return found, fmt.Errorf("repositories are fetched with git: %w", err)
	}
	for _, dir := range []string{r.home, r.dir} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return found, err
		}
	}
	if err := os.WriteFile(r.configuration(), []byte(anyonesFolder), 0o644); err != nil {
		return found, err
	}
	if _, err := r.git(ctx, "init", "--quiet", "--bare", "--template=", "."); err != nil {
		return found, err
	}
	ref := row.Ref
	if ref == "" {
		ref = "HEAD"
	}
	if err := r.get(ctx, source, ref, 1); err != nil {
		return found, err
	}
	shown, err := r.git(ctx, "log", "-1", "--format=%H %ct", "FETCH_HEAD")
	if err != nil {
		return found, Unusable(fmt.Sprintf("%s is not a commit", ref))
	}
	hash, seconds, _ := strings.Cut(strings.TrimSpace(shown), " ")
	at, err := strconv.ParseInt(seconds, 10, 64) // there may be none, or any number
	found.commit, found.time = hash, time.Unix(at, 0).UTC()
	if year := found.time.Year(); err != nil || year < 1 || year > 9999 {
		return found, Unusable(fmt.Sprintf("the commit %s has a time that no calendar has", hash))
	}
	if row.Due.IsZero() || !found.time.After(row.Due) {
		return found, nil
	}
	if err := r.get(ctx, source, ref, historyDepth, "--filter=blob:none"); err != nil {
		return found, err
	}
	before, err := r.git(ctx, "log", "-1", "--format=%H", fmt.Sprintf("--until=%d", row.Due.Unix()), hash)
	found.inTime = strings.TrimSpace(before)
	return found, err
}

// get fetches so many commits from ref backwards.
func (r repository) get(ctx context.Context, source, ref string, depth int, flags ...string) error {
	args := slices.Concat([]string{"fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-commit-graph", "--depth=" + strconv.Itoa(depth)}, flags, []string{"--", source, ref})
	_, err := r.git(ctx, args...)
	if gitError, ok := errors.AsType[*gitError](err); ok && ctx.Err() == nil {
		return gitError.ofFetch(ref)
	}
	return err
}

// A gitError is what git said before it gave up.
type gitError struct{ said string }

func (e *gitError) Error() string { return e.said }

// absent is what git says of a source at which the fault is not the network's, and what that
// means. A public host says of a repository that is not there that one must log in.
var absent = []struct{ said, means string }{
	{"couldn't find remote ref", "the repository has no branch or tag %s (a commit is named by all its digits)"},
	{"not our ref", "the repository has no commit %s"},
	{"does not appear to be a git repository", "there is no repository"},
	{"' not found", "there is no repository"},
	{"could not read Username", "there is no repository, or it is not public"},
	{"terminal prompts disabled", "there is no repository, or it is not public"},
}

// ofFetch tells a source that has nothing from a network that fails.
func (e *gitError) ofFetch(ref string) error {
	for _, a := range absent {
		if strings.Contains(e.said, a.said) {
			return Unusable(strings.Replace(a.means, "%s", ref, 1))
		}
	}
	return e
}

// anyonesFolder is git's configuration. A folder with a submission may belong to another user, as it
// does in a container. When git serves a repository, it runs nothing that is configured there.
const anyonesFolder = "[safe]\n\tdirectory = *\n"

func (r repository) configuration() string { return filepath.Join(r.home, "gitconfig") }

// environment is that of git. It has nothing of the user's but the way to programs and through a
// proxy: no credentials but the token, no configuration, no hooks, nobody to ask.
func (r repository) environment() []string {
	env := []string{
		"HOME=" + r.home, "XDG_CONFIG_HOME=" + r.home, // no .netrc, either
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + r.configuration(), "GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_ALLOW_PROTOCOL=https:file",
		"GIT_LFS_SKIP_SMUDGE=1", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_PROTOCOL=version=2", "LC_ALL=C",
	}
	if r.token != "" {
		login := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + r.token))
		env = append(env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.https://github.com/.extraHeader", "GIT_CONFIG_VALUE_0=Authorization: Basic "+login)
	}
	for _, name := range []string{"PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// command is git in the repository.
func (r repository) command(ctx context.Context, args ...string) *exec.Cmd {
	args = append([]string{"git", "-c", "core.hooksPath=" + os.DevNull, "-c", "credential.helper=", "-c", "protocol.version=2", "-c", "gc.auto=0", "-c", "maintenance.auto=false"}, args...)
	if runtime.GOOS != "windows" { // there is no shell there that we could count on
		args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -f %d; exec "$@"`, fetchBytes/512), "sh"}, args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = r.dir, r.environment()
	cmd.WaitDelay = time.Second // for what git has started, and still holds its output
	return cmd
}

// git runs git in the repository and returns what it prints.
func (r repository) git(ctx context.Context, args ...string) (string, error) {
	cmd := r.command(ctx, args...)
	var out bytes.Buffer
	var said ending
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if _, ended := errors.AsType[*exec.ExitError](err); ended {
		return "", &gitError{"git " + args[0] + ": " + strings.TrimSpace(grade.Printable(string(said.text), 4*maxSaid))}
	}
	return out.String(), err
}

// maxSaid is how many bytes are kept of what git says. A host can have it say things for ever.
const maxSaid = 4096

// An ending keeps the last part of what is written to it.
type ending struct{ text []byte }

func (e *ending) Write(p []byte) (int, error) {
	e.text = append(e.text, p...)
	if over := len(e.text) - maxSaid; over > 0 {
		e.text = append(e.text[:0], e.text[over:]...)
	}
	return len(p), nil
}

// An entry is a file of a commit.
type entry struct {
	mode, hash, name string // mode: "100644", "100755", "120000" for a symbolic link
	size             int64
}

// entries lists the files of a commit. What is neither a file nor a link, a submodule, is left out.
// A commit of a few folders can have more files than there are atoms, so no more is read than is
// possible.
func (r repository) entries(ctx context.Context, commit string) ([]entry, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := r.command(ctx, "ls-tree", "-r", "-z", "-l", "--full-tree", commit)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	all, err := readEntries(bufio.NewReaderSize(out, 2*maxPath))
	if err != nil {
		cancel()
		_ = cmd.Wait() // it was told to end
		return nil, err
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("git ls-tree: %w", err)
	}
	return all, checkNames(all)
}

// readEntries reads what git ls-tree prints.
func readEntries(listed *bufio.Reader) ([]entry, error) {
	var all []entry
	total := int64(0)
	for {
		line, err := listed.ReadSlice(0)
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, Unusable(fmt.Sprintf("the commit has a file with a name of more than %d bytes", maxPath))
		case err != nil:
			return nil, err
		}
		about, name, _ := strings.Cut(strings.TrimSuffix(string(line), "\x00"), "\t")
		fields := strings.Fields(about) // mode, type, hash, size
		if len(fields) != 4 || fields[1] != "blob" {
			continue
		}
		size, err := strconv.ParseInt(fields[3], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("git ls-tree: %w", err)
		}
		all, total = append(all, entry{fields[0], fields[2], name, size}), total+size
		if len(all) > treeEntries || total > treeBytes {
			return nil, Unusable(fmt.Sprintf("the commit has more than %d files or more than %d MB", treeEntries, treeBytes>>20))
		}
	}
}

// checkNames refuses a commit that was not made by git add: one with names that are no paths, or
// with a file below another.
func checkNames(all []entry) error {
	names := map[string]bool{}
	for _, e := range all {
		local := fs.ValidPath(e.name) && filepath.IsLocal(filepath.FromSlash(e.name)) && len(e.name) <= maxPath
		for part := range strings.SplitSeq(e.name, "/") {
			local = local && !strings.EqualFold(part, ".git") && len(part) <= 255
		}
		if !local || names[e.name] {
			return Unusable(fmt.Sprintf("the commit has a file with the name %.100q", e.name))
		}
		names[e.name] = true
	}
	for name := range names {
		for above := path.Dir(name); above != "."; above = path.Dir(above) {
			if names[above] {
				return Unusable(fmt.Sprintf("the commit has a file with the name %.100q below one with the name %.100q", name, above))
			}
		}
	}
	return nil
}

// write writes the files of a commit to dir, byte by byte as they are in it: no filter, no
// substitution and no line ending is applied. Links become links, which nobody follows here.
func (r repository) write(ctx context.Context, commit, dir string) error {
	all, err := r.entries(ctx, commit)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir) // so that no name and no link leads out of it
	if err != nil {
		return err
	}
	defer root.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := r.command(ctx, "cat-file", "--batch")
	var names bytes.Buffer
	for _, e := range all {
		fmt.Fprintln(&names, e.hash)
	}
	cmd.Stdin = &names
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	blobs := bufio.NewReader(out)
	for _, e := range all {
		if err = e.write(root, blobs); err != nil {
			break
		}
	}
	cancel()
	_ = cmd.Wait() // it was told to end; whether everything came is known
	return err
}

// write writes one file, whose contents come next from git.
func (e entry) write(root *os.Root, blobs *bufio.Reader) error {
	head, err := blobs.ReadString('\n')
	if err != nil || head != fmt.Sprintf("%s blob %d\n", e.hash, e.size) {
		return fmt.Errorf("git cat-file: %q is not the file %s: %w", head, e.name, errors.Join(err, io.ErrUnexpectedEOF))
	}
	text, err := io.ReadAll(io.LimitReader(blobs, e.size+1)) // and a newline
	if err != nil || int64(len(text)) != e.size+1 {
		return fmt.Errorf("git cat-file: %s is not whole: %w", e.name, errors.Join(err, io.ErrUnexpectedEOF))
	}
	name := filepath.FromSlash(e.name)
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(e.name)), 0o755); err != nil {
		return err
	}
	if text = text[:e.size]; e.mode == "120000" {
		if len(text) == 0 || len(text) > maxPath || bytes.IndexByte(text, 0) >= 0 { // no system has such a link
			return Unusable(fmt.Sprintf("the commit has a symbolic link with the name %.100q that leads nowhere", e.name))
		}
		return root.Symlink(string(text), name)
	}
	return writeNew(root, name, text)
}

func writeNew(root *os.Root, name string, text []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
