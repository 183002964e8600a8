// Package sample says how much the tests of the course repeat. Many of them have one
// thought for a whole table: each program, in each version of Go, on several numbers of
// Ps, interrupted in many places. To run all of that before each push would tell little
// more than a part of it.
//
// So a test runs a sample, always the same one: its fields are dealt out like cards, see
// Deal. With GOSCHED_WHOLE=1 in the environment it runs everything, which is what the
// nightly run of the repository does. With -short the sample is as small as can be.
//
//	GOSCHED_WHOLE=1 go test ./solutions -run TestCorpus
package sample

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// Env names the environment variable that asks for everything, if it is 1.
const Env = "GOSCHED_WHOLE"

// Whole reports whether everything is to be run.
func Whole() bool { return os.Getenv(Env) == "1" }

// Of is some in a sample, the first of them with -short, and whole in the nightly: a
// number of seeds, of steps or of repetitions.
func Of[N int | int64 | uint64](short, some, whole N) N {
	switch {
	case Whole():
		return whole
	case testing.Short():
		return short
	}
	return some
}

// Deal returns which columns of a table a test runs in one of its rows: n of them in a
// sample, one with -short. The columns are shuffled, by a fixed seed, and dealt to the
// rows, which count from 0, as long as there are any, and then again from the first. So
// each row has its share, and with enough rows each column comes up, as often as any
// other.
func Deal[T any](row, n int, columns []T) []T {
	n = Of(1, n, len(columns))
	if n >= len(columns) {
		return columns
	}
	order := rand.New(rand.NewPCG(1, 0)).Perm(len(columns))
	var places []int
	for i := range n {
		places = append(places, order[(row*n+i)%len(columns)])
	}
	slices.Sort(places)
	var dealt []T
	for _, i := range places {
		dealt = append(dealt, columns[i])
	}
	return dealt
}
