package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type account struct {
	sync.Mutex
	balance int
}

func (a *account) add(n int) {
	a.Lock()
	defer a.Unlock()
	b := a.balance
	runtime.Gosched()
	a.balance = b + n
}

type table struct {
	mu sync.RWMutex
	m  map[string]int
}

func (t *table) get(k string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	runtime.Gosched()
	return t.m[k]
}

func (t *table) set(k string, v int) {
	t.mu.Lock()
	t.m[k] = v
	runtime.Gosched()
	t.m[k] = v + 1
	t.mu.Unlock()
}

type queue struct {
	mu       sync.Mutex
	nonEmpty *sync.Cond
	items    []int
}

func (q *queue) put(v int) {
	q.mu.Lock()
	q.items = append(q.items, v)
	q.mu.Unlock()
	q.nonEmpty.Signal()
}

func (q *queue) take() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.nonEmpty.Wait()
	}
	v := q.items[0]
	q.items = q.items[1:]
	return v
}

func main() {
	var wg sync.WaitGroup
	a := &account{}
	for i := range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 5 {
				a.add(i)
			}
		}()
	}
	wg.Wait()
	fmt.Println(a.balance, a.TryLock(), a.TryLock())
	a.Unlock()

	t := &table{m: map[string]int{}}
	var odd atomic.Int32
	for i := range 10 {
		wg.Go(func() {
			if i%3 == 0 {
				t.set("k", 2*i)
			} else if t.get("k")%2 == 0 && t.get("k") != 0 {
				odd.Add(1)
			}
		})
	}
	wg.Wait()
	fmt.Println(t.get("k")%2, odd.Load(), t.mu.TryRLock(), t.mu.TryLock())
	t.mu.RUnlock()
	var l sync.Locker = t.mu.RLocker()
	l.Lock()
	l.Unlock()

	q := &queue{}
	q.nonEmpty = sync.NewCond(&q.mu)
	sum := make(chan int)
	for range 3 {
		go func() {
			n := 0
			for range 10 {
				n += q.take()
			}
			sum <- n
		}()
	}
	for i := range 30 {
		q.put(i)
	}
	fmt.Println(<-sum + <-sum + <-sum)

	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	ready, woken := false, 0
	for range 5 {
		wg.Go(func() {
			mu.Lock()
			for !ready {
				cond.Wait()
			}
			woken++
			mu.Unlock()
		})
	}
	runtime.Gosched()
	mu.Lock()
	ready = true
	mu.Unlock()
	cond.Broadcast()
	wg.Wait()
	fmt.Println(woken)

	var once sync.Once
	for i := range 3 {
		once.Do(func() { fmt.Println("once", i) })
	}
	func() {
		defer func() { fmt.Println(recover()) }()
		var o sync.Once
		defer o.Do(func() { fmt.Println("never") })
		o.Do(func() { panic("in Do") })
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		wg.Done()
	}()

	start := time.Now()
	time.Sleep(3 * time.Millisecond)
	fmt.Println(time.Since(start) >= 3*time.Millisecond, time.Now().After(start))
	for _, d := range []time.Duration{0, 1, 999, 1500, 1e6, 1234567, 1e9, 61 * time.Second, 3*time.Hour + 5*time.Millisecond, -90 * time.Minute, -1, 1<<63 - 1, -1 << 63} {
		fmt.Println(d, d.Seconds(), d.Milliseconds(), d.Truncate(time.Second), d.Abs())
	}
	fmt.Printf("%v %d %s\n", 2*time.Second, time.Millisecond, time.Microsecond)
}
