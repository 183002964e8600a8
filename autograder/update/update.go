// Package update brings a student's repository to a new version of the course.
//
// The course's files become those of the new version. The student's stay: an exercise that the
// course has not changed is not touched, and one that both have changed is merged, or, where that
// is not possible, kept, with the new version beside it. Before anything is written, all that is
// there is saved on a branch.
//
// All is planned first, and the plan is kept in a file until it is carried out. So an update that
// was interrupted is finished by calling it again, even if the tree does not compile meanwhile: a
// copy of the command is beside the plan.
package update

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// folder has the plan and the copy of the command while an update is under way.
const folder = ".gosched/update"

// A Step is what is done with one file. Steps can be done again.
type Step struct {
	Name   string `json:"name"`             // a slash path from the root
	Text   []byte `json:"text,omitempty"`   // what the file has then
	Runs   bool   `json:"runs,omitempty"`   // it is a program, and has its executable bits
	Remove bool   `json:"remove,omitempty"` // or it is removed
}

// A Plan is an update that is to be done.
type Plan struct {
	Steps  []Step   `json:"steps"`
	News   []string `json:"news"`   // what is new, a sentence each
	Merged []string `json:"merged"` // what became of the student's files, a sentence each
	Look   []string `json:"look"`   // what the student must see to, a sentence each

	// Backups are branches with what was there: the first before the update, and if it was
	// interrupted, those after it each before it went on.
	Backups []string `json:"backups"`

	root string
}

// Options say what is updated, and to what.
type Options struct {
	Root string // of the student's repository
	From string // a folder or a URL
	Ref  string // of the repository there; "": its HEAD
	// Given are the exercises as they are given in the version that is there, by their slash paths
	// from the root.
	Given map[string][]byte
	// Functions are the names of the functions in a Go file.
	Functions func(name string, text []byte) []string
}

// Unusable is an error about the student's repository or the new version: what is wrong, and what
// to do.
type Unusable string

func (u Unusable) Error() string { return string(u) }

// Pending returns the plan of an update that was interrupted, nil if there is none.
func Pending(root string) (*Plan, error) {
	text, err := os.ReadFile(planFile(root))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	p := &Plan{root: root}
	if err == nil {
		err = json.Unmarshal(text, p)
	}
	if err != nil {
		return nil, fmt.Errorf("the plan of an update that was interrupted cannot be read: %w", err)
	}
	return p, nil
}

func planFile(root string) string {
	return filepath.Join(root, filepath.FromSlash(folder), "plan.json")
}

// New plans an update. Nothing is written but objects of git. A plan without steps has nothing to
// do.
func New(ctx context.Context, o Options) (*Plan, error) {
	repo, err := open(ctx, o.Root)
	if err != nil {
		return nil, err
	}
	version, err := repo.version(ctx, o.From, o.Ref)
	if err != nil {
		return nil, err
	}
	p := &planning{Options: o, Plan: &Plan{root: o.Root}, repo: repo, next: version.files, runs: version.runs}
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.old, err = repo.old(ctx, version); err != nil {
		return nil, err
	}
	if err := p.course(); err != nil {
		return nil, err
	}
	if err := p.missed(ctx); err != nil {
		return nil, err
	}
	if err := p.exercises(ctx); err != nil {
		return nil, err
	}
	p.news()
	return p.Plan, nil
}

// Save saves all that is there on a branch, and keeps the plan. Of an update that was interrupted
// it saves what has been done since, too.
func (p *Plan) Save(ctx context.Context) error {
	repo, err := open(ctx, p.root)
	if err != nil {
		return err
	}
	var names []string
	for _, s := range p.Steps {
		names = append(names, s.Name)
	}
	branch, err := repo.backup(ctx, names)
	if err != nil {
		return fmt.Errorf("what is there could not be saved: %w", err)
	}
	p.Backups = append(p.Backups, branch)
	dir := filepath.Join(p.root, filepath.FromSlash(folder))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return replace(planFile(p.root), text, false)
}

// KeepCommand copies the running command to where it can finish the update when the tree does not
// compile, and returns that file.
func (p *Plan) KeepCommand() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(self)
	if err != nil {
		return "", err
	}
	name := filepath.Join(filepath.FromSlash(folder), "autograder"+filepath.Ext(self))
	file := filepath.Join(p.root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	os.Remove(file) // it may be the one that runs
	return name, os.WriteFile(file, text, 0o755)
}

// Do carries the plan out. If it returns an error, the plan is pending.
func (p *Plan) Do(ctx context.Context) error {
	for _, s := range p.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		file := filepath.Join(p.root, filepath.FromSlash(s.Name))
		if s.Remove {
			if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
			removeEmpty(p.root, filepath.Dir(file))
			continue
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := replace(file, s.Text, s.Runs); err != nil {
			return err
		}
	}
	os.Remove(planFile(p.root))
	os.RemoveAll(filepath.Join(p.root, filepath.FromSlash(folder))) // but for a command that runs, on some systems
	return nil
}

// replace writes a file in one step; runs says that it is a program.
func replace(file string, text []byte, runs bool) error {
	mode := os.FileMode(0o644)
	if runs {
		mode = 0o755
	}
	temp := file + ".part"
	if err := os.Remove(temp); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err // it would keep the mode that it has
	}
	if err := os.WriteFile(temp, text, mode); err != nil {
		return err
	}
	return os.Rename(temp, file)
}

// removeEmpty removes folders that have become empty, up to the root.
func removeEmpty(root, dir string) {
	for dir != root && strings.HasPrefix(dir, root) && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}

func sum(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(plain(text))) }

// plain is a text whose lines end in the way of Unix.
func plain(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

func alike(a, b []byte) bool { return bytes.Equal(plain(a), plain(b)) }
