//! Parsing of properties, which the generic form prints separately: `<{predicate = 0 : i64}>`.

use super::build::OpBuild;
use super::{Parsed, Parser};
use crate::text::print_attr;
use crate::{Attr, Name, OpInfo, Traits};

/// The parsed properties.
pub(super) enum Properties {
    Dictionary(Vec<(Name, Attr)>),
    Other(Attr),
}

impl<'c> Parser<'c> {
    pub(super) fn properties(&mut self) -> Parsed<Option<Properties>> {
        if !self.eat("<") {
            return Ok(None);
        }
        let properties = match self.is("{") {
            true => Properties::Dictionary(self.dictionary()?),
            false => Properties::Other(self.attribute(None)?),
        };
        self.expect_or(">", "expected '>' to close properties")?;
        Ok(Some(properties))
    }

    /// Sets the properties of an operation in generic form. They replace inherent attributes in the attribute
    /// dictionary; unknown ones are dropped, as in MLIR, and absent segment sizes are 0.
    pub(super) fn set_properties(&self, build: &mut OpBuild, properties: Option<Properties>) -> Parsed<()> {
        let ctx = self.ctx;
        let Some(info) = build.info(ctx).filter(|info| info.spec.is_some()) else {
            build.default_props = properties.map(|properties| match properties {
                Properties::Dictionary(entries) if entries.is_empty() => Attr::EMPTY_PROPS,
                Properties::Dictionary(entries) => Attr::dictionary(ctx, &entries),
                Properties::Other(attr) => attr,
            });
            return Ok(());
        };
        let groups = groups(info);
        for (segments, old, _) in groups.iter().flatten() {
            let (segments, old) = (ctx.name(segments), ctx.name(old));
            if let Some(at) = build.attrs.iter().position(|&(name, _)| name == old) {
                let (_, sizes) = build.attrs.remove(at);
                build.set_attr(ctx, segments, sizes);
            }
        }
        let fits = |name: Name, value: Attr| {
            let group = groups.iter().flatten().find(|(segments, ..)| *segments == name.as_str(ctx));
            group.is_none_or(|(.., count)| value.as_dense_i32(ctx).is_some_and(|sizes| sizes.len() == *count))
        };
        build.props.retain(|&(name, value)| fits(name, value));
        if let Some(properties) = properties {
            self.check_and_set(build, info, &groups, properties)?;
        }
        for (segments, _, count) in groups.into_iter().flatten() {
            let segments = ctx.name(segments);
            if build.get_attr(segments).is_none() {
                build.set_attr(ctx, segments, Attr::dense_i32(ctx, &vec![0; count]));
            }
        }
        Ok(())
    }

    fn check_and_set(
        &self,
        build: &mut OpBuild,
        info: &OpInfo,
        groups: &[Option<Group>; 2],
        properties: Properties,
    ) -> Parsed<()> {
        let ctx = self.ctx;
        let invalid = |given: Attr, why: &str| {
            let (given, name) = (print_attr(ctx, given), ctx.kind_name(build.kind));
            self.error_at(build.span, format!("invalid properties {given} for op {name}: {why}"))
        };
        let entries = match properties {
            Properties::Dictionary(entries) if !info.inherent.is_empty() => entries,
            Properties::Dictionary(entries) => {
                let given = Attr::dictionary(ctx, &entries);
                return Err(invalid(given, "this operation does not support properties"));
            }
            Properties::Other(attr) if info.inherent.is_empty() => {
                return Err(invalid(attr, "this operation does not support properties"));
            }
            Properties::Other(attr) => {
                return Err(invalid(attr, "expected DictionaryAttr to set properties"));
            }
        };
        let declared = info.spec.map_or(&[][..], |spec| spec.attrs);
        let mut known = Vec::new();
        for (index, &name) in info.inherent.iter().enumerate() {
            let group = groups.iter().flatten().find(|(segments, ..)| *segments == name.as_str(ctx));
            let given = |name: &str| entries.iter().find(|(given, _)| given.as_str(ctx) == name);
            let value = given(name.as_str(ctx)).or_else(|| given(group?.1));
            let Some(&(_, value)) = value else { continue };
            let wrong = match group {
                Some((.., count)) => match value.as_dense_i32(ctx) {
                    None => Some("expected DenseI32ArrayAttr for key `value`".to_owned()),
                    Some(sizes) if sizes.len() != *count => {
                        Some(format!("size mismatch in attribute conversion: {} vs {count}", sizes.len()))
                    }
                    Some(_) => None,
                },
                None => {
                    declared.get(index).filter(|attr| !attr.constraint.is_of_kind(ctx, value)).map(|attr| {
                        let value = print_attr(ctx, value);
                        format!("Invalid attribute `{}` in property conversion: {value}", attr.name)
                    })
                }
            };
            if let Some(why) = wrong {
                return Err(invalid(Attr::dictionary(ctx, &entries), &why));
            }
            known.push((name, value));
        }
        known.into_iter().for_each(|(name, value)| build.set_attr(ctx, name, value));
        Ok(())
    }
}

/// The attribute with segment sizes, its former name, and the number of groups.
type Group = (&'static str, &'static str, usize);

/// The segment size attributes of an operation, for operands and for results.
fn groups(info: &OpInfo) -> [Option<Group>; 2] {
    let count = |specs: fn(&crate::OpSpec) -> usize| info.spec.map_or(0, specs);
    let operands = ("operandSegmentSizes", "operand_segment_sizes", count(|spec| spec.operands.len()));
    let results = ("resultSegmentSizes", "result_segment_sizes", count(|spec| spec.results.len()));
    [(Traits::OPERAND_SEGMENTS, operands), (Traits::RESULT_SEGMENTS, results)]
        .map(|(segments, group)| info.traits.has(segments).then_some(group))
}
