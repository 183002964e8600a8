package ch01

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/trace"
)

func runs(t *check.T) {
	const want = "29 goroutines, the sum of squares is 8555\n"
	run := t.Play("squares.go", nil)
	if run.Status != 0 || run.Stdout != want {
		t.Errorf("squares.go must print %q and end with exit status 0; it printed %q and ended with %d %s", want, run.Stdout, run.Status, run.Fatal)
	}
	created, exited := map[int64]int{}, map[int64]int{}
	for _, e := range run.Log.Events {
		switch e.Kind {
		case trace.Create:
			created[e.G]++
		case trace.Exit:
			exited[e.G]++
		}
	}
	for goid := int64(2); goid <= 30; goid++ {
		if created[goid] != 1 || exited[goid] != 1 {
			t.Fatalf("goroutine %d must be created once and end once; it was created %d times and ended %d times", goid, created[goid], exited[goid])
		}
	}
}

func waves(t *check.T) {
	const most = 12 // main, ten of a wave, and one to spare
	run := t.Play("waves.go", func(o *gmp.Options) { o.Trace = false })
	made := run.Sched.Allglen.Load()
	if made > most {
		t.Fatalf("waves.go runs 10,000 goroutines, at most 11 at a time; %d Gs were made for them; with reuse there would be at most %d", made, most)
	}
	const want = "10000 goroutines have run\n"
	if run.Stdout != want {
		t.Errorf("waves.go must print %q; it printed %q and ended with %d %s", want, run.Stdout, run.Status, run.Fatal)
	}
	if free := int64(run.Sched.GFree.N.Get()); free != made-1 {
		t.Errorf("at the end all Gs but main's must be on the free list, %d of them; GFree.N is %d", made-1, free)
	}
}
