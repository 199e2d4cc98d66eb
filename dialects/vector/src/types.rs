//! Vector types: extents, some of which may be scalable, and an element type.

use minoan_ir::text::print_type;
use minoan_ir::{Context, Type, TypeData};

/// The components of a vector type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parts<'c> {
    /// The extents.
    pub shape: &'c [i64],
    /// For each extent, whether it is scalable: a multiple of a factor that is only known at run time.
    pub scalable: &'c [bool],
    /// The element type.
    pub element: Type,
}

impl<'c> Parts<'c> {
    /// The components of a vector type.
    pub(crate) fn of(ctx: &'c Context, ty: Type) -> Option<Self> {
        match ty.data(ctx) {
            TypeData::Vector { shape, scalable, element } => {
                Some(Self { shape, scalable, element: *element })
            }
            _ => None,
        }
    }

    /// The components of any type; a type that is not a vector has rank zero.
    pub(crate) fn of_any(ctx: &'c Context, ty: Type) -> Self {
        Self::of(ctx, ty).unwrap_or(Self { shape: &[], scalable: &[], element: ty })
    }

    /// The rank.
    pub(crate) fn rank(self) -> usize {
        self.shape.len()
    }

    /// The number of elements; for a scalable vector, the minimum.
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

    /// The vector type.
    pub(crate) fn ty(self, ctx: &Context) -> Type {
        vector(ctx, self.shape, self.scalable, self.element)
    }

    /// The vector type with the given dimensions of this one, in order.
    pub(crate) fn pick(self, ctx: &Context, dims: impl IntoIterator<Item = usize>, element: Type) -> Type {
        let (shape, scalable): (Vec<i64>, Vec<bool>) =
            dims.into_iter().map(|dim| (self.shape[dim], self.scalable[dim])).unzip();
        vector(ctx, &shape, &scalable, element)
    }
}

/// Creates a vector type.
pub(crate) fn vector(ctx: &Context, shape: &[i64], scalable: &[bool], element: Type) -> Type {
    ctx.intern_type(TypeData::Vector { shape: shape.into(), scalable: scalable.into(), element })
}

/// A quoted type, as in messages.
pub(crate) fn quoted(ctx: &Context, ty: Type) -> String {
    format!("'{}'", print_type(ctx, ty))
}

/// The width of a number in bits; an index has 64.
pub(crate) fn bits(ctx: &Context, ty: Type) -> Option<i64> {
    if ty == Type::INDEX {
        return Some(64);
    }
    let width = ty.integer_width(ctx).or_else(|| ty.float_kind(ctx).map(minoan_ir::FloatKind::width));
    width.map(i64::from)
}
