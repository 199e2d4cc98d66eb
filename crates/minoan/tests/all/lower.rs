//! The lowering of operators by patterns: those of a library user, in functions of any dialect.

use expect_test::expect;
use minoan::dialects::relay;
use minoan::dialects::relay::attrs::{AttrValue, Attrs, complete};
use minoan::ir::text::{PrintFlags, parse_text, print_module};
use minoan::ir::{OpState, Registry};
use minoan::prelude::*;
use minoan::rewrite::lower;

const TENSOR: &str = "tensor<3xf32>";

/// A call of an operator whose result has this type.
fn operator(
    b: &mut Builder<'_>,
    name: &str,
    args: &[Value],
    attrs: &[(&'static str, AttrValue)],
    ty: Type,
) -> Value {
    let operator = relay::operators::find(name).expect("it is an operator");
    let attrs = complete(operator, &Attrs::from_iter(attrs.iter().cloned())).expect("the attributes fit");
    relay::call(b, operator, args, &attrs, ty)
}

/// A dialect that lowers some operators in its own way.
const OWN: LowerBy = LowerBy(|lowering: &mut Lowering| {
    lowering.patterns(|patterns, types| {
        patterns.with_benefit(2, |patterns| {
            // Another function, so that the results differ.
            patterns.convert_named("relay.nn.relu", types, |_, [x], b| {
                let ty = b.ty(x);
                Ok(operator(b, "abs", &[x], &[], ty))
            });
            // An operator without a rule.
            patterns.convert_named("relay.vm.reshape_tensor", types, |op, [x, _], b| {
                let ty = b.body().op(op).result_types().next().expect("it has a result");
                let shape =
                    b.body().op(op).attr_named("newshape").and_then(|shape| shape.as_dense_i64(&b.context()));
                let shape = shape.ok_or(NoMatch::because("the shape is unknown"))?;
                Ok(operator(b, "reshape", &[x], &[("newshape", AttrValue::ints(&shape))], ty))
            });
        });
    });
});

dialect! { Own = "own": services(Lower = OWN) }

/// A tensor and its double, one after the other.
#[op("mixed.both", no_function)]
pub struct Both {
    tensor: Operand<ANY>,
    result: OpResult<ANY>,
}

use minoan::ir::constraints::ANY;

/// Lowers to operators, a tuple, a constant, and operations that their dialect lowers by editing the module.
fn lower_both(op: Both, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let view = rewriter.op(op.op());
    let (x, ty, loc) = (view.operand(0), view.result_types().next().expect("it has a result"), view.loc());
    let mut b = rewriter.builder().with_loc(loc);
    let ctx = b.context();
    let result = |b: &Builder<'_>, op: Op| b.body().op(op).result(0);
    let part = b.ty(x);
    let double = b.create(OpState::named(&ctx, "relay.add").operands(&[x, x]).results(&[part]));
    let double = result(&b, double);
    let less = b.create(OpState::named(&ctx, "relay.call").operands(&[x]).results(&[part]).props(
        minoan::ir::generated::props::<relay::Call>(
            &ctx,
            &[("callee", Some(Attr::flat_symbol(&ctx, "same")))],
        ),
    ));
    let same = result(&b, less);
    let parts = [b.ty(same), b.ty(double)];
    let tuple = b.create(
        OpState::named(&ctx, "relay.tuple").operands(&[same, double]).results(&[Type::tuple(&ctx, &parts)]),
    );
    let tuple = result(&b, tuple);
    let both = operator(&mut b, "concatenate", &[tuple], &[("axis", AttrValue::Int(0))], ty);
    rewriter.replace(op.op(), &[both]);
    Ok(Matched)
}

const MIXED: LowerBy = LowerBy(|lowering: &mut Lowering| {
    lowering.target().illegal_dialect("mixed");
    lowering.patterns(|patterns, _| _ = patterns.on::<Both>("lower-both", lower_both));
});

dialect! { Mixed = "mixed": ops(Both), services(Lower = MIXED) }

fn session(add: impl FnOnce(&mut Registry)) -> Session {
    let mut registry = minoan::registry();
    add(&mut registry);
    Session::with_context(Context::new(registry).expect("the dialects go together"))
}

/// The result of the function `main` of a program for an argument.
fn run(session: &Session, file: &str, text: &str, arg: serde_json::Value) -> serde_json::Value {
    let program = session.read_text(file, text).expect("it is valid");
    let entry = session.entry(&program, "main", Float::F32).expect("it is lowered");
    let args = entry.interface.parse_args(&serde_json::json!([arg])).expect("the argument fits");
    let result = session.run(&entry, &args, Backend::Interpret).expect("it runs");
    entry.interface.result_json(&result).expect("it is a value")
}

const RELU: &str = "def @main(%x: Tensor[(3), float32]) { nn.relu(%x) }";

#[test]
fn a_pattern_of_a_user_replaces_the_rule_of_an_operator() {
    let x = serde_json::json!([-1.0, 0.0, 2.0]);
    let built_in = run(&session(|_| {}), "relu.relay", RELU, x.clone());
    assert_eq!(built_in, serde_json::json!([0.0, 0.0, 2.0]));
    let session = session(|registry| _ = registry.add(Own));
    assert_eq!(run(&session, "relu.relay", RELU, x), serde_json::json!([1.0, 0.0, 2.0]));
}

fn lowered(session: &Session, text: &str) -> Module {
    let mut module = parse_text(session.context(), text).expect("it is well formed");
    lower(&mut module).unwrap_or_else(|errors| panic!("{errors}"));
    minoan::ir::verify(&module).expect("it is valid");
    module
}

#[test]
fn a_pattern_of_a_user_lowers_an_operator_without_a_rule() {
    let session = session(|registry| _ = registry.add(Own));
    let module = lowered(
        &session,
        "func.func @f(%x: tensor<2x3xf32>, %y: tensor<2xi64>) -> tensor<3x2xf32> {
  %0 = relay.vm.reshape_tensor %x, %y {newshape = array<i64: 3, 2>} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}",
    );
    let text = print_module(&module, &PrintFlags::default());
    assert!(text.contains("-> tensor<3x2xf32>") && !text.contains("relay."), "{text}");
}

#[test]
fn operators_in_functions_of_other_dialects_are_lowered() {
    let text = format!(
        "func.func @main(%x: {TENSOR}) -> {TENSOR} {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %first = tensor.extract %x[%c0] : {TENSOR}
  %c = arith.cmpf olt, %first, %zero : f32
  %r = scf.if %c -> ({TENSOR}) {{
    %y = relay.nn.relu %x : ({TENSOR}) -> {TENSOR}
    scf.yield %y : {TENSOR}
  }} else {{
    scf.yield %x : {TENSOR}
  }}
  return %r : {TENSOR}
}}"
    );
    for (own, results) in [(false, [0.0, 0.0, 2.0]), (true, [3.0, 0.0, 2.0])] {
        let session = session(|registry| _ = own.then(|| registry.add(Own)));
        let result = run(&session, "main.mlir", &text, serde_json::json!([-3.0, 0.0, 2.0]));
        assert_eq!(result, serde_json::json!(results));
    }
}

#[test]
fn what_patterns_create_is_lowered_in_a_module_with_such_operations() {
    let session = session(|registry| _ = registry.add(Mixed));
    let text = format!(
        "relay.func private @same(%x: {TENSOR}) -> {TENSOR} {{
  relay.return %x : {TENSOR}
}}
relay.func @main(%x: {TENSOR}) -> tensor<6xf32> {{
  %0 = relay.add %x, %x : ({TENSOR}, {TENSOR}) -> {TENSOR}
  %1 = \"mixed.both\"(%0) : ({TENSOR}) -> tensor<6xf32>
  relay.return %1 : tensor<6xf32>
}}"
    );
    let module = lowered(&session, &text);
    let shown = print_module(&module, &PrintFlags::default());
    assert!(!shown.contains("relay.") && !shown.contains("cast"), "{shown}");
    let result = run(&session, "main.mlir", &text, serde_json::json!([1.0, 2.0, 3.0]));
    assert_eq!(result, serde_json::json!([2.0, 4.0, 6.0, 4.0, 8.0, 12.0]));
}

#[test]
fn each_operator_that_cannot_be_lowered_is_reported() {
    let session = session(|_| {});
    let text = "relay.func @f(%x: tensor<2xi32>, %y: tensor<2xi64>) -> tensor<2xi32> {
  %0 = relay.exp %x : (tensor<2xi32>) -> tensor<2xi32>
  %1 = relay.vm.reshape_tensor %0, %y {newshape = array<i64: 2>} : (tensor<2xi32>, tensor<2xi64>) -> tensor<2xi32>
  relay.return %1 : tensor<2xi32>
}
func.func @g(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = relay.exp %x : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}";
    let mut module = parse_text(session.context(), text).expect("it is well formed");
    let before = print_module(&module, &PrintFlags::default());
    let errors = lower(&mut module).expect_err("there are no rules");
    assert_eq!(print_module(&module, &PrintFlags::default()), before);
    expect![[r#""#]].assert_eq(&errors.to_string());
}
