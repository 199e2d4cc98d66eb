//! Complex numbers: their operations are linear maps of the real and imaginary parts.

use super::support::*;
use minoan_interp::Interpreter;
use minoan_services::Datum;

fn number(re: f64, im: f64) -> Datum {
    Datum::Complex64([re, im])
}

const UNARY: [&str; 15] = [
    "angle", "conj", "cos", "exp", "expm1", "im", "log", "log1p", "neg", "re", "rsqrt", "sign", "sin",
    "sqrt", "tanh",
];

/// In all quadrants, to second derivatives and derivatives of derivatives.
#[test]
fn functions_of_one_number() {
    for op in UNARY.into_iter().chain(["abs", "tan"]) {
        let real = ["abs", "angle", "re", "im"].contains(&op);
        let result = if real { "f64" } else { "complex<f64>" };
        let text = format!(
            "func.func @f(%x: complex<f64>) -> {result} {{\n\
               %0 = complex.{op} %x : complex<f64>\n return %0 : {result}\n}}\n"
        );
        for (re, im) in [(0.37, 0.62), (-0.41, 0.53), (-0.7, -0.29), (1.3, -0.8)] {
            check_to(3, &text, &[number(re, im)]);
        }
    }
}

#[test]
fn functions_of_two_numbers() {
    for op in ["add", "sub", "mul", "div", "pow", "atan2"] {
        let text = format!(
            "func.func @f(%x: complex<f64>, %y: complex<f64>) -> complex<f64> {{\n\
               %0 = complex.{op} %x, %y : complex<f64>\n return %0 : complex<f64>\n}}\n"
        );
        check(&text, &[number(0.8, 0.4), number(1.1, -0.3)]);
        check(&text, &[number(-0.6, 0.5), number(0.3, 0.9)]);
    }
}

#[test]
fn powers_with_integers() {
    for n in [-3, -1, 0, 1, 2, 5] {
        let text = format!(
            "func.func @f(%x: complex<f64>) -> complex<f64> {{
               %n = arith.constant {n} : i32
               %0 = complex.powi %x, %n : complex<f64>, i32
               return %0 : complex<f64>
             }}\n"
        );
        check(&text, &[number(0.8, -0.4)]);
    }
    let narrow = "func.func @f(%x: complex<f64>, %n: i3) -> complex<f64> {
        %0 = complex.powi %x, %n : complex<f64>, i3
        return %0 : complex<f64>
      }\n";
    check(narrow, &[number(0.8, -0.4), (-4).into()]);
}

#[test]
fn parts() {
    check(
        "func.func @f(%a: f64, %b: f64, %z: complex<f64>) -> (f64, complex<f64>) {
           %0 = complex.create %a, %b : complex<f64>
           %1 = complex.mul %0, %z : complex<f64>
           %re = complex.re %1 : complex<f64>
           %im = complex.im %1 : complex<f64>
           %2 = arith.mulf %re, %im : f64
           %3 = complex.create %2, %a : complex<f64>
           %4 = complex.conj %3 : complex<f64>
           %5 = complex.mul %4, %4 : complex<f64>
           return %2, %5 : f64, complex<f64>
         }\n",
        &[0.7.into(), (-0.3).into(), number(0.2, 1.1)],
    );
}

/// The results of a function and of its derivative in reverse mode for a seed.
fn gradient(text: &str, args: &[Datum], seed: Datum) -> Vec<Vec<f64>> {
    let ctx = context();
    let text = format!("{text}{}", requests(&parse(&ctx, text), "f", "jvp", "vjp"));
    let module = differentiated(&ctx, &text);
    let given = [args, &[seed]].concat();
    let found = Interpreter::new(&module).call("vjp", &given).expect("it runs");
    found.iter().map(|value| floats(value).expect("a number")).collect()
}

/// The cotangent of a holomorphic function is `conj(f'(z))` times that of its result; that of a real function is its gradient.
#[test]
fn convention() {
    let exp = "func.func @f(%x: complex<f64>) -> complex<f64> {
        %0 = complex.exp %x : complex<f64>
        return %0 : complex<f64>
      }\n";
    let found = gradient(exp, &[number(0.0, std::f64::consts::FRAC_PI_2)], number(1.0, 0.0));
    // exp(i pi / 2) is i.
    assert!((found[0][0]).abs() < 1e-15 && (found[0][1] + 1.0).abs() < 1e-15, "{found:?}");
    let square = "func.func @f(%x: complex<f64>) -> f64 {
        %0 = complex.abs %x : complex<f64>
        %1 = arith.mulf %0, %0 : f64
        return %1 : f64
      }\n";
    let found = gradient(square, &[number(3.0, -4.0)], 1.0.into());
    assert!((found[0][0] - 6.0).abs() < 1e-14 && (found[0][1] + 8.0).abs() < 1e-14, "{found:?}");
}

/// The slope of the absolute value at zero is zero. A number that takes part with a zero cotangent, or is not selected, gets a
/// zero where a function has an infinite slope.
#[test]
fn zeros() {
    let size = "func.func @f(%x: complex<f64>) -> f64 {
        %0 = complex.abs %x : complex<f64>
        return %0 : f64
      }\n";
    assert_eq!(gradient(size, &[number(0.0, 0.0)], 1.0.into()), [[0.0, 0.0]]);
    for op in ["sqrt", "log", "rsqrt", "sign", "angle"] {
        let ty = if op == "angle" { "f64" } else { "complex<f64>" };
        let add = if op == "angle" { "arith.addf %1, %2 : f64" } else { "complex.add %1, %2 : complex<f64>" };
        let zero = if op == "angle" {
            "arith.constant 0.0 : f64"
        } else {
            "complex.constant [0.0, 0.0] : complex<f64>"
        };
        let make =
            if op == "angle" { "complex.im %x : complex<f64>" } else { "complex.neg %x : complex<f64>" };
        let chosen = format!(
            "func.func @f(%x: complex<f64>) -> {ty} {{
               %c = arith.constant false
               %0 = complex.{op} %x : complex<f64>
               %z = {zero}
               %1 = arith.select %c, %0, %z : {ty}
               %2 = {make}
               %3 = {add}
               return %3 : {ty}
             }}\n"
        );
        let seed = if op == "angle" { 1.0.into() } else { number(1.0, 0.0) };
        let expected = if op == "angle" { [0.0, 1.0] } else { [-1.0, 0.0] };
        assert_eq!(gradient(&chosen, &[number(0.0, 0.0)], seed), [expected], "{op}");
    }
    let root = "func.func @f(%x: complex<f64>, %y: complex<f64>) -> complex<f64> {
        %0 = complex.sqrt %x : complex<f64>
        %1 = complex.mul %0, %y : complex<f64>
        return %1 : complex<f64>
      }\n";
    let found = gradient(root, &[number(0.0, 0.0), number(0.0, 0.0)], number(1.0, 0.0));
    assert_eq!(found, [[0.0, 0.0], [0.0, 0.0]]);
}

const TYPES: [&str; 2] = ["tensor<2x2xcomplex<f64>>", "tensor<?x?xcomplex<f64>>"];

/// A matrix product, the squares of its absolute values, and their sum.
#[test]
fn norm_of_a_product() {
    for ty in TYPES {
        let sizes = if ty.contains('?') { "%n, %m" } else { "" };
        let text = format!(
            "func.func @f(%a: {ty}, %b: {ty}) -> f64 {{
               %c0 = arith.constant 0 : index
               %c1 = arith.constant 1 : index
               %n = tensor.dim %a, %c0 : {ty}
               %m = tensor.dim %b, %c1 : {ty}
               %zero = complex.constant [0.0, 0.0] : complex<f64>
               %e = tensor.empty({sizes}) : {ty}
               %init = linalg.fill ins(%zero : complex<f64>) outs(%e : {ty}) -> {ty}
               %p = linalg.matmul ins(%a, %b : {ty}, {ty}) outs(%init : {ty}) -> {ty}
               %z = arith.constant dense<0.0> : tensor<f64>
               %s = linalg.generic {{
                   indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                   iterator_types = [\"reduction\", \"reduction\"]}}
                   ins(%p : {ty}) outs(%z : tensor<f64>) {{
               ^bb0(%x: complex<f64>, %o: f64):
                 %0 = complex.abs %x : complex<f64>
                 %1 = arith.mulf %0, %0 : f64
                 %2 = arith.addf %o, %1 : f64
                 linalg.yield %2 : f64
               }} -> tensor<f64>
               %r = tensor.extract %s[] : tensor<f64>
               return %r : f64
             }}\n"
        );
        let a = complex_matrix(&[2, 2], &[[0.3, 1.1], [-0.7, 0.9], [1.3, 0.4], [0.2, -0.6]]);
        let b = complex_matrix(&[2, 2], &[[0.8, -0.2], [0.5, 0.7], [-0.9, 0.1], [1.2, 0.6]]);
        check(&text, &[a, b]);
    }
}

/// A loop that carries a complex number, and reads and writes tensors of them.
#[test]
fn loops() {
    check_to(
        3,
        "func.func @f(%z: complex<f64>, %v: complex<f64>, %a: tensor<?xcomplex<f64>>, %n: index) -> (complex<f64>, tensor<?xcomplex<f64>>) {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z, %t = %a) -> (complex<f64>, tensor<?xcomplex<f64>>) {
             %e = tensor.extract %t[%i] : tensor<?xcomplex<f64>>
             %0 = complex.mul %x, %v : complex<f64>
             %1 = complex.sin %0 : complex<f64>
             %2 = complex.add %1, %e : complex<f64>
             %3 = complex.mul %2, %2 : complex<f64>
             %new = tensor.insert %3 into %t[%i] : tensor<?xcomplex<f64>>
             scf.yield %2, %new : complex<f64>, tensor<?xcomplex<f64>>
           }
           return %r#0, %r#1 : complex<f64>, tensor<?xcomplex<f64>>
         }\n",
        &[number(0.4, 0.3), number(0.2, -0.9), complex_vector(&[[0.1, 0.2], [-0.3, 0.4], [0.5, 0.1]]), 3.into()],
    );
}

#[test]
fn conditionals_and_unknown_numbers_of_iterations() {
    check(
        "func.func @f(%z: complex<f64>, %limit: f64) -> complex<f64> {
           %one = complex.constant [1.0, 0.0] : complex<f64>
           %r = scf.while (%x = %z) : (complex<f64>) -> complex<f64> {
             %size = complex.abs %x : complex<f64>
             %c = arith.cmpf olt, %size, %limit : f64
             scf.condition(%c) %x : complex<f64>
           } do {
           ^bb0(%x: complex<f64>):
             %re = complex.re %x : complex<f64>
             %least = arith.constant 1.0 : f64
             %c = arith.cmpf ogt, %re, %least : f64
             %y = scf.if %c -> complex<f64> {
               %0 = complex.mul %x, %z : complex<f64>
               %1 = complex.add %0, %one : complex<f64>
               scf.yield %1 : complex<f64>
             } else {
               %0 = complex.exp %z : complex<f64>
               %1 = complex.add %x, %x : complex<f64>
               %2 = complex.add %1, %0 : complex<f64>
               scf.yield %2 : complex<f64>
             }
             scf.yield %y : complex<f64>
           }
           return %r : complex<f64>
         }\n",
        &[number(0.4, -0.9), 20.0.into()],
    );
}

#[test]
fn slices_and_reductions_that_are_not_sums() {
    check(
        "func.func @f(%a: tensor<4xcomplex<f64>>) -> (tensor<complex<f64>>, tensor<6xcomplex<f64>>) {
           %one = complex.constant [1.0, 0.0] : complex<f64>
           %zero = complex.constant [0.0, 0.0] : complex<f64>
           %e = tensor.empty() : tensor<complex<f64>>
           %init = linalg.fill ins(%one : complex<f64>) outs(%e : tensor<complex<f64>>) -> tensor<complex<f64>>
           %p = linalg.generic {
               indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = [\"reduction\"]}
               ins(%a : tensor<4xcomplex<f64>>) outs(%init : tensor<complex<f64>>) {
           ^bb0(%x: complex<f64>, %o: complex<f64>):
             %0 = complex.mul %x, %o : complex<f64>
             linalg.yield %0 : complex<f64>
           } -> tensor<complex<f64>>
           %half = tensor.extract_slice %a[1] [2] [1] : tensor<4xcomplex<f64>> to tensor<2xcomplex<f64>>
           %wide = tensor.pad %half low[1] high[3] {
           ^bb0(%i: index):
             tensor.yield %zero : complex<f64>
           } : tensor<2xcomplex<f64>> to tensor<6xcomplex<f64>>
           %all = tensor.insert_slice %a into %wide[2] [4] [1] : tensor<4xcomplex<f64>> into tensor<6xcomplex<f64>>
           %m = linalg.map { complex.exp } ins(%all : tensor<6xcomplex<f64>>) outs(%wide : tensor<6xcomplex<f64>>)
           return %p, %m : tensor<complex<f64>>, tensor<6xcomplex<f64>>
         }\n",
        &[complex_vector(&[[0.1, 0.2], [-0.3, 0.4], [0.5, 0.1], [0.9, -0.4]])],
    );
}

#[test]
fn recursion() {
    check(
        "func.func @f(%z: complex<f64>, %n: i64) -> complex<f64> {
           %c0 = arith.constant 0 : i64
           %c1 = arith.constant 1 : i64
           %c = arith.cmpi eq, %n, %c0 : i64
           %r = scf.if %c -> complex<f64> {
             scf.yield %z : complex<f64>
           } else {
             %m = arith.subi %n, %c1 : i64
             %0 = func.call @f(%z, %m) : (complex<f64>, i64) -> complex<f64>
             %1 = complex.mul %0, %z : complex<f64>
             %2 = complex.sin %1 : complex<f64>
             %3 = complex.conj %2 : complex<f64>
             scf.yield %3 : complex<f64>
           }
           return %r : complex<f64>
         }\n",
        &[number(0.4, 0.3), 3.into()],
    );
}
