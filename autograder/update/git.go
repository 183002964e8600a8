package update

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A repository is the student's.
type repository struct{ root string }

// open opens the repository whose root is the course.
func open(ctx context.Context, root string) (*repository, error) {
	r := &repository{root}
	if _, err := exec.LookPath("git"); err != nil {
		return nil, Unusable("an update needs git: install it")
	}
	const first = "go there and run: git init && git add . && git commit -m mine"
	prefix, err := r.git(ctx, nil, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, Unusable("the course in " + root + " is not in a repository of git, so nothing can be saved before the update; " + first)
	}
	if prefix != "" {
		return nil, Unusable("the course is in the folder " + prefix + " of a repository; an update needs it at the root of its own")
	}
	if _, err := r.git(ctx, nil, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil {
		return nil, Unusable("the repository in " + root + " has no commit yet; " + first)
	}
	return r, nil
}

// git runs git in the repository, with more in its environment, and returns what it prints.
func (r *repository) git(ctx context.Context, env []string, args ...string) (string, error) {
	out, err := r.run(ctx, env, nil, args...)
	return strings.TrimSpace(string(out)), err
}

func (r *repository) run(ctx context.Context, env []string, in io.Reader, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.root, append(os.Environ(), env...), in
	for _, e := range env {
		if dir, ok := strings.CutPrefix(e, "GIT_WORK_TREE="); ok {
			cmd.Dir = dir
		}
	}
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
		err = fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(exit.Stderr)))
	}
	return out, err
}

// A version is a version of the course.
type version struct {
	commit string // "" if it comes from a folder that is no repository
	files  map[string][]byte
	runs   map[string]bool // the files that are programs
}

// version reads the new version, into the objects of this repository.
func (r *repository) version(ctx context.Context, from, ref string) (*version, error) {
	v := new(version)
	tree := ""
	source := from
	if !strings.Contains(from, "://") {
		info, err := os.Stat(from)
		if err != nil || !info.IsDir() {
			return nil, Unusable(fmt.Sprintf("--from %s: there is no such folder; name a folder, or a URL such as https://…", from))
		}
		if own, err := os.Stat(r.root); err == nil && os.SameFile(own, info) {
			return nil, Unusable(fmt.Sprintf("--from %s is this course itself; name the new version", from))
		}
		if source, err = filepath.Abs(from); err != nil {
			return nil, err
		}
	}
	if strings.HasPrefix(ref, "-") {
		return nil, Unusable(fmt.Sprintf("--ref %s is no name of a branch, a tag or a commit", ref))
	}
	if source != from || filepath.IsAbs(source) {
		if _, err := os.Stat(filepath.Join(source, ".git")); err != nil {
			if ref != "" {
				return nil, Unusable(fmt.Sprintf("--ref is for repositories, and %s is a folder without one", from))
			}
			if tree, err = r.treeOf(ctx, source); err != nil {
				return nil, err
			}
		}
	}
	if tree == "" {
		if ref == "" {
			ref = "HEAD"
		}
		if _, err := r.git(ctx, nil, "fetch", "--quiet", "--no-tags", "--", source, ref); err != nil {
			return nil, Unusable(fmt.Sprintf("%s of %s cannot be fetched: %v", ref, from, err))
		}
		var err error
		if v.commit, err = r.git(ctx, nil, "rev-parse", "FETCH_HEAD^{commit}"); err != nil {
			return nil, err
		}
		tree = v.commit
	}
	var err error
	v.files, v.runs, err = r.files(ctx, tree)
	return v, err
}

// treeOf makes a tree of a folder, and returns its name.
func (r *repository) treeOf(ctx context.Context, dir string) (string, error) {
	gitDir, err := r.git(ctx, nil, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return "", err
	}
	return r.withIndex(func(index string) (string, error) {
		env := []string{"GIT_DIR=" + gitDir, "GIT_WORK_TREE=" + dir, "GIT_INDEX_FILE=" + index}
		if _, err := r.git(ctx, env, "add", "--all", "."); err != nil {
			return "", err
		}
		return r.git(ctx, env, "write-tree")
	})
}

// withIndex gives an empty index, so that the student's is not touched.
func (r *repository) withIndex(use func(index string) (string, error)) (string, error) {
	dir, err := os.MkdirTemp("", "gosched-update-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	return use(filepath.Join(dir, "index"))
}

// files reads the files of a commit or a tree, and which of them are programs.
func (r *repository) files(ctx context.Context, tree string) (files map[string][]byte, runs map[string]bool, err error) {
	text, err := r.run(ctx, nil, nil, "archive", "--format=tar", tree)
	if err != nil {
		return nil, nil, err
	}
	files, runs = map[string][]byte{}, map[string]bool{}
	for archive := tar.NewReader(bytes.NewReader(text)); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return files, runs, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if !filepath.IsLocal(filepath.FromSlash(h.Name)) || slices.Contains(strings.Split(strings.ToLower(h.Name), "/"), ".git") {
			return nil, nil, Unusable(fmt.Sprintf("the new version has a file with the name %q, which no course has", h.Name))
		}
		name := path.Clean(h.Name)
		if files[name], err = io.ReadAll(archive); err != nil {
			return nil, nil, err
		}
		if h.Mode&0o100 != 0 {
			runs[name] = true
		}
	}
}

// old returns the course's files of the version that is there, as they were: those of the last
// commit that it has in common with the new one, else of the first of all.
func (r *repository) old(ctx context.Context, v *version) (map[string][]byte, error) {
	if v.commit != "" {
		if base, err := r.git(ctx, nil, "merge-base", "HEAD", v.commit); err == nil {
			files, _, err := r.files(ctx, base)
			return files, err
		}
	}
	roots, err := r.git(ctx, nil, "rev-list", "--max-parents=0", "--first-parent", "HEAD")
	if err != nil {
		return nil, err
	}
	files, _, err := r.files(ctx, strings.Fields(roots)[0])
	return files, err
}

// backup saves all that git does not ignore, and the named files, on a new branch, and returns its
// name.
func (r *repository) backup(ctx context.Context, names []string) (branch string, err error) {
	names = slices.DeleteFunc(names, func(name string) bool {
		_, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(name)))
		return err != nil
	})
	tree, err := r.withIndex(func(index string) (string, error) {
		env := []string{"GIT_INDEX_FILE=" + index}
		if _, err := r.git(ctx, env, "add", "--all", "."); err != nil {
			return "", err
		}
		if len(names) > 0 {
			in := strings.NewReader(strings.Join(names, "\x00"))
			if _, err := r.run(ctx, env, in, "--literal-pathspecs", "add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"); err != nil {
				return "", err
			}
		}
		return r.git(ctx, env, "write-tree")
	})
	if err != nil {
		return "", err
	}
	commit, err := r.git(ctx, nil, "rev-parse", "HEAD")
	if err != nil {
		return "", err
	}
	if head, err := r.git(ctx, nil, "rev-parse", "HEAD^{tree}"); err != nil || head != tree {
		if commit, err = r.git(ctx, r.identity(ctx), "commit-tree", tree, "-p", "HEAD", "-m", "Before the update of the course"); err != nil {
			return "", err
		}
	}
	for n := 1; ; n++ {
		branch = fmt.Sprintf("before-update-%d", n)
		if _, err := r.git(ctx, nil, "rev-parse", "--verify", "--quiet", "refs/heads/"+branch); err != nil {
			_, err = r.git(ctx, nil, "branch", "--no-track", branch, commit)
			return branch, err
		}
	}
}

// identity is who commits, for git where it has not been told.
func (r *repository) identity(ctx context.Context) []string {
	if _, err := r.git(ctx, nil, "var", "GIT_COMMITTER_IDENT"); err == nil {
		return nil
	}
	var env []string
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		env = append(env, "GIT_"+who+"_NAME=autograder update", "GIT_"+who+"_EMAIL=update@localhost")
	}
	return env
}

// merge merges what was made of base twice; ok is false if both have changed the same lines.
func (r *repository) merge(ctx context.Context, mine, base, theirs []byte) (merged []byte, ok bool, err error) {
	dir, err := os.MkdirTemp("", "gosched-merge-")
	if err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string][]byte{"mine": mine, "base": base, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), plain(text), 0o644); err != nil {
			return nil, false, err
		}
	}
	out, err := r.run(ctx, nil, nil, "merge-file", "-p", filepath.Join(dir, "mine"), filepath.Join(dir, "base"), filepath.Join(dir, "theirs"))
	exit, ended := errors.AsType[*exec.ExitError](err)
	if ended && exit.ExitCode() > 0 && exit.ExitCode() < 128 { // so many conflicts
		return nil, false, nil
	}
	return out, err == nil, err
}
