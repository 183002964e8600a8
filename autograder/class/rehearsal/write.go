package rehearsal

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gosched/chapters"
)

// RosterFile is the roster in the folder of a rehearsal.
const RosterFile = "roster.csv"

// submissionsDir has a folder for each student.
const submissionsDir = "submissions"

// branch is that of the repositories.
const branch = "main"

// Write writes a class that is graded in these chapters into the folder dir, which is made if it
// is not there and must be empty: the submissions, a roster, and what is expected.
func Write(dir string, all []Student, of []chapters.Chapter) error {
	if err := empty(dir); err != nil {
		return err
	}
	roster := [][]string{{"student", "name", "source", "commit", "due"}}
	for i := range all {
		s := &all[i]
		source := path.Join(submissionsDir, s.Name)
		ref, err := s.write(filepath.Join(dir, filepath.FromSlash(source)))
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		roster = append(roster, []string{s.Name, string(s.Kind), source, ref, s.Due})
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(roster); err != nil {
		return err
	}
	var ids []string
	for _, ch := range of {
		ids = append(ids, ch.ID)
	}
	expected, err := expectedTable(all, ids)
	return errors.Join(err,
		os.WriteFile(filepath.Join(dir, RosterFile), b.Bytes(), 0o644),
		os.WriteFile(filepath.Join(dir, ExpectedFile), expected, 0o644))
}

// empty makes a folder, or sees that there is nothing in it.
func empty(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty; a rehearsal needs a folder of its own", dir)
	}
	return err
}

// write writes what a student has handed in to the folder dir, and returns what the roster has
// as the commit.
func (s *Student) write(dir string) (ref string, err error) {
	if s.Work == nil {
		return "", nil
	}
	if !s.Commits {
		return "", s.Work[0].write(dir)
	}
	r := repository{dir: dir, author: s.Name}
	if err := r.git("", "init", "--quiet", "--initial-branch="+branch, "--object-format=sha1", dir); err != nil {
		return "", err
	}
	hashes := make([]string, len(s.Work))
	for i := range s.Work {
		if err := s.Work[i].write(dir); err != nil {
			return "", err
		}
		if hashes[i], err = r.commit(fmt.Sprintf("Version %d", i+1), s.Work[i].Time); err != nil {
			return "", err
		}
	}
	if at, ok := strings.CutPrefix(s.Ref, hashOf); ok {
		i, err := strconv.Atoi(at)
		return hashes[i], err
	}
	return s.Ref, nil
}

// write writes the files of a version.
func (v *Version) write(dir string) error {
	for name, text := range v.Files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	if v.Link != nil {
		return v.Link(dir)
	}
	return nil
}

// A repository is one that a student pushes to.
type repository struct{ dir, author string }

// commit commits all files, at a time that the roster could have, and returns the hash.
func (r repository) commit(message, at string) (hash string, err error) {
	if err := r.git(at, "-C", r.dir, "add", "--all"); err != nil {
		return "", err
	}
	if err := r.git(at, "-C", r.dir, "commit", "--quiet", "--message", message); err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(r.dir, ".git", "refs", "heads", branch))
	return strings.TrimSpace(string(text)), err
}

// git runs git without the settings of whoever runs it, so that a commit is always the same.
func (r repository) git(at string, args ...string) error {
	who := func(role string) []string {
		return []string{"GIT_" + role + "_NAME=" + r.author, "GIT_" + role + "_EMAIL=" + r.author + "@example.com", "GIT_" + role + "_DATE=" + at}
	}
	cmd := exec.Command("git", append([]string{"-c", "core.autocrlf=false", "-c", "core.fileMode=false"}, args...)...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	cmd.Env = append(append(cmd.Env, who("AUTHOR")...), who("COMMITTER")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}
