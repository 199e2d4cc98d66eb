//! The folder: combines [`Fold`] with folds that follow from traits and from [`Evaluate`].

use crate::{
    Buffer, Change, Datum, EffectSet, EffectsTable, Evaluate, Flow, Fold, FoldResult, Folded, Machine,
    Scalar, Tensor, Trap,
};
use minoan_ir::{Attr, AttrData, Body, Context, Loc, OpRef, Region, ServiceTable, Traits, Type, Value};
use smallvec::SmallVec;

/// The constant values of an operation's operands, if known.
pub type Operands = SmallVec<[Option<Attr>; 4]>;

/// The maximum number of elements of a folded constant; larger ones are left to the program.
const LARGEST: u64 = 1 << 16;

/// The constant that a value is, if an operation with the trait `CONSTANT_LIKE` defines it.
#[inline]
pub fn constant_of(body: &Body, value: Value) -> Option<Attr> {
    let op = body.op(body.defining_op(value)?);
    if op.has_trait(Traits::CONSTANT_LIKE) { op.attr(op.context().names().value) } else { None }
}

/// Folds operations of one context with cached service tables.
///
/// The following are tried in order until one succeeds:
///
/// 1. The operation's [`Fold`].
/// 2. [`Evaluate`], if all operands are constant and the operation has no effects and no regions. Traps are not
///    folded (division by zero), nor is poison (a sum that overflows despite `nsw`), nor are results that a constant
///    cannot represent bit for bit.
/// 3. Traits: constants of `COMMUTATIVE` operations move to the right; a second application of an `IDEMPOTENT`
///    operation has no effect, and of an `INVOLUTION` yields the operand.
///
/// A NaN computed from operands that are not NaN is the positive quiet NaN without payload on every machine.
#[derive(Clone, Copy)]
pub struct Folder<'c> {
    fold: Option<&'c ServiceTable<dyn Fold>>,
    evaluate: Option<&'c ServiceTable<dyn Evaluate>>,
    effects: EffectsTable<'c>,
}

impl<'c> Folder<'c> {
    /// Creates the folder for a context.
    pub fn new(ctx: &'c Context) -> Self {
        Self { fold: ctx.service_table(), evaluate: ctx.service_table(), effects: EffectsTable::new(ctx) }
    }

    /// Folds an operation; `operands` has the constant value of each operand, if known. Never returns
    /// [`Folded::Stays`].
    pub fn fold(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
        if let Some(service) = self.fold.and_then(|table| table.get(op.kind())) {
            match service.fold(op, operands) {
                Folded::Unchanged => {}
                Folded::Stays => return Folded::Unchanged,
                folded => return folded,
            }
        }
        let traits = op.traits();
        if operands.iter().all(Option::is_some) && !traits.has(Traits::CONSTANT_LIKE) {
            if let Some(results) = self.evaluate(op, traits, operands) {
                return Folded::Results(results);
            }
        } else if traits.has(Traits::COMMUTATIVE)
            && let Some(change) = constants_right(op, operands)
        {
            return change.into();
        }
        by_own_result(op, traits).into()
    }

    /// The results of an operation on constants, computed by [`Evaluate`].
    fn evaluate(
        &self,
        op: OpRef<'_>,
        traits: Traits,
        operands: &[Option<Attr>],
    ) -> Option<SmallVec<[FoldResult; 2]>> {
        if op.n_results() == 0 || op.n_regions() != 0 || traits.has(Traits::TERMINATOR) {
            return None;
        }
        let service = self.evaluate?.get(op.kind())?;
        if self.effects.declared(op) != Some(EffectSet::NONE) {
            return None;
        }
        let ctx = op.context();
        let constants = || operands.iter().map(|attr| attr.expect("all are known"));
        let splat = traits.has(Traits::ELEMENTWISE) && op.result_types().all(|ty| ty.element(ctx).is_some());
        let data: Option<SmallVec<[Datum; 4]>> =
            if splat { constants().map(|attr| Datum::of_splat(ctx, attr)).collect() } else { None };
        let (data, splat) = match data {
            Some(data) => (data, true),
            None => (constants().map(|attr| exact(ctx, attr)).collect::<Option<_>>()?, false),
        };
        let Ok(Flow::Next(results)) = service.evaluate(op, &data, &mut Constants { budget: LARGEST }) else {
            return None;
        };
        let float_in = op.operand_types().any(|ty| ty.element_or_self(ctx).is_float(ctx));
        let fresh_nan = float_in && !data.iter().any(has_nan);
        let results = results.into_iter().zip(op.result_types()).map(|(datum, ty)| {
            let attr = if splat { datum.to_splat(ctx, ty) } else { datum.to_attr(ctx, ty) };
            nan_checked(ctx, attr?, &datum, ty, float_in, fresh_nan).map(FoldResult::Constant)
        });
        results.collect::<Option<SmallVec<[FoldResult; 2]>>>().filter(|known| known.len() == op.n_results())
    }
}

/// Converts a constant to an evaluation value, if that is exact and it does not have too many elements.
fn exact(ctx: &Context, attr: Attr) -> Option<Datum> {
    let ty = attr.value_type(ctx);
    // The parts of a complex number are an array, which has no type.
    if ty.is_none() && !matches!(attr.data(ctx), AttrData::Array(_)) {
        return None;
    }
    let count: Option<i64> = match ty.and_then(|ty| ty.shape(ctx)) {
        Some(shape) => shape.iter().try_fold(1i64, |count, &extent| count.checked_mul(extent)),
        None => Some(1),
    };
    if u64::try_from(count?).ok()? > LARGEST {
        return None;
    }
    let datum = Datum::of_attr(ctx, attr).ok()?;
    // Narrow floats are stored in wider ones, which does not preserve signaling NaNs.
    (!has_nan(&datum) || datum.to_attr(ctx, ty?) == Some(attr)).then_some(datum)
}

fn has_nan(datum: &Datum) -> bool {
    match datum {
        Datum::F32(value) => value.is_nan(),
        Datum::F64(value) => value.is_nan(),
        Datum::Complex32(parts) => parts.iter().any(|part| part.is_nan()),
        Datum::Complex64(parts) => parts.iter().any(|part| part.is_nan()),
        Datum::Tensor(tensor) => tensor.has_nan(),
        Datum::Int(_) | Datum::Wide(_) | Datum::Poison | Datum::Buffer(_) | Datum::Object(_) => false,
    }
}

/// Normalizes NaNs in a result so that it does not depend on the machine; `None` if that is impossible.
fn nan_checked(
    ctx: &Context,
    attr: Attr,
    datum: &Datum,
    ty: Type,
    float_in: bool,
    fresh_nan: bool,
) -> Option<Attr> {
    if !has_nan(datum) {
        return Some(attr);
    }
    match (datum, Scalar::of(ctx, ty).ok()?) {
        // Bits of an integer converted to a narrow float have passed through a wider format.
        (_, Scalar::F16 | Scalar::BF16) if !float_in => None,
        (Datum::F32(_) | Datum::F64(_), scalar) if fresh_nan => {
            let quiet = match scalar {
                Scalar::F64 => Datum::F64(f64::from_bits(0x7ff8 << 48)),
                _ => Datum::F32(f32::from_bits(0x7fc0 << 16)),
            };
            if ty.element(ctx).is_some() { quiet.to_splat(ctx, ty) } else { quiet.to_attr(ctx, ty) }
        }
        (Datum::Tensor(_), _) if fresh_nan => None,
        (_, Scalar::Complex(_)) => None,
        _ => Some(attr),
    }
}

/// The operands of a commutative operation with constants last, if they are not already.
fn constants_right(op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<Change> {
    let first = operands.iter().position(Option::is_some)?;
    if operands[first..].iter().all(Option::is_some) {
        return None;
    }
    let chosen = |constant: bool| {
        op.operands()
            .zip(operands)
            .filter(move |(_, known)| known.is_some() == constant)
            .map(|(value, _)| value)
    };
    Some(Change::new().operands(chosen(false).chain(chosen(true))))
}

/// Folds the application of an operation to its own result.
fn by_own_result(op: OpRef<'_>, traits: Traits) -> Option<Value> {
    let (idempotent, involution) = (traits.has(Traits::IDEMPOTENT), traits.has(Traits::INVOLUTION));
    if !(idempotent || involution) || op.n_operands() != 1 || op.n_results() != 1 {
        return None;
    }
    let body = op.body();
    let inner = body.op(body.defining_op(op.operand(0))?);
    if inner.kind() != op.kind() || inner.props() != op.props() {
        return None;
    }
    let value = if idempotent { op.operand(0) } else { inner.operand(0) };
    (body.ty(value) == body.ty(op.result(0))).then_some(value)
}

/// The execution environment for pure computations.
struct Constants {
    budget: u64,
}

impl Machine for Constants {
    fn run_region(&mut self, _: &Body, _: Region, _: &[Datum]) -> Result<Vec<Datum>, Trap> {
        Err(Trap::new("constants have no region"))
    }

    fn value(&self, _: &Body, _: Value) -> Result<Datum, Trap> {
        Err(Trap::new("constants have no operands inside"))
    }

    fn call(&mut self, symbol: &str, _: &[Datum], _: Loc) -> Result<Vec<Datum>, Trap> {
        Err(Trap::new(format!("'{symbol}' is not called while constants are folded")))
    }

    fn global(&mut self, symbol: &str) -> Result<Buffer, Trap> {
        Err(Trap::new(format!("'{symbol}' is not read while constants are folded")))
    }

    fn alloc(&mut self, contents: Tensor) -> Buffer {
        Buffer::new(0, contents)
    }

    fn free(&mut self, _: &Buffer) -> Result<(), Trap> {
        Err(Trap::new("memory cannot be freed during constant folding"))
    }

    fn point(&self) -> &[i64] {
        &[]
    }

    fn go_to(&mut self, _: Vec<i64>) -> Vec<i64> {
        Vec::new()
    }

    fn tick(&mut self, steps: u64) -> Result<(), Trap> {
        self.budget = self.budget.checked_sub(steps).ok_or_else(|| Trap::new("too much to fold"))?;
        Ok(())
    }
}
