package main

import "fmt"

type job struct {
	id   int
	name string
	data [5]int32
}

type result struct {
	job job
	sum int64
	err error
}

func worker(jobs <-chan job, results chan<- result, done chan<- bool) {
	for j := range jobs {
		r := result{job: j}
		for _, v := range j.data {
			r.sum += int64(v)
		}
		if j.id%7 == 0 {
			r.err = fmt.Errorf("job %d is bad", j.id)
		}
		results <- r
	}
	done <- true
}

func deep(n int, c chan int) int {
	var pad [20]int
	pad[n%20] = n
	if n == 0 {
		return <-c
	}
	return deep(n-1, c) + pad[n%20]
}

func main() {
	jobs, results, done := make(chan job, 4), make(chan result, 2), make(chan bool)
	for range 3 {
		go worker(jobs, results, done)
	}
	go func() {
		for i := range 30 {
			jobs <- job{i, fmt.Sprint("job ", i), [5]int32{int32(i), -1, 2, -3, 4}}
		}
		close(jobs)
	}()
	go func() {
		for range 3 {
			<-done
		}
		close(results)
	}()
	all := make([]result, 30)
	for r := range results {
		all[r.job.id] = r
	}
	for _, r := range all {
		fmt.Println(r.job.id, r.job.name, r.job.data, r.sum, r.err)
	}

	c := make(chan int)
	sums := make(chan int)
	for i := range 5 {
		go func() { sums <- deep(20*(i+1), c) }()
	}
	total := 0
	for range 5 {
		c <- 1
	}
	for range 5 {
		total += <-sums
	}
	fmt.Println(total)
}
