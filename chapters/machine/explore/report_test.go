package explore_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/check/golden"
	"gosched/chapters/machine"
	. "gosched/chapters/machine/explore"
)

// The models that reports are hard to write of: what they hang on stands in the
// middle of a call, and everything is too long.
var reported = []sample{
	{name: "read-in-a-call", kind: LostWakeup, model: readInACall},
	{name: "loop-for-old-value", kind: Livelock, model: loopForOldValue},
	{name: "loop-that-counts", kind: Livelock, opt: Options{Depth: 3000}, model: loopThatCounts},
	{name: "loop-too-long", kind: Livelock, opt: Options{Depth: 2000}, model: loopTooLong},
	{name: "two-in-a-line", kind: Violation, model: twoInALine},
	{name: "everything-long", kind: Violation, model: everythingLong},
	{name: "race-after-wakeup", kind: DataRace, model: raceAfterWakeup},
	{name: "race-of-writes", kind: DataRace, model: raceOfWrites},
	{name: "race-in-memory", kind: DataRace, model: slotModel(true)},
	{name: "race-with-free", kind: DataRace, model: stackFreeModel(false)},
	{name: "count-in-two-steps", kind: Violation, model: countModel(false)},
	{name: "put-before-the-first-switch", kind: Violation, model: putBefore},
}

// maxColumns is how wide a report may be, but for the sentences before the lanes
// and the replay string.
const maxColumns = 102

func TestReports(t *testing.T) {
	reports := golden.Open(t, "testdata/reports.golden")
	defer reports.Close(t)
	for _, s := range reported {
		t.Run(s.name, func(t *testing.T) {
			f := failure(t, Explore(s.opt, s.model), s.kind)
			reports.Compare(t, s.name, f.String())
			_, lanes, _ := strings.Cut(f.String(), "\n\n")
			lanes, _, _ = strings.Cut(lanes, "\n\n")
			assert.LessOrEqual(t, strings.Count(lanes, "\n"), 50, "lines")
			for line := range strings.Lines(lanes) {
				assert.LessOrEqual(t, utf8.RuneCountInString(line), maxColumns+1, line)
			}
		})
	}
}

// A spinner that looks at another's counter in the middle of a call, and goes to
// sleep for what it has seen there.
type wakers struct {
	spinning, looked machine.Int32
	note             machine.Note
}

func (w *wakers) wake() {
	w.looked.Add(1)
	if w.spinning.Load() == 0 {
		w.note.Wakeup()
	}
	w.looked.Add(1)
}

func readInACall(m *Model) {
	w := &wakers{}
	w.spinning.Store(1)
	m.Thread("M0", func() { w.wake() })
	m.Thread("M1", func() {
		w.spinning.Add(-1)
		w.note.Sleep()
	})
}

// One thread waits until another says that it is done, which that one does not,
// because it has looked too early.
func loopForOldValue(m *Model) {
	var want, done machine.Bool
	m.Thread("M0", func() {
		want.Store(true)
		for !done.Load() {
			machine.Osyield()
		}
	})
	m.Thread("M1", func() {
		if want.Load() {
			done.Store(true)
		}
	})
}

// Two threads change something in each round of a loop that nobody ends.
func loopThatCounts(m *Model) {
	var rounds, other machine.Uint32
	var flag machine.Bool
	wait := func(n *machine.Uint32) {
		for !flag.Load() {
			n.Add(1)
			n.Add(1)
			machine.Osyield()
		}
	}
	m.Thread("one", func() { wait(&rounds) })
	m.Thread("other", func() { wait(&other) })
}

// Hundreds of steps in which nothing repeats.
func loopTooLong(m *Model) {
	var vars [7]machine.Uint32
	turn := 0
	work := func() {
		for i := 0; ; i = (i*i + 3) % 1009 {
			vars[i%7].Add(uint32(i))
			if turn++; turn%3 == 0 {
				machine.Osyield()
			}
		}
	}
	turn = 0
	m.Thread("one", work)
	m.Thread("other", work)
}

func twoInALine(m *Model) {
	var head, tail machine.Uint32
	empty := func() bool { return head.Load() == tail.Load() && tail.Load() == head.Load() }
	m.Thread("owner", func() {
		tail.Add(2)
		head.Add(1)
	})
	m.Thread("thief", func() { assert.True(m, empty() || empty(), "empty") })
}

type aNodeWithAVeryLongNameThatNobodyWantsToReadTwice struct {
	theNextNodeInTheListOfNodes machine.Pointer[aNodeWithAVeryLongNameThatNobodyWantsToReadTwice]
}

func (*aNodeWithAVeryLongNameThatNobodyWantsToReadTwice) String() string {
	return strings.Repeat("very ", 40) + "long"
}

func (n *aNodeWithAVeryLongNameThatNobodyWantsToReadTwice) insertItAtTheVeryBeginningOfTheList(list []machine.Pointer[aNodeWithAVeryLongNameThatNobodyWantsToReadTwice]) {
	for i := range list {
		list[i].CompareAndSwap(list[i].Load(), n.theNextNodeInTheListOfNodes.Load())
		list[(i+len(list))%len(list)].CompareAndSwap(n.theNextNodeInTheListOfNodes.Load(), n)
	}
}

func everythingLong(m *Model) {
	type node = aNodeWithAVeryLongNameThatNobodyWantsToReadTwice
	var lists [2][12]machine.Pointer[node]
	for i := range 5 {
		m.Thread(fmt.Sprintf("the thread with the number %d and a long name", i), func() {
			n := new(node)
			m.Logf("begins, and has a great deal to say about that, which takes several lines, and more than there is room for beside the lanes of the others")
			n.insertItAtTheVeryBeginningOfTheList(lists[i%2][:])
			if i == 4 {
				m.Errorf("the last one")
			}
		})
	}
}

// The value is put there after the wake-up, in which the other thread takes it.
type parking struct {
	note  machine.Note
	param machine.Cell[int]
}

func (p *parking) ready(v int) {
	p.note.Wakeup()
	p.param.Set(v)
}

func (p *parking) park() int {
	p.note.Sleep()
	return p.param.Get()
}

func raceAfterWakeup(m *Model) {
	var p parking
	m.Thread("M0", func() { p.ready(1) })
	m.Thread("M1", func() { p.park() })
}

func raceOfWrites(m *Model) {
	var p parking
	m.Thread("M0", func() { p.param.Set(1) })
	m.Thread("M1", func() { p.param.Set(2) })
}

// putBefore puts something before it begins, and then the thread that runs first does
// nothing that is shown.
func putBefore(m *Model) {
	var plain machine.Cell[int]
	var n machine.Int32
	m.Put("a letter")
	m.Thread("a", func() { plain.Set(1) })
	m.Thread("b", func() { n.Add(1) })
}
