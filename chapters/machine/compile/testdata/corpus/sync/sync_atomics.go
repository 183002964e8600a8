package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

type node struct {
	value int
	next  *node
}

type shared struct {
	i32 atomic.Int32
	u32 atomic.Uint32
	i64 atomic.Int64
	u64 atomic.Uint64
	ptr atomic.Uintptr
	on  atomic.Bool
	top atomic.Pointer[node]
	any atomic.Value

	low, high int32 // neighbours in one word
	bits      uint32
	bits64    uint64
	guarded   int
	mistakes  int32
}

var s shared

func add(n int) {
	s.i32.Add(-1)
	s.u32.Add(1)
	s.i64.Add(int64(n))
	atomic.AddInt32(&s.low, 1)
	atomic.AddInt32(&s.high, -1)
	s.ptr.Add(1)
}

func swapIn() {
	for {
		old := s.u64.Load()
		runtime.Gosched()
		if s.u64.CompareAndSwap(old, old+3) {
			break
		}
	}
	for !s.on.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
	n := s.guarded
	runtime.Gosched()
	s.guarded = n + 1
	if !s.on.Swap(false) {
		atomic.AddInt32(&s.mistakes, 1)
	}
}

func push(n int) {
	for x := (&node{value: n}); ; {
		x.next = s.top.Load()
		if s.top.CompareAndSwap(x.next, x) {
			return
		}
	}
}

func toggle(bit uint32) {
	was := atomic.OrUint32(&s.bits, bit) & bit
	is := atomic.AndUint32(&s.bits, ^bit) & bit
	wide := uint64(bit) << 32
	was64 := atomic.OrUint64(&s.bits64, wide) & wide
	is64 := atomic.AndUint64(&s.bits64, ^wide) & wide
	if was != 0 || is == 0 || was64 != 0 || is64 == 0 {
		atomic.AddInt32(&s.mistakes, 1)
	}
}

func try(what string, f func()) {
	defer func() { fmt.Println(what, recover()) }()
	f()
}

func main() {
	const goroutines, turns = 12, 25
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for n := range turns {
				add(n)
				swapIn()
				push(g*turns + n)
				toggle(1 << g)
				s.any.Store(n)
			}
		})
	}
	wg.Wait()
	fmt.Println(s.i32.Load(), s.u32.Load(), s.i64.Load(), s.u64.Load(), s.ptr.Load())
	fmt.Println(s.low, s.high, s.bits, s.bits64, s.guarded, s.mistakes, s.on.Load(), s.any.Load())
	sum, count := 0, 0
	for x := s.top.Load(); x != nil; x = x.next {
		sum += x.value
		count++
	}
	fmt.Println(sum, count)

	// As values.
	inc, load, swap := atomic.AddInt32, s.i64.Load, (*atomic.Uint32).Swap
	fmt.Println(inc(&s.low, 1<<30), load(), swap(&s.u32, 1<<31), s.u32.Load())
	var counter interface{ Add(int64) int64 } = &s.i64
	fmt.Println(counter.Add(-1 << 62))
	func() {
		defer s.i32.Store(-7)
		defer atomic.StoreInt32(&s.high, 7)
	}()
	fmt.Println(s.i32.Load(), s.high)

	// Sums that do not fit.
	s.i32.Store(1<<31 - 1)
	s.u32.Store(1<<32 - 1)
	fmt.Println(s.i32.Add(1), s.u32.Add(2), s.i32.CompareAndSwap(-1<<31, 5), s.i32.Swap(-6), s.i32.Load())
	fmt.Println(s.i32.And(-4), s.i32.Or(1<<30), s.i32.Load())

	var none *shared
	try("load", func() { none.u64.Load() })
	try("store", func() { atomic.StoreInt32(&none.low, 1) })
	try("swap", func() { none.on.Swap(true) })
	try("add", func() { atomic.AddInt64(nil, 1) })
	try("compare", func() { none.top.CompareAndSwap(nil, nil) })
	var field *atomic.Int32
	try("and", func() { field.And(1) })
	try("or", func() { field.Or(1) })
}
