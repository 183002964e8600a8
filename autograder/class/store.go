package class

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"gosched/autograder/grade"
)

// A store is the folder of a batch. Its files are written by rename, so whoever reads them, now
// or after a crash, finds a file whole or not at all.
type store struct{ dir string }

// The folder's parts.
const (
	batchFile   = "batch.json"
	studentsDir = "students"
	resultsDir  = "results"
	evidenceDir = "evidence"
	workDir     = "work" // what is in work, to be thrown away
)

// schema names the version of the format of the folder.
const schema = "gosched/class/v1"

// A plan is what is in batch.json.
type plan struct {
	Schema     string     `json:"schema"`
	Conditions Conditions `json:"conditions"`
	Rows       []Row      `json:"roster"` // of the whole class, not only of a shard
}

// newStore makes the folder's parts, if they are not there.
func newStore(dir string) (store, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return store{}, fmt.Errorf("%s is a file; name a folder for the results of the class", dir)
	}
	for _, part := range []string{studentsDir, resultsDir, evidenceDir, workDir} {
		if err := os.MkdirAll(filepath.Join(dir, part), 0o755); err != nil {
			return store{}, fmt.Errorf("the results of a class need a folder: %w", err)
		}
	}
	return store{dir}, nil
}

// sweep removes what a batch that was killed has left behind. The folder is locked.
func (s store) sweep() error {
	err := os.RemoveAll(s.work())
	return errors.Join(err, os.Mkdir(s.work(), 0o755))
}

func (s store) work() string { return filepath.Join(s.dir, workDir) }

// plan reads batch.json.
func (s store) plan() (plan, error) {
	var p plan
	err := s.read(batchFile, &p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, fmt.Errorf("%s has no results of a class: there is no %s", s.dir, batchFile)
	case err != nil:
		return p, err
	case p.Schema != schema:
		return p, fmt.Errorf("%s is of another version: %q, not %q", filepath.Join(s.dir, batchFile), p.Schema, schema)
	}
	return p, nil
}

func (s store) writePlan(p plan) error {
	p.Schema = schema
	return s.write(batchFile, p)
}

// submission returns what is known of a student's submission. There is nothing if the roster
// has said something else since then, or if the file cannot be read.
func (s store) submission(row Row) (Submission, bool) {
	var found Submission
	if s.read(studentFile(row), &found) != nil || !found.Row.same(row) {
		return Submission{}, false
	}
	return found, true
}

func (s store) writeSubmission(found Submission) error { return s.write(studentFile(found.Row), found) }

func studentFile(row Row) string { return filepath.Join(studentsDir, row.ID()+".json") }

// result returns the result with a key, nil if there is none. A file that cannot be read is as
// good as none.
func (s store) result(key string) *grade.Report {
	var r Result
	if key == "" || s.read(resultFile(key), &r) != nil || r.Key != key || r.Report == nil {
		return nil
	}
	return r.whole()
}

// writeResult keeps a result, after its evidence: whoever finds the one can follow its links to
// the other. The evidence is what students may be shown.
func (s store) writeResult(key string, report *grade.Report) error {
	if err := report.Shown().SaveEvidence(s.evidence(key)); err != nil {
		return err
	}
	return s.write(resultFile(key), resultOf(key, report))
}

func resultFile(key string) string { return filepath.Join(resultsDir, key+".json") }

func (s store) evidence(key string) string { return filepath.Join(s.dir, evidenceDir, key) }

func (s store) read(name string, into any) error {
	name = filepath.Join(s.dir, name)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s cannot be read: %w", name, err)
	}
	return nil
}

func (s store) write(name string, value any) error {
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		return err
	}
	return s.writeText(name, append(text, '\n'))
}

// writeText writes a file so that it is there, whole, or not at all, whenever the process is
// killed. If the power fails, some may be empty: they cannot be read, and are made again.
func (s store) writeText(name string, text []byte) error {
	name = filepath.Join(s.dir, name)
	f, err := os.CreateTemp(s.work(), "")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(0o644), f.Close()) // CreateTemp makes it unreadable for others
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("a result cannot be kept: %w", err)
	}
	return nil
}
