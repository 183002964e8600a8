package book

import (
	"fmt"
	"math"
	"slices"
)

// curves are panels below one another, over an axis of numbers. If the rows are split by a
// column, there are as many next to one another, or in the narrow form below one another,
// as that column has words.
type curves struct {
	by         string // what the numbers of the axis are
	splits     []split
	titles     []string // of the panels from top to bottom
	logX, logY bool
	stacked    bool // as shares of the whole
	scales     []scale
	ticks      [][]float64
}

// A split is the rows with one word in the column that splits them.
type split struct {
	name   string
	at     []cell // the places of the rows on the axis
	panels []panel
}

// lines is plot=lines: each column of a panel is a line.
func lines(args *arguments, output string, w words) (drawing, error) {
	c, err := readCurves(args, output, w, "xy")
	if err != nil {
		return nil, err
	}
	for i := range c.titles {
		var all []cell
		for _, s := range c.splits {
			all = append(all, s.panels[i].all()...)
		}
		for _, n := range all {
			if n.value < 0 || c.logY && n.value == 0 {
				return nil, fmt.Errorf("%s has no place on the axis of %q, which begins at 0, and above it with log=y", n.text, c.titles[i])
			}
		}
		scale, ticks := valueScale(all, c.logY, math.Round(c.panelHeight(i)/50))
		c.scales, c.ticks = append(c.scales, scale), append(c.ticks, ticks)
	}
	return c, nil
}

// shares is plot=shares: the columns of a panel are layers, which fill it in each place.
func shares(args *arguments, output string, w words) (drawing, error) {
	c, err := readCurves(args, output, w, "x")
	if err != nil {
		return nil, err
	}
	c.stacked = true
	for i := range c.titles {
		for _, s := range c.splits {
			if err := stackable(s.panels[i]); err != nil {
				return nil, err
			}
			s.panels[i] = s.panels[i].shares()
		}
		c.scales, c.ticks = append(c.scales, scale{to: 100}), append(c.ticks, []float64{0, 50, 100})
	}
	return c, nil
}

// stackable says why the columns of a panel cannot be put upon or beside one another.
func stackable(p panel) error {
	for _, s := range p.series {
		if s.unit != p.series[0].unit {
			return fmt.Errorf("%q is in %q and %q in %q: these columns need one unit", p.series[0].label, p.series[0].unit, s.label, s.unit)
		}
		for _, n := range s.numbers {
			if n.none || n.value < 0 {
				return fmt.Errorf("%q has %s: these columns need a number from 0 on in each row", s.label, n.text)
			}
		}
	}
	return nil
}

// shares is the panel in percent of what its series are together in each place.
func (p panel) shares() panel {
	sums := make([]float64, len(p.series[0].numbers))
	for _, s := range p.series {
		for i, n := range s.numbers {
			sums[i] += n.value
		}
	}
	of := panel{title: p.title}
	for _, s := range p.series {
		layer := series{label: s.label, unit: "%"}
		for i, n := range s.numbers {
			n.value *= 100 / math.Max(sums[i], math.SmallestNonzeroFloat64)
			layer.numbers = append(layer.numbers, n)
		}
		of.series = append(of.series, layer)
	}
	return of
}

func readCurves(args *arguments, output string, w words, logs string) (*curves, error) {
	by := args.get("split")
	t, x, panels, err := readPanels(args, output, w, by)
	if err != nil {
		return nil, err
	}
	c := &curves{by: x}
	if c.logX, c.logY, err = readLog(args, logs); err != nil {
		return nil, err
	}
	if title := args.get("x"); title != "" {
		c.by = w.apostrophes(title)
	}
	at, _, err := t.numbers(x)
	if err != nil {
		return nil, err
	}
	for i, n := range at {
		if n.none || c.logX && n.value <= 0 {
			return nil, fmt.Errorf("row %d has %s as %q, which has no place on the axis", i+1, n.text, x)
		}
	}
	for _, p := range panels {
		if c.logY {
			p.title += ", " + w.Logarithmic
		}
		c.titles = append(c.titles, p.title)
	}
	names := make([]string, len(at))
	if by != "" {
		names = t.texts(by)
	}
	for i, name := range names {
		s := slices.IndexFunc(c.splits, func(s split) bool { return s.name == name })
		if s < 0 {
			s = len(c.splits)
			c.splits = append(c.splits, split{name: name, panels: emptyPanels(panels)})
		}
		c.splits[s].add(at[i], panels, i)
	}
	return c, nil
}

// emptyPanels are the panels without their numbers.
func emptyPanels(panels []panel) []panel {
	var empty []panel
	for _, p := range panels {
		q := panel{title: p.title}
		for _, s := range p.series {
			q.series = append(q.series, series{label: s.label, unit: s.unit})
		}
		empty = append(empty, q)
	}
	return empty
}

// add adds a row of the panels.
func (s *split) add(at cell, panels []panel, row int) {
	s.at = append(s.at, at)
	for i, p := range panels {
		for j, column := range p.series {
			into := &s.panels[i].series[j]
			into.numbers = append(into.numbers, column.numbers[row])
		}
	}
}

// The measures of curves, in px.
const (
	titleGap  = 10 // between a title and its panel
	axisSpace = 40 // below the last panel, for the ticks and the title of the axis
	panelGap  = 14
	splitGap  = 20
	manyTicks = 8 // as many rows have a tick each
)

func (c *curves) draw(width float64) *canvas {
	to := &canvas{width: width}
	left, right := c.margins()
	across := 1
	if width == wide {
		across = len(c.splits)
	}
	share := (width - float64(across-1)*splitGap) / float64(across)
	for i, s := range c.splits {
		x, y := 0.0, to.height
		switch {
		case across > 1:
			x, y = float64(i)*(share+splitGap), 0
		case i > 0:
			y += splitGap
		}
		if s.name != "" {
			to.text(x, y+14, "start", "name", s.name)
			y += 24
		}
		for j := range s.panels {
			y = to.title(x, y, share, c.titles[j]) + titleGap
			bottom := y + c.panelHeight(j)
			c.panel(to, s, j, x+left, y, x+share-right, bottom)
			y = bottom + panelGap
		}
		to.height = y - panelGap + axisSpace
		c.axis(to, s, x+left, x+share-right, y-panelGap)
	}
	return to
}

// panelHeight makes the first panel the main one, unless there are many.
func (c *curves) panelHeight(n int) float64 {
	switch {
	case len(c.splits) > 1:
		return 92
	case n == 0:
		return 190
	}
	return 92
}

// margins are the space for ticks on the left and labels on the right, the same for all
// panels, so that one place on the axis is one place in all of them.
func (c *curves) margins() (left, right float64) {
	right = 12
	for j, ticks := range c.ticks {
		p := c.splits[0].panels[j]
		for _, v := range ticks {
			left = max(left, textWidth(c.tick(j, v))+8)
		}
		if len(p.series) > 1 {
			for _, s := range p.series {
				right = max(right, textWidth(s.label)*bold+10)
			}
		}
	}
	return left, right
}

func (c *curves) tick(panel int, v float64) string {
	if c.splits[0].panels[panel].percent() {
		return tickText(v) + "%"
	}
	return tickText(v)
}

// across is the scale of the axis of rows.
func (c *curves) across(s split, x1, x2 float64) scale {
	values := make([]float64, len(s.at))
	for i, n := range s.at {
		values[i] = n.value
	}
	a := scale{log: c.logX, from: slices.Min(values), to: slices.Max(values), at: x1 + 8, end: x2 - 8}
	if c.stacked {
		a.at, a.end = x1, x2
	}
	return a
}

// panel draws a panel within two corners.
func (c *curves) panel(to *canvas, s split, n int, x1, y1, x2, y2 float64) {
	values := c.scales[n].between(y2, y1)
	for _, v := range c.ticks[n] {
		y := values.place(v)
		if !c.stacked {
			to.line(x1, y, x2, y, gridClass(v == c.ticks[n][0]))
		}
		to.text(x1-6, y+4, "end", "tick", c.tick(n, v))
	}
	p, xs := s.panels[n], c.across(s, x1, x2)
	var ends []float64
	if c.stacked {
		ends = drawLayers(to, p, s.at, xs, values)
	} else {
		ends = drawLines(to, p, s.at, xs, values, c.by)
	}
	if len(p.series) > 1 {
		labelEnds(to, p, ends, x2, y1, y2)
	}
}

func gridClass(base bool) string {
	if base {
		return "axis"
	}
	return "grid"
}

// drawLines draws the series of a panel and returns where each ends. A number that is not
// there interrupts its line.
func drawLines(to *canvas, p panel, at []cell, xs, values scale, by string) (ends []float64) {
	for i, s := range p.series {
		var run [][2]float64
		end := values.at
		flush := func() {
			if len(run) > 1 {
				to.path(run, false, "curve "+seriesClass(i))
			}
			run = nil
		}
		for j, n := range s.numbers {
			if n.none {
				flush()
				continue
			}
			end = values.place(n.value)
			run = append(run, [2]float64{xs.place(at[j].value), end})
		}
		flush()
		for j, n := range s.numbers {
			if !n.none {
				to.dot(xs.place(at[j].value), values.place(n.value), 3, "dot "+seriesClass(i), by+" "+at[j].text+": "+n.with(s.unit))
			}
		}
		ends = append(ends, end)
	}
	return ends
}

// drawLayers draws the series of a panel upon one another and returns the middle of each
// at its end.
func drawLayers(to *canvas, p panel, at []cell, xs, values scale) (ends []float64) {
	under := make([]float64, len(at))
	for i, s := range p.series {
		var edge, back [][2]float64
		for j, n := range s.numbers {
			x := xs.place(at[j].value)
			back = append(back, [2]float64{x, values.place(under[j])})
			under[j] += n.value
			edge = append(edge, [2]float64{x, values.place(under[j])})
		}
		ends = append(ends, (edge[len(edge)-1][1]+back[len(back)-1][1])/2)
		slices.Reverse(back)
		to.path(append(edge, back...), true, "layer "+seriesClass(i))
	}
	return ends
}

// labelEnds names the series at their ends, no two labels upon each other.
func labelEnds(to *canvas, p panel, ends []float64, x, y1, y2 float64) {
	order := make([]int, len(ends))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if ends[a] < ends[b] {
			return -1
		}
		return 1
	})
	places := make([]float64, len(ends))
	for i, n := range order {
		places[i] = ends[n]
	}
	apart(places, lineHeight, y1, y2)
	for i, n := range order {
		to.text(x+6, places[i]+4, "start", "label "+seriesClass(n), p.series[n].label)
	}
}

// axis draws the ticks of the axis of rows, below the panels of a split, and its title.
func (c *curves) axis(to *canvas, s split, x1, x2, y float64) {
	xs := c.across(s, x1, x2)
	for i, n := range s.at {
		if len(s.at) <= manyTicks || i%(len(s.at)/manyTicks+1) == 0 {
			x := xs.place(n.value)
			to.line(x, y, x, y+4, "axis")
			to.text(x, y+17, "middle", "tick", n.text)
		}
	}
	to.text((x1+x2)/2, y+34, "middle", "tick", c.by)
}
