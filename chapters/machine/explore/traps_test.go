package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// traps are programs whose outcomes are known, or that a search has got wrong.
var traps = map[string]struct {
	tiny
	finals int // states at the end
}{
	"store buffers": {tiny{vars: []varKind{aUint32, aUint32}, threads: [][]instr{
		{{op: tStore, v: 0, a: 1}, {op: tLoad, v: 1}},
		{{op: tStore, v: 1, a: 1}, {op: tLoad, v: 0}},
	}}, 3},
	"a lost update": {tiny{vars: []varKind{anInt64}, threads: [][]instr{
		{{op: tLoad}, {op: tStore, a: 1}},
		{{op: tLoad}, {op: tStore, a: 1}},
	}}, 3},
	"one swap wins": {tiny{vars: []varKind{aPointer}, threads: [][]instr{
		{{op: tCAS, a: 0, b: 1}}, {{op: tCAS, a: 0, b: 2}}, {{op: tCAS, a: 0, b: 3}},
	}}, 3},
	"readers do not see each other": {tiny{vars: []varKind{aBool}, threads: [][]instr{
		{{op: tLoad}}, {{op: tLoad}}, {{op: tStore, a: 1}}, {{op: tLoad}},
	}}, 8},
	"locks in two orders": {tiny{mutexes: 2, threads: [][]instr{
		{{op: tLock, v: 0}, {op: tLock, v: 1}, {op: tUnlock, v: 1}, {op: tUnlock, v: 0}},
		{{op: tLock, v: 1}, {op: tLock, v: 0}, {op: tUnlock, v: 0}, {op: tUnlock, v: 1}},
	}}, 2},
	"TryLock sees a lock that Lock waits for": {tiny{mutexes: 1, threads: [][]instr{
		{{op: tLock}, {op: tUnlock}},
		{{op: tLock}, {op: tUnlock}},
		{{op: tTryLock}, {op: tUnless, a: 1, n: 1}, {op: tUnlock}},
	}}, 2},
	// A thread is kept from a note by a clear, in executions that go on with
	// what is asleep.
	"clear takes the signal away": {tiny{vars: []varKind{aUint32, aBool}, notes: 1, threads: [][]instr{
		{{op: tLoad, v: 0}, {op: tSleep}, {op: tLoad, r: 1, v: 1}},
		{{op: tStore, v: 0, a: 2}, {op: tStore, v: 1, a: 2}, {op: tCAS, r: 1, v: 1, a: 2, b: 1}},
		{{op: tLoad, r: 1, v: 0}},
		{{op: tWakeup}, {op: tStore, v: 0, a: 0}, {op: tClear}},
	}}, 0},
	// A thread passes two timeouts in which nothing changes, and is not in a loop.
	"two timeouts": {tiny{vars: []varKind{aUint32}, notes: 1, threads: [][]instr{
		{{op: tAdd, a: 2}, {op: tCAS, r: 1, a: 0, b: 1}},
		{{op: tSleepTimeout}, {op: tSleepTimeout}, {op: tAwait, r: 1, a: 0}},
		{{op: tLoad}, {op: tStore, a: 0}},
	}}, 0},
}

func TestTraps(t *testing.T) {
	for name, trap := range traps {
		t.Run(name, func(t *testing.T) {
			want, ok := trap.search(100_000)
			require.True(t, ok)
			require.False(t, want.wrong)
			if trap.finals > 0 {
				assert.Len(t, want.finals, trap.finals, "the oracle's own: %v", sorted(want.finals))
			}
			for _, s := range []strategy{reduced, sleepSets, everyOrder, bounded} {
				got, _ := trap.all(s, 20_000_000)
				assert.True(t, got.complete)
				assert.False(t, got.wrong)
				assert.Equal(t, sorted(want.finals), sorted(got.finals), "strategy %d", s)
			}
		})
	}
}
