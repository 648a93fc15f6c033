package record

import (
	"fmt"
	"os"
	"strconv"
)

// SeedVar is the environment variable that sets the seed of tests.
const SeedVar = "SPINDLE_SEED"

// ParseSeed reads a seed, decimal or hexadecimal after 0x. Errors wrap ErrFormat.
func ParseSeed(text string) (Seed, error) {
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("record: seed %q: %w: expected a number of 64 bits, decimal or hexadecimal after 0x", text, ErrFormat)
	}
	return Seed(n), nil
}

// SeedFromEnv returns the seed that SPINDLE_SEED sets, or otherwise.
func SeedFromEnv(otherwise uint64) (Seed, error) {
	text := os.Getenv(SeedVar)
	if text == "" {
		return Seed(otherwise), nil
	}
	s, err := ParseSeed(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", SeedVar, err)
	}
	return s, nil
}

// Set reads what ParseSeed reads: a *Seed is a flag.Value.
func (s *Seed) Set(text string) error {
	n, err := ParseSeed(text)
	if err == nil {
		*s = n
	}
	return err
}
