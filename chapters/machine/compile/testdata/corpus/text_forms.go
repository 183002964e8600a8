package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// slow reads one byte at a time.
type slow struct{ r io.Reader }

func (s slow) Read(p []byte) (int, error) {
	if len(p) > 1 {
		p = p[:1]
	}
	return s.r.Read(p)
}

func main() {
	for _, s := range []string{"", "a", " a b\t\tc\n", "über  Maß ", "\u2003x\u00a0", "GET /x HTTP/1.1\r\n"} {
		fmt.Printf("%q %q %q %q\n", strings.Fields(s), strings.TrimSpace(s), strings.ToUpper("abcXYZ-"+s[:0]), strings.Split(s, " "))
	}
	for _, c := range [][2]string{{"a,b,,c", ","}, {"", ","}, {"abc", ""}, {"aaaa", "aa"}, {"key: value: x", ": "}} {
		before, after, found := strings.Cut(c[0], c[1])
		fmt.Printf("%q %q %v %q %q %d %d %d\n", before, after, found, strings.Split(c[0], c[1]), strings.SplitN(c[0], c[1], 2),
			strings.Index(c[0], c[1]), strings.LastIndex(c[0], c[1]), strings.Count(c[0], c[1]))
	}
	fmt.Println(strings.HasPrefix("abc", "ab"), strings.HasSuffix("abc", "bc"), strings.HasPrefix("a", "ab"), strings.Contains("abc", "b"))
	fmt.Println(strings.EqualFold("Content-Length", "content-LENGTH"), strings.EqualFold("a", "b"), strings.ToLower("ÀBC")[2:])
	fmt.Println(strings.Trim("--a-b--", "-"), strings.TrimLeft("xxa", "x"), strings.TrimRight("axx", "x"), strings.TrimPrefix("abc", "ab"), strings.TrimSuffix("abc", "bc"))
	fmt.Println(strings.Repeat("ab", 3), strings.Join([]string{"a", "b", "c"}, "/"), strings.ReplaceAll("a.b.c", ".", "::"), strings.Replace("aaa", "a", "b", 2))
	fmt.Println(strings.IndexByte("abc", 'c'), strings.IndexAny("abc", "xc"), strings.IndexRune("aäb", 'b'), strings.ContainsRune("abc", 'd'), strings.Compare("a", "b"))
	var b strings.Builder
	b.WriteString("one")
	b.WriteByte(' ')
	b.WriteRune('ö')
	fmt.Fprintf(&b, " %d", 2)
	fmt.Println(b.String(), b.Len())

	fmt.Println(bytes.Equal([]byte("a"), []byte("a")), bytes.Index([]byte("abc"), []byte("bc")), string(bytes.ToUpper([]byte("abc"))), string(bytes.TrimSpace([]byte(" x "))))
	var buf bytes.Buffer
	buf.WriteString("hello ")
	buf.Write([]byte("world"))
	fmt.Println(buf.Len(), buf.String(), string(buf.Next(6)), buf.String())

	text := "first\nsecond line\r\n\nlast"
	for _, r := range []io.Reader{strings.NewReader(text), slow{strings.NewReader(text)}} {
		in := bufio.NewScanner(r)
		for in.Scan() {
			fmt.Printf("%q ", in.Text())
		}
		fmt.Println(in.Err())
	}
	words := bufio.NewScanner(slow{strings.NewReader("  some words  here ")})
	words.Split(bufio.ScanWords)
	for words.Scan() {
		fmt.Printf("%q ", words.Text())
	}
	fmt.Println()
	long := bufio.NewScanner(strings.NewReader(strings.Repeat("x", 100)))
	long.Buffer(make([]byte, 10), 50)
	fmt.Println(long.Scan(), long.Err())

	r := bufio.NewReaderSize(slow{strings.NewReader(text)}, 16)
	for {
		s, err := r.ReadString('\n')
		fmt.Printf("%q %v ", s, err)
		if err != nil {
			break
		}
	}
	fmt.Println()
	r = bufio.NewReaderSize(strings.NewReader("0123456789abcdefghij\nrest"), 16)
	peeked, err := r.Peek(3)
	fmt.Println(string(peeked), err)
	for {
		line, more, err := r.ReadLine()
		fmt.Printf("%q %v %v ", line, more, err)
		if err != nil {
			break
		}
	}
	fmt.Println()
	var out bytes.Buffer
	w := bufio.NewWriterSize(&out, 8)
	fmt.Fprint(w, "abc")
	fmt.Println(w.Buffered(), w.Available(), out.Len())
	w.WriteString("0123456789")
	w.WriteByte('!')
	fmt.Println(w.Flush(), out.String())
	rw := bufio.NewReadWriter(bufio.NewReader(&out), bufio.NewWriter(&out))
	rw.WriteString("more\n")
	rw.Flush()
	s, err := rw.ReadString('\n')
	fmt.Printf("%q %v\n", s, err)

	var one, two bytes.Buffer
	n, err := io.Copy(io.MultiWriter(&one, &two), io.LimitReader(strings.NewReader("123456789"), 5))
	fmt.Println(n, err, one.String(), two.String())
	all, err := io.ReadAll(io.TeeReader(io.MultiReader(strings.NewReader("a"), strings.NewReader("b")), &one))
	fmt.Println(string(all), err, one.String())
	_, err = io.CopyN(io.Discard, strings.NewReader("abc"), 5)
	fmt.Println(err)
	_, err = io.ReadFull(strings.NewReader("abc"), make([]byte, 5))
	fmt.Println(err, errors.Is(err, io.ErrUnexpectedEOF))
}
