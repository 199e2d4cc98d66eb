//! A third-party dialect: arithmetic that saturates instead of wrapping.
//!
//! Minoan does not depend on this crate, and this crate does not modify Minoan. It declares eight operations and
//! implements the services that passes and the interpreter use:
//!
//! | service | implementation | used by |
//! |---|---|---|
//! | [`Evaluate`] | computes an operation | the interpreter, and `canonicalize` for constant folding |
//! | [`Fold`] | `x + 0` is `x` | `canonicalize` |
//! | [`ConstantMaterializer`] | creates a constant | `canonicalize` |
//! | [`CanonicalPatterns`] | `x - 5` becomes `x + (-5)` | `canonicalize` |
//! | [`Calls`], [`Inliner`] | `sat.apply` is a call that may be inlined | `inline`, `print-graph` |
//! | [`Effects`] | `sat.limit` may trap, and `sat.apply` has unknown effects | `dce`, `cse`, code motion |
//! | [`Generate`] | `sat.add` and `sat.sub` are total | random programs for testing passes |
//! | [`SlotSource`], [`SlotAccess`] | `sat.cell` holds a number; what loads and stores it | `mem2reg` |
//! | [`IterationDomain`] | addition of tensors is elementwise | `fuse` |
//! | [`ToMlir`] | the saturating operations of MLIR | the bridge to MLIR, `verify-mlir-export` |
//!
//! The file declares the operations, then the services, and then the dialect. The tests in `tests/passes.rs` run the
//! passes on a program.
//!
//! ```
//! use minoan::ir::{Context, Registry};
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

use minoan::ir::constraints::{ANY, FLAT_SYMBOL_REF, I32_ATTR, MEMREF};
use minoan::prelude::*;
use minoan::services::{
    Calls, ConstantMaterializer, Declared, ElementwiseDomain, Generate, InMlir, Inliner, IterationDomain,
    Slot, SlotAccess, SlotContents, SlotSource, SlotUse, Tensor, ToMlir, elementwise, result_scalar,
};

// Operations. A declaration generates accessors, a builder, a verifier, a parser and a printer. `PURE` declares that
// an operation only computes its results, so that it is erased if they are unused. `services` lists the services that an
// operation implements; an operation without `Generate` does not occur in random programs.

/// The types of operands and results: a number, or a vector or tensor of numbers.
static NUMBERS: TypeConstraint = TypeConstraint::like(&I32);

/// A constant.
#[op("sat.constant", traits(PURE, CONSTANT_LIKE), assembly = "$value attr-dict",
     services(Evaluate = EvaluateConstant))]
pub struct Constant {
    /// The value.
    #[attr(I32_ATTR)]
    value: Attr,
    /// The result.
    #[result(I32, fixed)]
    result: Value,
}

/// The saturated sum, elementwise on tensors.
#[op(
    "sat.add",
    traits(PURE, COMMUTATIVE, ELEMENTWISE, SAME_OPERANDS_AND_RESULT),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)",
    services(Evaluate = EvaluateBinary(i32::saturating_add), Fold = FoldFn(fold_zero), Generate = Declared::new())
)]
pub struct Add {
    /// The first operand.
    lhs: Operand<NUMBERS>,
    /// The second operand.
    rhs: Operand<NUMBERS>,
    /// The sum.
    result: OpResult<NUMBERS>,
}

/// The saturated difference, elementwise on tensors.
#[op(
    "sat.sub",
    traits(PURE, ELEMENTWISE, SAME_OPERANDS_AND_RESULT),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)",
    services(Evaluate = EvaluateBinary(i32::saturating_sub), Fold = FoldFn(fold_zero), Generate = Declared::new())
)]
pub struct Sub {
    /// The minuend.
    lhs: Operand<NUMBERS>,
    /// The subtrahend.
    rhs: Operand<NUMBERS>,
    /// The difference.
    result: OpResult<NUMBERS>,
}

/// Traps if the value exceeds the limit.
#[op("sat.limit", assembly = "$value `,` $most attr-dict",
     services(Evaluate = EvaluateLimit, Effects = EffectSet::OUTSIDE))]
pub struct Limit {
    /// The value.
    value: Operand<I32>,
    /// The limit.
    most: Operand<I32>,
}

/// Calls a function.
#[op("sat.apply", assembly = "$callee `(` $args `)` attr-dict `:` functional-type($args, results)",
     services(Evaluate = EvaluateApply, Calls = ApplyCalls, Inliner = InlineApply, Effects = EffectSet::UNKNOWN))]
pub struct Apply {
    /// The callee.
    #[attr(FLAT_SYMBOL_REF)]
    callee: Attr,
    /// The arguments.
    args: Vec<Operand<ANY>>,
    /// The results.
    results: Vec<OpResult<ANY>>,
}

/// Allocates storage for a number, initially zero.
#[op("sat.cell", assembly = "attr-dict `:` type($cell)",
     services(Evaluate = EvaluateCell::New, Effects = EffectSet::ALLOCATE, SlotSource = Cells))]
pub struct Cell {
    /// The storage.
    cell: OpResult<MEMREF>,
}

/// Loads the number of a cell.
#[op("sat.read", assembly = "$cell attr-dict `:` type($cell)",
     services(Evaluate = EvaluateCell::Read, Effects = EffectSet::READ, SlotAccess = CellAccess))]
pub struct Read {
    /// The storage.
    cell: Operand<MEMREF>,
    /// The number.
    #[result(I32, fixed)]
    result: Value,
}

/// Stores a number to a cell.
#[op("sat.write", assembly = "$value `,` $cell attr-dict `:` type($cell)",
     services(Evaluate = EvaluateCell::Write, Effects = EffectSet::WRITE, SlotAccess = CellAccess))]
pub struct Write {
    /// The number.
    value: Operand<I32>,
    /// The storage.
    cell: Operand<MEMREF>,
}

// Service implementations, each for one operation or several.

/// Evaluates the constant: returns its attribute.
struct EvaluateConstant;

impl Evaluate for EvaluateConstant {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let value = op.attr_named("value").and_then(|attr| attr.as_i64(op.context()));
        Flow::one(Datum::Int(value.ok_or_else(|| Trap::new("a constant without a value"))?))
    }
}

/// Evaluates an operation on two numbers; `elementwise` applies it to each element of tensors.
struct EvaluateBinary(fn(i32, i32) -> i32);

impl Evaluate for EvaluateBinary {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::one(elementwise(result_scalar(op)?, operands, machine, |pair: [Datum; 2]| {
            let (lhs, rhs) = two(&pair)?;
            Ok(Datum::Int(self.0(lhs, rhs).into()))
        })?)
    }
}

/// Traps with a message. The interpreter adds the location.
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

/// Calls through the interpreter, which resolves the function and limits the recursion depth.
struct EvaluateApply;

impl Evaluate for EvaluateApply {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let ctx = op.context();
        let callee = op.attr_named("callee").and_then(|attr| attr.as_flat_symbol(ctx));
        let callee = callee.ok_or_else(|| Trap::new("a call without a callee"))?;
        machine.call(callee.as_str(ctx), operands, op.loc()).map(Flow::Next)
    }
}

/// A cell is a buffer of one element, which loads and stores receive as an operand.
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

/// A cell is a slot for one value; [`Slot::initial`] is its initial value.
struct Cells;

impl SlotSource for Cells {
    fn slot(&self, op: OpRef<'_>) -> Option<Slot> {
        let initial = Attr::integer(op.context(), 0i64, Type::I32);
        Some(Slot { value: op.result(0), ty: Type::I32, initial: SlotContents::Constant(initial) })
    }
}

/// Describes how the two other operations access the slot.
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

/// `sat.apply` calls the function that its attribute references.
struct ApplyCalls;

impl Calls for ApplyCalls {
    fn callee(&self, op: OpRef<'_>) -> Option<Attr> {
        op.attr_named("callee")
    }
}

/// The call may be replaced by the body of the callee.
struct InlineApply;

impl Inliner for InlineApply {
    fn is_legal_to_inline(&self, _: OpRef<'_>) -> bool {
        true
    }
}

// A fold derives the result from an operation and its constant operands without creating operations. If all operands
// are constant, it is not needed: the operation is evaluated.

/// `x + 0` and `x - 0` are `x`. Constant operands of a commutative operation are already on the right.
fn fold_zero(op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
    match operands[1].and_then(|attr| attr.as_i64(op.context())) {
        Some(0) => Folded::one(op.operand(0)),
        _ => Folded::Unchanged,
    }
}

/// Materializes the attribute that a fold returns as an operation.
struct Constants;

impl ConstantMaterializer for Constants {
    fn materialize(&self, ctx: &Context, value: Attr, ty: Type) -> Option<OpState> {
        (ty == Type::I32 && value.as_i64(ctx).is_some()).then(|| {
            let props = Attr::dictionary(ctx, &[(ctx.names().value, value)]);
            OpState::named(ctx, "sat.constant").props(props).results(&[ty])
        })
    }
}

/// Patterns rewrite several operations into others. They are checked at compile time: an unknown operation or a wrong
/// number of operands is a compile error.
fn patterns(patterns: &mut PatternSet) {
    patterns.add(pattern!("sat-sub-constant":
        Sub(x, constant(c)) if let Some(negated) = negated(ctx, c) => Add(x, constant(negated))));
}

/// The negated constant, if it is representable.
fn negated(ctx: &Context, constant: Attr) -> Option<Attr> {
    let value = i32::try_from(constant.as_i64(ctx)?).ok()?;
    Some(Attr::integer(ctx, i64::from(value.checked_neg()?), Type::I32))
}

// MLIR generates machine code and has no dialect `sat`, but LLVM has saturating additions and subtractions, and
// constants are translated directly.

/// The MLIR operations with the same operands and results.
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

// The dialect: its namespace, its operations, and the services of all of them.

dialect! {
    /// The dialect `sat`. Pass it to [`Registry::add`](minoan::ir::Registry::add).
    pub SaturatingDialect = "sat":
        ops(Constant, Add, Sub, Limit, Apply, Cell, Read, Write),
        services(
            ConstantMaterializer = Constants,
            CanonicalPatterns = AddPatterns(patterns),
            IterationDomain = ElementwiseDomain,
            ToMlir = InUpstream,
        )
}
