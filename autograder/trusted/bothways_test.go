package trusted_test

import (
	"flag"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/class/rehearsal"
	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/autograder/jail"
	"gosched/autograder/submission"
	"gosched/autograder/trusted"
	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/sample"
)

// TestBothWays: of wrong solutions a student's own run and a trusted one say the same, of each
// check: its status, its points and its message. In the nightly these are 200 mutations of all
// chapters. Each round has one mistake in each chapter, which saves builds: chapters are graded
// by themselves. What checks with real threads find is not determined, so they are left out.
func TestBothWays(t *testing.T) {
	abs, err := filepath.Abs(root)
	require.NoError(t, err)
	course, err := submission.Open(root, chapters.All)
	require.NoError(t, err)
	two := bothWays{root: abs, course: course, of: sample.Deal(0, 4, written()), levels: levels(t)}
	mutants := map[string][]rehearsal.Mutant{}
	rounds := 0
	for _, ch := range two.of {
		mutants[ch.ID], err = rehearsal.Mutants(root, ch, sample.Of(1, 1, *rounded))
		require.NoError(t, err)
		rounds = max(rounds, len(mutants[ch.ID]))
	}
	for i := range rounds {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) { two.round(t, i, mutants) })
	}
	t.Logf("%d wrong solutions graded both ways, %d verdicts compared, %d differ", two.mutants, two.verdicts, two.differ)
}

// rounded is how many rounds there are in the nightly, if there are so many mutations.
var rounded = flag.Int("rounds", 1000, "at most so `many` rounds of TestBothWays")

// seeing makes TestBothWays compare only the checks that see a mistake.
var seeing = flag.Bool("seeing", !sample.Whole(), "compare only checks that see a mistake")

func written() []chapters.Chapter {
	return slices.DeleteFunc(slices.Clone(chapters.All), func(ch chapters.Chapter) bool { return ch.Suite == nil })
}

// A bothWays grades submissions in both ways.
type bothWays struct {
	root   string
	course *submission.Course
	of     []chapters.Chapter
	levels []jail.Level // of the trusted runs, in turn

	mutants, verdicts, differ int
}

// A said is what a grading says of a check.
type said struct {
	ID      string
	Status  check.Status
	Score   int
	Message string
}

// round compares what both say of a submission with a mutant of each chapter that has so many.
func (b *bothWays) round(t *testing.T, i int, mutants map[string][]rehearsal.Mutant) {
	var ids []string
	seen := map[string]string{} // by check, which mutation it sees
	wrong := map[string][]byte{}
	for _, ch := range b.of {
		if i < len(mutants[ch.ID]) {
			m := mutants[ch.ID][i]
			ids, seen[m.Check], wrong[m.File] = append(ids, ch.ID), m.Name, m.Text
		}
	}
	local, instructor := b.grade(t, b.levels[i%len(b.levels)], ids, b.checks(seen), wrong)
	require.Equal(t, len(local), len(instructor))
	b.mutants += len(ids)
	for at, want := range local {
		b.verdicts++
		if diff := cmp.Diff(want, instructor[at]); diff != "" {
			b.differ++
			t.Errorf("%s: a student's own run (-) and a trusted one (+) differ:\n%s", want.ID, diff)
		}
		if name, ok := seen[want.ID]; ok {
			assert.NotEqual(t, check.Pass, want.Status, "%s does not see %q, as mutations.txt says", want.ID, name)
			delete(seen, want.ID)
		}
	}
	assert.Empty(t, seen, "each was looked at")
}

// checks are the names of the checks to compare: those whose verdict is the same each time.
func (b *bothWays) checks(seen map[string]string) (names []string) {
	for _, ch := range b.of {
		for _, c := range ch.Suite.Checks {
			_, sees := seen[ch.ID+"/"+c.Name]
			if c.Kind != check.Stress && c.Kind != check.Bench && (sees || !*seeing) {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// grade grades solutions with some files changed, as their student does and as the instructor.
func (b *bothWays) grade(t *testing.T, level jail.Level, ids, checks []string, changed map[string][]byte) (local, instructor []said) {
	dir := t.TempDir()
	overlay := grade.Overlay{}
	for _, ch := range b.of {
		files, err := gen.Solution(root, ch)
		require.NoError(t, err)
		for name, text := range files {
			name = path.Join(grade.Exercises, ch.Dir, name)
			if changed[name] != nil {
				text = changed[name]
			}
			overlay[name] = filepath.Join(dir, filepath.FromSlash(name))
			write(t, overlay[name], text)
		}
	}
	// Its checks read the sources in the folder, as they do in a clone of the student's.
	own := grade.Grader{Root: b.root, Of: grade.Exercises, All: chapters.All, Chapters: ids, Checks: checks, Overlay: overlay, Tree: dir, Bin: t.TempDir()}
	report, err := own.Grade(t.Context())
	require.NoError(t, err)
	local = verdicts(report)

	read, err := b.course.Read(dir)
	require.NoError(t, err)
	defer read.Remove()
	require.Empty(t, read.Findings)
	run := trusted.Grading{Root: b.root, All: chapters.All, Chapters: ids, Checks: checks, Level: level}
	report, err = run.Grade(t.Context(), read)
	require.NoError(t, err)
	return local, verdicts(report)
}

func verdicts(r *grade.Report) (all []said) {
	for _, ch := range r.Chapters {
		for _, c := range ch.Checks {
			if c.Status == check.Timeout { // where in its loop it was then is not determined
				c.Message, _, _ = strings.Cut(c.Message, ";")
			}
			all = append(all, said{c.ID, c.Status, c.Score, c.Message})
		}
	}
	return all
}
