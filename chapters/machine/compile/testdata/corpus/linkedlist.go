package main

import "fmt"

type Node struct {
	val        int
	prev, next *Node
}

type List struct {
	head, tail *Node
	size       int
}

func (l *List) pushBack(v int) *Node {
	n := &Node{val: v, prev: l.tail}
	if l.tail != nil {
		l.tail.next = n
	} else {
		l.head = n
	}
	l.tail = n
	l.size++
	return n
}

func (l *List) pushFront(v int) {
	n := &Node{val: v, next: l.head}
	if l.head != nil {
		l.head.prev = n
	} else {
		l.tail = n
	}
	l.head = n
	l.size++
}

func (l *List) remove(n *Node) {
	if n.prev != nil {
		n.prev.next = n.next
	} else {
		l.head = n.next
	}
	if n.next != nil {
		n.next.prev = n.prev
	} else {
		l.tail = n.prev
	}
	l.size--
}

func (l *List) each(f func(*Node) bool) {
	for n := l.head; n != nil; n = n.next {
		if !f(n) {
			return
		}
	}
}

func (l *List) find(v int) (found *Node) {
	l.each(func(n *Node) bool {
		if n.val == v {
			found = n
			return false
		}
		return true
	})
	return
}

func (l *List) reverse() {
	for n := l.head; n != nil; n = n.prev {
		n.prev, n.next = n.next, n.prev
	}
	l.head, l.tail = l.tail, l.head
}

func (l *List) String2() string {
	s := "["
	l.each(func(n *Node) bool {
		if n != l.head {
			s += " "
		}
		s += fmt.Sprint(n.val)
		return true
	})
	return s + "]"
}

func main() {
	var l List
	for i := range 5 {
		l.pushBack(i * i)
		l.pushFront(-i)
	}
	fmt.Println(l.String2(), l.size)
	l.remove(l.find(9))
	l.remove(l.head)
	l.remove(l.tail)
	fmt.Println(l.String2(), l.size, l.find(1000) == nil)
	l.reverse()
	fmt.Println(l.String2(), l.head.val, l.tail.val)
	for l.size > 0 {
		l.remove(l.head)
	}
	fmt.Println(l.String2(), l.head == nil, l.tail == nil)
}
