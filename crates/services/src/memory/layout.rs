//! Data layout: size and alignment of types in memory.

use minoan_ir::{Attr, Context, Type, TypeData, service};

/// The size and alignment of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeLayout {
    /// The size of the value in bits.
    pub bits: u64,
    /// The alignment in bytes, a power of two.
    pub align: u64,
}

impl TypeLayout {
    /// The layout of a naturally aligned value.
    pub fn natural(bits: u64) -> Self {
        Self { bits, align: bits.div_ceil(8).max(1).checked_next_power_of_two().unwrap_or(1) }
    }

    /// The size in bytes.
    pub fn bytes(self) -> u64 {
        self.bits.div_ceil(8)
    }

    /// The distance between consecutive elements of an array in bytes.
    pub fn stride(self) -> Option<u64> {
        self.bytes().checked_next_multiple_of(self.align)
    }
}

/// The data layout specification of a program: numbers by type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LayoutSpec {
    /// For `index`, its width in bits; for other types, their alignment in bits.
    entries: Vec<(Type, u64)>,
}

impl LayoutSpec {
    /// Creates a specification: for `index`, its width in bits; for other types, their alignment in bits.
    pub fn new(entries: impl IntoIterator<Item = (Type, u64)>) -> Self {
        Self { entries: entries.into_iter().collect() }
    }

    /// The specification among the attributes of a module: the first one that a loaded dialect recognizes; empty if
    /// there is none.
    pub fn of(ctx: &Context, attrs: Attr) -> Self {
        let services: Vec<&dyn DataLayout> =
            ctx.dialects_with::<dyn DataLayout>().filter_map(|dialect| dialect.service()).collect();
        let known = |attr: Attr| services.iter().find_map(|service| service.spec(ctx, attr));
        attrs.as_dictionary(ctx).unwrap_or(&[]).iter().find_map(|&(_, attr)| known(attr)).unwrap_or_default()
    }

    fn entry(&self, ty: Type) -> Option<u64> {
        self.entries.iter().find(|&&(entry, _)| entry == ty).map(|&(_, number)| number)
    }

    /// The width of `index` and of addresses in bits; 64 by default.
    pub fn index_bits(&self) -> u64 {
        self.entry(Type::INDEX).filter(|bits| (1..=128).contains(bits)).unwrap_or(64)
    }

    /// The specified alignment of a type in bytes; `None` if it is unspecified or invalid.
    pub fn alignment(&self, ty: Type) -> Option<u64> {
        let bits = self.entry(ty).filter(|bits| bits.is_multiple_of(8))?;
        (bits / 8).is_power_of_two().then_some(bits / 8)
    }
}

/// The memory layout of a dialect's types, and data layout specifications among its attributes. Queried by the
/// placement of buffers. Default: the size is unknown.
pub trait DataLayout: Send + Sync {
    /// The layout of a type; `None` for a type of another dialect or without a layout.
    fn layout(&self, ctx: &Context, ty: Type, spec: &LayoutSpec) -> Option<TypeLayout> {
        let _ = (ctx, ty, spec);
        None
    }

    /// Parses a specification attribute; `None` for an attribute of another dialect, or that is not a specification.
    fn spec(&self, ctx: &Context, attr: Attr) -> Option<LayoutSpec> {
        let _ = (ctx, attr);
        None
    }
}
service!(dyn DataLayout, "DataLayout", Optional);

impl dyn DataLayout {
    /// The layout of a type according to its dialect.
    pub fn of(ctx: &Context, ty: Type, spec: &LayoutSpec) -> Option<TypeLayout> {
        let mut services = ctx.dialects_with::<dyn DataLayout>().filter_map(|dialect| dialect.service());
        services.find_map(|service: &dyn DataLayout| service.layout(ctx, ty, spec))
    }

    /// The size in bytes of the elements of a tensor, or of a contiguous buffer, with static extents.
    pub fn bytes_of_elements(ctx: &Context, ty: Type, spec: &LayoutSpec) -> Option<u64> {
        if matches!(ty.data(ctx), TypeData::MemRef { layout: Some(_), .. }) {
            return None;
        }
        let element = Self::of(ctx, ty.element(ctx)?, spec)?.stride()?;
        let fold = |bytes: u64, &extent: &i64| bytes.checked_mul(u64::try_from(extent).ok()?);
        ty.shape(ctx)?.iter().try_fold(element, fold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_numbers_are_ignored() {
        let spec = LayoutSpec::new([(Type::I64, 24), (Type::INDEX, 0), (Type::F32, 33), (Type::F64, 128)]);
        assert_eq!(
            (spec.index_bits(), spec.alignment(Type::I64), spec.alignment(Type::F32)),
            (64, None, None)
        );
        assert_eq!((spec.alignment(Type::F64), spec.alignment(Type::I8)), (Some(16), None));
    }

    #[test]
    fn unknown_layout_attribute_is_empty() {
        let ctx = Context::bare();
        let attrs = Attr::dictionary(&ctx, &[(ctx.name("a.spec"), Attr::string(&ctx, "index = 32"))]);
        assert_eq!(LayoutSpec::of(&ctx, attrs), LayoutSpec::default());
    }

    #[test]
    fn array_stride_is_multiple_of_alignment() {
        let odd = TypeLayout::natural(24);
        assert_eq!((odd.bytes(), odd.align, odd.stride()), (3, 4, Some(4)));
        assert_eq!(TypeLayout { bits: u64::MAX, align: 1 << 63 }.stride(), Some(1 << 63));
    }
}
