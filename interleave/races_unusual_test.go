package interleave_test

func unusual() []pair { return nil }
