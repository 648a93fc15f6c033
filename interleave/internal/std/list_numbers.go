package std

// Numbers, times, addresses, chance.

var _ = add("math/big", `
	MayReadAll: Int.BitLen Int.Bit Int.Bytes Int.Cmp Int.CmpAbs Int.Float64 Int.GobEncode Int.Int64 Int.IsInt64 Int.IsUint64 Int.MarshalJSON Int.MarshalText Int.ProbablyPrime
	MayReadAll: Int.Sign Int.String Int.Text Int.TrailingZeroBits Int.Uint64 Jacobi
	MayWriteAll MayReadAll: Int.Abs Int.Add Int.And Int.AndNot Int.Div Int.Exp Int.Lsh Int.Mod Int.ModInverse Int.ModSqrt Int.Mul Int.Neg Int.Not Int.Or Int.Quo Int.Rem Int.Rsh
	MayWriteAll MayReadAll: Int.Set Int.SetBit Int.Sqrt Int.Sub Int.Xor
	MayWriteAll MayReadAll MayReadAll MayWriteAll: Int.DivMod Int.QuoRem
	MayWriteAll MayWriteAll MayWriteAll MayReadAll: Int.GCD
	MayWriteAll MayRead: Int.GobDecode Int.SetBytes Int.UnmarshalJSON Int.UnmarshalText
	MayReadAll MayWrite: Int.FillBytes
	MayReadAll MayAppend: Int.Append Int.AppendText
	MayReadAll MayWriteAll: Int.Format
	MayReadAll: Rat.Cmp Rat.Float32 Rat.Float64 Rat.FloatPrec Rat.FloatString Rat.IsInt Rat.MarshalText Rat.RatString Rat.Sign Rat.String
	MayWriteAll MayReadAll: Rat.Abs Rat.Add Rat.Inv Rat.Mul Rat.Neg Rat.Quo Rat.Set Rat.SetFrac Rat.SetInt Rat.Sub
	MayReadAll: Float.Acc Float.Cmp Float.Float32 Float.Float64 Float.Int64 Float.IsInf Float.IsInt Float.MarshalText Float.MinPrec Float.Mode Float.Prec Float.Sign Float.Signbit
	MayReadAll: Float.String Float.Text Float.Uint64
	MayWriteAll MayReadAll: Float.Abs Float.Add Float.Copy Float.Mul Float.Neg Float.Quo Float.Set Float.SetInt Float.SetRat Float.Sqrt Float.Sub
	MayReadAll MayAppend: Float.Append Float.AppendText
`)

var _ = add("math/rand", `
	chance: ExpFloat64 Float32 Float64 Int Int31 Int31n Int63 Int63n Intn NormFloat64 Perm Seed Shuffle Uint32 Uint64
	MayWrite chance: Read
	Nothing: New NewZipf
	MayWriteAll MayWrite: Rand.Read
`)

var _ = add("math/rand/v2", `
	chance: ExpFloat64 Float32 Float64 Int Int32 Int32N Int64 Int64N IntN N NormFloat64 Perm Shuffle Uint Uint32 Uint32N Uint64 Uint64N UintN
	Nothing: New NewZipf
`)

var _ = add("crypto/rand", `
	MayWrite chance quiet: Read
	Calls MayReadAll chance quiet: Int
	Calls chance quiet: Prime
	chance quiet: Text
`)

var _ = add("hash/maphash", `
	chance: MakeSeed String Hash.Seed Hash.Sum64 Hash.WriteByte Hash.WriteString
	MayRead chance: Bytes
	Nothing chance: Comparable
	MayWriteAll MayAppend chance: Hash.Sum
	MayWriteAll MayRead chance: Hash.Write
	MayWriteAll Nothing chance: WriteComparable
`)

var _ = add("time", `
	chance quiet: Now Since Until
	quiet: Date Unix UnixMilli UnixMicro Parse ParseInLocation ParseDuration FixedZone
	quiet: Duration.Abs Duration.Hours Duration.Microseconds Duration.Milliseconds Duration.Minutes Duration.Nanoseconds Duration.Round Duration.Seconds Duration.String Duration.Truncate
	quiet: Month.String Weekday.String Location.String
	quiet: Time.Add Time.AddDate Time.After Time.Before Time.Clock Time.Compare Time.Date Time.Day Time.Equal Time.Format Time.GoString Time.GobEncode Time.Hour Time.ISOWeek Time.In Time.IsDST
	quiet: Time.IsZero Time.Local Time.Location Time.MarshalBinary Time.MarshalJSON Time.MarshalText Time.Minute Time.Month Time.Nanosecond Time.Round Time.Second Time.String Time.Sub
	quiet: Time.Truncate Time.UTC Time.Unix Time.UnixMicro Time.UnixMilli Time.UnixNano Time.Weekday Time.Year Time.YearDay Time.Zone
	MayAppend quiet: Time.AppendBinary Time.AppendFormat Time.AppendText
	MayWrite MayRead quiet: Time.GobDecode Time.UnmarshalBinary Time.UnmarshalJSON Time.UnmarshalText
	MayRead quiet: ParseError.Error
`)

var _ = add("net/netip", `
	MayRead: AddrFromSlice
	MayAppend: Addr.AppendBinary Addr.AppendText Addr.AppendTo AddrPort.AppendBinary AddrPort.AppendText AddrPort.AppendTo Prefix.AppendBinary Prefix.AppendText Prefix.AppendTo
	MayWrite MayRead: Addr.UnmarshalBinary Addr.UnmarshalText AddrPort.UnmarshalBinary AddrPort.UnmarshalText Prefix.UnmarshalBinary Prefix.UnmarshalText
`)

var _ = add("net/url", `
	MayRead: JoinPath Error.Error Error.Temporary Error.Timeout Error.Unwrap Userinfo.Password Userinfo.String Userinfo.Username Values.Encode Values.Get Values.Has
	MayReadAll: URL.EscapedFragment URL.EscapedPath URL.Hostname URL.IsAbs URL.JoinPath URL.MarshalBinary URL.Parse URL.Port URL.Query URL.Redacted URL.RequestURI URL.ResolveReference URL.String
	MayReadAll MayAppend: URL.AppendBinary
	MayWrite MayRead: URL.UnmarshalBinary
	MayWrite: Values.Del Values.Set
`)
