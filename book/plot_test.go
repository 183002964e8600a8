package book

import (
	"fmt"
	"math"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// printed is what programs of the sample book print, by their argument.
var printed = map[string]string{
	"rates": `What a run gave.

CPUs  rate  in the lock  other
   1    40        0.0%       9  ████
   2    80        5.0%      12  ████████
   4    60       50.0%       -  ██████

It ends here.
`,
	"kinds": `what        first  second     time
one of them    30      10  1500 µs
another         0      40   400 µs
`,
	"names": `what                                 first  time
one of them, with quite a long name     30  15 µs
another                                  0  40 µs
`,
	"split": `program  CPUs  a  b
p.go        1  5  6
p.go        2  7  8
q.go        1  9  1
`,
	"costs": `cost      half  twice
as it is   8.0    8.0
Load       8.5    8.0
Miss       4.0   16.0
`,
	"oneSide": `cost      half  twice
as it is   8.0    8.0
Wake       9.0   16.0
`,
	"lanes": `a column is 20 µs
M0  ██·s
M1   s█
`,
	"units": "n  time\n1  5 ms\n2  5 µs\n",
	"twice": "n  a  a\n1  2  3\n",
	"short": "n  a  b\n1  2\n",
	"text":  "n  a  b\n1  2  many\n",
	"empty": "n  a  b\n\n1  2  3\n",
	"minus": "n  a  b\n1  2  -3\n",
	"zeros": "n  a  b\n0  0  5\n1  0  5\n",
}

// printing is a change of options with which programs print these.
func printing(opt *Options) {
	run := opt.Run
	opt.Run = func(program string, args RunArgs) (RunResult, error) {
		if args.Procs != 0 {
			return run(program, args)
		}
		return RunResult{Output: printed[args.Args[0]]}, nil
	}
}

// plotOf builds a page with a plot and returns its article.
func plotOf(t *testing.T, element string) string {
	t.Helper()
	opt := withPages(t, map[string]string{"index.md": "# A\n\n::: " + element + "\nSo it is.\n:::\n"})
	printing(&opt)
	site, err := Render(opt)
	require.NoError(t, err, element)
	_, article, _ := strings.Cut(string(site["index.html"]), "<article>")
	return article
}

func output(name, options string) string {
	return "output code/queue.go go=0.x args=" + name + " " + options
}

// plots are one of each kind.
var plots = map[string]string{
	"lines":    output("rates", `plot=lines columns="rate, other; in the lock" y="steps per ms; time, spent in the lock" log=x alt="80"`),
	"split":    output("split", `plot=lines by=CPUs split=program columns="a as the first of them, b as the other" y="times" alt="x"`),
	"shares":   output("kinds", `plot=shares by=first columns="second, first" alt="x"`),
	"bars":     output("kinds", `plot=bars columns="first; second; time" y="the first of the two; the second of the two; the time" alt="x"`),
	"log bars": output("kinds", `plot=bars columns="first; time" log=x alt="x"`),
	"names":    output("names", `plot=dots columns="first" alt="x"`),
	"notes":    output("names", `plot=stack columns="first" note=time alt="x"`),
	"dots":     output("kinds", `plot=dots columns="first, second; time" y="both; the time" alt="x"`),
	"stack":    output("kinds", `plot=stack columns="first, second" note=time y="of both kinds" alt="x"`),
	"tornado":  output("costs", `plot=tornado columns="half as × ½, twice as × 2" base="as it is" y="how many times as fast it is then, on a computer of that kind" alt="x"`),
	"one side": output("oneSide", `plot=tornado columns="half as × ½, twice as × 2" base="as it is" y="times as fast" alt="x"`),
	"lanes":    output("lanes", `plot=lanes columns="█ as runs, s as spins, · as sleeps" step=20 x=µs alt="x"`),
	"versions": `versions code/queue.go code/add.go go="0.x 1.0 1.14" procs=4 plot=dots alt="1,667 µs"`,
}

func TestProblemsOfPlots(t *testing.T) {
	for _, test := range []struct{ element, want string }{
		{output("rates", "plot=pie"), "unknown plot=pie: there are bars, dots, lanes, lines, shares, stack, tornado"},
		{output("rates", "plot=lines"), `which columns of the output? write columns="one, other as its label", and ; before those of another panel`},
		{output("rates", "plot=lines columns=rate"), `what is to be seen? write alt="…", in words`},
		{output("rates", `plot=lines columns=rate alt="it is 80, then 70"`), "alt= says 70, and the output has no such number: take one that it has, or say it in words; it is:\nWhat a run gave."},
		{output("rates", `plot=lines columns="rate, speed" alt=x`), `no line of the output heads the columns "rate", "speed" (the nearest one lacks "speed"): their names stand two or more spaces apart, above the rows; the output is:` + "\nWhat a run gave."},
		{output("rates", `plot=lines columns="rate; other" y=rate alt=x`), "y= has 1 titles for 2 panels: put ; between them"},
		{output("rates", `plot=lines columns=rate log=z alt=x`), "log=z is not an axis of this plot: it can be x and y"},
		{output("rates", `plot=bars columns=rate log=y alt=x`), "log=y is not an axis of this plot: it can be x"},
		{output("rates", `plot=lines columns=rate base=1 alt=x`), "unknown option base="},
		{output("rates", `plot=stack columns="rate, other" alt=x`), `"other" has -: these columns need a number from 0 on in each row`},
		{output("rates", `plot=lines by=other columns=rate alt=x`), `row 3 has - as "other", which has no place on the axis`},
		{output("rates", `plot=shares columns="rate, in the lock" alt=x`), `"rate" is in "" and "in the lock" in "%": these columns need one unit`},
		{output("rates", `plot=lines columns=rate alt=x holds=7`), `the page says that the output has "7"`},
		{output("units", "plot=bars columns=time alt=x"), `the column "time" is in "ms" and in "µs": let the program print it in one unit`},
		{output("twice", "plot=bars columns=a alt=x"), `the output has two columns "a": let the program give each a name of its own`},
		{output("short", "plot=bars columns=a alt=x"), "line 2 of the output has 2 cells, and its header has 3: they stand two or more spaces apart, and one without a value is -; the line is:\n1  2"},
		{output("text", "plot=bars columns=b alt=x"), `the column "b" has "many", which does not begin with a number (one without a value is -)`},
		{output("empty", "plot=bars columns=b alt=x"), "below its header, line 1, the output has no rows: they follow at once, and an empty line ends them"},
		{output("minus", "plot=bars columns=b alt=x"), `"b" has -3: a bar or dot begins at 0`},
		{output("minus", "plot=lines columns=b alt=x"), `-3 has no place on the axis of "b"`},
		{output("zeros", "plot=lines columns=a log=y alt=x"), `0 has no place on the axis of "a, logarithmic"`},
		{output("zeros", "plot=lines columns=b log=x alt=x"), `row 1 has 0 as "n", which has no place on the axis`},
		{output("zeros", "plot=stack columns=a alt=x"), "all that is stacked is 0"},
		{output("kinds", `plot=stack columns="first; second" alt=x`), "a stack has one panel: put , between its columns"},
		{output("kinds", `plot=stack columns="first" note=place alt=x`), `no line of the output heads the columns "place", "first"`},
		{output("costs", `plot=tornado columns="half; twice" base="as it is" alt=x`), "a tornado has one panel: put , between its columns"},
		{output("costs", `plot=tornado columns="half, twice" alt=x`), `base="" is no row of the output: write the name of the one where nothing is changed; there are "as it is", "Load", "Miss"`},
		{output("costs", `plot=tornado columns="half, twice" base=Load alt=x`), "the base is 8.5 in one column and 8.0 in another: a tornado has one"},
		{output("lanes", `plot=lanes columns="█ as runs" step=20 alt=x`), `the output has no lanes of "█": a lane is a name, two spaces, and one of these signs, or a space, for each column; the output is:` + "\na column"},
		{output("lanes", `plot=lanes columns="runs" step=20 alt=x`), `"runs" is not one sign: write columns="█ as runs, · as sleeps"`},
		{output("lanes", `plot=lanes columns="█ as runs, · as sleeps, s as spins" alt=x`), "step= is not a number above 0: how much is a column of the lanes?"},
		{`versions code/queue.go go="0.x 1.0" procs=4 plot=bars alt=x`, "unknown plot=bars: versions are drawn as dots"},
		{`versions code/queue.go go="0.x 1.0" procs=4 plot=dots`, `what is to be seen? write alt="…"`},
		{`versions code/queue.go go="0.x 1.0" procs=4 plot=dots alt="3 µs"`, "alt= says 3, and the output has no such number"},
	} {
		got := problemsOf(t, "# A\n\n::: "+test.element+"\n:::\n", printing)
		assert.Contains(t, got, "index.md:3: ::: ", test.element)
		assert.Contains(t, got, ": "+test.want, test.element)
	}
}

// A plot has an accessible name, its caption, and the output with its command below a fold.
func TestPlot(t *testing.T) {
	page := plotOf(t, output("rates", `plot=lines columns=rate alt="It's 80 at its best" measured`))
	assert.Contains(t, page, `<figure class="plot"><div class="drawing" role="img" aria-label="It’s 80 at its best"><svg class="wide" viewBox="0 0 640 `)
	assert.Contains(t, page, `<svg class="narrow" viewBox="0 0 340 `)
	assert.Equal(t, 2, strings.Count(page, `aria-hidden="true" focusable="false"`))
	assert.Regexp(t, `(?s)<details><summary>The numbers</summary>\n<div class="head"><span class="prompt" aria-hidden="true">\$ </span>`+
		`<code data-copy>go run ./autograder play code/<wbr>queue.go --go 0.x -- rates</code></div>`+
		`<pre class="source"><samp>What a run gave\..*██\n\nIt ends here\.</samp></pre></details>\n<figcaption>\n<p>So it is\.</p>\n<p class="measured">.*</figcaption></figure>`, page)
}

// Only pages with plots load their style.
func TestPlotStyleIsLoaded(t *testing.T) {
	opt := withPages(t, map[string]string{"index.md": "# A\n\n::: question\nWhy?\n\n::: answer\nSo.\n\n::: " + plots["lines"] + "\n:::\n\n:::\n"})
	printing(&opt)
	site, err := Render(opt)
	require.NoError(t, err)
	assert.Contains(t, site, "plot.css")
	assert.Contains(t, string(site["index.html"]), `<link rel="stylesheet" href="plot.css">`)
	assert.Regexp(t, `(?s)<div class="answer">.*<figure class="plot">.*</figure>.*</div></details>\n</section>`, string(site["index.html"]))
	assert.NotContains(t, string(site["01_first.html"]), "plot.css")
}

// Every class of a drawing has a rule, and no rule a colour of its own.
func TestPlotStyle(t *testing.T) {
	text, err := assets.ReadFile("assets/plot.css")
	require.NoError(t, err)
	style := regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(string(text), "")
	assert.NotRegexp(t, `#[0-9a-fA-F]{3}|rgb|hsl|prefers-color-scheme`, style)
	for _, name := range regexp.MustCompile(`var\(--(\w+)\)`).FindAllStringSubmatch(style, -1) {
		assert.Contains(t, styleSheet(t)+style, "--"+name[1]+":")
	}
	seen := map[string]bool{}
	for name, element := range plots {
		for _, m := range regexp.MustCompile(`<(?:rect|circle|line|path)[^>]* class="([^"]*)"`).FindAllStringSubmatch(plotOf(t, element), -1) {
			for _, class := range strings.Fields(m[1]) {
				seen[class] = true
				assert.Contains(t, style, ".drawing ."+class, name)
			}
		}
	}
	assert.Greater(t, len(seen), 12)
}

// A labelBox is where a text of a drawing stands.
type labelBox struct {
	text           string
	x1, y1, x2, y2 float64
}

var (
	svgIn  = regexp.MustCompile(`(?s)<svg class="(wide|narrow)" viewBox="0 0 (\S+) (\S+)".*?</svg>`)
	textIn = regexp.MustCompile(`<text x="(\S+)" y="(\S+)" text-anchor="(\w+)" class="([^"]*)">([^<]*)</text>`)
)

func numberOf(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	require.NoError(t, err)
	return v
}

// labels are the texts of a drawing.
func labels(t *testing.T, svg string) []labelBox {
	var all []labelBox
	for _, m := range textIn.FindAllStringSubmatch(svg, -1) {
		x, y := numberOf(t, m[1]), numberOf(t, m[2])
		w := textWidth(m[5])
		switch m[3] {
		case "middle":
			x -= w / 2
		case "end":
			x -= w
		}
		all = append(all, labelBox{m[5], x, y - 9.5, x + w, y + 2})
	}
	return all
}

// In both widths, texts stand inside the drawing, and no two upon each other.
func TestTextsOfPlotsAreApart(t *testing.T) {
	for name, element := range plots {
		drawings := svgIn.FindAllStringSubmatch(plotOf(t, element), -1)
		require.Len(t, drawings, 2, name)
		for _, d := range drawings {
			width, height := numberOf(t, d[2]), numberOf(t, d[3])
			all := labels(t, d[0])
			assert.NotEmpty(t, all, name)
			for i, a := range all {
				where := fmt.Sprintf("%s, %s: %q", name, d[1], a.text)
				assert.True(t, a.x1 >= -1 && a.x2 <= width+1 && a.y1 >= -1 && a.y2 <= height+1, "%s is outside: %v of %v × %v", where, a, width, height)
				for _, b := range all[:i] {
					assert.False(t, a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2, "%s stands upon %q", where, b.text)
				}
			}
		}
	}
}

// In both widths no axis, base or curve passes through a text, and no bar stands under it.
// Only the grid may pass: it is interrupted there.
func TestTextsOfPlotsDodgeLines(t *testing.T) {
	crossed := 0 // by the grid: these texts are where lines are
	for name, element := range plots {
		for _, d := range svgIn.FindAllStringSubmatch(plotOf(t, element), -1) {
			bars := attributes(t, d[0], "rect", "bar s.", "x", "y", "width", "height")
			for _, text := range labels(t, d[0]) {
				for _, r := range bars {
					apart := text.x2 <= r[0] || r[0]+r[2] <= text.x1 || text.y2 <= r[1] || r[1]+r[3] <= text.y1
					assert.True(t, apart, "%s, %s: %q stands on a bar", name, d[1], text.text)
				}
				for class, segments := range lineSegments(t, d[0]) {
					for _, s := range segments {
						switch {
						case !text.crossedBy(s):
						case class == "grid":
							crossed++
						default:
							assert.Fail(t, "crossed", "%s, %s: %q by the %s %v", name, d[1], text.text, class, s)
						}
					}
				}
			}
		}
	}
	assert.Positive(t, crossed)
}

// lineSegments are the straight lines of a drawing by their class, x1, y1, x2 and y2 of each.
func lineSegments(t *testing.T, svg string) map[string][][]float64 {
	t.Helper()
	all := map[string][][]float64{}
	for _, class := range []string{"axis", "grid", "stem"} {
		all[class] = attributes(t, svg, "line", class, "x1", "y1", "x2", "y2")
	}
	for _, m := range regexp.MustCompile(`<path d="([^"]*)" class="curve`).FindAllStringSubmatch(svg, -1) {
		points := regexp.MustCompile(`([\d.]+) ([\d.]+)`).FindAllStringSubmatch(m[1], -1)
		for i, b := range points[1:] {
			a := points[i]
			all["curve"] = append(all["curve"], []float64{numberOf(t, a[1]), numberOf(t, a[2]), numberOf(t, b[1]), numberOf(t, b[2])})
		}
	}
	return all
}

// crossedBy reports whether a line passes through the letters, looking at it every half pixel.
func (l labelBox) crossedBy(line []float64) bool {
	x1, y1, x2, y2 := line[0], line[1], line[2], line[3]
	steps := 1 + 2*math.Hypot(x2-x1, y2-y1)
	for i := 0.0; i <= steps; i++ {
		x, y := x1+(x2-x1)*i/steps, y1+(y2-y1)*i/steps
		if l.x1 < x && x < l.x2 && l.y1 < y && y < l.y2 {
			return true
		}
	}
	return false
}

// wideOf is the wide drawing of a plot.
func wideOf(t *testing.T, element string) string {
	t.Helper()
	return svgIn.FindString(plotOf(t, element))
}

// attributes are those of all marks with a class.
func attributes(t *testing.T, svg, tag, class string, names ...string) [][]float64 {
	t.Helper()
	var all [][]float64
	for _, m := range regexp.MustCompile(`<`+tag+`[^>]* class="`+class+`"`).FindAllString(svg, -1) {
		var values []float64
		for _, name := range names {
			values = append(values, numberOf(t, regexp.MustCompile(` ` + name + `="([^"]*)"`).FindStringSubmatch(m)[1]))
		}
		all = append(all, values)
	}
	return all
}

// The points of a line stand where their numbers say: on a logarithmic axis of CPUs, and
// above 0.
func TestLinesAreTrue(t *testing.T) {
	svg := wideOf(t, output("rates", `plot=lines columns=rate log=x alt="x"`))
	dots := attributes(t, svg, "circle", "dot s1", "cx", "cy")
	require.Len(t, dots, 3)
	zero := attributes(t, svg, "line", "axis", "y1")[0][0]
	assert.InDelta(t, dots[2][0]-dots[1][0], dots[1][0]-dots[0][0], 0.2, "1, 2 and 4 CPUs are as far apart")
	for i, rate := range []float64{40, 80, 60} {
		assert.InDelta(t, (zero-dots[1][1])*rate/80, zero-dots[i][1], 0.2)
	}
	assert.Contains(t, svg, "<title>CPUs 2: 80</title>")
	linear := attributes(t, wideOf(t, output("rates", `plot=lines columns=rate alt="x"`)), "circle", "dot s1", "cx")
	assert.InDelta(t, 2*(linear[1][0]-linear[0][0]), linear[2][0]-linear[1][0], 0.2)
}

// What was not measured is a gap, and no zero.
func TestLinesHaveGaps(t *testing.T) {
	svg := wideOf(t, output("rates", `plot=lines columns="other, rate" alt="x"`))
	assert.Len(t, attributes(t, svg, "circle", "dot s1", "cx"), 2)
	assert.Len(t, attributes(t, svg, "circle", "dot s2", "cx"), 3)
}

// Bars begin at 0 and are as long as their numbers; 0 has none on a logarithmic axis.
func TestBarsAreTrue(t *testing.T) {
	bars := attributes(t, wideOf(t, output("kinds", `plot=bars columns=second alt="x"`)), "rect", "bar s1", "x", "width")
	require.Len(t, bars, 2)
	assert.Equal(t, bars[0][0], bars[1][0])
	assert.InDelta(t, 4*bars[0][1], bars[1][1], 0.5)

	svg := wideOf(t, output("kinds", `plot=bars columns=first log=x alt="x"`))
	assert.Len(t, attributes(t, svg, "rect", "bar s1", "x"), 1)
	assert.Contains(t, svg, ">0</text>")
	assert.Contains(t, svg, ">logarithmic</text>")
}

// The parts of a stack follow each other without a gap.
func TestStackIsTrue(t *testing.T) {
	svg := wideOf(t, plots["stack"])
	first, second := attributes(t, svg, "rect", "part s1", "x", "width"), attributes(t, svg, "rect", "part s2", "x", "width")
	require.Len(t, first, 1, "there is no part of 0")
	require.Len(t, second, 2)
	assert.InDelta(t, first[0][0]+first[0][1], second[0][0], 0.2)
	assert.InDelta(t, 3*second[0][1], first[0][1], 0.5)
	assert.InDelta(t, first[0][0], second[1][0], 0.2)
	for _, text := range []string{">first: 30<", ">second: 40<", ">400 µs<"} {
		assert.Contains(t, svg, text)
	}
}

// The layers of shares fill the panel in each place.
func TestSharesAreTrue(t *testing.T) {
	p := panel{series: []series{{numbers: []cell{{value: 30}, {value: 0}}}, {numbers: []cell{{value: 10}, {value: 40}}}}}.shares()
	assert.Equal(t, []cell{{value: 75}, {value: 0}}, p.series[0].numbers)
	assert.Equal(t, []cell{{value: 25}, {value: 100}}, p.series[1].numbers)
}

// The bars of a tornado begin at the base; the row with the longest stands first, and the
// base is no row.
func TestTornadoIsTrue(t *testing.T) {
	svg := wideOf(t, plots["tornado"])
	assert.Contains(t, svg, ">as it is: 8.0<")
	assert.Less(t, strings.Index(svg, ">Miss<"), strings.Index(svg, ">Load<"))
	assert.NotContains(t, svg, ">as it is<")
	half, twice := attributes(t, svg, "rect", "bar s1", "x", "width"), attributes(t, svg, "rect", "bar s2", "x", "width")
	assert.InDelta(t, half[0][0]+half[0][1], twice[0][0], 0.2, "4.0 ends where 16.0 begins")
	assert.InDelta(t, 2*half[0][1], twice[0][1], 0.5)
	assert.InDelta(t, 8*half[1][1], half[0][1], 0.6)
}

// A lane begins where its first sign stands, and as many columns as it has.
func TestLanesAreTrue(t *testing.T) {
	svg := wideOf(t, plots["lanes"])
	run := attributes(t, svg, "rect", "lane lane1", "x", "width")[1:] // the first is the key
	spin := attributes(t, svg, "rect", "lane lane2", "x", "width")[1:]
	require.Len(t, run, 2)
	require.Len(t, spin, 2)
	column := run[0][1] / 2
	assert.InDelta(t, run[0][0]+3*column, spin[0][0], 0.2)
	assert.InDelta(t, run[0][0]+column, spin[1][0], 0.2)
	assert.InDelta(t, run[0][0]+2*column, run[1][0], 0.2)
	assert.Contains(t, svg, ">80</text>", "four columns of 20 µs")
}

// Versions are drawn in multiples of the first one, with the table below the fold.
func TestVersionsPlot(t *testing.T) {
	page := plotOf(t, plots["versions"])
	for _, text := range []string{">Makespan, in multiples of that on Go 0.x<", ">Go 0.x<", ">Go 1.0: 1.00<", ">Go 1.14: 0.75<", ">add<"} {
		assert.Contains(t, page, text)
	}
	assert.NotContains(t, page, ">Go 0.x: ")
	assert.Regexp(t, `(?s)<details><summary>The numbers</summary>\n<div class="scroll".*1,250 µs.*</table></div>\n</details>`, page)
}

func TestValueScale(t *testing.T) {
	for _, test := range []struct {
		most float64
		log  bool
		want []float64
	}{
		{1370, false, []float64{0, 500, 1000, 1500}},
		{1500, false, []float64{0, 500, 1000, 1500}},
		{9411, false, []float64{0, 2500, 5000, 7500, 10000}},
		{0.3, false, []float64{0, 0.1, 0.2, 0.3}},
		{0, false, []float64{0, 0.25, 0.5, 0.75, 1}},
		{4002, true, []float64{1, 10, 100, 1000, 10000}},
	} {
		scale, ticks := valueScale([]cell{{value: 0}, {value: min(6, test.most)}, {value: test.most}}, test.log, 4)
		assert.InDeltaSlice(t, test.want, ticks, 1e-9, "%v", test.most)
		assert.InDelta(t, test.want[0], scale.from, 1e-9)
		assert.InDelta(t, test.want[len(test.want)-1], scale.to, 1e-9)
	}
	assert.Equal(t, "0.3", tickText(0.1+0.2))
}

func TestApart(t *testing.T) {
	places := []float64{1, 2, 50, 99}
	apart(places, 16, 0, 100)
	assert.Equal(t, []float64{1, 17, 50, 99}, places)
	places = []float64{90, 95, 99}
	apart(places, 16, 0, 100)
	assert.Equal(t, []float64{68, 84, 100}, places)
}

// The plots of the book name columns that the tests of this package do not run; here at
// least each says what is to be seen.
func TestPlotsOfTheBookHaveWords(t *testing.T) {
	pages, err := os.ReadDir("en")
	require.NoError(t, err)
	for _, page := range pages {
		text, err := os.ReadFile(path.Join("en", page.Name()))
		require.NoError(t, err)
		for _, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, "::: ") && strings.Contains(line, " plot=") {
				args, err := parseArguments(strings.TrimPrefix(line, "::: "))
				require.NoError(t, err)
				assert.Greater(t, len(strings.Fields(args.get("alt"))), 10, "%s: %s", page.Name(), line)
			}
		}
	}
}
