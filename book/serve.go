package book

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// Handler serves the book for local reading. A page is built when it is asked for, and the
// one behind it after that, so that it is there when the reader turns over. If a page takes
// longer than a moment, the reader sees how far it is. When a source has changed, open
// pages load themselves anew; if a page cannot be built, it shows what is wrong.
func Handler(opt Options) http.Handler {
	return &server{opt: opt, began: time.Now(), assets: addAssets(Site{}, languages[opt.Lang])}
}

// moment is how long a reader waits without a word, and glance how often the sources are
// looked at while a page is open.
const (
	moment = time.Second
	glance = 300 * time.Millisecond
)

type server struct {
	opt    Options
	began  time.Time
	assets Site

	building sync.Mutex // while a page is built: one at a time, since figures are measured

	mu      sync.Mutex
	opened  int // how often the book was
	b       *builder
	jobs    map[*page]*job // pages of b that are built, or were asked for
	problem error          // why there is no b
}

// A job is a page that is being built, or has been.
type job struct {
	done chan struct{} // closed when html and err are there
	html []byte
	err  error

	mu       sync.Mutex
	progress Progress
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	content, known := s.assets[name]
	switch {
	case known:
	case name == "changes":
		s.changes(w, r)
		return
	case name == "standing":
		s.standing(w)
		return
	default:
		b, _, err := s.current()
		if err != nil {
			notice(w, http.StatusInternalServerError, s.opt.Lang, "", err.Error())
			return
		}
		if p := b.byName[strings.TrimSuffix(name, ".html")]; p != nil && path.Ext(name) == ".html" {
			s.page(w, r, b, p)
			return
		}
		if name != searchIndexName {
			http.NotFound(w, r)
			return
		}
		content = b.searchIndex()
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}

// current returns the book of the sources as they are now, and how often it was opened
// until then.
func (s *server) current() (*builder, int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened == 0 || s.b != nil && s.b.changed() {
		s.opened++
		s.jobs = map[*page]*job{}
		if s.b, s.problem = open(s.opt); s.problem == nil {
			s.b.live = true
		}
	}
	return s.b, s.opened, s.problem
}

// page serves p, or says how far it is.
func (s *server) page(w http.ResponseWriter, r *http.Request, b *builder, p *page) {
	j := s.job(b, p)
	select {
	case <-j.done:
	case <-time.After(moment):
		j.mu.Lock()
		at := j.progress
		j.mu.Unlock()
		w.Header().Set("Retry-After", "1")
		text := fmt.Sprintf(b.words.Building, p.title)
		if at.All > 0 {
			text += "\n\n" + fmt.Sprintf(b.words.BuildingFigure, at.Done+1, at.All, at.Figure)
		}
		notice(w, http.StatusServiceUnavailable, s.opt.Lang, "1", text)
		return
	}
	if j.err != nil {
		notice(w, http.StatusInternalServerError, s.opt.Lang, "", j.err.Error())
		return
	}
	s.job(b, b.behind(p))
	http.ServeContent(w, r, p.name+".html", time.Time{}, bytes.NewReader(j.html))
}

// job begins to build p, unless that was done before. p may be nil.
func (s *server) job(b *builder, p *page) *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.jobs[p]
	if j == nil && p != nil {
		j = &job{done: make(chan struct{})}
		s.jobs[p] = j
		go s.do(j, b, p)
	}
	return j
}

func (s *server) do(j *job, b *builder, p *page) {
	s.building.Lock()
	defer s.building.Unlock()
	defer close(j.done)
	b.progress = func(at Progress) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.progress = at
	}
	j.html, j.err = b.build(p)
	if of := b.problemsOf(p); j.err == nil && len(of) > 0 {
		j.err = of
	}
}

// changes tells a page that is open when the book is not the one any more that it is of.
func (s *server) changes(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	for told := 0; ; {
		if _, opened, _ := s.current(); opened != told {
			told = opened
			fmt.Fprintf(w, "data: %d.%d\n\n", s.began.UnixNano(), opened)
			if http.NewResponseController(w).Flush() != nil {
				return
			}
		}
		select {
		case <-r.Context().Done():
			return
		case <-ticker.C:
		}
	}
}

// standing serves how far the reader is: by page, what stands beside its title in the list of
// pages, and what that means.
func (s *server) standing(w http.ResponseWriter) {
	marks := map[string][2]string{}
	b, _, err := s.current()
	if err == nil && s.opt.Standing != nil {
		for dir, at := range s.opt.Standing() {
			if p := b.pageOf(Chapter{Dir: dir}); p != nil {
				marks[p.name+".html"] = [2]string{fmt.Sprintf("%d/%d", at.Passed, at.Checks), fmt.Sprintf(b.words.Standing, at.Passed, at.Checks)}
			}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(marks) // the reader may be gone
}

// noticePage is what a reader sees in place of a page that is not there.
var noticePage = template.Must(template.New("").Parse(`<!doctype html>
<html lang="{{.Lang}}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{{- with .Again}}
<meta http-equiv="refresh" content="{{.}}">
{{- end}}
<title>gosched</title>
<script src="live.js" defer></script>
<pre style="white-space: pre-wrap; margin: 2rem">{{.Text}}</pre>
`))

// notice serves a text, and again after so many seconds what is there then.
func notice(w http.ResponseWriter, status int, lang, again, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_ = noticePage.Execute(w, map[string]string{"Lang": lang, "Again": again, "Text": text}) // the reader may be gone
}

// changed reports whether a file of which b is made is not as it was, or a page has come or
// gone.
func (b *builder) changed() bool {
	pages, _ := fs.Glob(b.files, path.Join("book", b.Lang, "*.md"))
	changed := len(pages) != len(b.pages)
	b.used.Range(func(file, then any) bool {
		changed = changed || stamp(b.files, file.(string)) != then
		return !changed
	})
	return changed
}

// stamp is a text that changes when a file does.
func stamp(files fs.FS, name string) string {
	info, err := fs.Stat(files, name)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

// behind is the page to which a reader turns over, nil if there is none.
func (b *builder) behind(p *page) *page {
	if i := slices.Index(b.pages, p) + 1; i < len(b.pages) {
		return b.pages[i]
	}
	return nil
}

// problemsOf are those of a page.
func (b *builder) problemsOf(p *page) Problems {
	return slices.DeleteFunc(slices.Clone(b.sorted()), func(x Problem) bool { return x.File != p.file })
}
