package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
)

// rightStatuses stands for a solution; rewritten and inherits for alternatives of it.
type rightStatuses struct{ gmp.Statuses }

func (rightStatuses) Casgstatus(gp *gmp.G, oldval, newval uint32) {}

type rewritten struct{ gmp.Statuses }

func (*rewritten) Casgstatus(gp *gmp.G, oldval, newval uint32) {}

type inherits struct{ rightStatuses }

// TestWrongFreedoms: a list that leaves out a method, or names what is not there or takes no
// freedom, is told so.
func TestWrongFreedoms(t *testing.T) {
	s := &Suite{ID: "ch99", Parts: []string{"Statuses"}, Checks: []Check{{Methods: []string{"Casgstatus", "mine"}}}}
	statuses := func(part gmp.Statuses) gmp.Version {
		return gmp.Version{Statuses: func(*gmp.Sched) gmp.Statuses { return part }}
	}
	base := statuses(rightStatuses{})
	alternatives := map[string]gmp.Version{
		"rewritten": statuses(&rewritten{}),
		"inherits":  statuses(inherits{}),
		"embeds":    statuses(struct{ gmp.Statuses }{}),
	}
	for _, c := range []struct{ text, wrong string }{
		{"# a comment\n\nCasgstatus: rewritten\n\tWhich\n\tway.\n", ""},
		{"Casgstatus: none\n\tOne swap does it.\n", ""},
		{"Casgstatus: rewritten\n\tThis.\nCasgstatus: rewritten\n\tThat.\n", ""},
		{"", "what does the contract of Casgstatus leave open?"},
		{"Casgstatus: inherits\n\tWhich way.\n", `"inherits" does not write Casgstatus`},
		{"Casgstatus: embeds\n\tWhich way.\n", `"embeds" does not write Casgstatus`},
		{"Casgstatus: rewriten\n\tWhich way.\n", `no alternative "rewriten"`},
		{"Casgstatus: rewritten\n", "what is free"},
		{"Casgstatus: none\n\tSo.\nCasgstatus: rewritten\n\tWhich way.\n", "a freedom and none"},
		{"Casgstatus: rewritten\n\tSo.\nRunqput: none\n\tWhich way.\n", "no check of ch99 grades Runqput"},
	} {
		list, err := parseFreedoms(c.text)
		require.NoError(t, err)
		wrong := s.wrongFreedoms(list, base, alternatives)
		if c.wrong == "" {
			assert.Empty(t, wrong, "%q", c.text)
		} else if assert.Len(t, wrong, 1, "%q", c.text) {
			assert.Contains(t, wrong[0], c.wrong, "%q", c.text)
		}
	}
	for text, wrong := range map[string]string{
		"\tWhich way.\n":         "line 1: a text without a method before it",
		"# x\nCasgstatus\n\tSo.": `line 2: "Casgstatus" is not METHOD`,
		"Casgstatus:\n":          "is not METHOD",
	} {
		_, err := parseFreedoms(text)
		assert.ErrorContains(t, err, wrong)
	}
}
