package gmp

import "testing"

// noMatching has no G to hand over.
type noMatching struct{ Matching }

func (noMatching) Matchmg(*M) {}

// In Go 1.0 a number above 32757 is that number.
func TestMaxMcpu(t *testing.T) {
	s := NewBare(Version{Matching: func(*Sched) Matching { return noMatching{} }}, nil)
	for _, n := range []int64{1, 32757, 32758, 1 << 40} {
		s.setMcpumax(nil, n)
		if got := int64(s.Mcpumax.Get()); got != min(n, 32757) {
			t.Errorf("after GOMAXPROCS(%d) Mcpumax is %d; want %d", n, got, min(n, 32757))
		}
	}
}
