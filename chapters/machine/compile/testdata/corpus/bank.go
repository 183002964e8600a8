package main

import (
	"fmt"
	"runtime"
)

type Account struct {
	ID      int
	Balance int64
	History []Entry
}

type Entry struct {
	Kind   string
	Amount int64
	After  int64
}

type Bank struct {
	accounts []*Account
	rejected int
	locked   bool
}

func (a *Account) apply(kind string, amount int64) bool {
	if a.Balance+amount < 0 {
		return false
	}
	a.Balance += amount
	a.History = append(a.History, Entry{kind, amount, a.Balance})
	return true
}

func (b *Bank) lock() {
	for b.locked {
		runtime.Gosched()
	}
	b.locked = true
}

func (b *Bank) unlock() { b.locked = false }

func (b *Bank) transfer(from, to int, amount int64) bool {
	b.lock()
	src, dst := b.accounts[from], b.accounts[to]
	if !src.apply("out", -amount) {
		b.rejected++
		b.unlock()
		return false
	}
	runtime.Gosched()
	dst.apply("in", amount)
	b.unlock()
	return true
}

func (b *Bank) total() (t int64) {
	for _, a := range b.accounts {
		t += a.Balance
	}
	return
}

func main() {
	b := &Bank{}
	for i := range 5 {
		b.accounts = append(b.accounts, &Account{ID: i, Balance: int64(100 * (i + 1))})
	}
	before := b.total()
	done := 0
	for w := range 4 {
		go func() {
			seed := uint64(w*7919 + 17)
			for range 50 {
				seed = seed*6364136223846793005 + 1442695040888963407
				from, to := int(seed>>33%5), int(seed>>40%5)
				b.transfer(from, to, int64(seed>>50%120))
			}
			done++
		}()
	}
	for done < 4 {
		runtime.Gosched()
	}
	fmt.Println(before, b.total(), before == b.total())
	n := 0
	for _, a := range b.accounts {
		n += len(a.History)
		last := a.History[len(a.History)-1]
		fmt.Println(a.ID, last.After == a.Balance, a.Balance >= 0)
	}
	fmt.Println(n == 2*(200-b.rejected))
}
