package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/solutions/mutation"
)

// someMutations is a run with five mutations, four of which have been run.
func someMutations() *mutationRun {
	const ch = "ch01"
	killed := &mutation.Mutation{Chapter: ch, Name: "killed"}
	alive := &mutation.Mutation{Chapter: ch, Name: "alive"}
	unsteady := &mutation.Mutation{Chapter: ch, Name: "unsteady"}
	listed := &mutation.Mutation{Chapter: ch, Name: "listed"}
	byRule := &mutation.Mutation{Chapter: ch, Name: "by rule", Rule: "nothing comes behind it"}
	all := []*mutation.Mutation{killed, alive, unsteady, listed, byRule}
	return &mutationRun{
		solutions: []*mutation.Solution{{Chapter: ch, Mutations: all}},
		listed:    map[string]map[string]string{ch: {"listed": "It is right."}},
		picked:    slices.Clone(all),
		verdicts: map[*mutation.Mutation]mutation.Verdict{
			killed:   {Check: "free-reuse", Message: "no"},
			alive:    {},
			unsteady: {Check: "waves", Unsteady: true},
			listed:   {},
		},
	}
}

func TestMutationTable(t *testing.T) {
	a := newTestApp(t, 80)
	a.mutationTable(someMutations())
	assert.Equal(t, ""+
		"chapter  mutations  killed  by rule  listed  alive   listed\n"+
		"ch01             5       1        1       1      2    20.0%\n", a.out.String())
}

func TestWrongLists(t *testing.T) {
	r := someMutations()
	assert.Empty(t, r.wrongLists())
	r.listed["ch01"] = map[string]string{"killed": "?", "gone": "?", "by rule": "?"}
	assert.Equal(t, []string{
		`ch01 lists "by rule", which is equivalent by a rule: nothing comes behind it`,
		`ch01 lists "gone", and there is no such mutation; has the solution changed?`,
		`ch01 lists "killed", but free-reuse fails: no`,
	}, r.wrongLists())
}

// TestSurvivors: they are remembered, and what was not run stays as it was.
func TestSurvivors(t *testing.T) {
	a := newTestApp(t, 80)
	r := someMutations()
	require.NoError(t, a.saveSurvivors(r))
	assert.Equal(t, map[string][]string{"ch01": {"alive", "unsteady"}}, a.loadSurvivors())

	pick, err := a.picker(mutateOptions{survivors: true, jobs: 1})
	require.NoError(t, err)
	r.pick(pick)
	assert.Len(t, r.picked, 2)
	delete(r.verdicts, r.picked[0])
	r.verdicts[r.picked[1]] = mutation.Verdict{Check: "waves"}
	require.NoError(t, a.saveSurvivors(r))
	assert.Equal(t, []string{"alive"}, a.loadSurvivors()["ch01"])
}

// TestChoose: the same seed chooses the same, and none that is excused.
func TestChoose(t *testing.T) {
	r, again := someMutations(), someMutations()
	r.choose(2, 1)
	again.choose(2, 1)
	require.Len(t, r.picked, 2)
	for i, m := range r.picked {
		assert.Equal(t, m.Name, again.picked[i].Name)
		assert.NotContains(t, []string{"listed", "by rule"}, m.Name)
	}
}
