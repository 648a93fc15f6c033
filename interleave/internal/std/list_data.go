package std

// Text and bytes, slices and maps, containers.

var _ = add("bytes", `
	MayRead: Clone Compare Contains ContainsAny ContainsFunc ContainsRune Count Cut CutPrefix CutSuffix Equal EqualFold Fields FieldsFunc HasPrefix HasSuffix
	MayRead: Index IndexAny IndexByte IndexFunc IndexRune Join LastIndex LastIndexAny LastIndexByte LastIndexFunc Map Repeat Replace ReplaceAll Runes
	MayRead: Split SplitAfter SplitAfterN SplitN Title ToLower ToLowerSpecial ToTitle ToTitleSpecial ToUpper ToUpperSpecial ToValidUTF8
	MayRead: Trim TrimFunc TrimLeft TrimLeftFunc TrimPrefix TrimRight TrimRightFunc TrimSpace TrimSuffix
	MayRead: FieldsFuncSeq FieldsSeq Lines SplitAfterSeq SplitSeq
	Nothing: NewBuffer NewReader
	Reads: Buffer.Available Buffer.AvailableBuffer Buffer.Bytes Buffer.Cap Buffer.Len Buffer.Peek
	ReadsAll: Buffer.String
	Writes: Buffer.Next Buffer.Reset Buffer.Truncate Buffer.UnreadByte Buffer.UnreadRune
	WritesAll: Buffer.Grow Buffer.WriteByte Buffer.WriteRune Buffer.WriteString
	WritesAll MayRead: Buffer.Write
	WritesAll Calls: Buffer.ReadFrom
	Consumes: Buffer.ReadByte Buffer.ReadBytes Buffer.ReadRune Buffer.ReadString
	Consumes MayWrite: Buffer.Read
	Consumes Calls: Buffer.WriteTo
	Reads: Reader.Len Reader.Size
	Writes: Reader.Seek Reader.UnreadByte Reader.UnreadRune
	Writes Nothing: Reader.Reset
	Consumes: Reader.ReadByte Reader.ReadRune
	Consumes MayWrite: Reader.Read
	Consumes Calls: Reader.WriteTo
	ReadsAll MayWrite: Reader.ReadAt
`)

var _ = add("strings", `
	MayRead: Join NewReplacer ToLowerSpecial ToTitleSpecial ToUpperSpecial
	Reads: Builder.Cap Builder.Len Builder.String
	Writes: Builder.Grow Builder.Reset Builder.WriteByte Builder.WriteRune Builder.WriteString
	Writes MayRead: Builder.Write
	Reads: Reader.Len Reader.Size
	Writes: Reader.ReadByte Reader.ReadRune Reader.Reset Reader.Seek Reader.UnreadByte Reader.UnreadRune
	Writes MayWrite: Reader.Read
	Writes Calls: Reader.WriteTo
	Reads MayWrite: Reader.ReadAt
	Nothing: Replacer.Replace
	Nothing Calls: Replacer.WriteString
`)

var _ = add("unicode/utf8", `
	MayRead: DecodeLastRune DecodeRune FullRune RuneCount Valid
	MayWrite: EncodeRune
	MayAppend: AppendRune
`)

var _ = add("unicode/utf16", `
	MayRead: Decode Encode
	MayAppend: AppendRune
`)

var _ = add("unicode", `
	MayReadAll: In Is IsOneOf
	MayRead: SpecialCase.ToLower SpecialCase.ToTitle SpecialCase.ToUpper
`)

var _ = add("strconv", `
	MayAppend: AppendBool AppendFloat AppendInt AppendQuote AppendQuoteRune AppendQuoteRuneToASCII AppendQuoteRuneToGraphic AppendQuoteToASCII AppendQuoteToGraphic AppendUint
	MayRead: NumError.Error NumError.Unwrap
`)

var _ = add("slices", `
	MayRead: All Backward BinarySearch Chunk Clone Compare CompareFunc Concat ContainsFunc Equal EqualFunc IndexFunc IsSorted IsSortedFunc Max MaxFunc Min MinFunc Repeat Values
	MayRead Nothing: BinarySearchFunc Contains Index
	MayWrite: Compact CompactFunc Delete DeleteFunc Reverse Sort SortFunc SortStableFunc
	MayAppend: AppendSeq
	MayExtend: Grow
	MayExtend MayRead: Insert Replace
	Nothing: Clip
`)

var _ = add("maps", `
	MayRead: All Clone Equal EqualFunc Keys Values
	MayWrite: DeleteFunc Insert
	MayWrite MayRead: Copy
`)

var _ = add("cmp", `Nothing: Or`)

var _ = add("sort", `
	MayRead: Float64sAreSorted IntsAreSorted SearchFloat64s SearchInts SearchStrings SliceIsSorted StringsAreSorted
	MayWrite: Float64s Ints Slice SliceStable Strings
	Calls: IsSorted Sort Stable
	Nothing: Reverse Float64Slice.Len IntSlice.Len StringSlice.Len
	MayRead: Float64Slice.Less Float64Slice.Search IntSlice.Less IntSlice.Search StringSlice.Less StringSlice.Search
	MayWrite: Float64Slice.Sort Float64Slice.Swap IntSlice.Sort IntSlice.Swap StringSlice.Sort StringSlice.Swap
`)

var _ = add("container/list", `
	Reads: Element.Next Element.Prev List.Back List.Front List.Len
	Writes: List.Init
	WritesAll Nothing: List.PushBack List.PushFront
	MayWriteAll Nothing MayWriteAll: List.InsertAfter List.InsertBefore
	WritesAll MayReadAll: List.PushBackList List.PushFrontList
`)

var _ = add("container/heap", `
	Calls: Fix Init Pop Remove
	Calls Nothing: Push
`)

var _ = add("regexp", `
	MayRead: Match Regexp.Copy Regexp.Find Regexp.FindAll Regexp.FindAllIndex Regexp.FindAllString Regexp.FindAllStringIndex Regexp.FindAllStringSubmatch Regexp.FindAllStringSubmatchIndex
	MayRead: Regexp.FindAllSubmatch Regexp.FindAllSubmatchIndex Regexp.FindIndex Regexp.FindString Regexp.FindStringIndex Regexp.FindStringSubmatch Regexp.FindStringSubmatchIndex
	MayRead: Regexp.FindSubmatch Regexp.FindSubmatchIndex Regexp.LiteralPrefix Regexp.MarshalText Regexp.Match Regexp.MatchString Regexp.NumSubexp
	MayRead: Regexp.ReplaceAll Regexp.ReplaceAllFunc Regexp.ReplaceAllLiteral Regexp.ReplaceAllLiteralString Regexp.ReplaceAllString Regexp.ReplaceAllStringFunc
	MayRead: Regexp.Split Regexp.String Regexp.SubexpIndex Regexp.SubexpNames
	MayRead MayAppend: Regexp.AppendText
	MayRead MayAppend MayRead: Regexp.Expand Regexp.ExpandString
	Calls: MatchReader
	MayRead Calls: Regexp.FindReaderIndex Regexp.FindReaderSubmatchIndex Regexp.MatchReader
	Writes: Regexp.Longest
	MayWriteAll MayRead: Regexp.UnmarshalText
`)

var _ = add("index/suffixarray", `
	MayRead: New
	MayReadAll MayRead: Index.Lookup
	Reads: Index.Bytes
`)
