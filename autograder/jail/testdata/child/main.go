// Child is a program that tries what its first argument says, and prints what came of it: a line
// that begins with "done" or with "refused".
package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

func main() {
	behave, arg := behaviours[os.Args[1]], ""
	if len(os.Args) > 2 {
		arg = os.Args[2]
	}
	done, err := behave(arg)
	if err != nil {
		fmt.Printf("refused: %v\n", err)
		return
	}
	fmt.Println("done:", done)
}

var behaviours = map[string]func(arg string) (any, error){
	"read":    func(name string) (any, error) { text, err := os.ReadFile(name); return len(text), err },
	"list":    func(name string) (any, error) { found, err := os.ReadDir(name); return len(found), err },
	"write":   func(name string) (any, error) { return 1, os.WriteFile(name, []byte("x"), 0o600) },
	"connect": func(address string) (any, error) { _, err := net.Dial("tcp", address); return address, err },
	"listen":  func(string) (any, error) { l, err := net.Listen("tcp", "127.0.0.1:0"); return l, err },
	"udp":     func(address string) (any, error) { _, err := net.Dial("udp", address); return address, err },
	"unix":    func(name string) (any, error) { _, err := net.Dial("unix", name); return name, err },
	"start":   start,
	"forks":   forks,
	"memory":  memory,
	"open":    open,
	"fill":    fill,
	"litter":  litter,
	"hide":    hide,
	"print": func(string) (any, error) {
		for {
			fmt.Println(strings.Repeat("for ever ", 100))
		}
	},
	"wait": func(string) (any, error) { fmt.Println("begins"); time.Sleep(time.Hour); return nil, nil },
	"spin": func(string) (any, error) {
		for {
			runtime.Gosched()
		}
	},
	"threads": threads,
	"crash":   func(string) (any, error) { panic("on purpose") },
	"exit":    func(string) (any, error) { return "exit", nil },
	"status":  func(n string) (any, error) { code, _ := strconv.Atoi(n); os.Exit(code); return nil, nil },
	"environment": func(string) (any, error) {
		env := os.Environ()
		for i := range env {
			env[i], _, _ = strings.Cut(env[i], "=")
		}
		sort.Strings(env)
		return env, nil
	},
	"much": func(bytes string) (any, error) {
		n, err := strconv.Atoi(bytes)
		return strings.Repeat("x", n), err
	},
	"input": func(string) (any, error) { text, err := io.ReadAll(os.Stdin); return len(text), err },
	"where": func(string) (any, error) { return os.Getwd() },
	"temp":  func(string) (any, error) { return os.TempDir(), os.Mkdir(filepath.Join(os.TempDir(), "a"), 0) },
	"pass": func(string) (any, error) {
		_, err := os.NewFile(3, "given").WriteString("through descriptor 3")
		return 3, err
	},
}

func start(name string) (any, error) {
	out, err := exec.Command(name, "exit").CombinedOutput()
	return string(out), err
}

// forks starts itself a few times. (Nothing here may harm a machine on which a jail does not hold.)
func forks(string) (any, error) {
	for i := range 20 {
		if err := exec.Command(os.Args[0], "wait").Start(); err != nil {
			return i, err
		}
	}
	return 20, nil
}

// open opens its own binary so many times, and keeps it open.
func open(times string) (any, error) {
	n, _ := strconv.Atoi(times)
	for i := range n {
		if _, err := os.Open(os.Args[0]); err != nil {
			return i, err
		}
	}
	return n, nil
}

var kept [][]byte

// memory takes so many megabytes, and writes to each page.
func memory(megabytes string) (any, error) {
	n, _ := strconv.Atoi(megabytes)
	for range n {
		block := make([]byte, 1<<20)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		kept = append(kept, block)
	}
	return n, nil
}

// fill writes files of one megabyte until it cannot, or has written 2,000.
func fill(string) (any, error) {
	block := make([]byte, 1<<20)
	for i := range 2000 {
		if err := os.WriteFile(filepath.Join(os.TempDir(), strconv.Itoa(i)), block, 0o600); err != nil {
			return i, err
		}
	}
	return 2000, nil
}

// litter writes 2,000 empty files, and waits.
func litter(string) (any, error) {
	for i := range 2000 {
		if err := os.WriteFile(filepath.Join(os.TempDir(), strconv.Itoa(i)), nil, 0o600); err != nil {
			return i, err
		}
	}
	time.Sleep(time.Hour)
	return 2000, nil
}

// hide writes 100 files of one megabyte that it has removed before, and waits.
func hide(string) (any, error) {
	block := make([]byte, 1<<20)
	name := filepath.Join(os.TempDir(), "hidden")
	var hidden []*os.File
	for i := range 100 {
		f, err := os.Create(name)
		if err != nil {
			return i, err
		}
		hidden = append(hidden, f)
		_, err = f.Write(block)
		if err := errors.Join(os.Remove(name), err); err != nil {
			return i, err
		}
	}
	time.Sleep(time.Hour)
	return len(hidden), nil
}

// threads makes so many threads, which are there at a time.
func threads(count string) (any, error) {
	n, _ := strconv.Atoi(count)
	var there atomic.Int32
	for range n {
		go func() {
			runtime.LockOSThread()
			there.Add(1)
			time.Sleep(time.Hour)
		}()
	}
	for int(there.Load()) < n {
		runtime.Gosched()
	}
	fmt.Println("all there")
	time.Sleep(time.Hour)
	return n, nil
}
