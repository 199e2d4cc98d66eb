//! The memory layout of memref descriptors.

use minoan_ir::{Context, Type, TypeData};
use minoan_services::{DataLayout, LayoutSpec, TypeLayout};

/// A ranked descriptor holds two pointers, an offset, and an extent and a stride per dimension; an unranked one holds
/// the rank and a pointer.
pub(crate) struct Descriptors;

impl DataLayout for Descriptors {
    fn layout(&self, ctx: &Context, ty: Type, spec: &LayoutSpec) -> Option<TypeLayout> {
        let words = match ty.data(ctx) {
            TypeData::MemRef { shape, .. } => 3 + 2 * shape.len() as u64,
            TypeData::UnrankedMemRef { .. } => 2,
            _ => return None,
        };
        let word = TypeLayout::natural(spec.index_bits());
        Some(TypeLayout { bits: words.checked_mul(word.stride()? * 8)?, align: word.align })
    }
}
