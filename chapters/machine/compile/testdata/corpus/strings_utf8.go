package main

import "fmt"

func main() {
	s := "héllo, 世界 \x80\xff!"
	fmt.Println(len(s))
	for i, r := range s {
		fmt.Print(i, ":", r, " ")
	}
	fmt.Println()
	n := 0
	for range s {
		n++
	}
	fmt.Println(n)
	r := []rune(s)
	fmt.Println(len(r), r[1], string(r[:5]), string(r[7]))
	r[0] = 'J'
	fmt.Println(string(r))
	fmt.Println(string(rune(65)), string(rune(0x4e16)), string(rune(-1)) == "\ufffd")
	fmt.Printf("%c %U %q %x\n", 'é', '世', '界', "é")
	for i := 0; i < len("é"); i++ {
		fmt.Printf("%x ", "é"[i])
	}
	fmt.Println()
	fmt.Println([]byte("日本"), string([]byte{0xe6, 0x97, 0xa5}))
	fmt.Printf("%s|%5s|%-5s|%05d\n", "日", "日", "日", 42)
	fmt.Printf("%+q %#q %q\n", "日本", "x`y", "tab\tnl\n")
	for _, c := range "" {
		fmt.Println("never", c)
	}
	var bs []byte
	bs = append(bs, "append string"...)
	bs = append(bs, ' ')
	bs = append(bs, "x"...)
	fmt.Println(string(bs))
	n = copy(bs, "COPY")
	fmt.Println(n, string(bs))
}
