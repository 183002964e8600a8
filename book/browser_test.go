package book

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/trace"
	"gosched/chapters/webpage"
)

// These only end what hangs: nothing here depends on how fast a computer is.
const (
	browserLimit = 8 * time.Minute // of a test in the browser
	waitLimit    = time.Minute     // of a wait for a condition
)

// builtBook is the folder of a built book, whose pages are looked at instead of the sample's:
// go run ./autograder book --out DIR makes one.
var builtBook = flag.String("book", "", "open the pages of the built book in that `folder`")

// axeCore is the file of axe-core, which is no part of this repository: npm install axe-core
// in another folder puts it in node_modules/axe-core/axe.min.js.
var axeCore = flag.String("axe", "", "check the pages for accessibility with the axe.min.js in that `file`")

// widths are those of a phone, a tablet and a computer.
var widths = []int64{390, 820, 1280}

// A browser is a Chromium without a window, with one page open.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu     sync.Mutex
	errors []string // of the page's console
}

func openBrowser(t *testing.T) *browser {
	t.Helper()
	path := webpage.Browser()
	if path == "" {
		t.Skip("no Chromium is installed, so the pages are not opened in a browser")
	}
	ctx, cancel := context.WithTimeout(t.Context(), browserLimit)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, // as root in a container there is no sandbox; what is opened is ours
		chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(browserLimit))...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.IsException() || m.Type == "error" {
				b.mu.Lock()
				b.errors = append(b.errors, m.String())
				b.mu.Unlock()
			}
		}
	}()
	return b
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, actions...))
}

// call gives a command to the browser.
func call[P, R any](b *browser, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	result, err := chromedp.Call(b.ctx, command, params)
	require.NoError(b.t, err)
	return result
}

// open opens a page from disk, in a window of that width.
func (b *browser) open(file string, width int64) {
	b.t.Helper()
	b.mu.Lock()
	b.errors = nil
	b.mu.Unlock()
	path, fragment, _ := strings.Cut(file, "#")
	address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), Fragment: fragment}).String()
	b.do(chromedp.Navigate("about:blank"), chromedp.EmulateViewport(width, 844), chromedp.Navigate(address))
}

// noErrors checks that the page has complained of nothing.
func (b *browser) noErrors() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	assert.Empty(b.t, b.errors, "errors on the console")
}

// eval returns the value of a JavaScript expression.
func eval[V any](b *browser, expression string) V {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[V](expression, chromedp.EvalAwaitPromise))
	require.NoError(b.t, err, expression)
	return v
}

// wait waits until a JavaScript expression is true.
func (b *browser) wait(expression string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](expression))
		return ok && err == nil // an error: the page is on its way to another
	}, waitLimit, 20*time.Millisecond, "%s did not become true", expression)
}

// keeps checks that the page has given the browser something to keep, and gives it to each page
// that is opened from now on, as the browser would. A busy one at times keeps nothing of a session.
func (b *browser) keeps(name, value string) {
	b.t.Helper()
	assert.Equal(b.t, value, eval[string](b, `localStorage.getItem("`+name+`") ?? "nothing"`), name)
	call(b, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{
		Source: `if (location.protocol !== "about:") localStorage.setItem("` + name + `", "` + value + `")`,
	})
}

func (b *browser) click(selector string) {
	b.t.Helper()
	eval[bool](b, `(document.querySelector("`+selector+`").click(), true)`)
}

// scheme sets the colours that the system asks for: light or dark.
func (b *browser) scheme(name string) {
	b.t.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

func (b *browser) press(key string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(key))
}

// sampleBook builds a small book with all that a page can hold, and returns its folder.
func sampleBook(t *testing.T) string {
	t.Helper()
	long := strings.Repeat("a line that is longer than any phone is wide, ", 5)
	sections := strings.Repeat("Text. ", 400)
	var many strings.Builder
	for i := range 60 {
		fmt.Fprintf(&many, "## Section %d\n\n%s\n\n", i, sections)
	}
	long60 := many.String()
	opt := withPages(t, map[string]string{
		"index.md": "# Index\n\n" + long60,
		"machine.md": "# The machine\n\n```sh\ngo version\n```\n\n```text\n" + long + "\n```\n\n```text\nshort\n```\n\n" +
			"A path, `chapters/ch02_onethread/programs/of_a_name/that_is_long.go`, in a line, and golang/go#45867.\n\n" +
			"| | b | c | d | e |\n|--|--|--|--|--|\n| " + strings.Repeat("`chapters/ch02` | ", 5) + "\n\n" +
			"::: output code/queue.go go=0.x status=2\n:::\n\n" +
			"::: snippet code/queue.go\n:::\n\n" +
			"::: question\nWhy? " + strings.Repeat("Say it in words. ", 9) + "\n\n::: answer\nBecause.\n\n```sh\ngo vet\n```\n:::\n\n" +
			"::: timeline code/queue.go go=0.x seed=1 step=2\n:::\n\n" +
			"::: compare code/queue.go code/add.go go=\"1.0 1.1 1.14\" procs=4\n:::\n\n" +
			"::: versions code/queue.go code/add.go go=\"1.0 1.14\" procs=4\n:::\n\n" +
			"## Where the words are\n\nUnmistakable.\n\n" +
			"::: counterexample ch01 many\n:::\n\n" +
			"::: note\nA run in a box.\n\n::: timeline code/queue.go go=0.x seed=2 step=2 title=boxed\n:::\n:::\n",
	})
	run := opt.Run
	opt.Run = func(program string, args RunArgs) (RunResult, error) { // wider than a phone
		result, err := run(program, args)
		if args.Seed == 1 {
			events := result.Log.Events
			var turns []trace.Event
			for range 60 {
				turns = append(turns, trace.Event{T: 1, Kind: trace.Yield, G: 1, P: trace.None}, trace.Event{T: 1, Kind: trace.Run, G: 1, P: trace.None})
			}
			result.Log.Events = slices.Insert(events, 2, turns...)
		}
		return result, err
	}
	dir := filepath.Join(t.TempDir(), "book")
	require.NoError(t, Build(opt, dir))
	return dir
}

// eachPage runs a test for every page of the built book, or of the sample.
func eachPage(t *testing.T, test func(b *browser, page string)) {
	t.Helper()
	dir := *builtBook
	if dir == "" {
		dir = sampleBook(t)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.html"))
	require.NoError(t, err)
	require.NotEmpty(t, pages, "there is no book in %s", dir)
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) { test(openBrowser(t), page) })
	}
}

// Every page of a book works in a browser, from disk, at each width.
func TestPagesInBrowser(t *testing.T) {
	eachPage(t, func(b *browser, page string) {
		t := b.t
		for _, width := range widths {
			b.open(page, width)
			assert.Empty(t, eval[[]string](b, tooWide), "at %d px this is wider than the window", width)
			assert.Empty(t, eval[[]string](b, needlessStops), "at %d px this takes the focus and does not scroll", width)
			assert.Empty(t, eval[[]string](b, unreached), "at %d px this scrolls sideways and cannot have the focus", width)
			assert.Empty(t, eval[[]string](b, covered), "at %d px a button stands on this", width)
			b.noErrors()
		}
		assert.Empty(t, b.nameless(), "this takes the focus and has no name")
		b.stepsByKeyboard()
		b.noErrors()
	})
}

// The names above the lanes of a counterexample stand on none of its steps, neither when it is
// opened nor at any step, and what has stuck to the top of a box stands there.
func TestHeadsInBrowser(t *testing.T) {
	eachPage(t, func(b *browser, page string) {
		for _, width := range widths {
			b.open(page, width)
			eval[bool](b, openAll)
			eval[bool](b, askSteppers)
			b.wait(`[...document.querySelectorAll(".fail-steps")].every((e) => e.querySelector(".fail-stepper"))`)
			assert.Empty(b.t, eval[[]string](b, adrift), "at %d px this does not stand at the top of its box", width)
			assert.Empty(b.t, eval[[]string](b, hidden), "at %d px the names of the lanes stand on this step", width)
		}
		b.noErrors()
	})
}

// askSteppers opens the counterexamples as a reader does: only then is a stepper made.
const askSteppers = `(document.querySelectorAll(".fail-steps").forEach((d) => { d.open = false; d.querySelector("summary").click(); }), true)`

// adrift lists what sticks to the edge of a box that scrolls, and stands elsewhere before the
// box has scrolled.
const adrift = `[...document.querySelectorAll("article *")].filter((e) => {
	if (getComputedStyle(e).position !== "sticky" || !e.checkVisibility()) return false;
	const box = (of) => !of || /auto|scroll|hidden/.test(getComputedStyle(of).overflowY) ? of : box(of.parentElement);
	const around = box(e.parentElement), top = () => e.getBoundingClientRect().top;
	if (!around || around === document.documentElement || around === document.body) return false;
	around.scrollTop = 0;
	const sticks = top();
	e.style.position = "static";
	const belongs = top();
	e.style.position = "";
	return Math.abs(sticks - belongs) > 1;
}).map((e) => e.tagName + "." + e.className + " " + e.textContent)`

// hidden lists the steps of counterexamples on which the names of the lanes stand while the
// step is the current one.
const hidden = `[...document.querySelectorAll(".fail-stepper")].flatMap((stepper) => {
	const head = stepper.querySelector(".fail-head"), slider = stepper.querySelector("input");
	return [...stepper.querySelectorAll(".fail-run .fail-row")].filter((row, i) => {
		slider.value = i + 1;
		slider.dispatchEvent(new Event("input"));
		return head.checkVisibility() && row.getBoundingClientRect().top < head.getBoundingClientRect().bottom - 1;
	}).map((row) => row.textContent);
})`

// Every page passes the rules of axe-core, with all answers open, in both schemes of colours.
func TestAccessibilityInBrowser(t *testing.T) {
	if *axeCore == "" {
		t.Skip("axe-core is not given, so the pages are not checked for accessibility: -axe names its file")
	}
	axe, err := os.ReadFile(*axeCore)
	require.NoError(t, err)
	eachPage(t, func(b *browser, page string) {
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{390, 1280} {
				b.scheme(scheme)
				b.open(page, width)
				eval[bool](b, openAll)
				eval[bool](b, string(axe)+"\n; true")
				assert.Empty(b.t, eval[[]string](b, violations), "%s at %d px", scheme, width)
			}
		}
	})
}

// openAll opens whatever is folded in the text.
const openAll = `(document.querySelectorAll("article details").forEach((d) => d.open = true), true)`

// violations lists what axe-core objects to, each with its rule and the beginning of the element.
const violations = `axe.run().then((found) => found.violations.flatMap((v) =>
	v.nodes.map((n) => v.id + ": " + n.html.slice(0, 100) + ": " + [...n.any, ...n.all, ...n.none].map((c) => c.message).join("; "))))`

// covered lists the code that a button stands on: what of it is seen, if it scrolls.
const covered = `[...document.querySelectorAll(".copy")].filter((button) => {
	const b = button.getBoundingClientRect(), range = document.createRange();
	return [...button.parentElement.childNodes].filter((n) => n !== button).flatMap((n) => {
		range.selectNode(n);
		return n.matches?.("pre") ? [n.getBoundingClientRect()] : [...range.getClientRects()];
	}).some((r) => r.left < b.right && b.left < r.right && r.top < b.bottom && b.top < r.bottom);
}).map((button) => button.ariaLabel)`

// tooWide lists what makes a page scroll sideways.
const tooWide = `(() => {
	const room = document.documentElement.clientWidth;
	if (document.documentElement.scrollWidth <= room) return [];
	return [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > room + 1 && !e.closest("pre, .scroll, .tl-scroll, .tl-code, [popover], .unseen"))
		.map((e) => e.tagName + "." + e.className + " " + e.textContent.trim().slice(0, 40)).concat("the page").slice(0, 8);
})()`

// needlessStops lists the blocks that are stops for the Tab key and do not scroll. The script
// looks at them after the layout.
const needlessStops = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(
	[...document.querySelectorAll("pre[tabindex=\"0\"], .scroll[tabindex=\"0\"]")].filter((e) => e.scrollWidth <= e.clientWidth + 1 && e.scrollHeight <= e.clientHeight + 1)
		.map((e) => e.textContent.trim().slice(0, 40))))))`

// unreached lists what scrolls sideways and has no stop for the Tab key.
const unreached = `[...document.querySelectorAll("article *")].filter((e) => e.scrollWidth > e.clientWidth + 1 && e.checkVisibility() && /auto|scroll/.test(getComputedStyle(e).overflowX) &&
	![e, ...e.querySelectorAll("*")].some((f) => f.tabIndex >= 0)).map((e) => e.tagName + "." + e.className)`

// nameless lists what can have the focus and has no name in the tree that screen readers see.
func (b *browser) nameless() []string {
	b.t.Helper()
	nodes := call(b, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes
	require.NotEmpty(b.t, nodes)
	var found []string
	for _, n := range nodes {
		focusable := slices.ContainsFunc(n.Properties, func(p *accessibility.Property) bool {
			return p.Name == "focusable" && string(p.Value.Value) == "true"
		})
		if focusable && !n.Ignored && (n.Name == nil || textOf(n.Name) == "") {
			found = append(found, fmt.Sprintf("%s %v", textOf(n.Role), n.BackendDOMNodeID))
		}
	}
	return found
}

func textOf(v *accessibility.Value) string {
	var s string
	_ = json.Unmarshal(v.Value, &s) // what is no string has no text
	return strings.TrimSpace(s)
}

// stepsByKeyboard steps through each timeline of the page.
func (b *browser) stepsByKeyboard() {
	b.t.Helper()
	eval[bool](b, openAll) // some are in answers
	n := eval[int](b, `(window.runs = [...document.querySelectorAll("article .tl-compare, article .tl")].filter((e) => e.querySelector(".tl-bar") && !e.parentElement.closest(".tl-compare"))).length`)
	for i := range n {
		at := fmt.Sprintf(`runs[%d].querySelector(".tl-bar input").value`, i)
		eval[bool](b, fmt.Sprintf(`runs[%d].focus(), true`, i))
		b.press(kb.Home)
		b.wait(at + ` === "1"`)
		b.press(kb.ArrowRight)
		b.wait(at + ` === "2"`)
		b.findsByKeyboard(i, at)
	}
}

// findsByKeyboard presses each button of timeline i that leads to the next step of a kind: the
// step, whose number the expression at gives, is a later one, and the button keeps the focus.
func (b *browser) findsByKeyboard(i int, at string) {
	b.t.Helper()
	for j := range eval[int](b, fmt.Sprintf(`runs[%d].querySelectorAll(".tl-find button").length`, i)) {
		button := fmt.Sprintf(`runs[%d].querySelectorAll(".tl-find button")[%d]`, i, j)
		eval[bool](b, fmt.Sprintf(`runs[%d].focus(), true`, i))
		b.press(kb.Home)
		b.wait(at + ` === "1"`)
		if eval[string](b, button+`.getAttribute("aria-disabled")`) == "true" {
			continue // the first step is the only one
		}
		assert.Regexp(b.t, `^Next [a-z-]+$`, eval[string](b, button+`.getAttribute("aria-label")`))
		eval[bool](b, button+`.focus(), true`)
		b.press(kb.Enter)
		b.wait(`+` + at + ` > 1 && document.activeElement === ` + button)
	}
}

func TestSearchInBrowser(t *testing.T) {
	dir := sampleBook(t)
	b := openBrowser(t)
	b.open(filepath.Join(dir, "index.html"), 1280)
	const opened = `search.getAttribute("aria-expanded") === "true" && results.querySelectorAll("[role=option]").length > 0`
	const closed = `search.getAttribute("aria-expanded") === "false" && results.children.length === 0 && !document.querySelector(".found.open")`

	slash := func() {
		t.Helper()
		b.press("/")
		b.wait(`document.activeElement === search`)
		eval[string](b, `search.value = ""`) // the browser has been told of the key and of its letter
	}
	slash()
	b.press("unmistakable")
	b.wait(opened)
	assert.Equal(t, "Found: 1", eval[string](b, `document.querySelector(".found [role=status]").textContent`))
	b.press(kb.Escape)
	b.wait(closed)
	assert.Equal(t, "unmistakable", eval[string](b, `search.value`))
	b.press(kb.Escape)
	b.wait(`search.value === ""`)

	b.press("text")
	b.wait(opened)
	assert.Equal(t, "Found: 60. The first 20 are shown.", eval[string](b, `document.querySelector(".found [role=status]").textContent`))
	b.press(kb.ArrowDown)
	b.press(kb.ArrowDown)
	b.wait(`results.children[1].getAttribute("aria-selected") === "true" && search.getAttribute("aria-activedescendant") === results.children[1].id`)
	b.press(kb.Tab)
	b.wait(closed)

	slash()
	b.press("nosuchword")
	b.wait(`document.querySelector(".found.open [role=status]")?.textContent === "Nothing found."`)
	eval[bool](b, `search.select(), true`)
	b.press("words are")
	b.wait(opened)
	b.press(kb.Enter)
	b.wait(`location.pathname.endsWith("/machine.html") && location.hash === "#where-the-words-are"`)
	b.noErrors()
}

// The reader's choice of colours counts, is kept, and reaches the timelines.
func TestColoursInBrowser(t *testing.T) {
	dir := sampleBook(t)
	b := openBrowser(t)
	const light, dark = "rgb(255, 255, 255)", "rgb(20, 23, 28)"
	expect := func(colour, name string) {
		t.Helper()
		b.wait(`getComputedStyle(document.querySelector(".note")).backgroundColor === getComputedStyle(document.querySelector(".note .tl-head")).backgroundColor`)
		b.wait(`getComputedStyle(document.querySelector(".note .tl-say")).backgroundColor === "` + colour + `"`)
		b.wait(`getComputedStyle(document.body).backgroundColor === "` + colour + `" && getComputedStyle(document.querySelector(".tl-head")).backgroundColor === "` + colour + `"`)
		assert.Equal(t, name, eval[string](b, `document.querySelector(".theme").ariaLabel`))
	}
	machine := filepath.Join(dir, "machine.html")
	b.scheme("dark")
	b.open(machine, 390)
	expect(dark, "Colours: as the system")
	b.scheme("light")
	expect(light, "Colours: as the system")
	b.click(".theme")
	b.scheme("dark")
	expect(light, "Colours: light")
	b.click(".theme")
	b.scheme("light")
	expect(dark, "Colours: dark")
	b.keeps("gosched-theme", "dark")
	b.open(machine, 1280)
	expect(dark, "Colours: dark")
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	b.wait(`getComputedStyle(document.body).backgroundColor === "` + light + `"`)
	b.noErrors()
}

// The bar on top and the list of pages stay in sight, with the section that is read; a page
// whose end was seen is marked, from then on.
func TestFrameInBrowser(t *testing.T) {
	dir := sampleBook(t)
	b := openBrowser(t)
	page := filepath.Join(dir, "index.html")
	for _, width := range widths {
		b.open(page+"#section-40", width)
		b.wait(`scrollY > 0 && document.querySelector("#pages [aria-current=true]")?.hash === "#section-40"`)
		assert.Zero(t, eval[float64](b, `document.querySelector(".top").getBoundingClientRect().top`), "at %d px", width)
		assert.True(t, eval[bool](b, `document.getElementById("section-40").getBoundingClientRect().top >= document.querySelector(".top").offsetHeight`), "at %d px the bar hides the title", width)
		if width < 960 {
			b.click(".menu")
		}
		b.wait(`(() => {
			const a = document.querySelector("#pages [aria-current=true]").getBoundingClientRect(), list = pages.getBoundingClientRect();
			return a.height > 0 && a.top >= Math.max(list.top, 0) && a.bottom <= Math.min(list.bottom, innerHeight);
		})()`)
	}
	const mark = `document.querySelector('#pages a[href="index.html"].read') !== null`
	assert.False(t, eval[bool](b, mark))
	b.wait(`scrollTo(0, document.body.scrollHeight), ` + mark) // the page may still grow
	b.keeps("gosched-read", "index.html")
	b.open(filepath.Join(dir, "machine.html"), 1280)
	b.wait(mark)
	b.noErrors()
}

// A button copies a command without the mark of the shell, and says so.
func TestCopyInBrowser(t *testing.T) {
	dir := sampleBook(t)
	b := openBrowser(t)
	b.open(filepath.Join(dir, "machine.html"), 1280)
	eval[bool](b, `(navigator.clipboard.writeText = async (text) => { window.copied = text; }, true)`)
	b.click(".output .copy")
	b.wait(`[...document.querySelectorAll("[role=status]")].some((e) => e.textContent === "Copied")`)
	assert.Equal(t, "go run ./autograder play code/queue.go --go 0.x", eval[string](b, `copied`))
	assert.Equal(t, "Copy: go run ./autograder play code/queue.go --go 0.x", eval[string](b, `document.querySelector(".output .copy").ariaLabel`))
	b.click(".listing .copy")
	b.wait(`copied === "go version"`)
	assert.Equal(t, eval[int](b, `document.querySelectorAll("pre[data-copy], code[data-copy]").length`), eval[int](b, `document.querySelectorAll(".copy").length`))
	b.noErrors()
}

// On a phone long code is folded, and only there.
func TestLongCodeInBrowser(t *testing.T) {
	dir := sampleBook(t)
	b := openBrowser(t)
	const seen = `["pre", "summary"].map((e) => document.querySelector(".long " + e).checkVisibility())`
	page := filepath.Join(dir, "machine.html")
	for _, width := range widths[1:] {
		b.open(page, width)
		assert.Equal(t, []bool{true, false}, eval[[]bool](b, seen), "at %d px", width)
	}
	b.open(page, 390)
	assert.Equal(t, []bool{false, true}, eval[[]bool](b, seen))
	b.click(".long summary")
	assert.Equal(t, []bool{true, true}, eval[[]bool](b, seen))
	b.click(".long summary")
	b.do(chromedp.EmulateViewport(844, 390)) // it is turned
	b.wait(`document.querySelector(".long pre").checkVisibility()`)
	assert.Equal(t, []bool{true, false}, eval[[]bool](b, seen))
	b.open(page+"#question-1", 390)
	b.wait(`Math.abs(document.getElementById("question-1").getBoundingClientRect().top - document.querySelector(".top").offsetHeight) < 40`)
	assert.Equal(t, []bool{false, true}, eval[[]bool](b, seen), "a link to what stands below unfolds nothing")
	b.noErrors()
}

// A box becomes as wide as other code when code is seen in it. Its text does not move.
func TestCodeInBoxInBrowser(t *testing.T) {
	dir := sampleBook(t)
	b := openBrowser(t)
	b.open(filepath.Join(dir, "machine.html"), 1280)
	width := func(selector string) float64 {
		return eval[float64](b, `document.querySelector("`+selector+`").getBoundingClientRect().width`)
	}
	text, code := width("article > p"), width("article > figure")
	require.Greater(t, code, text+100)
	assert.InDelta(t, code, width("article > .listing"), 1)
	assert.InDelta(t, text, width(".question"), 1)
	inside := width(".question > p:not(.label)")
	b.click(".question summary")
	b.wait(`document.querySelector(".answer .listing").checkVisibility()`)
	assert.InDelta(t, code, width(".question"), 1)
	assert.Greater(t, width(".answer .listing"), text)
	assert.InDelta(t, inside, width(".question > p:not(.label)"), 1)
	b.open(filepath.Join(dir, "machine.html"), 390)
	b.click(".question summary")
	assert.Empty(t, eval[[]string](b, tooWide))
}

// Without scripts, all can be read: nothing is shown that does not work, and each run is told.
func TestWithoutScriptsInBrowser(t *testing.T) {
	dir := sampleBook(t)
	b := openBrowser(t)
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.open(filepath.Join(dir, "machine.html"), 390)
	assert.Empty(t, eval[[]string](b, tooWide))
	for what, want := range map[string]bool{".search": false, ".theme": false, ".menu": true, ".tl .tl-told li": true, ".tl-compare summary": true, "summary": true, ".long summary": true, ".long pre": true} {
		assert.Equal(t, want, eval[bool](b, `document.querySelector("`+what+`").checkVisibility()`), what)
	}
	assert.Zero(t, eval[int](b, `document.querySelectorAll(".copy").length`))
}

// On paper all answers are open, there are no controls, and a long line goes on in the next.
func TestPaperInBrowser(t *testing.T) {
	dir := sampleBook(t)
	b := openBrowser(t)
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	for _, width := range widths[:2] {
		b.open(filepath.Join(dir, "machine.html"), width)
		for what, want := range map[string]bool{".top": false, "#pages": false, ".copy": false, ".section-link": false, "summary": false, ".answer p": true, ".long pre": true} {
			assert.Equal(t, want, eval[bool](b, `document.querySelector("`+what+`").checkVisibility({contentVisibilityAuto: true}) && document.querySelector("`+what+`").getBoundingClientRect().height > 0`), what)
		}
		assert.Empty(t, eval[[]string](b, `[...document.querySelectorAll("pre.source")].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent.slice(0, 40))`))
	}
}
