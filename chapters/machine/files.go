package machine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
)

// A file is an open file. All of it is under the kernel's lock.
type file struct {
	stream
	refs int // of descriptors, and of calls that sleep
}

// A stream is what can be read or written through a file. No method waits: EAGAIN
// says that the caller must.
type stream interface {
	// read fills p, or a part of it. It returns 0 without an error at the end.
	read(k *kernel, p []byte) (n int, err Errno)
	// write takes p, or a part of it: the rest of a call that began with so many
	// bytes in all.
	write(p []byte, all int) (n int, err Errno)
	// close is called when there are no references any more.
	close()
	// waiters are those to be woken when it has changed, nil if none waits here.
	waiters() *waitq
	// lacks says what a call that got EAGAIN waits for; fed, whether that may come
	// from outside the program.
	lacks() string
	fed() bool
}

// file returns the file that fd stands for, nil if there is none.
func (k *kernel) file(fd uint64) *file {
	if fd >= uint64(len(k.files)) {
		return nil
	}
	return k.files[fd]
}

// maxFiles is how many descriptors there are unless Options.Files says otherwise, as by default
// on Linux.
const maxFiles = 1024

// descriptors are the numbers of open files. All of it is under the kernel's lock.
type descriptors struct {
	files []*file // by descriptor, nil where there is none
	open  int     // how many are not nil
	low   int     // none below it is free
	most  int     // constant
}

// free returns how many descriptors are left.
func (d *descriptors) free() int { return d.most - d.open }

// add opens a file for s, and returns the lowest descriptor that is free. There is one.
func (d *descriptors) add(s stream) (fd int) {
	for d.low < len(d.files) && d.files[d.low] != nil {
		d.low++
	}
	if d.low == len(d.files) {
		d.files = append(d.files, nil)
	}
	d.files[d.low] = &file{stream: s, refs: 1}
	d.open++
	return d.low
}

// remove lets fd stand for no file any more.
func (d *descriptors) remove(fd int) {
	d.files[fd] = nil
	d.open--
	d.low = min(d.low, fd)
}

// release drops a reference to f. It adds those that its end rouses to roused.
func (k *kernel) release(f *file, roused []*Thread) []*Thread {
	if f.refs--; f.refs > 0 {
		return roused
	}
	f.close()
	return f.waiters().rouse(roused)
}

// A pipe holds up to pipeSize bytes. What is written by one call of at most pipeBuf
// bytes stays together. Both are Linux's.
type pipe struct {
	buf              bytes.Buffer
	readers, writers int // open ends
	q                waitq
}

const (
	pipeSize = 64 << 10
	pipeBuf  = 4 << 10
)

func (p *pipe) waiters() *waitq { return &p.q }
func (p *pipe) fed() bool       { return false }

// A readEnd and a writeEnd are the two ends of a pipe.
type (
	readEnd  struct{ *pipe }
	writeEnd struct{ *pipe }
)

func (p readEnd) read(_ *kernel, b []byte) (int, Errno) {
	if len(b) > 0 && p.buf.Len() == 0 && p.writers > 0 {
		return 0, EAGAIN
	}
	n, _ := p.buf.Read(b) // io.EOF says that it is empty
	return n, 0
}

func (p readEnd) write([]byte, int) (int, Errno) { return 0, EBADF }
func (p readEnd) lacks() string                  { return "data in an empty pipe" }
func (p readEnd) close()                         { p.readers-- }

func (p writeEnd) write(b []byte, all int) (int, Errno) {
	room := pipeSize - p.buf.Len()
	switch {
	case len(b) == 0:
		return 0, 0
	case p.readers == 0:
		return 0, EPIPE
	case room == 0 || all <= pipeBuf && room < len(b):
		return 0, EAGAIN
	}
	n, _ := p.buf.Write(b[:min(room, len(b))])
	if n < len(b) {
		return n, EAGAIN
	}
	return n, 0
}

func (p writeEnd) read(*kernel, []byte) (int, Errno) { return 0, EBADF }
func (p writeEnd) lacks() string                     { return "room in a full pipe" }
func (p writeEnd) close()                            { p.writers-- }

// An apart is a stream at which no thread waits and whose end needs nothing.
type apart struct{}

func (apart) waiters() *waitq { return nil }
func (apart) lacks() string   { return "" }
func (apart) fed() bool       { return false }
func (apart) close()          {}

// An output is the program's standard output or error. What is written there goes on
// without the kernel's lock; see Thread.output.
type output struct{ apart }

func (output) read(*kernel, []byte) (int, Errno)  { return 0, EBADF }
func (output) write(p []byte, _ int) (int, Errno) { return len(p), 0 }

// A disk is a regular file of the host with what it held when it was opened, or a
// directory, which cannot be read.
type disk struct {
	apart
	rest *bytes.Reader // nil for a directory
}

func (d *disk) read(_ *kernel, p []byte) (int, Errno) {
	if d.rest == nil {
		return 0, EISDIR
	}
	n, _ := d.rest.Read(p) // io.EOF is 0 bytes
	return n, 0
}

func (d *disk) write([]byte, int) (int, Errno) { return 0, EBADF }

// The flags of SysOpen that do not ask for more than reading.
const openCloexec = 0x80000

// open is SysOpen. The file is read here, without the kernel's lock.
func (t *Thread) open(c *Syscall) {
	k, addr, n := &t.m.kernel, Addr(c.Args[0]), int64(c.Args[1])
	if !t.m.Valid(addr, n) {
		c.fail(EFAULT)
		return
	}
	if c.Args[2]&^openCloexec != 0 {
		c.fail(EROFS)
		return
	}
	d, err := openDisk(string(t.m.Bytes(addr, n)))
	if err != 0 {
		c.fail(err)
		return
	}
	k.lock()
	defer k.unlock(nil)
	if k.free() == 0 {
		c.fail(EMFILE)
		return
	}
	c.done(uint64(k.add(d)), 0)
}

// openDisk reads a file of the host. It opens regular files and directories only:
// others, such as a pipe of the host, could keep a thread where Halt does not find it.
func openDisk(name string) (*disk, Errno) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, errnoOf(err)
	case info.IsDir():
		return &disk{}, 0
	case !info.Mode().IsRegular():
		return nil, EOPNOTSUPP
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, errnoOf(err)
	}
	return &disk{rest: bytes.NewReader(data)}, 0
}

func errnoOf(err error) Errno {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ENOENT
	case errors.Is(err, fs.ErrPermission):
		return EACCES
	case errors.Is(err, fs.ErrInvalid):
		return EINVAL
	}
	return EIO
}

// An input is the program's standard input. The host's is read only when the program
// has read all before, in a goroutine of the host, so that a thread that waits for it
// sleeps like any other, and Halt finds it. That goroutine may be left behind in its
// read when the program has ended.
type input struct {
	from    io.Reader // nil is empty
	buf     bytes.Buffer
	ended   bool
	reading bool // a goroutine is
	q       waitq
}

// inputSize is how many bytes are read from the host at once, at most.
const inputSize = 4 << 10

func (in *input) read(k *kernel, p []byte) (int, Errno) {
	if in.from == nil {
		in.ended = true
	}
	for Hooked() && in.lacksSome(p) {
		in.take(in.more()) // all threads are on one of the host, which has to wait
	}
	if in.lacksSome(p) {
		if !in.reading {
			in.reading = true
			go in.readOn(k)
		}
		return 0, EAGAIN
	}
	n, _ := in.buf.Read(p)
	return n, 0
}

// lacksSome reports whether there is nothing for p, and may be something later.
func (in *input) lacksSome(p []byte) bool { return len(p) > 0 && in.buf.Len() == 0 && !in.ended }

func (in *input) readOn(k *kernel) {
	data, err := in.more()
	k.mu.Lock()
	in.reading = false
	in.take(data, err)
	k.unlock(in.q.rouse(nil))
}

// more reads from the host; take takes what it has read.
func (in *input) more() ([]byte, error) {
	data := make([]byte, inputSize)
	n, err := in.from.Read(data)
	return data[:n], err
}

func (in *input) take(data []byte, err error) {
	in.buf.Write(data)
	in.ended = err != nil
}

func (in *input) write([]byte, int) (int, Errno) { return 0, EBADF }
func (in *input) close()                         {}
func (in *input) waiters() *waitq                { return &in.q }
func (in *input) lacks() string                  { return "standard input" }
func (in *input) fed() bool                      { return true }

func put32(p []byte, v uint32) { binary.LittleEndian.PutUint32(p, v) }
