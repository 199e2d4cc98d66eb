//! What buffers are in memory: descriptors.

use minoan_ir::{Context, Type, TypeData};
use minoan_services::{DataLayout, LayoutSpec, TypeLayout};

/// A descriptor holds two addresses and an offset, and an extent and a stride for each dimension; one of unknown rank
/// holds the rank and an address.
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
