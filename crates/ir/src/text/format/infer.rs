//! The types of operands and results, inferred from the written ones by the traits of the operation.

use super::Slot;
use super::parse::{Parsed, Range, State};
use crate::text::{OpParser, Unresolved, print_type};
use crate::{Arity, Attr, AttrSyntax, InferInput, Traits, Type, ValueSpec};
use smallvec::SmallVec;

impl State<'_> {
    /// Infers all types, resolves the operands, and adds the results.
    pub(super) fn finish(&mut self, parser: &mut OpParser<'_, '_>) -> Parsed<()> {
        self.infer_types(parser)?;
        if let Some(names) = self.all_operands.some() {
            let types = match self.all_operand_types.some() {
                Some(types) => types,
                None => self.types_of_all(parser, names)?,
            };
            parser.add_operands(&self.names[names.indices()], &self.types[types.indices()])?;
        } else {
            if let Some(types) = self.all_operand_types.some() {
                let names = self.operands.iter().flat_map(|group| &self.names[group.indices()]).copied();
                let names: SmallVec<[Unresolved; 4]> = names.collect();
                parser.add_operands(&names, &self.types[types.indices()])?;
            } else {
                for (at, names) in self.operands.iter().enumerate() {
                    if names.len() == 0 && self.operand_types[at].len() == 0 {
                        continue;
                    }
                    let names = &self.names[names.indices()];
                    let Some(types) = self.operand_types[at].some() else {
                        let message = format!(
                            "the type of operand '{}' cannot be determined",
                            self.spec.operands[at].name
                        );
                        return Err(parser.error_at(names[0].span, message));
                    };
                    parser.add_operands(names, &self.types[types.indices()])?;
                }
            }
            if self.spec.traits.has(Traits::OPERAND_SEGMENTS) {
                let sizes: SmallVec<[usize; 4]> = self.operands.iter().map(|group| group.len()).collect();
                parser.set_segments(&sizes);
            }
        }
        self.add_results(parser)
    }

    fn types_of_all(&mut self, parser: &mut OpParser<'_, '_>, names: Range) -> Parsed<Range> {
        let start = self.types.len() as u32;
        for (at, name) in self.names[names.indices()].iter().enumerate() {
            let known = self.spec.operands.get(at.min(self.spec.operands.len().saturating_sub(1)));
            let only = known.and_then(|spec| spec.constraint.only(parser.ctx()));
            match only.or_else(|| parser.p.known_type(name)) {
                Some(ty) => self.types.push(ty),
                None => {
                    return Err(parser.error_at(name.span, "the type of this operand cannot be determined"));
                }
            }
        }
        Ok(Range { start, end: self.types.len() as u32 })
    }

    fn written(&self, slot: Slot) -> Option<Range> {
        match slot {
            Slot::Operand(at) => self.operand_types[at].some(),
            Slot::Result(at) => self.result_types[at].some(),
        }
    }

    fn known(&self, slot: Slot) -> Option<Type> {
        self.types[self.written(slot)?.indices()].first().copied()
    }

    /// Sets the type of a group that has none; returns whether anything changed.
    fn assign(&mut self, slot: Slot, ty: Type) -> bool {
        if self.written(slot).is_some() {
            return false;
        }
        let count = match slot {
            Slot::Operand(at) => self.operands[at].len(),
            Slot::Result(at) if self.spec.results[at].arity == Arity::One => 1,
            Slot::Result(_) => return false,
        };
        let start = self.types.len() as u32;
        self.types.extend(std::iter::repeat_n(ty, count));
        let range = Range { start, end: start + count as u32 };
        match slot {
            Slot::Operand(at) => self.operand_types[at] = range,
            Slot::Result(at) => self.result_types[at] = range,
        }
        count > 0
    }

    fn infer_types(&mut self, parser: &OpParser<'_, '_>) -> Parsed<()> {
        let inference = self.inference;
        let operands_are_free = self.all_operand_types.some().is_none() && self.all_operands.some().is_none();
        for &(slot, only) in &inference.only {
            if operands_are_free || matches!(slot, Slot::Result(_)) {
                self.assign(slot, only);
            }
        }
        loop {
            let known = |types: &[Range]| types.iter().all(|types| types.some().is_some());
            if known(&self.operand_types) && known(&self.result_types) {
                return Ok(());
            }
            let mut changed = false;
            for group in &inference.same {
                changed |= self.unify(group);
            }
            for (&(target, source), derived) in inference.derived.iter().zip(self.spec.derived) {
                if self.known(target).is_some() {
                    continue;
                }
                let slot = source;
                let Some(source) = self.known(slot) else { continue };
                self.check_source(parser, slot, target, source)?;
                match (derived.rule)(parser.ctx(), source) {
                    Some(ty) => changed |= self.assign(target, ty),
                    None => {
                        let name = parser.op_name();
                        let message = format!("'{name}' op failed to verify that {}", derived.message);
                        return Err(parser.error_at(self.types_span, message));
                    }
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Verifies the constraint of the source of a result's derived type, with upstream's message at the operation's
    /// name.
    fn check_source(&self, parser: &OpParser<'_, '_>, source: Slot, target: Slot, ty: Type) -> Parsed<()> {
        let (Slot::Operand(at), Slot::Result(_)) = (source, target) else { return Ok(()) };
        let ValueSpec { name, constraint, .. } = &self.spec.operands[at];
        if constraint.holds(parser.ctx(), ty) {
            return Ok(());
        }
        let ty = print_type(parser.ctx(), ty);
        let message = format!("'{name}' must be {}, but got '{ty}'", constraint);
        Err(parser.error_at(parser.build.span, message))
    }

    fn unify(&mut self, slots: &[Slot]) -> bool {
        let all = self.all_operand_types.some().and_then(|types| self.types[types.indices()].first());
        let known = slots.iter().find_map(|&slot| self.known(slot));
        let Some(ty) = known.or(all.copied()) else { return false };
        let mut changed = false;
        for &slot in slots {
            changed |= self.assign(slot, ty);
        }
        changed
    }

    fn add_results(&self, parser: &mut OpParser<'_, '_>) -> Parsed<()> {
        if let Some(types) = self.all_result_types.some() {
            parser.add_results(&self.types[types.indices()]);
            return Ok(());
        }
        if self.result_types.iter().all(|types| types.some().is_some()) {
            for types in &self.result_types {
                parser.add_results(&self.types[types.indices()]);
            }
            if self.spec.traits.has(Traits::RESULT_SEGMENTS) {
                let sizes: Vec<i32> = self.result_types.iter().map(|types| types.len() as i32).collect();
                let (ctx, attr) = (parser.ctx(), Attr::dense_i32(parser.ctx(), &sizes));
                parser.build.set_attr(ctx, ctx.names().result_segments, attr);
            }
            return Ok(());
        }
        let ctx = parser.ctx();
        if self.spec.infer.is_some() {
            parser.build.fill_defaults(ctx);
            let OpParser { p, build } = &mut *parser;
            let body = p.body();
            let operands: SmallVec<[Type; 4]> = build.operands.iter().map(|&value| body.ty(value)).collect();
            let props = p.interned(&build.props);
            match self.spec.infer_types(&InferInput { ctx, operands: &operands, props }) {
                Some(Ok(types)) => parser.add_results(&types),
                Some(Err(message)) => return Err(parser.error_at(parser.build.span, message)),
                None => {}
            }
            return Ok(());
        }
        let missing = self.result_types.iter().position(|types| types.some().is_none()).unwrap_or(0);
        if self.spec.traits.has(Traits::SAME_OPERANDS_AND_RESULT)
            && let Some(&first) = parser.build.operands.first()
        {
            let ty = parser.p.body().ty(first);
            parser.add_results(&vec![ty; self.spec.results.len()]);
            return Ok(());
        }
        if let AttrSyntax::Any =
            self.spec.attrs.first().map_or(AttrSyntax::Unit, |attr| attr.constraint.syntax)
            && self.spec.traits.has(Traits::CONSTANT_LIKE)
            && let Some(ty) = parser.get_attr("value").and_then(|attr| attr.value_type(ctx))
        {
            parser.add_result(ty);
            return Ok(());
        }
        let message =
            format!("the type of result '{}' cannot be determined", self.spec.results[missing].name);
        Err(parser.error_at(parser.build.span, message))
    }
}
