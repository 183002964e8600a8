//go:build ignore

// Bank moves money between accounts: a mutex for each account, and one for the ledger,
// which all want.
package main

import (
	"fmt"
	"sync"
)

type account struct {
	mu    sync.Mutex
	money int
}

type ledger struct {
	mu        sync.Mutex
	transfers int
}

// transfer locks the account with the smaller number first, so that no two transfers
// wait for each other.
func transfer(accounts []account, from, to, money int) {
	first, second := &accounts[min(from, to)], &accounts[max(from, to)]
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	accounts[from].money -= money
	accounts[to].money += money
}

func main() {
	accounts := make([]account, 4)
	for i := range accounts {
		accounts[i].money = 1000
	}
	var book ledger
	var wg sync.WaitGroup
	for clerk := range 16 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 200 {
				from := (clerk + i) % len(accounts)
				transfer(accounts, from, (from+1+i%3)%len(accounts), clerk*i%10)
				book.mu.Lock()
				book.transfers++
				book.mu.Unlock()
			}
		}()
	}
	wg.Wait()
	sum := 0
	for i := range accounts {
		sum += accounts[i].money
		fmt.Println("account", i, accounts[i].money)
	}
	fmt.Println("in all", sum, "after", book.transfers, "transfers")
}
