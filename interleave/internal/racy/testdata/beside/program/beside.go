package program

import "example.com/dependency"

// others is what an object has of the dependency.
type others struct {
	*dependency.Plain
	box     dependency.Box[string]
	ints    []int
	counter dependency.Counter
	cache   dependency.Cache
	latest  dependency.Latest
	mailbox *dependency.Mailbox
	lazy    dependency.Lazy
}

func of(o *object) *others { return o.others.(*others) }

func init() {
	under, begin = dependency.Under, dependency.Go
	newOthers = func() any {
		return &others{Plain: dependency.NewPlain(), ints: make([]int, 3), mailbox: dependency.NewMailbox()}
	}
	plain := group{
		name: "a dependency's, without locks",
		read: []func(o *object, k *sink){
			func(o *object, k *sink) { k.n = of(o).Get() },
			func(o *object, k *sink) { k.n, _ = of(o).Both() },
			func(o *object, k *sink) { k.n = of(o).Copied() },
			func(o *object, k *sink) { k.n = int(of(o).Small(1)) },
			func(o *object, k *sink) { k.text = of(o).Words() },
			func(o *object, k *sink) { k.any = of(o).Sorted() },
			func(o *object, k *sink) { k.n = of(o).Look("a") },
			func(o *object, k *sink) { k.text = of(o).Log() },
			func(o *object, k *sink) { k.n = of(o).Last() },
			func(o *object, k *sink) { k.any = of(o).Is() },
			func(o *object, k *sink) { of(o).Each(func(word string) { k.text = word; k.n = of(o).N }) },
			func(o *object, k *sink) { k.n = of(o).M },
			func(o *object, k *sink) { k.text = of(o).box.Get() },
			func(o *object, k *sink) { k.n = of(o).box.Len() },
			func(o *object, k *sink) { k.n = dependency.Max(of(o).ints) },
			func(o *object, k *sink) { f := of(o).Both; k.n, _ = f() },
			func(o *object, k *sink) { var i interface{ Last() int } = of(o); k.n = i.Last() },
		},
		write: []func(o *object, n int32){
			func(o *object, n int32) { of(o).Set(int(n)) },
			func(o *object, n int32) { of(o).Swap() },
			func(o *object, n int32) { of(o).SetSmall(2) },
			func(o *object, n int32) { of(o).SetSmall(1) },
			func(o *object, n int32) { of(o).Sort() },
			func(o *object, n int32) { of(o).Add("d"); of(o).Words() },
			func(o *object, n int32) { of(o).Put("b") },
			func(o *object, n int32) { of(o).Drop("a") },
			func(o *object, n int32) { of(o).Say(int(n)) },
			func(o *object, n int32) { of(o).Link() },
			func(o *object, n int32) { of(o).Reset() },
			func(o *object, n int32) { of(o).Plain = dependency.NewPlain() },
			func(o *object, n int32) { of(o).Clear() },
			func(o *object, n int32) { of(o).Change(func(n, m *int) { *n, *m = *m, 1 }) },
			func(o *object, n int32) { of(o).M = 3 },
			func(o *object, n int32) { of(o).box.Set("v") },
			func(o *object, n int32) { of(o).box.Push("w") },
			func(o *object, n int32) { dependency.Fill(of(o).ints, 4) },
			func(o *object, n int32) { defer of(o).Swap() },
		},
	}
	guarded := group{
		name: "a dependency's, with locks",
		read: []func(o *object, k *sink){
			func(o *object, k *sink) { k.n = of(o).counter.N },
			func(o *object, k *sink) { k.n = of(o).cache.Size() },
		},
		write: []func(o *object, n int32){
			func(o *object, n int32) { of(o).counter.N++ },
			func(o *object, n int32) { of(o).lazy.P = dependency.NewPlain() },
			func(o *object, n int32) { of(o).latest.Spoil() },
		},
		ask: []func(o *object, n int32){
			func(o *object, n int32) { of(o).counter.Add() },
			func(o *object, n int32) { _ = of(o).counter.Get() },
			func(o *object, n int32) { of(o).counter.Do(func(p *int) { *p += int(n) }) },
			func(o *object, n int32) { _ = of(o).counter.Try() },
			func(o *object, n int32) { _ = of(o).cache.Get("a", func() int { return int(n) }) },
			func(o *object, n int32) { of(o).latest.Publish(int(n)) },
			func(o *object, n int32) { _ = of(o).latest.Get() },
			func(o *object, n int32) { of(o).mailbox.Post(int(n)) },
			func(o *object, n int32) { _ = of(o).mailbox.Take() },
			func(o *object, n int32) { _ = of(o).lazy.Get() },
			func(o *object, n int32) { _ = dependency.Pooled(int(n)) },
			func(o *object, n int32) { _ = dependency.Parallel(func(p *int) { *p = int(n) }) },
		},
	}
	for range 3 { // these are what it is about
		groups = append(groups, plain, guarded)
	}
}
