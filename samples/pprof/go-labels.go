// A CPU profile whose samples carry labels, some with two, one with odd bytes.
package main

import (
	"context"
	"crypto/sha256"
	"os"
	"runtime/pprof"
	"sync"
	"time"
)

//go:noinline
func serve(end time.Time) {
	block := make([]byte, 4096)
	for time.Now().Before(end) {
		sum := sha256.Sum256(block)
		copy(block, sum[:])
	}
}

func main() {
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		panic(err)
	}
	var group sync.WaitGroup
	for _, user := range []string{"anna", "böhm", "c \"d\"", "e\xff\x00"} {
		user := user
		group.Add(1)
		go func() {
			defer group.Done()
			pprof.Do(context.Background(), pprof.Labels("user", user), func(c context.Context) {
				serve(time.Now().Add(150 * time.Millisecond))
				pprof.Do(c, pprof.Labels("request", "GET /", "user", user), func(context.Context) {
					serve(time.Now().Add(150 * time.Millisecond))
				})
			})
		}()
	}
	serve(time.Now().Add(200 * time.Millisecond))
	group.Wait()
	pprof.StopCPUProfile()
	if err := file.Close(); err != nil {
		panic(err)
	}
}
