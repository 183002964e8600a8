// Package content gives files an address by what is in them, so that a result can be kept by all
// that it depends on.
//
// To read everything takes longer than to look a result up. So the address of files that have not
// changed since it was last found out can be kept, too, by their state: what the system says of
// them without their being read.
package content

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Files are some files below a folder.
type Files struct {
	Root  string   // the folder
	Names []string // of files, and of folders with all that is in them, as slash paths from Root

	// Leave, if not nil, says of a slash path from Root what is not one of the files: a file, or
	// a folder with all that is in it.
	Leave func(name string, folder bool) bool
}

// digits are how long a sum is, in hexadecimal.
const digits = 32

// Sum is the address of the files by their names and by what is in them. Where Root is does not
// matter.
func (f Files) Sum() (string, error) {
	h := sha256.New()
	err := f.each(func(name, file string, _ fs.DirEntry) error {
		text, err := os.ReadFile(file)
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		_, _ = h.Write(text)
		return err
	})
	return sum(h), err
}

func sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil))[:digits] }

// Of is the address of texts.
func Of(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(h, "%d\n", len(text))
		_, _ = io.WriteString(h, text)
	}
	return sum(h)
}

// each calls a function with each file, in the order of names.
func (f Files) each(do func(name, file string, d fs.DirEntry) error) error {
	for _, top := range f.Names {
		err := filepath.WalkDir(filepath.Join(f.Root, filepath.FromSlash(top)), func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(f.Root, file)
			if err != nil {
				return err
			}
			name := filepath.ToSlash(rel)
			switch {
			case name != top && f.Leave != nil && f.Leave(name, d.IsDir()):
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			case d.IsDir():
				return nil
			}
			return do(name, file, d)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Settles is how long ago the last change of a file must have been for its state to tell of the
// next one: clocks of file systems tick as slowly as every two seconds. Tests change it.
var Settles = 3 * time.Second

// maxState is how many files can have a state: ten times as many as the course has.
const maxState = 20_000

// An errUnsettled says why files have no state.
var errUnsettled = errors.New("a change of the files might not be seen")

// State is an address of the files by what the system says of them: as long as it is the same,
// so are they. The names, sizes, times and numbers of all are in it, and the time of the last
// change is one that no program can set. The error says that there is none: a file was changed
// just now or is a link, there are very many, the system has no such time, or a file cannot be
// looked at.
func (f Files) State() (string, error) {
	now, left := time.Now(), maxState
	h := sha256.New()
	err := f.each(func(name, _ string, d fs.DirEntry) error {
		if left--; left < 0 {
			return errUnsettled
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		changed, number, ok := lastChange(info)
		if !ok || !info.Mode().IsRegular() || now.Sub(changed) < Settles || now.Sub(info.ModTime()) < Settles {
			return errUnsettled
		}
		fmt.Fprintf(h, "%s %v %d %d %d %s\n", name, info.Mode(), info.Size(), info.ModTime().UnixNano(), changed.UnixNano(), number)
		return nil
	})
	if err != nil {
		return "", err
	}
	return sum(h), nil
}

// KeptSum is Sum, from the folder dir if it was found out for the files in this state before. The
// folder has nothing else.
func (f Files) KeptSum(dir string) (string, error) {
	state, err := f.State()
	if err != nil {
		return f.Sum()
	}
	name := filepath.Join(dir, state)
	if text, err := os.ReadFile(name); err == nil && len(text) == digits && Used(name) {
		return string(text), nil
	}
	found, err := f.Sum()
	if again, stateErr := f.State(); err == nil && stateErr == nil && again == state { // nobody has changed them meanwhile
		keep(name, found)
		Trim(dir)
	}
	return found, err
}

// keep writes a small file, whole. If it cannot, the sum is found out once more the next time.
func keep(name, text string) {
	if os.MkdirAll(filepath.Dir(name), 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".")
	if err != nil {
		return
	}
	_, err = f.WriteString(text)
	if errors.Join(err, f.Close()) != nil || os.Rename(f.Name(), name) != nil {
		_ = os.Remove(f.Name())
	}
}
