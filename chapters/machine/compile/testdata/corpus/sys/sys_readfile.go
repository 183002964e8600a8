package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// find returns a file of the corpus: a program of it may be run in one of these
// directories.
func find(name string) string {
	for _, dir := range []string{"testdata/corpus/", "../chapters/machine/compile/testdata/corpus/"} {
		if f, err := os.Open(dir + name); err == nil {
			f.Close()
			return dir + name
		}
	}
	return name
}

func main() {
	name := find("sys/text.txt")
	text, err := os.ReadFile(name)
	fmt.Printf("%d %q %v\n", len(text), text, err)

	f, err := os.Open(name)
	fmt.Println(f.Name() == name, err)
	var b [16]byte
	for {
		n, err := f.Read(b[:])
		if err != nil {
			fmt.Println(n, err, err == io.EOF)
			break
		}
		fmt.Printf("%q ", b[:n])
	}
	_, err = f.Write(b[:])
	fmt.Println(err.(*os.PathError).Err)
	fmt.Println(f.Close())
	_, err = f.Read(b[:])
	fmt.Println(err.(*os.PathError).Err, errors.Is(err, os.ErrClosed))

	_, err = os.ReadFile("no/such/file")
	fmt.Println(err, errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission))
	_, err = os.Open("")
	fmt.Println(err)
	_, err = os.ReadFile(".")
	fmt.Println(err)

	in, err := io.ReadAll(os.Stdin)
	fmt.Println(len(in), err, os.Stdin.Name(), os.Stdout.Name(), os.Stderr.Name())
}
