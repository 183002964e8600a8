package book

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReferencesAreLinks(t *testing.T) {
	for text, want := range map[string]string{
		"See golang/go#45867.":          `See <a href="https://go.dev/issue/45867">golang/go#45867</a>.`,
		"golang/go#1 and golang/go#2":   `<a href="https://go.dev/issue/1">golang/go#1</a> and <a href="https://go.dev/issue/2">golang/go#2</a>`,
		"golang/go issue 20018, \"x\"":  `<a href="https://go.dev/issue/20018">golang/go issue 20018</a>, “x”`,
		"(golang/go@e870f06)":           `(<a href="https://github.com/golang/go/commit/e870f06">golang/go@e870f06</a>)`,
		"golang/go commit d28acc42ec0f": `<a href="https://github.com/golang/go/commit/d28acc42ec0f">golang/go commit d28acc42ec0f</a>`,
		"go.dev/cl/310850 and\nmore":    "<a href=\"https://go.dev/cl/310850\">go.dev/cl/310850</a> and\nmore",
		"**golang/go#7**":               `<strong><a href="https://go.dev/issue/7">golang/go#7</a></strong>`,

		"`golang/go#45867`":                                                    `<code class="short">golang/go#45867</code>`,
		"[golang/go#7](https://go.dev/)":                                       `<a href="https://go.dev/">golang/go#7</a>`,
		"[see *golang/go#7*](https://go.dev/)":                                 `<a href="https://go.dev/">see <em>golang/go#7</em></a>`,
		"notgolang/go#7, golang/go#x, golang/go@main, golang/gopls#7, issue 7": "notgolang/go#7, golang/go#x, golang/go@main, golang/gopls#7, issue 7",
	} {
		assert.Contains(t, htmlOf(t, "# A\n\n"+text+"\n"), "<p>"+want+"</p>", text)
	}
}

// The words of a reference are found by the search, and name a section, as if it were no link.
func TestReferencesAreText(t *testing.T) {
	site, err := Render(withPages(t, map[string]string{"index.md": "# A\n\n## Of golang/go#7\n\nAs golang/go@abcdef0 says.\n"}))
	require.NoError(t, err)
	assert.Contains(t, string(site["search.js"]), `"s":"Of golang/go#7","u":"index.html#of-golanggo7","t":"As golang/go@abcdef0 says. "`)
	assert.Contains(t, string(site["index.html"]), `<a href="#of-golanggo7">Of golang/go#7</a>`)
}

// With an address of the repository, what is named on a page is a link to its file, but for
// a solution that the page does not name.
func TestSourceLinks(t *testing.T) {
	const page = "# A\n\n" +
		"::: snippet code/queue.go#Queue.Len\n:::\n\n" +
		"::: snippet code/add.go title=mine/add.go\n:::\n\n" +
		"::: output code/queue.go go=0.x status=2\n:::\n\n" +
		"::: output code/two real\n:::\n\n" +
		"::: disasm code/add.go#main.add\n:::\n\n" +
		"::: timeline code/queue.go go=0.x seed=1\n:::\n\n" +
		"::: versions code/queue.go go=\"1.0 1.1\" procs=4\n:::\n"
	opt := withPages(t, map[string]string{"index.md": page, "01_first.md": "# B\n\n## Code\n\n::: exercise\nx\n:::\n"})
	without, err := Render(opt)
	require.NoError(t, err)
	assert.NotContains(t, string(without["index.html"])+string(without["01_first.html"]), "https://")

	opt.Source = "https://example.com/blob/main/"
	site, err := Render(opt)
	require.NoError(t, err)
	index := string(site["index.html"])
	for _, want := range []string{
		`<div class="head"><a href="https://example.com/blob/main/code/queue.go"><code>code/queue.go</code></a> · `,
		`<div class="head"><code>mine/add.go</code></div>`,
		`<code data-copy>go run ./autograder play <a href="https://example.com/blob/main/code/queue.go">code/<wbr>queue.go</a> --go 0.x</code>`,
		`<code data-copy>go run ./<a href="https://example.com/blob/main/code/two">code/<wbr>two</a></code>`,
		` · <a href="https://example.com/blob/main/code/add.go"><code>code/add.go</code></a></div>`,
		`<p class="tl-name"><a href="https://example.com/blob/main/code/queue.go">`,
		`<th scope="rowgroup" colspan="5"><a href="https://example.com/blob/main/code/queue.go"><code>queue</code></a></th>`,
	} {
		assert.Contains(t, index, want)
	}
	assert.Contains(t, index, `<a href="https://example.com/blob/main/book/en/index.md">The source of this page`)
	assert.Contains(t, string(site["01_first.html"]), `<a href="https://example.com/blob/main/book/en/01_first.md">`)
	assert.NotContains(t, string(without["index.html"]), "The source of this page")
	assert.Contains(t, string(site["01_first.html"]), `<dd><a href="https://example.com/blob/main/exercises/ch01_first"><code>exercises/ch01_first</code></a></dd>`)
}

func TestBreakable(t *testing.T) {
	for s, want := range map[string]string{
		"a/b.C": "a/b.C", // short
		"chapters/ch02_onethread/programs/hog.go":     "chapters/<wbr>ch02_onethread/<wbr>programs/<wbr>hog.go",
		"GlobalQueue.Globrunqgetbatch, for <n> times": "GlobalQueue.<wbr>Globrunqgetbatch, for &lt;n&gt; times",
		"go test ./exercises/... -run '^Test$'":       "go test ./exercises/<wbr>... -run &#39;^Test$&#39;",
	} {
		assert.Equal(t, want, breakable(s))
	}
}

// The number of its chapter stands before the title of a page, on the page, in its tab and
// in what the search finds; a page of no chapter has none.
func TestNumbersOfChapters(t *testing.T) {
	site, err := Render(withPages(t, map[string]string{"01_first.md": "# Of it\n\n## Code\n", "01_first_more.md": "# More\n"}))
	require.NoError(t, err)
	for page, want := range map[string][2]string{
		"01_first.html":      {`<title>1 · Of it · gosched</title>`, `<h1 id="of-it"><span class="n">1</span> Of it</h1>`},
		"01_first_more.html": {`<title>1 · More · gosched</title>`, `<h1 id="more"><span class="n">1</span> More</h1>`},
		"machine.html":       {`<title>The machine · gosched</title>`, `<h1 id="the-machine">The machine</h1>`},
	} {
		assert.Contains(t, string(site[page]), want[0])
		assert.Contains(t, string(site[page]), want[1])
	}
	assert.Contains(t, string(site["search.js"]), `"p":"1 · Of it","s":"Code"`)
}
