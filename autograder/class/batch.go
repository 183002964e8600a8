package class

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"gosched/autograder/grade"
	"gosched/chapters/check"
)

// A Batch grades a class, or a shard of it. The zero values of its optional fields are fine.
type Batch struct {
	Rows       []Row  // the whole class, in the order of the roster
	Base       string // the folder from which the sources in Rows are
	Out        string // the folder for the results; it is made if it is not there
	Conditions Conditions
	Grade      Grade
	Sum        Sum
	Shard      Shard
	Workers    int // how many submissions are in work at once; 0: as many as there are CPUs
	Attempts   int // how often a submission is tried that cannot be graded; 0: 3 times

	// Progress, if not nil, is told of every step, by one goroutine at a time.
	Progress func(Progress)
}

// A Progress says how far a batch has come.
type Progress struct {
	Done, Total int           // students
	Graded      int           // of those done: graded now, and not known before
	Failed      int           // submissions that could not be graded and are tried again
	Left        time.Duration // an estimate of the time that the rest takes, 0 before there is one
}

// Run grades what is not graded yet. The error says why nothing could be graded or kept at all;
// what became of each student is in the folder, for Read. Run can be called again after it has
// ended in any way, and goes on.
func (b *Batch) Run(ctx context.Context) error {
	base, err := filepath.Abs(b.Base)
	if err != nil {
		return err
	}
	out, err := filepath.Abs(b.Out) // commits are written to folders in it
	if err != nil {
		return err
	}
	s, err := newStore(out)
	if err != nil {
		return err
	}
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.sweep(); err != nil {
		return err
	}
	if err := s.writePlan(plan{Conditions: b.Conditions, Rows: b.Rows}); err != nil {
		return err
	}
	r := &run{Batch: b, base: base, store: s, start: time.Now(), keys: map[string]*sync.Mutex{}}
	for _, row := range b.Rows {
		if b.Shard.Has(row.Student) {
			r.todo = append(r.todo, row)
		}
	}
	r.progress.Total = len(r.todo)
	return r.all(ctx)
}

// A run is one call of Run.
type run struct {
	*Batch
	base  string // Base, absolute
	store store
	start time.Time

	mu       sync.Mutex
	todo     []Row
	again    []Row                  // those that could not be graded in this round
	keys     map[string]*sync.Mutex // held by those who grade a submission, so that nobody else does it meanwhile
	progress Progress
	fatal    error // a result cannot be kept
}

// all works in rounds: what could not be graded is tried once more when everybody else has had
// a turn, by which time the reason may have gone.
func (r *run) all(ctx context.Context) error {
	attempts := r.Attempts
	if attempts == 0 {
		attempts = 3
	}
	for attempt := 1; attempt <= attempts && len(r.todo) > 0; attempt++ {
		r.round(ctx, attempt == attempts)
		if err := errors.Join(r.fatal, ctx.Err()); err != nil {
			return err
		}
		r.todo, r.again = r.again, nil
	}
	return nil
}

// round has workers take students from the list until it is empty.
func (r *run) round(ctx context.Context, last bool) {
	workers := r.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var pool sync.WaitGroup
	for range min(workers, len(r.todo)) {
		pool.Go(func() {
			for {
				row, ok := r.next()
				if !ok || ctx.Err() != nil {
					return
				}
				r.student(ctx, row, last)
			}
		})
	}
	pool.Wait()
}

// next takes a student from the list. There is none if nothing can be kept any more.
func (r *run) next() (Row, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.todo) == 0 || r.fatal != nil {
		return Row{}, false
	}
	row := r.todo[0]
	r.todo = r.todo[1:]
	return row, true
}

// maxMessage is how many bytes are kept of why a submission could not be graded. A part of it may
// come from the submission.
const maxMessage = 4 << 10

// student grades one submission and keeps what became of it.
func (r *run) student(ctx context.Context, row Row, last bool) {
	found, now, err := r.submission(ctx, row)
	if ctx.Err() != nil {
		return // it is no one's fault, and the next run has it to do
	}
	why, unusable := errors.AsType[Unusable](err)
	switch {
	case unusable:
		found.Status, found.Message = NoSubmission, string(why)
	case err != nil:
		found.Status, found.Message = InternalError, grade.Printable(err.Error(), maxMessage)
	}
	err = r.store.writeSubmission(found)

	r.mu.Lock()
	defer r.mu.Unlock()
	r.fatal = errors.Join(r.fatal, err)
	if found.Status == InternalError && !last {
		r.again = append(r.again, row)
		r.progress.Failed++
		return
	}
	r.progress.Done++
	if now {
		r.progress.Graded++
	}
	if r.Progress != nil {
		r.progress.Left = left(time.Since(r.start), r.progress)
		r.Progress(r.progress)
	}
}

// left estimates how long the rest takes if it takes as long as what was graded until now. What
// was known before took no time.
func left(spent time.Duration, p Progress) time.Duration {
	if p.Graded == 0 {
		return 0
	}
	return spent / time.Duration(p.Graded) * time.Duration(p.Total-p.Done)
}

// submission finds what a student has handed in, and grades it unless its result is known; now
// says that it was graded.
func (r *run) submission(ctx context.Context, row Row) (found Submission, now bool, err error) {
	found = Submission{Row: row}
	if before, ok := r.known(row); ok {
		return before, false, nil
	}
	temp := ""
	if row.Git() {
		if temp, err = os.MkdirTemp(r.store.work(), ""); err != nil {
			return found, false, err
		}
		defer os.RemoveAll(temp)
	}
	source, err := fetch(ctx, row, r.base, temp, "")
	if err != nil {
		return found, false, err
	}
	found.Commit, found.Time, found.InTime = source.commit, source.time, source.inTime
	found.Late = !row.Due.IsZero() && found.Time.After(row.Due)
	if found.Sum, err = r.Sum(source.dir); err != nil {
		return found, false, err
	}
	key := r.Conditions.Key(found.Sum)
	now, err = r.grade(ctx, key, source.dir)
	if err == nil {
		found.Status, found.Key = Graded, key
	}
	return found, now, err
}

// known returns what is known of a submission that cannot change: a commit that the roster names
// by its hash, and whose result is there. Everything else is looked at again.
func (r *run) known(row Row) (Submission, bool) {
	before, ok := r.store.submission(row)
	if !ok || before.Commit == "" || before.Commit != row.Ref || before.Key != r.Conditions.Key(before.Sum) || r.store.result(before.Key) == nil {
		return Submission{}, false
	}
	return before, true
}

// grade makes sure that the result with this key is there. Of two students with the same
// submission only one makes the other's wait.
func (r *run) grade(ctx context.Context, key, dir string) (now bool, err error) {
	r.mu.Lock()
	if r.keys[key] == nil {
		r.keys[key] = new(sync.Mutex)
	}
	mine := r.keys[key]
	r.mu.Unlock()
	mine.Lock()
	defer mine.Unlock()
	if r.store.result(key) != nil {
		return false, nil
	}
	report, err := r.try(ctx, dir)
	if err != nil {
		return false, err
	}
	if err := brokenCheck(report); err != nil {
		return false, err
	}
	if err := r.store.writeResult(key, report); err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.fatal = errors.Join(r.fatal, err)
		return false, err
	}
	return true, nil
}

// try calls Grade. If that panics, one student has no result; the others do not lose theirs.
func (r *run) try(ctx context.Context, dir string) (report *grade.Report, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the grader itself failed: %v", p)
		}
	}()
	report, err = r.Grade(ctx, dir, r.Conditions.Chapters)
	if err == nil && report == nil {
		err = errors.New("the grader has no report")
	}
	return report, err
}

// brokenCheck returns an error if the course itself failed in a check, so that its points say
// nothing of the student.
func brokenCheck(report *grade.Report) error {
	for _, ch := range report.Shown().Chapters { // students may see the message
		for _, c := range ch.Checks {
			if c.Status == check.InternalError {
				return fmt.Errorf("%s: %s", c.ID, c.Message)
			}
		}
	}
	return nil
}
