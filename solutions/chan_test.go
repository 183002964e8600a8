package solutions_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

func newSched(t *testing.T) (*gmp.Sched, *gmp.M) {
	t.Helper()
	s, err := gmp.New(goVersion(t, "0.x"), nil, gmp.Options{Machine: machine.Options{MemBytes: 4 << 20}})
	require.NoError(t, err)
	return s, s.NewM(0)
}

func TestHchan(t *testing.T) {
	s, mp := newSched(t)
	elem := &machine.Type{Size: 8}
	assert.Nil(t, s.Hchan(0))
	made := map[machine.Addr]*gmp.Hchan{}
	for size := range int64(3000) { // more than one chunk of the table
		c := s.NewHchan(mp, elem, size%5)
		require.Equal(t, uint64(size%5), c.Dataqsiz)
		require.NotContains(t, made, c.Addr)
		made[c.Addr] = c
	}
	for addr, c := range made {
		require.Same(t, c, s.Hchan(addr))
	}
	c := s.NewHchan(mp, elem, 3)
	assert.Equal(t, c.Buf+16, c.Chanbuf(2))
	assert.Zero(t, s.NewHchan(mp, &machine.Type{}, 7).Buf, "elements of no bytes")
	assert.PanicsWithValue(t, gmp.Fatal{Msg: "out of memory"}, func() { s.NewHchan(mp, elem, 1<<40) })
}

func TestTypedmem(t *testing.T) {
	s, mp := newSched(t)
	at, ok := mp.Thread.Alloc(64)
	require.True(t, ok)
	b := s.Machine.Bytes(at, 64)
	for _, size := range []int64{0, 1, 8, 12} {
		for i := range b {
			b[i] = byte(i + 1)
		}
		elem := &machine.Type{Size: size}
		s.Typedmemmove(elem, at+32, at)
		assert.Equal(t, b[:size], b[32:32+size])
		assert.Equal(t, byte(33+size), b[32+size], "nothing beyond the value is written")
		s.Typedmemclr(elem, at)
		assert.Equal(t, make([]byte, size), b[:size])
		assert.Equal(t, byte(1+size), b[size])
	}
	s.Typedmemmove(&machine.Type{}, 0, 0)
	assert.Panics(t, func() { s.Typedmemmove(&machine.Type{Size: 8}, 0, at) }, "address 0 is no place for a value")
}

func TestCopystackAdjustsWhatAWaiterHolds(t *testing.T) {
	s, _ := newSched(t)
	gp := s.Malg(gmp.StartingStack)
	gp.Sched.SP = gp.Stack.Get().Hi - 256
	gp.Sched.Args = gp.Stack.Get().Hi - 64
	second := &gmp.Sudog{G: machine.CellOf(gp), Elem: machine.CellOf[machine.Addr](0x5000)} // in the heap
	gp.Waiting.Set(&gmp.Sudog{G: machine.CellOf(gp), Elem: machine.CellOf(gp.Stack.Get().Hi - 128), Waitlink: machine.CellOf(second)})
	gp.Selects.Set([]gmp.Scase{{Elem: gp.Stack.Get().Hi - 128}, {}})
	s.Copystack(gp, 2*gmp.StartingStack)
	assert.Equal(t, gp.Stack.Get().Hi-128, gp.Waiting.Get().Elem.Get())
	assert.Equal(t, machine.Addr(0x5000), second.Elem.Get())
	assert.Equal(t, []gmp.Scase{{Elem: gp.Stack.Get().Hi - 128}, {}}, gp.Selects.Get())
	assert.Equal(t, gp.Stack.Get().Hi-64, gp.Sched.Args)
}

const rendezvous = `package main

import "fmt"

func main() {
	c := make(chan int)
	go func() { c <- 42 }()
	fmt.Println(<-c, len(c), cap(make(chan bool, 3)))
}
`

func TestParkAndReadyAreTraced(t *testing.T) {
	res, out, _ := playSource(t, rendezvous, gmp.Version{}, gmp.Options{Check: true, Trace: true})
	require.NoError(t, res.Err)
	assert.Equal(t, "42 0 3\n", out)
	var events []trace.Event
	for _, e := range res.Log.Events {
		if e.Kind == trace.Park || e.Kind == trace.Ready {
			e.T = 0
			events = append(events, e)
		}
	}
	assert.Equal(t, []trace.Event{
		{Kind: trace.Park, G: 1, P: trace.None, Line: 8, Text: "chan receive"},
		{Kind: trace.Ready, G: 1, P: trace.None, By: 2},
	}, events)
}

// A badParking breaks a rule of the watcher's.
type badParking struct {
	gmp.Parking
	s    *gmp.Sched
	park func(s *gmp.Sched, mp *gmp.M, gp *gmp.G, unlock func())
}

func (p badParking) Gopark(mp *gmp.M, gp *gmp.G, unlockf func(gp *gmp.G, lock any) bool, lock any, reason gmp.WaitReason) {
	p.park(p.s, mp, gp, func() { unlockf(gp, lock) })
}

func TestWatcherOfParking(t *testing.T) {
	for name, c := range map[string]struct {
		park func(s *gmp.Sched, mp *gmp.M, gp *gmp.G, unlock func())
		want string
	}{
		"queued": {
			func(s *gmp.Sched, mp *gmp.M, gp *gmp.G, unlock func()) {
				s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
				s.Dropg(mp)
				s.Globrunqput(gp)
			},
			"Globrunqput puts G1 on the global queue; it has parked, and Ready was not called for it (the rule: a parked G is on no run queue, and no M runs it)",
		},
		"unlocked early": {
			func(s *gmp.Sched, mp *gmp.M, gp *gmp.G, unlock func()) { unlock() },
			"unlockf, called by Gopark: G1 is running, not waiting (the rule: the state of a G says where it is)",
		},
		"stays": {
			func(s *gmp.Sched, mp *gmp.M, gp *gmp.G, unlock func()) {
				s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
				unlock()
			},
			"Gopark returned, and M0 still runs G1 (the rule: a parked G is on no run queue, and no M runs it)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			own := gmp.Version{Parking: func(s *gmp.Sched) gmp.Parking { return badParking{nil, s, c.park} }}
			res, _, _ := playSource(t, rendezvous, own, gmp.Options{Check: true})
			assert.EqualError(t, res.Err, c.want)
		})
	}
}
