//go:build gosched

// Package syscall is the program's way to the kernel. The calls and their numbers are
// those of Linux on amd64.
package syscall

// The machine's kernel knows these numbers; see machine/kernel.go.
const (
	sysRead      = 0
	sysWrite     = 1
	sysOpen      = 2
	sysClose     = 3
	sysPipe      = 22
	sysNanosleep = 35
	sysGetpid    = 39
)

// The three calls with their kinds of arguments. The scheduler learns of them, but not
// of getpid, which cannot block.
func transfer(num int, fd int, p *byte, n int) (r int, errno Errno)
func open(num int, path string, mode int) (r int, errno Errno)
func closeFile(num int, fd, _, _ int) (r int, errno Errno)
func pipe(num int, p *[2]int32, _, _ int) (r int, errno Errno)
func nanosleep(num int, time, leftover *Timespec, _ int) (r int, errno Errno)
func getpid(num int, _, _, _ int) (r int, errno Errno)

// result makes an error of an Errno: nil of 0.
func result(errno Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}

var none [1]byte // what an empty slice is at

func address(p []byte) *byte {
	if len(p) == 0 {
		return &none[0]
	}
	return &p[0]
}

// Read reads up to len(p) bytes. It returns 0 at the end, and -1 with an error.
func Read(fd int, p []byte) (n int, err error) {
	r, errno := transfer(sysRead, fd, address(p), len(p))
	return r, result(errno)
}

// Write writes p. It returns -1 with an error.
func Write(fd int, p []byte) (n int, err error) {
	r, errno := transfer(sysWrite, fd, address(p), len(p))
	return r, result(errno)
}

// Flags of Open. The kernel opens files for reading only.
const (
	O_RDONLY  = 0x0
	O_WRONLY  = 0x1
	O_RDWR    = 0x2
	O_CREAT   = 0x40
	O_CLOEXEC = 0x80000
)

// Open opens a file. It returns -1 with an error.
func Open(path string, mode int, perm uint32) (fd int, err error) {
	r, errno := open(sysOpen, path, mode)
	return r, result(errno)
}

// Close closes a descriptor.
func Close(fd int) error {
	_, errno := closeFile(sysClose, fd, 0, 0)
	return result(errno)
}

// Pipe makes a pipe. It fills p with the descriptors to read from and to write to.
func Pipe(p []int) error {
	if len(p) != 2 {
		return EINVAL
	}
	var ends [2]int32
	_, errno := pipe(sysPipe, &ends, 0, 0)
	if errno == 0 {
		p[0], p[1] = int(ends[0]), int(ends[1])
	}
	return result(errno)
}

// A Timespec is a time span, or a time.
type Timespec struct {
	Sec  int64
	Nsec int64
}

// Unix returns the seconds and the nanoseconds of ts, Nano both in nanoseconds.
func (ts *Timespec) Unix() (sec int64, nsec int64) { return ts.Sec, ts.Nsec }
func (ts *Timespec) Nano() int64                   { return ts.Sec*1e9 + ts.Nsec }

// NsecToTimespec makes a Timespec of nanoseconds.
func NsecToTimespec(nsec int64) Timespec {
	sec := nsec / 1e9
	nsec = nsec % 1e9
	if nsec < 0 {
		nsec += 1e9
		sec--
	}
	return Timespec{Sec: sec, Nsec: nsec}
}

// TimespecToNsec is the other way round.
func TimespecToNsec(ts Timespec) int64 { return ts.Nano() }

// Nanosleep lets the thread sleep. If a signal ends that before its time, the error is
// EINTR, and leftover has the rest, unless it is nil.
func Nanosleep(time *Timespec, leftover *Timespec) error {
	_, errno := nanosleep(sysNanosleep, time, leftover, 0)
	return result(errno)
}

// Getpid returns the number of the process.
func Getpid() (pid int) {
	pid, _ = getpid(sysGetpid, 0, 0, 0)
	return pid
}

// The descriptors that a program begins with.
var (
	Stdin  = 0
	Stdout = 1
	Stderr = 2
)
