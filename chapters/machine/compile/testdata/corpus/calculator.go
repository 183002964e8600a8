package main

import "fmt"

type kind int

const (
	num kind = iota
	op
	lparen
	rparen
	end
)

type token struct {
	kind kind
	val  int
	op   byte
}

type lexer struct {
	text string
	pos  int
}

func (l *lexer) next() token {
	for l.pos < len(l.text) && l.text[l.pos] == ' ' {
		l.pos++
	}
	if l.pos == len(l.text) {
		return token{kind: end}
	}
	switch c := l.text[l.pos]; {
	case c >= '0' && c <= '9':
		v := 0
		for l.pos < len(l.text) && l.text[l.pos] >= '0' && l.text[l.pos] <= '9' {
			v = v*10 + int(l.text[l.pos]-'0')
			l.pos++
		}
		return token{kind: num, val: v}
	case c == '(':
		l.pos++
		return token{kind: lparen}
	case c == ')':
		l.pos++
		return token{kind: rparen}
	default:
		l.pos++
		return token{kind: op, op: c}
	}
}

type parser struct {
	lex lexer
	tok token
	err string
}

func (p *parser) advance() { p.tok = p.lex.next() }

func (p *parser) expr() int {
	v := p.term()
	for p.tok.kind == op && (p.tok.op == '+' || p.tok.op == '-') {
		o := p.tok.op
		p.advance()
		w := p.term()
		if o == '+' {
			v += w
		} else {
			v -= w
		}
	}
	return v
}

func (p *parser) term() int {
	v := p.factor()
	for p.tok.kind == op && (p.tok.op == '*' || p.tok.op == '/' || p.tok.op == '%') {
		o := p.tok.op
		p.advance()
		w := p.factor()
		switch o {
		case '*':
			v *= w
		case '/', '%':
			if w == 0 {
				p.err = "division by zero"
				return 0
			}
			if o == '/' {
				v /= w
			} else {
				v %= w
			}
		}
	}
	return v
}

func (p *parser) factor() int {
	switch p.tok.kind {
	case num:
		v := p.tok.val
		p.advance()
		return v
	case lparen:
		p.advance()
		v := p.expr()
		if p.tok.kind != rparen {
			p.err = "missing )"
			return 0
		}
		p.advance()
		return v
	case op:
		if p.tok.op == '-' {
			p.advance()
			return -p.factor()
		}
	}
	p.err = fmt.Sprintf("unexpected token %v", p.tok)
	return 0
}

func eval(s string) (int, string) {
	p := parser{lex: lexer{text: s}}
	p.advance()
	v := p.expr()
	if p.err == "" && p.tok.kind != end {
		p.err = "trailing input"
	}
	return v, p.err
}

func main() {
	for _, s := range []string{"1+2*3", "(1+2)*3", "10/3%2", "-(4-6)*7", "2*(3+(4-1))*2", "1/0", "(1", "1 2", "", "7 - - 3", "1+*2"} {
		v, err := eval(s)
		if err != "" {
			fmt.Printf("%-16s error: %s\n", s, err)
		} else {
			fmt.Printf("%-16s = %d\n", s, v)
		}
	}
}
