package main

import (
	"context"
	"fmt"
	"time"
)

type thing struct{ name string }

type key struct{}

// start leaves nothing behind but timers, and what they lead to.
func start(parent context.Context, done chan string) {
	ctx, _ := context.WithTimeout(context.WithValue(parent, key{}, &thing{fmt.Sprint("value ", 1)}), 2*time.Millisecond)
	t := &thing{fmt.Sprint("after ", 1)}
	context.AfterFunc(ctx, func() {
		done <- t.name + ", " + ctx.Value(key{}).(*thing).name + ", " + ctx.Err().Error()
	})
}

func main() {
	done := make(chan string)
	start(context.Background(), done)
	n := 0
	for i := range 300 {
		n += len(fmt.Sprint("garbage", i, &thing{"x"}))
	}
	fmt.Println(<-done)
}
