module example.com/litmus

go 1.26

require github.com/spindle-go/spindle v0.0.0
