//! Evaluation of operations from text.

use minoan_diag::SourceMap;
use minoan_interp::Interpreter;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::verify::verify;
use minoan_ir::{Context, Registry};
use minoan_services::{Datum, Tensor, TensorData, Trap};

/// Runs the function `f` of a module.
fn run_all(text: &str, args: &[Datum]) -> Result<Vec<Datum>, Trap> {
    let mut registry = Registry::new();
    registry
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_arith::ArithDialect)
        .add(minoan_math::MathDialect)
        .add(minoan_memref::MemRefDialect)
        .add(minoan_vector::VectorDialect);
    let ctx = Context::new(registry).expect("dialects of other names");
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let module = parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("the text is good");
    verify(&module).expect("it obeys the rules");
    Interpreter::new(&module).call("f", args)
}

/// Like [`run_all`], for a function with one result.
fn run(text: &str, args: &[Datum]) -> Result<Datum, Trap> {
    run_all(text, args).map(|results| results.into_iter().next().expect("one result"))
}

/// The text of a function with these arguments and statements and a result of type `ty`.
fn f(args: &str, ty: &str, statements: &str) -> String {
    format!("func.func @f({args}) -> {ty} {{\n{statements}\nreturn %r : {ty}\n}}")
}

/// A vector or tensor of `f32`.
fn singles(shape: &[usize], elements: &[f32]) -> Datum {
    Tensor { shape: shape.into(), data: TensorData::F32(elements.into()) }.into()
}

/// A vector or tensor of integers.
fn ints(shape: &[usize], elements: &[i64]) -> Datum {
    Tensor { shape: shape.into(), data: TensorData::Int(elements.into()) }.into()
}

const ROWS: [f32; 6] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];

fn rows() -> Datum {
    singles(&[2, 3], &ROWS)
}

#[test]
fn broadcast() {
    let text = f("%s: f32", "vector<2x2xf32>", "%r = vector.broadcast %s : f32 to vector<2x2xf32>");
    assert_eq!(run(&text, &[Datum::F32(1.5)]), Ok(singles(&[2, 2], &[1.5; 4])));
    let text = f(
        "%v: vector<2x1xf32>",
        "vector<2x2x2xf32>",
        "%r = vector.broadcast %v : vector<2x1xf32> to vector<2x2x2xf32>",
    );
    let repeated = [7.0, 7.0, 8.0, 8.0, 7.0, 7.0, 8.0, 8.0];
    assert_eq!(run(&text, &[singles(&[2, 1], &[7.0, 8.0])]), Ok(singles(&[2, 2, 2], &repeated)));
}

#[test]
fn extract_and_insert() {
    let text = f(
        "%v: vector<2x3xf32>, %i: index",
        "f32",
        "%r = vector.extract %v[%i, 2] : f32 from vector<2x3xf32>",
    );
    assert_eq!(run(&text, &[rows(), Datum::Int(1)]), Ok(Datum::F32(5.0)));
    assert!(run(&text, &[rows(), Datum::Int(2)]).is_err(), "row 2 of 2");
    let text = f(
        "%v: vector<2x3xf32>",
        "vector<3xf32>",
        "%r = vector.extract %v[1] : vector<3xf32> from vector<2x3xf32>",
    );
    assert_eq!(run(&text, &[rows()]), Ok(singles(&[3], &[3.0, 4.0, 5.0])));
    let text = f(
        "%v: vector<2x3xf32>, %i: index, %s: vector<3xf32>",
        "vector<2x3xf32>",
        "%r = vector.insert %s, %v [%i] : vector<3xf32> into vector<2x3xf32>",
    );
    let args = [rows(), Datum::Int(0), singles(&[3], &[7.0, 8.0, 9.0])];
    assert_eq!(run(&text, &args), Ok(singles(&[2, 3], &[7.0, 8.0, 9.0, 3.0, 4.0, 5.0])));
    let text = f(
        "%v: vector<2x3xf32>",
        "vector<2x3xf32>",
        "%e:6 = vector.to_elements %v : vector<2x3xf32>
         %r = vector.from_elements %e#5, %e#4, %e#3, %e#2, %e#1, %e#0 : vector<2x3xf32>",
    );
    assert_eq!(run(&text, &[rows()]), Ok(singles(&[2, 3], &[5.0, 4.0, 3.0, 2.0, 1.0, 0.0])));
}

#[test]
fn extract_and_insert_strided_slice() {
    let text = f(
        "%v: vector<2x3xf32>",
        "vector<2x3xf32>",
        "%s = vector.extract_strided_slice %v {offsets = [0, 1], sizes = [1, 2], strides = [1, 1]}
              : vector<2x3xf32> to vector<1x2xf32>
         %p = vector.shape_cast %s : vector<1x2xf32> to vector<2xf32>
         %r = vector.insert_strided_slice %p, %v {offsets = [1, 0], strides = [1]} : vector<2xf32> into vector<2x3xf32>",
    );
    assert_eq!(run(&text, &[rows()]), Ok(singles(&[2, 3], &[0.0, 1.0, 2.0, 1.0, 2.0, 5.0])));
}

#[test]
fn shuffle_and_transpose() {
    let text = f(
        "%v: vector<2x3xf32>",
        "vector<3x2xf32>",
        "%r = vector.transpose %v, [1, 0] : vector<2x3xf32> to vector<3x2xf32>",
    );
    assert_eq!(run(&text, &[rows()]), Ok(singles(&[3, 2], &[0.0, 3.0, 1.0, 4.0, 2.0, 5.0])));
    let text = f(
        "%v: vector<2x3xf32>",
        "vector<3x3xf32>",
        "%r = vector.shuffle %v, %v [3, 0, 1] : vector<2x3xf32>, vector<2x3xf32>",
    );
    assert_eq!(run(&text, &[rows()]), Ok(singles(&[3, 3], &[3.0, 4.0, 5.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0])));
    let text = f(
        "%a: vector<2xf32>, %b: vector<2xf32>",
        "vector<2xf32>",
        "%i = vector.interleave %a, %b : vector<2xf32> -> vector<4xf32>
         %even, %r = vector.deinterleave %i : vector<4xf32> -> vector<2xf32>",
    );
    let (a, b) = (singles(&[2], &[1.0, 2.0]), singles(&[2], &[3.0, 4.0]));
    assert_eq!(run(&text, &[a, b.clone()]), Ok(b));
}

#[test]
fn bitcast() {
    let text =
        f("%v: vector<2xi16>", "vector<1xi32>", "%r = vector.bitcast %v : vector<2xi16> to vector<1xi32>");
    assert_eq!(run(&text, &[ints(&[2], &[-2, 3])]), Ok(ints(&[1], &[0x3_fffe])));
    let text =
        f("%v: vector<1xf32>", "vector<4xi8>", "%r = vector.bitcast %v : vector<1xf32> to vector<4xi8>");
    assert_eq!(run(&text, &[singles(&[1], &[-1.0])]), Ok(ints(&[4], &[0, 0, -128, -65])));
}

#[test]
fn fma_rounds_once() {
    let text = f(
        "%v: vector<1xf32>, %c: vector<1xf32>",
        "vector<1xf32>",
        "%r = vector.fma %v, %v, %c : vector<1xf32>",
    );
    let (x, c) = (1.0 + f32::EPSILON, -(1.0 + 2.0 * f32::EPSILON));
    assert_eq!(x * x + c, 0.0, "the product is rounded away");
    let rest = f32::EPSILON * f32::EPSILON;
    assert_eq!(run(&text, &[singles(&[1], &[x]), singles(&[1], &[c])]), Ok(singles(&[1], &[rest])));
}

#[test]
fn combining_kinds() {
    let reduce = |kind: &str, ty: &str| {
        f(
            &format!("%v: vector<3x{ty}>"),
            ty,
            &format!("%r = vector.reduction <{kind}>, %v : vector<3x{ty}> into {ty}"),
        )
    };
    let numbers = ints(&[3], &[3, -1, 2]);
    for (kind, want) in [("add", 4), ("mul", -6), ("minsi", -1), ("minui", 2), ("maxui", -1), ("xor", -2)] {
        assert_eq!(run(&reduce(kind, "i8"), std::slice::from_ref(&numbers)), Ok(Datum::Int(want)), "{kind}");
    }
    let floats = singles(&[3], &[1.0, f32::NAN, 3.0]);
    assert_eq!(run(&reduce("maxnumf", "f32"), std::slice::from_ref(&floats)), Ok(Datum::F32(3.0)));
    let nan = run(&reduce("maximumf", "f32"), &[floats]).expect("it is defined");
    assert!(nan.same(&Datum::F32(f32::NAN)), "{nan:?}");
    let text = f(
        "%v: vector<3xf32>, %a: f32",
        "f32",
        "%r = vector.reduction <add>, %v, %a : vector<3xf32> into f32",
    );
    assert_eq!(run(&text, &[singles(&[3], &[1.0, 2.0, 3.0]), Datum::F32(10.0)]), Ok(Datum::F32(16.0)));
}

#[test]
fn dimensions_are_reduced() {
    let text = f(
        "%v: vector<2x3xf32>, %a: vector<2xf32>",
        "vector<2xf32>",
        "%r = vector.multi_reduction <add>, %v, %a [1] : vector<2x3xf32> to vector<2xf32>",
    );
    assert_eq!(run(&text, &[rows(), singles(&[2], &[100.0, 200.0])]), Ok(singles(&[2], &[103.0, 212.0])));
    let text = f(
        "%v: vector<2x3xf32>, %a: vector<3xf32>",
        "vector<2x3xf32>",
        "%r, %last = vector.scan <add>, %v, %a {inclusive = false, reduction_dim = 0 : i64} : vector<2x3xf32>, vector<3xf32>",
    );
    let first = singles(&[3], &[10.0, 20.0, 30.0]);
    assert_eq!(run(&text, &[rows(), first]), Ok(singles(&[2, 3], &[10.0, 20.0, 30.0, 10.0, 21.0, 32.0])));
}

#[test]
fn outer_product_and_contraction() {
    let text = f(
        "%a: vector<2xf32>, %b: vector<3xf32>, %c: vector<2x3xf32>",
        "vector<2x3xf32>",
        "%r = vector.outerproduct %a, %b, %c : vector<2xf32>, vector<3xf32>",
    );
    let args = [singles(&[2], &[1.0, 2.0]), singles(&[3], &[3.0, 4.0, 5.0]), rows()];
    assert_eq!(run(&text, &args), Ok(singles(&[2, 3], &[3.0, 5.0, 7.0, 9.0, 12.0, 15.0])));
    // Narrow factors, a wide sum.
    let text = f(
        "%a: vector<2x3xi8>, %b: vector<3x2xi8>, %c: vector<2x2xi32>",
        "vector<2x2xi32>",
        "%r = vector.contract {
           indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
           iterator_types = [\"parallel\", \"parallel\", \"reduction\"]
         } %a, %b, %c : vector<2x3xi8>, vector<3x2xi8> into vector<2x2xi32>",
    );
    let args = [
        ints(&[2, 3], &[1, 2, 3, 100, 100, 100]),
        ints(&[3, 2], &[1, 2, 3, 4, 5, 6]),
        ints(&[2, 2], &[0, 0, 0, 1]),
    ];
    assert_eq!(run(&text, &args), Ok(ints(&[2, 2], &[22, 28, 900, 1201])));
}

/// A memref of three elements that is modified and read back.
fn on_memory(statements: &str) -> String {
    format!(
        "func.func @f(%v: vector<3xf32>, %k: vector<3xi1>, %i: index) -> vector<3xf32> {{
          %zero = arith.constant 0 : index
          %nine = arith.constant 9.0 : f32
          %m = memref.alloca() : memref<3xf32>
          {statements}
          return %r : vector<3xf32>
        }}"
    )
}

#[test]
fn masked_memory_accesses() {
    let vector = || singles(&[3], &[1.0, 2.0, 3.0]);
    let all = [vector(), ints(&[3], &[1, 0, 1]), Datum::Int(0)];
    let check = |statements: &str, want: [f32; 3]| {
        assert_eq!(run(&on_memory(statements), &all), Ok(singles(&[3], &want)), "{statements}");
    };
    let load = "%r = vector.load %m[%zero] : memref<3xf32>, vector<3xf32>";
    let fill = "vector.store %v, %m[%zero] : memref<3xf32>, vector<3xf32>";
    check(&format!("{fill}\n{load}"), [1.0, 2.0, 3.0]);
    let masked = "vector.maskedstore %m[%i], %k, %v : memref<3xf32>, vector<3xi1>, vector<3xf32>";
    check(&format!("{masked}\n{load}"), [1.0, 0.0, 3.0]);
    let packed = "vector.compressstore %m[%i], %k, %v : memref<3xf32>, vector<3xi1>, vector<3xf32>";
    check(&format!("{packed}\n{load}"), [1.0, 3.0, 0.0]);
    let nines = "%n = vector.broadcast %nine : f32 to vector<3xf32>";
    let types = "memref<3xf32>, vector<3xi1>, vector<3xf32> into vector<3xf32>";
    check(&format!("{fill}\n{nines}\n%r = vector.maskedload %m[%i], %k, %n : {types}"), [1.0, 9.0, 3.0]);
    check(&format!("{fill}\n{nines}\n%r = vector.expandload %m[%i], %k, %n : {types}"), [1.0, 9.0, 2.0]);
    let at = "%at = arith.constant dense<[2, 77, 0]> : vector<3xi32>";
    let types = "memref<3xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32>";
    let gather = format!("%r = vector.gather %m[%i] [%at], %k, %n : {types} into vector<3xf32>");
    check(&format!("{fill}\n{nines}\n{at}\n{gather}"), [3.0, 9.0, 1.0]);
    check(&format!("{at}\nvector.scatter %m[%i] [%at], %k, %v : {types}\n{load}"), [3.0, 0.0, 1.0]);
}

#[test]
fn out_of_bounds_access_traps() {
    let text = on_memory("%r = vector.load %m[%i] : memref<3xf32>, vector<3xf32>");
    let args = |i| [singles(&[3], &[0.0; 3]), ints(&[3], &[1; 3]), Datum::Int(i)];
    assert!(run(&text, &args(0)).is_ok());
    assert!(run(&text, &args(1)).is_err(), "element 3 of 3");
}

#[test]
fn transfers() {
    let read = |attrs: &str, ty: &str| {
        f(
            "%t: tensor<2x3xf32>, %i: index, %p: f32",
            ty,
            &format!("%r = vector.transfer_read %t[%i, %i], %p {attrs} : tensor<2x3xf32>, {ty}"),
        )
    };
    let args = |i| [rows(), Datum::Int(i), Datum::F32(-1.0)];
    let columns = read("{permutation_map = affine_map<(i, j) -> (j, i)>}", "vector<3x2xf32>");
    assert_eq!(run(&columns, &args(0)), Ok(singles(&[3, 2], &[0.0, 3.0, 1.0, 4.0, 2.0, 5.0])));
    assert_eq!(run(&columns, &args(1)), Ok(singles(&[3, 2], &[4.0, -1.0, 5.0, -1.0, -1.0, -1.0])));
    let repeated = read("{permutation_map = affine_map<(i, j) -> (0, j)>}", "vector<2x2xf32>");
    assert_eq!(run(&repeated, &args(1)), Ok(singles(&[2, 2], &[4.0, 5.0, 4.0, 5.0])));
    let inside = read("{in_bounds = [true]}", "vector<3xf32>");
    assert!(run(&inside, &args(0)).is_ok());
    assert!(run(&inside, &args(1)).is_err(), "it is promised to lie inside");

    let write = f(
        "%t: tensor<2x3xf32>, %i: index, %v: vector<2x2xf32>, %k: vector<2x2xi1>",
        "tensor<2x3xf32>",
        "%r = vector.transfer_write %v, %t[%i, %i], %k {permutation_map = affine_map<(i, j) -> (j, i)>} :
           vector<2x2xf32>, tensor<2x3xf32>",
    );
    // The mask has the order of the tensor's dimensions.
    let args =
        [rows(), Datum::Int(0), singles(&[2, 2], &[10.0, 20.0, 30.0, 40.0]), ints(&[2, 2], &[1, 1, 0, 1])];
    assert_eq!(run(&write, &args), Ok(singles(&[2, 3], &[10.0, 30.0, 2.0, 3.0, 40.0, 5.0])));
}

#[test]
fn mask_bounds() {
    let text = f("%i: index, %j: index", "vector<2x3xi1>", "%r = vector.create_mask %i, %j : vector<2x3xi1>");
    let mask = |i, j| run(&text, &[Datum::Int(i), Datum::Int(j)]);
    assert_eq!(mask(1, 2), Ok(ints(&[2, 3], &[1, 1, 0, 0, 0, 0])));
    assert_eq!(mask(9, 1), Ok(ints(&[2, 3], &[1, 0, 0, 1, 0, 0])));
    assert_eq!(mask(-1, 3), Ok(ints(&[2, 3], &[0; 6])));
    let text = f("", "vector<3xindex>", "%r = vector.step : vector<3xindex>");
    assert_eq!(run(&text, &[]), Ok(ints(&[3], &[0, 1, 2])));
}

#[test]
fn elementwise_arithmetic() {
    let text = f(
        "%v: vector<3xf32>, %n: vector<3xi32>",
        "vector<3xf32>",
        "%one = arith.constant dense<1.0> : vector<3xf32>
         %mixed = arith.constant dense<[4, 5, 6]> : vector<3xi32>
         %sum = arith.addf %v, %one : vector<3xf32>
         %less = arith.cmpi slt, %n, %mixed : vector<3xi32>
         %root = math.sqrt %v : vector<3xf32>
         %wide = arith.sitofp %n : vector<3xi32> to vector<3xf32>
         %total = arith.addf %sum, %root : vector<3xf32>
         %r = arith.select %less, %total, %wide : vector<3xi1>, vector<3xf32>",
    );
    let args = [singles(&[3], &[1.0, 4.0, 9.0]), ints(&[3], &[4, 1, 9])];
    assert_eq!(run(&text, &args), Ok(singles(&[3], &[4.0, 7.0, 9.0])));
}

#[test]
fn scalable_vectors_are_unsupported() {
    let text = f("%s: f32", "vector<[4]xf32>", "%r = vector.broadcast %s : f32 to vector<[4]xf32>");
    let trap = run(&text, &[Datum::F32(0.0)]).expect_err("its extent is not known");
    assert_eq!(trap.message, "the extents of a scalable vector are unknown");
}

/// A function of vectors and a mask of three elements with one masked operation.
fn under(ty: &str, mask: &str, operation: &str, types: &str) -> String {
    f(
        "%v: vector<3xf32>, %w: vector<3xf32>, %k: vector<3xi1>, %i: index, %s: f32, %t: tensor<4xf32>",
        ty,
        &format!("%zero = arith.constant 0 : index\n%r = vector.mask {mask} {{ {operation} }} : {types}"),
    )
}

#[test]
fn masked_reductions() {
    let args = |bits: [i64; 3], i: i64| {
        [
            singles(&[3], &[1.0, 2.0, 4.0]),
            singles(&[3], &[10.0, 20.0, 40.0]),
            ints(&[3], &bits),
            Datum::Int(i),
            Datum::F32(0.5),
            singles(&[4], &[5.0, 6.0, 7.0, 8.0]),
        ]
    };
    let sum =
        under("f32", "%k", "vector.reduction <add>, %v : vector<3xf32> into f32", "vector<3xi1> -> f32");
    assert_eq!(run(&sum, &args([1, 0, 1], 0)), Ok(Datum::F32(5.0)));
    assert_eq!(run(&sum, &args([1, 1, 1], 0)), Ok(Datum::F32(7.0)));
    // No element, and no accumulator: the neutral element.
    assert_eq!(run(&sum, &args([0, 0, 0], 0)), Ok(Datum::F32(-0.0)));
    let onto = "vector.reduction <mul>, %v, %s : vector<3xf32> into f32";
    let product = under("f32", "%k", onto, "vector<3xi1> -> f32");
    assert_eq!(run(&product, &args([0, 1, 1], 0)), Ok(Datum::F32(4.0)));
    assert_eq!(run(&product, &args([0, 0, 0], 0)), Ok(Datum::F32(0.5)));

    let read = "vector.transfer_read %t[%i], %s : tensor<4xf32>, vector<3xf32>";
    let types = "vector<3xi1> -> vector<3xf32>";
    let padded = under("vector<3xf32>", "%k", read, types);
    assert_eq!(run(&padded, &args([0, 1, 1], 1)), Ok(singles(&[3], &[0.5, 7.0, 8.0])));
    // Elements out of bounds are padded regardless of the mask.
    let passed = under("vector<3xf32>", "%k, %w", read, types);
    assert_eq!(run(&passed, &args([0, 1, 1], 2)), Ok(singles(&[3], &[10.0, 8.0, 0.5])));

    let write = "vector.transfer_write %v, %t[%i] : vector<3xf32>, tensor<4xf32>";
    let written = under("tensor<4xf32>", "%k", write, "vector<3xi1> -> tensor<4xf32>");
    assert_eq!(run(&written, &args([1, 0, 1], 1)), Ok(singles(&[4], &[5.0, 1.0, 7.0, 4.0])));
    assert_eq!(run(&written, &args([1, 1, 1], 2)), Ok(singles(&[4], &[5.0, 6.0, 1.0, 2.0])));
}

#[test]
fn mask_has_the_iteration_space_of_its_operation() {
    let text = f(
        "%v: vector<2x3xf32>, %k: vector<2x3xi1>, %a: vector<2xf32>",
        "vector<2xf32>",
        "%r = vector.mask %k { vector.multi_reduction <add>, %v, %a [1] : vector<2x3xf32> to vector<2xf32> }
              : vector<2x3xi1> -> vector<2xf32>",
    );
    let args = [rows(), ints(&[2, 3], &[0, 1, 0, 1, 0, 1]), singles(&[2], &[10.0, 20.0])];
    assert_eq!(run(&text, &args), Ok(singles(&[2], &[11.0, 28.0])));

    let outer = |acc: &str, ty: &str| {
        f(
            "%v: vector<2xf32>, %w: vector<2xf32>, %k: vector<2x2xi1>, %a: vector<2x2xf32>",
            "vector<2x2xf32>",
            &format!(
                "%r = vector.mask %k {{ vector.outerproduct %v, %w{acc} : vector<2xf32>, vector<2xf32>{ty} }}
                      : vector<2x2xi1> -> vector<2x2xf32>"
            ),
        )
    };
    let args = [
        singles(&[2], &[2.0, 3.0]),
        singles(&[2], &[5.0, 7.0]),
        ints(&[2, 2], &[1, 0, 0, 1]),
        singles(&[2, 2], &[100.0; 4]),
    ];
    assert_eq!(run(&outer(", %a", ""), &args), Ok(singles(&[2, 2], &[110.0, 100.0, 100.0, 121.0])));
    assert_eq!(run(&outer("", ""), &args), Ok(singles(&[2, 2], &[10.0, 0.0, 0.0, 21.0])));

    // The mask of a contraction has the order of its dimensions; the reduction is last here.
    let text = f(
        "%v: vector<2x3xf32>, %w: vector<3xf32>, %k: vector<2x3xi1>, %a: vector<2xf32>",
        "vector<2xf32>",
        "%r = vector.mask %k {
           vector.contract {
             indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
             iterator_types = [\"parallel\", \"reduction\"], kind = #vector.kind<add>
           } %v, %w, %a : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
         } : vector<2x3xi1> -> vector<2xf32>",
    );
    let args = [
        rows(),
        singles(&[3], &[1.0, 10.0, 100.0]),
        ints(&[2, 3], &[1, 1, 0, 0, 0, 1]),
        singles(&[2], &[0.5, 0.25]),
    ];
    assert_eq!(run(&text, &args), Ok(singles(&[2], &[10.5, 500.25])));
}

#[test]
fn nested_masks_are_combined() {
    let text = on_memory(
        "vector.store %v, %m[%zero] : memref<3xf32>, vector<3xf32>
         %n = vector.broadcast %nine : f32 to vector<3xf32>
         %at = arith.constant dense<[2, 1, 77]> : vector<3xi32>
         %own = arith.constant dense<[true, true, false]> : vector<3xi1>
         %r = vector.mask %k {
           vector.gather %m[%i] [%at], %own, %n
             : memref<3xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32> into vector<3xf32>
         } : vector<3xi1> -> vector<3xf32>",
    );
    let args = [singles(&[3], &[1.0, 2.0, 3.0]), ints(&[3], &[1, 0, 1]), Datum::Int(0)];
    assert_eq!(run(&text, &args), Ok(singles(&[3], &[3.0, 9.0, 9.0])));
    // An empty mask forwards the yielded values.
    let text = f(
        "%v: vector<3xf32>, %k: vector<3xi1>",
        "vector<3xf32>",
        "%r = vector.mask %k { vector.yield %v : vector<3xf32> } : vector<3xi1> -> vector<3xf32>",
    );
    let vector = singles(&[3], &[1.0, 2.0, 3.0]);
    assert_eq!(run(&text, &[vector.clone(), ints(&[3], &[0, 0, 0])]), Ok(vector));
}
