package book

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// rows are plots with a row for each row of the table, and a panel for each measure: next
// to one another, or in the narrow form below one another.
type rows struct {
	names  []string
	notes  []string // at the ends of the rows; nil: none
	panels []panel
	log    bool
	mark   mark
	height float64 // of a row's marks
	reach  float64 // how far a mark's label goes beyond its number
	scales []scale
	ticks  [][]float64 // nil: the marks say their numbers
	base   float64     // with which the numbers are compared
	origin string      // what the base is; "": there is none
	scaled string      // what the axis is called
}

// A mark draws the numbers of a row, from y on.
type mark func(r *rows, to *canvas, p panel, row int, values scale, y float64)

// bars is plot=bars: each number is a bar from 0, the columns of a panel below one another.
func bars(args *arguments, output string, w words) (drawing, error) {
	r, err := readRows(args, output, w, (*rows).bar)
	if err == nil && !r.log {
		r.ticks = nil
	}
	return r, err
}

// dots is plot=dots: each number is a dot.
func dots(args *arguments, output string, w words) (drawing, error) {
	return readRows(args, output, w, (*rows).dot)
}

const (
	markHeight  = 18 // of a bar or dot with its label
	rowGap      = 6
	dotRadius   = 4.5
	labelSpread = 5 // labels of thin bars are so much farther apart than their bars
	nameInset   = 6 // of a name above its row
	rowSteps    = 4 // of an axis at most
)

func readRows(args *arguments, output string, w words, m mark) (*rows, error) {
	t, by, panels, err := readPanels(args, output, w)
	if err != nil {
		return nil, err
	}
	log, _, err := readLog(args, "x")
	if err != nil {
		return nil, err
	}
	return newRows(t.texts(by), panels, log, w, m)
}

// newRows are rows of bars or dots.
func newRows(names []string, panels []panel, log bool, w words, m mark) (*rows, error) {
	r := &rows{names: names, panels: panels, log: log, mark: m}
	var all []cell
	for _, p := range r.panels {
		for _, n := range p.all() {
			if n.value < 0 {
				return nil, fmt.Errorf("%q has %s: a bar or dot begins at 0", p.title, n.text)
			}
		}
		r.height = max(r.height, markHeight*float64(len(p.series)))
		for j, s := range p.series {
			for _, n := range s.numbers {
				r.reach = max(r.reach, textWidth(markLabel(p, j, n))+10)
			}
		}
		all = append(all, p.all()...)
		scale, ticks := valueScale(p.all(), log, rowSteps)
		r.scales, r.ticks = append(r.scales, scale), append(r.ticks, ticks)
	}
	if log { // one axis for all, since each is read by its powers of ten
		scale, ticks := valueScale(all, true, rowSteps)
		r.scaled = w.Logarithmic
		for i := range r.panels {
			r.scales[i], r.ticks[i] = scale, ticks
		}
	}
	return r, nil
}

// markLabel is what stands beside a bar or dot: its number, after the name of its series
// if there are several.
func markLabel(p panel, n int, number cell) string {
	if len(p.series) > 1 {
		return p.series[n].label + ": " + number.text
	}
	return number.text
}

func (r *rows) bar(to *canvas, p panel, row int, values scale, y float64) {
	for i, s := range p.series {
		n := s.numbers[row]
		x := values.place(n.value)
		if !n.none && n.value > 0 {
			to.rect(values.at, y+3, x, y+markHeight-3, "bar "+seriesClass(i), "")
		}
		to.beside(x, y+markHeight/2, markLabel(p, i, n))
		y += markHeight
	}
}

func (r *rows) dot(to *canvas, p panel, row int, values scale, y float64) {
	for i, s := range p.series {
		n := s.numbers[row]
		x := values.place(n.value)
		if !n.none && (n.value > 0 || !r.log) {
			to.line(values.at, y+markHeight/2, x, y+markHeight/2, "stem")
			to.dot(x, y+markHeight/2, dotRadius, "dot "+seriesClass(i), "")
		}
		to.beside(x+dotRadius, y+markHeight/2, markLabel(p, i, n))
		y += markHeight
	}
}

// stack is plot=stack: the columns of a row are parts of one bar. note= is a column that
// stands at its end.
func stack(args *arguments, output string, w words) (drawing, error) {
	note := args.get("note")
	t, by, panels, err := readPanels(args, output, w, note)
	if err != nil {
		return nil, err
	}
	if len(panels) > 1 {
		return nil, errors.New("a stack has one panel: put , between its columns")
	}
	p := panels[0]
	if err := stackable(p); err != nil {
		return nil, err
	}
	r := &rows{names: t.texts(by), panels: panels, mark: (*rows).parts, height: 26}
	if note != "" {
		r.notes = t.texts(note)
	}
	most := 0.0
	for row := range r.names {
		sum := 0.0
		for _, s := range p.series {
			sum += s.numbers[row].value
		}
		most = max(most, sum)
	}
	if most == 0 {
		return nil, errors.New("all that is stacked is 0")
	}
	r.scales = []scale{{to: most}}
	return r, nil
}

// parts draws a bar of parts, each with what it is as far as there is room.
func (r *rows) parts(to *canvas, p panel, row int, values scale, y float64) {
	sum := 0.0
	for i, s := range p.series {
		n := s.numbers[row]
		x1, x2 := values.place(sum), values.place(sum+n.value)
		sum += n.value
		if n.value == 0 {
			continue
		}
		to.rect(x1, y+2, x2, y+r.height-2, "part "+seriesClass(i), s.label+": "+n.text)
		for _, label := range []string{s.label + ": " + n.text, s.label} {
			if textWidth(label)+6 <= x2-x1 {
				to.text((x1+x2)/2, y+r.height/2+4.5, "middle", "inside", label)
				break
			}
		}
	}
}

// tornado is plot=tornado: the columns of a row are bars that begin at one base, which is
// in the row base=; the rows with the longest bars stand first.
func tornado(args *arguments, output string, w words) (drawing, error) {
	name := args.get("base")
	t, by, panels, err := readPanels(args, output, w)
	if err != nil {
		return nil, err
	}
	if len(panels) > 1 {
		return nil, errors.New("a tornado has one panel: put , between its columns")
	}
	p, names := panels[0], t.texts(by)
	base := slices.Index(names, name)
	if base < 0 {
		return nil, fmt.Errorf("base=%q is no row of the output: write the name of the one where nothing is changed; there are %s", name, quoted(names))
	}
	if err := stackable(p); err != nil {
		return nil, err
	}
	for _, s := range p.series {
		if a, b := p.series[0].numbers[base], s.numbers[base]; a != b {
			return nil, fmt.Errorf("the base is %s in one column and %s in another: a tornado has one", a.text, b.text)
		}
	}
	if len(names) == 1 {
		return nil, fmt.Errorf("there is no row but %q", name)
	}
	r := &rows{mark: (*rows).sides, height: markHeight, base: p.series[0].numbers[base].value}
	r.origin = name + ": " + p.series[0].numbers[base].text
	r.panels = []panel{sorted(p, base, r.base, names, &r.names)}
	for _, s := range p.series {
		r.reach = max(r.reach, textWidth(s.label)*bold+10)
	}
	scale, ticks := valueScale(p.all(), false, rowSteps)
	r.scales, r.ticks = append(r.scales, scale), append(r.ticks, ticks)
	return r, nil
}

// sorted are the rows of a panel but for the base, those first that are farthest from it.
func sorted(p panel, base int, value float64, names []string, sortedNames *[]string) panel {
	far := func(row int) float64 {
		d := 0.0
		for _, s := range p.series {
			d = max(d, math.Abs(s.numbers[row].value-value))
		}
		return d
	}
	var order []int
	for row := range names {
		if row != base {
			order = append(order, row)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case far(a) > far(b):
			return -1
		case far(a) < far(b):
			return 1
		}
		return 0
	})
	q := panel{title: p.title}
	for _, s := range p.series {
		in := series{label: s.label, unit: s.unit}
		for _, row := range order {
			in.numbers = append(in.numbers, s.numbers[row])
		}
		q.series = append(q.series, in)
	}
	for _, row := range order {
		*sortedNames = append(*sortedNames, names[row])
	}
	return q
}

// sides draws the bars of a row from the base on. Those of the first row say which is
// which.
func (r *rows) sides(to *canvas, p panel, row int, values scale, y float64) {
	each := r.height / float64(len(p.series))
	base := values.place(r.base)
	for i, s := range p.series {
		n := s.numbers[row]
		x := values.place(n.value)
		to.rect(base, y+1, x, y+each-.5, "bar "+seriesClass(i), s.label+": "+n.text)
		if row == 0 {
			side, anchor := 5.0, "start"
			if x < base {
				side, anchor = -5, "end"
			}
			off := (float64(i) - float64(len(p.series)-1)/2) * labelSpread // from the bars of the others
			to.text(x+side, y+each/2+off+4.5, anchor, "label "+seriesClass(i), s.label)
		}
		y += each
	}
}

// sideBySide is the least width of panels that stand next to one another.
const sideBySide = 140

func (r *rows) draw(width float64) *canvas {
	to := &canvas{width: width}
	names := widest(r.names...) + 10
	notes := 0.0
	if r.notes != nil {
		notes = widest(r.notes...) + 10
	}
	above := names+notes > width*.4
	if above {
		names, notes = textWidth("0")/2, 0 // half a tick
	}
	n := float64(len(r.panels))
	share := (width - names - notes - 20*(n-1)) / n
	if len(r.panels) > 1 && width == wide && share >= sideBySide {
		top := 0.0
		for i, p := range r.panels {
			top = max(top, to.title(names+float64(i)*(share+20), 0, share, p.title))
		}
		for i := range r.panels {
			x := names + float64(i)*(share+20)
			r.panel(to, i, top, x, x+share, above, i == 0)
		}
		return to
	}
	for i, p := range r.panels {
		if i > 0 {
			to.height += panelGap
		}
		r.panel(to, i, to.title(0, to.height, width, p.title), names, width-notes, above, true)
	}
	return to
}

// panel draws a panel from y on, between x1 and x2, where it says which row is which if
// named.
func (r *rows) panel(to *canvas, n int, y, x1, x2 float64, above, named bool) {
	p, step := r.panels[n], r.height+rowGap
	y += titleGap
	if above {
		step += lineHeight + rowGap
	}
	values := r.scales[n].between(x1, x2-r.reach)
	if r.origin != "" {
		to.text(values.place(r.base), y+9, "middle", "row", r.origin)
		y += lineHeight + labelSpread
	}
	top, bottom := y, y+step*float64(len(r.names))
	if r.ticks != nil {
		r.axis(to, n, values, top, bottom)
	}
	if r.origin != "" {
		to.upright(values.place(r.base), top, bottom)
	} else if r.reach > 0 { // a stack has no labels beyond its numbers, and needs no axis
		to.upright(x1, top, bottom)
	}
	for row, name := range r.names {
		middle := y + r.height/2
		if above {
			y += lineHeight
		}
		switch {
		case named && above:
			to.text(x1+nameInset, y-4, "start", "row", name)
		case named:
			to.text(x1-10, middle+4.5, "end", "row", name)
		}
		r.mark(r, to, p, row, values, y)
		r.note(to, row, x2, y, above)
		y += step
		if above {
			y -= lineHeight
		}
	}
	if r.ticks != nil {
		bottom += 20
	}
	if r.scaled != "" {
		to.text((values.at+values.end)/2, bottom+12, "middle", "tick", r.scaled)
		bottom += lineHeight
	}
	to.height = max(to.height, bottom+4)
}

// note writes what stands at the end of a row.
func (r *rows) note(to *canvas, row int, x, y float64, above bool) {
	switch {
	case r.notes == nil:
	case above:
		to.text(x, y-4, "end", "number", r.notes[row])
	default:
		to.text(x+10, y+r.height/2+4.5, "start", "number", r.notes[row])
	}
}

// axis draws the ticks of a panel, as few of them as there is room for.
func (r *rows) axis(to *canvas, n int, values scale, top, bottom float64) {
	ticks, every := r.ticks[n], 1
	for i := 0; i+every < len(ticks); i += every {
		a, b := ticks[i], ticks[i+every]
		if values.place(b)-values.place(a) < (textWidth(tickText(a))+textWidth(tickText(b)))/2+6 {
			every, i = every+1, -every-1
		}
	}
	for i := 0; i < len(ticks); i += every {
		x := values.place(ticks[i])
		to.line(x, top, x, bottom+3, "grid")
		to.text(x, bottom+16, "middle", "tick", tickText(ticks[i]))
	}
}
