//go:build ignore

// A crawler reads a web of pages that link to each other: several pages at a time, few of
// each host, each page once. The web is simulated: its hosts are goroutines at the other end
// of a net.Pipe, which take their time, and some of which fail at first.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"sort"
	"strings"
	"sync"
	"time"
)

const (
	hosts        = 12
	pagesPerHost = 25
	links        = 4                // on each page
	latency      = time.Millisecond // of the slowest host
)

// A web answers requests, and counts them.
type web struct {
	mu       sync.Mutex
	requests map[string]int // by URL
	busy     map[string]int // requests at the moment, by host
	most     map[string]int // at any moment
}

// dial connects to a host.
func (w *web) dial(host string) net.Conn {
	client, server := net.Pipe()
	go w.serve(host, server)
	return client
}

// serve answers one request: with "ok" and the page's links, or with an error.
func (w *web) serve(host string, c net.Conn) {
	defer c.Close()
	path, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return
	}
	path = strings.TrimSpace(path)
	w.mu.Lock()
	w.requests[host+path]++
	tries := w.requests[host+path]
	w.busy[host]++
	w.most[host] = max(w.most[host], w.busy[host])
	w.mu.Unlock()
	seed := hash(host + path)
	time.Sleep(latency * time.Duration(hash(host)%100) / 100)
	w.mu.Lock()
	w.busy[host]--
	w.mu.Unlock()
	switch {
	case seed%17 == 0:
		fmt.Fprintln(c, "error: gone")
	case seed%5 == 0 && tries < 3:
		fmt.Fprintln(c, "error: overloaded")
	default:
		fmt.Fprintln(c, "ok")
		for i := range uint32(links) {
			seed = hash(fmt.Sprint(seed, i))
			fmt.Fprintf(c, "host%d.example/page%d\n", seed%hosts, seed/hosts%pagesPerHost)
		}
	}
}

// hash is FNV-1a.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

var errOverloaded = errors.New("overloaded")

// get returns the links on a page.
func get(ctx context.Context, w *web, url string) ([]string, error) {
	host, path, _ := strings.Cut(url, "/")
	c := w.dial(host)
	defer c.Close()
	if deadline, ok := ctx.Deadline(); ok {
		c.SetDeadline(deadline)
	}
	if _, err := fmt.Fprintf(c, "/%s\n", path); err != nil {
		return nil, err
	}
	in := bufio.NewScanner(c)
	if !in.Scan() {
		return nil, fmt.Errorf("%s: no answer: %w", url, in.Err())
	}
	switch status := in.Text(); status {
	case "ok":
	case "error: overloaded":
		return nil, fmt.Errorf("%s: %w", url, errOverloaded)
	default:
		return nil, fmt.Errorf("%s: %s", url, strings.TrimPrefix(status, "error: "))
	}
	var found []string
	for in.Scan() {
		found = append(found, in.Text())
	}
	return found, in.Err()
}

// A crawler reads pages.
type crawler struct {
	web     *web
	reading chan bool // as many as may be read at once
	pages   sync.WaitGroup

	mu     sync.Mutex
	seen   map[string]bool
	ofHost map[string]chan bool // as many as may be read of one host at once
	read   int
	errs   []string
}

// crawl reads the page at url, and all that it leads to, unless it has been seen.
func (r *crawler) crawl(ctx context.Context, url string) {
	host, _, _ := strings.Cut(url, "/")
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen[url] {
		return
	}
	r.seen[url] = true
	if r.ofHost[host] == nil {
		r.ofHost[host] = make(chan bool, 2)
	}
	turn := r.ofHost[host]
	r.pages.Go(func() {
		// The host's turn first: whoever waits for a host keeps no other from reading.
		turn <- true
		r.reading <- true
		found, err := r.retry(ctx, url)
		<-r.reading
		<-turn
		r.mu.Lock()
		if err != nil {
			r.errs = append(r.errs, err.Error())
		} else {
			r.read++
		}
		r.mu.Unlock()
		for _, url := range found {
			r.crawl(ctx, url)
		}
	})
}

// retry reads a page; if its host is overloaded, it waits twice as long before each try.
func (r *crawler) retry(ctx context.Context, url string) (found []string, err error) {
	wait := 100 * time.Microsecond
	for range 4 {
		found, err = get(ctx, r.web, url)
		if !errors.Is(err, errOverloaded) {
			return found, err
		}
		select {
		case <-time.After(wait):
			wait *= 2
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return found, err
}

func main() {
	w := &web{requests: map[string]int{}, busy: map[string]int{}, most: map[string]int{}}
	r := &crawler{web: w, reading: make(chan bool, 10), seen: map[string]bool{}, ofHost: map[string]chan bool{}}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r.crawl(ctx, "host0.example/page0")
	r.pages.Wait()

	requests, most := 0, 0
	for _, n := range w.requests {
		requests += n
	}
	for _, n := range w.most {
		most = max(most, n)
	}
	fmt.Println(r.read, "pages,", len(r.errs), "errors,", requests, "requests")
	fmt.Println("at most two of a host at once:", most <= 2)
	sort.Strings(r.errs)
	for _, err := range r.errs[:3] {
		fmt.Println(err)
	}
}
