package main

import (
	"fmt"
	"os"
	"sync"
)

// Two goroutines talk by two pipes: each reads before the other has written.
func main() {
	ar, aw, _ := os.Pipe()
	br, bw, _ := os.Pipe()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer bw.Close()
		var b [1]byte
		for {
			n, err := ar.Read(b[:])
			if err != nil {
				fmt.Println("other side:", n, err)
				return
			}
			b[0] *= 2
			bw.Write(b[:])
		}
	}()
	sum := 0
	for i := range 100 {
		aw.Write([]byte{byte(i)})
		var b [4]byte
		n, err := br.Read(b[:])
		if n != 1 || err != nil {
			fmt.Println(n, err)
		}
		sum += int(b[0])
	}
	aw.Close()
	wg.Wait()
	n, err := br.Read(make([]byte, 1))
	fmt.Println(sum, n, err)
}
