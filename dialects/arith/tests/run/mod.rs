//! Evaluates a single operation.

use minoan_arith::ArithDialect;
use minoan_ir::{Builder, Context, Op, Type, Value};
use minoan_services::{Datum, Trap};

/// A context with the dialect.
pub fn context() -> Context {
    minoan_testing::context(|registry| {
        registry.add(ArithDialect);
    })
}

/// All results of an operation whose operands have the type `ty`.
pub fn all_results<const N: usize>(
    ctx: &Context,
    build: impl Fn(&mut Builder<'_>, [Value; N]) -> Op,
    ty: Type,
    operands: &[Datum; N],
) -> Result<Vec<Datum>, Trap> {
    minoan_testing::evaluate(ctx, ty, operands, build)
}

fn only(results: Vec<Datum>) -> Datum {
    results.into_iter().next().expect("one result")
}

/// The result of an operation with one operand.
pub fn unary(
    ctx: &Context,
    build: impl Fn(&mut Builder<'_>, Value) -> Value,
    ty: Type,
    a: &Datum,
) -> Result<Datum, Trap> {
    let build = |b: &mut Builder<'_>, [value]: [Value; 1]| {
        let result = build(b, value);
        b.body().defining_op(result).expect("a result")
    };
    all_results(ctx, build, ty, std::array::from_ref(a)).map(only)
}

/// The result of an operation with two operands of one type.
pub fn binary(
    ctx: &Context,
    build: impl Fn(&mut Builder<'_>, Value, Value) -> Value,
    ty: Type,
    a: &Datum,
    b: &Datum,
) -> Result<Datum, Trap> {
    let build = |builder: &mut Builder<'_>, [lhs, rhs]: [Value; 2]| {
        let result = build(builder, lhs, rhs);
        builder.body().defining_op(result).expect("a result")
    };
    all_results(ctx, build, ty, &[a.clone(), b.clone()]).map(only)
}
