package ch01

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
)

// TestPage compares the table of the book's page with the edges that the suite
// takes for legal.
func TestPage(t *testing.T) {
	text, err := os.ReadFile("../../book/en/01_goroutine.md")
	require.NoError(t, err)
	var onPage []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| `(\\w+)` \\|").FindAllStringSubmatch(string(text), -1) {
		onPage = append(onPage, row[1]+" to "+row[2])
	}
	var legal []string
	for _, e := range edges {
		legal = append(legal, e.String())
	}
	assert.ElementsMatch(t, legal, onPage)
}

// TestEdges checks the diagram itself: each state can be reached from idle, and
// each one but idle can be left for another life.
func TestEdges(t *testing.T) {
	reach := func(from uint32) map[uint32]bool {
		seen := map[uint32]bool{from: true}
		for todo := []uint32{from}; len(todo) > 0; todo = todo[1:] {
			for _, e := range edges {
				if e.from == todo[0] && !seen[e.to] {
					seen[e.to] = true
					todo = append(todo, e.to)
				}
			}
		}
		return seen
	}
	for _, st := range states {
		assert.True(t, reach(gmp.Gidle)[st], "%s cannot be reached", gmp.StatusName(st))
		assert.True(t, reach(st)[gmp.Gdead], "there is no way to end from %s", gmp.StatusName(st))
	}
}
