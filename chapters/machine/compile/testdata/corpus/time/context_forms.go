package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

type key string

func main() {
	root := context.WithValue(context.Background(), key("user"), "gopher")
	ctx, cancel := context.WithCancel(root)
	fmt.Println(ctx.Err(), ctx.Value(key("user")), ctx.Value(key("none")))
	child, cancelChild := context.WithCancel(context.WithValue(ctx, key("n"), 7))
	defer cancelChild()
	cancel()
	cancel()
	<-child.Done()
	fmt.Println(child.Err(), context.Cause(child), child.Value(key("n")))

	short, cancelShort := context.WithTimeout(root, 5*time.Millisecond)
	defer cancelShort()
	long, cancelLong := context.WithTimeout(short, time.Hour)
	defer cancelLong()
	d1, ok1 := short.Deadline()
	d2, ok2 := long.Deadline()
	fmt.Println(ok1, ok2, d1.Sub(d2))
	select {
	case <-long.Done():
		fmt.Println(long.Err(), errors.Is(long.Err(), context.DeadlineExceeded))
	case <-time.After(10 * time.Second):
		fmt.Println("no deadline")
	}
	late, cancelLate := context.WithDeadline(root, time.Now().Add(-time.Second))
	cancelLate()
	fmt.Println(late.Err())

	why := errors.New("the disk is full")
	caused, fail := context.WithCancelCause(root)
	sub, cancelSub := context.WithCancel(caused)
	defer cancelSub()
	fail(why)
	fmt.Println(caused.Err(), context.Cause(caused), context.Cause(sub), context.Cause(sub) == why)
	over, cancelOver := context.WithTimeoutCause(root, time.Millisecond, why)
	defer cancelOver()
	<-over.Done()
	fmt.Println(over.Err(), context.Cause(over))

	var wg sync.WaitGroup
	wg.Add(1)
	other, cancelOther := context.WithCancel(root)
	stop := context.AfterFunc(other, func() { wg.Done() })
	stopped := context.AfterFunc(other, func() { fmt.Println("not to be called") })
	fmt.Println(stopped(), stopped())
	cancelOther()
	wg.Wait()
	fmt.Println(stop(), context.WithoutCancel(other).Err(), context.WithoutCancel(other).Value(key("user")))

	var workers sync.WaitGroup
	all, cancelAll := context.WithTimeout(root, 3*time.Millisecond)
	defer cancelAll()
	ended := make(chan error, 20)
	for range 20 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			own, cancel := context.WithCancel(all)
			defer cancel()
			<-own.Done()
			ended <- own.Err()
		}()
	}
	workers.Wait()
	close(ended)
	n := 0
	for err := range ended {
		if err == context.DeadlineExceeded {
			n++
		}
	}
	fmt.Println(n, "workers ended in time")
}
