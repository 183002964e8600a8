package book

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine/explore"
	"gosched/chapters/trace"
	"gosched/timeline"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sampleOptions are those of the book in testdata/repo.
func sampleOptions() Options {
	return Options{
		Root:   "testdata/repo",
		Lang:   "en",
		GOROOT: "testdata/goroot",
		Chapters: []Chapter{
			{Dir: "ch01_first", Title: "First", Go: "0.x", Parts: []string{"Queue"}, Checks: []Check{
				{Name: "order", Kind: "unit", Points: 3, Methods: []string{"Put", "Get"}, Property: "First in, first out.", Book: "code"},
				{Name: "mine", Kind: "mine", Points: 1, Methods: []string{"mine"}, Property: "Your test finds mistakes."},
				{Name: "run", Kind: "program", Points: 2, Methods: []string{"Put"}, Property: "A program runs."},
			}},
			{Dir: "ch02_second", Title: "The <second> chapter", Go: "1.1"},
		},
		Counterexample: func(chapter, mutant string) (Counterexample, error) {
			if mutant == "none" {
				return Counterexample{}, fmt.Errorf("%s has no mutant %q", chapter, mutant)
			}
			story := explore.Story{
				Title: "Put drops <one>", Kind: explore.Violation, Message: []string{"G1 is lost"}, Replay: "1:0",
				Threads: []string{"owner"}, Lanes: []string{"       owner\n"}, Rows: []explore.StoryRow{{Text: "put(G1)"}},
				Steps: []explore.StoryStep{{Text: "put(G1)", Variable: -1}}, Total: 1,
			}
			if mutant == "many" { // steps, on two threads
				story.Threads = append(story.Threads, "thief")
				for i := range 40 {
					step := explore.StoryStep{Number: i + 1, Thread: i / 3 % 2, Text: "get()", Variable: -1}
					if i%3 == 0 {
						step.Why = story.Threads[1-step.Thread] + " is preempted"
					}
					story.Steps = append(story.Steps, step)
				}
				story.Total = len(story.Steps)
			}
			return Counterexample{What: story.Title, Check: "order", Text: "G1 is lost\n", Story: story}, nil
		},
		Run: func(program string, args RunArgs) (RunResult, error) {
			log := &trace.Log{
				Header: trace.Header{Schema: trace.Schema, Go: args.Go, Ms: 1, Unit: "instructions", Seed: args.Seed},
				Events: []trace.Event{
					{T: 0, Kind: trace.Create, G: 1, P: trace.None, Text: "main.main"},
					{T: 1, Kind: trace.Run, G: 1, P: trace.None},
					{T: 5, Kind: trace.Exit, G: 1, P: trace.None},
					{T: 5, Kind: trace.End, G: trace.None, P: trace.None},
				},
			}
			if args.Procs != 0 {
				log.Header.Unit = "ns"
				return RunResult{Log: log, Figures: &timeline.Figures{Makespan: 5 * time.Millisecond / time.Duration(len(args.Go)), LockWait: 400, Ms: 2, Idle: 0.25}}, nil
			}
			if args.Seed != 0 {
				return RunResult{Log: log}, nil
			}
			return RunResult{Log: log, Output: "one <1>\ntwo\nthree\n", Status: 2}, nil
		},
	}
}

// withPages is the sample book in a folder of its own, with pages replaced and
// the long one shortened.
func withPages(t *testing.T, pages map[string]string) Options {
	t.Helper()
	opt := sampleOptions()
	root := t.TempDir()
	require.NoError(t, os.CopyFS(root, os.DirFS(opt.Root)))
	if pages["01_first.md"] == "" {
		pages = maps.Clone(pages)
		pages["01_first.md"] = "# The first chapter\n\n## Code\n"
	}
	for name, text := range pages {
		require.NoError(t, os.WriteFile(filepath.Join(root, "book", "en", name), []byte(text), 0o666))
	}
	opt.Root = root
	return opt
}

// problemsOf builds the sample book with its index replaced, and returns what
// is wrong, one problem a line, without the page's folder.
func problemsOf(t *testing.T, index string, change ...func(*Options)) string {
	t.Helper()
	opt := withPages(t, map[string]string{"index.md": index})
	for _, f := range change {
		f(&opt)
	}
	_, err := Render(opt)
	if err == nil {
		return ""
	}
	var problems Problems
	require.ErrorAs(t, err, &problems)
	return strings.ReplaceAll(problems.Error(), "book/en/", "")
}

// htmlOf builds the sample book with its index replaced and returns the
// article of the index.
func htmlOf(t *testing.T, index string) string {
	t.Helper()
	site, err := Render(withPages(t, map[string]string{"index.md": index}))
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(site["index.html"]), "<article>")
	require.True(t, ok)
	article, _, ok := strings.Cut(rest, "</article>")
	require.True(t, ok)
	return article
}

// timelineIn finds what package timeline makes. Its own tests look at that; here
// it stands for its id.
var timelineIn = regexp.MustCompile(`(?s)<section class="tl" id="(.*?)".*?</section>`)

func TestGolden(t *testing.T) {
	site, err := Render(sampleOptions())
	require.NoError(t, err)
	for _, name := range []string{"index.html", "01_first.html", "search.js"} {
		got := timelineIn.ReplaceAllString(string(site[name]), "[$1]")
		golden := filepath.Join("testdata", "golden", name)
		if *update {
			require.NoError(t, os.MkdirAll(filepath.Dir(golden), 0o777))
			require.NoError(t, os.WriteFile(golden, []byte(got), 0o666))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s differs from the golden file (-want +got; go test -update writes it anew):\n%s", name, diff)
		}
	}
}

func TestTwoBuildsAreTheSame(t *testing.T) {
	first, err := Render(sampleOptions())
	require.NoError(t, err)
	second, err := Render(sampleOptions())
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(first, second))
}

var (
	linkIn = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	idIn   = regexp.MustCompile(` id="([^"]*)"`)
)

// Every address in the built pages leads somewhere, those of the frame and of
// footnotes included, and no id stands twice on a page.
func TestLinksOfBuiltPages(t *testing.T) {
	site, err := Render(sampleOptions())
	require.NoError(t, err)
	checkLinks(t, site)
}

func checkLinks(t *testing.T, site Site) {
	t.Helper()
	ids := map[string]map[string]bool{}
	for name, text := range site {
		ids[name] = map[string]bool{}
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, m := range idIn.FindAllStringSubmatch(string(text), -1) {
			assert.False(t, ids[name][m[1]], "%s has the id %q twice", name, m[1])
			ids[name][m[1]] = true
		}
	}
	links := 0
	for name, text := range site {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, m := range linkIn.FindAllStringSubmatch(string(text), -1) {
			if strings.HasPrefix(m[1], "https://") {
				continue
			}
			links++
			address, err := url.PathUnescape(m[1])
			assert.NoError(t, err)
			file, id, _ := strings.Cut(address, "#")
			if file == "" {
				file = name
			}
			if assert.Contains(t, ids, file, "in %s", name) && id != "" {
				assert.True(t, ids[file][id], "%s: the link %s leads to no id", name, m[1])
			}
		}
	}
	assert.NotZero(t, links)
}

func TestBuildWritesAllOrNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "site")
	require.NoError(t, Build(sampleOptions(), out))
	for _, name := range []string{"index.html", "machine.html", "01_first.html", "book.css", "book.js", "search.js"} {
		assert.FileExists(t, filepath.Join(out, name))
	}

	out = filepath.Join(t.TempDir(), "site")
	err := Build(withPages(t, map[string]string{"index.md": "# A\n\n[x](nowhere.md)\n"}), out)
	var problems Problems
	require.ErrorAs(t, err, &problems)
	assert.Equal(t, Problem{"book/en/index.md", 3, `the link "nowhere.md" leads to a page that does not exist`}, problems[0])
	assert.NoDirExists(t, out)
}

// A checkout with the line ends of Windows builds the same book.
func TestLineEndsOfWindows(t *testing.T) {
	const page = "# A\n\nText\nmore\n\n::: note\nx\n:::\n\n```text\na\nb\n```\n\n::: snippet code/queue.go#Queue.Len\n:::\n"
	opt := withPages(t, map[string]string{"index.md": strings.ReplaceAll(page, "\n", "\r\n")})
	file := filepath.Join(opt.Root, "code", "queue.go")
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, bytes.ReplaceAll(source, []byte("\n"), []byte("\r\n")), 0o666))
	windows, err := Render(opt)
	require.NoError(t, err)
	unix, err := Render(withPages(t, map[string]string{"index.md": page}))
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(string(unix["index.html"]), string(windows["index.html"])))
}

func TestUnknownLanguage(t *testing.T) {
	opt := sampleOptions()
	opt.Lang = "xx"
	_, err := Render(opt)
	assert.EqualError(t, err, `the book has no language "xx": its words are missing in book/words.go`)
}

// Nothing in the engine assumes English: with other words, no English ones of
// the frame are left.
func TestOtherLanguage(t *testing.T) {
	w := languages["en"]
	w.Menu, w.Chapters, w.NotYet, w.Chapter, w.Next = "目录", "各章", "尚未写成", "第 %d 章", "下一页"
	w.Timeline.Now, w.Timeline.Steps = "现在", "% 步"
	languages["zh"] = w
	defer delete(languages, "zh")
	opt := withPages(t, map[string]string{})
	opt.Lang = "zh"
	dir := filepath.Join(opt.Root, "book", "zh")
	require.NoError(t, os.MkdirAll(dir, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.md"), []byte("# 书\n\n**“粗体。”**\\ 接着{{chapter 01}}，\n一行。\n\n## 第一节\n\n正文。[链接](#第一节)\n\n::: timeline code/queue.go go=0.x seed=1\n:::\n\n::: compare code/queue.go go=\"1.0 1.1\" procs=4\n:::\n"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "01_first.md"), []byte("# 一\n\n## 码 {#code}\n"), 0o666))
	site, err := Render(opt)
	require.NoError(t, err)
	page := string(site["index.html"])
	for _, want := range []string{`<html lang="zh">`, "目录", "各章", "尚未写成", "<strong>“粗体。”</strong>接着<a href=\"01_first.html\">第 1 章</a>，一行", `<h2 id="第一节">`} {
		assert.Contains(t, page, want)
	}
	for _, not := range []string{"Contents", "Not written yet", ">Chapters<"} {
		assert.NotContains(t, page, not)
	}
	assert.Contains(t, string(site["search.js"]), `"s":"第一节"`)
	assert.Contains(t, string(site["timeline.js"]), `"now":"现在"`)
	assert.Contains(t, page, " · 3 步</p>", "the words around a timeline")
	assert.Contains(t, page, ` · 3 步">`, "and those of a comparison")
	checkLinks(t, site)
}

func TestErrorOfRunIsReported(t *testing.T) {
	got := problemsOf(t, "# A\n\n::: output code/queue.go go=0.x\n:::\n", func(o *Options) {
		o.Run = func(string, RunArgs) (RunResult, error) { return RunResult{}, errors.New("no machine today") }
	})
	assert.Contains(t, got, "index.md:3: ::: output: no machine today")
}
