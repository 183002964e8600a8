package sim

import "math/bits"

// A cpuSet is a set of CPUs, with a bit for each.
type cpuSet [MaxCPUs / 64]uint64

func (set *cpuSet) add(cpu int)      { set[cpu/64] |= 1 << (cpu % 64) }
func (set *cpuSet) remove(cpu int)   { set[cpu/64] &^= 1 << (cpu % 64) }
func (set *cpuSet) has(cpu int) bool { return set[cpu/64]>>(cpu%64)&1 != 0 }

func (set *cpuSet) len() (n int) {
	for _, word := range set {
		n += bits.OnesCount64(word)
	}
	return n
}

// nth returns the n-th CPU of the set, in the order of their numbers, counted from 0.
func (set *cpuSet) nth(n int) int {
	for i, word := range set {
		if in := bits.OnesCount64(word); n >= in {
			n -= in
			continue
		}
		for range n {
			word &= word - 1
		}
		return 64*i + bits.TrailingZeros64(word)
	}
	panic("sim: the set has no such CPU")
}

// allCPUs is the set of the first n CPUs.
func allCPUs(n int) (set cpuSet) {
	for cpu := range n {
		set.add(cpu)
	}
	return set
}
