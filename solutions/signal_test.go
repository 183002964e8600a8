package solutions_test

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/sample"
	"gosched/solutions"
)

// A signal may stop a G before any instruction that Program.UnsafePoint does not exclude,
// and there its stack may move: no program of the corpus notices.
func TestCorpusInterrupted(t *testing.T) {
	all, err := programs()
	require.NoError(t, err)
	v, err := solutions.Go("1.14")
	require.NoError(t, err)
	v.Signals = movesStack(v.Signals)

	var every []int64
	for k := int64(1); k <= 200; k++ {
		every = append(every, k)
	}
	random := rand.New(rand.NewPCG(14, 0))
	for range 50 {
		every = append(every, 201+random.Int64N(5000))
	}
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			if unlike["1.14/"+p.name] != "" {
				t.Skip(unlike["1.14/"+p.name])
			}
			if p.name == "go_nil_args" || p.name == "go_nil_method" {
				t.Skip("main yields once, so that another one panics; an interrupted one has lost its turn, and main ends first")
			}
			if ofTime(p) {
				t.Skip("it counts on who is first by some milliseconds")
			}
			t.Parallel()
			for _, procs := range sample.Deal(p.row, 1, corpusProcs(v, p)) {
				for _, k := range sample.Deal(p.row, 2, every) {
					out, _ := play(t, v, p.prog, gmp.Options{Procs: procs, Signal: k}, (*gmp.Sched).Main)
					assert.Equal(t, p.want, out, "%d Gs at once, interrupted after every %d instructions", procs, k)
				}
			}
		})
	}
}

// movesStack is a Signals that moves the stack of each G that a signal stops.
func movesStack(signals func(s *gmp.Sched) gmp.Signals) func(s *gmp.Sched) gmp.Signals {
	return func(s *gmp.Sched) gmp.Signals { return &stackMover{signals(s), s} }
}

// largeStack is that of a program about stacks. It is left where it is: moving it thousands
// of times takes minutes.
const largeStack = 64 << 10

type stackMover struct {
	gmp.Signals
	s *gmp.Sched
}

func (p *stackMover) Asyncpreempt2(mp *gmp.M, gp *gmp.G) {
	st := gp.Stack.Get()
	if st.Hi-st.Lo > largeStack {
		p.Signals.Asyncpreempt2(mp, gp)
		return
	}
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gcopystack)
	p.s.Copystack(gp, uint64(st.Hi-st.Lo))
	p.s.Casgstatus(gp, gmp.Gcopystack, gmp.Grunning)
	p.Signals.Asyncpreempt2(mp, gp)
}

// Without the marks of the compiler a program goes wrong: an address that is being passed
// leads to the old stack.
func TestUnsafePoints(t *testing.T) {
	all, err := programs()
	require.NoError(t, err)
	v, err := solutions.Go("1.14")
	require.NoError(t, err)
	v.Signals = movesStack(v.Signals)
	for _, p := range all {
		if p.name != "go_panic" {
			continue
		}
		marks := p.prog.Unsafe
		for _, marked := range []bool{true, false} {
			if !marked {
				p.prog.Unsafe = nil
				defer func() { p.prog.Unsafe = marks }()
			}
			s, err := gmp.New(v, p.prog, gmp.Options{Machine: machine.Options{MemBytes: someMemory}, Signal: 30, Budget: 100_000})
			require.NoError(t, err)
			assert.Equal(t, marked, s.Main().Fatal != "", "marked: %v; whether the program panics", marked)
		}
	}
}

// Signals for nothing, as many as another thread can send, change nothing either.
func TestSignalStorm(t *testing.T) {
	all, err := programs()
	require.NoError(t, err)
	v, err := solutions.Go("1.14")
	require.NoError(t, err)
	for _, p := range all {
		if p.row%sample.Of(8, 8, 1) != 0 && !p.blocking || unlike["1.14/"+p.name] != "" || ofTime(p) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			if p.name == "sys_errors" {
				t.Skip("it sleeps in the kernel by a call of its own, and sees EINTR, as it would under Go")
			}
			procs := corpusProcs(v, p)
			out, _ := play(t, v, p.prog, gmp.Options{Procs: procs[len(procs)-1]}, func(s *gmp.Sched) gmp.Result {
				var over atomic.Bool
				done := make(chan struct{})
				go func() {
					defer close(done)
					for !over.Load() {
						for mp := s.Allm.Load(); mp != nil; mp = mp.Alllink.Peek() {
							s.PreemptM(nil, mp)
						}
					}
				}()
				res := s.Main()
				over.Store(true)
				<-done
				return res
			})
			assert.Equal(t, p.want, out)
		})
	}
}
