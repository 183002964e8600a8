package book

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// get asks until the page is built.
func get(t *testing.T, handler http.Handler, path string) (int, string) {
	t.Helper()
	for {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != http.StatusServiceUnavailable {
			return w.Code, w.Body.String()
		}
	}
}

func writePage(t *testing.T, opt Options, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(opt.Root, "book", "en", name), []byte(text), 0o666))
}

// The server shows the pages, follows changes of their sources, and shows what
// is wrong in place of the page.
func TestServe(t *testing.T) {
	opt := withPages(t, map[string]string{"index.md": "# A\n\nfirst\n"})
	handler := Handler(opt)

	status, body := get(t, handler, "/")
	assert.Equal(t, 200, status)
	assert.Contains(t, body, "<p>first</p>")
	assert.Contains(t, body, `<script src="live.js" defer>`)
	for _, name := range []string{"/book.css", "/live.js", "/search.js", "/01_first.html"} {
		status, _ = get(t, handler, name)
		assert.Equal(t, 200, status, name)
	}
	for _, name := range []string{"/../index.md", "/index.md", "/index", "/none.html"} {
		status, _ = get(t, handler, name)
		assert.Equal(t, 404, status, name)
	}

	writePage(t, opt, "index.md", "# A\n\nsecond, longer\n")
	_, body = get(t, handler, "/index.html")
	assert.Contains(t, body, "<p>second, longer</p>")

	writePage(t, opt, "index.md", "# A\n\n[x](<none>.md)\n")
	status, body = get(t, handler, "/")
	assert.Equal(t, 500, status)
	assert.Contains(t, body, "book/en/index.md:3")
	status, _ = get(t, handler, "/01_first.html")
	assert.Equal(t, 200, status, "a page is shown although there is something wrong with another")
}

// A page that takes time says so, and how far it is; meanwhile the others are served.
func TestServeSlowly(t *testing.T) {
	opt := withPages(t, map[string]string{"index.md": "# A\n\n::: timeline code/queue.go go=0.x seed=1\n:::\n"})
	goOn, run := make(chan bool), opt.Run
	opt.Run = func(program string, args RunArgs) (RunResult, error) {
		<-goOn
		return run(program, args)
	}
	handler := Handler(opt)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	assert.Equal(t, http.StatusServiceUnavailable, w.Code)
	assert.Contains(t, w.Body.String(), "“A” is being built.")
	assert.Contains(t, w.Body.String(), "Figure 1 of 1: timeline code/queue.go go=0.x seed=1")
	assert.Contains(t, w.Body.String(), `http-equiv="refresh"`)
	status, _ := get(t, handler, "/search.js")
	assert.Equal(t, 200, status)
	close(goOn)
	_, body := get(t, handler, "/")
	assert.Contains(t, body, `class="timeline"`)
}

// A page that is open hears of a change: of a source, or of a program that it shows.
func TestServeChanges(t *testing.T) {
	opt := withPages(t, map[string]string{"index.md": "# A\n\n::: snippet code/queue.go\n:::\n"})
	handler := Handler(opt)
	server := httptest.NewServer(handler)
	defer server.Close()
	get(t, handler, "/")

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/changes", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	events := bufio.NewScanner(response.Body)
	next := func() string {
		t.Helper()
		for events.Scan() {
			if data, ok := strings.CutPrefix(events.Text(), "data: "); ok {
				return data
			}
		}
		require.Fail(t, "no event", events.Err())
		return ""
	}

	first := next()
	writePage(t, opt, "index.md", "# A\n\n::: snippet code/queue.go\nMore.\n:::\n")
	second := next()
	assert.NotEqual(t, first, second)
	get(t, handler, "/")
	queue := filepath.Join(opt.Root, "code", "queue.go")
	text, err := os.ReadFile(queue)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(queue, append(text, "// another\n"...), 0o666))
	assert.NotEqual(t, second, next())
}

// The pages of chapters are told how far the reader is with the exercises.
func TestServeStanding(t *testing.T) {
	opt := withPages(t, map[string]string{})
	_, body := get(t, Handler(opt), "/standing")
	assert.JSONEq(t, `{}`, body)
	opt.Standing = func() map[string]Standing {
		return map[string]Standing{"ch01_first": {2, 3}, "ch02_second": {0, 1}}
	}
	_, body = get(t, Handler(opt), "/standing")
	assert.JSONEq(t, `{"01_first.html": ["2/3", "2 of 3 checks pass"]}`, body, "chapter 2 has no page")
}

// When a page has been served the one behind it is built, although no reader has asked yet.
func TestServeBuildsAhead(t *testing.T) {
	opt := withPages(t, map[string]string{"index.md": "# A\n", "machine.md": "# B\n\n::: timeline code/queue.go go=0.x seed=1\n:::\n"})
	built, run := make(chan bool, 1), opt.Run
	opt.Run = func(program string, args RunArgs) (RunResult, error) {
		built <- true
		return run(program, args)
	}
	get(t, Handler(opt), "/")
	select {
	case <-built:
	case <-time.After(time.Minute):
		assert.Fail(t, "the page behind was not built")
	}
}
