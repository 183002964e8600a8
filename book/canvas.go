package book

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// A canvas is an SVG drawing that is being made. Its colours and fonts are in plot.css.
type canvas struct {
	strings.Builder
	width, height float64
	uprights      []upright
}

// An upright is a vertical line that means something, such as a base: no label stands on it.
type upright struct{ x, y1, y2 float64 }

// svg is the drawing. Its frame says in words what it shows, so it is hidden from screen
// readers.
func (c *canvas) svg(class string) string {
	return fmt.Sprintf(`<svg class="%s" viewBox="0 0 %s %s" aria-hidden="true" focusable="false">`, class, px(c.width), px(c.height)) + "\n" + c.String() + "</svg>\n"
}

// px writes a length to a tenth of a pixel.
func px(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// text writes s; anchor is start, middle or end, and y its base line.
func (c *canvas) text(x, y float64, anchor, class, s string) {
	fmt.Fprintf(c, `<text x="%s" y="%s" text-anchor="%s" class="%s">%s</text>`+"\n", px(x), px(y), anchor, class, esc(s))
}

// labelGap is between a label and the mark that it is of, or the line that it dodges.
const labelGap = 5

// beside writes a label whose middle is at y to the right of x, where its mark ends: behind
// the uprights that would cross it nearer by. A line of the grid may pass behind it.
func (c *canvas) beside(x, y float64, s string) {
	at, width := x+labelGap, textWidth(s)
	for moved := true; moved; {
		moved = false
		for _, u := range c.uprights {
			if u.y1 < y && y < u.y2 && at-labelGap < u.x && u.x < at+width {
				at, moved = u.x+labelGap, true
			}
		}
	}
	c.text(at, y+4, "start", "number", s)
}

// upright draws a vertical line, which labels beside marks dodge from then on.
func (c *canvas) upright(x, y1, y2 float64) {
	c.line(x, y1, x, y2, "axis")
	c.uprights = append(c.uprights, upright{x, y1, y2})
}

// title writes the title of a panel below y, in as many lines as it takes, and returns
// where the panel may begin.
func (c *canvas) title(x, y, width float64, s string) float64 {
	for _, line := range inLines(s, width) {
		c.text(x, y+13, "start", "title", line)
		y += lineHeight
	}
	return y
}

// inLines breaks a text at its spaces.
func inLines(s string, width float64) []string {
	var lines []string
	for _, word := range strings.Fields(s) {
		if n := len(lines) - 1; n >= 0 && textWidth(lines[n]+" "+word)*bold <= width {
			lines[n] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// Lines of text are lineHeight px apart, and bold ones so many times as wide as others.
const (
	lineHeight = 16
	bold       = 1.15
)

func (c *canvas) line(x1, y1, x2, y2 float64, class string) {
	fmt.Fprintf(c, `<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s"/>`+"\n", px(x1), px(y1), px(x2), px(y2), class)
}

// rect draws a rectangle between two points, in any order.
func (c *canvas) rect(x1, y1, x2, y2 float64, class, title string) {
	fmt.Fprintf(c, `<rect x="%s" y="%s" width="%s" height="%s" class="%s">%s</rect>`+"\n",
		px(min(x1, x2)), px(min(y1, y2)), px(math.Abs(x2-x1)), px(math.Abs(y2-y1)), class, hint(title))
}

func (c *canvas) dot(x, y, r float64, class, title string) {
	fmt.Fprintf(c, `<circle cx="%s" cy="%s" r="%s" class="%s">%s</circle>`+"\n", px(x), px(y), px(r), class, hint(title))
}

// path draws a line through points, or an area within them.
func (c *canvas) path(points [][2]float64, closed bool, class string) {
	var d strings.Builder
	for i, p := range points {
		d.WriteString(map[bool]string{true: "M", false: "L"}[i == 0] + px(p[0]) + " " + px(p[1]))
	}
	if closed {
		d.WriteString("Z")
	}
	fmt.Fprintf(c, `<path d="%s" class="%s"/>`+"\n", d.String(), class)
}

// hint is what a mouse that rests on a mark is told.
func hint(title string) string {
	if title == "" {
		return ""
	}
	return "<title>" + esc(title) + "</title>"
}

// seriesClass is the class of the n-th series, from 0.
func seriesClass(n int) string { return "s" + strconv.Itoa(n%4+1) }

// textWidth is about how wide a text is in the font of the labels, rather too wide than
// too narrow: the font is the reader's.
func textWidth(s string) float64 {
	w := 0.0
	for _, r := range s {
		switch {
		case isWide(r):
			w += 13
		case strings.ContainsRune("fijlrtI.,:;'’()[]|/ ", r):
			w += 4.6
		case strings.ContainsRune("mwMW%×", r):
			w += 12
		case unicode.IsUpper(r):
			w += 9.2
		default:
			w += 8
		}
	}
	return w
}

// widest is the width of the widest text.
func widest(texts ...string) float64 {
	w := 0.0
	for _, s := range texts {
		w = max(w, textWidth(s))
	}
	return w
}

// A scale leads from numbers to places on an axis.
type scale struct {
	log      bool
	from, to float64 // numbers
	at, end  float64 // their places
}

func (s scale) place(v float64) float64 {
	from, to := s.from, s.to
	if s.log {
		from, to, v = math.Log(from), math.Log(to), math.Log(max(v, s.from))
	}
	if to == from {
		return (s.at + s.end) / 2
	}
	return s.at + (v-from)/(to-from)*(s.end-s.at)
}

// between puts the scale between two places.
func (s scale) between(at, end float64) scale {
	s.at, s.end = at, end
	return s
}

// valueScale is a scale for numbers, and its ticks, that many steps at most. It begins at
// 0; if it is logarithmic, at a power of ten below the least number that is not 0.
func valueScale(numbers []cell, log bool, steps float64) (scale, []float64) {
	least, most := math.Inf(1), 0.0
	for _, n := range numbers {
		most = max(most, n.value)
		if n.value > 0 {
			least = min(least, n.value)
		}
	}
	if most == 0 {
		least, most = 1, 1
	}
	var ticks []float64
	if log {
		from := math.Pow(10, math.Ceil(math.Log10(least))-1)
		for v := from; ; v *= 10 {
			ticks = append(ticks, v)
			if v >= most {
				return scale{log: true, from: from, to: v}, ticks
			}
		}
	}
	step := niceStep(most / steps)
	n := math.Ceil(most/step - 1e-9)
	for i := 0.0; i <= n; i++ {
		ticks = append(ticks, i*step)
	}
	return scale{to: n * step}, ticks
}

// niceStep is the least of 1, 2, 2.5 or 5 times a power of ten that is not below step.
func niceStep(step float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(step)))
	for _, nice := range []float64{1, 2, 2.5, 5} {
		if nice*power >= step*(1-1e-9) {
			return nice * power
		}
	}
	return 10 * power
}

// tickText writes the number at a tick.
func tickText(v float64) string { return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64) }

// apart moves places on an axis away from each other, as little as it takes for a distance
// between any two, within from and to. They must be in order.
func apart(places []float64, distance, from, to float64) {
	for i := range places {
		places[i] = max(places[i], from)
		if i > 0 {
			places[i] = max(places[i], places[i-1]+distance)
		}
	}
	for i := len(places) - 1; i >= 0; i-- {
		places[i] = min(places[i], to)
		if i < len(places)-1 {
			places[i] = min(places[i], places[i+1]-distance)
		}
	}
}
