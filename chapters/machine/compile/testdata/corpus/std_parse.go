package main

import (
	"errors"
	"fmt"
	"strconv"
)

func main() {
	for _, base := range []int{0, 10, 16, 2, 36} {
		for _, s := range []string{
			"", "0", "-0", "+7", "-", "12", "012", "09", "0x1f", "0X1F", "0b101", "0o17", "0x", "x", "zZ",
			"1_000", "_1", "1_", "1__2", "0_7", "0x_1", "0_x1", "0x1_", "-0x_ff", "_", "-_1",
			"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
			"18446744073709551615", "18446744073709551616", "99999999999999999999x", "1 2", "1.5",
		} {
			i, err := strconv.ParseInt(s, base, 64)
			u, uerr := strconv.ParseUint(s, base, 0)
			fmt.Println(base, s, i, err, u, uerr)
		}
	}
	for _, bits := range []int{8, 16, 32, 65, -1} {
		for _, s := range []string{"127", "128", "-128", "-129", "255", "256", "70000", "-70000", "5000000000"} {
			i, err := strconv.ParseInt(s, 10, bits)
			u, uerr := strconv.ParseUint(s, 10, bits)
			fmt.Println(bits, s, i, err, u, uerr)
		}
	}
	for _, base := range []int{1, 37, -1} {
		fmt.Println(strconv.ParseInt("1", base, 64))
	}
	for _, s := range []string{"12", "-12", "x", "", "0x1", "1_0", "9223372036854775808", "-9223372036854775809x"} {
		n, err := strconv.Atoi(s)
		fmt.Println(n, err, errors.Is(err, strconv.ErrSyntax), errors.Is(err, strconv.ErrRange))
	}
	for _, s := range []string{"1", "t", "TRUE", "True", "tRUE", "0", "F", "false", "no", ""} {
		fmt.Println(strconv.ParseBool(s))
	}
}
