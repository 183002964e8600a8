package grade

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/check"
	"gosched/chapters/machine/explore"
	"gosched/chapters/trace"
	"gosched/timeline"
)

// lostG is a story of two threads.
func lostG() *explore.Story {
	f := explore.Failure{
		Kind: explore.Violation, Message: "G1 is <lost>", Replay: "1:01", Threads: []string{"owner", "thief"},
		Steps: []explore.Step{{Number: 1, Thread: 0, Code: "head.Load()"}, {Number: 2, Thread: 1, Switch: explore.Preempted, Code: "head.Store(1)"}},
	}
	story := f.Story("race")
	return &story
}

// played is the log of a program.
func played() *trace.Log {
	return &trace.Log{
		Header: trace.Header{Schema: trace.Schema, Go: "0.x", Ms: 1, Unit: "instructions", File: "order.go", Source: "package main // </script>\n"},
		Events: []trace.Event{{Kind: trace.Create, P: trace.None, G: 1}, {T: 5, Kind: trace.End, P: trace.None}},
	}
}

func page(t *testing.T, chapters ...Chapter) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, (&Report{Chapters: chapters}).WriteHTML(&b))
	return b.String()
}

// articles are the texts of the checks on a page.
func articles(html string) []string {
	return strings.Split(html, "<article>")[1:]
}

func TestWriteHTML(t *testing.T) {
	html := page(t,
		Chapter{ID: "ch07", Title: "The run queue", Checks: []Check{
			{Name: "fifo", Kind: check.Unit, Status: check.Pass},
			{Name: "race", Kind: check.Model, Status: check.Fail, Property: "No G is lost & none is doubled.", Message: "models.go:9: violated check:\n  G1 is lost", Hint: "Which store is seen first?", Story: lostG()},
			{Name: "mine", Kind: check.Mine, Status: check.Fail, Message: "your test must pass on the correct solution, but it fails there:\nmodels.go:9: violated check", Story: lostG()},
			{Name: "runs", Kind: check.Program, Status: check.Fail, Message: "it prints <nothing>\n  - 1\n", Log: played()},
			{Name: "wakes", Status: check.Timeout, Message: "it did not end within 10s"},
			{Name: "next", Status: check.Todo, Message: "Runqget is not written yet"},
		}},
		Chapter{ID: "ch08", Title: "The loop", Checks: []Check{{Name: "a", Status: check.Pass}},
			OwnFails: []Check{{Name: "a", Kind: check.Model, Status: check.Fail, Story: lostG()}}},
	)
	checks := articles(html)
	require.Len(t, checks, 5)
	race, mine, runs, wakes, own := checks[0], checks[1], checks[2], checks[3], checks[4]

	assert.Contains(t, race, "<h2>race</h2>\n<p class=\"of\">Chapter 7: The run queue</p>\n<p>No G is lost &amp; none is doubled.</p>")
	assert.Contains(t, race, `<div class="fail" id="schedule-1">`)
	assert.Contains(t, race, `<details class="hint"><summary>Hint</summary><p>Which store is seen first?</p></details>`)
	assert.NotContains(t, race, "models.go:9", "the schedule says what the message does")

	assert.Contains(t, mine, `<pre class="message">your test must pass on the correct solution, but it fails there:</pre>`)
	assert.Contains(t, mine, `id="schedule-2"`)
	assert.NotContains(t, mine, "<details", "it has no hint")

	assert.Contains(t, runs, "<pre class=\"message\">it prints &lt;nothing&gt;\n  - 1</pre>")
	assert.Contains(t, runs, `<section class="tl" id="tl-run-3"`)
	assert.NotContains(t, runs, "// </script>")

	assert.Contains(t, wakes, "it did not end within 10s")
	assert.Contains(t, own, `<p class="of">Chapter 8: The loop, on your own stack</p>`)

	// It stands alone, and what is on it is drawn.
	assert.NotRegexp(t, `(src|href)=`, html)
	for _, part := range []string{`<body class="fail-page">`, explore.Style(), explore.Script(), timeline.Style(), timeline.Script(timeline.English)} {
		assert.Contains(t, html, part)
	}
	assert.Contains(t, page(t, Chapter{Checks: []Check{{Name: "a", Status: check.Pass}}}), "<h1>What fails</h1>\n<p>Nothing.</p>")
}

// What a message has that is not seen is shown, as in all forms.
func TestWriteHTMLIsText(t *testing.T) {
	html := page(t, Chapter{ID: "ch03", Checks: []Check{{Name: "a", Status: check.Fail, Message: "\u202efail" + strings.Repeat("x", 1<<20)}}})
	assert.Contains(t, html, `<pre class="message">\u202efailxxx`)
	assert.NotContains(t, html, strings.Repeat("x", 64<<10))
}

// Of a chapter that does not compile the page has what the compiler said, once.
func TestWriteHTMLOfBrokenChapter(t *testing.T) {
	broken := Check{Name: "a", Status: check.BuildError, Property: "p", Hint: "h", Message: "it does not compile: x.go:1: no (and 1 more)", Evidence: "x.go:1: no\nx.go:2: no\n"}
	checks := articles(page(t, Chapter{ID: "ch03", Title: "Three", Checks: []Check{broken, broken}}))
	require.Len(t, checks, 1)
	assert.Contains(t, checks[0], "<h2>It does not compile</h2>")
	assert.Contains(t, checks[0], "<pre class=\"message\">x.go:1: no\nx.go:2: no</pre>")
	assert.NotContains(t, checks[0], "<details")

	checks = articles(page(t, Chapter{ID: "ch03", Checks: []Check{{Name: "b", Status: check.Pass}, broken}}))
	require.Len(t, checks, 1)
	assert.Contains(t, checks[0], "<h2>a</h2>")
	assert.Contains(t, checks[0], "x.go:2: no")
}

// The page has the variables that the schedules take their colours from, each for light and
// for dark. Which one counts is said by color-scheme alone; paper is white.
func TestFailuresStyle(t *testing.T) {
	for _, m := range regexp.MustCompile(`var\((--\w+)\)`).FindAllStringSubmatch(explore.Style(), -1) {
		if !strings.Contains(explore.Style()+explore.Script(), m[1]+":") {
			assert.Contains(t, failuresStyle, m[1]+": ")
		}
	}
	assert.Contains(t, failuresStyle, "@media print { :root { color-scheme: light; } }")
	assert.NotContains(t, failuresStyle, "prefers-color-scheme")
	assert.NotRegexp(t, `#[0-9a-f]{3,8}\b`, regexp.MustCompile(`light-dark\(#\w+, #\w+\)`).ReplaceAllString(failuresStyle, ""), "a colour for one scheme only")
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriteHTMLError(t *testing.T) {
	assert.EqualError(t, (&Report{}).WriteHTML(fullDisk{}), "full")
}
