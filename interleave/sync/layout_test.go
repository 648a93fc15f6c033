package sync

//lint:file-ignore U1000 the fields are looked at by reflection

import (
	"reflect"
	"testing"
)

func TestAlike(t *testing.T) {
	type a struct {
		x int32
		_ struct{}
		y struct{ p *int }
	}
	type order struct {
		y struct{ p *int }
		x int32
	}
	type kind struct {
		x int32
		y struct{ p uintptr }
	}
	type name struct {
		z int32
		y struct{ p *int }
	}
	type same struct {
		x int32
		y struct{ q *int }
	}
	for _, b := range []any{order{}, kind{}, name{}} {
		if alike(reflect.TypeFor[a](), reflect.TypeOf(b)) {
			t.Errorf("%T is not laid out as a", b)
		}
	}
	if !alike(reflect.TypeFor[a](), reflect.TypeFor[same]()) {
		t.Error("same is laid out as a")
	}
}
