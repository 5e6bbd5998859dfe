// Benchmarks of two ways to count words. With -tags=slower one of them does more than it need do.
package words

import (
	"fmt"
	"strings"
	"testing"
)

func text(size int) string { return strings.Repeat("to be or not to be ", size/19+1)[:size] }

func count(text string) map[string]int {
	counts := map[string]int{}
	for _, word := range strings.Fields(text) {
		for i := 0; i < repetitions; i++ {
			counts[word]++
		}
	}
	return counts
}

func BenchmarkCount(b *testing.B) {
	for _, size := range []int{100, 10000} {
		b.Run(fmt.Sprintf("size=%d", size), func(b *testing.B) {
			words := text(size)
			b.SetBytes(int64(size))
			for i := 0; i < b.N; i++ {
				count(words)
			}
		})
	}
}

func BenchmarkFields(b *testing.B) {
	words, found := text(1000), 0
	for i := 0; i < b.N; i++ {
		found += len(strings.Fields(words))
	}
	b.ReportMetric(float64(found)/float64(b.N), "words/op")
}

func BenchmarkTiny(b *testing.B) {
	for i := 0; i < b.N; i++ {
		_ = len(strings.ToUpper("a"))
	}
}
