package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
)

type counter struct {
	b  bool
	n  atomic.Int32
	u  atomic.Uint64
	p  atomic.Pointer[counter]
	ok atomic.Bool
	v  atomic.Value
}

var g int64
var errBase = errors.New("base")

func main() {
	for _, n := range []int{0, 7, -1, 1234567890, -1 << 63, 1<<63 - 1} {
		s := strconv.Itoa(n)
		m, err := strconv.Atoi(s)
		fmt.Println(s, m == n, err)
	}
	for _, s := range []string{"", "-", "+5", "12a", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "99999999999999999999999", "99999999999999999999999x", "007", "a\"b"} {
		n, err := strconv.Atoi(s)
		fmt.Println(n, err, errors.Is(err, strconv.ErrRange), errors.Is(err, strconv.ErrSyntax))
	}
	fmt.Println(strconv.Quote("a\n\x00ä"), strconv.FormatBool(true))
	fmt.Println(len(os.Args), len(os.Args[0]) > 0)
	e := fmt.Errorf("more: %w", errBase)
	fmt.Println(errors.Is(e, errBase), errors.Unwrap(e) == errBase, errors.New("x") == errors.New("x"))

	var c counter
	c.n.Store(-5)
	fmt.Println(c.n.Add(2), c.n.Load(), c.n.Swap(9), c.n.CompareAndSwap(9, -10), c.n.CompareAndSwap(9, 1), c.n.Load())
	fmt.Println(c.n.And(-4), c.n.Or(1), c.n.Load())
	c.u.Store(1 << 63)
	fmt.Println(c.u.Add(^uint64(0)), c.u.Load())
	fmt.Println(c.p.Load() == nil, c.p.CompareAndSwap(nil, &c), c.p.Load() == &c, c.p.Swap(nil) == &c)
	fmt.Println(c.ok.Load(), c.ok.Swap(true), c.ok.CompareAndSwap(true, false), c.ok.Load())
	fmt.Println(c.v.Load())
	c.v.Store("text")
	fmt.Println(c.v.Load())
	fmt.Println(atomic.AddInt64(&g, 5), atomic.LoadInt64(&g), g)
	var arr [4]uint32
	atomic.AddUint32(&arr[2], ^uint32(0))
	atomic.StoreUint32(&arr[1], 7)
	fmt.Println(arr)
	fmt.Println(atomic.SwapUint32(&arr[1], 8), atomic.CompareAndSwapUint32(&arr[1], 8, 9))
	fmt.Println(arr)
	var i32 int32 = -1
	fmt.Println(atomic.SwapInt32(&i32, -2), atomic.LoadInt32(&i32), atomic.AddInt32(&i32, -1<<31+1))
	done := make(chan bool)
	for range 4 {
		go func() {
			defer func() { done <- true }()
			for range 100 {
				atomic.AddInt64(&g, 1)
				c.n.Add(1)
			}
		}()
	}
	for range 4 {
		<-done
	}
	fmt.Println(g, c.n.Load())
	defer func() { fmt.Println(recover()) }()
	var p *counter
	p.n.Add(1)
}
