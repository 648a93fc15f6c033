package record

import (
	"fmt"
	"os"
	"strconv"
)

// A Seed is where a run's random choices begin. Its text form is hexadecimal after
// 0x: numbers of 64 bits are not safe in JSON.
type Seed uint64

// SeedVar is the environment variable that sets the seed of tests.
const SeedVar = "SPINDLE_SEED"

// String returns the seed as "0x1f".
func (s Seed) String() string { return fmt.Sprintf("%#x", uint64(s)) }

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

// MarshalText returns the seed's text form.
func (s Seed) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what ParseSeed reads.
func (s *Seed) UnmarshalText(text []byte) error {
	n, err := ParseSeed(string(text))
	if err == nil {
		*s = n
	}
	return err
}

// Set makes a *Seed a flag.Value.
func (s *Seed) Set(text string) error { return s.UnmarshalText([]byte(text)) }
