//! Static and dynamic extents during the lowering.

use crate::ty::Dim;
use minoan_arith as arith;
use minoan_ir::{Builder, DYNAMIC, Value};

/// An extent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    Known(i64),
    /// A dynamic extent, of type `index`.
    Value(Value),
}

impl Extent {
    pub(super) fn known(self) -> Option<i64> {
        match self {
            Extent::Known(extent) => Some(extent),
            Extent::Value(_) => None,
        }
    }

    /// The extent as it appears in a type.
    pub(super) fn in_type(self) -> i64 {
        self.known().unwrap_or(DYNAMIC)
    }

    pub(super) fn dim(self) -> Dim {
        self.known().map_or(Dim::Any, Dim::Known)
    }

    /// The extent as a value of type `index`.
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
}

/// The product of extents.
pub(super) fn product(b: &mut Builder<'_>, extents: &[Extent]) -> Extent {
    extents.iter().fold(Extent::Known(1), |product, &extent| product.times(b, extent))
}
