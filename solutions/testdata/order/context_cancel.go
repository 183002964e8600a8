// A cancellation reaches all.
package main

import (
	"context"
	"fmt"
	"sync"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() {
			<-ctx.Done()
			fmt.Println(i, ctx.Err())
		})
	}
	started := make(chan bool)
	go func() { close(started) }()
	<-started
	cancel()
	fmt.Println("cancelled")
	wg.Wait()
}
