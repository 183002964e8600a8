package book

import (
	"fmt"
	"slices"
	"strings"
)

// timelanes is plot=lanes: what each of several did in each column of time.
type timelanes struct {
	title  string
	names  []string
	lanes  [][]rune
	signs  []columnSpec // in the order of columns=: the sign, and what it means
	step   float64      // of a column, in the unit of the title
	across int          // columns
}

func lanes(args *arguments, output string, w words) (drawing, error) {
	specs, err := parseColumns(args.get("columns"))
	if err != nil {
		return nil, err
	}
	l := &timelanes{title: args.get("x"), signs: slices.Concat(specs...)}
	signs := ""
	for _, s := range l.signs {
		if len([]rune(s.column)) != 1 {
			return nil, fmt.Errorf(`%q is not one sign: write columns="█ as runs, · as sleeps"`, s.column)
		}
		signs += s.column
	}
	step, err := numberOption(args, "step")
	if err != nil {
		return nil, err
	}
	l.step = step
	names, texts, err := readLanes(output, signs)
	if err != nil {
		return nil, err
	}
	l.names = names
	for _, text := range texts {
		l.lanes = append(l.lanes, []rune(text))
		l.across = max(l.across, len([]rune(text)))
	}
	return l, nil
}

// numberOption reads an option that is a number above 0.
func numberOption(args *arguments, key string) (float64, error) {
	var v float64
	if _, err := fmt.Sscanf(args.get(key), "%g", &v); err != nil || v <= 0 {
		return 0, fmt.Errorf("%s=%s is not a number above 0: how much is a column of the lanes?", key, args.get(key))
	}
	return v, nil
}

func (l *timelanes) draw(width float64) *canvas {
	const height, gap = 20, 8
	to := &canvas{width: width}
	left, right := widest(l.names...)+10, width-textWidth("0000")/2 // half a tick at the end
	to.height = l.key(to, left)
	values := scale{to: float64(l.across), at: left, end: right}
	top := to.height
	for i, lane := range l.lanes {
		y := top + float64(i)*(height+gap)
		to.text(left-10, y+height/2+4.5, "end", "row", l.names[i])
		for from := 0; from < len(lane); {
			till := from + 1
			for till < len(lane) && lane[till] == lane[from] {
				till++
			}
			l.stretch(to, lane[from], values.place(float64(from)), values.place(float64(till)), y, height)
			from = till
		}
	}
	bottom := top + float64(len(l.lanes))*(height+gap)
	to.line(left, bottom, right, bottom, "axis")
	_, ticks := valueScale([]cell{{value: float64(l.across) * l.step}}, false, rowSteps)
	for _, v := range ticks {
		if x := values.place(v / l.step); v <= float64(l.across)*l.step {
			to.line(x, bottom, x, bottom+4, "axis")
			to.text(x, bottom+17, "middle", "tick", tickText(v))
		}
	}
	to.text((left+right)/2, bottom+34, "middle", "tick", l.title)
	to.height = bottom + axisSpace
	return to
}

// stretch draws what was done for a while: each sign lower and lighter than the one
// before it in columns=.
func (l *timelanes) stretch(to *canvas, sign rune, x1, x2, y, height float64) {
	i := slices.IndexFunc(l.signs, func(s columnSpec) bool { return s.column == string(sign) })
	if i < 0 {
		return
	}
	middle, half := y+height/2, height/2
	if i == len(l.signs)-1 && i > 0 {
		half = 1.5
	}
	to.rect(x1, middle-half, x2, middle+half, fmt.Sprintf("lane lane%d", i+1), strings.TrimSpace(l.signs[i].label))
}

// key says what the signs mean, and returns its height.
func (l *timelanes) key(to *canvas, x float64) float64 {
	for i, s := range l.signs {
		half := 6.0
		if i == len(l.signs)-1 && i > 0 {
			half = 1.5
		}
		to.rect(x, 8-half, x+18, 8+half, fmt.Sprintf("lane lane%d", i+1), "")
		to.text(x+23, 13, "start", "row", s.label)
		x += 23 + textWidth(s.label) + 18
	}
	return 28
}
