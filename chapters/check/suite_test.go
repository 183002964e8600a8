package check

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// queue is a GlobalQueue made of functions, for parts under test.
type queue struct {
	put     func(gp *gmp.G)
	puthead func(gp *gmp.G)
	get     func() *gmp.G
}

func (q queue) Globrunqput(gp *gmp.G)     { q.put(gp) }
func (q queue) Globrunqputhead(gp *gmp.G) { q.puthead(gp) }
func (q queue) Globrunqget() *gmp.G       { return q.get() }

func version(q queue) gmp.Version {
	return gmp.Version{Name: "test", GlobalQueue: func(*gmp.Sched) gmp.GlobalQueue { return q }}
}

// right is a queue of one G.
func right() gmp.Version {
	return gmp.Version{Name: "test", GlobalQueue: func(*gmp.Sched) gmp.GlobalQueue {
		var held *gmp.G
		put := func(gp *gmp.G) { held = gp }
		return queue{put, put, func() *gmp.G { gp := held; held = nil; return gp }}
	}}
}

func todo(method string) { panic(gmp.TODO(method)) }

// getsWhatWasPut is a check of Globrunqget that also needs Globrunqput.
var getsWhatWasPut = Check{
	Name: "get", Kind: Unit, Methods: []string{"Globrunqget"},
	Run: func(t *T) {
		s, _ := t.Sched()
		gp := &gmp.G{Goid: machine.CellOf[int64](7)}
		s.Globrunqput(gp)
		s.Printf("put G%d", gp.Goid.Get())
		assert.Same(t, gp, s.Globrunqget(), "what was put comes back")
	},
}

var suite = &Suite{ID: "ch99", Checks: []Check{getsWhatWasPut, {Name: "mine", Kind: Mine}}}

func TestOutcomes(t *testing.T) {
	run := func(q queue) Outcome { return suite.mixed(&suite.Checks[0], right(), version(q)) }
	nothing := func(*gmp.G) {}
	hurry := getsWhatWasPut // for what never ends, so its deadline may be any
	hurry.Deadline = 100 * time.Millisecond

	t.Run("right", func(t *testing.T) {
		assert.Equal(t, Pass, suite.mixed(&suite.Checks[0], right(), right()).Status)
	})
	t.Run("a graded method is not written", func(t *testing.T) {
		out := run(queue{put: nothing, get: func() *gmp.G { todo("Globrunqget"); return nil }})
		assert.Equal(t, Todo, out.Status)
		assert.Equal(t, "Globrunqget is not written yet", out.Message)
	})
	t.Run("wrong", func(t *testing.T) {
		out := run(queue{put: nothing, get: func() *gmp.G { return nil }})
		assert.Equal(t, Fail, out.Status)
		assert.Contains(t, out.Message, "what was put comes back")
		assert.NotContains(t, out.Message, "Error Trace")
		assert.Contains(t, out.Evidence, "put G7\n", "what a part prints is evidence")
	})
	t.Run("throws", func(t *testing.T) {
		out := run(queue{put: nothing, get: func() *gmp.G { panic(gmp.Fatal{Msg: "no"}) }})
		assert.Equal(t, Fail, out.Status)
		assert.Contains(t, out.Message, "the scheduler threw: fatal error: no")
	})
	t.Run("panics", func(t *testing.T) {
		out := run(queue{put: nothing, get: func() *gmp.G { var gp *gmp.G; return gp.Schedlink.Get() }})
		assert.Equal(t, Fail, out.Status)
		assert.Contains(t, out.Message, "panic in a part: runtime error: invalid memory address")
	})
	t.Run("loops", func(t *testing.T) {
		stop := make(chan bool)
		defer close(stop)
		out := suite.mixed(&hurry, right(), version(queue{put: nothing, get: func() *gmp.G {
			for {
				select {
				case <-stop:
					return nil
				default:
				}
			}
		}}))
		assert.Equal(t, Timeout, out.Status)
		assert.Contains(t, out.Message, "it did not end within 100ms; ")
		assert.Contains(t, out.Evidence, "TestOutcomes", "the stack of the loop")
	})
	t.Run("blocks", func(t *testing.T) {
		block := make(chan bool)
		defer close(block)
		out := suite.mixed(&hurry, right(), version(queue{put: nothing, get: func() *gmp.G { <-block; return nil }}))
		assert.Equal(t, Timeout, out.Status)
		assert.Contains(t, out.Evidence, "[chan receive")
	})
}

// A method that the check does not grade, and that is not written, is base's.
func TestMixingFillsInWhatIsNotGraded(t *testing.T) {
	base := right()
	own := gmp.Version{GlobalQueue: func(s *gmp.Sched) gmp.GlobalQueue {
		return queue{
			put: func(*gmp.G) { todo("Globrunqput") },
			get: func() *gmp.G { return &gmp.G{Goid: machine.CellOf[int64](1)} },
		}
	}}
	out := suite.mixed(&suite.Checks[0], base, own)
	assert.Equal(t, Fail, out.Status, "the written Globrunqget is judged, and is wrong: %s", out.Message)

	out = suite.Run(&suite.Checks[0], base.With(own))
	assert.Equal(t, Todo, out.Status, "in one's own stack nothing is filled in")
	assert.Equal(t, "Globrunqput is not written yet", out.Message)
}

func TestMine(t *testing.T) {
	dropping := Mutant{Name: "drops", What: "put drops the G", Parts: version(queue{
		put: func(*gmp.G) {}, get: func() *gmp.G { return nil },
	})}
	hidden := dropping
	hidden.Name, hidden.Hidden = "hidden", true
	c := suite.Check("mine")
	judge := func(mine func(t TB, s *gmp.Sched)) Outcome {
		return suite.mine(c, right(), []Mutant{dropping, hidden}, mine)
	}

	out := judge(func(t TB, s *gmp.Sched) {
		s.Globrunqput(&gmp.G{})
		assert.NotNil(t, s.Globrunqget())
	})
	assert.Equal(t, Pass, out.Status)

	out = judge(func(t TB, s *gmp.Sched) {})
	assert.Equal(t, Fail, out.Status)
	assert.Equal(t, "your test passes on the correct solution, as it must, but also on these wrong ones:\n  drops: put drops the G", out.Message)

	out = judge(func(t TB, s *gmp.Sched) { assert.NotNil(t, s.Globrunqget(), "an empty queue gives a G") })
	assert.Equal(t, Fail, out.Status)
	assert.Contains(t, out.Message, "your test must pass on the correct solution, but it fails there:\n")
	assert.Contains(t, out.Message, "an empty queue gives a G")

	out = judge(func(t TB, s *gmp.Sched) {
		for i := range 6 {
			t.Errorf("an empty queue gives a G\nexpected: nil")
			if i > 2 {
				t.Errorf("something else")
			}
		}
		panic("the end")
	})
	assert.Equal(t, `your test must pass on the correct solution, but it fails there:
an empty queue gives a G (6 times)
expected: nil
something else (3 times)
panic in a part: the end`, out.Message)

	out = judge(func(t TB, s *gmp.Sched) {
		for i := range 100 {
			t.Errorf("G%d", i)
		}
	})
	assert.Equal(t, "your test must pass on the correct solution, but it fails there:\nG0\nG1\nG2\nG3\nG4\n… 95 more failures", out.Message)

	out = judge(func(t TB, s *gmp.Sched) { panic(gmp.TODO("mine")) })
	assert.Equal(t, Todo, out.Status)
}

// A test that fails whenever it is not the first one kills each mutant, and tests nothing.
func TestMineTwice(t *testing.T) {
	calls := 0
	out := suite.mine(&suite.Checks[0], right(), []Mutant{{Name: "other", Parts: right()}}, func(t TB, s *gmp.Sched) {
		if calls++; calls > 1 {
			t.Errorf("call %d", calls)
		}
	})
	assert.Equal(t, Fail, out.Status)
	assert.Contains(t, out.Message, "once, but not again")
	assert.Contains(t, out.Message, "call 3")
}

// ordered has the records of checks written to a file until the end of t.
func ordered(t *testing.T, file string) {
	t.Helper()
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	before := order
	order = &Order{Results: file, Nonce: "once"}
	t.Cleanup(func() { order = before })
}

// other is a mutant of another type.
type other struct{ queue }

// Whoever writes a test of parts cannot ask what they are, only what they do: the type, the
// text and a failed assertion are the same for the right parts and for a mutant of them.
func TestMineSeesNoTypes(t *testing.T) {
	look := func(s *gmp.Sched) (seen string) {
		defer func() { seen += fmt.Sprint(recover()) }()
		seen = fmt.Sprintf("%T %v %+v %#v %s", s.GlobalQueue, s.GlobalQueue, s.Parts.GlobalQueue, s.GlobalQueue, s.GlobalQueue)
		_ = s.GlobalQueue.(interface{ No() })
		return seen
	}
	var saw []string
	out := suite.mine(&suite.Checks[0], right(), []Mutant{{Name: "other", Parts: gmp.Version{GlobalQueue: func(*gmp.Sched) gmp.GlobalQueue { return other{queue{}} }}}}, func(t TB, s *gmp.Sched) {
		saw = append(saw, look(s))
	})
	assert.Equal(t, Fail, out.Status)
	require.Len(t, saw, 2)
	assert.Equal(t, saw[0], saw[1])
}

// unsealed is the record in a line.
func unsealed(t *testing.T, line []byte) []byte {
	t.Helper()
	record, ok := order.Unseal(line)
	require.True(t, ok, "it is sealed")
	return record
}

func TestRecords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results")
	ordered(t, file)
	suite.Test(t, right(), right())
	suite.TestOwn(t, right())
	data, err := os.Open(file)
	require.NoError(t, err)
	defer data.Close()
	var got []Record
	for lines := bufio.NewScanner(data); lines.Scan(); {
		record := unsealed(t, lines.Bytes())
		assert.NotContains(t, lines.Text(), order.Nonce)
		var r Record
		require.NoError(t, json.Unmarshal(record, &r))
		assert.Equal(t, r.Event == "end", r.Took > 0)
		r.Took = 0
		got = append(got, r)
	}
	one := []Record{{Event: "start", Check: "ch99/get"}, {Event: "end", Check: "ch99/get", Status: Pass}} // what it has logged is of use to whoever fails
	assert.Equal(t, append(one, one...), got)
}

// The log of a failed check is that of the program that ran before its first failure.
func TestFailedLog(t *testing.T) {
	first, second := &trace.Log{Header: trace.Header{File: "first.go"}}, &trace.Log{Header: trace.Header{File: "second.go"}}
	play := func(t *T, log *trace.Log) { t.noteRun(log.Header.File, Run{Result: gmp.Result{Log: log}}) }
	for name, tt := range map[string]struct {
		body func(t *T)
		want *trace.Log
	}{
		"nothing fails":    {func(t *T) { play(t, first) }, nil},
		"it failed before": {func(t *T) { t.Errorf("no"); play(t, first) }, nil},
		"the second":       {func(t *T) { play(t, first); play(t, second); t.Errorf("no") }, second},
		"the first":        {func(t *T) { play(t, first); t.Errorf("no"); play(t, second); t.Errorf("no") }, first},
		"forgotten":        {func(t *T) { play(t, first); t.Forget(); t.Errorf("no") }, nil},
		"a part throws":    {func(t *T) { play(t, first); panic(gmp.Fatal{Msg: "no"}) }, first},
		"a part panics":    {func(t *T) { play(t, first); panic("no") }, first},
	} {
		assert.Equal(t, tt.want, new(T).finish(tt.body).Log, name)
	}
}

// Records have the log of a failed check unless it is very long.
func TestLogInRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results")
	ordered(t, file)
	for events, want := range map[int]bool{maxEvents: true, maxEvents + 1: false} {
		require.NoError(t, os.WriteFile(file, nil, 0o644))
		var inner testing.T
		suite.report(&inner, &suite.Checks[0], func() Outcome { return Outcome{Status: Fail, Log: &trace.Log{Events: make([]trace.Event, events)}} })
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, want, strings.Contains(string(text), `"log":`), events)
	}
}

func TestThrows(t *testing.T) {
	ct := &T{}
	assert.Equal(t, "no", ct.Throws(func() { panic(gmp.Fatal{Msg: "no"}) }))
	assert.Empty(t, ct.Throws(func() {}))
	assert.Panics(t, func() { ct.Throws(func() { todo("x") }) }, "anything else goes on")
}

func TestTidy(t *testing.T) {
	ct := &T{}
	assert.Equal(ct, 1, 2, "the count after %d puts", 3)
	require.Len(t, ct.failures, 1)
	assert.Regexp(t, "^the count after 3 puts\nexpected: 1\nactual  : 2$", ct.failures[0])

	ct = &T{}
	ct.Errorf("plain\n")
	assert.Equal(t, []string{"plain"}, ct.failures)
}

// What comes after a check that hangs in the same process is not run, and says why.
func TestAfterHang(t *testing.T) {
	assert.Empty(t, afterHang("Test/put"))
	name := "get"
	hung.Store(&name)
	defer hung.Store(nil)
	assert.Equal(t, Outcome{Status: Blocked, Message: "not run: get hung already, and goes on in this process; fix that first, or run this check alone: go test -run '^Test$/^put$'"}, afterHang("Test/put"))
}
