// A CPU profile: recursion, two goroutines and the standard library.
package main

import (
	"os"
	"runtime/pprof"
	"sort"
	"strings"
	"sync"
	"time"
)

//go:noinline
func fibonacci(n int) int {
	if n < 2 {
		return n
	}
	return fibonacci(n-1) + fibonacci(n-2)
}

//go:noinline
func words(n int) []string {
	var b strings.Builder
	for i := 0; i < n; i++ {
		b.WriteString(strings.Repeat(string(rune('a'+i*7919%26)), i%5+1))
		b.WriteByte(' ')
	}
	return strings.Fields(b.String())
}

//go:noinline
func sortWords() {
	w := words(3000)
	sort.Slice(w, func(i, j int) bool { return w[i] < w[j] })
}

func main() {
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		panic(err)
	}
	end := time.Now().Add(1500 * time.Millisecond)
	var group sync.WaitGroup
	for _, work := range []func(){func() { fibonacci(20) }, sortWords} {
		work := work
		group.Add(1)
		go func() {
			defer group.Done()
			for time.Now().Before(end) {
				work()
			}
		}()
	}
	group.Wait()
	pprof.StopCPUProfile()
	if err := file.Close(); err != nil {
		panic(err)
	}
}
