package book_test

import (
	"encoding/xml"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book"
	"gosched/book/whole"
	"gosched/chapters"
)

// mapOptions are those of a book whose first page has the map of the course. The pages of its
// chapters have titles only.
func mapOptions(t *testing.T) book.Options {
	t.Helper()
	opt := book.Options{Root: t.TempDir(), Lang: "en", Map: func() (book.Map, error) { return whole.Map(os.DirFS("..")) }}
	pages := map[string]string{"index": "# Index\n\n::: map\nWhat a number is.\n:::\n"}
	for _, ch := range chapters.All {
		entry := book.Chapter{Dir: ch.Dir, Title: ch.Title}
		if ch.Suite != nil {
			entry.Parts = ch.Suite.Parts
			name := strings.TrimPrefix(ch.Dir, "ch")
			pages[name] = "# " + ch.Title + "\n"
			ids := map[string]bool{}
			for _, c := range ch.Suite.Checks {
				entry.Checks = append(entry.Checks, book.Check{Name: c.Name, Methods: c.Methods, Book: c.Book})
				if c.Book != "" && !ids[c.Book] {
					ids[c.Book] = true
					pages[name] += "\n## Section {#" + c.Book + "}\n"
				}
			}
		}
		opt.Chapters = append(opt.Chapters, entry)
	}
	dir := filepath.Join(opt.Root, "book", "en")
	require.NoError(t, os.MkdirAll(dir, 0o777))
	for name, text := range pages {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".md"), []byte(text), 0o666))
	}
	return opt
}

func TestMap(t *testing.T) {
	opt := mapOptions(t)
	opt.Warn = func(p book.Problem) { t.Error(p) }
	site, err := book.Render(opt)
	require.NoError(t, err)
	html := string(site["index.html"])
	for _, want := range []string{
		`<link rel="stylesheet" href="plot.css">`,
		`<figure class="map drawing" id="map">`,
		`<a href="03_park.html#park" aria-label="running to waiting: Gopark, chapter 3">`,
		`<li>running to waiting: <a href="03_park.html#park"><code>Gopark</code></a> (3), `,
		`aria-label="runnext, then the ring: Runqget, chapter 7">`,
		`<li>dead to waiting: iter.Pull</li>`,
		`<a class="part" href="07_runq.html#`,
		`<figcaption>`,
	} {
		assert.True(t, strings.Contains(html, want), "the page lacks %s", want)
	}
	for _, part := range whole.Parts() {
		for _, method := range part.Methods {
			assert.True(t, strings.Contains(html, "<code>"+method+"</code>"), "the page lacks %s.%s", part.Name, method)
		}
	}
	delete(site, "index.html")
	require.NoError(t, os.WriteFile(filepath.Join(opt.Root, "book/en/index.md"), []byte("# Index\n"), 0o666))
	site, err = book.Render(opt)
	require.NoError(t, err)
	assert.NotContains(t, string(site["index.html"]), "plot.css")
}

// TestMapLegible: on the drawings nothing covers a chapter, and all is on the canvas.
func TestMapLegible(t *testing.T) {
	site, err := book.Render(mapOptions(t))
	require.NoError(t, err)
	drawings := regexp.MustCompile(`(?s)<svg role="group".*?</svg>`).FindAllString(string(site["index.html"]), -1)
	require.Len(t, drawings, 5)
	for _, text := range drawings {
		var svg struct {
			Label   string   `xml:"aria-label,attr"`
			ViewBox string   `xml:"viewBox,attr"`
			Circles []circle `xml:"circle"`
			Linked  []circle `xml:"a>circle"`
			States  []state  `xml:"rect"`
		}
		require.NoError(t, xml.Unmarshal([]byte(text), &svg))
		all := append(svg.Linked, svg.Circles...)
		for i, a := range all {
			if !strings.HasPrefix(a.Class, "badge") {
				continue
			}
			assert.GreaterOrEqual(t, a.X, a.R, "%s: %s", svg.Label, a.Title)
			assert.LessOrEqual(t, a.X+a.R, 360.0, "%s: %s", svg.Label, a.Title)
			for _, b := range all[:i] {
				if strings.HasPrefix(b.Class, "badge") {
					assert.GreaterOrEqual(t, math.Hypot(a.X-b.X, a.Y-b.Y), 23.0, "%s: %q is on %q", svg.Label, a.Title, b.Title)
				}
			}
			for _, s := range svg.States {
				dx := max(s.X-a.X, 0, a.X-s.X-s.Width)
				dy := max(s.Y-a.Y, 0, a.Y-s.Y-s.Height)
				assert.GreaterOrEqual(t, math.Hypot(dx, dy), a.R, "%s: %q is on a state", svg.Label, a.Title)
			}
		}
	}
}

// A circle and a state of a drawing.
type (
	circle struct {
		X     float64 `xml:"cx,attr"`
		Y     float64 `xml:"cy,attr"`
		R     float64 `xml:"r,attr"`
		Class string  `xml:"class,attr"`
		Title string  `xml:"title"`
	}
	state struct {
		X      float64 `xml:"x,attr"`
		Y      float64 `xml:"y,attr"`
		Width  float64 `xml:"width,attr"`
		Height float64 `xml:"height,attr"`
	}
)

// TestMapOrder: the steps stand in the order of findRunnable in the installed Go, or the
// build fails.
func TestMapOrder(t *testing.T) {
	if v := runtime.Version(); v != "go"+book.Release && !strings.HasPrefix(v, "go"+book.Release+".") {
		t.Skipf("the installed Go is %s, and the book describes %s", v, book.Release)
	}
	opt := mapOptions(t)
	opt.Map = func() (book.Map, error) {
		m, err := whole.Map(os.DirFS(".."))
		m.Sources[8], m.Sources[9] = m.Sources[9], m.Sources[8]
		return m, err
	}
	_, err := book.Render(opt)
	assert.EqualError(t, err, `book/en/index.md:3: ::: map: in findRunnable of the installed Go "runnext, then the ring" does not come after what stands before it: runqget(pp)`)
}
