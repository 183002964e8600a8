package main

import "fmt"

type Rand struct{ s [4]uint64 }

func rotl(x uint64, k int) uint64 { return x<<k | x>>(64-k) }

func NewRand(seed uint64) *Rand {
	r := &Rand{}
	for i := range r.s {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		r.s[i] = z ^ z>>31
	}
	return r
}

func (r *Rand) Next() uint64 {
	s := &r.s
	res := rotl(s[1]*5, 7) * 9
	t := s[1] << 17
	s[2] ^= s[0]
	s[3] ^= s[1]
	s[1] ^= s[2]
	s[0] ^= s[3]
	s[2] ^= t
	s[3] = rotl(s[3], 45)
	return res
}

func (r *Rand) Intn(n int) int { return int(r.Next() % uint64(n)) }
func (r *Rand) Float() float64 { return float64(r.Next()>>11) / (1 << 53) }
func (r *Rand) Bool() bool     { return r.Next()&1 == 1 }
func (r *Rand) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		j := r.Intn(i + 1)
		p[i] = p[j]
		p[j] = i
	}
	return p
}

func crc32(data string) uint32 {
	c := ^uint32(0)
	for i := 0; i < len(data); i++ {
		c ^= uint32(data[i])
		for range 8 {
			if c&1 == 1 {
				c = c>>1 ^ 0xedb88320
			} else {
				c >>= 1
			}
		}
	}
	return ^c
}

func adler(data []byte) uint32 {
	a, b := uint32(1), uint32(0)
	for _, x := range data {
		a = (a + uint32(x)) % 65521
		b = (b + a) % 65521
	}
	return b<<16 | a
}

func main() {
	r := NewRand(2024)
	fmt.Println("|  i |                 hex |  dec | float  |  bool |")
	for i := range 10 {
		fmt.Printf("| %2d | %19x | %4d | %.4f | %5t |\n", i, r.Next(), r.Intn(1000), r.Float(), r.Bool())
	}
	fmt.Println(r.Perm(12))
	var hist [10]int
	for range 1000 {
		hist[r.Intn(10)]++
	}
	for i, n := range hist {
		bar := ""
		for range n / 10 {
			bar += "*"
		}
		fmt.Printf("%d %-14s%d\n", i, bar, n)
	}
	fmt.Printf("%08x %08x %#x\n", crc32("The quick brown fox"), crc32(""), adler([]byte("Wikipedia")))
}
