//! Evaluates operations given as text.

use minoan_services::{Datum, Trap};
use minoan_testing::{context, run_one, tensor};

/// Runs the function `f` of a module.
fn run(text: &str, args: &[Datum]) -> Result<Datum, Trap> {
    let ctx = context(|registry| {
        registry
            .add(minoan_builtin::BuiltinDialect)
            .add(minoan_func::FuncDialect)
            .add(minoan_arith::ArithDialect);
        registry
            .add(minoan_linalg::LinalgDialect)
            .add(minoan_math::MathDialect)
            .add(minoan_tensor::TensorDialect);
    });
    run_one(&ctx, text, args)
}

#[test]
fn matmul_accumulates() {
    let text = "func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x1xf32>, %c: tensor<2x1xf32>) -> tensor<2x1xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x1xf32>) outs(%c : tensor<2x1xf32>) -> tensor<2x1xf32>
      return %r : tensor<2x1xf32>
    }";
    let a = tensor(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let args = [a, tensor(&[3, 1], &[1.0, 10.0, 100.0]), tensor(&[2, 1], &[0.5, 0.25])];
    assert_eq!(run(text, &args), Ok(tensor(&[2, 1], &[321.5, 654.25])));
}

#[test]
fn windows_with_strides_and_dilations() {
    let text = "func.func @f(%i: tensor<1x1x1x7xf32>, %k: tensor<1x2xf32>, %o: tensor<1x1x1x3xf32>) -> tensor<1x1x1x3xf32> {
      %r = linalg.pooling_nchw_max {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
        ins(%i, %k : tensor<1x1x1x7xf32>, tensor<1x2xf32>) outs(%o : tensor<1x1x1x3xf32>) -> tensor<1x1x1x3xf32>
      return %r : tensor<1x1x1x3xf32>
    }";
    let image = tensor(&[1, 1, 1, 7], &[1.0, 9.0, 2.0, 9.0, 5.0, 9.0, 3.0]);
    let args = [image, tensor(&[1, 2], &[0.0; 2]), tensor(&[1, 1, 1, 3], &[0.0; 3])];
    assert_eq!(run(text, &args), Ok(tensor(&[1, 1, 1, 3], &[2.0, 5.0, 5.0])));
}

#[test]
fn elementwise_operations() {
    let text = "func.func @f(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.sub ins(%a, %b : tensor<3xf32>, tensor<3xf32>) outs(%a : tensor<3xf32>) -> tensor<3xf32>
      return %r : tensor<3xf32>
    }";
    let args = [tensor(&[3], &[1.0, 2.0, 3.0]), tensor(&[3], &[3.0, 1.0, 0.5])];
    assert_eq!(run(text, &args), Ok(tensor(&[3], &[-2.0, 1.0, 2.5])));
}

#[test]
fn map_reduce_broadcast_and_transpose() {
    let text = "func.func @f(%a: tensor<2x3xf32>, %v: tensor<2xf32>, %w: tensor<3x2xf32>) -> tensor<3x2xf32> {
      %d = linalg.map { arith.addf } ins(%a, %a : tensor<2x3xf32>, tensor<2x3xf32>) outs(%a : tensor<2x3xf32>)
      %s = linalg.reduce { arith.addf } ins(%d : tensor<2x3xf32>) outs(%v : tensor<2xf32>) dimensions = [1]
      %b = linalg.broadcast ins(%s : tensor<2xf32>) outs(%w : tensor<3x2xf32>) dimensions = [0]
      %t = linalg.transpose ins(%d : tensor<2x3xf32>) outs(%w : tensor<3x2xf32>) permutation = [1, 0]
      %r = linalg.map ins(%b, %t : tensor<3x2xf32>, tensor<3x2xf32>) outs(%w : tensor<3x2xf32>) (%x: f32, %y: f32, %o: f32) {
        %p = arith.subf %x, %y : f32
        linalg.yield %p : f32
      }
      return %r : tensor<3x2xf32>
    }";
    let a = tensor(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let args = [a, tensor(&[2], &[0.5, 0.25]), tensor(&[3, 2], &[9.0; 6])];
    let expected = tensor(&[3, 2], &[10.5, 22.25, 8.5, 20.25, 6.5, 18.25]);
    assert_eq!(run(text, &args), Ok(expected));
}

/// The elements of an `f32` tensor.
fn elements(datum: Result<Datum, Trap>) -> Vec<f32> {
    match datum {
        Ok(Datum::Tensor(tensor)) => match &tensor.data {
            minoan_services::TensorData::F32(data) => data.clone(),
            other => panic!("no singles: {other:?}"),
        },
        other => panic!("no tensor: {other:?}"),
    }
}

#[test]
fn contraction() {
    let text = "func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2xf32>) -> tensor<2xf32> {
      %r = linalg.contract indexing_maps = [affine_map<(b, k) -> (b, k)>, affine_map<(b, k) -> (k, b)>, affine_map<(b, k) -> (b)>]
        ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%c : tensor<2xf32>) -> tensor<2xf32>
      return %r : tensor<2xf32>
    }";
    let a = tensor(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let args = [a, tensor(&[3, 2], &[1.0, 2.0, 10.0, 20.0, 100.0, 200.0]), tensor(&[2], &[0.5, 0.25])];
    assert_eq!(run(text, &args), Ok(tensor(&[2], &[321.5, 1308.25])));
}

#[test]
fn elementwise_with_kind_and_maps() {
    let text = |kind: &str| {
        format!(
            "func.func @f(%a: tensor<2xf32>, %b: tensor<3x2xf32>, %c: tensor<2x3xf32>) -> tensor<2x3xf32> {{
               %r = linalg.elementwise kind=#linalg.elementwise_kind<{kind}>
                 indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>]
                 ins(%a, %b : tensor<2xf32>, tensor<3x2xf32>) outs(%c : tensor<2x3xf32>) -> tensor<2x3xf32>
               return %r : tensor<2x3xf32>
             }}"
        )
    };
    let b = tensor(&[3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let args = [tensor(&[2], &[4.0, 3.0]), b, tensor(&[2, 3], &[0.0; 6])];
    assert_eq!(run(&text("sub"), &args), Ok(tensor(&[2, 3], &[3.0, 1.0, -1.0, 1.0, -1.0, -3.0])));
    assert_eq!(run(&text("max_signed"), &args), Ok(tensor(&[2, 3], &[4.0, 4.0, 5.0, 3.0, 4.0, 6.0])));
}

#[test]
fn zero_points_are_subtracted() {
    let text = "func.func @f(%a: tensor<1x2xi8>, %b: tensor<2x1xi8>, %c: tensor<1x1xi32>) -> i32 {
      %za = arith.constant 3 : i32
      %zb = arith.constant -1 : i32
      %m = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<1x2xi8>, tensor<2x1xi8>, i32, i32)
        outs(%c : tensor<1x1xi32>) -> tensor<1x1xi32>
      %i = arith.constant 0 : index
      %r = tensor.extract %m[%i, %i] : tensor<1x1xi32>
      return %r : i32
    }";
    let ints = |shape: &[usize], data: &[i64]| -> Datum {
        minoan_services::Tensor { shape: shape.into(), data: minoan_services::TensorData::Int(data.into()) }
            .into()
    };
    let args = [ints(&[1, 2], &[5, -100]), ints(&[2, 1], &[7, 2]), ints(&[1, 1], &[1000])];
    // 1000 + (5 - 3) * (7 + 1) + (-100 - 3) * (2 + 1)
    assert_eq!(run(text, &args), Ok(Datum::Int(707)));
}

#[test]
fn pack_and_unpack() {
    let text = |perm: &str, to: &str| {
        format!(
            "func.func @f(%a: tensor<3x5xf32>, %t: tensor<{to}xf32>, %n: index, %p: f32) -> tensor<{to}xf32> {{
               %r = linalg.pack %a padding_value(%p : f32) {perm} inner_dims_pos = [1, 0] inner_tiles = [2, 2]
                 into %t : tensor<3x5xf32> -> tensor<{to}xf32>
               return %r : tensor<{to}xf32>
             }}"
        )
    };
    let array: Vec<f32> = (0..15u8).map(f32::from).collect();
    let array = || tensor(&[3, 5], &array);
    let args = |shape: &[usize]| [array(), tensor(shape, &[0.0; 24]), Datum::Int(2), Datum::F32(-1.0)];
    let tiles = [
        0.0, 5.0, 1.0, 6.0, 2.0, 7.0, 3.0, 8.0, 4.0, 9.0, -1.0, -1.0, 10.0, -1.0, 11.0, -1.0, 12.0, -1.0,
        13.0, -1.0, 14.0, -1.0, -1.0, -1.0,
    ];
    assert_eq!(run(&text("", "2x3x2x2"), &args(&[2, 3, 2, 2])), Ok(tensor(&[2, 3, 2, 2], &tiles)));
    let swapped = elements(run(&text("outer_dims_perm = [1, 0]", "3x2x2x2"), &args(&[3, 2, 2, 2])));
    assert_eq!(swapped[..8], [0.0, 5.0, 1.0, 6.0, 10.0, -1.0, 11.0, -1.0]);

    let back = "func.func @f(%t: tensor<3x2x2x?xf32>, %a: tensor<3x5xf32>, %n: index) -> tensor<3x5xf32> {
      %r = linalg.unpack %t outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, %n]
        into %a : tensor<3x2x2x?xf32> -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    }";
    let args = |tile| [tensor(&[3, 2, 2, 2], &swapped), tensor(&[3, 5], &[9.0; 15]), Datum::Int(tile)];
    assert_eq!(run(back, &args(2)), Ok(array()));
    assert!(run(back, &args(3)).is_err(), "the tiles are two wide");
}

/// A destination with room for fewer tiles cut off what did not fit.
#[test]
fn pack_checks_the_number_of_tiles() {
    let text = "func.func @f(%a: tensor<?xf32>, %t: tensor<?x2xf32>, %p: f32) -> tensor<?x2xf32> {
      %r = linalg.pack %a padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [2]
        into %t : tensor<?xf32> -> tensor<?x2xf32>
      return %r : tensor<?x2xf32>
    }";
    let run = |count: usize| {
        let tiles = tensor(&[count, 2], &vec![0.0; 2 * count]);
        run(text, &[tensor(&[3], &[1.0, 2.0, 3.0]), tiles, Datum::F32(-1.0)])
    };
    assert_eq!(run(2), Ok(tensor(&[2, 2], &[1.0, 2.0, 3.0, -1.0])));
    let message = "linalg.pack: dimension 0 of the packed array must have the number of tiles that cover dimension 0 of the array";
    for count in [0, 1, 3] {
        let trap = run(count).expect_err("the extents disagree");
        assert!(trap.is_assertion);
        assert_eq!(trap.message, message);
    }
}

#[test]
fn softmax() {
    let text = "func.func @f(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %r = linalg.softmax dimension(0) ins(%a : tensor<2x2xf32>) outs(%a : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %r : tensor<2x2xf32>
    }";
    let result = elements(run(text, &[tensor(&[2, 2], &[1000.0, 0.0, 1000.0, 3f32.ln()])]));
    let want = [0.5, 0.25, 0.5, 0.75];
    assert!(result.iter().zip(want).all(|(have, want)| (have - want).abs() < 1e-6), "{result:?}");
}

#[test]
fn a_softmax_of_halves_was_not_rounded_at_each_step() {
    let elements = "dense<[0.1, 0.7, -1.3, 2.9]> : tensor<4xf16>";
    let whole = format!(
        "func.func @f(%n: index) -> f16 {{
      %x = arith.constant {elements}
      %r = linalg.softmax dimension(0) ins(%x : tensor<4xf16>) outs(%x : tensor<4xf16>) -> tensor<4xf16>
      %e = tensor.extract %r[%n] : tensor<4xf16>
      return %e : f16
    }}"
    );
    let step = |name: &str, inputs: &str, body: &str| {
        format!(
            "%{name} = linalg.map ins({inputs}) outs(%x : tensor<4xf16>)
            (%a: f16, %b: f16, %o: f16) {{ {body} linalg.yield %z : f16 }}"
        )
    };
    let steps = format!(
        "func.func @f(%n: index) -> f16 {{
      %x = arith.constant {elements}
      %least = arith.constant dense<0xFC00> : tensor<f16>
      %zero = arith.constant dense<0.0> : tensor<f16>
      %m = linalg.reduce {{ arith.maximumf }} ins(%x : tensor<4xf16>) outs(%least : tensor<f16>) dimensions = [0]
      %ms = linalg.broadcast ins(%m : tensor<f16>) outs(%x : tensor<4xf16>) dimensions = [0]
      {}
      %s = linalg.reduce {{ arith.addf }} ins(%p : tensor<4xf16>) outs(%zero : tensor<f16>) dimensions = [0]
      %ss = linalg.broadcast ins(%s : tensor<f16>) outs(%x : tensor<4xf16>) dimensions = [0]
      {}
      %e = tensor.extract %r[%n] : tensor<4xf16>
      return %e : f16
    }}",
        step("p", "%x, %ms : tensor<4xf16>, tensor<4xf16>", "%d = arith.subf %a, %b : f16 %z = math.exp %d : f16"),
        step("r", "%p, %ss : tensor<4xf16>, tensor<4xf16>", "%z = arith.divf %a, %b : f16"),
    );
    for at in 0..4 {
        let [found, expected] = [&whole, &steps].map(|text| run(text, &[Datum::Int(at)]));
        assert_eq!(found, expected, "element {at}");
    }
}

#[test]
fn winograd_convolution() {
    for (fmr, m, r) in [("F_2_3", 2, 3), ("F_4_3", 4, 3), ("F_2_5", 2, 5)] {
        let (alpha, out) = (m + r - 1, 2 * m);
        let side = out + r - 1;
        let (image, filter) = (format!("1x{side}x{side}x2xf32"), format!("3x{r}x{r}x2xf32"));
        let (result, tiles) = (format!("1x{out}x{out}x3xf32"), format!("{alpha}x{alpha}x2x2x1"));
        let (images, filters) = (format!("{tiles}x2xf32"), format!("{alpha}x{alpha}x2x3xf32"));
        let head = format!(
            "func.func @f(%i: tensor<{image}>, %f: tensor<{filter}>, %o: tensor<{result}>, \
             %ti: tensor<{images}>, %tf: tensor<{filters}>, %tp: tensor<{tiles}x3xf32>) -> tensor<{result}>"
        );
        let steps = format!(
            "{head} {{
               %0 = linalg.winograd_filter_transform fmr({fmr}) ins(%f : tensor<{filter}>) outs(%tf : tensor<{filters}>) -> tensor<{filters}>
               %1 = linalg.winograd_input_transform fmr({fmr}) ins(%i : tensor<{image}>) outs(%ti : tensor<{images}>) -> tensor<{images}>
               %2 = linalg.contract indexing_maps = [affine_map<(a, b, h, w, n, f, c) -> (a, b, h, w, n, c)>,
                   affine_map<(a, b, h, w, n, f, c) -> (a, b, c, f)>, affine_map<(a, b, h, w, n, f, c) -> (a, b, h, w, n, f)>]
                 ins(%1, %0 : tensor<{images}>, tensor<{filters}>) outs(%tp : tensor<{tiles}x3xf32>) -> tensor<{tiles}x3xf32>
               %r = linalg.winograd_output_transform fmr({fmr}) ins(%2 : tensor<{tiles}x3xf32>) outs(%o : tensor<{result}>) -> tensor<{result}>
               return %r : tensor<{result}>
             }}"
        );
        let direct = format!(
            "{head} {{
               %r = linalg.conv_2d_nhwc_fhwc ins(%i, %f : tensor<{image}>, tensor<{filter}>) outs(%o : tensor<{result}>) -> tensor<{result}>
               return %r : tensor<{result}>
             }}"
        );
        let numbers = |shape: &[usize], step: usize| {
            let count: usize = shape.iter().product();
            let values: Vec<f32> = (0..count).map(|at| ((at * step) % 13) as f32 - 6.0).collect();
            tensor(shape, &values)
        };
        let args = [
            numbers(&[1, side, side, 2], 5),
            numbers(&[3, r, r, 2], 7),
            numbers(&[1, out, out, 3], 3),
            tensor(&[alpha, alpha, 2, 2, 1, 2], &vec![0.0; alpha * alpha * 8]),
            tensor(&[alpha, alpha, 2, 3], &vec![0.0; alpha * alpha * 6]),
            tensor(&[alpha, alpha, 2, 2, 1, 3], &vec![0.0; alpha * alpha * 12]),
        ];
        let (have, want) = (elements(run(&steps, &args)), elements(run(&direct, &args)));
        let close = have.iter().zip(&want).all(|(have, want)| (have - want).abs() < 0.02);
        assert!(close && have.len() == want.len(), "{fmr}: {have:?}\n{want:?}");
    }
}

/// `linalg.abs` creates operations of `math` when it is parsed, and `tensor.empty` is created by folds: the context of a program
/// that only names linalg has these dialects, too.
#[test]
fn the_dialects_that_linalg_depends_on_are_loaded() {
    let ctx = context(|registry| {
        registry
            .add(minoan_builtin::BuiltinDialect)
            .add(minoan_func::FuncDialect)
            .add(minoan_linalg::LinalgDialect);
    });
    let text = "func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %r = linalg.abs ins(%x : tensor<2xf32>) outs(%y : tensor<2xf32>) -> tensor<2xf32>
      return %r : tensor<2xf32>
    }";
    let args = [tensor(&[2], &[-1.5, 2.0]), tensor(&[2], &[0.0, 0.0])];
    assert_eq!(run_one(&ctx, text, &args), Ok(tensor(&[2], &[1.5, 2.0])));
    for dialect in ["arith", "math", "memref", "tensor"] {
        assert!(ctx.dialect(dialect).is_some(), "{dialect}");
    }
}
