// A heap profile: what is in use and what has been given back, in objects and
// in bytes. The sizes of blocks are labels.
package main

import (
	"encoding/json"
	"os"
	"runtime"
	"runtime/pprof"
)

type tree struct {
	left, right *tree
	payload     [40]byte
}

//go:noinline
func grow(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{left: grow(depth - 1), right: grow(depth - 1)}
}

//go:noinline
func churn(n int) (sum int) {
	for i := 0; i < n; i++ {
		block := make([]byte, 1<<(i%12))
		copy(block, "churn")
		keep = block
		sum += len(block)
	}
	return sum
}

// What the library allocates, with stacks of its own.
//
//go:noinline
func decode(n int) {
	for i := 0; i < n; i++ {
		var value map[string]any
		text := `{"name": "x", "list": [1, 2, {"deep": [true, null, "y"]}]}`
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			panic(err)
		}
		if i%3 == 0 {
			decoded = append(decoded, value)
		}
	}
}

var keep []byte
var decoded []map[string]any
var table = map[int]*tree{}

//go:noinline
func fill(n int) {
	for i := 0; i < n; i++ {
		table[i] = grow(2)
	}
}

func main() {
	runtime.MemProfileRate = 1024
	fill(300)
	root := grow(11)
	churn(20000)
	decode(2000)
	runtime.GC()
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := pprof.Lookup("heap").WriteTo(file, 0); err != nil {
		panic(err)
	}
	if err := file.Close(); err != nil {
		panic(err)
	}
	runtime.KeepAlive(root)
}
