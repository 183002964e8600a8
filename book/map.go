package book

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// mapID is the id of the map on its page.
const mapID = "map"

// drawMap is the map of the whole scheduler: drawings, and the same as a list.
func (b *builder) drawMap(p *page, e *element, args *arguments) error {
	if b.Map == nil {
		return errors.New("this build was given none")
	}
	m, err := b.Map()
	if err != nil {
		return err
	}
	p.plots++ // its style is that of plots
	b.checkSources(p, p.line(e), m.Sources)
	var s strings.Builder
	s.WriteString(`<figure class="map drawing" id="` + mapID + `"><div class="panels">` + "\n")
	panel := func(title string, c *canvas) {
		fmt.Fprintf(&s, "<div><p>%s</p>\n%s</div>\n", esc(title), c.group(title))
	}
	panel(b.words.MapSources, b.drawSources(p, m.Sources))
	for _, d := range m.Diagrams {
		panel(d.Title, b.drawDiagram(p, d))
	}
	panel(b.words.MapParts, b.drawParts(p, m.Parts))
	s.WriteString("</div>\n<details><summary>" + esc(b.words.MapList) + "</summary>\n" + b.listMap(p, m) + "</details>\n")
	e.before, e.after = s.String(), "</figure>\n"
	if e.HasChildren() {
		e.before += "<figcaption>\n"
		e.after = "</figcaption></figure>\n"
	}
	return nil
}

// checkSources compares the order of the steps with the findRunnable of the installed Go. If
// that is another release than the book's it is a warning.
func (b *builder) checkSources(p *page, line int, sources []Source) {
	say := b.fail
	if !b.goroot.isRelease() {
		say = b.warn
	}
	if b.goroot.src == "" {
		return
	}
	file, err := b.goroot.open("runtime/proc.go")
	if err != nil {
		say(p, line, "::: map: %v", err)
		return
	}
	decl := file.find("findRunnable")
	if decl == nil {
		say(p, line, "::: map: the installed Go has no findRunnable")
		return
	}
	rest := scan(file.text(decl.whole))
	for _, source := range sources {
		code := scan(source.Code)
		at := 0
		for ; at <= len(rest)-len(code) && !slices.Equal(rest[at:at+len(code)], code); at++ {
		}
		if at > len(rest)-len(code) {
			say(p, line, "::: map: in findRunnable of the installed Go %q does not come after what stands before it: %s", source.Label, source.Code)
			return
		}
		rest = rest[at+len(code):]
	}
}

// A written method is a link to where the reader wrote it.
type written struct {
	chapter int
	address string // "" if the chapter has no page
}

// whereWritten finds the last chapter before that of p in which a method, "RunQueue.Runqput",
// is graded: an earlier form of it, if p is the page where it is written anew. Without one it
// is the last of all.
func (b *builder) whereWritten(p *page, full string) (written, bool) {
	part, method, _ := strings.Cut(full, ".")
	var found written
	for i, c := range b.Chapters {
		if !slices.Contains(c.Parts, part) || found.chapter > 0 && i+1 == p.chapterNumber() {
			continue
		}
		at := slices.IndexFunc(c.Checks, func(k Check) bool { return slices.Contains(k.Methods, method) })
		if at < 0 {
			continue
		}
		found = written{chapter: i + 1}
		if to := b.pageOf(c); to != nil {
			found.address = to.name + ".html"
			if id := c.Checks[at].Book; id != "" {
				found.address += "#" + id
			}
		}
	}
	return found, found.chapter > 0
}

// A badge is a chapter on the map, and what was written there.
type badge struct {
	written
	methods []string
}

// badges are the chapters in which methods were written, in order.
func (b *builder) badges(p *page, methods ...string) []badge {
	var all []badge
	for _, m := range methods {
		w, ok := b.whereWritten(p, m)
		if !ok {
			continue
		}
		at := slices.IndexFunc(all, func(x badge) bool { return x.chapter == w.chapter })
		if at < 0 {
			all, at = append(all, badge{written: w}), len(all)
		}
		_, name, _ := strings.Cut(m, ".")
		all[at].methods = append(all[at].methods, name)
	}
	slices.SortFunc(all, func(x, y badge) int { return x.chapter - y.chapter })
	return all
}

// badgeSize is the diameter of a badge, which is also what a finger needs.
const badgeSize = 24

// badge draws one with its middle at x, y. what is said of it before its methods.
func (c *canvas) badge(w words, x, y float64, b badge, what string) {
	label := what + strings.Join(b.methods, ", ") + ", " + fmt.Sprintf(w.Chapter, b.chapter)
	class := "badge"
	if b.address == "" {
		class += " unwritten"
	} else {
		fmt.Fprintf(c, `<a href="%s" aria-label="%s">`, esc(b.address), esc(label))
	}
	fmt.Fprintf(c, `<circle cx="%s" cy="%s" r="%s" class="%s">%s</circle>`, px(x), px(y), px(badgeSize/2-1), class, hint(label))
	fmt.Fprintf(c, `<text x="%s" y="%s" text-anchor="middle">%d</text>`, px(x), px(y+4.5), b.chapter)
	if b.address != "" {
		c.WriteString("</a>")
	}
	c.WriteString("\n")
}

// group is a drawing with links in it.
func (c *canvas) group(label string) string {
	return fmt.Sprintf(`<svg role="group" aria-label="%s" viewBox="0 0 %s %s">`, esc(label), px(c.width), px(c.height)) + "\n" + c.String() + "</svg>\n"
}

// mapWidth is that of all drawings of the map: they fit on a phone.
const mapWidth = 360

func (b *builder) drawSources(p *page, sources []Source) *canvas {
	const row = 30
	c := &canvas{width: mapWidth, height: row * float64(len(sources))}
	const spine = 16
	c.line(spine, row/2, spine, c.height-row/2, "edge")
	for i, s := range sources {
		y := row * (float64(i) + .5)
		c.dot(spine, y, 4, "head", "")
		c.text(spine+16, y+4.5, "start", "step", fmt.Sprintf("%d. %s", i+1, s.Label))
		if s.Method == "" {
			continue
		}
		for _, badge := range b.badges(p, s.Method) {
			c.badge(b.words, mapWidth-badgeSize/2, y, badge, s.Label+": ")
		}
	}
	return c
}

// The size of a state.
const stateWidth, stateHeight = 84, 28

// drawDiagram draws states, and edges as arrows with the chapters on them.
func (b *builder) drawDiagram(p *page, d Diagram) *canvas {
	c := &canvas{width: d.Width, height: d.Height}
	at := map[string]State{}
	for _, s := range d.States {
		at[s.Name] = s
	}
	for _, e := range d.Edges {
		c.arrow(arrowOf(d, e, at), e.Note != "")
	}
	for _, s := range d.States {
		c.rect(s.X-stateWidth/2, s.Y-stateHeight/2, s.X+stateWidth/2, s.Y+stateHeight/2, "state", "")
		c.text(s.X, s.Y+4.5, "middle", "name", s.Name)
	}
	for _, e := range d.Edges {
		if e.Note != "" {
			x, y := arrowOf(d, e, at).point(.5)
			c.text(x, y+4, "middle", "tick number", e.Note)
			continue
		}
		badges := b.badges(p, e.Methods...)
		for i, pos := range badgePlaces(arrowOf(d, e, at), e, len(badges)) {
			c.badge(b.words, pos[0], pos[1], badges[i], fmt.Sprintf(b.words.MapMove, e.From, e.To, ""))
		}
	}
	return c
}

// badgePlaces are the middles of n badges on an edge: side by side, or below one another.
func badgePlaces(a arrow, e Edge, n int) [][2]float64 {
	at := e.At
	if at == 0 {
		at = .5
	}
	x, y := a.point(at)
	var places [][2]float64
	for i := range n {
		off := (float64(i) - float64(n-1)/2) * (badgeSize + 1)
		if e.Upright {
			places = append(places, [2]float64{x, y + off})
		} else {
			places = append(places, [2]float64{x + off, y})
		}
	}
	return places
}

// An arrow is a curve from a point to another one; through is what it is drawn towards.
type arrow struct{ from, through, to [2]float64 }

// point is where the curve is at t, from 0 to 1.
func (a arrow) point(t float64) (x, y float64) {
	at := func(i int) float64 {
		return (1-t)*(1-t)*a.from[i] + 2*t*(1-t)*a.through[i] + t*t*a.to[i]
	}
	return at(0), at(1)
}

// pairGap is how far the two arrows of a pair are from the line between their states.
const pairGap = 16

// arrowOf is the arrow of an edge, from the border of a state to that of the other. If there
// is one in the other direction as well, each keeps to its left.
func arrowOf(d Diagram, e Edge, at map[string]State) arrow {
	from, to := at[e.From], at[e.To]
	dx, dy := to.X-from.X, to.Y-from.Y
	length := math.Hypot(dx, dy)
	nx, ny := dy/length, -dx/length // to the left, where y grows downwards
	shift := 0.0
	if slices.ContainsFunc(d.Edges, func(o Edge) bool { return o.From == e.To && o.To == e.From }) {
		shift = pairGap
	}
	fx, fy, tx, ty := from.X+nx*shift, from.Y+ny*shift, to.X+nx*shift, to.Y+ny*shift
	mx, my := (fx+tx)/2+nx*2*e.Bend, (fy+ty)/2+ny*2*e.Bend
	fx, fy = border(from, fx, fy, mx, my)
	tx, ty = border(to, tx, ty, mx, my)
	if e.Bend == 0 {
		mx, my = (fx+tx)/2, (fy+ty)/2
	}
	return arrow{[2]float64{fx, fy}, [2]float64{mx, my}, [2]float64{tx, ty}}
}

// border is where the way from a point in a state to another point leaves the state.
func border(s State, x, y, toX, toY float64) (float64, float64) {
	const gap = 2
	t := 1.0
	for _, side := range []struct{ at, d, edge float64 }{
		{x - s.X, toX - x, stateWidth/2 + gap}, {y - s.Y, toY - y, stateHeight/2 + gap},
	} {
		if side.d != 0 {
			t = min(t, (math.Copysign(side.edge, side.d)-side.at)/side.d)
		}
	}
	t = max(t, 0)
	return x + t*(toX-x), y + t*(toY-y)
}

// arrow draws one with its head.
func (c *canvas) arrow(a arrow, dashed bool) {
	class := "edge"
	if dashed {
		class += " note"
	}
	fmt.Fprintf(c, `<path d="M%s %sQ%s %s %s %s" class="%s"/>`+"\n", px(a.from[0]), px(a.from[1]), px(a.through[0]), px(a.through[1]), px(a.to[0]), px(a.to[1]), class)
	dx, dy := a.to[0]-a.through[0], a.to[1]-a.through[1]
	length := math.Hypot(dx, dy)
	dx, dy = dx/length, dy/length
	const long, half = 8, 3.5
	x, y := a.to[0]-dx*long, a.to[1]-dy*long
	c.path([][2]float64{a.to, {x - dy*half, y + dx*half}, {x + dy*half, y - dx*half}}, true, "head")
}

// drawParts draws a line for each chapter with its parts that are new there.
func (b *builder) drawParts(p *page, parts []Part) *canvas {
	const row, left, char = 28, 34, 7.9
	c := &canvas{width: mapWidth}
	seen := map[string]bool{}
	y := 0.0
	for i, chapter := range b.Chapters {
		x, first := float64(left), true
		for _, name := range chapter.Parts {
			if seen[name] {
				continue
			}
			seen[name] = true
			width := float64(len(name)) * char
			if first {
				y += row
			} else if x+width > mapWidth {
				x, y = left, y+row-6
			}
			if first {
				w := written{chapter: i + 1}
				if to := b.pageOf(chapter); to != nil {
					w.address = to.name + ".html"
				}
				c.badge(b.words, badgeSize/2, y-row/2, badge{w, []string{chapter.Title}}, "")
				first = false
			}
			c.part(b, x, y-row/2+4.5, b.partAddress(p, parts, name), name)
			x += width + 12
		}
	}
	c.height = y
	return c
}

// part writes the name of a part, a link to where its first method was written.
func (c *canvas) part(b *builder, x, y float64, address, name string) {
	if address == "" {
		c.text(x, y, "start", "name", name)
		return
	}
	fmt.Fprintf(c, `<a class="part" href="%s">`, esc(address))
	c.text(x, y, "start", "name", name)
	c.WriteString("</a>")
}

func (b *builder) partAddress(p *page, parts []Part, name string) string {
	for _, part := range parts {
		if part.Name != name {
			continue
		}
		for _, m := range part.Methods {
			if w, ok := b.whereWritten(p, name+"."+m); ok {
				return w.address
			}
		}
	}
	return ""
}

// listMap is the map in words.
func (b *builder) listMap(p *page, m Map) string {
	var s strings.Builder
	link := func(full string) string {
		_, name, _ := strings.Cut(full, ".")
		w, ok := b.whereWritten(p, full)
		if !ok {
			return code(name)
		}
		text := fmt.Sprintf(" (%d)", w.chapter)
		if w.address == "" {
			return code(name) + text
		}
		return `<a href="` + esc(w.address) + `">` + code(name) + "</a>" + text
	}
	links := func(methods []string) string {
		all := make([]string, len(methods))
		for i, name := range methods {
			all[i] = link(name)
		}
		return strings.Join(all, ", ")
	}
	list := func(title, kind string, items []string) {
		fmt.Fprintf(&s, "<p>%s</p>\n<%s>\n", esc(title), kind)
		for _, item := range items {
			s.WriteString("<li>" + item + "</li>\n")
		}
		fmt.Fprintf(&s, "</%s>\n", kind)
	}
	var items []string
	for _, source := range m.Sources {
		item := esc(source.Label)
		if source.Method != "" {
			item += ": " + link(source.Method)
		}
		items = append(items, item)
	}
	list(b.words.MapSources, "ol", items)
	for _, d := range m.Diagrams {
		items = nil
		for _, e := range d.Edges {
			by := links(e.Methods)
			if by == "" {
				by = esc(e.Note)
			}
			items = append(items, fmt.Sprintf(b.words.MapMove, esc(e.From), esc(e.To), by))
		}
		list(d.Title, "ul", items)
	}
	items = nil
	for _, part := range m.Parts {
		full := make([]string, len(part.Methods))
		for i, name := range part.Methods {
			full[i] = part.Name + "." + name
		}
		items = append(items, code(part.Name)+": "+links(full))
	}
	list(b.words.MapParts, "ul", items)
	return s.String()
}
