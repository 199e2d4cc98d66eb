//! The pass `lower-fixed`: numbers become `i32`, repetitions become loops.

use crate::dialect::{Add, Constant, Mul, Num, Repeat, Rounding, Yield};
use minoan::diag::Diagnostics;
use minoan::dialects::arith;
use minoan::dialects::scf;
use minoan::ir::{InsertionPoint, OpDef, Type};
use minoan::pass::{Pass, PassRun};
use minoan::rewrite::{
    Conversion, ConversionMode, ConversionTarget, Converted, NoMatch, PatternFilter, PatternSet,
    TypeConversion, TypeConverter,
};
use minoan::services::function_types;
use std::sync::Arc;

fn converter() -> TypeConverter {
    let mut types = TypeConverter::new();
    types.add(|_, ty| Some(Converted::from_elem(ty, 1)));
    types.one_to_one(|ctx, ty| Num::cast(ctx, ty).map(|_| Type::I32));
    types
}

fn patterns(types: &Arc<TypeConverter>) -> PatternSet {
    let mut patterns = PatternSet::new();
    patterns.add_signatures(types);
    patterns.on_types::<Constant>("lower-constant", types, |op, see| {
        let units = op.units(see.rewriter.body());
        let value = arith::constant_int(&mut see.rewriter.builder(), units.into(), Type::I32);
        see.replace_flat(op.op(), &[value])
    });
    patterns.on_types::<Add>("lower-add", types, |op, see| {
        let operands = see.single_operands(op.op())?;
        let sum = arith::addi(&mut see.rewriter.builder(), operands[0], operands[1]);
        see.replace_flat(op.op(), &[sum])
    });
    patterns.on_types::<Mul>("lower-mul", types, lower_mul);
    patterns.on_types::<Repeat>("lower-repeat", types, lower_repeat);
    patterns.on_types::<Yield>("lower-yield", types, |op, see| {
        let operands = see.single_operands(op.op())?;
        scf::Yield::build(&mut see.rewriter.builder(), &operands);
        see.rewriter.erase(op.op());
        Ok(())
    });
    patterns
}

/// The product is computed with 64 bits.
fn lower_mul(op: Mul, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let operands = see.single_operands(op.op())?;
    let (body, ctx) = (see.rewriter.body(), see.rewriter.context());
    let num = Num::cast(ctx, body.ty(op.lhs(body))).ok_or(NoMatch::because("it is not of numbers"))?;
    let (fraction, rounding) = (num.fraction(ctx), op.rounding(body).mode(ctx));
    let mut b = see.rewriter.builder();
    let [lhs, rhs] = [operands[0], operands[1]].map(|value| arith::extsi(&mut b, value, Type::I64));
    let mut product = arith::muli(&mut b, lhs, rhs);
    if rounding == Rounding::Nearest {
        let half = arith::constant_int(&mut b, (1 << fraction) >> 1, Type::I64);
        product = arith::addi(&mut b, product, half);
    }
    let by = arith::constant_int(&mut b, fraction.into(), Type::I64);
    let shifted = arith::shrsi(&mut b, product, by);
    let result = arith::trunci(&mut b, shifted, Type::I32);
    see.replace_flat(op.op(), &[result])
}

fn lower_repeat(op: Repeat, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let operands = see.single_operands(op.op())?;
    let region = op.body(see.rewriter.body());
    see.convert_region(region)?;
    let block = see.rewriter.body().region(region).entry().ok_or(NoMatch::because("it has no block"))?;
    let mut b = see.rewriter.builder();
    let [zero, one] = [0, 1].map(|value| arith::constant_index(&mut b, value));
    let lowered = scf::For::builder(zero, operands[0], one)
        .init_args(&operands[1..])
        .results_ty(&[Type::I32])
        .build(&mut b);
    let (to, _) = b.enter(lowered.op(), 0, &[Type::INDEX, Type::I32]);
    let arg = b.body().block(to).arg(1);
    see.rewriter.inline_block(block, InsertionPoint::End(to), &[arg]);
    let results = lowered.results(see.rewriter.body());
    see.replace_flat(op.op(), &results)
}

/// Lowers fixed-point numbers to integers.
#[derive(Default)]
pub struct LowerFixed;

impl Pass for LowerFixed {
    fn name(&self) -> &'static str {
        "lower-fixed"
    }

    fn description(&self) -> &'static str {
        "lower fixed-point numbers to integers"
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let (ctx, types) = (run.context(), Arc::new(converter()));
        let patterns = patterns(&types).freeze(&ctx, &PatternFilter::default())?;
        let mut target = ConversionTarget::new();
        let of = Arc::clone(&types);
        // Also legal: whatever has no number in its signature, operands and results.
        target.illegal_dialect("fixed").legal_dialect("builtin").unknown_legal_if(move |op| {
            let (inputs, results) = function_types(op).unwrap_or_default();
            let signature = inputs.iter().chain(results).copied();
            of.are_legal(op.context(), op.operand_types().chain(op.result_types()).chain(signature))
        });
        let conversion = Conversion::new(&ctx, &target, &patterns, ConversionMode::Full).with_types(&types);
        run.each_body(|body| conversion.run(body).map(|_| ())).into_iter().collect()
    }
}
