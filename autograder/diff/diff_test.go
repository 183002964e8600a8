package diff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUnified(t *testing.T) {
	long := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n"
	for _, tt := range []struct{ name, a, b, want string }{
		{"equal", "x\n", "x\n", ""},
		{"change", "a\nb\nc\n", "a\nB\nc\n", "--- a\n+++ b\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"all new", "", "a\nb\n", "--- a\n+++ b\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"all gone", "a\n", "", "--- a\n+++ b\n@@ -1 +0,0 @@\n-a\n"},
		{"newline at the end", "a", "a\n", "--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"two hunks", long, strings.Replace(strings.Replace(long, "2\n", "", 1), "14\n", "x\n", 1),
			"--- a\n+++ b\n@@ -1,5 +1,4 @@\n 1\n-2\n 3\n 4\n 5\n@@ -11,5 +10,5 @@\n 11\n 12\n 13\n-14\n+x\n 15\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Empty(t, cmp.Diff(tt.want, Unified("a", "b", tt.a, tt.b)))
		})
	}
}

// apply makes b of a and a difference, trusting nothing but the format.
func apply(t *testing.T, a, unified string) string {
	t.Helper()
	if unified == "" {
		return a
	}
	var out []string
	source := lines(a)
	at := 0
	for _, line := range strings.SplitAfter(unified, "\n")[2:] {
		switch {
		case line == "":
		case strings.HasPrefix(line, "@@"):
			var start, count int
			if n, _ := fmt.Sscanf(line, "@@ -%d,%d", &start, &count); n == 1 {
				count = 1
			}
			if count > 0 {
				start--
			}
			out = append(out, source[at:start]...)
			at = start
		default:
			if line[0] != '+' {
				require.Equal(t, source[at], line[1:])
				at++
			}
			if line[0] != '-' {
				out = append(out, line[1:])
			}
		}
	}
	return strings.Join(append(out, source[at:]...), "")
}

// A difference of random texts, applied to the first, gives the second.
func TestUnifiedApplies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func() string {
		var b strings.Builder
		for range r.IntN(40) {
			fmt.Fprintln(&b, r.IntN(4))
		}
		return b.String()
	}
	for range 500 {
		a, b := random(), random()
		unified := Unified("a", "b", a, b)
		require.Equal(t, b, apply(t, a, unified), "a:\n%sdifference:\n%s", a, unified)
	}
}
