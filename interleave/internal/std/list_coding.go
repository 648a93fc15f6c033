package std

// Encodings and hashes.

var _ = add("encoding/binary", `
	MayRead: Uvarint Varint Size
	MayRead: bigEndian.Uint16 bigEndian.Uint32 bigEndian.Uint64 littleEndian.Uint16 littleEndian.Uint32 littleEndian.Uint64
	MayWrite: PutUvarint PutVarint
	MayWrite: bigEndian.PutUint16 bigEndian.PutUint32 bigEndian.PutUint64 littleEndian.PutUint16 littleEndian.PutUint32 littleEndian.PutUint64
	MayAppend: AppendUvarint AppendVarint
	MayAppend: bigEndian.AppendUint16 bigEndian.AppendUint32 bigEndian.AppendUint64 littleEndian.AppendUint16 littleEndian.AppendUint32 littleEndian.AppendUint64
	MayAppend Nothing MayReadAll: Append
	MayRead Nothing MayWriteAll: Decode
	MayWrite Nothing MayReadAll: Encode
	Calls Nothing MayWriteAll: Read
	Calls Nothing MayReadAll: Write
	Calls: ReadUvarint ReadVarint
`)

var _ = add("encoding/hex", `
	MayRead: Dump EncodeToString
	MayWrite MayRead: Decode Encode
	MayAppend MayRead: AppendDecode AppendEncode
	Nothing: Dumper NewDecoder NewEncoder
`)

var _ = add("encoding/base64", base)
var _ = add("encoding/base32", base)

const base = `
	MayRead: Encoding.DecodeString Encoding.DecodedLen Encoding.EncodeToString Encoding.EncodedLen
	MayRead MayWrite MayRead: Encoding.Decode Encoding.Encode
	MayRead MayAppend MayRead: Encoding.AppendDecode Encoding.AppendEncode
	Nothing: NewDecoder NewEncoder
`

var _ = add("encoding/pem", `
	MayRead: Decode
	MayReadAll: EncodeToMemory
	Calls MayReadAll: Encode
`)

var _ = add("encoding/csv", `Nothing: NewReader NewWriter`)

var _ = add("encoding/json", `
	MayReadAll: Marshal MarshalIndent
	MayRead: Valid
	MayRead MayWriteAll: Unmarshal
	WritesAll MayRead: Compact HTMLEscape Indent
	Nothing: NewDecoder NewEncoder
	MayWriteAll MayReadAll: Encoder.Encode
`)

var _ = add("hash/crc32", `
	MayRead: Checksum ChecksumIEEE Update
	Nothing: New
`)

var _ = add("hash/crc64", `
	MayRead: Checksum Update
	Nothing: New
`)

var _ = add("hash/adler32", `MayRead: Checksum`)
var _ = add("crypto/md5", `MayRead: Sum`)
var _ = add("crypto/sha1", `MayRead: Sum`)
var _ = add("crypto/sha256", `MayRead: Sum224 Sum256`)
var _ = add("crypto/sha512", `MayRead: Sum384 Sum512 Sum512_224 Sum512_256`)
var _ = add("crypto/sha3", `MayRead: Sum224 Sum256 Sum384 Sum512 SumSHAKE128 SumSHAKE256`)
var _ = add("crypto/hmac", `MayRead: Equal New`)

var _ = add("crypto/subtle", `
	MayRead: ConstantTimeCompare
	MayWrite MayRead: ConstantTimeCopy XORBytes
`)
