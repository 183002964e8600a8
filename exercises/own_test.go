package exercises

import (
	"testing"

	suite01 "gosched/chapters/ch01_goroutine"
	suite02 "gosched/chapters/ch02_onethread"
	suite03 "gosched/chapters/ch03_park"
	suite04 "gosched/chapters/ch04_select"
	suite05 "gosched/chapters/ch05_threads"
	suite06 "gosched/chapters/ch06_p"
	suite07 "gosched/chapters/ch07_runq"
	suite08 "gosched/chapters/ch08_loop"
	suite09 "gosched/chapters/ch09_steal"
	suite10 "gosched/chapters/ch10_spin"
	suite11 "gosched/chapters/ch11_syscall"
	suite12 "gosched/chapters/ch12_sysmon"
	suite13 "gosched/chapters/ch13_stack"
	suite14 "gosched/chapters/ch14_signal"
	suite15 "gosched/chapters/ch15_timer"
	suite16 "gosched/chapters/ch16_netpoll"
	suite17 "gosched/chapters/ch17_stw"
	suite18 "gosched/chapters/ch18_whole"
)

// TestOwn runs the checks of each chapter on your own stack: your parts of that
// chapter and of those before it, as far as they are written.
func TestOwn(t *testing.T) {
	t.Run("ch01", func(t *testing.T) { suite01.Suite.TestOwn(t, Own("ch01")) })
	t.Run("ch02", func(t *testing.T) { suite02.Suite.TestOwn(t, Own("ch02")) })
	t.Run("ch03", func(t *testing.T) { suite03.Suite.TestOwn(t, Own("ch03")) })
	t.Run("ch04", func(t *testing.T) { suite04.Suite.TestOwn(t, Own("ch04")) })
	t.Run("ch05", func(t *testing.T) { suite05.Suite.TestOwn(t, Own("ch05")) })
	t.Run("ch06", func(t *testing.T) { suite06.Suite.TestOwn(t, Own("ch06")) })
	t.Run("ch07", func(t *testing.T) { suite07.Suite.TestOwn(t, Own("ch07")) })
	t.Run("ch08", func(t *testing.T) { suite08.Suite.TestOwn(t, Own("ch08")) })
	t.Run("ch09", func(t *testing.T) { suite09.Suite.TestOwn(t, Own("ch09")) })
	t.Run("ch10", func(t *testing.T) { suite10.Suite.TestOwn(t, Own("ch10")) })
	t.Run("ch11", func(t *testing.T) { suite11.Suite.TestOwn(t, Own("ch11")) })
	t.Run("ch12", func(t *testing.T) { suite12.Suite.TestOwn(t, Own("ch12")) })
	t.Run("ch13", func(t *testing.T) { suite13.Suite.TestOwn(t, Own("ch13")) })
	t.Run("ch14", func(t *testing.T) { suite14.Suite.TestOwn(t, Own("ch14")) })
	t.Run("ch15", func(t *testing.T) { suite15.Suite.TestOwn(t, Own("ch15")) })
	t.Run("ch16", func(t *testing.T) { suite16.Suite.TestOwn(t, Own("ch16")) })
	t.Run("ch17", func(t *testing.T) { suite17.Suite.TestOwn(t, Own("ch17")) })
	t.Run("ch18", func(t *testing.T) { suite18.Suite.TestOwn(t, Own("ch18")) })
}
