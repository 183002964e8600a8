package main

import "fmt"

type Tree struct {
	Left, Right *Tree
	Key         int
	Val         string
}

func (t *Tree) insert(k int, v string) *Tree {
	if t == nil {
		return &Tree{Key: k, Val: v}
	}
	switch {
	case k < t.Key:
		t.Left = t.Left.insert(k, v)
	case k > t.Key:
		t.Right = t.Right.insert(k, v)
	default:
		t.Val = v
	}
	return t
}

func (t *Tree) get(k int) (string, bool) {
	for t != nil {
		if k == t.Key {
			return t.Val, true
		}
		if k < t.Key {
			t = t.Left
		} else {
			t = t.Right
		}
	}
	return "", false
}

func (t *Tree) height() int {
	if t == nil {
		return 0
	}
	return 1 + max(t.Left.height(), t.Right.height())
}

func (t *Tree) walk(f func(int, string)) {
	if t == nil {
		return
	}
	t.Left.walk(f)
	f(t.Key, t.Val)
	t.Right.walk(f)
}

func (t *Tree) delete(k int) *Tree {
	if t == nil {
		return nil
	}
	if k < t.Key {
		t.Left = t.Left.delete(k)
		return t
	}
	if k > t.Key {
		t.Right = t.Right.delete(k)
		return t
	}
	if t.Left == nil {
		return t.Right
	}
	if t.Right == nil {
		return t.Left
	}
	m := t.Right
	for m.Left != nil {
		m = m.Left
	}
	t.Key, t.Val = m.Key, m.Val
	t.Right = t.Right.delete(m.Key)
	return t
}

func build(depth int) *Tree {
	if depth == 0 {
		return nil
	}
	return &Tree{build(depth - 1), build(depth - 1), depth, ""}
}

func (t *Tree) count() int {
	if t == nil {
		return 0
	}
	return 1 + t.Left.count() + t.Right.count()
}

func main() {
	var t *Tree
	keys := []int{50, 30, 70, 20, 40, 60, 80, 35, 45, 65}
	for i, k := range keys {
		t = t.insert(k, fmt.Sprintf("v%d", i))
	}
	show := func() {
		t.walk(func(k int, v string) { fmt.Print(k, "=", v, " ") })
		fmt.Println(t.height(), t.count())
	}
	show()
	t.insert(40, "new")
	fmt.Println(t.get(40))
	fmt.Println(t.get(41))
	for _, k := range []int{20, 30, 50, 99} {
		t = t.delete(k)
		show()
	}
	fmt.Println(build(10).count())
}
