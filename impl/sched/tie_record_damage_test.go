package sched

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/spindle-go/spindle/conformance/trace"
	"github.com/spindle-go/spindle/conformance/trace/recording"
)

// eachDamage is how many damages of each kind are tried, in all programs.
const eachDamage = 300

// damageRecords drops records of a short run of a program, and swaps neighbours, in the buffers of Ms and in an
// order that agrees with these. Each must be refused: by the versions, or by the machine.
func damageRecords(d *trace.Dance, p program, r *recordings) error {
	threads, words, err := recorded(p, 20, Shipped{})
	if err != nil {
		return err
	}
	type operations = []trace.DanceOperation
	ordered := func(threads []*recording.Thread) (list operations, err error) {
		log := d.Log(words)
		return list, recording.Merge(threads, func(thread int, record *recording.Record) error {
			op, err := log.Operation(thread, record)
			list = append(list, op)
			return err
		})
	}
	follow := func(list operations) error {
		log := d.Log(words)
		for i := range list {
			if err := log.See(&list[i]); err != nil {
				return err
			}
		}
		return log.End()
	}
	list, err := ordered(threads)
	if err == nil {
		err = follow(list)
	}
	if err != nil {
		return fmt.Errorf("as it is: %w", err)
	}
	begin := slices.IndexFunc(list, func(op trace.DanceOperation) bool { return op.Site.Action == "RunQueue!GetCASNext" }) + 1
	step := func(op *trace.DanceOperation) bool { return isStep(&op.Step, op.Site.Place) }
	depends := func(a, b *trace.DanceOperation) bool { // b comes directly after a, and could not come before
		return step(a) && step(b) && a.Kind != "Unlock" && (a.Thread == b.Thread || a.Object == b.Object && (a.Changed || b.Changed))
	}
	refused := func(what string, at *trace.DanceOperation, err error) {
		var diverges *trace.Divergence
		switch {
		case err == nil:
			r.Wrong = append(r.Wrong, fmt.Sprintf("%s: %s of M %d at %s:%d %s: expected that it is refused", what, at.Kind, at.Thread+1, at.Site.Func, at.Site.Line, at.Site.Action))
		case errors.As(err, &diverges):
			r.Damaged[what+", seen by the machine"]++
		default:
			r.Damaged[what+", seen by the versions"]++
		}
	}
	for cut := 1; cut <= 5; cut++ { // the last M is on its way to sleep there
		refused("cut off", &list[len(list)-cut], follow(list[:len(list)-cut]))
	}
	random := rand.New(rand.NewPCG(uint64(len(list)), 1))
	for tried := [4]int{}; tried != [4]int{eachDamage / 3, eachDamage / 3, eachDamage / 3, eachDamage / 3}; {
		n := begin + random.IntN(len(list)-begin)
		if step(&list[n]) && tried[0] < eachDamage/3 {
			tried[0]++
			refused("dropped", &list[n], follow(slices.Delete(slices.Clone(list), n, n+1)))
		}
		if n > begin && depends(&list[n-1], &list[n]) && tried[1] < eachDamage/3 {
			tried[1]++
			bad := slices.Clone(list)
			bad[n-1], bad[n] = bad[n], bad[n-1]
			refused("swapped", &list[n], follow(bad))
		}
		thread := random.IntN(len(threads))
		records := threads[thread].Records
		if len(records) < 2 {
			continue
		}
		k := 1 + random.IntN(len(records)-1)
		var ops [2]trace.DanceOperation
		for i := range ops {
			if ops[i], err = d.Log(words).Operation(thread, &records[k-1+i]); err != nil {
				return err
			}
		}
		inBuffer := func(what string, bad []recording.Record) {
			other := slices.Clone(threads)
			other[thread] = &recording.Thread{Records: bad}
			list, err := ordered(other)
			if err == nil {
				err = follow(list)
			}
			refused(what, &ops[1], err)
		}
		if step(&ops[1]) && tried[2] < eachDamage/3 && !(thread == 0 && k < begin) {
			tried[2]++
			inBuffer("dropped from a buffer", slices.Delete(slices.Clone(records), k, k+1))
		}
		if depends(&ops[0], &ops[1]) && tried[3] < eachDamage/3 && !(thread == 0 && k-1 < begin) {
			tried[3]++
			bad := slices.Clone(records)
			bad[k-1], bad[k] = bad[k], bad[k-1]
			inBuffer("swapped in a buffer", bad)
		}
	}
	return nil
}
