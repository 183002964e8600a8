package class

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/grade"
	"gosched/autograder/policy"
	"gosched/chapters/check"
	"gosched/chapters/webpage"
)

const evil = `</script><script>document.title="owned"</script><img src=x onerror='document.title="owned"'>`

// evilClass has everything that a page shows, and text of students that would like to be HTML.
func evilClass(t *testing.T) *Class {
	t.Helper()
	report := func(n string, change func(r *grade.Report)) *grade.Report {
		dir := filepath.Join(t.TempDir(), n)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "submission"), []byte(n), 0o644))
		r, err := fake(t.Context(), dir, nil)
		require.NoError(t, err)
		change(r)
		return r
	}
	nothing := func(*grade.Report) {}
	all := func(status check.Status) func(r *grade.Report) {
		return func(r *grade.Report) {
			r.Score = 0
			for i := range r.Chapters {
				ch := &r.Chapters[i]
				ch.Score = 0
				for j := range ch.Checks {
					ch.Checks[j].Status, ch.Checks[j].Score, ch.Checks[j].Message = status, 0, "it does not compile: x.go:1:1"
				}
			}
		}
	}
	student := func(name string, s Submission, r *grade.Report) Student {
		s.Student, s.Source = name, "work/"+name
		if s.Status == "" {
			s.Status = Graded
		}
		return Student{Submission: s, Report: r}
	}
	c := &Class{Students: []Student{
		student("ann", Submission{Key: "k1"}, report("0", nothing)),
		student("bob"+evil, Submission{Row: Row{Name: evil}, Key: "k2"}, report("1", func(r *grade.Report) { r.Chapters[0].Checks[0].Message = evil + "\nmore" })),
		student("cy", Submission{Key: "k3", Commit: "c0ffee", Late: true, InTime: "beef", Row: Row{Due: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}}, report("4", nothing)),
		student("idle", Submission{}, report("0", all(check.Todo))),
		student("typo", Submission{}, report("0", all(check.BuildError))),
		student("gone", Submission{Status: NoSubmission, Message: "there is no folder " + evil}, nil),
		student("hit", Submission{Status: InternalError, Message: "disk full " + evil}, nil),
		student("zoe", Submission{Status: Missing}, nil),
	}}
	for _, ch := range c.Students[0].Report.Chapters {
		c.Chapters = append(c.Chapters, Chapter{ch.ID, ch.Title, ch.MaxScore})
	}
	return c
}

func TestPage(t *testing.T) {
	c := evilClass(t)
	page, err := c.page()
	require.NoError(t, err)
	text := string(page)
	assert.NotContains(t, text, evil)
	assert.NotContains(t, text, "<img")
	assert.Equal(t, 2, strings.Count(text, "<script"), "the page's own, and its data")
	assert.NotRegexp(t, regexp.MustCompile(`(?i)(src|href)\s*=\s*["']?(https?:)?//|url\(|@import`), text, "nothing comes from elsewhere")
	section := func(title string) string {
		t.Helper()
		_, rest, ok := strings.Cut(text, ">"+title+"</h2>")
		require.True(t, ok, "there is no section %s", title)
		section, _, _ := strings.Cut(rest, "</section>")
		return section
	}
	assert.Contains(t, section("Could not be graded"), "<b>hit</b>: disk full &lt;/script&gt;")
	assert.NotContains(t, section("Could not be graded"), "zoe")
	idle := section("Has not begun")
	assert.Contains(t, idle, "<b>idle</b>: nothing is written yet")
	assert.Contains(t, idle, "<b>gone</b>: there is no folder &lt;/script&gt;")
	for _, begun := range []string{"ann", "typo", "hit", "zoe"} {
		assert.NotContains(t, idle, "<b>"+begun)
	}
	assert.Contains(t, section("Students"), `<span class="mark">late</span>`)
	again, err := c.page()
	require.NoError(t, err)
	assert.Equal(t, text, string(again))
}

func TestFailing(t *testing.T) {
	got := map[string]failing{}
	all := evilClass(t).failing()
	for _, f := range all {
		got[f.ID] = f
	}
	// ann: pass fail, pass fail. bob: fail todo, fail todo. cy: pass fail, fail todo. idle: todo.
	assert.Equal(t, failing{"ch01/free-reuse", "It holds.", 2, 40, []said{{"expected 1, found 2", 1}, {"expected 1, found 3", 1}}}, got["ch01/free-reuse"])
	assert.Equal(t, []said{{evil, 1}}, got["ch01/status-edges"].Messages, "the first line")
	assert.Equal(t, failing{"ch01", "The chapter compiles.", 1, 20, []said{{"it does not compile: x.go:1:1", 1}}}, got["ch01"], "one mistake, not one for each check")
	for i := 1; i < len(all); i++ {
		assert.GreaterOrEqual(t, all[i-1].Count, all[i].Count)
	}
}

// What was refused is told of once, in the table, and with each file.
func TestRefusedOnPage(t *testing.T) {
	c := evilClass(t)
	bob := &c.Students[1]
	bob.Report.Submission = &grade.Submission{Ignored: []string{"vendor/", evil}, Findings: []policy.Finding{{File: "a.go", Line: 3, What: "it imports \"os\"", Instead: "do without it"}}}
	for i := range bob.Report.Chapters[0].Checks {
		one := &bob.Report.Chapters[0].Checks[i]
		one.Status, one.Message = check.Refused, "refused: a.go:3"
	}
	assert.Equal(t, []string{"refused"}, bob.marks())
	assert.Equal(t, []string{"late"}, c.Students[2].marks())
	assert.Equal(t, []string{"does not compile"}, c.Students[4].marks())
	var of []failing
	for _, f := range c.failing() {
		if f.ID == "ch01" {
			of = append(of, f)
		}
	}
	assert.Equal(t, []failing{
		{"ch01", "Nothing of the chapter is refused.", 1, 20, []said{{"refused: a.go:3", 1}}},
		{"ch01", "The chapter compiles.", 1, 20, []said{{"it does not compile: x.go:1:1", 1}}},
	}, of)
	assert.Equal(t, []string{"Refused: " + bob.Report.Submission.Findings[0].String(), "Ignored: vendor/; " + evil}, notTaken(bob.Report.Submission))
	page, err := c.page()
	require.NoError(t, err)
	assert.Contains(t, string(page), `graded <span class="mark">refused</span>`)
	assert.NotContains(t, string(page), evil)
	bob.Report.Submission.Ignored = slices.Repeat([]string{"x"}, 22)
	assert.True(t, strings.HasSuffix(notTaken(bob.Report.Submission)[1], "x; and 2 more"))
}

func TestEmptyPage(t *testing.T) {
	page, err := (&Class{Students: []Student{{Submission: Submission{Row: Row{Student: "ann"}, Status: Missing}}}}).page()
	require.NoError(t, err)
	assert.Contains(t, string(page), "<b>1</b> missing")
}

// TestMessagesAreText: what a message has that is not seen, or turns what stands behind it around, is
// shown as an escape.
func TestMessagesAreText(t *testing.T) {
	c := evilClass(t)
	c.Students[1].Report.Chapters[0].Checks[0].Message = "\u202epass\x1b[2J"
	for _, f := range c.failing() {
		if f.ID == "ch01/status-edges" {
			assert.Equal(t, []said{{`\u202epass\x1b[2J`, 1}}, f.Messages)
		}
	}
	page, err := c.page()
	require.NoError(t, err)
	assert.NotContains(t, string(page), "\u202e")
	assert.Contains(t, string(page), `"\\u202epass\\x1b[2J"`)
}

func TestMedian(t *testing.T) {
	for want, points := range map[float64][]int{5: {5}, 50: {100, 0}, 2: {9, 2, 1}, 1.5: {2, 1}} {
		assert.InDelta(t, want, median(points), 0, "%v", points)
	}
}

func TestShorten(t *testing.T) {
	assert.Equal(t, "ab", shorten("ab", 2))
	assert.Equal(t, "ü…", shorten("üü", 3))
}

// TestPageInBrowser: the table is sorted, searched and unfolded, and what students wrote is text.
func TestPageInBrowser(t *testing.T) {
	browser := webpage.Browser()
	if browser == "" {
		t.Skip("there is no browser here")
	}
	page, err := evilClass(t).page()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), PageFile)
	require.NoError(t, os.WriteFile(file, page, 0o644))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	ctx, cancel = chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.DisableGPU, // as root in a container there is no sandbox; what is opened is ours
		chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(time.Minute))...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	_, err = chromedp.Run(ctx, chromedp.Navigate("file://"+filepath.ToSlash(file)))
	require.NoError(t, err)
	text := func(expression string) string {
		t.Helper()
		s, err := chromedp.Run(ctx, chromedp.Evaluate[string](expression))
		require.NoError(t, err, expression)
		return s
	}
	const names = `[...document.querySelectorAll("#class tbody tr:not(.opened)")].filter(r => !r.hidden).map(r => r.cells[0].textContent.slice(0, 4).trim()).join()`
	const click = `document.querySelectorAll("#class thead button")[2].click();`
	assert.Equal(t, "ann,cy,bob<,idle,typo,gone,hit,zoe", text(click+names))
	assert.Equal(t, "bob<,idle,typo,cy,ann,gone,hit,zoe", text(click+names), "who has no points is last in both orders")
	unfolded := text(`document.querySelector('[data-index="1"] .unfold').click(); document.querySelector(".opened").textContent`)
	assert.Contains(t, unfolded, "fail status-edges 0/5 It holds."+evil+"\nmore")
	assert.Equal(t, "evidence/k2/ch01/status-edges.txt", text(`document.querySelector(".opened a").getAttribute("href")`))
	assert.Equal(t, "cy", text(`const box = document.getElementById("find"); box.value = "late"; box.dispatchEvent(new Event("input")); `+names))
	assert.Equal(t, "The class", text(`document.title`), "a student's text was run")
}
