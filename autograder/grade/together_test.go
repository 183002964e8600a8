package grade

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/gen"
	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/sample"
)

// recordsOfFakes writes the records of checks of chapter 7: "fifo pass", or "fifo" if it does not
// end.
func recordsOfFakes(checks ...string) {
	for _, c := range checks {
		name, status, ended := strings.Cut(c, " ")
		record(fmt.Sprintf(`{"event":"start","check":"ch07/%s"}`, name))
		if ended {
			record(fmt.Sprintf(`{"event":"end","check":"ch07/%s","status":%q,"message":"a message","took":1000}`, name, status))
		}
	}
}

func init() {
	for name, behave := range map[string]func(){
		"all pass":          func() { recordsOfFakes("a pass", "b pass", "c pass") },
		"b is a TODO":       func() { recordsOfFakes("a pass", "b todo", "c todo"); os.Exit(1) },
		"b fails":           func() { recordsOfFakes("a pass", "b fail", "c pass"); os.Exit(1) },
		"b hangs":           func() { recordsOfFakes("a pass", "b timeout"); os.Exit(1) },
		"b ends it":         func() { recordsOfFakes("a pass", "b") },
		"b dies":            func() { recordsOfFakes("a pass", "b"); os.Exit(2) },
		"dies at the end":   func() { recordsOfFakes("a pass", "b pass", "c pass"); os.Exit(2) },
		"two are skipped":   func() { recordsOfFakes("a pass") },
		"nothing is run":    func() {},
		"a twice":           func() { recordsOfFakes("a pass", "b pass", "a pass") },
		"a begins twice":    func() { recordsOfFakes("a pass", "b pass", "a") },
		"one inside":        func() { recordsOfFakes("a", "b pass", "c pass") },
		"an end of another": func() { recordsOfFakes("a pass", "b"); record(`{"event":"end","check":"ch07/c","status":"pass"}`) },
		"b leaves threads": func() {
			recordsOfFakes("a pass", "b")
			record(`{"event":"end","check":"ch07/b","status":"pass","message":"a message","took":1000,"left":true}`)
			recordsOfFakes("c pass")
		},
		"not asked for": func() { recordsOfFakes("a pass", "x pass", "c pass") },
		"one is forged": func() {
			recordsOfFakes("a pass", "b pass", "c pass")
			forge(`{"event":"start","check":"ch07/x"}`)
		},
	} {
		fakes["together: "+name] = behave
	}
}

// Of a process with several checks those verdicts count that a process of its own would have
// given, too.
func TestTogether(t *testing.T) {
	binary, err := os.Executable()
	require.NoError(t, err)
	for behaviour, want := range map[string]string{
		"all pass":          "a pass, b pass, c pass",
		"b is a TODO":       "a pass, b todo; again: c",
		"b fails":           "a pass; again: b, c",
		"b hangs":           "a pass, b timeout; again: c",
		"b ends it":         "a pass; again: b, c",
		"b dies":            "a pass; again: b, c",
		"dies at the end":   "a pass, b pass; again: c",
		"two are skipped":   "a pass; again: b, c",
		"nothing is run":    "again: a, b, c",
		"a twice":           "again: a, b, c",
		"a begins twice":    "again: a, b, c",
		"one inside":        "again: a, b, c",
		"an end of another": "again: a, b, c",
		"b leaves threads":  "a pass, b pass; again: c",
		"not asked for":     "again: a, b, c",
		"one is forged":     "again: a, b, c",
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			var set []unit
			for _, name := range []string{"a", "b", "c"} {
				set = append(set, unit{&Check{Name: name}, child{
					binary: binary, dir: t.TempDir(), pattern: "^Test$/^" + name + "$", id: "ch07/" + name,
					deadline: time.Minute, env: fake("together: " + behaviour),
				}})
			}
			var again, counts []string
			for _, u := range runTogether(t.Context(), set) {
				again = append(again, u.check.Name)
			}
			for _, u := range set {
				if u.check.Status != "" {
					counts = append(counts, u.check.Name+" "+string(u.check.Status))
					assert.Equal(t, "a message", u.check.Message)
					assert.Equal(t, time.Microsecond, u.check.Took)
				}
			}
			got := strings.Join(counts, ", ")
			if len(again) > 0 {
				got = strings.TrimPrefix(got+"; again: "+strings.Join(again, ", "), "; ")
			}
			assert.Equal(t, want, got)
		})
	}
}

// Checks that need all CPUs, or are of what is written beside the parts, share no process; no
// check does if its code may keep something.
func TestSets(t *testing.T) {
	g := &grading{Grader: &Grader{}, chapters: make([]chapters.Chapter, 100)}
	var units []unit
	for name, kind := range []check.Kind{check.Unit, check.Model, check.Program, check.Stress, check.Bench, check.Mine, check.Mended, check.Predict} {
		units = append(units, unit{&Check{Name: fmt.Sprint(name), Kind: kind}, child{}})
	}
	names := func(sets [][]unit) (all []string) {
		for _, set := range sets {
			var names []string
			for _, u := range set {
				names = append(names, u.check.Name)
			}
			all = append(all, strings.Join(names, ","))
		}
		return all
	}
	assert.Equal(t, []string{"0,1,2", "3", "4", "5", "6", "7"}, names(g.sets(units, true)))
	assert.Equal(t, []string{"0", "1", "2", "3", "4", "5", "6", "7"}, names(g.sets(units, false)))
	g.chapters = g.chapters[:1]
	assert.Len(t, g.sets(units, true), 5+min(3, int(capacity)), "all CPUs work for the only chapter")
	g.Replay = "p1"
	assert.Len(t, g.sets(units, true), 8)
}

// wrongs are replacements in the solution of chapter 7, each a mistake but for the first. None of
// them makes a check hang, since that takes as long as its deadline: TestTogether has one.
var wrongs = []struct{ what, old, by string }{
	{"nothing", "", ""},
	{"a head that stays", "Runqhead.CompareAndSwap(h, h+1)", "Runqhead.CompareAndSwap(h, h)"},
	{"a tail too far", "Runqtail.Store(t + 1)", "Runqtail.Store(t + 2)"},
	{"a throw", "if next {", "if next {\n\t\tgmp.Throw(\"no\")"},
	{"no queue", "return &runQueue{s: s}", "return (*runQueue)(nil)"},
	{"a slot of another", "i%uint32(len(pp.Runq))", "(i/2)%uint32(len(pp.Runq))"},
	{"no ring", "i%uint32(len(pp.Runq))", "i"},
	{"never next", "if next {", "if false {"},
	{"always next", "if next {", "if true {"},
	{"an empty queue", "func (p *runQueue) Runqput(pp *gmp.P, gp *gmp.G, next bool) {", "func (p *runQueue) Runqput(pp *gmp.P, gp *gmp.G, next bool) {\n\treturn"},
}

// A report is the same whether checks share processes or not: of right parts, of parts with a
// mistake, and of none. A package variable is all it takes for a process each.
func TestTogetherOrAlone(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	at := slices.IndexFunc(chapters.All, func(ch chapters.Chapter) bool { return ch.ID == "ch07" })
	ch := chapters.All[at]
	solution, err := gen.Solution(root, ch)
	require.NoError(t, err)
	stubs, err := gen.Exercises(root, chapters.All, false)
	require.NoError(t, err)
	file := path.Join(ch.Dir, "runq.go")
	texts := map[string]string{"stubs": string(stubs[file])}
	for _, w := range wrongs {
		right := string(solution["runq.go"])
		require.Contains(t, right, w.old)
		texts[w.what] = strings.Replace(right, w.old, w.by, 1)
	}
	for _, what := range sample.Deal(0, 2, slices.Sorted(maps.Keys(texts))) {
		t.Run(what, func(t *testing.T) {
			together := runQueueGraded(t, root, ch, texts[what], true)
			alone := runQueueGraded(t, root, ch, texts[what]+"\nvar kept int\n", false)
			assert.Empty(t, cmp.Diff(alone, together))
		})
	}
}

// runQueueGraded is what becomes of each check of chapter 7 whose queue has this text, but for
// those that differ from run to run. forgets says that they share a process.
func runQueueGraded(t *testing.T, root string, ch chapters.Chapter, text string, forgets bool) []string {
	given, err := gen.Exercises(root, chapters.All, false)
	require.NoError(t, err)
	solution, err := gen.Solution(root, ch)
	require.NoError(t, err)
	for name, solved := range solution {
		if !strings.HasSuffix(name, "_test.go") {
			given[path.Join(ch.Dir, name)] = solved
		}
	}
	given[path.Join(ch.Dir, "runq.go")] = []byte(text)
	dir := t.TempDir()
	overlay := Overlay{}
	for name, text := range given {
		if path.Dir(name) == ch.Dir && path.Ext(name) == ".go" {
			overlay[path.Join(Exercises, name)] = filepath.Join(dir, path.Base(name))
			require.NoError(t, os.WriteFile(filepath.Join(dir, path.Base(name)), text, 0o644))
		}
	}
	g := &Grader{Root: root, Of: Exercises, All: chapters.All, Chapters: []string{ch.ID}, Overlay: overlay, Bin: dir}
	for _, c := range ch.Suite.Checks {
		if c.Kind != check.Stress && !c.Kind.Written() && c.Name != "visible" { // it reads what is on disk
			g.Checks = append(g.Checks, c.Name)
		}
	}
	assert.Equal(t, forgets, (&grading{Grader: g}).forgets(ch))
	report, err := g.Grade(t.Context())
	require.NoError(t, err)
	var all []string
	for _, c := range report.Chapters[0].Checks {
		all = append(all, fmt.Sprintf("%s: %s\n%s\n%s", c.Name, c.Status, c.Message, c.Evidence))
	}
	return all
}
