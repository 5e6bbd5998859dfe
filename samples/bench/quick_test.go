//go:build !slower

package words

const repetitions = 1
