package fuzz

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/conformance/property"
	"github.com/spindle-go/spindle/spec"
)

// TestEveryRequirementCanFail gives each requirement that lists this witness a
// queue that breaks it, and random programs: the requirement must be reported.
// A witness that cannot fail is no witness.
func TestEveryRequirementCanFail(t *testing.T) {
	for _, r := range spec.Requirements {
		if !slices.Contains(r.Witnesses, spec.Fuzz) {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			first := make(map[string]int)
			for seed := range uint64(2000) {
				_, err := Run(faulty(fault(r.ID)), random(seed))
				failure := new(property.Failure)
				if !errors.As(err, &failure) {
					continue
				}
				if slices.Contains(failure.Requirements(), r.ID) {
					return
				}
				first[failure.Requirements()[0]]++
			}
			t.Errorf("not reported for a queue that breaks it; reported first instead: %v", first)
		})
	}
	t.Run("a right queue", func(t *testing.T) {
		for seed := range uint64(2000) {
			if _, err := Run(faulty(""), random(seed)); err != nil {
				t.Fatalf("program %d: %v", seed, err)
			}
		}
	})
}

// random returns the bytes of a program of up to 64 calls, none on a ring of 256.
func random(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	data := make([]byte, 2+r.IntN(64))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	if data[0]%5 == 4 {
		data[0]--
	}
	return data
}
