//! A dialect of your own: arithmetic that saturates instead of wrapping around.
//!
//! Minoan does not know this crate, and this crate changes nothing in Minoan. It declares eight operations and says what
//! the passes and the interpreter want to know of them. That is all they need:
//!
//! | service | what we say | who asks |
//! |---|---|---|
//! | [`Evaluate`] | what an operation computes | the interpreter, and `canonicalize` to fold constants |
//! | [`Fold`] | that `x + 0` is `x` | `canonicalize` |
//! | [`ConstantMaterializer`] | how a constant is written | `canonicalize` |
//! | [`CanonicalPatterns`] | that `x - 5` becomes `x + (-5)` | `canonicalize` |
//! | [`Calls`], [`Inliner`] | that `sat.apply` is a call that may be replaced | `inline`, `print-graph` |
//! | [`Effects`] | that `sat.limit` may stop the program, and that `sat.apply` may do anything | `dce`, `cse`, motion of code |
//! | [`Generate`] | that `sat.add` and `sat.sub` are defined for all numbers | random programs that passes are tested with |
//! | [`SlotSource`], [`SlotAccess`] | that `sat.cell` holds one number, and what reads and writes it | `mem2reg` |
//! | [`IterationDomain`] | that sums of tensors are sums of their elements | `fuse` |
//! | [`ToMlir`] | which operation of MLIR saturates, too | the bridge to MLIR, `verify-mlir-export` |
//!
//! Read on from top to bottom: the operations, what each answers, and the dialect that puts them together. The tests in
//! `tests/passes.rs` run the passes over a program.
//!
//! ```
//! use minoan_ir::{Context, Registry};
//! let mut registry = Registry::new();
//! registry.add(thirdparty_dialect::SaturatingDialect);
//! let ctx = Context::new(registry).expect("nothing is declared twice");
//! let dialect = ctx.dialect("sat").expect("it was added");
//! assert_eq!(dialect.ops().len(), 8);
//! let services: Vec<_> = dialect.services().map(|service| service.name).collect();
//! assert_eq!(
//!     services,
//!     [
//!         "Calls", "CanonicalPatterns", "ConstantMaterializer", "Effects", "Evaluate", "Fold", "Generate",
//!         "Inliner", "IterationDomain", "SlotAccess", "SlotSource", "ToMlir"
//!     ]
//! );
//! ```
#![forbid(unsafe_code)]

use minoan_ir::constraints::{ANY, FLAT_SYMBOL_REF, I32, I32_ATTR, MEMREF};
use minoan_ir::{Attr, Context, Dialect, DialectBuilder, OpRef, OpState, Type, TypeConstraint, op};
use minoan_rewrite::{AddPatterns, CanonicalPatterns, PatternSet, pattern};
use minoan_services::{
    Calls, ConstantMaterializer, Datum, Declared, EffectSet, Effects, ElementwiseDomain, Evaluate, Flow,
    Fold, FoldFn, Folded, Generate, InMlir, Inliner, IterationDomain, Machine, Slot, SlotAccess, SlotSource,
    SlotUse, Tensor, ToMlir, Trap, elementwise, result_scalar,
};
use std::sync::Arc;

// Operations. A declaration gives accessors, a builder, a verifier, a parser and a printer. `PURE` says that an
// operation only computes its results: whoever does not use them may remove it.

/// What is added: a type has no bounds but those that its operations declare, so this one is our own.
static NUMBERS: TypeConstraint = TypeConstraint {
    description: "32-bit signless integer, or tensor of such",
    check: |ctx, ty| ty.element_or_self(ctx) == Type::I32 && !ty.is_memref(ctx),
    only: None,
};

/// A number.
#[op("sat.constant", traits(PURE, CONSTANT_LIKE), assembly = "$value attr-dict")]
pub struct Constant {
    /// The number.
    #[attr(I32_ATTR)]
    value: Attr,
    /// The number.
    #[result(I32, fixed)]
    result: Value,
}

/// The sum, or the nearest number that there is; of tensors, element by element.
#[op(
    "sat.add",
    traits(PURE, COMMUTATIVE, ELEMENTWISE, SAME_OPERANDS_AND_RESULT),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct Add {
    /// One number.
    #[operand(NUMBERS)]
    lhs: Value,
    /// The other.
    #[operand(NUMBERS)]
    rhs: Value,
    /// The sum.
    #[result(NUMBERS)]
    result: Value,
}

/// The difference, or the nearest number that there is; of tensors, element by element.
#[op(
    "sat.sub",
    traits(PURE, ELEMENTWISE, SAME_OPERANDS_AND_RESULT),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct Sub {
    /// From this.
    #[operand(NUMBERS)]
    lhs: Value,
    /// This is taken.
    #[operand(NUMBERS)]
    rhs: Value,
    /// The difference.
    #[result(NUMBERS)]
    result: Value,
}

/// Stops the program when the value is above the limit.
#[op("sat.limit", assembly = "$value `,` $most attr-dict")]
pub struct Limit {
    /// The value.
    #[operand(I32)]
    value: Value,
    /// The limit.
    #[operand(I32)]
    most: Value,
}

/// Calls a function.
#[op("sat.apply", assembly = "$callee `(` $args `)` attr-dict `:` functional-type($args, results)")]
pub struct Apply {
    /// The function.
    #[attr(FLAT_SYMBOL_REF)]
    callee: Attr,
    /// Its arguments.
    #[operand(ANY)]
    args: Vec<Value>,
    /// What it gives.
    #[result(ANY)]
    results: Vec<Value>,
}

/// Storage for one number, zero at first.
#[op("sat.cell", assembly = "attr-dict `:` type($cell)")]
pub struct Cell {
    /// The storage.
    #[result(MEMREF)]
    cell: Value,
}

/// What a cell holds.
#[op("sat.read", assembly = "$cell attr-dict `:` type($cell)")]
pub struct Read {
    /// The storage.
    #[operand(MEMREF)]
    cell: Value,
    /// The number in it.
    #[result(I32, fixed)]
    result: Value,
}

/// Puts a number into a cell.
#[op("sat.write", assembly = "$value `,` $cell attr-dict `:` type($cell)")]
pub struct Write {
    /// The number.
    #[operand(I32)]
    value: Value,
    /// The storage.
    #[operand(MEMREF)]
    cell: Value,
}

// Answers. Each is an implementation of a service's trait, for one operation or several.

/// What the constant computes: its attribute.
struct EvaluateConstant;

impl Evaluate for EvaluateConstant {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let value = op.attr_named("value").and_then(|attr| attr.as_i64(op.context()));
        Flow::one(Datum::Int(value.ok_or_else(|| Trap::new("a constant without a value"))?))
    }
}

/// What an operation on two numbers computes; `elementwise` does so for each position of tensors.
struct EvaluateBinary(fn(i32, i32) -> i32);

impl Evaluate for EvaluateBinary {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::one(elementwise(result_scalar(op)?, operands, machine, |pair: [Datum; 2]| {
            let (lhs, rhs) = two(&pair)?;
            Ok(Datum::Int(self.0(lhs, rhs).into()))
        })?)
    }
}

/// The check traps, with a message of ours. The interpreter adds the place.
struct EvaluateLimit;

impl Evaluate for EvaluateLimit {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let (value, most) = two(operands)?;
        if value > most {
            return Err(Trap::assertion(format!("{value} is above the limit of {most}")));
        }
        Flow::none()
    }
}

/// The call goes through the machine, which finds the function and counts the calls under way.
struct EvaluateApply;

impl Evaluate for EvaluateApply {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let ctx = op.context();
        let callee = op.attr_named("callee").and_then(|attr| attr.as_flat_symbol(ctx));
        let callee = callee.ok_or_else(|| Trap::new("a call without a callee"))?;
        machine.call(callee.as_str(ctx), operands, op.loc()).map(Flow::Next)
    }
}

/// A cell is a buffer of one element; what reads and writes it finds that in its operands.
enum EvaluateCell {
    New,
    Read,
    Write,
}

impl Evaluate for EvaluateCell {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        match (self, operands) {
            (EvaluateCell::New, []) => {
                Flow::one(Datum::Buffer(machine.alloc(Tensor::splat(&[], &Datum::Int(0))?)))
            }
            (EvaluateCell::Read, [cell]) => Flow::one(cell.buffer()?.read(|tensor| Ok(tensor.data.get(0)))?),
            (EvaluateCell::Write, [value, cell]) => {
                cell.buffer()?.write(|tensor| tensor.data.set(0, value))?;
                Flow::none()
            }
            _ => Err(Trap::new("an operation on a cell with other operands")),
        }
    }
}

/// A cell is storage for one value; [`Slot::initial`] is what it holds before anything is written.
struct Cells;

impl SlotSource for Cells {
    fn slot(&self, op: OpRef<'_>) -> Option<Slot> {
        let initial = Attr::integer(op.context(), 0i64, Type::I32);
        Some(Slot { value: op.result(0), ty: Type::I32, initial: Some(initial) })
    }
}

/// What the two other operations do with it.
struct CellAccess;

impl SlotAccess for CellAccess {
    fn access(&self, op: OpRef<'_>, _: usize) -> Option<SlotUse> {
        Some(if op.is::<Read>() { SlotUse::Load } else { SlotUse::Store(op.operand(0)) })
    }
}

/// The values of two operands of type `i32`.
fn two(operands: &[Datum]) -> Result<(i32, i32), Trap> {
    let [lhs, rhs] = operands else { return Err(Trap::new("two operands are needed")) };
    let narrow =
        |value: &Datum| i32::try_from(value.int()?).map_err(|_| Trap::new("an operand is not of 32 bits"));
    Ok((narrow(lhs)?, narrow(rhs)?))
}

/// `sat.apply` calls the function that its attribute names.
struct ApplyCalls;

impl Calls for ApplyCalls {
    fn callee(&self, op: OpRef<'_>) -> Option<Attr> {
        op.attr_named("callee")
    }
}

/// It may be replaced by the body of what it calls.
struct InlineApply;

impl Inliner for InlineApply {
    fn is_legal_to_inline(&self, _: OpRef<'_>) -> bool {
        true
    }
}

// Folding looks at an operation and its constant operands and says what the result is, without creating anything.
// When all operands are constants nothing need be said: folding evaluates the operation.

/// `x + 0` and `x - 0` are `x`. Constants of a commutative operation are on the right already.
fn fold_zero(op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
    match operands[1].and_then(|attr| attr.as_i64(op.context())) {
        Some(0) => Folded::one(op.operand(0)),
        _ => Folded::Unchanged,
    }
}

/// What a fold gives is an attribute; this makes an operation of it.
struct Constants;

impl ConstantMaterializer for Constants {
    fn materialize(&self, ctx: &Context, value: Attr, ty: Type) -> Option<OpState> {
        (ty == Type::I32 && value.as_i64(ctx).is_some()).then(|| {
            let props = Attr::dictionary(ctx, &[(ctx.names().value, value)]);
            OpState::named(ctx, "sat.constant").props(props).results(&[ty])
        })
    }
}

/// Patterns rewrite several operations into others. What a pattern names is checked when it is compiled: an operation
/// that does not exist, or that has another number of operands, is an error there.
fn patterns(patterns: &mut PatternSet) {
    patterns.add(pattern!("sat-sub-constant":
        Sub(x, constant(c)) if let Some(negated) = negated(ctx, c) => Add(x, constant(negated))));
}

/// The negative of a constant, where there is one.
fn negated(ctx: &Context, constant: Attr) -> Option<Attr> {
    let value = i32::try_from(constant.as_i64(ctx)?).ok()?;
    Some(Attr::integer(ctx, i64::from(value.checked_neg()?), Type::I32))
}

// Machine code is made by MLIR, which has no dialect `sat`; but LLVM adds and subtracts so, and constants are constants.

/// The operations of MLIR with the same operands and results.
struct InUpstream;

impl ToMlir for InUpstream {
    fn operation(&self, op: OpRef<'_>) -> InMlir {
        let name = match op.name() {
            "sat.constant" => "arith.constant",
            "sat.add" => "llvm.intr.sadd.sat",
            "sat.sub" => "llvm.intr.ssub.sat",
            _ => return InMlir::Nothing("nothing there does the same".to_owned()),
        };
        if op.result_types().any(|ty| ty != Type::I32) {
            return InMlir::Nothing("only single numbers are added there, not tensors".to_owned());
        }
        InMlir::As { name: name.to_owned(), props: op.props(), attrs: op.attrs() }
    }
}

// The dialect: its namespace, its operations, and which answer is whose.

/// The dialect `sat`. Give it to [`Registry::add`](minoan_ir::Registry::add).
pub struct SaturatingDialect;

impl Dialect for SaturatingDialect {
    fn name(&self) -> &'static str {
        "sat"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect
            .op::<Constant>()
            .op::<Add>()
            .op::<Sub>()
            .op::<Limit>()
            .op::<Apply>()
            .op::<Cell>()
            .op::<Read>()
            .op::<Write>()
            .op_service::<Constant, dyn Evaluate>(Arc::new(EvaluateConstant))
            .op_service::<Add, dyn Evaluate>(Arc::new(EvaluateBinary(i32::saturating_add)))
            .op_service::<Sub, dyn Evaluate>(Arc::new(EvaluateBinary(i32::saturating_sub)))
            .op_service::<Limit, dyn Evaluate>(Arc::new(EvaluateLimit))
            .op_service::<Apply, dyn Evaluate>(Arc::new(EvaluateApply))
            .op_service::<Add, dyn Fold>(Arc::new(FoldFn(fold_zero)))
            .op_service::<Sub, dyn Fold>(Arc::new(FoldFn(fold_zero)))
            // Their declarations say how they are made; what is said of none is in no random program.
            .op_service::<Add, dyn Generate>(Arc::new(Declared::new()))
            .op_service::<Sub, dyn Generate>(Arc::new(Declared::new()))
            .op_service::<Apply, dyn Calls>(Arc::new(ApplyCalls))
            .op_service::<Apply, dyn Inliner>(Arc::new(InlineApply))
            .op_service::<Limit, dyn Effects>(Arc::new(EffectSet::OUTSIDE))
            .op_service::<Apply, dyn Effects>(Arc::new(EffectSet::UNKNOWN))
            .op_service::<Cell, dyn Evaluate>(Arc::new(EvaluateCell::New))
            .op_service::<Read, dyn Evaluate>(Arc::new(EvaluateCell::Read))
            .op_service::<Write, dyn Evaluate>(Arc::new(EvaluateCell::Write))
            .op_service::<Cell, dyn Effects>(Arc::new(EffectSet::ALLOCATE))
            .op_service::<Read, dyn Effects>(Arc::new(EffectSet::READ))
            .op_service::<Write, dyn Effects>(Arc::new(EffectSet::WRITE))
            .op_service::<Cell, dyn SlotSource>(Arc::new(Cells))
            .op_service::<Read, dyn SlotAccess>(Arc::new(CellAccess))
            .op_service::<Write, dyn SlotAccess>(Arc::new(CellAccess));
        dialect
            .service::<dyn ConstantMaterializer>(Arc::new(Constants))
            .service::<dyn CanonicalPatterns>(Arc::new(AddPatterns(patterns)))
            .service::<dyn IterationDomain>(Arc::new(ElementwiseDomain))
            .service::<dyn ToMlir>(Arc::new(InUpstream));
    }
}
