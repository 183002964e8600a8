package rehearsal

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/gen"
	"gosched/autograder/policy"
	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/sample"
	"gosched/solutions/mutation"
)

const root = "../../.."

// inList is how many mutations the list has.
const inList = 200

// TestMutations: the list has as many mutations as it should, of checks that there are, and in the
// nightly each can be made, and is not refused. With GOSCHED_UPDATE=1 it
// is drawn anew, which takes some minutes.
func TestMutations(t *testing.T) {
	if os.Getenv(check.UpdateEnv) == "1" {
		list = draw(t)
		require.NoError(t, os.WriteFile("mutations.txt", []byte(list), 0o644))
	}
	assert.Equal(t, inList, strings.Count(list, "\n"))
	known := 0
	for _, ch := range chapters.All {
		known += len(listed(ch.ID))
		for _, m := range listed(ch.ID) {
			_, name, _ := strings.Cut(m.Check, "/")
			assert.NotNil(t, ch.Suite.Check(name), m.Check)
		}
	}
	assert.Equal(t, inList, known, "each line is of a chapter")
	if !sample.Whole() {
		return // some are made in TestClass of the command, and in TestBothWays of package trusted
	}
	for _, ch := range written() {
		mutants, err := Mutants(root, ch, inList)
		require.NoError(t, err)
		require.NotEmpty(t, mutants, ch.ID)
		for _, m := range mutants {
			assert.Empty(t, refused(ch, m), m.Name)
		}
	}
}

func written() []chapters.Chapter {
	return slices.DeleteFunc(slices.Clone(chapters.All), func(ch chapters.Chapter) bool { return ch.Suite == nil })
}

// refused is what the policy has against a mutant.
func refused(ch chapters.Chapter, m Mutant) []policy.Finding {
	return append(policy.Check(m.File, m.Text), policy.Parts(m.File, m.Text, ch.Suite.Parts)...)
}

// draw draws mutations by lot and keeps those that a check sees, twice.
func draw(t *testing.T) string {
	var dirs []string
	of := map[string]chapters.Chapter{}
	for _, ch := range written() {
		dirs, of[ch.ID] = append(dirs, ch.Dir), ch
	}
	loaded, err := mutation.Load(root, dirs)
	require.NoError(t, err)
	var drawn []*mutation.Mutation
	for _, s := range loaded {
		drawn = append(drawn, possible(t, of[s.Chapter], s)...)
	}
	stage := func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
	verdicts, err := mutation.Run(t.Context(), root, loaded, drawn, mutation.Options{Jobs: 2, Repeat: 1, Stage: stage})
	require.NoError(t, err)
	by := map[string][]string{}
	for _, m := range drawn {
		if v := verdicts[m]; v.Killed() {
			by[m.Chapter] = append(by[m.Chapter], m.Chapter+"/"+v.Check+"  "+m.Name+"\n")
		}
	}
	var lines strings.Builder
	left := inList
	for i, s := range loaded {
		n := (left + len(loaded) - i - 1) / (len(loaded) - i)
		require.GreaterOrEqual(t, len(by[s.Chapter]), n, s.Chapter)
		lines.WriteString(strings.Join(by[s.Chapter][:n], ""))
		left -= n
	}
	return lines.String()
}

// spare is how many mutations of a chapter are drawn; some are not seen by a check.
const spare = 2 * inList / 18

// possible are mutations of a chapter that may be seen and that an exercise can have: those of
// atomic operations call functions that exercises do not have.
func possible(t *testing.T, ch chapters.Chapter, s *mutation.Solution) (some []*mutation.Mutation) {
	equivalent, err := mutation.Equivalent(root, ch.Dir)
	require.NoError(t, err)
	solved, err := gen.Solution(root, ch)
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 0))
	for _, i := range random.Perm(len(s.Mutations)) {
		m := s.Mutations[i]
		if m.Rule != "" || equivalent[m.Name] != "" || strings.Contains(m.Source, "split") || strings.Contains(m.Source, "blindStore") {
			continue
		}
		if made, err := mutant(root, ch, solved, m, ""); err == nil && refused(ch, made) == nil {
			some = append(some, m)
		}
		if len(some) == spare {
			break
		}
	}
	return some
}
