package compile_test

import (
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
