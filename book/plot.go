package book

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A drawing is a plot that can be drawn in any width. Each is drawn twice, and the style
// sheet shows the one that the page has room for: text does not shrink with the drawing.
type drawing interface {
	draw(width float64) *canvas
}

// The widths of the two forms, in px. Wide is as wide as the text of a page, and narrow
// as that of a phone.
const (
	wide   = 640
	narrow = 340
)

// plotKinds are what plot= may be. Each reads the options that it knows.
var plotKinds = map[string]func(args *arguments, output string, w words) (drawing, error){
	"lines":   lines,
	"shares":  shares,
	"bars":    bars,
	"stack":   stack,
	"dots":    dots,
	"tornado": tornado,
	"lanes":   lanes,
}

// plot draws what a run printed.
func (b *builder) plot(p *page, e *element, args *arguments, output, folded string) error {
	kind, ok := plotKinds[args.get("plot")]
	if !ok {
		return fmt.Errorf("unknown plot=%s: there are %s", args.get("plot"), strings.Join(sortedKeys(plotKinds), ", "))
	}
	d, err := kind(args, output, b.words)
	if err != nil {
		return err
	}
	return b.show(p, e, args, d, output, folded)
}

// show puts a drawing on the page, above a fold with the output that it is drawn of. The
// alternative text says what is to be seen; each number in it must be one of the output.
func (b *builder) show(p *page, e *element, args *arguments, d drawing, output, folded string) error {
	alt := args.get("alt")
	if err := tells(alt, output); err != nil {
		return err
	}
	p.plots++
	figure(e, "plot", "", `<div class="drawing" role="img" aria-label="`+esc(b.words.apostrophes(alt))+`">`+
		d.draw(wide).svg("wide")+d.draw(narrow).svg("narrow")+"</div>\n"+
		"<details><summary>"+esc(b.words.Numbers)+"</summary>\n"+folded+"</details>")
	return nil
}

var numberInText = regexp.MustCompile(`\d+(?:[.,]\d+)*`)

// tells checks that an alternative text is there and says no number that the output does
// not have.
func tells(alt, output string) error {
	if alt == "" {
		return errors.New(`what is to be seen? write alt="…", in words, for those who cannot see the plot`)
	}
	plain := func(n string) string { return strings.ReplaceAll(n, ",", "") }
	has := map[string]bool{}
	for _, n := range numberInText.FindAllString(output, -1) {
		has[plain(n)] = true
	}
	for _, n := range numberInText.FindAllString(alt, -1) {
		if !has[plain(n)] {
			return fmt.Errorf("alt= says %s, and the output has no such number: take one that it has, or say it in words; it is:\n%s", n, strings.TrimSpace(output))
		}
	}
	return nil
}

// A panel is a part of a plot with an axis of values of its own.
type panel struct {
	title  string
	series []series
}

// A series is a column of a table.
type series struct {
	label   string
	numbers []cell
	unit    string
}

// percent is a unit of which 100 is all.
func (p panel) percent() bool { return strings.HasPrefix(p.series[0].unit, "%") }

// most is the greatest number of a panel.
func (p panel) most() float64 {
	most := 0.0
	for _, n := range p.all() {
		most = max(most, n.value)
	}
	return most
}

// all are the numbers of a panel.
func (p panel) all() []cell {
	var all []cell
	for _, s := range p.series {
		for _, n := range s.numbers {
			if !n.none {
				all = append(all, n)
			}
		}
	}
	return all
}

// A columnSpec is a column and what it is called in the plot.
type columnSpec struct{ column, label string }

// parseColumns reads columns="a, b as B; c": a panel of two columns and one of one.
func parseColumns(spec string) ([][]columnSpec, error) {
	if spec == "" {
		return nil, errors.New(`which columns of the output? write columns="one, other as its label", and ; before those of another panel`)
	}
	var panels [][]columnSpec
	for _, part := range strings.Split(spec, ";") {
		var columns []columnSpec
		for _, c := range strings.Split(part, ",") {
			column, label, _ := strings.Cut(strings.TrimSpace(c), " as ")
			columns = append(columns, columnSpec{column, cmp.Or(label, column)})
		}
		panels = append(panels, columns)
	}
	return panels, nil
}

// readPanels reads the table that columns= and by= name, and its panels, with y= as
// titles. by is the column that says what a row is, if it is not the first one.
func readPanels(args *arguments, output string, w words, others ...string) (t table, by string, panels []panel, err error) {
	specs, err := parseColumns(args.get("columns"))
	if err != nil {
		return t, "", nil, err
	}
	by = args.get("by")
	names := slices.DeleteFunc(append(others, by), func(s string) bool { return s == "" })
	for _, spec := range specs {
		for _, c := range spec {
			names = append(names, c.column)
		}
	}
	if t, err = readTable(output, names); err != nil {
		return t, "", nil, err
	}
	titles := strings.Split(args.get("y"), ";")
	if args.get("y") != "" && len(titles) != len(specs) {
		return t, "", nil, fmt.Errorf("y= has %d titles for %d panels: put ; between them, as in columns=", len(titles), len(specs))
	}
	for i, spec := range specs {
		p := panel{}
		if len(spec) == 1 {
			p.title = spec[0].label
		}
		if i < len(titles) {
			p.title = w.apostrophes(cmp.Or(strings.TrimSpace(titles[i]), p.title))
		}
		for _, c := range spec {
			s := series{label: w.apostrophes(c.label)}
			if s.numbers, s.unit, err = t.numbers(c.column); err != nil {
				return t, "", nil, err
			}
			p.series = append(p.series, s)
		}
		if len(p.all()) == 0 {
			return t, "", nil, fmt.Errorf("the panel %q has no numbers", p.title)
		}
		panels = append(panels, p)
	}
	return t, cmp.Or(by, t.columns[0]), panels, nil
}

// readLog reads log=, of the axes that a kind of plot has: "x y".
func readLog(args *arguments, axes string) (x, y bool, err error) {
	for _, axis := range strings.Fields(args.get("log")) {
		if !strings.Contains(axes, axis) || len(axis) != 1 {
			return false, false, fmt.Errorf("log=%s is not an axis of this plot: it can be %s", axis, strings.Join(strings.Split(axes, ""), " and "))
		}
		x, y = x || axis == "x", y || axis == "y"
	}
	return x, y, nil
}
