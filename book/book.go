package book

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark"

	"gosched/chapters/machine/explore"
	"gosched/chapters/trace"
	"gosched/timeline"
)

// Release is the release of Go whose runtime the book describes. Its facts are
// checked against the installed Go; with another release a fact that does not
// hold is a warning instead of an error.
const Release = "1.26"

// Options say what to build and how to run the programs in it.
type Options struct {
	Root string // the root of the repository: pages and paths in them begin here
	Lang string // the folder of book with the pages: "en"

	Chapters   []Chapter   // the course's table, titles in the book's language
	Mechanisms []Mechanism // in the order of their numbers, which begin with 1

	// Run runs a program of the course on the course's scheduler. If it is
	// nil, pages that need it are an error.
	Run func(program string, args RunArgs) (RunResult, error)

	// Counterexample runs the checks' models on a wrong solution of a chapter. If it
	// is nil, pages that need it are an error.
	Counterexample func(chapter, mutant string) (Counterexample, error)

	// Map makes the map of the whole scheduler. If it is nil, pages that need it are an
	// error.
	Map func() (Map, error)

	// Source is what the path of a file in the repository is put behind to make its
	// address, "https://…/blob/main/". If it is empty, files are named and not linked.
	Source string

	// Kept is a folder in which the results of Run, of Counterexample and of real runs
	// are kept from one build to the next; "": they are not. Code must then differ
	// whenever the code of the course does that those results come from.
	Kept, Code string

	// GOROOT is the Go that facts are checked against; "": the installed one.
	GOROOT string

	// Standing tells how far the reader is with the exercises, by Chapter.Dir, for pages
	// that are served; it may be nil.
	Standing func() map[string]Standing

	// Warn is told about what is doubtful and yet no error; it may be nil.
	Warn func(Problem)
}

// A Chapter is an entry of the course's table.
type Chapter struct {
	Dir    string // "ch02_onethread"; its page is 02_onethread.md
	Title  string
	Go     string   // the versions of Go that it builds, "" if none
	Parts  []string // the interfaces that it implements
	Checks []Check  // nil: no suite yet
}

// A Check is what a page tells about a check of a chapter's suite.
type Check struct {
	Name     string
	Kind     string // "unit", "model", "program", "stress", "bench" or "mine"
	Points   int
	Methods  []string
	Property string
	Book     string // id of a section of the chapter's page, "" if none
}

// A Mechanism is something that the scheduler does, and its places in the course.
type Mechanism struct {
	Subject  string   // in a few words
	Methods  []string // of the contracts: "RunQueue.Runqput"
	Checks   []string // "ch07/put-next"
	Sections []string // "07_runq#runnext"; the page may be one that is not written yet
	Programs []string // files
	Coming   int      // the chapter with which the rest of it comes, 0 if it is all there
}

// A Map is the whole scheduler: where an M looks for work, what becomes of Gs, Ms and Ps,
// and all parts. Methods in it are those of the contracts, "RunQueue.Runqput".
type Map struct {
	Sources  []Source
	Diagrams []Diagram
	Parts    []Part
}

// A Source is a step of the search for work.
type Source struct {
	Label  string
	Method string // "" if the course has none for it
	Code   string // what the step is in findRunnable of the runtime
}

// A Diagram has the states of something and the moves between them.
type Diagram struct {
	Title         string
	Width, Height float64
	States        []State
	Edges         []Edge
}

// A State is one of a Diagram.
type State struct {
	Name string
	X, Y float64 // its middle
}

// An Edge is a move from one State to another.
type Edge struct {
	From, To string
	Methods  []string // that make it
	Note     string   // who makes it, if no method of the course does
	At       float64  // where on its way its chapters stand, from 0 to 1; 0 stands for the middle
	Bend     float64  // how far its middle is from the straight line, to the left of it
	Upright  bool     // its chapters stand below one another
}

// A Part is an interface of the contracts.
type Part struct {
	Name    string
	Methods []string // without the part's name
}

// A Standing is how many of a chapter's checks pass.
type Standing struct{ Passed, Checks int }

// RunArgs say how to run a program.
type RunArgs struct {
	Go   string // the version: "0.x"
	Seed uint64 // 0: the default of play
	// Procs, if not 0, is how many simulated CPUs the program runs on, and GOMAXPROCS.
	Procs int
	// Ask, if not 0, is after how many instructions a goroutine is asked to stop.
	Ask  int64
	Args []string
}

// A RunResult is what a run gave.
type RunResult struct {
	Log    *trace.Log
	Output string // standard output and standard error, in the order of writing
	Status int    // the exit status
	// Figures of a run on simulated CPUs; else nil.
	Figures *timeline.Figures
}

// A Counterexample is how a model of a check fails on a wrong solution.
type Counterexample struct {
	What  string        // the mistake, in one sentence
	Check string        // the check that sees it
	Text  string        // the schedule in which it shows
	Story explore.Story // the same for a page
}

// A Problem is something wrong on a page.
type Problem struct {
	File string // from the root of the repository
	Line int    // from 1; 0: the whole file
	What string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.File, p.What)
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.What)
}

// Problems are the errors of a build, in the order of pages and lines.
type Problems []Problem

func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// A Site is a built book: the contents of files by their names.
type Site map[string][]byte

// Build renders the book and writes it to the folder outDir, which it makes if
// need be. If anything is wrong, it writes nothing and returns Problems.
func Build(opt Options, outDir string) error {
	site, err := Render(opt)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(outDir, 0o777); err != nil {
		return err
	}
	for _, name := range sortedKeys(site) {
		if err := os.WriteFile(filepath.Join(outDir, name), site[name], 0o666); err != nil {
			return err
		}
	}
	return nil
}

// Render builds the book in memory. The error is Problems if pages are at fault.
func Render(opt Options) (Site, error) {
	b, err := open(opt)
	if err != nil {
		return nil, err
	}
	site := Site{}
	for _, p := range b.pages {
		if site[p.name+".html"], err = b.build(p); err != nil {
			return nil, err
		}
	}
	if len(b.problems) > 0 {
		return nil, b.sorted()
	}
	b.forget()
	site[searchIndexName] = b.searchIndex()
	addAssets(site, b.words)
	return site, nil
}

// A builder is one build of the book: open reads all pages, and build makes one of them.
type builder struct {
	Options
	words    words
	markdown goldmark.Markdown
	pages    []*page
	byName   map[string]*page
	files    fs.FS // the repository
	goroot   *goroot
	results  map[string]any    // by key; see kept
	binaries map[string]string // of programs that runReal has run; see clean
	problems Problems

	live     bool             // the pages are served
	progress func(p Progress) // told before each figure; may be nil
	used     sync.Map         // the stamps of the files that pages are made of, by their names
}

// A Progress is how far the build of a page is.
type Progress struct {
	Done, All int    // figures
	Figure    string // the next one, as its page has it
}

// open reads all pages and does what takes no time: after it they know each other's
// sections, and their texts can be searched. Only the figures are missing. With an error the
// builder, which may be nil, serves only to see when a source has changed.
func open(opt Options) (*builder, error) {
	b, err := newBuilder(opt)
	if err != nil {
		return b, err
	}
	for _, p := range b.pages {
		b.parse(p)
	}
	for _, p := range b.pages {
		b.resolve(p)
	}
	b.checkBookOfChecks()
	return b, nil
}

// build makes the HTML of a page, once. What is wrong with it is noted.
func (b *builder) build(p *page) ([]byte, error) {
	defer b.clean()
	b.drawFigures(p)
	html, err := b.render(p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.file, err)
	}
	whole, err := b.layout(slices.Index(b.pages, p), html)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.file, err)
	}
	return whole, nil
}

// sorted are the problems by pages and lines.
func (b *builder) sorted() Problems {
	slices.SortStableFunc(b.problems, func(x, y Problem) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
	})
	return b.problems
}

func newBuilder(opt Options) (*builder, error) {
	w, ok := languages[opt.Lang]
	if !ok {
		return nil, fmt.Errorf("the book has no language %q: its words are missing in book/words.go", opt.Lang)
	}
	b := &builder{
		Options:  opt,
		words:    w,
		markdown: newMarkdown(w),
		byName:   map[string]*page{},
		files:    os.DirFS(opt.Root),
		results:  map[string]any{},
		binaries: map[string]string{},
		goroot:   openGoroot(opt.Root, opt.GOROOT),
	}
	return b, b.findPages()
}

// fail notes that something is wrong on p.
func (b *builder) fail(p *page, line int, format string, args ...any) {
	b.problems = append(b.problems, Problem{p.file, line, fmt.Sprintf(format, args...)})
}

func (b *builder) warn(p *page, line int, format string, args ...any) {
	if b.Warn != nil {
		b.Warn(Problem{p.file, line, fmt.Sprintf(format, args...)})
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
