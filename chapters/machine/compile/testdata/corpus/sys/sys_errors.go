package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

func main() {
	buf := make([]byte, 8)
	n, err := syscall.Read(-1, buf)
	fmt.Println(n, err, err == syscall.EBADF)
	n, err = syscall.Write(999, buf)
	fmt.Println(n, err)
	fmt.Println(syscall.Close(999))
	fmt.Println(syscall.Pipe(make([]int, 1)))

	var p [2]int
	fmt.Println(syscall.Pipe(p[:]), p[0] != p[1], p[0] > 2, p[1] > 2)
	n, err = syscall.Write(p[1], []byte("ab"))
	fmt.Println(n, err)
	n, err = syscall.Read(p[0], buf)
	fmt.Println(n, err, string(buf[:n]))
	n, err = syscall.Write(p[0], buf)
	fmt.Println(n, err)
	fmt.Println(syscall.Close(p[1]), syscall.Close(p[1]))
	n, err = syscall.Read(p[0], buf)
	fmt.Println(n, err)
	fmt.Println(syscall.Close(p[0]))

	n, err = syscall.Write(1, []byte("written by a system call\n"))
	fmt.Println(n, err)

	bad := syscall.Timespec{Sec: 0, Nsec: 1e9}
	fmt.Println(syscall.Nanosleep(&bad, nil))
	fmt.Println(syscall.Nanosleep(nil, nil))
	ts := syscall.NsecToTimespec(1_500_000)
	left := syscall.Timespec{Sec: 7, Nsec: 7}
	fmt.Println(syscall.Nanosleep(&ts, &left), ts, left, ts.Nano())

	fmt.Println(syscall.Getpid() == os.Getpid(), syscall.Getpid() > 0)

	for _, e := range []syscall.Errno{
		syscall.ENOENT, syscall.EINTR, syscall.EBADF, syscall.EAGAIN, syscall.EACCES, syscall.EFAULT, syscall.EISDIR,
		syscall.EINVAL, syscall.EMFILE, syscall.EPIPE, syscall.ENOSYS, syscall.EROFS, syscall.EIO, syscall.EOPNOTSUPP,
		syscall.EPERM, syscall.EEXIST, syscall.ENOTDIR, syscall.ENOMEM, syscall.ENXIO, syscall.ECHILD, syscall.ENFILE,
		syscall.ENOSPC, syscall.ESPIPE, syscall.ENOTEMPTY, syscall.ETIMEDOUT, 4321,
	} {
		fmt.Println(int(e), e, e.Temporary(), e.Timeout(),
			errors.Is(e, fs.ErrNotExist), errors.Is(e, os.ErrPermission), errors.Is(e, os.ErrExist))
	}
	fmt.Printf("%d %v %T\n", syscall.EPIPE, syscall.EPIPE, syscall.EPIPE)
}
