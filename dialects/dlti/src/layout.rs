//! Data layout queries.

use crate::entries::dense_i64;
use crate::{Key, Kind, entries};
use minoan_ir::{Attr, Context, Type};
use minoan_services::{DataLayout, LayoutSpec};

/// `#dlti.dl_spec<..>`: the bit width of `index`, and the ABI alignments of types.
pub(crate) struct Specification;

impl DataLayout for Specification {
    fn spec(&self, ctx: &Context, attr: Attr) -> Option<LayoutSpec> {
        let list = entries(ctx, attr).filter(|_| Kind::of(ctx, attr) == Some(Kind::Layout))?;
        Some(LayoutSpec::new(list.into_iter().filter_map(|(key, value)| match key {
            Key::Type(ty) => Some((ty, number(ctx, ty, value)?)),
            Key::Name(_) => None,
        })))
    }
}

/// The entry of `index` is a number; those of other types are lists of the ABI alignment and the preferred alignment.
fn number(ctx: &Context, ty: Type, value: Attr) -> Option<u64> {
    let number = if ty == Type::INDEX { value.as_i64(ctx) } else { dense_i64(ctx, value)?.first().copied() };
    number.and_then(|number| u64::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use minoan_ir::Registry;
    use minoan_ir::text::parse_attr;

    fn spec(text: &str) -> LayoutSpec {
        let mut registry = Registry::new();
        registry.add(crate::DltiDialect);
        let ctx = Context::new(registry).expect("one dialect");
        let attr = parse_attr(&ctx, text).expect("it is well formed");
        LayoutSpec::of(&ctx, Attr::dictionary(&ctx, &[(ctx.name("dlti.dl_spec"), attr)]))
    }

    #[test]
    fn both_forms_are_parsed() {
        let new = spec("#dlti.dl_spec<index = 32 : i64, i64 = dense<[32, 64]> : vector<2xi64>>");
        assert_eq!(
            (new.index_bits(), new.alignment(Type::I64), new.alignment(Type::F32)),
            (32, Some(4), None)
        );
        let old =
            spec("#dlti.dl_spec<#dlti.dl_entry<index, 16>, #dlti.dl_entry<f32, dense<64> : vector<2xi64>>>");
        assert_eq!((old.index_bits(), old.alignment(Type::F32)), (16, Some(8)));
    }

    #[test]
    fn non_numbers_are_ignored() {
        let odd = spec("#dlti.dl_spec<index = \"x\", i64 = 32 : i64, \"dlti.endianness\" = \"little\">");
        assert_eq!((odd.index_bits(), odd.alignment(Type::I64)), (64, None));
        assert_eq!(spec("#dlti.map<index = 32 : i64>"), LayoutSpec::default());
    }
}
