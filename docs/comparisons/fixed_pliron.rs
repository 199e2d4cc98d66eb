//! The exercise on pliron 0.20, as far as its crate goes: a type, an attribute, five operations, one of them with a region, and
//! two patterns.
//!
//! The crate has no arithmetic, loops or machine code to convert to: those are in `pliron-llvm`. Text is pliron's own.

use awint::bw;
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        attributes::IntegerAttr,
        op_interfaces::{
            IsTerminatorInterface, NOpdsInterface, NResultsInterface, OneOpdInterface, OneRegionInterface,
            OneResultInterface, OperandNOfType, SameOperandsAndResultType, SameOperandsType, SameResultsType,
            SingleBlockRegionInterface,
        },
        ops::{FuncOp, ModuleOp},
        types::{FunctionType, IntegerType, Signedness},
    },
    common_traits::Verify,
    context::{Context, Ptr},
    derive::{pliron_attr, pliron_op, pliron_type},
    ident,
    irbuild::{
        match_rewrite::{MatchRewrite, MatchRewriter, RewriterOrder, apply_match_rewrite},
        rewriter::Rewriter,
    },
    op::{Op, verify_op},
    operation::Operation,
    printable::Printable,
    result::Result,
    r#type::{TypeHandle, Typed, TypedHandle},
    utils::apint::APInt,
    value::Value,
    verify_err,
};

/// A fixed-point number of 32 bits.
#[pliron_type(name = "fixed.num", format = "`<` $fraction `>`", generate_get = true)]
#[derive(Hash, PartialEq, Eq, Debug, Clone)]
pub struct Num {
    fraction: u32,
}

#[derive(thiserror::Error, Debug)]
#[error("a number has at most 30 fractional bits, not {0}")]
struct TooManyBits(u32);

impl Verify for Num {
    fn verify(&self, _: &Context) -> Result<()> {
        if self.fraction > 30 {
            return verify_err!(pliron::location::Location::Unknown, TooManyBits(self.fraction));
        }
        Ok(())
    }
}

#[pliron_attr(name = "fixed.rounding", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum Rounding {
    Down,
    Nearest,
}

#[pliron_op(
    name = "fixed.constant",
    format = "attr($units, $IntegerAttr) ` : ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface, NResultsInterface<1>],
    attributes = (units: IntegerAttr),
    verifier = "succ"
)]
pub struct Constant;

impl Constant {
    pub fn new(ctx: &mut Context, units: i32, ty: TypeHandle) -> Self {
        let i32_ty = IntegerType::get(ctx, 32, Signedness::Signless);
        let op = Operation::new(ctx, Self::get_concrete_op_info(), vec![ty], vec![], vec![], 0);
        let op = Self { op };
        op.set_attr_units(ctx, IntegerAttr::new(i32_ty, APInt::from_i32(units, bw(32))));
        op
    }
}

#[pliron_op(
    name = "fixed.add",
    format = "$0 `, ` $1 ` : ` type($0)",
    interfaces = [NOpdsInterface<2>, OneResultInterface, NResultsInterface<1>, SameOperandsType, SameResultsType, SameOperandsAndResultType, OperandNOfType<0, Num>],
    verifier = "succ"
)]
pub struct Add;

#[pliron_op(
    name = "fixed.mul",
    format = "$0 `, ` $1 ` round ` attr($rounding, $Rounding) ` : ` type($0)",
    interfaces = [NOpdsInterface<2>, OneResultInterface, NResultsInterface<1>, SameOperandsType, SameResultsType, SameOperandsAndResultType, OperandNOfType<0, Num>],
    attributes = (rounding: Rounding),
    verifier = "succ"
)]
pub struct Mul;

impl Mul {
    pub fn new(ctx: &mut Context, lhs: Value, rhs: Value, rounding: Rounding) -> Self {
        let ty = lhs.get_type(ctx);
        let op = Self {
            op: Operation::new(ctx, Self::get_concrete_op_info(), vec![ty], vec![lhs, rhs], vec![], 0),
        };
        op.set_attr_rounding(ctx, rounding);
        op
    }
}

#[pliron_op(
    name = "fixed.repeat",
    format = "$0 `, ` $1 ` : ` type($0) region($0)",
    interfaces = [NOpdsInterface<2>, OneResultInterface, NResultsInterface<1>, OneRegionInterface, SingleBlockRegionInterface]
)]
pub struct Repeat;

impl Repeat {
    pub fn new(ctx: &mut Context, times: Value, init: Value) -> Self {
        let ty = init.get_type(ctx);
        let op = Operation::new(ctx, Self::get_concrete_op_info(), vec![ty], vec![times, init], vec![], 1);
        let region = op.deref(ctx).get_region(0);
        BasicBlock::new(ctx, None, vec![ty]).insert_at_front(region, ctx);
        Self { op }
    }
}

#[derive(thiserror::Error, Debug)]
#[error("has a region with one argument of its type")]
struct WrongArguments;

impl Verify for Repeat {
    fn verify(&self, ctx: &Context) -> Result<()> {
        let ty = self.get_operation().deref(ctx).get_operand(1).get_type(ctx);
        let block = self.get_body(ctx, 0);
        let types: Vec<TypeHandle> = block.deref(ctx).arguments().map(|arg| arg.get_type(ctx)).collect();
        if types != [ty] {
            return verify_err!(self.loc(ctx), WrongArguments);
        }
        Ok(())
    }
}

#[pliron_op(
    name = "fixed.yield",
    format = "$0",
    interfaces = [IsTerminatorInterface, OneOpdInterface, NOpdsInterface<1>, NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Yield;

impl Yield {
    pub fn new(ctx: &mut Context, next: Value) -> Self {
        Self { op: Operation::new(ctx, Self::get_concrete_op_info(), vec![], vec![next], vec![], 0) }
    }
}

fn is_one(ctx: &Context, value: Value) -> bool {
    let Some(constant) = value.defining_op().and_then(|op| Operation::get_op::<Constant>(op, ctx)) else {
        return false;
    };
    let ty = value.get_type(ctx);
    let fraction = ty.deref(ctx).downcast_ref::<Num>().map(|num| num.fraction);
    let units = constant.get_attr_units(ctx).map(|units| units.value().to_i64());
    fraction.is_some_and(|fraction| units == Some(1 << fraction))
}

/// Both patterns: a product with one, on either side.
struct MulByOne;

impl MulByOne {
    fn other(ctx: &Context, op: Ptr<Operation>) -> Option<Value> {
        Operation::get_op::<Mul>(op, ctx)?;
        let (lhs, rhs) = (op.deref(ctx).get_operand(0), op.deref(ctx).get_operand(1));
        if is_one(ctx, rhs) {
            return Some(lhs);
        }
        is_one(ctx, lhs).then_some(rhs)
    }
}

impl MatchRewrite for MulByOne {
    fn r#match(&mut self, ctx: &Context, op: Ptr<Operation>) -> bool {
        Self::other(ctx, op).is_some()
    }

    fn rewrite(&mut self, ctx: &mut Context, rewriter: &mut MatchRewriter, op: Ptr<Operation>) -> Result<()> {
        if let Some(other) = Self::other(ctx, op) {
            rewriter.replace_operation_with_values(ctx, op, vec![other]);
        }
        Ok(())
    }
}

fn main() {
    let ctx = &mut Context::new();
    let num: TypeHandle = Num::get(ctx, 8).into();
    let module = ModuleOp::new(ctx, ident!("program"));
    let ty: TypedHandle<FunctionType> = FunctionType::get(ctx, vec![num, num], vec![num]);
    let func = FuncOp::new(ctx, ident!("main"), ty);
    module.append_operation(ctx, func.get_operation(), 0);
    let entry = func.get_entry_block(ctx);
    let (x, times) = (entry.deref(ctx).get_argument(0), entry.deref(ctx).get_argument(1));
    let one = Constant::new(ctx, 256, num);
    one.get_operation().insert_at_back(entry, ctx);
    let repeat = Repeat::new(ctx, times, x);
    repeat.get_operation().insert_at_back(entry, ctx);
    let body = repeat.get_body(ctx, 0);
    let arg = body.deref(ctx).get_argument(0);
    let square = Mul::new(ctx, arg, arg, Rounding::Nearest);
    square.get_operation().insert_at_back(body, ctx);
    let next = Yield::new(ctx, square.get_result(ctx));
    next.get_operation().insert_at_back(body, ctx);
    let product = Mul::new(ctx, repeat.get_result(ctx), one.get_result(ctx), Rounding::Down);
    product.get_operation().insert_at_back(entry, ctx);
    let end = Yield::new(ctx, product.get_result(ctx));
    end.get_operation().insert_at_back(entry, ctx);
    verify_op(&module, ctx).expect("the module is valid");
    apply_match_rewrite(ctx, &mut MulByOne, RewriterOrder::default(), module.get_operation())
        .expect("the patterns apply");
    println!("{}", module.disp(ctx));
    let invalid: TypeHandle = Num::get(ctx, 40).into();
    println!(
        "a type with 40 bits: {}",
        pliron::common_traits::Verify::verify(
            &*invalid.deref(ctx).downcast_ref::<Num>().expect("a number"),
            ctx
        )
        .is_err()
    );
    // A stale handle.
    if std::env::args().nth(1).as_deref() == Some("stale") {
        let op = one.get_operation();
        Operation::erase(op, ctx);
        println!("{}", op.deref(ctx).get_num_operands());
    }
}
