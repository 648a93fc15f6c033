module github.com/spindle-go/spindle/interleave/beside

go 1.26

require (
	example.com/dependency v0.0.0
	github.com/spindle-go/spindle v0.0.0
)

replace example.com/dependency => ./dependency
