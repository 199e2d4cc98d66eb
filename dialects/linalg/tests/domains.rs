//! Iteration domains with their extents and padding, and operations made from them.

use minoan_diag::SourceMap;
use minoan_interp::Interpreter;
use minoan_ir::affine::AffineMap;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::verify::verify;
use minoan_ir::{Builder, Context, Module, Op};
use minoan_services::{
    Algebra, CombineKind, Correction, Datum, Domain, DomainOps, Extent, IterationDomain, IteratorType, Order,
    Read,
};
use minoan_testing::{context, tensor};

fn ctx() -> Context {
    context(|registry| {
        registry
            .add(minoan_builtin::BuiltinDialect)
            .add(minoan_func::FuncDialect)
            .add(minoan_arith::ArithDialect)
            .add(minoan_linalg::LinalgDialect)
            .add(minoan_math::MathDialect)
            .add(minoan_tensor::TensorDialect);
    })
}

fn parse(ctx: &Context, text: &str) -> Module {
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let module = parse_module(ctx, &sources, file, &ParseOptions::default()).expect("the text is good");
    verify(&module).expect("the module is valid");
    module
}

/// The first operation of a name in the function `f`, which is given to `check`.
fn with_op<R>(text: &str, name: &str, check: impl FnOnce(&minoan_ir::Body, Op) -> R) -> R {
    let ctx = ctx();
    let module = parse(&ctx, text);
    let function = module.body().walk().into_iter().find(|&op| module.body().op(op).name() == "func.func");
    let body = module.body().nested(function.expect("a function")).expect("it is isolated");
    let op = body.walk().into_iter().find(|&op| body.op(op).name() == name).expect("the operation");
    check(body, op)
}

fn domain(text: &str, name: &str) -> Option<Domain> {
    with_op(text, name, |body, op| {
        let view = body.op(op);
        body.context().service::<dyn IterationDomain>(view.kind())?.domain(view)
    })
}

#[test]
fn extents_are_static_where_an_operand_is() {
    let text = "func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x7xf32>, %c: tensor<4x7xf32>) -> tensor<4x7xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x7xf32>) outs(%c : tensor<4x7xf32>) -> tensor<4x7xf32>
      return %r : tensor<4x7xf32>
    }";
    let domain = domain(text, "linalg.matmul").expect("it has a domain");
    let inner = Extent::Of { operand: 0, dim: 1 };
    assert_eq!(domain.extents, [Extent::Known(4), Extent::Known(7), inner]);
    assert_eq!(domain.iterator_types[2], IteratorType::Reduction);
}

#[test]
fn extents_of_elementwise_and_generated_tensors() {
    let text = "func.func @f(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
      %r = arith.addf %a, %a : tensor<?x3xf32>
      return %r : tensor<?x3xf32>
    }";
    let own = Extent::Of { operand: 0, dim: 0 };
    assert_eq!(domain(text, "arith.addf").expect("a domain").extents, [own, Extent::Known(3)]);
    let text = "func.func @f(%n: index, %x: f32) -> tensor<2x?xf32> {
      %r = tensor.generate %n { ^bb0(%i: index, %j: index): tensor.yield %x : f32 } : tensor<2x?xf32>
      return %r : tensor<2x?xf32>
    }";
    let extents = domain(text, "tensor.generate").expect("a domain").extents;
    assert!(matches!(extents[..], [Extent::Known(2), Extent::Value(_)]), "{extents:?}");
}

#[test]
fn padding_is_a_read_outside() {
    let pad = |low: &str, yielded: &str, to: &str| {
        format!(
            "func.func @f(%a: tensor<3x?xf32>, %n: index, %x: f32) -> tensor<{to}> {{
              %c = arith.constant 2.5 : f32
              %r = tensor.pad %a low[{low}, 0] high[1, 0] {{
                ^bb0(%i: index, %j: index): tensor.yield {yielded} : f32
              }} : tensor<3x?xf32> to tensor<{to}>
              return %r : tensor<{to}>
            }}"
        )
    };
    let domain_of = |low, yielded, to| domain(&pad(low, yielded, to), "tensor.pad");
    with_op(&pad("2", "%c", "6x?xf32"), "tensor.pad", |body, op| {
        let (view, ctx) = (body.op(op), body.context());
        let padded = ctx.service::<dyn IterationDomain>(view.kind()).and_then(|service| service.domain(view));
        let padded = padded.expect("a domain");
        assert_eq!(padded.extents, [Extent::Known(6), Extent::Of { operand: 0, dim: 1 }]);
        assert!(padded.has_padding());
        assert_eq!(padded.reads[0].map.results[0].evaluate(&[5, 1], &[]), Some(3));
        assert_eq!(padded.reads[0].outside.and_then(|outside| outside.as_f64(ctx)), Some(2.5));
    });
    assert_eq!(domain_of("2", "%x", "6x?xf32"), None, "the padding is not a constant");
    assert_eq!(domain_of("%n", "%c", "?x?xf32"), None, "the shift is unknown");
}

#[test]
fn monoids_follow_fastmath() {
    let monoid = |statement: &str, name: &str, ty: &str| {
        let text = format!(
            "func.func @f(%a: {ty}, %b: {ty}) -> {ty} {{ %r = {statement} : {ty} return %r : {ty} }}"
        );
        with_op(&text, name, |body, op| {
            let view = body.op(op);
            let monoid =
                body.context().service::<dyn Algebra>(view.kind()).and_then(|laws| laws.monoid(view));
            monoid.map(|monoid| (monoid, monoid.identity.as_f64(body.context())))
        })
    };
    let (sum, identity) = monoid("arith.addf %a, %b", "arith.addf", "f32").expect("a monoid");
    assert_eq!((sum.order, sum.kind, sum.idempotent), (Order::Fixed, CombineKind::AddF, false));
    assert_eq!(identity.map(f64::to_bits), Some((-0.0f64).to_bits()));
    let (sum, _) = monoid("arith.addf %a, %b fastmath<reassoc>", "arith.addf", "f64").expect("a monoid");
    assert_eq!(sum.order, Order::Rounds);
    assert!(sum.distributes(Correction::Times) && !sum.distributes(Correction::Plus));
    let (max, identity) = monoid("arith.maximumf %a, %b", "arith.maximumf", "f32").expect("a monoid");
    assert_eq!((max.order, max.idempotent, identity), (Order::Exact, true, Some(f64::NEG_INFINITY)));
    assert!(max.distributes(Correction::Plus));
    assert_eq!(monoid("arith.subf %a, %b", "arith.subf", "f32"), None);
    assert_eq!(monoid("arith.addf %a, %b", "arith.addf", "vector<4xf32>"), None);
}

#[test]
fn identities_of_integers_change_nothing() {
    let names = ["addi", "muli", "minsi", "minui", "maxsi", "maxui", "andi", "ori", "xori"];
    for ty in ["i1", "i8", "i64", "index"] {
        for name in names {
            let text = format!(
                "func.func @f(%a: {ty}, %b: {ty}) -> {ty} {{ %r = arith.{name} %a, %b : {ty} return %r : {ty} }}"
            );
            with_op(&text, &format!("arith.{name}"), |body, op| {
                let (ctx, view) = (body.context(), body.op(op));
                let laws = ctx.service::<dyn Algebra>(view.kind()).expect("it has laws");
                let identity = laws.monoid(view).expect("a monoid").identity;
                let identity = Datum::of_attr(ctx, identity).expect("a number");
                for value in [-128, -1, 0, 1, 5, 127] {
                    let value = if ty == "i1" { value & 1 } else { value };
                    let results =
                        Interpreter::new(&parse(ctx, &text)).call("f", &[identity.clone(), value.into()]);
                    let got = results.expect("it is defined").remove(0).int().expect("an integer");
                    let wanted = if ty == "i1" { -value & 1 } else { value };
                    assert_eq!(got & 0xff, wanted & 0xff, "arith.{name} : {ty}");
                }
            });
        }
    }
}

#[test]
fn corrections_pass_through_exponentials() {
    let carry = |statement: &str, name: &str, operand, correction| {
        let text =
            format!("func.func @f(%a: f32, %b: f32) -> f32 {{ %r = {statement} : f32 return %r : f32 }}");
        with_op(&text, name, |body, op| {
            let view = body.op(op);
            body.context().service::<dyn Algebra>(view.kind())?.carry(view, operand, correction)
        })
    };
    let (plus, times) = (Correction::Plus, Correction::Times);
    assert_eq!(carry("math.exp %a", "math.exp", 0, plus), Some(times));
    assert_eq!(carry("math.exp %a", "math.exp", 0, times), None);
    assert_eq!(carry("arith.subf %a, %b", "arith.subf", 1, plus), Some(plus));
    assert_eq!(carry("arith.subf %a, %b", "arith.subf", 1, times), None);
    assert_eq!(carry("arith.mulf %a, %b", "arith.mulf", 0, times), Some(times));
    assert_eq!(carry("arith.divf %a, %b", "arith.divf", 1, plus), None);
}

#[test]
fn an_operation_is_made_from_its_domain() {
    let ctx = ctx();
    let mut module = parse(
        &ctx,
        "func.func @f(%a: tensor<2x3xf32>, %o: tensor<3xf32>) -> tensor<3xf32> { return %o : tensor<3xf32> }",
    );
    let function = module.body().walk().into_iter().find(|&op| module.body().op(op).name() == "func.func");
    let body = module.body_mut().nested_mut(function.expect("a function")).expect("it is isolated");
    let block = body.region(body.root(0)).entry().expect("a block");
    let last = body.block(block).last().expect("a terminator");
    let (a, o) = (body.block(block).arg(0), body.block(block).arg(1));
    let map = AffineMap::projection(2, &[1]);
    let domain = Domain {
        iterator_types: vec![IteratorType::Reduction, IteratorType::Parallel],
        extents: vec![Extent::Known(2), Extent::Known(3)],
        reads: vec![Read::new(0, AffineMap::identity(2))],
        writes: vec![map],
    };
    let maker = <dyn DomainOps>::any(&ctx).expect("linalg is loaded");
    let mut b = Builder::before(body, last);
    let made = maker.make(&mut b, &domain, &[a], &[o], &mut |b, elements, index| {
        let row = index(b, 0);
        let row = minoan_arith::index_cast(b, row, minoan_ir::Type::I32);
        let row = minoan_arith::sitofp(b, row, minoan_ir::Type::F32);
        let scaled = minoan_arith::mulf(b, elements[0], row);
        vec![minoan_arith::addf(b, elements[1], scaled)]
    });
    let sum = body.op(made.expect("it is in bounds")).result(0);
    body.set_operand(last, 0, sum);
    verify(&module).expect("the result is valid");
    let args = [tensor(&[2, 3], &[9.0, 9.0, 9.0, 1.0, 2.0, 3.0]), tensor(&[3], &[10.0, 20.0, 30.0])];
    let results = Interpreter::new(&module).call("f", &args).expect("it runs");
    assert_eq!(results, [tensor(&[3], &[11.0, 22.0, 33.0])]);
}
