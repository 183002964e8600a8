package class

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// lockFile is held while a batch works in the folder. The system gives it back when the process
// ends, however it ends, so what the file says counts only as long as it is held.
const lockFile = "lock"

// lock takes the folder for this process. The error says who has it.
func (s store) lock() (unlock func(), err error) {
	name := filepath.Join(s.dir, lockFile)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	switch locked, err := tryLock(f); {
	case err != nil:
		f.Close()
		return nil, fmt.Errorf("%s cannot be locked, so that nobody else works in it; take a folder on another disk: %w", s.dir, err)
	case !locked:
		f.Close()
		return nil, fmt.Errorf("%s is in use by %s; wait for it, or take another folder", s.dir, holder(name))
	}
	host, err := os.Hostname()
	if err != nil {
		host = "this computer"
	}
	// In a file of its own, since on Windows nobody else can read one that is locked.
	if err := os.WriteFile(name+".txt", fmt.Appendf(nil, "process %d on %s\n", os.Getpid(), host), 0o644); err != nil {
		f.Close()
		return nil, err
	}
	return func() {
		os.Remove(name + ".txt")
		f.Close()
	}, nil
}

// openStore is newStore for whoever writes: nobody else does before unlock.
func openStore(dir string) (s store, unlock func(), err error) {
	if s, err = newStore(dir); err != nil {
		return s, nil, err
	}
	unlock, err = s.lock()
	return s, unlock, err
}

// holder says who has locked a file.
func holder(name string) string {
	text, _ := os.ReadFile(name + ".txt")
	return cmp.Or(strings.TrimSpace(string(text)), "another process")
}
