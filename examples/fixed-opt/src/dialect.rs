//! The dialect: `!fixed.num<8>` is an `i32` in units of 1/256.

use minoan::ir::constraints::{INDEX, same_as};
use minoan::ir::{AttrEnum, Body, Context, Dialect, DialectBuilder, OpRef, Type, Violation, attr, op, ty};
use minoan::rewrite::{AddPatterns, CanonicalPatterns, pattern};
use minoan::services::{Datum, Evaluate, EvaluateFn, Flow, Machine, Trap};

/// A fixed-point number of 32 bits.
#[ty("fixed.num", verify = verify_num)]
pub struct Num {
    /// The number of fractional bits.
    fraction: u32,
}

fn verify_num(_: &Context, fraction: u32) -> Result<(), String> {
    if fraction < 31 {
        Ok(())
    } else {
        Err(format!("a number has at most 30 fractional bits, not {fraction}"))
    }
}

/// How the excess bits of a product are rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, AttrEnum)]
pub enum Rounding {
    /// Toward negative infinity.
    Down,
    /// To the nearest number, ties up.
    Nearest,
}

/// A rounding: `#fixed.rounding<nearest>`.
#[attr("fixed.rounding")]
pub struct RoundingAttr {
    /// The rounding.
    mode: Rounding,
}

/// A number given by its units: `fixed.constant 256 : !fixed.num<8>` is 1.
#[op("fixed.constant", traits(PURE), assembly = "$units attr-dict `:` type($result)",
     services(Evaluate = EvaluateFn(evaluate)))]
pub struct Constant {
    /// The number of units.
    #[attr]
    units: i32,
    /// The number.
    #[result(Num)]
    result: Value,
}

/// A sum, which wraps around.
#[op("fixed.add", traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT),
     assembly = "$lhs `,` $rhs attr-dict `:` type($result)", services(Evaluate = EvaluateFn(evaluate)))]
pub struct Add {
    #[operand(Num)]
    lhs: Value,
    #[operand(Num)]
    rhs: Value,
    #[result(Num)]
    result: Value,
}

/// A product.
#[op("fixed.mul", traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT),
     assembly = "$lhs `,` $rhs (`round` $rounding^)? attr-dict `:` type($result)",
     services(Evaluate = EvaluateFn(evaluate), CanonicalPatterns = AddPatterns(|patterns| {
         patterns.add(pattern!("mul-by-one": Mul(x, one @ Constant()) if is_one(body, one) => x));
         patterns.add(pattern!("one-by-mul": Mul(one @ Constant(), x) if is_one(body, one) => x));
     })))]
pub struct Mul {
    #[operand(Num)]
    lhs: Value,
    #[operand(Num)]
    rhs: Value,
    /// The rounding.
    #[attr(default = "#fixed.rounding<down>")]
    rounding: RoundingAttr,
    #[result(Num)]
    result: Value,
}

/// Whether a constant is 1.
fn is_one(body: &Body, one: Constant) -> bool {
    let num = Num::cast(body.context(), body.ty(one.result(body)));
    num.is_some_and(|num| one.units(body) == 1 << num.fraction(body.context()))
}

/// Applies its region a number of times: `fixed.repeat %n, %init : !fixed.num<8> { .. }`.
#[op(
    "fixed.repeat",
    traits(SINGLE_BLOCK, RECURSIVE_EFFECTS),
    derive(result = same_as(init), "result has the type of init"),
    assembly = "$times `,` $init `:` type($init) $body attr-dict",
    verify = Repeat::verify,
    services(Evaluate = EvaluateFn(repeat))
)]
pub struct Repeat {
    /// How often.
    #[operand(INDEX)]
    times: Value,
    /// The first value of the argument.
    #[operand(Num)]
    init: Value,
    /// The last value that the region yields; `init` if there is none.
    #[result(Num)]
    result: Value,
    /// Computes the next value of its argument; it ends in `fixed.yield`.
    #[region(non_empty)]
    body: Region,
}

impl Repeat {
    fn verify(self, body: &Body) -> Result<(), Violation> {
        let entry = body.region(self.body(body)).entry();
        let args: Vec<Type> =
            entry.into_iter().flat_map(|entry| body.block(entry).args()).map(|arg| body.ty(arg)).collect();
        if args == [body.ty(self.init(body))] {
            Ok(())
        } else {
            Err("has a region with one argument of its type".into())
        }
    }
}

/// The next value of the repetition around it.
#[op("fixed.yield", traits(PURE, TERMINATOR, RETURN_LIKE), parents("fixed.repeat"),
     assembly = "$next attr-dict `:` type($next)",
     services(Evaluate = EvaluateFn(|_, operands, _| Ok(Flow::Yield(operands.to_vec())))))]
pub struct Yield {
    /// The value.
    #[operand(Num)]
    next: Value,
}

fn evaluate(op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    let (body, ctx) = (op.body(), op.context());
    if let Some(constant) = op.cast::<Constant>() {
        return Flow::one(i64::from(constant.units(body)));
    }
    let (a, b) = (operands[0].int()?, operands[1].int()?);
    let Some(product) = op.cast::<Mul>() else { return Flow::one(i64::from((a + b) as i32)) };
    let num = Num::cast(ctx, body.ty(product.lhs(body))).ok_or_else(|| Trap::new("not a number"))?;
    let half = match product.rounding(body).mode(ctx) {
        Rounding::Nearest => (1 << num.fraction(ctx)) >> 1,
        Rounding::Down => 0,
    };
    Flow::one(i64::from(((a * b + half) >> num.fraction(ctx)) as i32))
}

fn repeat(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let mut value = vec![operands[1].clone()];
    for _ in 0..operands[0].int()? {
        machine.tick(1)?;
        value = machine.run_region(op.body(), op.region(0), &value)?;
    }
    Ok(Flow::Next(value))
}

/// The dialect.
pub struct FixedDialect;

impl Dialect for FixedDialect {
    fn name(&self) -> &'static str {
        "fixed"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.ty::<Num>().attr::<RoundingAttr>();
        dialect.op::<Constant>().op::<Add>().op::<Mul>().op::<Repeat>().op::<Yield>();
    }
}
