//! Vector types: extents, some of them scalable, and a type of elements.

use minoan_ir::text::print_type;
use minoan_ir::{Context, Type, TypeData};

/// What a vector type is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parts<'c> {
    /// Extents.
    pub shape: &'c [i64],
    /// Which of them are multiplied by a number that only the machine knows.
    pub scalable: &'c [bool],
    /// Type of the elements.
    pub element: Type,
}

impl<'c> Parts<'c> {
    /// Of a vector type.
    pub(crate) fn of(ctx: &'c Context, ty: Type) -> Option<Self> {
        match ty.data(ctx) {
            TypeData::Vector { shape, scalable, element } => {
                Some(Self { shape, scalable, element: *element })
            }
            _ => None,
        }
    }

    /// Of any type: one that is no vector counts as a vector of rank zero.
    pub(crate) fn of_any(ctx: &'c Context, ty: Type) -> Self {
        Self::of(ctx, ty).unwrap_or(Self { shape: &[], scalable: &[], element: ty })
    }

    /// Number of dimensions.
    pub(crate) fn rank(self) -> usize {
        self.shape.len()
    }

    /// Number of elements; of a scalable vector, the least.
    pub(crate) fn count(self) -> i64 {
        self.shape.iter().fold(1, |count, &extent| i64::saturating_mul(count, extent))
    }

    /// Whether an extent is scalable.
    pub(crate) fn is_scalable(self) -> bool {
        self.scalable.contains(&true)
    }

    /// The dimensions from `first` on.
    pub(crate) fn from(self, first: usize) -> Self {
        Self { shape: &self.shape[first..], scalable: &self.scalable[first..], ..self }
    }

    /// The type.
    pub(crate) fn ty(self, ctx: &Context) -> Type {
        vector(ctx, self.shape, self.scalable, self.element)
    }

    /// The type of a vector with dimensions of this one, in the given order.
    pub(crate) fn pick(self, ctx: &Context, dims: impl IntoIterator<Item = usize>, element: Type) -> Type {
        let (shape, scalable): (Vec<i64>, Vec<bool>) =
            dims.into_iter().map(|dim| (self.shape[dim], self.scalable[dim])).unzip();
        vector(ctx, &shape, &scalable, element)
    }
}

/// A vector type.
pub(crate) fn vector(ctx: &Context, shape: &[i64], scalable: &[bool], element: Type) -> Type {
    ctx.intern_type(TypeData::Vector { shape: shape.into(), scalable: scalable.into(), element })
}

/// A type in quotes, as messages have it.
pub(crate) fn quoted(ctx: &Context, ty: Type) -> String {
    format!("'{}'", print_type(ctx, ty))
}

/// Bits of a number; of an index, those of a 64-bit machine.
pub(crate) fn bits(ctx: &Context, ty: Type) -> Option<i64> {
    if ty == Type::INDEX {
        return Some(64);
    }
    let width = ty.integer_width(ctx).or_else(|| ty.float_kind(ctx).map(minoan_ir::FloatKind::width));
    width.map(i64::from)
}
