//! How large values are in memory, and where they may stand.

use minoan_ir::{Attr, AttrData, Context, Type, TypeData, service};

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

/// What a program says of the target: the attribute `dlti.dl_spec` of its module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LayoutSpec {
    /// By type as text: its number in the specification, bits of an index or of an alignment.
    entries: Vec<(String, u64)>,
}

impl LayoutSpec {
    /// The specification among the attributes of a module; empty where there is none.
    pub fn of(ctx: &Context, attrs: Attr) -> Self {
        let spec = attrs.get(ctx, ctx.name("dlti.dl_spec")).map(|attr| attr.data(ctx));
        let Some(AttrData::Opaque { text, .. }) = spec else { return Self::default() };
        Self::parse(text.as_str(ctx))
    }

    /// Reads `dl_spec<index = 32, i64 = dense<[32, 64]> : vector<2xi64>>`, and entries of the form
    /// `#dlti.dl_entry<index, 32>`; what is not known is passed over.
    pub fn parse(text: &str) -> Self {
        let inside = text.split_once("dl_spec<").map_or("", |(_, rest)| rest);
        let mut entries = Vec::new();
        for part in split_at_top(inside) {
            let part = part.trim();
            let part = part.strip_prefix("#dlti.dl_entry<").unwrap_or(part);
            let Some((key, value)) = part.split_once(['=', ',']) else { continue };
            let digits = value.trim_start().trim_start_matches("dense<").trim_start_matches('[').trim_start();
            let digits = &digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())];
            entries.extend(digits.parse().ok().map(|number| (key.trim().to_owned(), number)));
        }
        Self { entries }
    }

    fn entry(&self, key: &str) -> Option<u64> {
        self.entries.iter().find(|(entry, _)| entry == key).map(|&(_, number)| number)
    }

    /// Bits of an index, and of an address: 64 unless the program says something else.
    pub fn index_bits(&self) -> u64 {
        self.entry("index").filter(|bits| (1..=128).contains(bits)).unwrap_or(64)
    }

    /// The alignment in bytes that the program says of a type, by its text: `i64`, `f32`.
    pub fn alignment(&self, ty: &str) -> Option<u64> {
        let bits = self.entry(ty).filter(|bits| bits.is_multiple_of(8))?;
        (bits / 8).is_power_of_two().then_some(bits / 8)
    }
}

/// The parts of a list between commas that are in no brackets; it ends where its own bracket is closed.
fn split_at_top(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' if depth == 0 => {
                parts.push(&text[start..at]);
                return parts;
            }
            '>' | ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// How values of a dialect's types lie in memory. Asked by whoever places buffers; a type that nobody knows has no known
/// size.
pub trait DataLayout: Send + Sync {
    /// The layout of a type; `None` for a type that is not the dialect's own, or has none.
    fn layout(&self, ctx: &Context, ty: Type, spec: &LayoutSpec) -> Option<TypeLayout>;
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
    fn a_specification_is_read_in_both_forms() {
        let new = LayoutSpec::parse("dl_spec<index = 32 : i64, i64 = dense<[32, 64]> : vector<2xi64>>");
        assert_eq!((new.index_bits(), new.alignment("i64"), new.alignment("f32")), (32, Some(4), None));
        let old = LayoutSpec::parse(
            "dl_spec<#dlti.dl_entry<index, 16>, #dlti.dl_entry<f32, dense<[64, 64]> : vector<2xi64>>>",
        );
        assert_eq!((old.index_bits(), old.alignment("f32")), (16, Some(8)));
    }

    #[test]
    fn what_is_no_number_or_no_power_of_two_is_passed_over() {
        for text in ["", "dl_spec<", "dl_spec<index = \"x\"", "dl_spec<i64 = 24, index = 0>", "dl_spec<,,>>]"]
        {
            let spec = LayoutSpec::parse(text);
            assert_eq!((spec.index_bits(), spec.alignment("i64")), (64, None), "{text}");
        }
    }

    #[test]
    fn many_stand_at_multiples_of_the_alignment() {
        let odd = TypeLayout::natural(24);
        assert_eq!((odd.bytes(), odd.align, odd.stride()), (3, 4, Some(4)));
        assert_eq!(TypeLayout { bits: u64::MAX, align: 1 << 63 }.stride(), Some(1 << 63));
    }
}
