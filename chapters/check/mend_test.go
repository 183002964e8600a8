package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
)

// The mistake of a mutant, and a file in which it is mended.
const (
	wrongSource = `package p

type losesAll struct{ right }

func (p losesAll) Globrunqput(gp *gmp.G) {
	p.count++
	gp = nil
	p.held = gp
	p.GlobalQueue.Other()
}
`
	mendedSource = `package p_test

type putMended struct{ right }

// Globrunqput is mended.
func (p *putMended) Globrunqput(gp *gmp.G) {
	p.count++
	p.held = gp // a comment does not count

	p.GlobalQueue.Other()
}
`
)

var putMend = Mend{
	Check: "mend-put", Mutant: "loses-all", Type: "putMended", Method: "Globrunqput", Lines: 1,
	Met: [2][]string{{"held.Store(gp)"}, {"take(…)", "sees held = nil"}},
}

func TestChange(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string
		want           int
	}{
		{"the smallest", "", "", 1},
		{"nothing", "	p.held = gp //", "	gp = nil\n	p.held = gp //", 0},
		{"another order", "	p.count++\n	p.held = gp // a comment does not count\n", "	p.held = gp\n	p.count++\n", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n, err := putMend.Change(wrongSource, strings.Replace(mendedSource, tt.old, tt.new, 1))
			require.NoError(t, err)
			assert.Equal(t, tt.want, n)
		})
	}
	for _, tt := range []struct{ name, old, new, want string }{
		{"gone", "putMended) Globrunqput", "putMended) Other", "there is no method Globrunqput of putMended"},
		{"left to the right one", "p.count++", "p.GlobalQueue.Globrunqput(gp)", "your Globrunqput leaves the work to the correct method; mend this one instead"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := putMend.Change(wrongSource, strings.Replace(mendedSource, tt.old, tt.new, 1))
			assert.EqualError(t, err, tt.want)
		})
	}
}

func TestMet(t *testing.T) {
	rows := strings.Split("  1  puts G1\n  2  x.held.Store(gp)   nil → G1\n 3-5      take(…): sees held = nil,\n          takes nil,\n          size 1 → 0\n   6  puts G2", "\n")
	for _, tt := range []struct {
		name, one, other, want string
	}{
		{"right", "held.Store(gp)", "take(…): sees held", ""},
		{"right, the other way round", "sees held  = nil", "x.held.Store(gp) nil", ""},
		{"words of two lines", "sees held = nil, takes", "held.Store(gp)", ""},
		{"words of another line of the row", "size 1 → 0", "held.Store(gp)", ""},
		{"words of the row after it", "puts G2", "held.Store(gp)", `"puts G2" is harmless where it is`},
		{"empty", "", "take(…)", "say which the two steps are"},
		{"none", "held.Load", "take(…)", `no row of the interleaving above Globrunqput has "held.Load"`},
		{"harmless", "puts G1", "take(…)", `"puts G1" is harmless where it is`},
		{"one twice", "take(…)", "sees held", "are the same step, or steps of the same thread"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := putMend.judge(Met{tt.one, tt.other}, rows)
			if tt.want == "" {
				assert.Empty(t, got)
			} else {
				assert.Contains(t, got, tt.want)
			}
		})
	}
}

// TestMended: what the student says is judged first, then what the part does.
func TestMended(t *testing.T) {
	s := &Suite{ID: "ch99", Checks: []Check{getsWhatWasPut, {Name: "mend-put", Kind: Mended}}}
	loses := version(queue{put: func(*gmp.G) {}, get: func() *gmp.G { return nil }})
	mend := putMend
	mend.Met = [2][]string{{"what was put"}, {"actual  : (*gmp.G)(nil)"}}
	mutants := []Mutant{{Name: "loses-all", Check: "get", Parts: gmp.Version{GlobalQueue: loses.GlobalQueue}}}
	judge := func(part gmp.Version, met func() Met) Outcome {
		return s.mended(s.Check("mend-put"), right(), mutants, Mends{List: []Mend{mend}, Source: wrongSource}, Mending{Part: part, Met: met})
	}
	met := func() Met { return Met{One: "what was put", Other: "actual  : (*gmp.G)(nil)"} }
	untouched := gmp.Version{GlobalQueue: loses.GlobalQueue}

	out := judge(untouched, func() Met { panic(gmp.TODO("putMet")) })
	assert.Equal(t, Todo, out.Status)
	assert.Equal(t, "putMet is not written yet", out.Message)

	out = judge(untouched, met)
	assert.Equal(t, Fail, out.Status)
	assert.Contains(t, out.Message, "Globrunqput is not correct yet; it fails get:\n")

	out = judge(gmp.Version{GlobalQueue: right().GlobalQueue}, func() Met { return Met{One: "what was put", Other: "what was put"} })
	assert.Equal(t, Fail, out.Status, "%s", out.Message)

	// The part is right, so it comes to the file, of which there is none here to mend.
	out = judge(gmp.Version{GlobalQueue: right().GlobalQueue}, met)
	assert.Equal(t, Fail, out.Status)
	assert.Contains(t, out.Message, "mend_test.go: there is no method Globrunqput of putMended")

	out = s.mended(s.Check("mend-put"), right(), mutants, Mends{List: []Mend{mend}, Source: wrongSource}, Mending{})
	assert.Equal(t, "mend_test.go does not hand mend-put to TestMends", out.Message)
}

// answers are predictions by what they say.
var answers = map[string]func() string{
	"get": sayGet, Nothing: sayNothing, "got": sayGot, "predict": sayPredict,
}

func sayGet() string     { return "get" }
func sayNothing() string { return Nothing }
func sayGot() string     { return "got" }
func sayPredict() string { return "predict" }

func TestPredicted(t *testing.T) {
	s := &Suite{ID: "ch99", Checks: []Check{getsWhatWasPut, {Name: "predict", Kind: Predict}}}
	loses := version(queue{put: func(*gmp.G) {}, get: func() *gmp.G { return nil }})
	changes := []Mutant{{Name: "loses-all", Parts: gmp.Version{GlobalQueue: loses.GlobalQueue}}, {Name: "same", Parts: gmp.Version{GlobalQueue: right().GlobalQueue}}}
	for _, tt := range []struct{ change, answer, want string }{
		{"loses-all", "get", ""},
		{"same", Nothing, ""},
		{"loses-all", Nothing, "sayNothing, \"nothing\": it was run, and not all checks pass"},
		{"same", "get", "sayGet, \"get\": it was run, and get, a check of Globrunqget, passes: "},
		{"same", "got", "sayGot, \"got\": the answer is the name of a check, or \"nothing\""},
		{"same", "predict", "sayPredict, \"predict\": the answer is the name of a check, or \"nothing\""},
	} {
		out := s.predicted(right(), changes, []Prediction{{tt.change, answers[tt.answer]}})
		assert.Equal(t, tt.want, out.Message)
		assert.Equal(t, tt.want == "", out.Status == Pass)
	}
	out := s.predicted(right(), changes, []Prediction{{"same", func() string { panic(TODO("first")) }}})
	assert.Equal(t, Todo, out.Status)
	assert.Equal(t, Fail, s.predicted(right(), changes, nil).Status)
}

// A counted queue counts what is put. A mended one leaves the rest to the one that it embeds.
type countedQueue struct {
	gmp.GlobalQueue
	puts *int
}

func (q countedQueue) Globrunqput(*gmp.G) { *q.puts++ }

type mendedQueue struct{ inner }

type inner struct {
	gmp.GlobalQueue
	s *gmp.Sched
}

// What a mended part leaves to the right one, the mutant gets.
func TestStandIn(t *testing.T) {
	var right, wrong int
	counts := func(n *int) func(*gmp.Sched) gmp.GlobalQueue {
		return func(*gmp.Sched) gmp.GlobalQueue { return countedQueue{puts: n} }
	}
	for name, mended := range map[string]func(s *gmp.Sched) gmp.GlobalQueue{
		"a value":   func(s *gmp.Sched) gmp.GlobalQueue { return mendedQueue{inner{counts(&right)(s), s}} },
		"a pointer": func(s *gmp.Sched) gmp.GlobalQueue { return &mendedQueue{inner{counts(&right)(s), s}} },
	} {
		right, wrong = 0, 0
		v := standIn(gmp.Version{GlobalQueue: mended}, gmp.Version{GlobalQueue: counts(&wrong)})
		v.GlobalQueue(nil).Globrunqput(nil)
		assert.Equal(t, [2]int{0, 1}, [2]int{right, wrong}, name)
		mended(nil).Globrunqput(nil)
		assert.Equal(t, [2]int{1, 1}, [2]int{right, wrong}, name)
	}
	whole := standIn(gmp.Version{GlobalQueue: counts(&right)}, gmp.Version{GlobalQueue: counts(&wrong)})
	whole.GlobalQueue(nil).Globrunqput(nil)
	assert.Equal(t, [2]int{2, 1}, [2]int{right, wrong}, "a part that embeds none stays as it is")
}
