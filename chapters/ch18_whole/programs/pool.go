//go:build ignore

// A pool of workers does jobs until they are done, one of them fails, or the time is over.
package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// A job is done with a context, which says when to give up.
type job func(ctx context.Context) (result int, err error)

// do has so many workers do the jobs. The first error ends the work of all; do returns when
// all workers have ended, with the sum of the results.
func do(ctx context.Context, workers int, jobs []job) (sum int, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo := make(chan job)
	var working sync.WaitGroup
	var mu sync.Mutex
	for range workers {
		working.Go(func() {
			for j := range todo {
				result, err := j(ctx)
				if err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				sum += result
				mu.Unlock()
			}
		})
	}
	for _, j := range jobs {
		select {
		case todo <- j:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(todo)
	working.Wait()
	return sum, context.Cause(ctx)
}

// squares are n jobs that compute squares; each takes a while.
func squares(n int, takes time.Duration) []job {
	jobs := make([]job, n)
	for i := range jobs {
		jobs[i] = func(ctx context.Context) (int, error) {
			select {
			case <-time.After(takes):
				return i * i, nil
			case <-ctx.Done():
				return 0, context.Cause(ctx)
			}
		}
	}
	return jobs
}

func main() {
	ctx := context.Background()
	fmt.Println(do(ctx, 8, squares(100, 100*time.Microsecond)))

	jobs := squares(100, 100*time.Microsecond)
	jobs[50] = func(context.Context) (int, error) { return 0, errors.New("job 50 failed") }
	_, err := do(ctx, 8, jobs)
	fmt.Println(err)

	short, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
	_, err = do(short, 8, squares(100, time.Hour))
	cancel()
	fmt.Println(err, errors.Is(err, context.DeadlineExceeded))

	cancelled, cancel := context.WithCancel(ctx)
	time.AfterFunc(time.Millisecond, cancel)
	_, err = do(cancelled, 8, squares(100, time.Hour))
	fmt.Println(err)

	// None of the workers is left. The last ones may have to run to their end yet.
	for range 1000 {
		if runtime.NumGoroutine() == 1 {
			break
		}
		time.Sleep(100 * time.Microsecond)
	}
	fmt.Println("goroutines:", runtime.NumGoroutine())
}
