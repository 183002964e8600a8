package screen

import (
	"fmt"
	"sync"
)

// A Progress tells how far long work has come: on a terminal in one line that is
// rewritten, elsewhere not at all, or, if Lines is set, in a line for each
// stage. Any goroutine may call it.
type Progress struct {
	Screen *Screen
	Lines  bool

	mu    sync.Mutex
	shown string
}

// Stage says what is being done now.
func (p *Progress) Stage(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := fmt.Sprintf(format, args...)
	if text == p.shown {
		return
	}
	p.shown = text
	switch {
	case p.Screen.Terminal:
		p.Screen.Printf("\r\x1b[K%s", p.Screen.Paint(Dim, p.Screen.Cut(text, p.Screen.Width-1)))
	case p.Lines:
		p.Screen.Println(text)
	}
}

// Clear takes the line away, so that something else can be written.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown != "" && p.Screen.Terminal {
		p.Screen.Printf("\r\x1b[K")
	}
	p.shown = ""
}
