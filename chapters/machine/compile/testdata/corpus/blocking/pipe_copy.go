package main

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// A sum counts what is written to it.
type sum struct {
	n    int
	hash uint32
}

func (s *sum) Write(p []byte) (int, error) {
	for _, b := range p {
		s.hash = s.hash*31 + uint32(b)
	}
	s.n += len(p)
	return len(p), nil
}

// More goes through the pipes than they hold, so that all wait for each other.
func main() {
	const size = 150_000
	data := make([]byte, size)
	var want sum
	for i := range data {
		data[i] = byte(i * i >> 3)
	}
	want.Write(data)

	r1, w1, _ := os.Pipe()
	r2, w2, _ := os.Pipe()
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		n, err := w1.Write(data)
		fmt.Println("written:", n, err, w1.Close())
	}()
	var copied int64
	var failed error
	go func() {
		defer wg.Done()
		copied, failed = io.Copy(w2, r1)
		w2.Close()
	}()
	var got sum
	n, err := io.Copy(&got, r2)
	wg.Wait()
	fmt.Println("copied:", copied, failed)
	fmt.Println("read:", n, err, got == want)
}
