// Public functions declare the types of arguments and results, and the position of each value.
// RUN: %kopt %s --pass-pipeline='builtin.module(materialize-signatures)' | FileCheck %s
// RUN: %kopt %s --pass-pipeline='builtin.module(materialize-signatures,materialize-signatures)' | FileCheck %s

// CHECK-LABEL: func.func @nothing() attributes {
// CHECK-SAME: abi = "sip", abiv = 1 : i32, f = "I1!R1!", fv = "1", sip = "I1!R1!"
func.func @nothing() {
  return
}

// CHECK-LABEL: func.func @types(
// CHECK-SAME: f = "I46!B11!d-1d128d64B5!t7d4B1!S3!t4S3!t8S4!t11S3!t3R6!S3!t2"
// CHECK-SAME: sip = "I33!S29!k0_0k1_1k2_2k3_3k4_4k5_5k6_6R3!_0"
func.func @types(%a: tensor<?x128x64xf32>, %b: tensor<4xi64>, %c: tensor<f32>, %d: i1, %e: ui8, %f: ui64, %g: bf16) -> f64 {
  %0 = arith.constant 1.0 : f64
  return %0 : f64
}

// The type of the source has the sign that the function's type lacks.
// CHECK-LABEL: func.func @unsigned(
// CHECK-SAME: %{{.*}}: tensor<2xi8>) -> i64 attributes {
// CHECK-SAME: f = "I8!B5!t8d2R7!S4!t11"
func.func @unsigned(%a: tensor<2xi8> {minoan.type = tensor<2xui8>}) -> (i64 {minoan.type = ui64}) {
  %0 = arith.constant 1 : i64
  return %0 : i64
}

// Types that the raw ABI lacks are unrecognized.
// CHECK-LABEL: func.func @unknown(
// CHECK-SAME: f = "I13!U1!U1!U1!U1!R4!U1!"
func.func @unknown(%a: index, %b: i3, %c: memref<?xf32>, %d: tensor<*xf32>) -> index {
  return %a : index
}

// Several results are a sequence.
// CHECK-LABEL: func.func @several(
// CHECK-SAME: sip = "I12!S9!k0_0k1_1R12!S9!k0_0k1_1"
func.func @several(%a: f32, %b: f32) -> (f32, f32) {
  return %a, %b : f32, f32
}

// Index paths describe sequences and dictionaries. A dictionary is sorted, the list of raw values is not; other
// attributes of arguments stay.
// CHECK-LABEL: func.func @bert(
// CHECK-SAME: %{{.*}}: f32, %{{.*}}: f32 {test.kept}, %{{.*}}: f32)
// CHECK-SAME: sip = "I53!D49!K10!input_ids_1K11!input_mask_2K12!segment_ids_0R39!D35!K11!end_logits_0K13!start_logits_1"
func.func @bert(%a: f32 {minoan.index_path = ["segment_ids"]},
                %b: f32 {minoan.index_path = ["input_ids"], test.kept},
                %c: f32 {minoan.index_path = ["input_mask"]})
    -> (f32 {minoan.index_path = ["end_logits"]}, f32 {minoan.index_path = ["start_logits"]}) {
  return %a, %b : f32, f32
}

// CHECK-LABEL: func.func @nested(
// CHECK-SAME: sip = "I31!S27!k0D17!K4!bar_1K4!foo_0k1_2R12!S9!k0_0k1_1"
func.func @nested(%a: f32 {minoan.index_path = [0, "foo"]}, %b: f32 {minoan.index_path = [0, "bar"]},
                  %c: f32 {minoan.index_path = [1]}) -> (f32, f32) {
  return %a, %b : f32, f32
}

// Private functions say nothing.
// CHECK: func.func private @inside(%{{.*}}: f32) -> f32 {
func.func private @inside(%a: f32) -> f32 {
  return %a : f32
}

// CHECK: func.func private @declared(f32)
func.func private @declared(f32)
