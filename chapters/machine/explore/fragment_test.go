package explore_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "gosched/chapters/machine/explore"
)

// stepperData is what the script reads.
type stepperData struct {
	Words     Words
	Threads   []string
	Variables []struct{ Name, Value string }
	Steps     []struct {
		T, O int
		V    string
		P    string
	}
	Total, Colours int
}

func dataOf(t *testing.T, html string) (d stepperData) {
	t.Helper()
	data := regexp.MustCompile(`(?s)<script type="application/json">(.*?)</script>`).FindStringSubmatch(html)
	require.NotNil(t, data)
	require.NoError(t, json.Unmarshal([]byte(data[1]), &d))
	return d
}

// The stepper can show, from the first step on, what each step finds.
func TestStepperData(t *testing.T) {
	for _, s := range samples {
		if s.kind == "" {
			continue
		}
		f := Explore(s.opt, s.model).Failure
		require.NotNil(t, f)
		html, err := f.Story(s.name).Fragment(FragmentOptions{ID: "a", Words: English})
		require.NoError(t, err)
		d := dataOf(t, html)
		assert.Len(t, d.Steps, min(len(f.Steps), 2000), s.name)
		assert.Equal(t, len(f.Steps), d.Total)
		now := map[int]string{}
		for i, v := range d.Variables {
			assert.NotEmpty(t, v.Name)
			now[i] = v.Value
		}
		for i, step := range d.Steps {
			assert.Equal(t, f.Steps[i].Thread, step.T)
			if step.O < 0 {
				continue
			}
			assert.Equal(t, f.Steps[i].Old, now[step.O], "%s: the page shows what step %d finds", s.name, i+1)
			now[step.O] = step.V
		}
	}
}

// told is a failure of two threads, of which the first one has a row of the model's.
func told() *Failure {
	return &Failure{
		Kind: Violation, Message: "G1 is <lost>\nG2 is doubled", Replay: "1:01", Preemptions: 1, Minimal: true,
		Threads: []string{"owner", "thief"},
		Steps: []Step{
			{Number: 1, Thread: 0, Code: "q.head.Load()", Effect: "= 0", Object: 1, Old: "0", Value: "0", File: "put.go", Line: 7, Func: "(*queue).put"},
			{Number: 2, Thread: 1, Switch: Preempted, Code: "q.head.Store(1)", Effect: "0 → 1", Write: true, Object: 1, Old: "0", Value: "1", File: "suite/take.go", Line: 31},
			{Thread: -1, Note: "head < tail", Here: true},
		},
	}
}

func TestFragment(t *testing.T) {
	f := told()
	html, err := f.Story("slots <after>").Fragment(FragmentOptions{ID: "counterexample-2", Words: English})
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(html, `<div class="fail" id="counterexample-2">`))
	assert.Equal(t, 1, strings.Count(html, "id="))
	assert.Contains(t, html, `<p class="fail-wrong"><b>violated check:</b> G1 is &lt;lost&gt;</p>`+"\n"+`<p class="fail-wrong">G2 is doubled</p>`)

	// The lanes are those of the terminal, to the letter.
	lanes := regexp.MustCompile(`(?s)<pre class="fail-lanes"><samp>(.*?)</samp></pre>`).FindStringSubmatch(html)
	require.NotNil(t, lanes)
	text := strings.NewReplacer("<span>", "", "</span>", "", "&lt;", "<").Replace(lanes[1])
	assert.Contains(t, f.String(), "\n\n"+text+"\n")
	assert.Contains(t, text, "suite/take.go:31")

	// The rows of one column say the same, each with its thread.
	for _, row := range []string{
		`<li class="fail-row"><span class="fail-no">1</span> <span class="fail-what"><b class="fail-who" data-thread="0">owner</b> <code>q.<wbr>head.<wbr>Load()  = 0</code></span> <span class="fail-place">put.go:7</span></li>`,
		`<li class="fail-why">owner is preempted</li>`,
		`<li class="fail-row"><span class="fail-no">2</span> <span class="fail-what"><b class="fail-who" data-thread="1">thief</b> <code>q.<wbr>head.<wbr>Store(<wbr>1)  0 → 1</code></span> <span class="fail-place">suite/take.go:31</span></li>`,
		`<li class="fail-row fail-here"><span class="fail-no"></span> <span class="fail-what"><b class="fail-who" data-thread="-1">the check</b> <i>head &lt; tail</i></span></li>`,
	} {
		assert.Contains(t, html, row)
	}
	assert.Contains(t, html, `<p class="fail-about">1 preemption; with fewer nothing goes wrong; replay: <code>1:01</code></p>`)
	assert.Equal(t, English, dataOf(t, html).Words)
}

// A story is plain data: what comes back from JSON makes the same element.
func TestStoryIsData(t *testing.T) {
	story := told().Story("slots")
	data, err := json.Marshal(story)
	require.NoError(t, err)
	var again Story
	require.NoError(t, json.Unmarshal(data, &again))
	assert.Equal(t, story, again)
}

// A schedule in which no shared variable is used has an empty list of them.
func TestStepperWithoutVariables(t *testing.T) {
	f := told()
	for i := range f.Steps {
		f.Steps[i].Object = 0
	}
	html, err := f.Story("slots").Fragment(FragmentOptions{ID: "a", Words: English})
	require.NoError(t, err)
	assert.Contains(t, html, `"variables":[]`)
	assert.NotContains(t, html, ":null")
}

// The words are the page's, in the listing and in the data.
func TestFragmentWords(t *testing.T) {
	w := English
	w.Check, w.Replay, w.Step = "die Prüfung", "noch einmal", "Schritt"
	html, err := told().Story("slots").Fragment(FragmentOptions{ID: "a", Words: w})
	require.NoError(t, err)
	assert.Contains(t, html, ">die Prüfung</b>")
	assert.Contains(t, html, "wrong; noch einmal: <code>")
	assert.Equal(t, w, dataOf(t, html).Words)
}

// The script reads all the words, and no word of a stepper is written in it.
func TestScriptHasNoWords(t *testing.T) {
	data, err := json.Marshal(English)
	require.NoError(t, err)
	var words map[string]string
	require.NoError(t, json.Unmarshal(data, &words))
	for key, word := range words {
		if key != "replay" { // of the listing
			assert.Regexp(t, `\bw(ords)?\.`+key+`\b`, Script(), "nothing shows %q", word)
		}
		assert.NotContains(t, Script(), `"`+word+`"`)
	}
}

// A failure without a schedule is told, and has nothing to step through.
func TestFragmentWithoutSchedule(t *testing.T) {
	html, err := (&Failure{Kind: Violation, Message: "too many threads"}).Story("a").Fragment(FragmentOptions{ID: "a", Words: English})
	require.NoError(t, err)
	assert.Equal(t, "<div class=\"fail\" id=\"a\">\n<p class=\"fail-wrong\"><b>violated check:</b> too many threads</p>\n</div>\n", html)
}

func TestFragmentID(t *testing.T) {
	for _, id := range []string{"", "1", "a b", `a"`} {
		_, err := told().Story("a").Fragment(FragmentOptions{ID: id, Words: English})
		assert.ErrorContains(t, err, "it must be a letter followed by letters, digits and hyphens", id)
	}
}

// More threads than colours have the colours again, and names of their own.
func TestThreadColours(t *testing.T) {
	f := told()
	f.Threads = []string{"a", "b", "c", "d", "e", "f"}
	f.Steps[1].Thread = 5
	html, err := f.Story("a").Fragment(FragmentOptions{ID: "a", Words: English})
	require.NoError(t, err)
	assert.Contains(t, html, `data-thread="0">f</b>`)
	for i := range dataOf(t, html).Colours {
		assert.Contains(t, Style(), `[data-thread="`+string(rune('0'+i))+`"]`)
	}
}

// The text of a failure never becomes markup.
func TestFragmentEscapes(t *testing.T) {
	f := told()
	f.Message = "</script><img>"
	f.Steps[0].Code = "</script><img>"
	html, err := f.Story("<title>").Fragment(FragmentOptions{ID: "a", Words: English})
	require.NoError(t, err)
	assert.NotContains(t, html, "<img>")
	assert.NotContains(t, html, "<title>")
}
