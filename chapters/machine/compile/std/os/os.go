//go:build gosched

// Package os is the program's way to its surroundings: its arguments, its
// output and its end.
package os

func exit(code int)
func args() []string
func write(fd int, s string) int

// Args are the program's arguments, the first is its name.
var Args = args()

// Exit ends the program with the given status, now.
func Exit(code int) { exit(code) }

// A File is open.
type File struct{ fd int }

var (
	Stdout = &File{1}
	Stderr = &File{2}
)

func (f *File) Write(p []byte) (n int, err error)       { return write(f.fd, string(p)), nil }
func (f *File) WriteString(s string) (n int, err error) { return write(f.fd, s), nil }
