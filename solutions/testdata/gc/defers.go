package main

import (
	"errors"
	"fmt"
)

type thing struct{ name string }

func garbage() (n int) {
	for i := range 50 {
		n += len(fmt.Sprint("garbage", i, &thing{"x"}))
	}
	return n
}

func deferred() (text string) {
	for i := range 3 {
		t := &thing{fmt.Sprint("deferred ", i)}
		defer func() { garbage(); text += t.name + "; " }()
	}
	garbage()
	return "returned; "
}

func panics() (text string) {
	defer func() {
		garbage()
		e := recover()
		garbage()
		text += e.(*thing).name
	}()
	defer func() { garbage() }()
	panic(&thing{fmt.Sprint("panic ", 1)})
}

func runtimeError(s []int, i int) (err error) {
	defer func() {
		garbage()
		err = recover().(error)
	}()
	s[i] = 1
	return nil
}

func wrapped(t *thing) (err error) {
	defer func() {
		garbage()
		if err != nil {
			err = fmt.Errorf("wrapped %s: %w", t.name, err)
		}
	}()
	return errors.New(fmt.Sprint("inner ", 7))
}

// named ends only at its recover block.
func named() (t *thing) {
	defer func() { garbage(); recover() }()
	t = &thing{fmt.Sprint("named ", 1)}
	garbage()
	panic(1)
}

// never has no way to its end at all.
func never() {
	t := &thing{fmt.Sprint("never ", 1)}
	defer func() { fmt.Println(t.name, recover()) }()
	for i := 0; ; i++ {
		garbage()
		if i == 2 {
			panic("enough")
		}
	}
}

func main() {
	fmt.Println(named().name)
	never()
	fmt.Println(deferred())
	fmt.Println(panics())
	fmt.Println(runtimeError(make([]int, 3), 5))
	fmt.Println(wrapped(&thing{fmt.Sprint("t", 1)}))
	bound := (&thing{fmt.Sprint("bound ", 2)}).call
	garbage()
	fmt.Println(bound())
}

func (t *thing) call() string { garbage(); return t.name }
