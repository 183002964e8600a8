package figures_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gosched/book/figures"
)

// This file proves what the page of the chapter says about the real scheduler: the
// orders that the checks spawn-order and spawn-overflow ask for are Go's own.

func TestRunqRealGo(t *testing.T) {
	const tries = 5
	real := figures.BuildReal(t, "chapters/ch07_runq/programs/order.go")
	for _, c := range []struct {
		n       int
		matches func(order []int) bool
	}{
		{5, func(order []int) bool { return slices.Equal(order, []int{4, 0, 1, 2, 3}) }},
		{257, func(order []int) bool { return slices.Equal(order, append([]int{256}, span(0, 255)...)) }},
		{258, overflowOrder},
	} {
		t.Run(strconv.Itoa(c.n), func(t *testing.T) {
			var seen []string
			for range tries {
				out := real(strconv.Itoa(c.n)).Stdout
				if order := parse(t, out); c.matches(order) {
					return
				}
				seen = append(seen, out)
			}
			t.Errorf("real Go runs %d goroutines in none of %d tries in the order that the page says:\n%s", c.n, tries, strings.Join(seen, "\n"))
		})
	}
}

// overflowOrder reports whether 258 goroutines run as they must: the last one first,
// then the newer half of the ring, and in between, 61 apart, some of those that went
// to the global queue; then the others from there, and the one that found no room at
// the end. At which tick that begins depends on what ran before.
func overflowOrder(order []int) bool {
	local := append([]int{257}, span(128, 255)...)
	var early []int // positions of those from the global queue before the ring was empty
	i := 0
	for ; len(local) > 0 && i < len(order); i++ {
		if order[i] == local[0] {
			local = local[1:]
		} else {
			early = append(early, i)
		}
	}
	var global []int
	for j, at := range early {
		if j > 0 && at-early[j-1] != 61 {
			return false
		}
		global = append(global, order[at])
	}
	global = append(global, order[i:]...)
	return len(early) >= 2 && slices.Equal(global, append(span(0, 127), 256))
}

// span lists the numbers from first to last.
func span(first, last int) []int {
	var list []int
	for i := first; i <= last; i++ {
		list = append(list, i)
	}
	return list
}

// parse reads what the program prints: a number or "3 to 9" a line.
func parse(t *testing.T, out string) []int {
	var order []int
	for line := range strings.Lines(out) {
		from, to, many := strings.Cut(strings.TrimSpace(line), " to ")
		first, err := strconv.Atoi(from)
		require.NoError(t, err)
		last := first
		if many {
			last, err = strconv.Atoi(to)
			require.NoError(t, err)
		}
		order = append(order, span(first, last)...)
	}
	return order
}
