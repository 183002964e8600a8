package gmp

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// As long as a chapter is not written another form of its part stands in, and Missing
// says so; then it serves.
func TestStandIn(t *testing.T) {
	netpoller := func(name string) Version {
		return Version{Name: name, NetPoller: func(*Sched) NetPoller { return nil }}
	}
	have := map[string]Version{"ch16/given": netpoller("given")}
	asked := ""
	provide := func(form string) (Version, bool) {
		v, ok := have[form]
		if ok {
			asked = form
		}
		return v, ok
	}
	v, err := Assemble("1.5", provide)
	require.NoError(t, err)
	assert.NotNil(t, v.NetPoller)
	assert.Equal(t, "ch16/given", asked)
	assert.Contains(t, Missing("1.5", provide), "ch16")

	have["ch16"] = netpoller("written")
	_, err = Assemble("1.5", provide)
	require.NoError(t, err)
	assert.Equal(t, "ch16", asked)
	assert.NotContains(t, Missing("1.5", provide), "ch16")
}

func TestMissing(t *testing.T) {
	none := func(string) (Version, bool) { return Version{}, false }
	assert.Equal(t, []string{"ch01", "ch02", "ch03", "ch04", "ch13", "ch15", "ch16"}, Missing("0.x", none), "a form of a chapter counts as the chapter")
	assert.Empty(t, Missing("2.0", none))
	all := func(string) (Version, bool) { return Version{}, true }
	assert.Empty(t, Missing("1.26", all))
}

// Two releases in a row differ in something.
func TestReleasesDiffer(t *testing.T) {
	for i := 1; i < len(Releases); i++ {
		differ := false
		for _, row := range history {
			differ = differ || row.forms[i-1] != row.forms[i]
		}
		assert.True(t, differ, "Go %s and %s", Releases[i-1], Releases[i])
	}
}

func TestRunnextSince15(t *testing.T) {
	for _, release := range Releases {
		s := NewBare(Version{Name: release}, nil)
		assert.Equal(t, formOf(release, "RunQueue") == "ch07", s.hasRunnext(), "Go %s", release)
	}
}
