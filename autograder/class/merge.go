package class

import (
	"errors"
	"fmt"
	"os"
	"slices"
)

// Merge joins the folders of the shards of a class in the folder out, with the table and the
// page: what one batch over the whole class would have made. It can be called before all shards
// are through, and again with the others then: whoever is neither in one of them nor in out is
// Missing. The error says if the shards are not of the same roster, or were not graded in the
// same way.
func Merge(shards []string, out string) (*Class, error) {
	whole, plans, err := plansOf(shards)
	if err != nil {
		return nil, err
	}
	to, unlock, err := openStore(out)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := errors.Join(to.sweep(), to.writePlan(whole)); err != nil {
		return nil, err
	}
	for _, row := range whole.Rows {
		found, from, err := choose(row, whole.Conditions, plans)
		if err != nil {
			return nil, err
		}
		if from != nil {
			if err := to.take(found, *from); err != nil {
				return nil, err
			}
		}
	}
	c := to.class(whole)
	return c, to.writeClass(c)
}

// plansOf reads what the shards are of, which must be the same.
func plansOf(shards []string) (whole plan, stores []store, err error) {
	for i, dir := range shards {
		p, err := store{dir}.plan()
		if err != nil {
			return plan{}, nil, err
		}
		if i == 0 {
			whole = p
		}
		if other := whole.Conditions.differ(p.Conditions); other != "" {
			return plan{}, nil, fmt.Errorf("%s and %s cannot be joined: they were graded with another %s", shards[0], dir, other)
		}
		if !slices.EqualFunc(whole.Rows, p.Rows, Row.same) {
			return plan{}, nil, fmt.Errorf("%s and %s cannot be joined: they are of different rosters", shards[0], dir)
		}
		stores = append(stores, store{dir})
	}
	return whole, stores, nil
}

// differ names what is not the same in two conditions, "" if all is.
func (c Conditions) differ(other Conditions) string {
	switch {
	case c.Suites != other.Suites:
		return "version of the course"
	case c.Toolchain != other.Toolchain:
		return fmt.Sprintf("toolchain, %s and %s", c.Toolchain, other.Toolchain)
	case c.Grader != other.Grader:
		return "version of the autograder"
	case !slices.Equal(c.Flags, other.Flags):
		return fmt.Sprintf("choice of flags, %q and %q", c.Flags, other.Flags)
	case c.Extra != other.Extra:
		return "folder of extra checks"
	case !slices.Equal(c.Chapters, other.Chapters):
		return fmt.Sprintf("choice of chapters, %q and %q", c.Chapters, other.Chapters)
	}
	return ""
}

// choose returns what is known best of a student, and the shard that knows it; nil if none does.
// A result is better than none, and no submission is better than an error.
func choose(row Row, conditions Conditions, shards []store) (best Submission, from *store, err error) {
	rank := func(s Submission) int { return slices.Index([]Status{InternalError, NoSubmission, Graded}, s.Status) }
	for i := range shards {
		found, ok := shards[i].submission(row)
		if !ok || found.Status == Graded && (found.Key != conditions.Key(found.Sum) || shards[i].result(found.Key) == nil) {
			continue
		}
		if from != nil && best.Status == Graded && found.Status == Graded && best.Key != found.Key {
			return best, nil, fmt.Errorf("%s and %s cannot be joined: %s has different submissions there", from.dir, shards[i].dir, row.Student)
		}
		if from == nil || rank(found) > rank(best) {
			best, from = found, &shards[i]
		}
	}
	return best, from, nil
}

// take copies what a shard knows of a student.
func (s store) take(found Submission, from store) error {
	if found.Status == Graded && s.result(found.Key) == nil {
		report := from.result(found.Key)
		if err := s.copyEvidence(found.Key, from); err != nil {
			return err
		}
		if err := s.write(resultFile(found.Key), resultOf(found.Key, report)); err != nil {
			return err
		}
	}
	return s.writeSubmission(found)
}

// copyEvidence copies the evidence of a result, which has none if everything passes. What a merge
// that was killed has begun is replaced.
func (s store) copyEvidence(key string, from store) error {
	if _, err := os.Stat(from.evidence(key)); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err := os.RemoveAll(s.evidence(key)); err != nil {
		return err
	}
	return os.CopyFS(s.evidence(key), os.DirFS(from.evidence(key)))
}
