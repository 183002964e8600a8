package book

import (
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
	"sync"
	"time"
)

// Handler serves the book for local reading. When a page's source has changed
// it builds the book anew; if that fails, it shows what is wrong.
func Handler(opt Options) http.Handler { return &server{opt: opt} }

type server struct {
	opt Options

	mu    sync.Mutex
	built string // the state of the sources that site was made of
	site  Site
	err   error
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	site, err := s.current()
	w.Header().Set("Cache-Control", "no-store")
	if err != nil {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprintf(w, "<!doctype html><title>book</title><pre>%s</pre>", html.EscapeString(err.Error()))
		return
	}
	content, ok := site[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}

// current returns the book of the sources as they are now.
func (s *server) current() (Site, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := sourceState(s.opt); s.built == "" || now != s.built {
		s.built = now
		s.site, s.err = Render(s.opt)
	}
	return s.site, s.err
}

// sourceState is a text that changes when a page does.
func sourceState(opt Options) string {
	files := os.DirFS(opt.Root)
	names, _ := fs.Glob(files, path.Join("book", opt.Lang, "*.md"))
	var state strings.Builder
	for _, name := range names {
		if info, err := fs.Stat(files, name); err == nil {
			fmt.Fprintln(&state, name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return state.String() + "."
}
