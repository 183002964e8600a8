//go:build ignore

package main

import (
	"fmt"
	"sync"
)

// A buffer holds up to three numbers.
type buffer struct {
	mu       sync.Mutex
	room     *sync.Cond
	filled   *sync.Cond
	contents []int
	most     int
}

func (b *buffer) put(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.contents) == 3 {
		b.room.Wait()
	}
	b.contents = append(b.contents, n)
	b.most = max(b.most, len(b.contents))
	b.filled.Signal()
}

func (b *buffer) take() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.contents) == 0 {
		b.filled.Wait()
	}
	n := b.contents[0]
	b.contents = b.contents[1:]
	b.room.Signal()
	return n
}

func main() {
	var b buffer
	b.room, b.filled = sync.NewCond(&b.mu), sync.NewCond(&b.mu)
	for p := range 2 {
		go func() {
			for i := range 10 {
				b.put(10*p + i)
			}
		}()
	}
	sum := 0
	for range 20 {
		sum += b.take()
	}
	fmt.Println("the sum is", sum, "and there were never more than three:", b.most <= 3)
}
