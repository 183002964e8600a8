package content

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// What is kept by content addresses is never wrong, but in time it is of no use: the course has
// changed, or the class is over. So whoever finds something says so, and what nobody has found for
// a month is removed.

const (
	// unused is how long what nobody finds is kept.
	unused = 30 * 24 * time.Hour

	// often is how long a use need not be noted again, and a folder not be looked at.
	often = 24 * time.Hour

	// trimmed is the file of a folder that was changed when Trim looked at it last.
	trimmed = ".trimmed"
)

// Used reports whether a file that is kept is there, and notes that it is of use. If that cannot
// be noted, it may be removed, and is made again.
func Used(name string) bool {
	info, err := os.Lstat(name)
	if err == nil && time.Since(info.ModTime()) > often {
		now := time.Now()
		_ = os.Chtimes(name, now, now)
	}
	return err == nil
}

// Trim removes the files below a folder, and the folders, that were neither written nor used for a
// month, if that was not looked at today. Any number of processes may use the folder meanwhile.
// What cannot be removed stays.
func Trim(dir string) {
	mark := filepath.Join(dir, trimmed)
	now := time.Now()
	if info, err := os.Stat(mark); err == nil && now.Sub(info.ModTime()) < often {
		return
	}
	if os.WriteFile(mark, nil, 0o644) != nil || os.Chtimes(mark, now, now) != nil {
		return // there is no such folder
	}
	var folders []string
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		info, err := d.Info()
		switch {
		case err != nil || now.Sub(info.ModTime()) < unused || name == dir:
		case d.IsDir():
			folders = append(folders, name)
		default:
			_ = os.Remove(name)
		}
		return nil
	})
	for i := len(folders) - 1; i >= 0; i-- { // those inside first
		_ = os.Remove(folders[i]) // unless there is something in it
	}
}
