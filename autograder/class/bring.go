package class

import (
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"sync"
)

// A Bringing fetches the submissions of a class to a folder, on a computer with a network, so that
// they can be graded on one that has none. Zero values of its optional fields are fine.
type Bringing struct {
	Rows    []Row  // the class, in the order of the roster
	Base    string // the folder from which the sources in Rows are
	Out     string // the folder for the submissions; it is made if it is not there
	Token   string // with which repositories at https://github.com are read; "": they are public
	Workers int    // how many are fetched at once; 0: twice as many as there are CPUs

	// Progress, if not nil, is told of each student who is through, by one goroutine at a time.
	Progress func(done, total int)
}

// RosterFile is the name of the roster in the folder of a Bringing.
const RosterFile = "roster.csv"

// sourcesDir has the submissions there.
const sourcesDir = "sources"

// attempts is how often a source is tried that cannot be fetched.
const attempts = 3

// Run fetches what the rows name by an address or a commit, and writes a roster that names the
// folders in its place, with the commits and when they were made. Sources that are folders are
// named where they are, and from Out if they are in it. It returns the students whose submission
// could not be fetched for a reason that is not theirs; these keep their source, and a batch without
// a network says so.
func (b *Bringing) Run(ctx context.Context) (failed []string, err error) {
	base, err := filepath.Abs(b.Base)
	if err != nil {
		return nil, err
	}
	out, err := filepath.Abs(b.Out)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(out, sourcesDir), 0o755); err != nil {
		return nil, err
	}
	rows, bad := make([]Row, len(b.Rows)), make([]bool, len(b.Rows))
	var mu sync.Mutex
	done := 0
	next := make(chan int)
	var pool sync.WaitGroup
	for range max(1, b.workers()) {
		pool.Go(func() {
			for i := range next {
				row, err := b.row(ctx, b.Rows[i], base, out)
				rows[i], bad[i] = row, err != nil
				mu.Lock()
				if done++; b.Progress != nil {
					b.Progress(done, len(rows))
				}
				mu.Unlock()
			}
		})
	}
	for i := range rows {
		next <- i
	}
	close(next)
	pool.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for i := range rows {
		if bad[i] {
			failed = append(failed, rows[i].Student)
		}
	}
	return failed, writeRoster(filepath.Join(out, RosterFile), rows)
}

func (b *Bringing) workers() int {
	if b.Workers > 0 {
		return b.Workers
	}
	return 2 * runtime.GOMAXPROCS(0)
}

// row fetches one submission, and returns what the new roster says of it.
func (b *Bringing) row(ctx context.Context, row Row, base, out string) (Row, error) {
	if !row.Git() {
		if why, ok := errors.AsType[Unusable](there(ctx, row, base)); ok {
			row.Absent = string(why)
			return row, nil
		}
		if !filepath.IsAbs(row.Source) {
			row.Source = filepath.Join(base, row.Source)
		}
		if within, err := filepath.Rel(out, row.Source); err == nil && filepath.IsLocal(within) {
			row.Source = filepath.ToSlash(within) // it moves with the new roster
		}
		return row, nil
	}
	var err error
	for range attempts {
		var now Row
		if now, err = b.fetch(ctx, row, base, out); err == nil || ctx.Err() != nil {
			return now, err
		}
	}
	return row, err
}

// there says what is wrong with a source that is a folder.
func there(ctx context.Context, row Row, base string) error {
	_, err := fetch(ctx, row, base, "", "")
	return err
}

// fetch fetches the files of a commit to the student's folder, whole or not at all.
func (b *Bringing) fetch(ctx context.Context, row Row, base, out string) (Row, error) {
	temp, err := os.MkdirTemp(out, ".fetch-")
	if err != nil {
		return row, err
	}
	defer os.RemoveAll(temp)
	found, err := fetch(ctx, row, base, temp, b.Token)
	if why, ok := errors.AsType[Unusable](err); ok {
		row.Absent = string(why)
		return row, nil
	}
	if err != nil {
		return row, err
	}
	folder := path.Join(sourcesDir, row.ID())
	to := filepath.Join(out, filepath.FromSlash(folder))
	if err := errors.Join(os.RemoveAll(to), os.Rename(found.dir, to)); err != nil {
		return row, err
	}
	row.Source, row.Ref, row.Committed, row.InTime = folder, found.commit, found.time, found.inTime
	return row, nil
}

// writeRoster writes rows as ReadRoster reads them.
func writeRoster(name string, rows []Row) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".roster-")
	if err != nil {
		return err
	}
	lines := csv.NewWriter(f)
	err = lines.Write(columns)
	for _, row := range rows {
		err = errors.Join(err, lines.Write([]string{
			row.Student, row.Source, row.Name, row.Ref, date(row.Due), date(row.Committed), row.InTime, row.Absent,
		}))
	}
	lines.Flush()
	err = errors.Join(err, lines.Error(), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
