package timeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/trace"
)

var dataElement = regexp.MustCompile(`(?s)<script type="application/json">(.*?)</script>`)

// dataOf returns what the script would read in a fragment.
func dataOf(t *testing.T, fragment string) page {
	t.Helper()
	m := dataElement.FindAllStringSubmatch(fragment, -1)
	require.Len(t, m, 1)
	var p page
	require.NoError(t, json.Unmarshal([]byte(m[0][1]), &p))
	return p
}

func mustFragment(t *testing.T, log *trace.Log, opt Options) string {
	t.Helper()
	f, err := Fragment(log, opt)
	require.NoError(t, err)
	return f
}

// The changes of the steps, applied one after the other as the script does,
// give the states that Fold made.
func TestChangesGiveTheStates(t *testing.T) {
	for name, log := range map[string]*trace.Log{"0.x": zeroX(), "1.1": oneOne(), "1.14": preempted(), "long": long()} {
		story := Fold(log, DefaultSteps)
		p := dataOf(t, mustFragment(t, log, Options{}))
		require.Len(t, p.Steps, len(story.Steps), name)
		rows, waits := map[int][]int64{}, map[int][]int64{}
		global, asleep, counts := []int64{0}, []int64{0}, []int{0, 0}
		for i, d := range p.Steps {
			for r, v := range d.Rows {
				rows[r] = v
			}
			for w, v := range d.Waiting {
				waits[w] = v
			}
			if d.Global != nil {
				global = d.Global
			}
			if d.Asleep != nil {
				asleep = d.Asleep
			}
			if d.Counts != nil {
				counts = d.Counts
			}
			want := story.Steps[i]
			for r, row := range want.State.Rows {
				require.Equal(t, flatRow(row), rows[r], "%s: step %d", name, i+1)
			}
			for w, q := range want.State.Waiting {
				if q.Len > 0 || waits[w] != nil {
					require.Equal(t, flat(q), waits[w], "%s: step %d", name, i+1)
				}
			}
			require.Equal(t, flat(want.State.Global), global, "%s: step %d", name, i+1)
			require.Equal(t, flat(want.State.Asleep), asleep, "%s: step %d", name, i+1)
			require.Equal(t, []int{want.State.Created, want.State.Ended}, counts, "%s: step %d", name, i+1)
			require.Equal(t, want.Text, d.Text)
		}
	}
}

func TestRender(t *testing.T) {
	var a, b bytes.Buffer
	require.NoError(t, Render(&a, oneOne(), Options{}))
	require.NoError(t, Render(&b, oneOne(), Options{}))
	assert.Empty(t, cmp.Diff(a.String(), b.String()), "the same log gives the same bytes")
	page := a.String()
	assert.Contains(t, page, "<title>workers.go</title>")
	assert.Contains(t, page, "Go 1.1 · 3 Ps · seed 1 · 29 steps")
	assert.Equal(t, 1, strings.Count(page, "<h1"))
	assert.NotRegexp(t, `(src|href)="|url\(|@import|https?://[^w]`, page, "the page needs nothing but itself")
}

func TestPageWeight(t *testing.T) {
	assert.Less(t, len(Style())+len(Script(English)), 60<<10, "style and script")
	assert.NotContains(t, Script(English), "</script")
	assert.NotContains(t, Style(), "</style")
	var b bytes.Buffer
	require.NoError(t, Render(&b, long(), Options{Steps: 500}))
	assert.Less(t, b.Len(), 300_000, "a page with 500 steps")
}

func TestLongLogSaysSo(t *testing.T) {
	total := thousands(int64(Fold(long(), 1).Total))
	assert.Contains(t, mustFragment(t, long(), Options{}), "the first 2,000 of "+total+" steps")
	assert.Contains(t, mustFragment(t, long(), Options{Steps: 10}), "the first 10 of "+total+" steps")
}

func TestTextIsNotMarkup(t *testing.T) {
	const evil = `</script><script>alert("&")</script>`
	log := &trace.Log{Header: trace.Header{Go: evil, File: evil, Source: evil}, Events: []trace.Event{
		{Kind: trace.Park, G: 1, Text: evil}, {Kind: trace.Write, G: 1, N: 1, Text: evil},
	}}
	f := mustFragment(t, log, Options{Title: evil})
	assert.NotContains(t, f, "<script>")
	p := dataOf(t, f)
	assert.Equal(t, evil, p.Source)
	assert.Equal(t, []string{"parked: " + evil}, p.Waits)
}

func TestOptions(t *testing.T) {
	f := mustFragment(t, zeroX(), Options{ID: "turns-2", Title: "In turns", Start: 5, HideSource: true})
	assert.Contains(t, f, `id="tl-turns-2" data-key="turns-2"`)
	assert.Contains(t, f, ">In turns</p>")
	p := dataOf(t, f)
	assert.Empty(t, p.Source)
	assert.Equal(t, 5, p.Start)
	assert.Equal(t, 19, dataOf(t, mustFragment(t, zeroX(), Options{Start: 1000})).Start)
	assert.Equal(t, 1, dataOf(t, mustFragment(t, zeroX(), Options{Start: -1})).Start)

	for _, id := range []string{"1", "a b", `"`, "a=b", "ä"} {
		_, err := Fragment(zeroX(), Options{ID: id})
		assert.ErrorContains(t, err, fmt.Sprintf("timeline: the ID is %q; it must be", id))
		assert.Error(t, Render(new(bytes.Buffer), zeroX(), Options{ID: id}))
	}
}

func TestTitle(t *testing.T) {
	for file, want := range map[string]string{"a/b/c.go": "c.go", `a\b\c.go`: "c.go", "c.go": "c.go", "": "Go 1.1"} {
		assert.Equal(t, want, title(&trace.Log{Header: trace.Header{Go: "1.1", File: file}}, Options{Words: English}))
	}
	assert.Equal(t, "T", title(&trace.Log{Header: trace.Header{File: "c.go"}}, Options{Title: "T"}))
}

func TestNoEvents(t *testing.T) {
	f := mustFragment(t, &trace.Log{}, Options{})
	assert.Contains(t, f, "The log of this run has no events.")
	assert.NotContains(t, f, "<script")
}

// Text can be read on everything it stands on, in both themes (WCAG AA).
func TestContrast(t *testing.T) {
	light, dark := map[string]string{}, map[string]string{}
	for _, v := range regexp.MustCompile(`(--[a-z-]+): light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\)`).FindAllStringSubmatch(Style(), -1) {
		light[v[1]], dark[v[1]] = v[2], v[3]
	}
	for theme, v := range map[string]map[string]string{"light": light, "dark": dark} {
		for _, pair := range [][2]string{{"--fg", "--bg"}, {"--fg", "--panel"}, {"--muted", "--bg"}, {"--muted", "--panel"}, {"--steal", "--bg"},
			{"--steal", "--panel"}, {"--on-accent", "--accent"}, {"--on-main", "--main"}} {
			assert.GreaterOrEqual(t, contrast(t, v[pair[0]], v[pair[1]]), 4.5, "%s: %v", theme, pair)
		}
	}
	chips := regexp.MustCompile(`\.c\d \{ --f: (#\w+); --t: (#\w+); \}`).FindAllStringSubmatch(Style(), -1)
	require.Len(t, chips, 7)
	for _, c := range chips {
		assert.GreaterOrEqual(t, contrast(t, c[1], c[2]), 4.5, "%s", c[0])
	}
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(hex string) float64 {
		hex = strings.TrimPrefix(hex, "#")
		if len(hex) == 3 {
			hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
		}
		n, err := strconv.ParseUint(hex, 16, 32)
		require.NoError(t, err, "colour %q", hex)
		channel := func(c uint64) float64 {
			x := float64(c&0xff) / 255
			if x <= 0.04045 {
				return x / 12.92
			}
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return 0.2126*channel(n>>16) + 0.7152*channel(n>>8) + 0.0722*channel(n)
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}
