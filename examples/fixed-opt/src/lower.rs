//! The pass `lower-fixed`: numbers become `i32`, repetitions become loops.

use crate::dialect::{Add, Constant, Mul, Num, Repeat, Rounding, Yield};
use minoan::prelude::*;

/// Lowers fixed-point numbers to integers.
pub fn lower_fixed() -> ConversionPass {
    let types = TypeConverter::partial(|ctx, ty| Num::cast(ctx, ty).map(|_| Type::I32));
    let conversion = DialectConversion::full(types, |patterns, types| {
        patterns.convert(types, |op: Constant, [], b| {
            let units = op.units(b.body());
            Ok(arith::constant_int(b, units.into(), Type::I32))
        });
        patterns.convert_to::<Add, arith::AddI>(types);
        patterns.convert(types, lower_mul);
        patterns.on_types("lower-repeat", types, lower_repeat);
        patterns.convert_to::<Yield, scf::Yield>(types);
    });
    let conversion = conversion.illegal_dialect("fixed");
    ConversionPass::new("lower-fixed", "lower fixed-point numbers to integers", conversion)
}

/// The product is computed with 64 bits.
fn lower_mul(op: Mul, operands: [Value; 2], b: &mut Builder<'_>) -> Result<Value, NoMatch> {
    let (fraction, rounding) = (op.fraction(b.body()), op.rounding(b.body()));
    let [lhs, rhs] = operands.map(|value| arith::extsi(b, value, Type::I64));
    let mut product = arith::muli(b, lhs, rhs);
    if rounding == Rounding::Nearest {
        let half = arith::constant_int(b, (1 << fraction) >> 1, Type::I64);
        product = arith::addi(b, product, half);
    }
    let by = arith::constant_int(b, fraction.into(), Type::I64);
    let shifted = arith::shrsi(b, product, by);
    Ok(arith::trunci(b, shifted, Type::I32))
}

fn lower_repeat(op: Repeat, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let ([times, init], region) = (see.operand_values(op)?, op.body(see.rewriter.body()));
    let mut b = see.rewriter.builder();
    let [zero, one] = [0, 1].map(|value| arith::constant_index(&mut b, value));
    let lowered =
        scf::For::builder(zero, times, one).init_args(&[init]).results_ty(&[Type::I32]).build(&mut b);
    let (block, _) = b.enter(lowered.op(), 0, &[Type::INDEX, Type::I32]);
    let arg = b.body().block(block).arg(1);
    see.inline_region(region, block, &[arg])?;
    let results = lowered.results(see.rewriter.body());
    see.replace_flat(op, &results)
}
