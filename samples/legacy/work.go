// A program that allocates, waits, and holds locks, and writes what Go says of that as text.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

var kept [][]byte

func allocate(size, count int) {
	for i := 0; i < count; i++ {
		kept = append(kept, make([]byte, size))
	}
}

func wait(ready *sync.WaitGroup, end chan bool) {
	ready.Done()
	<-end
}

func lock(mutex *sync.Mutex) {
	mutex.Lock()
	time.Sleep(time.Millisecond)
	mutex.Unlock()
}

func write(folder, profile string, debug int) {
	file, err := os.Create(fmt.Sprintf("%s/%s-debug%d.txt", folder, profile, debug))
	if err == nil {
		err = pprof.Lookup(profile).WriteTo(file, debug)
	}
	if err != nil {
		panic(err)
	}
	file.Close()
}

func main() {
	runtime.MemProfileRate = 4096
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)

	allocate(3000, 100)
	allocate(64, 2000)
	kept = append([][]byte(nil), kept[:50]...)
	runtime.GC()
	runtime.GC() // the profile is that of the last but one

	var mutex sync.Mutex
	var ready, done sync.WaitGroup
	end := make(chan bool)
	for i := 0; i < 3; i++ {
		ready.Add(1)
		done.Add(1)
		user := fmt.Sprintf("user \"%d\"\n", i/2)
		go pprof.Do(context.Background(), pprof.Labels("user", user), func(context.Context) {
			lock(&mutex)
			wait(&ready, end)
			done.Done()
		})
	}
	ready.Wait()
	for _, profile := range []string{"heap", "goroutine", "mutex", "block", "threadcreate"} {
		write(os.Args[1], profile, 1)
	}
	write(os.Args[1], "goroutine", 2)
	close(end)
	done.Wait()
	runtime.KeepAlive(kept)
}
