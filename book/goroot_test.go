package book

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFacts(t *testing.T) {
	for _, test := range []struct{ fact, html string }{
		{"runtime/proc.go#findRunnable", "<code>findRunnable</code>"},
		{"runtime/proc.go#p.runq", "<code>p.runq</code>"},
		{"runtime/proc.go#p.destroy", "<code>p.destroy</code>"},
		{"runtime/proc.go#slice = 10*1000*1000 as 10 ms", "10 ms"},
		{"runtime/proc.go#slice = 1e7", "<code>1e7</code>"},
		{"runtime/proc.go#runnable = 1", "<code>1</code>"},
		{"runtime/proc.go#odd = other+1", "<code>other+1</code>"},
		{"runtime/proc.go#limit = 10000", "<code>10000</code>"},
		{"runtime/proc.go#p.runq = [ 256 ]guintptr as `256` slots", "<code>256</code> slots"},
		{"runtime/proc.go#state = uint32", "<code>uint32</code>"},
		{"runtime/proc.go#findRunnable ~ schedtick%61 == 0 && sched.runqsize > 0", "<code>schedtick%61 == 0 &amp;&amp; sched.runqsize &gt; 0</code>"},
		{"runtime/proc.go#findRunnable !~ the 61st as no comment", "no comment"},
	} {
		got := htmlOf(t, "# A\n\nx {{goroot "+test.fact+"}}\n")
		assert.Contains(t, got, `">`+test.html+`<a class="mark" href="#fact-1" tabindex="-1" aria-hidden="true">✓</a></span>`, test.fact)
	}
}

// At the end of the page stands what was found, and where, each fact once.
func TestEvidence(t *testing.T) {
	site, err := Render(withPages(t, map[string]string{"index.md": "# A\n\n{{goroot runtime/proc.go#limit = 10000}}, {{goroot runtime/proc.go#p.runq as it}}, {{goroot runtime/proc.go#limit = 10000 as this}}, {{goroot runtime/proc.go#findRunnable !~ nothing as no}}\n"}))
	require.NoError(t, err)
	got := string(site["index.html"])
	assert.Contains(t, got, `<li id="fact-1"><a href="https://github.com/golang/go/blob/go1.26.99/src/runtime/proc.go#L`)
	assert.Contains(t, got, `</a>: <code>limit</code> is <code>10000</code></li>`)
	assert.Contains(t, got, `</a>: <code>p.runq</code> is there</li>`)
	assert.Contains(t, got, `</a>: <code>findRunnable</code> does not contain <code>nothing</code></li>`)
	assert.Equal(t, 3, strings.Count(got, `<li id="fact-`))
	assert.Equal(t, 2, strings.Count(got, `href="#fact-1"`))

	g := openGoroot(".", "testdata/goroot")
	require.NoError(t, g.check(claim{file: "runtime/proc.go", decl: "findRunnable"}))
	line, url := g.where(claim{file: "runtime/proc.go", decl: "findRunnable"})
	source, err := os.ReadFile("testdata/goroot/src/runtime/proc.go")
	require.NoError(t, err)
	n, _ := strconv.Atoi(strings.TrimPrefix(line, "runtime/proc.go:"))
	assert.Contains(t, strings.Split(string(source), "\n")[n-1], "func findRunnable(")
	assert.True(t, strings.HasSuffix(url, fmt.Sprint("#L", n)), url)
	g.version = "devel go1.27-abc"
	_, url = g.where(claim{file: "runtime/proc.go", decl: "findRunnable"})
	assert.Empty(t, url, "no tag has that name")
}

func TestProblemsOfFacts(t *testing.T) {
	const form = "it is written {{goroot FILE#DECLARATION}}, with = VALUE, ~ CODE or !~ CODE after it, and as TEXT at the end if need be"
	for _, test := range []struct{ fact, want string }{
		{"runtime/proc.go", form},
		{"runtime/proc.go#slice 10", form},
		{"runtime/proc.go#slice =", form},
		{"runtime/proc.go#slice !~ x", "what is absent cannot be shown: say what is, with as TEXT"},
		{"runtime/none.go#slice", "there is no file runtime/none.go below GOROOT/src (in go1.26.99)"},
		{"../proc.go#slice", `"../proc.go" is not a path below GOROOT/src (in go1.26.99)`},
		{"runtime/proc.go#none", "runtime/proc.go does not declare none (in go1.26.99)"},
		{"runtime/proc.go#destroy", "runtime/proc.go does not declare destroy (in go1.26.99)"},
		{"runtime/proc.go#p.none", "runtime/proc.go does not declare p.none (in go1.26.99)"},
		{"runtime/proc.go#slice = 11", "slice in runtime/proc.go is 10000000, not 11 (in go1.26.99)"},
		{"runtime/proc.go#slice = eleven", `"eleven" is not a constant expression (in go1.26.99)`},
		{"runtime/proc.go#runnable = 2", "runnable in runtime/proc.go is 1, not 2 (in go1.26.99)"},
		{"runtime/proc.go#odd = 1", "odd in runtime/proc.go is other + 1, not 1 (in go1.26.99)"},
		{"runtime/proc.go#limit = 0", "limit in runtime/proc.go is 10000, not 0 (in go1.26.99)"},
		{"runtime/proc.go#p.runq = [255]guintptr", "p.runq in runtime/proc.go is [256]guintptr, not [255]guintptr (in go1.26.99)"},
		{"runtime/proc.go#findRunnable = 1", "findRunnable in runtime/proc.go has no value to compare: state what it contains with ~ (in go1.26.99)"},
		{"runtime/proc.go#findRunnable ~ schedtick%62", "findRunnable in runtime/proc.go does not contain schedtick%62 (in go1.26.99)"},
		{"runtime/proc.go#findRunnable !~ schedtick%61 as x", "findRunnable in runtime/proc.go does contain schedtick%61 (in go1.26.99)"},
	} {
		got := problemsOf(t, "# A\n\nx {{goroot "+test.fact+"}}\n")
		assert.Equal(t, "index.md:3: goroot: "+test.want, got, test.fact)
	}
}

// With another release of Go a fact that does not hold is a warning.
func TestFactsOfAnotherRelease(t *testing.T) {
	const page = "# A\n\nx {{goroot runtime/proc.go#slice = 11}} {{goroot runtime/proc.go#slice = 10000000}}\n"
	opt := withPages(t, map[string]string{"index.md": page})
	other := t.TempDir()
	require.NoError(t, os.CopyFS(other, os.DirFS("testdata/goroot")))
	require.NoError(t, os.WriteFile(filepath.Join(other, "VERSION"), []byte("go1.27.1\n"), 0o666))
	opt.GOROOT = other
	var warnings Problems
	opt.Warn = func(p Problem) { warnings = append(warnings, p) }
	site, err := Render(opt)
	require.NoError(t, err)
	assert.EqualError(t, warnings, "book/en/index.md:3: goroot: checked against go1.26 only, go1.27.1 differs: slice in runtime/proc.go is 10000000, not 11")
	assert.Contains(t, string(site["index.html"]), `<span class="fact other" title="runtime/proc.go slice = 11: true for go1.26, but not for the installed Go: slice in runtime/proc.go is 10000000, not 11">`)
	assert.Contains(t, string(site["index.html"]), "checked against the source of go1.27.1")
}

func TestFactsWithoutTheSource(t *testing.T) {
	opt := withPages(t, map[string]string{"index.md": "# A\n\nx {{goroot runtime/proc.go#slice = 11}}\n"})
	opt.GOROOT = t.TempDir()
	var warnings Problems
	opt.Warn = func(p Problem) { warnings = append(warnings, p) }
	site, err := Render(opt)
	require.NoError(t, err)
	assert.EqualError(t, warnings, "book/en/index.md:3: goroot: skipped, because the source of Go is not installed: runtime/proc.go slice = 11")
	assert.Contains(t, string(site["index.html"]), `<span class="fact skipped"`)
	assert.Contains(t, string(site["index.html"]), "This build could not check them")
}

// The installed Go is found and its version read.
func TestInstalledGoroot(t *testing.T) {
	g := openGoroot(".", "")
	require.NotEmpty(t, g.src)
	assert.Regexp(t, `^go1\.\d+`, g.version)
	assert.NoError(t, g.check(claim{file: "runtime/proc.go", decl: "main"}))
}
