package timeline

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/trace"
)

func twoRuns() []Run {
	return []Run{{"turns", "0.x", zeroX()}, {"turns", "1.1", oneOne()}}
}

var runElement = regexp.MustCompile(`(?s)<script type="application/json" data-program="(.*?)" data-go="(.*?)" data-about="(.*?)">(.*?)</script>`)

func TestCompare(t *testing.T) {
	opt := CompareOptions{ID: "both", Title: `One & "many"`, Left: "0.x", Right: "1.1", At: 30}
	f, err := Compare(twoRuns(), opt)
	require.NoError(t, err)
	again, err := Compare(twoRuns(), opt)
	require.NoError(t, err)
	assert.Equal(t, f, again, "the same logs give the same bytes")
	assert.Contains(t, f, `<section class="tl-compare" id="tl-both" data-key="both" data-left="0.x" data-right="1.1" data-at="30" aria-label="Comparison: One &amp; &#34;many&#34;">`)
	runs := runElement.FindAllStringSubmatch(f, -1)
	require.Len(t, runs, 2)
	assert.Equal(t, []string{"turns", "0.x"}, runs[0][1:3])
	assert.Equal(t, []string{"turns", "1.1"}, runs[1][1:3])
	assert.Equal(t, "Go 1.1 · 3 Ps · seed 1 · 29 steps", runs[1][3])
	var first, second page
	require.NoError(t, json.Unmarshal([]byte(runs[0][4]), &first))
	require.NoError(t, json.Unmarshal([]byte(runs[1][4]), &second))
	assert.NotEmpty(t, first.Source)
	assert.Empty(t, second.Source, "the program is there once")
}

// The clocks of the runs begin at their first events, whatever they showed then.
func TestCompareBeginsAtZero(t *testing.T) {
	late := zeroX()
	for i := range late.Events {
		late.Events[i].T += 42
	}
	before := late.Events[0].T
	f, err := Compare([]Run{{"turns", "0.x", zeroX()}, {"turns", "late", late}}, CompareOptions{Left: "0.x", Right: "late"})
	require.NoError(t, err)
	runs := runElement.FindAllStringSubmatch(f, -1)
	var a, b page
	require.NoError(t, json.Unmarshal([]byte(runs[0][4]), &a))
	require.NoError(t, json.Unmarshal([]byte(runs[1][4]), &b))
	assert.Equal(t, a.Steps, b.Steps)
	assert.Equal(t, a.Bars, b.Bars)
	assert.Equal(t, before, late.Events[0].T, "the log itself is not changed")
}

func TestCompareRefuses(t *testing.T) {
	ns := oneOne()
	ns.Header.Unit = "ns"
	for what, c := range map[string]struct {
		runs []Run
		opt  CompareOptions
	}{
		`timeline: the ID is "1"; it must be a letter followed by letters, digits and hyphens`:     {twoRuns(), CompareOptions{ID: "1", Left: "0.x", Right: "1.1"}},
		`timeline: Go "0.x" and Go "1.0" cannot be shown next to each other: two of [0.x 1.1] can`: {twoRuns(), CompareOptions{Left: "0.x", Right: "1.0"}},
		`timeline: Go "1.1" and Go "1.1" cannot be shown next to each other: two of [0.x 1.1] can`: {twoRuns(), CompareOptions{Left: "1.1", Right: "1.1"}},
		"timeline: there is no run of spin on Go 0.x":                                              {append(twoRuns(), Run{"spin", "1.1", oneOne()}), CompareOptions{Left: "0.x", Right: "1.1"}},
		"timeline: the times of turns on Go 1.1 are in ns, those of the first run in instructions": {[]Run{{"turns", "0.x", zeroX()}, {"turns", "1.1", ns}}, CompareOptions{Left: "0.x", Right: "1.1"}},
		"timeline: the log of turns on Go 1.1 has no events":                                       {[]Run{{"turns", "0.x", zeroX()}, {"turns", "1.1", &trace.Log{}}}, CompareOptions{Left: "0.x", Right: "1.1"}},
	} {
		_, err := Compare(c.runs, c.opt)
		assert.EqualError(t, err, what)
	}
}

func TestComparedTextIsNotMarkup(t *testing.T) {
	const evil = `"></script><script>alert(1)</script>`
	log := &trace.Log{Header: trace.Header{Go: evil, Source: evil}, Events: []trace.Event{{Kind: trace.Park, G: 1, Text: evil}}}
	f, err := Compare([]Run{{evil, evil, log}, {evil, "b", log}}, CompareOptions{Title: evil, Left: evil, Right: "b"})
	require.NoError(t, err)
	assert.NotContains(t, f, "<script>")
	assert.Equal(t, 2, strings.Count(f, "</script>"))
}
