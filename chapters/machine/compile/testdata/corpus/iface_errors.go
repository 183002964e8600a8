package main

import (
	"errors"
	"fmt"
)

var ErrNotFound = errors.New("not found")

type QueryError struct {
	Query string
	Err   error
}

func (e *QueryError) Error() string { return "query " + e.Query + ": " + e.Err.Error() }
func (e *QueryError) Unwrap() error { return e.Err }

func find(xs []string, x string) (int, error) {
	for i, v := range xs {
		if v == x {
			return i, nil
		}
	}
	if x == "" {
		return -1, errors.New("empty")
	}
	return -1, &QueryError{x, ErrNotFound}
}

func div(a, b int) (q int, err error) {
	if b == 0 {
		err = fmt.Errorf("div %d by zero", a)
		return
	}
	return a / b, nil
}

func outer(a, b int) error {
	if _, err := div(a, b); err != nil {
		return fmt.Errorf("outer: %w", err)
	}
	return nil
}

func main() {
	xs := []string{"a", "b"}
	for _, q := range []string{"a", "b", "c", ""} {
		i, err := find(xs, q)
		if err != nil {
			fmt.Println("error:", err, i)
			fmt.Println(errors.Is(err, ErrNotFound), errors.Unwrap(err) == ErrNotFound)
			if qe, ok := err.(*QueryError); ok {
				fmt.Println("query was", qe.Query)
			}
			continue
		}
		fmt.Println(q, i)
	}
	fmt.Println(div(7, 2))
	fmt.Println(div(1, 0))
	err := outer(1, 0)
	fmt.Println(err, errors.Unwrap(err), outer(4, 2) == nil)
	fmt.Printf("%v|%s|%q|%T|%d\n", err, err, ErrNotFound, ErrNotFound, ErrNotFound)
	fmt.Printf("%+v %v\n", []error{ErrNotFound, nil}, struct{ E error }{ErrNotFound})
	wrapped := fmt.Errorf("a %d %w b %v", 1, ErrNotFound, 2)
	fmt.Println(wrapped, errors.Is(wrapped, ErrNotFound), errors.Is(fmt.Errorf("w: %w", wrapped), ErrNotFound), errors.Is(nil, nil), errors.Is(err, nil))
	fmt.Printf("%T %T\n", wrapped, fmt.Errorf("plain"))
	fmt.Println(errors.New("x") == errors.New("x"))
	fmt.Println(errors.Unwrap(ErrNotFound) == nil)
}
