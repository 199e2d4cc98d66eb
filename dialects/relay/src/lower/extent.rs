//! Extents of tensors during lowering: constants if the type determines them, `index` values otherwise.

use crate::ty::Dim;
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_data::assert_values;
use minoan_functional::assert;
use minoan_ir::{Builder, DYNAMIC, OpRef, Value};
use minoan_linalg::{Fill, Generic};
use minoan_scf::For;
use minoan_tensor::{Cast, Empty, ExpandShape, Generate, Pad};

/// An extent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    Known(i64),
    /// A dynamic extent, of type `index`.
    Value(Value),
}

impl Extent {
    /// The extent of a value of tensor type along an axis. Operations that state the extents of their result are looked
    /// through, so that equal extents are mostly equal values.
    pub(super) fn of(b: &mut Builder<'_>, mut tensor: Value, axis: usize) -> Extent {
        let ctx = b.context();
        loop {
            let body = b.body();
            let shape = body.ty(tensor).shape(&ctx).unwrap_or(&[]);
            match shape.get(axis) {
                Some(&extent) if extent != DYNAMIC => return Extent::Known(extent),
                _ => {}
            }
            let Some(op) = body.defining_op(tensor).map(|op| body.op(op)) else { break };
            let result = op.results().position(|result| result == tensor).unwrap_or(0);
            if op.is::<Cast>() {
                tensor = op.operand(0);
            } else if op.is::<Generic>() || op.is::<Fill>() {
                // The outputs are the last operands.
                tensor = op.operand(op.n_operands() - op.n_results() + result);
            } else if op.is::<For>() {
                // The loops of this lowering carry a tensor from one `tensor.insert` to the next.
                tensor = op.operand(3 + result);
            } else if op.is::<Empty>() || op.is::<Generate>() {
                let before = shape[..axis].iter().filter(|&&extent| extent == DYNAMIC).count();
                let Some(size) = op.operands().nth(before) else { break };
                return Extent::Value(size);
            } else if op.is::<ExpandShape>() {
                // The first operand is the source.
                let before = shape[..axis].iter().filter(|&&extent| extent == DYNAMIC).count();
                let Some(size) = op.operands().nth(1 + before) else { break };
                return Extent::Value(size);
            } else if op.is::<Pad>() {
                let Some(added) = added_elements(op, axis) else { break };
                return Extent::of(b, op.operand(0), axis).plus(b, Extent::Known(added));
            } else {
                break;
            }
        }
        let axis = arith::constant_index(b, axis as i64);
        Extent::Value(minoan_tensor::Dim::build(b, tensor, axis).result(b.body()))
    }

    pub(super) fn known(self) -> Option<i64> {
        match self {
            Extent::Known(extent) => Some(extent),
            Extent::Value(_) => None,
        }
    }

    /// The extent in a type: `DYNAMIC` if it is a value.
    pub(super) fn in_type(self) -> i64 {
        self.known().unwrap_or(DYNAMIC)
    }

    pub(super) fn dim(self) -> Dim {
        self.known().map_or(Dim::Any, Dim::Known)
    }

    /// The extent as an `index`.
    pub(super) fn value(self, b: &mut Builder<'_>) -> Value {
        match self {
            Extent::Known(extent) => arith::constant_index(b, extent),
            Extent::Value(value) => value,
        }
    }

    /// The product.
    pub(super) fn times(self, b: &mut Builder<'_>, other: Extent) -> Extent {
        match (self, other) {
            (Extent::Known(a), Extent::Known(c)) => Extent::Known(a.saturating_mul(c)),
            (Extent::Known(1), other) | (other, Extent::Known(1)) => other,
            _ => {
                let (lhs, rhs) = (self.value(b), other.value(b));
                Extent::Value(arith::muli(b, lhs, rhs))
            }
        }
    }

    /// The sum.
    pub(super) fn plus(self, b: &mut Builder<'_>, other: Extent) -> Extent {
        match (self, other) {
            (Extent::Known(a), Extent::Known(c)) => Extent::Known(a.saturating_add(c)),
            (Extent::Known(0), other) | (other, Extent::Known(0)) => other,
            _ => {
                let (lhs, rhs) = (self.value(b), other.value(b));
                Extent::Value(arith::addi(b, lhs, rhs))
            }
        }
    }

    /// The difference.
    pub(super) fn minus(self, b: &mut Builder<'_>, other: Extent) -> Extent {
        match (self, other) {
            (Extent::Known(a), Extent::Known(c)) => Extent::Known(a.saturating_sub(c)),
            (extent, Extent::Known(0)) => extent,
            _ if self == other => Extent::Known(0),
            _ => {
                let (lhs, rhs) = (self.value(b), other.value(b));
                Extent::Value(arith::subi(b, lhs, rhs))
            }
        }
    }

    /// The quotient of two extents, rounded down; a divisor of 0 counts as 1.
    pub(super) fn divided_by(self, b: &mut Builder<'_>, divisor: Extent) -> Extent {
        match (self, divisor) {
            (Extent::Known(whole), Extent::Known(part)) => Extent::Known(whole / part.max(1)),
            (whole, Extent::Known(0 | 1)) => whole,
            _ => {
                let (whole, part, one) = (self.value(b), divisor.value(b), arith::constant_index(b, 1));
                let part = arith::maxui(b, part, one);
                Extent::Value(arith::divui(b, whole, part))
            }
        }
    }

    /// Whether the two are equal by construction.
    pub(super) fn is(self, b: &Builder<'_>, other: Extent) -> bool {
        match (self, other) {
            (Extent::Value(first), Extent::Value(second)) => {
                first == second || matches!((read(b, first), read(b, second)), (Some(a), Some(c)) if a == c)
            }
            _ => self == other,
        }
    }

    /// Asserts that two extents are equal; returns the constant one if there is one. The first `{}` in the message stands for this
    /// extent, and a second one for the other.
    pub(super) fn expect(
        self,
        b: &mut Builder<'_>,
        other: Extent,
        message: impl FnOnce() -> String,
    ) -> Extent {
        if !self.is(b, other) {
            let (first, second) = (self.value(b), other.value(b));
            let same = arith::cmpi(b, CmpIPredicate::Eq, first, second);
            assert_extents(b, same, &message(), [first, second]);
        }
        if self.known().is_some() { self } else { other }
    }

    /// Asserts that an extent does not exceed another one, with a message as for [`Extent::expect`].
    pub(super) fn expect_at_most(self, b: &mut Builder<'_>, most: Extent, message: impl FnOnce() -> String) {
        let fits = match (self, most) {
            (Extent::Known(extent), Extent::Known(most)) => extent <= most,
            (Extent::Known(extent), Extent::Value(_)) => extent <= 0,
            _ => self.is(b, most),
        };
        if !fits {
            let (extent, most) = (self.value(b), most.value(b));
            let fits = arith::cmpi(b, CmpIPredicate::Sle, extent, most);
            assert_extents(b, fits, &message(), [extent, most]);
        }
    }
}

/// Asserts a condition on two extents. The message has none of them, the first one, or both.
fn assert_extents(b: &mut Builder<'_>, condition: Value, message: &str, extents: [Value; 2]) {
    let shown = message.matches("{}").count();
    assert_values(b, condition, message, &extents[..shown]);
}

/// The tensor and the axis that an extent was read from.
fn read(b: &Builder<'_>, extent: Value) -> Option<(Value, i64)> {
    let op = b.body().op(b.body().defining_op(extent)?);
    if !op.is::<minoan_tensor::Dim>() {
        return None;
    }
    let axis = arith::constant_value(b.body(), op.operand(1))?.as_i64(op.context())?;
    Some((op.operand(0), axis))
}

/// The number of elements that a padding of static widths adds along an axis.
fn added_elements(pad: OpRef<'_>, axis: usize) -> Option<i64> {
    let width = |name| pad.attr_value::<Vec<i64>>(name)?.get(axis).filter(|&width| width != DYNAMIC);
    width("static_low")?.checked_add(width("static_high")?)
}

/// Extents as those of a type, and the values of the dynamic ones.
pub(super) fn in_type_and_values(extents: &[Extent]) -> (Vec<i64>, Vec<Value>) {
    let values = extents.iter().filter_map(|extent| match extent {
        Extent::Value(value) => Some(*value),
        Extent::Known(_) => None,
    });
    (extents.iter().map(|extent| extent.in_type()).collect(), values.collect())
}

/// The product of extents.
pub(super) fn product(b: &mut Builder<'_>, extents: &[Extent]) -> Extent {
    extents.iter().fold(Extent::Known(1), |product, &extent| product.times(b, extent))
}

/// Asserts that there is an element to read along an axis of extent `from`, unless the result, of extents `wanted`, has
/// no elements.
pub(super) fn expect_elements(
    b: &mut Builder<'_>,
    from: Extent,
    wanted: &[Extent],
    message: impl FnOnce() -> String,
) {
    if from.known().is_some_and(|extent| extent > 0) || wanted.contains(&Extent::Known(0)) {
        return;
    }
    let (zero, from) = (arith::constant_index(b, 0), from.value(b));
    let mut fits = arith::cmpi(b, CmpIPredicate::Ne, from, zero);
    for &extent in wanted {
        if let Extent::Value(extent) = extent {
            let empty = arith::cmpi(b, CmpIPredicate::Eq, extent, zero);
            fits = arith::ori(b, fits, empty);
        }
    }
    assert(b, fits, &message());
}
