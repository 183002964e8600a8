// Forgotten plays stale.go on wrong forms of chapter 13, which forget some of the addresses
// that point into a stack that moves, and tells what it prints.
//
//	go run ./book/figures/ch13/forgotten
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"strings"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/solutions"
)

func main() {
	for _, row := range []struct{ what, mutant string }{
		{"all addresses adjusted", ""},
		{"the innermost frame alone", "copy-innermost"},
		{"none", "copy-no-frame"},
	} {
		end, err := play(row.mutant)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%-27s %s\n", row.what+":", end)
	}
}

//go:embed stale.go
var program string

// play runs the program with a mutant, "" for none, and returns what it prints.
func play(mutant string) (string, error) {
	v, err := solutions.Go("1.2")
	if err != nil {
		return "", err
	}
	for _, m := range solutions.Mutants("ch13") {
		if m.Name == mutant {
			v = v.With(m.Parts)
		}
	}
	prog, err := compile.Compile([]machine.File{{Name: "stale.go", Source: program}})
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	s, err := gmp.New(v, prog, gmp.Options{
		Machine: machine.Options{Stdout: &out, Stderr: &out, Args: []string{"stale.go"}},
		Budget:  20_000_000,
	})
	if err != nil {
		return "", err
	}
	if r := s.Main(); r.Err != nil {
		return "", r.Err
	}
	return strings.Join(strings.Fields(out.String()), ", "), nil
}
