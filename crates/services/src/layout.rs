//! How large values are in memory, and where they may stand.

use minoan_ir::{Attr, Context, Type, TypeData, service};

/// How a value lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeLayout {
    /// Bits that are the value.
    pub bits: u64,
    /// Its address is a multiple of so many bytes: a power of two.
    pub align: u64,
}

impl TypeLayout {
    /// The layout of so many bits that stand at a multiple of their size.
    pub fn natural(bits: u64) -> Self {
        Self { bits, align: bits.div_ceil(8).max(1).checked_next_power_of_two().unwrap_or(1) }
    }

    /// Bytes that the value takes.
    pub fn bytes(self) -> u64 {
        self.bits.div_ceil(8)
    }

    /// Bytes from one of many to the next.
    pub fn stride(self) -> Option<u64> {
        self.bytes().checked_next_multiple_of(self.align)
    }
}

/// What a program says of the target: numbers by type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LayoutSpec {
    /// Bits of an index; of any other type, bits of its alignment.
    entries: Vec<(Type, u64)>,
}

impl LayoutSpec {
    /// The specification of these numbers: bits of an index; of any other type, bits of its alignment.
    pub fn new(entries: impl IntoIterator<Item = (Type, u64)>) -> Self {
        Self { entries: entries.into_iter().collect() }
    }

    /// The specification among the attributes of a module: the first that a loaded dialect knows as one. Empty where
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

    /// Bits of an index, and of an address: 64 unless the program says something else.
    pub fn index_bits(&self) -> u64 {
        self.entry(Type::INDEX).filter(|bits| (1..=128).contains(bits)).unwrap_or(64)
    }

    /// The alignment in bytes that the program says of a type; `None` where it says none that is possible.
    pub fn alignment(&self, ty: Type) -> Option<u64> {
        let bits = self.entry(ty).filter(|bits| bits.is_multiple_of(8))?;
        (bits / 8).is_power_of_two().then_some(bits / 8)
    }
}

/// How values of a dialect's types lie in memory, and what its attributes say about that. Asked by whoever places buffers; a
/// type that nobody knows has no known size.
pub trait DataLayout: Send + Sync {
    /// The layout of a type; `None` for a type that is not the dialect's own, or has none.
    fn layout(&self, ctx: &Context, ty: Type, spec: &LayoutSpec) -> Option<TypeLayout> {
        let _ = (ctx, ty, spec);
        None
    }

    /// What an attribute of a module specifies; `None` for one that is not the dialect's own, or no specification.
    fn spec(&self, ctx: &Context, attr: Attr) -> Option<LayoutSpec> {
        let _ = (ctx, attr);
        None
    }
}
service!(dyn DataLayout, "DataLayout", Optional);

impl dyn DataLayout {
    /// The layout of a type, from the dialect that knows it.
    pub fn of(ctx: &Context, ty: Type, spec: &LayoutSpec) -> Option<TypeLayout> {
        let mut services = ctx.dialects_with::<dyn DataLayout>().filter_map(|dialect| dialect.service());
        services.find_map(|service: &dyn DataLayout| service.layout(ctx, ty, spec))
    }

    /// Bytes of the elements of a tensor, or of a buffer without gaps, of known extents.
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
    fn numbers_that_cannot_be_are_passed_over() {
        let spec = LayoutSpec::new([(Type::I64, 24), (Type::INDEX, 0), (Type::F32, 33), (Type::F64, 128)]);
        assert_eq!(
            (spec.index_bits(), spec.alignment(Type::I64), spec.alignment(Type::F32)),
            (64, None, None)
        );
        assert_eq!((spec.alignment(Type::F64), spec.alignment(Type::I8)), (Some(16), None));
    }

    #[test]
    fn where_no_dialect_knows_the_attribute_nothing_is_specified() {
        let ctx = Context::bare();
        let attrs = Attr::dictionary(&ctx, &[(ctx.name("a.spec"), Attr::string(&ctx, "index = 32"))]);
        assert_eq!(LayoutSpec::of(&ctx, attrs), LayoutSpec::default());
    }

    #[test]
    fn many_stand_at_multiples_of_the_alignment() {
        let odd = TypeLayout::natural(24);
        assert_eq!((odd.bytes(), odd.align, odd.stride()), (3, 4, Some(4)));
        assert_eq!(TypeLayout { bits: u64::MAX, align: 1 << 63 }.stride(), Some(1 << 63));
    }
}
