// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --verify-roundtrip -o /dev/null

func.func @f(%a: index, %b: index, %i: i32, %u: ui8) {
  %0 = index.add %a, %b
  %1 = index.ceildivs %a, %b {tag}
  %2 = index.casts %a : index to i32
  %3 = index.castu %u : ui8 to index
  %4 = index.cmp slt(%a, %b)
  %5 = index.sizeof
  %6 = index.constant -3
  %7 = index.bool.constant true
  %c = index.constant {tag} 9
  %d = index.cmp uge(%a, %b) {tag}
  %b0 = index.and %a, %b
  %b1 = index.ceildivu %a, %b
  %b2 = index.divs %a, %b
  %b3 = index.divu %a, %b
  %b4 = index.floordivs %a, %b
  %b5 = index.maxs %a, %b
  %b6 = index.maxu %a, %b
  %b7 = index.mins %a, %b
  %b8 = index.minu %a, %b
  %b9 = index.mul %a, %b
  %b10 = index.or %a, %b
  %b11 = index.rems %a, %b
  %b12 = index.remu %a, %b
  %b13 = index.shl %a, %b
  %b14 = index.shrs %a, %b
  %b15 = index.shru %a, %b
  %b16 = index.sub %a, %b
  %b17 = index.xor %a, %b
  return
}
