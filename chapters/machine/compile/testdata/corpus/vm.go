package main

import "fmt"

type opcode byte

const (
	push opcode = iota
	add
	sub
	mul
	dup
	swap
	jz
	jmp
	load
	store
	print
	halt
	call
	ret
)

type instr struct {
	op  opcode
	arg int32
}

type machine struct {
	code   []instr
	stack  [64]int64
	sp     int
	calls  [16]int
	cp     int
	vars   [8]int64
	steps  int
	output []int64
}

func (m *machine) push(v int64) { m.stack[m.sp] = v; m.sp++ }
func (m *machine) pop() int64   { m.sp--; return m.stack[m.sp] }

func (m *machine) run() {
	pc := 0
	for {
		in := m.code[pc]
		pc++
		m.steps++
		switch in.op {
		case push:
			m.push(int64(in.arg))
		case add:
			b, a := m.pop(), m.pop()
			m.push(a + b)
		case sub:
			b, a := m.pop(), m.pop()
			m.push(a - b)
		case mul:
			b, a := m.pop(), m.pop()
			m.push(a * b)
		case dup:
			v := m.pop()
			m.push(v)
			m.push(v)
		case swap:
			b, a := m.pop(), m.pop()
			m.push(b)
			m.push(a)
		case jz:
			if m.pop() == 0 {
				pc = int(in.arg)
			}
		case jmp:
			pc = int(in.arg)
		case load:
			m.push(m.vars[in.arg])
		case store:
			m.vars[in.arg] = m.pop()
		case print:
			m.output = append(m.output, m.pop())
		case call:
			m.calls[m.cp] = pc
			m.cp++
			pc = int(in.arg)
		case ret:
			m.cp--
			pc = m.calls[m.cp]
		case halt:
			return
		default:
			fmt.Println("bad opcode", in.op)
			return
		}
	}
}

func main() {
	m := &machine{code: []instr{
		{push, 10}, {store, 0},
		{push, 1}, {store, 1},
		{load, 0}, {jz, 14},
		{load, 1}, {load, 0}, {mul, 0}, {store, 1},
		{load, 0}, {call, 17}, {store, 0},
		{jmp, 4},
		{load, 1}, {print, 0},
		{halt, 0},
		{push, 1}, {sub, 0}, {ret, 0},
	}}
	m.run()
	fmt.Println(m.output, m.steps, m.sp, m.vars)
	n := machine{code: []instr{{push, 2}, {push, 3}, {swap, 0}, {sub, 0}, {dup, 0}, {print, 0}, {print, 0}, {99, 0}}}
	n.run()
	fmt.Println(n.output)
}
