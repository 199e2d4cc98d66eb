//! The memory layout of builtin types.

use minoan_ir::{Context, Type, TypeData};
use minoan_services::{DataLayout, LayoutSpec, TypeLayout};

/// Numbers are naturally aligned unless the data layout specifies otherwise.
pub(crate) struct BuiltinLayout;

impl DataLayout for BuiltinLayout {
    fn layout(&self, ctx: &Context, ty: Type, spec: &LayoutSpec) -> Option<TypeLayout> {
        match *ty.data(ctx) {
            TypeData::Integer { width, .. } => {
                Some(number(width.into(), spec.alignment(Type::integer(ctx, width))))
            }
            TypeData::Float(kind) => Some(number(kind.width().into(), spec.alignment(ty))),
            TypeData::Index => Some(TypeLayout::natural(spec.index_bits())),
            TypeData::Complex(element) => {
                let element = number_of(ctx, element, spec)?;
                Some(TypeLayout { bits: (element.stride()? * 8).checked_mul(2)?, ..element })
            }
            TypeData::Vector { ref shape, element, .. } => vector(shape, number_of(ctx, element, spec)?),
            _ => None,
        }
    }
}

fn number(bits: u64, align: Option<u64>) -> TypeLayout {
    let natural = TypeLayout::natural(bits);
    TypeLayout { align: align.unwrap_or(natural.align), ..natural }
}

/// The layout of a scalar type; the element type of a vector or complex number must be one.
fn number_of(ctx: &Context, ty: Type, spec: &LayoutSpec) -> Option<TypeLayout> {
    match *ty.data(ctx) {
        TypeData::Integer { .. } | TypeData::Float(_) | TypeData::Index => {
            BuiltinLayout.layout(ctx, ty, spec)
        }
        _ => None,
    }
}

/// The last dimension is padded to a power of two.
fn vector(shape: &[i64], element: TypeLayout) -> Option<TypeLayout> {
    let mut extents = shape.iter().rev().map(|&extent| u64::try_from(extent).ok());
    let last = extents.next().unwrap_or(Some(1))?.checked_next_power_of_two()?;
    let count = extents.try_fold(last, |count, extent| count.checked_mul(extent?))?;
    let bits = count.checked_mul(element.bits)?;
    Some(TypeLayout { align: bits.div_ceil(8).max(1).checked_next_power_of_two()?, bits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_sizes_match_upstream() {
        let ctx = Context::bare();
        let spec = LayoutSpec::new([(Type::INDEX, 32), (Type::I64, 32)]);
        let of = |ty| BuiltinLayout.layout(&ctx, ty, &spec).map(|layout| (layout.bytes(), layout.align));
        assert_eq!(of(Type::I1), Some((1, 1)));
        assert_eq!(of(Type::INDEX), Some((4, 4)));
        assert_eq!(of(Type::I64), Some((8, 4)));
        assert_eq!(of(Type::vector(&ctx, &[2, 3], Type::F32)), Some((32, 32)));
        assert_eq!(of(Type::tensor(&ctx, &[2], Type::F32)), None);
    }
}
