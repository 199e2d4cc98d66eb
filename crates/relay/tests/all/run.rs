//! Lowers the reference programs and runs them with the interpreter.

use crate::common::run::{self, Outcome, run};
use crate::common::{emitted, programs};
use expect_test::expect;
use minoan_interp::Interpreter;
use minoan_services::{Datum, Tensor, TensorData};
use std::collections::BTreeMap;

/// Programs with another result than the reference, each with the reason.
/// `IEEE 754 and the definition of an operator win over TVM` is the rule of the reference; what these programs give here is
/// pinned below.
const BETTER: [(&str, &str); 12] = [
    ("clip__f32", "TVM's minimum and maximum drop a NaN; a NaN stays one"),
    ("max__zero_dim", "TVM starts a maximum at the least finite number; that of no elements is -inf"),
    ("min__zero_dim", "TVM starts a minimum at the largest finite number; that of no elements is inf"),
    ("max__neg_inf", "TVM starts a maximum at the least finite number, which is greater than -inf"),
    ("min__inf", "TVM starts a minimum at the largest finite number, which is less than inf"),
    ("argsort__nan", "TVM's comparison leaves the order of a NaN unspecified; a NaN is last"),
    ("sort__nan", "TVM's comparison leaves the order of a NaN unspecified; a NaN is last"),
    ("sort__desc_nan", "TVM's comparison leaves the order of a NaN unspecified; a NaN is last"),
    ("argsort__desc_nan", "TVM's comparison leaves the order of a NaN unspecified; a NaN is last"),
    ("arange__neg_frac", "TVM truncates a negative fractional step when it counts the elements"),
    ("nn_max_pool2d__nan", "TVM's maximum drops a NaN; a NaN stays one"),
    ("nn_max_pool2d__neg_inf", "TVM starts a maximum at the least finite number, which is greater than -inf"),
];

#[test]
fn measured_programs_have_measured_results() {
    let (mut wrong, mut better) = (String::new(), String::new());
    let (mut agree, mut unlowered) = (0, BTreeMap::<String, usize>::new());
    for program in programs::all().iter().filter(|program| program["output"].is_object()) {
        let name = program["name"].as_str().unwrap_or_default();
        match run(program) {
            Outcome::Agrees => agree += 1,
            Outcome::NotLowered(message) => *unlowered.entry(message).or_default() += 1,
            Outcome::Differs(how) if BETTER.iter().any(|(known, _)| *known == name) => {
                better += &format!("{name}: {}\n", how.lines().next().unwrap_or_default());
            }
            Outcome::Differs(how) => wrong += &format!("{name}: {how}\n"),
        }
    }
    let unlowered: String =
        unlowered.iter().map(|(message, count)| format!("{message} ({count})\n")).collect();
    expect![[r#"
        663 agree
        clip__f32: F32([-1.0, -1.0, -0.0, 0.5, 1.5, 1.5, NaN, 1.5, -1.0]), not [-1.0,-1.0,-0.0,0.5,1.5,1.5,1.5,1.5,-1.0]
        max__zero_dim: F32([-inf, -inf, -inf]), not [-3.4028235e+38,-3.4028235e+38,-3.4028235e+38]
        min__zero_dim: F32([inf, inf, inf]), not [3.4028235e+38,3.4028235e+38,3.4028235e+38]
        argsort__nan: Int([3, 5, 6, 0, 2, 4, 1]), not [3,0,1,5,6,2,4]
        sort__nan: F32([-inf, -0.0, 0.0, 1.0, 3.0, inf, NaN]), not ["-inf",1.0,"nan",-0.0,0.0,3.0,"inf"]
        arange__neg_frac: shape [4], not [5]
        sort__desc_nan: F32([inf, 3.0, 1.0, -inf, NaN]), not [3.0,1.0,"nan","inf","-inf"]
        argsort__desc_nan: Int([4, 2, 0, 3, 1]), not [2,0,1,4,3]
        nn_max_pool2d__nan: F32([NaN, NaN, inf, 5.0]), not [5.0,5.0,"inf",5.0]
        max__neg_inf: F32([-inf]), not [-3.4028235e+38]
        min__inf: F32([inf]), not [3.4028235e+38]
        nn_max_pool2d__neg_inf: F32([-inf]), not [-3.4028235e+38]
    "#]]
    .assert_eq(&format!("{agree} agree\n{wrong}{unlowered}{better}"));
}

/// The extents and elements of a tensor.
type Floats = (Vec<usize>, Vec<f32>);

/// Runs `@main` of a program on `float32` tensors.
fn floats(text: &str, args: &[(&[usize], &[f32])]) -> Result<Vec<Floats>, String> {
    let module = run::lowered(&emitted::emitted(&run::context(), text, &["main"])?)?;
    let args: Vec<Datum> = args
        .iter()
        .map(|(shape, data)| Tensor { shape: shape.to_vec(), data: TensorData::F32(data.to_vec()) }.into())
        .collect();
    let results = Interpreter::new(&module).call("main", &args).map_err(|trap| trap.message)?;
    let parts = results.iter().map(|result| match &**result.tensor().map_err(|trap| trap.message)? {
        Tensor { shape, data: TensorData::F32(data) } => Ok((shape.clone(), data.clone())),
        other => Err(format!("{other:?}")),
    });
    parts.collect()
}

#[test]
fn dynamic_extents() {
    let row = (&[1, 3][..], &[1.0, 2.0, 3.0][..]);
    let matrix = (&[2, 3][..], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0][..]);
    let add = "def @main(%x: Tensor[(?, 3), float32], %y: Tensor[(?, ?), float32]) -> Tensor[(?, 3), float32] { %x + %y }";
    // Either operand may turn out to be broadcast.
    for args in [[row, matrix], [matrix, row]] {
        assert_eq!(floats(add, &args), Ok(vec![(vec![2, 3], vec![2.0, 4.0, 6.0, 5.0, 7.0, 9.0])]));
    }
    let three = (&[3, 3][..], &[0.0; 9][..]);
    assert_eq!(floats(add, &[matrix, three]), Err("an extent of 3 cannot be broadcast to 2".to_owned()));

    let movement = "def @main(%x: Tensor[(?, 3), float32]) {
        (reshape(%x, newshape=[-1]), transpose(%x, axes=[1, 0]), concatenate((%x, %x), axis=0),
         mean(%x, axis=[0]), reverse(%x, axis=0), nn.pad(%x, 0f, pad_width=[[1, 0], [0, 0]])) }";
    let results = floats(movement, &[matrix]);
    let expected: [(&[usize], &[f32]); 6] = [
        (&[6], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        (&[3, 2], &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]),
        (&[4, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        (&[3], &[2.5, 3.5, 4.5]),
        (&[2, 3], &[4.0, 5.0, 6.0, 1.0, 2.0, 3.0]),
        (&[3, 3], &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    ];
    assert_eq!(results, Ok(expected.map(|(shape, data)| (shape.to_vec(), data.to_vec())).to_vec()));

    let products = "def @main(%x: Tensor[(?, 3), float32]) {
        (nn.dense(%x, ones(shape=[2, 3], dtype=\"float32\"), units=2), nn.softmax(%x * 0f), sort(%x, axis=0, is_ascend=False)) }";
    let third = 1.0 / 3.0;
    let expected: [(&[usize], &[f32]); 3] = [
        (&[2, 2], &[6.0, 6.0, 15.0, 15.0]),
        (&[2, 3], &[third; 6]),
        (&[2, 3], &[4.0, 5.0, 6.0, 1.0, 2.0, 3.0]),
    ];
    assert_eq!(
        floats(products, &[matrix]),
        Ok(expected.map(|(shape, data)| (shape.to_vec(), data.to_vec())).to_vec())
    );
}

#[test]
fn out_of_bounds_indices() {
    let program = "def @main(%x: Tensor[(3), float32]) {
        let %i = cast(%x * 100f, dtype=\"int32\");
        (take(%x, %i), gather(%x, %i, axis=0), scatter_elements(%x, %i, %x)) }";
    let results = floats(program, &[(&[3], &[-1.0, 0.0, 1.0])]);
    let all = |data: [f32; 3]| (vec![3], data.to_vec());
    assert_eq!(results, Ok(vec![all([-1.0, -1.0, 1.0]), all([-1.0, -1.0, 1.0]), all([0.0, 0.0, 1.0])]));
}

#[test]
fn tail_recursion_is_a_loop() {
    let program = "def @sum(%n: float32, %total: float32) -> float32 {
        if (%n <= 0f) { %total } else { @sum(%n - 1f, %total + 1f) } }
      def @main(%n: float32) -> float32 { @sum(%n, 0f) }";
    assert_eq!(floats(program, &[(&[], &[100_000.0])]), Ok(vec![(vec![], vec![100_000.0])]));
    let ackermann = "def @ack(%m: float32, %n: float32) -> float32 {
        if (%m == 0f) { %n + 1f }
        else { if (%n == 0f) { @ack(%m - 1f, 1f) } else { @ack(%m - 1f, @ack(%m, %n - 1f)) } } }
      def @main(%n: float32) -> float32 { @ack(2f, %n) }";
    assert_eq!(floats(ackermann, &[(&[], &[20.0])]), Ok(vec![(vec![], vec![43.0])]));
}

#[test]
fn extents_that_disagree_are_reported_once_for_each_operation() {
    let vector = |count: usize| (vec![count], vec![1.0; count]);
    let two = |left: &str, right: &str, body: &str| {
        format!("def @main(%x: Tensor[({left}), float32], %y: Tensor[({right}), float32]) {{ {body} }}")
    };
    let run = |text: &str, args: &[(Vec<usize>, Vec<f32>)]| {
        let args: Vec<(&[usize], &[f32])> =
            args.iter().map(|(shape, data)| (&shape[..], &data[..])).collect();
        floats(text, &args).map(|_| ())
    };
    let matrix = |rows: usize, columns: usize| (vec![rows, columns], vec![1.0; rows * columns]);
    let cases = [
        (
            two("?, ?", "?, ?", "concatenate((%x, %y), axis=0)"),
            [matrix(1, 2), matrix(1, 3)],
            "concatenate: tensors 0 and 1 differ in extent along axis 1: 2 and 3",
        ),
        (
            two("?, ?", "?, ?", "nn.dense(%x, %y, units=1)"),
            [matrix(1, 2), matrix(1, 3)],
            "nn.dense: axis 1 of argument 2 has an extent that does not fit: expected 2, found 3",
        ),
        (
            two("2, 3", "?", "nn.bias_add(%x, %y)"),
            [matrix(2, 3), vector(2)],
            "nn.bias_add: 'data' along axis 1 and 'bias' along axis 0 differ in extent: 3 and 2",
        ),
        (
            two("?", "?", "reshape(%x, newshape=[2, -1])"),
            [vector(5), vector(0)],
            "reshape: the new shape has another number of elements: 4 and 5",
        ),
        (
            two("?", "?", "topk(%x, k=5, ret_type=\"values\")"),
            [vector(4), vector(0)],
            "topk: 'k' is 5, but 'data' has extent 4 along axis 0",
        ),
    ];
    for (text, args, message) in cases {
        assert_eq!(run(&text, &args), Err(message.to_owned()), "{text}");
    }
    let declared = "def @f(%x: Tensor[(?), float32]) -> Tensor[(3), float32] { %x }
        def @main(%x: Tensor[(?), float32]) -> Tensor[(?), float32] { @f(%x) }";
    assert_eq!(run(declared, &[vector(3)]), Ok(()));
    assert_eq!(
        run(declared, &[vector(4)]),
        Err("expected Tensor[(3), float32], but the extent along axis 0 is 4".to_owned())
    );
    // As many elements in another shape are another type all the same.
    let declared = "def @main(%x: Tensor[(?, ?), float32]) -> Tensor[(2, 3), float32] { %x }";
    assert_eq!(
        run(declared, &[matrix(3, 2)]),
        Err("expected Tensor[(2, 3), float32], but the extent along axis 0 is 3".to_owned())
    );
}
