package book

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine/explore"
	"gosched/chapters/trace"
)

func TestProblemsOfRuns(t *testing.T) {
	for _, test := range []struct{ element, want string }{
		{"output", "which program? write ::: output FILE.go go=0.x"},
		{"output code/queue.go", "which version of Go? write go=0.x"},
		{"output code/none.go go=0.x", "there is no file code/none.go"},
		{"output code/queue.go go=0.x", "the program ended with status 2, not 0; it printed:\none <1>\ntwo\nthree"},
		{"output code/queue.go go=0.x status=x", "status=x is not a number"},
		{`output code/queue.go go=0.x status=2 holds="two; four"`, `the page says that the output has "four", and it has not; it is:` + "\none <1>"},
		{"output code/queue.go go=0.x status=2 lines=0", "lines=0 is not a number of lines"},
		{"output code/queue.go go=0.x seed=-1", "seed=-1 is not a number"},
		{"output code/queue.go real go=0.x", "a real run is one of the installed Go: leave go= out"},
		{"output go.mod real", "go build go.mod: exit status 1"},
		{"output code/queue.go real args=x", "the program ended with status 3, not 0; it printed:\nlength < 4 args [x]\nfails"},
		{"timeline", "which program? write ::: timeline FILE.go go=0.x"},
		{"timeline code/queue.go go=0.x", "the program ended with status 2, not 0"},
		{"timeline code/queue.go go=0.x seed=1 step=0", "step=0 is not the number of a step"},
		{"timeline code/queue.go go=0.x seed=1 holds=steal", `the run has 0 events "steal", and the page says at least 1`},
		{"timeline code/queue.go go=0.x seed=1 shows=G99", `the page says that step 1 shows "G99", and it is: `},
		{`timeline code/queue.go go=0.x seed=1 step=1 shows="M0 runs main"`, `the page says that step 1 shows "M0 runs main", and it is: main is created (main.main).; step 2 shows it`},
		{"timeline code/queue.go go=0.x seed=1 step=5000 shows=G1", "the run has 3 steps, and the page opens it at step 5000"},
		{"compare", `which programs, on which versions and how many CPUs? write ::: compare FILE.go go="1.0 1.1" procs=4`},
		{"compare code/queue.go go=1.0 procs=4", "which programs, on which versions and how many CPUs?"},
		{`compare code/queue.go go="1.0 1.1"`, "which programs, on which versions and how many CPUs?"},
		{`compare code/none.go go="1.0 1.1" procs=4`, "code/none.go on Go 1.0: there is no file code/none.go"},
		{`compare code/queue.go go="1.0 1.1" procs=4 left=1.0`, `timeline: Go "1.0" and Go "" cannot be shown next to each other: two of [1.0 1.1] can`},
		{`compare code/queue.go go="1.0 1.1" procs=4 at=-1`, "at=-1 is not a time in µs"},
		{`compare code/queue.go go="1.0 1.1" procs=4 step=1`, "unknown option step="},
		{"versions code/queue.go go=1.0 procs=4", `which programs, on which versions and how many CPUs? write ::: versions FILE.go go="1.0 1.1" procs=4`},
		{"counterexample ch01", "of which wrong solution? write ::: counterexample ch07 NAME"},
		{"counterexample ch01 none", "ch01 has no mutant \"none\""},
		{"counterexample ch01 lost holds=G2", `the page says that the output has "G2", and it has not; it is:` + "\nG1 is lost"},
		{"disasm code/queue.go", "which function? write ::: disasm FILE.go#main.f"},
		{"disasm code/none.go#main.main", "there is no file code/none.go"},
		{"disasm code/add.go#add", "code/add.go has no function add: write it with its package, main.f"},
		{"disasm go.mod#main.main", "go.mod:"},
	} {
		got := problemsOf(t, "# A\n\n::: "+test.element+"\n:::\n")
		assert.Contains(t, got, "index.md:3: ::: ", test.element)
		assert.Contains(t, got, ": "+test.want, test.element)
	}
}

// A comparison holds the runs of each program on each version, and says how to repeat it.
func TestCompare(t *testing.T) {
	page := htmlOf(t, "# A\n\n::: compare code/queue.go code/add.go go=\"1.0 1.1 1.14\" left=1.1 right=1.14 procs=4 at=2\nSo it is.\n:::\n")
	assert.Contains(t, page, `<code data-copy>go run ./autograder play code/<wbr>queue.go --go 1.1 --sim --procs 4 --against 1.14 --trace both.html</code>`)
	assert.Contains(t, page, `<section class="tl-compare" id="tl-run1" data-key="run1" data-left="1.1" data-right="1.14" data-at="2000"`)
	for _, program := range []string{"queue", "add"} {
		for _, version := range []string{"1.0", "1.1", "1.14"} {
			assert.Equal(t, 1, strings.Count(page, `data-program="`+program+`" data-go="`+version+`"`))
		}
	}
	assert.Contains(t, page, "So it is.")
}

// The table of versions can be read without a script.
func TestVersionsTable(t *testing.T) {
	page := htmlOf(t, "# A\n\n::: versions code/queue.go go=\"1.0 1.14\" procs=4\n:::\n")
	assert.Contains(t, page, `<th scope="rowgroup" colspan="5"><code>queue</code></th></tr>`+"\n"+
		`<tr><td>1.0</td><td class="number span" style="--part:100.0%">1,667 µs</td><td class="number">0 µs</td><td class="number">2</td><td class="number">25.0%</td></tr>`)
	assert.Contains(t, page, `<tr><td>1.14</td><td class="number span" style="--part:75.0%">1,250 µs</td>`)
	assert.NotContains(t, page, "<script")
}

func TestMicroseconds(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0 µs", 499: "0 µs", 500: "1 µs", 999_499: "999 µs", 999_500: "1,000 µs", 7_051_000: "7,051 µs", 2_000_060_000: "2,000,060 µs"} {
		assert.Equal(t, want, microseconds(d))
	}
}

// Pages that stand behind the chapters are listed there, and come last.
func TestPagesBehindTheChapters(t *testing.T) {
	site, err := Render(withPages(t, map[string]string{"versions.md": "# All of them\n"}))
	require.NoError(t, err)
	page := string(site["01_first.html"])
	assert.Regexp(t, `(?s)Chapters</p>.*The first chapter.*Across the chapters</p>.*href="versions.html".*All of them.*Not written yet</p>`, page)
	assert.Contains(t, page, `<a rel="next" href="versions.html">`)
}

func TestBuildThatCannotRun(t *testing.T) {
	got := problemsOf(t, "# A\n\n::: output code/queue.go go=0.x\n:::\n", func(o *Options) { o.Run = nil })
	assert.Equal(t, "index.md:3: ::: output: this build cannot run programs", got)
}

// A counterexample is an element of the page, as often as the page has one; the style and
// the script of all of them are loaded once.
func TestCounterexample(t *testing.T) {
	site, err := Render(withPages(t, map[string]string{"index.md": `# A

::: counterexample ch01 lost holds=G1
So it is.
:::

::: question
Why?

::: answer
Because.

::: counterexample ch01 lost
:::
:::
`}))
	require.NoError(t, err)
	page := string(site["index.html"])
	assert.Equal(t, 2, strings.Count(page, "A wrong solution: Put drops &lt;one&gt;. The check order fails:"))
	assert.Equal(t, 1, strings.Count(page, `<div class="fail" id="counterexample-1">`))
	assert.Equal(t, 1, strings.Count(page, `<div class="fail" id="counterexample-2">`))
	assert.Contains(t, page, `<pre class="fail-lanes"><samp><span>       owner
</span>`)
	assert.Contains(t, page, "So it is.")
	assert.NotContains(t, page, "<iframe")
	assert.Equal(t, 1, strings.Count(page, `<link rel="stylesheet" href="failure.css">`))
	assert.Equal(t, 1, strings.Count(page, `<script src="failure.js" defer></script>`))
	assert.NotContains(t, string(site["01_first.html"]), "failure.", "a page without counterexamples does not load them")
	assert.Equal(t, explore.Style(), string(site["failure.css"]))
	assert.Equal(t, explore.Script(), string(site["failure.js"]))

	got := problemsOf(t, "# A\n\n::: counterexample ch01 lost\n:::\n", func(o *Options) { o.Counterexample = nil })
	assert.Equal(t, "index.md:3: ::: counterexample: this build cannot run checks", got)

	got = problemsOf(t, "# A\n\n## B {#counterexample-1}\n\n::: counterexample ch01 lost\n:::\n")
	assert.Contains(t, got, "counterexample-1")
}

func TestDisasm(t *testing.T) {
	got := htmlOf(t, "# A\n\n::: disasm code/add.go#main.add\n:::\n")
	assert.Contains(t, got, "instructions of <code>main.add</code> · <code>code/add.go</code>")
	for _, instruction := range []string{"ENTER ", "ADD ", "RET "} {
		assert.Contains(t, got, instruction)
	}
}

func TestHolds(t *testing.T) {
	log := &trace.Log{Events: []trace.Event{{Kind: trace.Yield}, {Kind: trace.Yield}, {Kind: trace.Exit}}}
	for want, message := range map[string]string{
		"":                "",
		"yield exit":      "",
		"yield=2 exit>=1": "",
		"steal=0":         "",
		"yield=1":         `the run has 2 events "yield", and the page says 1`,
		"yield>=3":        `the run has 2 events "yield", and the page says at least 3`,
		"exit steal":      `the run has 0 events "steal", and the page says at least 1`,
		"yield=many":      `holds: "yield=many" is not KIND, KIND=N or KIND>=N`,
	} {
		if err := holds(log, want); message == "" {
			assert.NoError(t, err, want)
		} else {
			assert.EqualError(t, err, message, want)
		}
	}
}

// A program that stands on a page twice, with the same arguments, runs once.
func TestPrints(t *testing.T) {
	assert.NoError(t, prints("one\ntwo 2 µs\n", ""))
	assert.NoError(t, prints("one\ntwo 2 µs\n", "two 2 µs; one"))
	assert.ErrorContains(t, prints("one\ntwo 2 µs\n", "one; two 3 µs"), `"two 3 µs"`)
}

func TestRunsAreKept(t *testing.T) {
	opt := withPages(t, map[string]string{"index.md": `# A

::: output code/queue.go go=0.x status=2
:::

::: output code/queue.go go=0.x status=2 lines=1
:::

::: output code/queue.go go=0.x status=2 args="a b"
:::
`})
	var got []RunArgs
	run := opt.Run
	opt.Run = func(program string, args RunArgs) (RunResult, error) {
		assert.Equal(t, "code/queue.go", program)
		got = append(got, args)
		return run(program, args)
	}
	_, err := Render(opt)
	require.NoError(t, err)
	assert.Equal(t, []RunArgs{{Go: "0.x", Args: []string{}}, {Go: "0.x", Args: []string{"a", "b"}}}, got)
}

func TestRealRunsAndMeasuredOnes(t *testing.T) {
	got := htmlOf(t, "# A\n\n::: output code/queue.go real measured status=3 args=\"a b\"\n:::\n")
	assert.Contains(t, got, "<code data-copy>go run code/<wbr>queue.go a b</code>")
	assert.Contains(t, got, "<samp>length &lt; 4 args [a b]\nfails\nexit status 3</samp>")
	assert.Contains(t, got, `<p class="measured">Measured while this page was built (`)

	got = htmlOf(t, "# A\n\n::: output code/two real\n:::\n")
	assert.Contains(t, got, "<code data-copy>go run ./code/<wbr>two</code>")
	assert.Contains(t, got, "<samp>two files</samp>")
}

// A real run that was disturbed is repeated, but not for ever.
func TestRealRunsAreRepeated(t *testing.T) {
	opt := withPages(t, map[string]string{"index.md": "# A\n\n::: output code/again.go real holds=\"run 3\"\n:::\n"})
	again := filepath.Join(opt.Root, "code", "again.go")
	write := func(text string) { require.NoError(t, os.WriteFile(again, []byte(text), 0o666)) }
	write(`package main

import (
	"fmt"
	"os"
)

func main() {
	runs, _ := os.ReadFile("runs")
	os.WriteFile("runs", append(runs, '.'), 0o666)
	fmt.Println("run", len(runs)+1)
}
`)
	site, err := Render(opt)
	require.NoError(t, err)
	assert.Contains(t, string(site["index.html"]), "<samp>run 3</samp>")

	write("package main\n\nfunc main() {}\n")
	_, err = Render(opt)
	assert.ErrorContains(t, err, `the page says that the output has "run 3", and it has not`)
}
