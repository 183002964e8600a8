package jail

import (
	"fmt"
	"slices"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// dropRights gives up what root has and others have not.
func dropRights() error {
	for c := 0; c <= unix.CAP_LAST_CAP; c++ {
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0) // who may not has no rights to drop
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("capset: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("prctl(PR_SET_NO_NEW_PRIVS): %w", err)
	}
	return nil
}

// allowedCalls are the system calls that a child may make with any arguments: those that Go's
// runtime, package os and the machine of the course make for memory, threads, signals of its own,
// time and files. Which files, Landlock says. An architecture need not have them all.
var allowedCalls = []string{
	// memory
	"brk", "munmap", "mprotect", "madvise", "mincore", "mlock", "munlock", "mremap",
	// threads and their signals
	"futex", "gettid", "set_tid_address", "set_robust_list", "rseq", "arch_prctl", "sched_yield",
	"sched_getaffinity", "getcpu", "exit", "exit_group", "membarrier",
	"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigsuspend", "rt_sigtimedwait",
	"sigaltstack", "restart_syscall", "sigreturn",
	// time
	"clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time",
	"timer_create", "timer_settime", "timer_gettime", "timer_getoverrun", "timer_delete", "setitimer", "getitimer",
	"timerfd_create", "timerfd_settime", "timerfd_gettime",
	// files
	"open", "openat", "close", "close_range", "read", "write", "pread64", "pwrite64", "readv", "writev", "lseek",
	"stat", "lstat", "fstat", "newfstatat", "fstatat64", "statx", "access", "faccessat", "faccessat2",
	"getdents64", "readlink", "readlinkat", "getcwd", "chdir", "fchdir", "umask", "dup", "dup2", "dup3",
	"unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "rename", "renameat", "renameat2", "symlinkat",
	"ftruncate", "fsync", "fdatasync", "flock", "copy_file_range", "fadvise64", "fallocate",
	"fchmod", "fchmodat", "utimensat",
	// pipes and waiting
	"pipe", "pipe2", "eventfd2", "poll", "ppoll", "select", "pselect6",
	"epoll_create1", "epoll_create", "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2",
	// about itself
	"getpid", "getppid", "getuid", "geteuid", "getgid", "getegid", "getpgrp", "uname", "sysinfo",
	"getrlimit", "getrusage", "times", "getrandom", "capget",
	// another program, of which Landlock allows only its own
	"execve",
}

// startingCalls are those that a child may make besides if it may start programs. With tgkill Go's
// runtime stops its own threads; the filter does not know the process ids of what is started. Where
// Landlock is older than version 6, it reaches the user's other processes, too.
var startingCalls = []string{
	"fork", "vfork", "wait4", "waitid", "tgkill", "mmap", "mmap2",
	"chmod", "link", "linkat", "symlink",
}

// newNamespaces are the flags of clone that make some.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// restrictCalls leaves this thread, which has the process id pid, only the system calls that a
// child needs; starts says that this child starts programs. Others fail with EPERM.
func restrictCalls(pid int, starts bool) error {
	info, err := arch.GetInfo("")
	if err != nil {
		return fmt.Errorf("the seccomp filter is not there for this processor: %w", err)
	}
	allow := seccomp.SyscallGroup{Action: seccomp.ActionAllow}
	calls := allowedCalls
	if starts {
		calls = slices.Concat(calls, startingCalls)
	}
	for _, name := range calls {
		if _, ok := info.SyscallNames[name]; ok {
			allow.Names = append(allow.Names, name)
		}
	}
	when := func(name string, argument uint32, operation seccomp.Operation, values ...uint64) {
		if _, ok := info.SyscallNames[name]; !ok {
			return
		}
		for _, v := range values {
			allow.NamesWithCondtions = append(allow.NamesWithCondtions, seccomp.NameWithConditions{
				Name: name, Conditions: []seccomp.Condition{{Argument: argument, Operation: operation, Value: v}},
			})
		}
	}
	when("prlimit64", 0, seccomp.Equal, 0, uint64(pid))
	when("kill", 0, seccomp.Equal, uint64(pid)) // only itself
	if starts {
		when("clone", 0, seccomp.BitsNotSet, newNamespaces)
	} else {
		when("clone", 0, seccomp.BitsSet, unix.CLONE_THREAD) // and no process
		when("tgkill", 0, seccomp.Equal, uint64(pid))
		// Memory that is shared, or that grows as a stack does, does not count for RLIMIT_DATA.
		when("mmap", 3, seccomp.BitsNotSet, unix.MAP_SHARED|unix.MAP_GROWSDOWN)
		when("mmap2", 3, seccomp.BitsNotSet, unix.MAP_SHARED|unix.MAP_GROWSDOWN)
	}
	// Not F_SETOWN, which makes the kernel send signals, nor F_SETPIPE_SZ.
	when("fcntl", 1, seccomp.Equal, unix.F_DUPFD, unix.F_DUPFD_CLOEXEC, unix.F_GETFD, unix.F_SETFD,
		unix.F_GETFL, unix.F_SETFL, unix.F_GETLK, unix.F_SETLK, unix.F_SETLKW)
	when("prctl", 0, seccomp.Equal, unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_SET_VMA)
	when("socketpair", 0, seccomp.Equal, unix.AF_UNIX) // a pipe in both directions, which leads nowhere else
	// A C library asks for clone3, whose arguments a filter cannot see, and then takes clone.
	missing := seccomp.SyscallGroup{Names: []string{"clone3"}, Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS)}
	return seccomp.LoadFilter(seccomp.Filter{Policy: seccomp.Policy{
		DefaultAction: seccomp.ActionErrno, // EPERM
		Syscalls:      []seccomp.SyscallGroup{allow, missing},
	}})
}
