package jail

import (
	"io"
	"os"
	"sync"
	"time"
)

// arrival is how long what a child has printed may take to arrive once the child has ended and its
// process group was killed. It is there already; a computer that is very busy may take a while to
// see it. Something that has left the group, at level 0, may hold the pipe for longer.
const arrival = time.Minute

// An output passes on what a child prints. exec.Cmd can do that, but it waits for everything that
// holds the pipe, or gives up after its WaitDelay, which is as long as a dump may take: on a
// busy computer what was printed got lost. Here the end of the child is seen first, then all that it
// has started is killed, and then all that was printed is read.
type output struct {
	from, into *os.File      // the ends of the pipe
	all        chan struct{} // closed when all has been passed on

	mu sync.Mutex
	to io.Writer // nil: whoever waited has given up
}

// newOutput makes the output of a child that is to be started.
func newOutput(to io.Writer) (*output, error) {
	from, into, err := os.Pipe()
	return &output{from: from, into: into, all: make(chan struct{}), to: to}, err
}

// begin passes on what a child prints that has been started, or frees the pipe if it could not be.
func (o *output) begin(started bool) {
	o.into.Close()
	if !started {
		o.from.Close()
		return
	}
	go func() {
		defer close(o.all)
		defer o.from.Close()
		_, _ = io.Copy(o, o.from)
	}()
}

// end waits until all has been passed on. Nothing is afterwards.
func (o *output) end() {
	giveUp := time.NewTimer(arrival)
	defer giveUp.Stop()
	select {
	case <-o.all:
	case <-giveUp.C:
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.to = nil
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.to == nil {
		return 0, os.ErrClosed
	}
	return o.to.Write(p)
}
