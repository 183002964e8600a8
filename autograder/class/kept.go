package class

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gosched/autograder/grade"
)

// A Kept is a folder of results of submissions that were graded one by one, each under the key of
// its conditions, as in the folder of a batch. Any number of processes may use it at once.
type Kept struct{ store store }

// maxKept is how many results there are; those that were made first are thrown away.
const maxKept = 200

// OpenKept opens the folder, which is made if it is not there.
func OpenKept(dir string) (Kept, error) {
	s, err := newStore(dir)
	return Kept{s}, err
}

// Result returns the report with this key, and when it was made; nil if there is none. What
// Report.Complete adds is missing.
func (k Kept) Result(key string) (*grade.Report, time.Time) {
	info, err := os.Stat(filepath.Join(k.store.dir, resultFile(key)))
	if err != nil {
		return nil, time.Time{}
	}
	return k.store.result(key), info.ModTime()
}

// Keep keeps a report, unless the course itself failed in a check.
func (k Kept) Keep(key string, report *grade.Report) error {
	if brokenCheck(report) != nil {
		return nil
	}
	if err := k.store.writeResult(key, report); err != nil {
		return err
	}
	k.prune(resultsDir, func(name string) { _ = os.RemoveAll(k.store.evidence(name[:len(name)-len(".json")])) })
	return nil
}

// Note reads what was noted under a name, a content address, and reports whether there is
// anything.
func (k Kept) Note(name string, into any) bool { return k.store.read(noteFile(name), into) == nil }

// Take notes something, so that it need not be found out again.
func (k Kept) Take(name string, note any) error {
	err := k.store.write(noteFile(name), note)
	k.prune(studentsDir, func(string) {})
	return err
}

// noteFile is in the folder that has, in that of a batch, what was found at students' sources.
func noteFile(name string) string { return filepath.Join(studentsDir, name+".json") }

// prune removes the oldest files of a part of the folder if there are more than maxKept. What
// another process removes meanwhile is gone all the same.
func (k Kept) prune(part string, removed func(name string)) {
	dir := filepath.Join(k.store.dir, part)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= maxKept {
		return
	}
	made := map[string]time.Time{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			made[e.Name()] = info.ModTime()
		}
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int {
		return cmp.Or(made[a.Name()].Compare(made[b.Name()]), cmp.Compare(a.Name(), b.Name()))
	})
	for _, e := range entries[:len(entries)-maxKept] {
		if os.Remove(filepath.Join(dir, e.Name())) == nil {
			removed(e.Name())
		}
	}
}
