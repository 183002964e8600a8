package main

import "fmt"

const text = `the quick brown fox jumps over the lazy dog the fox
was quick and the dog was lazy the end`

type entry struct {
	word  string
	count int
}

type table struct {
	buckets [16][]entry
	n       int
}

func hash(s string) (h uint32) {
	h = 5381
	for i := 0; i < len(s); i++ {
		h = h<<5 + h + uint32(s[i])
	}
	return
}

func (t *table) add(w string) {
	b := &t.buckets[hash(w)%16]
	for i := range *b {
		if (*b)[i].word == w {
			(*b)[i].count++
			return
		}
	}
	*b = append(*b, entry{w, 1})
	t.n++
}

func (t *table) all() (out []entry) {
	for _, b := range t.buckets {
		out = append(out, b...)
	}
	for i := range out {
		for j := i + 1; j < len(out); j++ {
			if out[j].count > out[i].count || out[j].count == out[i].count && out[j].word < out[i].word {
				out[i], out[j] = out[j], out[i]
			}
		}
	}
	return
}

func fields(s string) (fs []string) {
	start := -1
	for i, r := range s + " " {
		if r == ' ' || r == '\n' {
			if start >= 0 {
				fs = append(fs, s[start:i])
				start = -1
			}
		} else if start < 0 {
			start = i
		}
	}
	return
}

func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

func main() {
	var t table
	ws := fields(text)
	for _, w := range ws {
		t.add(w)
	}
	fmt.Println(len(ws), t.n)
	for _, e := range t.all() {
		fmt.Printf("%-6s %2d %s\n", e.word, e.count, upper(e.word)[:1])
	}
	longest := ""
	for _, w := range ws {
		if len(w) > len(longest) {
			longest = w
		}
	}
	fmt.Println(longest, upper(longest))
}
