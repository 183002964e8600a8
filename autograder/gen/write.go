package gen

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sumsFile lists the checksum of each file as it was generated, which tells an
// edited file from one that is as gen left it.
const sumsFile = "generated.sum"

// A Change is what Write did with a file, or what Compare found.
type Change string

const (
	Created  Change = "created"
	Updated  Change = "updated"  // it was as an earlier gen had left it
	Replaced Change = "replaced" // edited, and overwritten by force; there is a backup
	Kept     Change = "kept"     // edited
	Removed  Change = "removed"  // not generated any more
	Missing  Change = "missing"  // of Compare
	Differs  Change = "differs"  // of Compare
	Extra    Change = "extra"    // of Compare: a Go file that is not generated
)

// A File is a file with its change. Unchanged files are not reported.
type File struct {
	Name   string // a slash path below the folder
	Change Change
}

// Write brings the files into dir. It creates what is missing and updates what
// is as it was generated; an edited file it keeps, or, with force, overwrites
// after a copy to the folder backup.
func Write(dir string, files map[string][]byte, force bool, backup string) ([]File, error) {
	old, err := readSums(dir)
	if err != nil {
		return nil, err
	}
	var report []File
	write := func(name string, change Change) error {
		report = append(report, File{name, change})
		return writeFile(filepath.Join(dir, filepath.FromSlash(name)), files[name])
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		current, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		switch {
		case os.IsNotExist(err):
			err = write(name, Created)
		case err != nil || bytes.Equal(current, files[name]):
		case sum(current) == old[name]:
			err = write(name, Updated)
		case !force:
			report = append(report, File{name, Kept})
		default:
			if err = writeFile(filepath.Join(backup, filepath.FromSlash(name)), current); err == nil {
				err = write(name, Replaced)
			}
		}
		if err != nil {
			return report, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if _, ok := files[name]; ok {
			continue
		}
		full := filepath.Join(dir, filepath.FromSlash(name))
		current, err := os.ReadFile(full)
		if err != nil {
			continue // it is gone already
		}
		change := Kept
		if sum(current) == old[name] {
			change = Removed
			if err := os.Remove(full); err != nil {
				return report, err
			}
		}
		report = append(report, File{name, change})
	}
	return report, writeFile(filepath.Join(dir, sumsFile), sums(files))
}

// Compare lists how dir differs from the files: nothing if it is exactly as
// generated.
func Compare(dir string, files map[string][]byte) ([]File, error) {
	want := maps.Clone(files)
	want[sumsFile] = sums(files)
	var report []File
	for _, name := range slices.Sorted(maps.Keys(want)) {
		current, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		switch {
		case os.IsNotExist(err):
			report = append(report, File{name, Missing})
		case err != nil:
			return nil, err
		case !bytes.Equal(current, want[name]):
			report = append(report, File{name, Differs})
		}
	}
	present, err := goFiles(dir)
	for _, name := range present {
		if want[name] == nil {
			report = append(report, File{name, Extra})
		}
	}
	return report, err
}

// goFiles returns the Go files below dir, as slash paths.
func goFiles(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".go" {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		names = append(names, filepath.ToSlash(rel))
		return err
	})
	if os.IsNotExist(err) {
		return nil, nil
	}
	return names, err
}

func sum(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

// sums is the text of the sums file.
func sums(files map[string][]byte) []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "%s  %s\n", sum(files[name]), name)
	}
	return b.Bytes()
}

func readSums(dir string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, sumsFile))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	m := map[string]string{}
	for _, line := range strings.Split(string(text), "\n") {
		if hash, name, ok := strings.Cut(line, "  "); ok {
			m[name] = hash
		}
	}
	return m, nil
}

func writeFile(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}
