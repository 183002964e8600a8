package compile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
)

// BenchmarkCompile compiles a program of 120 lines.
func BenchmarkCompile(b *testing.B) {
	src, err := os.ReadFile(filepath.Join(corpusDir, "sorts.go"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := compile.Compile([]machine.File{{Name: "sorts.go", Source: string(src)}}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAtomic runs loops of 1,000,000 turns: ns/turn is nanoseconds for one.
func BenchmarkAtomic(b *testing.B) {
	const turns = 1_000_000
	for _, loop := range []struct{ name, body string }{
		{"empty", ""},
		{"add", "n.Add(1)"},
		{"cas", "atomic.CompareAndSwapInt32(&word, 0, 0)"},
		{"mutex", "mu.Lock(); mu.Unlock()"},
	} {
		b.Run(loop.name, func(b *testing.B) {
			prog, err := compileText(fmt.Sprintf(`package main

import (
	"sync"
	"sync/atomic"
)

var n atomic.Int64
var word int32
var mu sync.Mutex

func main() {
	for range %d {
		%s
	}
	_, _, _ = &n, &word, &mu
}
`, turns, loop.body))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if o, err := run(prog, 1<<20, 0); err != nil || o.Exit != 0 {
					b.Fatal(o.Failed, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/turns, "ns/turn")
			b.ReportMetric(0, "ns/op")
		})
	}
}
