package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

func init() {
	for name, behave := range map[string]func(arg string) (any, error){
		"become": func(name string) (any, error) { return name, syscall.Exec(name, []string{name, "exit"}, nil) },
		"kill": func(pid string) (any, error) {
			n, _ := strconv.Atoi(pid)
			return pid, syscall.Kill(n, syscall.SIGKILL)
		},
		"kill-parent":  func(string) (any, error) { return 1, syscall.Kill(os.Getppid(), syscall.SIGKILL) },
		"leave":        leave,
		"become-copy":  becomeCopy,
		"capabilities": capabilities,
		"process":      func(string) (any, error) { return os.Getpid(), nil },
		"ignore": func(string) (any, error) {
			signal.Ignore(syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGINT)
			fmt.Println("begins")
			for {
				runtime.Gosched()
			}
		},
		"descriptors":    descriptors,
		"parents-memory": parentsMemory,
		"call":           call,
	} {
		behaviours[name] = behave
	}
}

// leave leaves a process behind, which has begun.
func leave(string) (any, error) {
	cmd := exec.Command(os.Args[0], "wait")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	_, err = out.Read(make([]byte, 1))
	return cmd.Process.Pid, err
}

// becomeCopy writes itself to a file and becomes that.
func becomeCopy(string) (any, error) {
	text, err := os.ReadFile(os.Args[0])
	if err != nil {
		return nil, err
	}
	name := filepath.Join(os.TempDir(), "copy")
	if err := os.WriteFile(name, text, 0o700); err != nil {
		return nil, err
	}
	return nil, syscall.Exec(name, []string{name, "exit"}, nil)
}

// capabilities returns the rights that this process may have.
func capabilities(string) (any, error) {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	err := unix.Capget(&header, &data[0])
	return data[0].Permitted | data[1].Permitted, err
}

// descriptors lists those that it has inherited, besides the first three.
func descriptors(string) (any, error) {
	open := []int{}
	for fd := 3; fd < 100; fd++ {
		flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0)
		if errno == 0 && flags&syscall.FD_CLOEXEC == 0 { // Go's own are closed by exec
			open = append(open, fd)
		}
	}
	return open, nil
}

// parentsMemory tries to read it in three ways. Its parent has its own address of parentsMemory
// if it is the same program.
func parentsMemory(parent string) (any, error) {
	pid, _ := strconv.Atoi(parent)
	runtime.LockOSThread()
	f, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err == nil {
		return f.Name(), nil
	}
	var b [1]byte
	local := []unix.Iovec{{Base: &b[0], Len: 1}}
	remote := []unix.RemoteIovec{{Base: uintptr(unsafe.Pointer(&b)), Len: 1}}
	_, read := unix.ProcessVMReadv(pid, local, remote, 0)
	if read == nil || read == syscall.EFAULT {
		return "process_vm_readv", nil
	}
	traced := syscall.PtraceAttach(pid)
	if traced == nil {
		return "ptrace", nil
	}
	return nil, errors.Join(err, read, traced)
}

var empty [1]byte

// calls are system calls with their arguments.
var calls = map[string][]uintptr{
	"memfd_create":   {unix.SYS_MEMFD_CREATE, uintptr(unsafe.Pointer(&empty)), 0},
	"io_uring_setup": {unix.SYS_IO_URING_SETUP, 1, 0},
	"setsid":         {unix.SYS_SETSID},
	"unshare":        {unix.SYS_UNSHARE, unix.CLONE_NEWUSER},
	"new user":       {unix.SYS_CLONE, unix.CLONE_NEWUSER | uintptr(unix.SIGCHLD)},
	"fork":           {unix.SYS_CLONE, uintptr(unix.SIGCHLD)},
	"clone3":         {unix.SYS_CLONE3},
	"pidfd_open":     {unix.SYS_PIDFD_OPEN, 1},
	"bpf":            {unix.SYS_BPF},
	"netlink":        {unix.SYS_SOCKET, unix.AF_NETLINK, unix.SOCK_RAW, 0},
	"shared memory":  {unix.SYS_MMAP, 0, 4096, unix.PROT_READ | unix.PROT_WRITE, unix.MAP_SHARED | unix.MAP_ANON, ^uintptr(0)},
	"growing memory": {unix.SYS_MMAP, 0, 4096, unix.PROT_READ | unix.PROT_WRITE, unix.MAP_PRIVATE | unix.MAP_ANON | unix.MAP_GROWSDOWN, ^uintptr(0)},
	"truncate":       {unix.SYS_TRUNCATE, uintptr(unsafe.Pointer(&empty)), 0},
	"kill all":       {unix.SYS_KILL, ^uintptr(0), 0},
	"kill group":     {unix.SYS_KILL, 0, 0},
	"kill thread":    {unix.SYS_TGKILL, 2, 2, 0},
	"own by parent":  {unix.SYS_FCNTL, 1, unix.F_SETOWN, 1},
	"set limit":      {unix.SYS_PRLIMIT64, 2, unix.RLIMIT_NOFILE, 0, 0},
	"ioctl":          {unix.SYS_IOCTL, 1, unix.TIOCSTI, uintptr(unsafe.Pointer(&empty))},
	"keyctl":         {unix.SYS_KEYCTL},
	"mount":          {unix.SYS_MOUNT},
	"chroot":         {unix.SYS_CHROOT, uintptr(unsafe.Pointer(&empty))},
	"own kill":       {unix.SYS_KILL, uintptr(os.Getpid()), 0},
}

// call makes a system call and says with what error it failed.
func call(name string) (any, error) {
	c := append(calls[name], make([]uintptr, 6)...)
	r, _, errno := syscall.RawSyscall6(c[0], c[1], c[2], c[3], c[4], c[5], c[6])
	if name == "fork" && errno == 0 && r == 0 {
		syscall.RawSyscall(syscall.SYS_EXIT, 0, 0, 0)
	}
	if errno == 0 {
		return name, nil
	}
	return nil, errors.New(unix.ErrnoName(errno))
}
