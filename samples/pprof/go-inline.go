// A CPU profile with inlined functions, three deep, from two callers.
package main

import (
	"os"
	"runtime/pprof"
	"time"
)

func square(x uint64) uint64 { return x * x }

func mix(x uint64) uint64 { return square(x) ^ x>>7 }

func step(x uint64) uint64 { return mix(x+1) + mix(x^0x5555) }

//go:noinline
func forwards(n uint64) (sum uint64) {
	for i := uint64(0); i < n; i++ {
		sum += step(i)
	}
	return sum
}

//go:noinline
func backwards(n uint64) (sum uint64) {
	for i := n; i > 0; i-- {
		sum ^= step(i) + square(i)
	}
	return sum
}

var result uint64

func main() {
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		panic(err)
	}
	for end := time.Now().Add(1500 * time.Millisecond); time.Now().Before(end); {
		result += forwards(100000) + backwards(100000)
	}
	pprof.StopCPUProfile()
	if err := file.Close(); err != nil {
		panic(err)
	}
}
