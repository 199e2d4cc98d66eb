// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s -o /dev/null
// REQUIRES: mlir-opt
// RUN: %mlir-opt --mlir-print-op-generic %s | %kopt - > %t.kopt && %mlir-opt %s > %t.mlir && diff %t.mlir %t.kopt

#matmat = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]

func.func @elements(%f: f32, %i: index, %v: vector<4xf32>, %w: vector<2x4xf32>, %z: vector<f32>, %s: vector<2x[4]xf32>) {
  %0 = vector.broadcast %f : f32 to vector<2x4xf32>
  %1 = vector.broadcast %v {a = 1 : i32} : vector<4xf32> to vector<2x4xf32>
  %2 = vector.broadcast %f : f32 to vector<f32>
  %3 = vector.broadcast %f : f32 to vector<[4]xf32>
  %4 = vector.extract %w[1] : vector<4xf32> from vector<2x4xf32>
  %5 = vector.extract %w[1, 3] : f32 from vector<2x4xf32>
  %6 = vector.extract %w[%i, 3] {b} : f32 from vector<2x4xf32>
  %7 = vector.extract %z[] : f32 from vector<f32>
  %8 = vector.extract %w[-1] : vector<4xf32> from vector<2x4xf32>
  %9 = vector.extract %s[0, %i] : f32 from vector<2x[4]xf32>
  %10 = vector.extract %w[] : vector<2x4xf32> from vector<2x4xf32>
  %11 = vector.insert %f, %w[1, %i] : f32 into vector<2x4xf32>
  %12 = vector.insert %v, %w[0] {c = 1.0 : f32} : vector<4xf32> into vector<2x4xf32>
  %13 = vector.insert %f, %z[] : f32 into vector<f32>
  %14 = vector.from_elements %f, %f, %f : vector<3xf32>
  %15 = vector.from_elements %f : vector<1x1xf32>
  %16:4 = vector.to_elements %v : vector<4xf32>
  %17 = vector.to_elements %z {d} : vector<f32>
  return
}

func.func @slices(%v: vector<4xf32>, %w: vector<4x8x16xf32>, %x: vector<2x4xf32>) {
  %0 = vector.extract_strided_slice %w {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8x16xf32> to vector<2x4x16xf32>
  %1 = vector.insert_strided_slice %x, %w {offsets = [0, 0, 2], strides = [1, 1]} : vector<2x4xf32> into vector<4x8x16xf32>
  %2 = vector.extract_strided_slice %v {a = 1 : i32, offsets = [2], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  return
}

func.func @shapes(%v: vector<4xf32>, %w: vector<2x4xf32>, %s: vector<[4]xf32>, %z: vector<f32>, %t: vector<3x[4]x2xf32>) {
  %0 = vector.shape_cast %w : vector<2x4xf32> to vector<8xf32>
  %1 = vector.shape_cast %z : vector<f32> to vector<1x1xf32>
  %2 = vector.transpose %w, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %3 = vector.transpose %z, [] : vector<f32> to vector<f32>
  %4 = vector.transpose %t, [1, 2, 0] {p} : vector<3x[4]x2xf32> to vector<[4]x2x3xf32>
  %5 = vector.shuffle %v, %v [0, 4, 7, -1, 1] : vector<4xf32>, vector<4xf32>
  %6 = vector.shuffle %w, %w [0, 3] {q} : vector<2x4xf32>, vector<2x4xf32>
  %7 = vector.shuffle %z, %z [0, 1] : vector<f32>, vector<f32>
  %8 = vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
  %9 = vector.interleave %z, %z : vector<f32> -> vector<2xf32>
  %10 = vector.interleave %s, %s : vector<[4]xf32> -> vector<[8]xf32>
  %11, %12 = vector.deinterleave %w : vector<2x4xf32> -> vector<2x2xf32>
  %13 = vector.bitcast %w : vector<2x4xf32> to vector<2x8xi16>
  %14 = vector.bitcast %z : vector<f32> to vector<i32>
  %15 = vector.scalable.insert %v, %s[4] : vector<4xf32> into vector<[4]xf32>
  %16 = vector.scalable.extract %s[4] {r} : vector<4xf32> from vector<[4]xf32>
  return
}

func.func @arithmetic(%v: vector<4xf32>, %w: vector<2x4xf32>, %f: f32, %x: vector<2xf32>, %n: vector<4xi32>, %k: i32) {
  %0 = vector.fma %v, %v, %v : vector<4xf32>
  %1 = vector.reduction <add>, %v : vector<4xf32> into f32
  %2 = vector.reduction <maximumf>, %v, %f fastmath<reassoc,nnan> : vector<4xf32> into f32
  %3 = vector.reduction <minui>, %n, %k {a} : vector<4xi32> into i32
  %4 = vector.multi_reduction <mul>, %w, %x [1] : vector<2x4xf32> to vector<2xf32>
  %5 = vector.multi_reduction <add>, %w, %f {b} [0, 1] : vector<2x4xf32> to f32
  %6 = vector.outerproduct %v, %x : vector<4xf32>, vector<2xf32>
  %7 = vector.outerproduct %v, %x, %6 : vector<4xf32>, vector<2xf32>
  %8 = vector.outerproduct %v, %x, %6 {kind = #vector.kind<maxnumf>} : vector<4xf32>, vector<2xf32>
  %9 = vector.outerproduct %v, %f, %v {c = 2 : i8} : vector<4xf32>, f32
  %10 = vector.outerproduct %v, %x {d, kind = #vector.kind<mul>} : vector<4xf32>, vector<2xf32>
  %11:2 = vector.scan <add>, %w, %x {inclusive = true, reduction_dim = 1 : i64} : vector<2x4xf32>, vector<2xf32>
  return
}

#dot = {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
func.func @contract(%a: vector<2x4xf32>, %b: vector<4x3xf32>, %c: vector<2x3xf32>, %v: vector<4xf32>, %f: f32) {
  %0 = vector.contract {indexing_maps = #matmat, iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>
  %1 = vector.contract {indexing_maps = #matmat, iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxnumf>} %a, %b, %c {x = 1 : i32} : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>
  %2 = vector.contract #dot %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  return
}

func.func @memory(%m: memref<8x16xf32>, %i: index, %j: index, %v: vector<4xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %t: tensor<8x16xf32>, %vm: memref<8xvector<4xf32>>) {
  %0 = vector.load %m[%i, %j] : memref<8x16xf32>, vector<4xf32>
  %1 = vector.load %m[%i, %j] {nontemporal = true, alignment = 16} : memref<8x16xf32>, vector<2x4xf32>
  %2 = vector.load %vm[%i] {nontemporal = false} : memref<8xvector<4xf32>>, vector<4xf32>
  vector.store %v, %m[%i, %j] : memref<8x16xf32>, vector<4xf32>
  vector.store %v, %m[%i, %j] {nontemporal = true, alignment = 32} : memref<8x16xf32>, vector<4xf32>
  vector.store %v, %m[%i, %j] {nontemporal = false} : memref<8x16xf32>, vector<4xf32>
  %3 = vector.maskedload %m[%i, %j], %k, %v : memref<8x16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %4 = vector.maskedload %m[%i, %j], %k, %v {alignment = 8} : memref<8x16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m[%i, %j], %k, %v : memref<8x16xf32>, vector<4xi1>, vector<4xf32>
  %5 = vector.gather %m[%i, %j] [%n], %k, %v : memref<8x16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %6 = vector.gather %t[%i, %j] [%n], %k, %v {alignment = 4} : tensor<8x16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %m[%i, %j] [%n], %k, %v : memref<8x16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  %7 = vector.scatter %t[%i, %j] [%n], %k, %v : tensor<8x16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> -> tensor<8x16xf32>
  %8 = vector.expandload %m[%i, %j], %k, %v : memref<8x16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %m[%i, %j], %k, %v {a} : memref<8x16xf32>, vector<4xi1>, vector<4xf32>
  return
}

#perm = affine_map<(d0, d1) -> (d1, d0)>
func.func @transfer(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %i: index, %f: f32, %v: vector<4xf32>, %w: vector<2x4xf32>, %k: vector<4xi1>, %l: vector<4x2xi1>, %vm: memref<?x?xvector<4x3xf32>>, %vf: vector<4x3xf32>, %z: memref<f32>, %zt: vector<f32>) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<?x?xf32>, vector<4xf32>
  %1 = vector.transfer_read %m[%i, %i], %f {in_bounds = [true]} : memref<?x?xf32>, vector<4xf32>
  %2 = vector.transfer_read %t[%i, %i], %f {in_bounds = [false, false], permutation_map = #perm} : tensor<?x?xf32>, vector<2x4xf32>
  %3 = vector.transfer_read %m[%i, %i], %f, %k {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<?x?xf32>, vector<4xf32>
  %4 = vector.transfer_read %t[%i, %i], %f, %l {in_bounds = [true, false], permutation_map = #perm, x} : tensor<?x?xf32>, vector<2x4xf32>
  %5 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (0, d0)>} : memref<?x?xf32>, vector<2x4xf32>
  %6 = vector.transfer_read %vm[%i, %i], %vf : memref<?x?xvector<4x3xf32>>, vector<1x1x4x3xf32>
  %7 = vector.transfer_read %z[], %f : memref<f32>, vector<f32>
  vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<?x?xf32>
  vector.transfer_write %w, %m[%i, %i] {in_bounds = [true, true]} : vector<2x4xf32>, memref<?x?xf32>
  %8 = vector.transfer_write %v, %t[%i, %i] : vector<4xf32>, tensor<?x?xf32>
  %9 = vector.transfer_write %w, %t[%i, %i], %l {permutation_map = #perm} : vector<2x4xf32>, tensor<?x?xf32>
  vector.transfer_write %zt, %z[] : vector<f32>, memref<f32>
  return
}

func.func @masks(%i: index, %m: memref<?xf32>, %k: vector<4xi1>, %v: vector<4xf32>, %f: f32) {
  %0 = vector.create_mask %i : vector<4xi1>
  %1 = vector.create_mask %i, %i {a} : vector<4x[8]xi1>
  %2 = vector.create_mask %i : vector<i1>
  %3 = vector.constant_mask [3, 2] : vector<4x3xi1>
  %4 = vector.constant_mask [1] : vector<i1>
  %5 = vector.mask %k { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %6 = vector.mask %k, %v { vector.transfer_read %m[%i], %f : memref<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  vector.mask %k { vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<?xf32> } {b} : vector<4xi1>
  %7 = vector.mask %k, %v { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  vector.mask %k { } : vector<4xi1>
  return
}

func.func @others(%v: vector<4xf32>, %i: index, %f: f32, %m: memref<2x3xf32>, %n: memref<4xvector<3xf32>, 1>) {
  %0 = vector.step : vector<4xindex>
  %1 = vector.step {a} : vector<[4]xindex>
  vector.print %v : vector<4xf32>
  vector.print %i : index
  vector.print %f : f32 punctuation <comma>
  vector.print punctuation <newline>
  vector.print
  vector.print str "Hello, \"world\"\n"
  vector.print str "x" {b}
  %2 = vector.type_cast %m : memref<2x3xf32> to memref<vector<2x3xf32>>
  %3 = vector.type_cast %n {c} : memref<4xvector<3xf32>, 1> to memref<vector<4x3xf32>, 1>
  %4 = vector.vscale
  %5 = vector.vscale {d}
  return
}

func.func @mask_of_scalable_contract(%a: vector<[4]x8xf32>, %c: vector<4xf32>, %m: vector<[4]x8xi1>) -> vector<4xf32> {
  %0 = vector.mask %m { vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %c : vector<[4]x8xf32>, vector<[4]x8xf32> into vector<4xf32> } : vector<[4]x8xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}
