package main

import "fmt"

func sieve(n int) (primes []int) {
	composite := make([]bool, n+1)
	for i := 2; i <= n; i++ {
		if composite[i] {
			continue
		}
		primes = append(primes, i)
		for j := i * i; j <= n; j += i {
			composite[j] = true
		}
	}
	return
}

func factor(n int) (fs []int) {
	for d := 2; d*d <= n; d++ {
		for n%d == 0 {
			fs = append(fs, d)
			n /= d
		}
	}
	if n > 1 {
		fs = append(fs, n)
	}
	return
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func modpow(b, e, m uint64) uint64 {
	r := uint64(1)
	for b %= m; e > 0; e >>= 1 {
		if e&1 == 1 {
			r = r * b % m
		}
		b = b * b % m
	}
	return r
}

func collatz(n int) (steps int) {
	for n != 1 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		steps++
	}
	return
}

func main() {
	ps := sieve(200)
	fmt.Println(len(ps), ps)
	for _, n := range []int{60, 97, 1001, 123456} {
		fmt.Println(n, factor(n))
	}
	fmt.Println(gcd(48, 36), gcd(17, 5), gcd(0, 9), modpow(2, 100, 1000000007), modpow(3, 1000, 97))
	best, at := 0, 0
	for i := 1; i < 300; i++ {
		if c := collatz(i); c > best {
			best, at = c, i
		}
	}
	fmt.Println(best, at)
	perfect := []int{}
	for n := 2; n < 500; n++ {
		s := 1
		for d := 2; d*d <= n; d++ {
			if n%d == 0 {
				s += d
				if d*d != n {
					s += n / d
				}
			}
		}
		if s == n {
			perfect = append(perfect, n)
		}
	}
	fmt.Println(perfect)
}
