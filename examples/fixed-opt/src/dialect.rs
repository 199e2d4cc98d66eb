//! The dialect: `!fixed.num<8>` is an `i32` in units of 1/256.

use minoan::prelude::*;

/// A fixed-point number of 32 bits.
#[ty("fixed.num", verify = verify_num)]
pub struct Num {
    /// The number of fractional bits.
    fraction: u32,
}

fn verify_num(_: &Context, fraction: u32) -> Result<(), String> {
    ensure!(fraction <= 30, "a number has at most 30 fractional bits, not {fraction}");
    Ok(())
}

/// The rounding of the excess bits of a product: `#fixed.rounding<nearest>`.
#[attr("fixed.rounding")]
pub enum Rounding {
    /// Toward negative infinity.
    Down,
    /// To the nearest number, ties up.
    Nearest,
}

/// A number given by its units: `fixed.constant 256 : !fixed.num<8>` is 1.
#[op("fixed.constant", traits(PURE), assembly = "$units attr-dict `:` type($result)",
     services(Evaluate = EvaluateOp(|op: Constant, body, []| Ok(op.units(body).into()))))]
pub struct Constant {
    /// The number of units.
    units: i32,
    /// The number.
    result: OpResult<Num>,
}

/// A sum, which wraps around.
#[op("fixed.add", traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT),
     assembly = "$lhs `,` $rhs attr-dict `:` type($result)",
     services(Evaluate = EvaluateOp(|_: Add, _, [a, b]| Ok(((a.int()? + b.int()?) as i32).into()))))]
pub struct Add {
    lhs: Operand<Num>,
    rhs: Operand<Num>,
    result: OpResult<Num>,
}

/// A product.
#[op("fixed.mul", traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT),
     assembly = "$lhs `,` $rhs (`round` $rounding^)? attr-dict `:` type($result)",
     services(Evaluate = EvaluateOp(multiply), CanonicalPatterns = AddPatterns(|patterns| {
         patterns.add(pattern!("mul-by-one": Mul(x, one @ Constant()) if is_one(body, one) => x));
         patterns.add(pattern!("one-by-mul": Mul(one @ Constant(), x) if is_one(body, one) => x));
     })))]
pub struct Mul {
    lhs: Operand<Num>,
    rhs: Operand<Num>,
    /// The rounding.
    #[attr(default = Rounding::Down)]
    rounding: Rounding,
    result: OpResult<Num>,
}

impl Mul {
    /// The number of fractional bits.
    pub fn fraction(self, body: &Body) -> u32 {
        Num::of(body, self.result(body)).fraction(body.context())
    }
}

fn multiply(op: Mul, body: &Body, [a, b]: [&Datum; 2]) -> Result<Datum, Trap> {
    let fraction = op.fraction(body);
    let half = if op.rounding(body) == Rounding::Nearest { (1 << fraction) >> 1 } else { 0 };
    Ok((((a.int()? * b.int()? + half) >> fraction) as i32).into())
}

/// Whether a constant is 1.
fn is_one(body: &Body, one: Constant) -> bool {
    one.units(body) == 1 << Num::of(body, one.result(body)).fraction(body.context())
}

/// Applies its region a number of times: `fixed.repeat %n, %init : !fixed.num<8> { .. }`.
#[op("fixed.repeat", traits(SINGLE_BLOCK, RECURSIVE_EFFECTS), same_types(init, result),
     assembly = "$times `,` $init `:` type($init) $body attr-dict", services(Evaluate = EvaluateFn(repeat)))]
pub struct Repeat {
    /// The number of executions.
    times: Operand<INDEX>,
    /// The first value of the argument.
    init: Operand<Num>,
    /// The last value that the region yields; `init` if there is none.
    result: OpResult<Num>,
    /// Computes the next value of its argument; it ends in `fixed.yield`.
    #[region(args(init), yields(result))]
    body: Region,
}

fn repeat(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let mut value = vec![operands[1].clone()];
    for _ in 0..operands[0].int()? {
        machine.tick(1)?;
        value = machine.run_region(op.body(), op.region(0), &value)?;
    }
    Ok(Flow::Next(value))
}

/// The next value of the repetition around it.
#[op("fixed.yield", traits(PURE, TERMINATOR, RETURN_LIKE), parents("fixed.repeat"),
     assembly = "$next attr-dict `:` type($next)", services(Evaluate = EvaluateYield))]
pub struct Yield {
    /// The value.
    next: Operand<Num>,
}

dialect! {
    /// Fixed-point numbers.
    pub FixedDialect = "fixed": types(Num), attrs(RoundingAttr), ops(Constant, Add, Mul, Repeat, Yield)
}
