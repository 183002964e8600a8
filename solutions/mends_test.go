package solutions_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/solutions"
)

// TestMends: each part to mend has its check and its mutant; what is said to be the smallest
// change is what the solution makes; and the words of the two steps are in the interleaving.
func TestMends(t *testing.T) {
	for _, ch := range chapters.All {
		if ch.Suite == nil {
			continue
		}
		mutants := map[string]string{}
		for _, m := range solutions.Mutants(ch.ID) {
			mutants[m.Name] = m.Check
		}
		mends := solutions.Mends(ch.ID)
		if len(mends.List) == 0 {
			continue
		}
		messages, err := os.ReadFile(filepath.Join(ch.Dir, "testdata", "mutants.golden"))
		require.NoError(t, err)
		mended := 0
		for _, c := range ch.Suite.Checks {
			if c.Kind == check.Mended {
				mended++
			}
		}
		assert.Equal(t, mended, len(mends.List), "%s: checks of kind mend, and Mends", ch.ID)
		for _, m := range mends.List {
			c := ch.Suite.Check(m.Check)
			if assert.NotNil(t, c, "%s: %s", ch.ID, m.Check) {
				assert.Equal(t, check.Mended, c.Kind, "%s: %s", ch.ID, m.Check)
			}
			assert.NotEmpty(t, mutants[m.Mutant], "%s: %s is of the mutant %s", ch.ID, m.Check, m.Mutant)
			_, message, _ := strings.Cut(string(messages), "=== "+m.Mutant+" fails ")
			message, _, _ = strings.Cut(message, "\n=== ")
			rows := strings.Join(strings.Fields(check.Rows(message)), " ")
			for _, words := range slices.Concat(m.Met[0], m.Met[1]) {
				assert.Contains(t, rows, strings.Join(strings.Fields(words), " "), "%s: %s: the words of a step are in no row", ch.ID, m.Check)
			}
			file, err := os.ReadFile(filepath.Join(ch.Dir, "mend_test.go"))
			require.NoError(t, err)
			n, err := m.Change(mends.Source, string(file))
			require.NoError(t, err, "%s: %s", ch.ID, m.Check)
			assert.Equal(t, n, m.Lines, "%s: %s: the lines that the solution changes", ch.ID, m.Check)
		}
	}
}
