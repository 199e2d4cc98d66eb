//! Parsing of operations by their format.

use super::{Anchor, Element, Format, Inference, Kind, Slot, Types};
use crate::text::lexer::Tok;
use crate::text::parser::Parser;
use crate::text::{OpParser, ParseError, Unresolved, print_type};
use crate::{Arity, Attr, AttrSpec, AttrSyntax, InferInput, OpSpec, Traits, Type, TypeOrAttr, ValueSpec};
use minoan_diag::Span;
use smallvec::{SmallVec, smallvec};

type Parsed<T> = Result<T, ParseError>;

/// A range of the names or types of a [`State`], or none.
#[derive(Clone, Copy)]
struct Range {
    start: u32,
    end: u32,
}

impl Range {
    const NONE: Range = Range { start: 1, end: 0 };

    fn some(self) -> Option<Range> {
        (self.start <= self.end).then_some(self)
    }

    fn len(self) -> usize {
        self.indices().len()
    }

    fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The parts parsed so far. Names and types are in text order; groups are ranges of them.
struct State<'f> {
    spec: &'static OpSpec,
    inference: &'f Inference,
    names: SmallVec<[Unresolved; 4]>,
    types: SmallVec<[Type; 8]>,
    operands: SmallVec<[Range; 4]>,
    /// The written types of each operand group.
    operand_types: SmallVec<[Range; 4]>,
    result_types: SmallVec<[Range; 4]>,
    /// All operands, by one directive.
    all_operands: Range,
    all_operand_types: Range,
    all_result_types: Range,
    types_span: Span,
}

impl Format {
    /// Parses the part after the operation's name.
    pub(crate) fn parse(&self, parser: &mut OpParser<'_, '_>) -> Parsed<()> {
        let Some(spec) = parser.ctx().spec(parser.build.kind) else { return Ok(()) };
        let mut state = State {
            spec,
            inference: &self.inference,
            names: SmallVec::new(),
            types: SmallVec::new(),
            operands: ranges(Range { start: 0, end: 0 }, spec.operands.len()),
            operand_types: ranges(Range::NONE, spec.operands.len()),
            result_types: ranges(Range::NONE, spec.results.len()),
            all_operands: Range::NONE,
            all_operand_types: Range::NONE,
            all_result_types: Range::NONE,
            types_span: parser.build.span,
        };
        state.sequence(parser, &self.elements)?;
        state.finish(parser)
    }
}

/// `count` equal ranges; written as a few words instead of a loop.
fn ranges(range: Range, count: usize) -> SmallVec<[Range; 4]> {
    match count {
        0..=4 => {
            let mut ranges = SmallVec::from_buf([range; 4]);
            ranges.truncate(count);
            ranges
        }
        _ => smallvec![range; count],
    }
}

impl State<'_> {
    fn sequence(&mut self, parser: &mut OpParser<'_, '_>, elements: &[Element]) -> Parsed<()> {
        elements.iter().try_for_each(|element| self.element(parser, &element.kind))
    }

    fn element(&mut self, parser: &mut OpParser<'_, '_>, kind: &Kind) -> Parsed<()> {
        match kind {
            Kind::Space(_) | Kind::Newline => Ok(()),
            Kind::Literal(_, tokens) => literal(parser, tokens),
            Kind::Operand(at) => self.operand(parser, *at),
            Kind::Attr(at) => self.attr(parser, *at, false),
            Kind::Region(at) => self.region(parser, *at),
            Kind::Successor(at) => self.successor(parser, *at),
            Kind::Type(types) => self.types(parser, *types),
            Kind::FunctionalType(inputs, results) => {
                self.types_span = parser.span();
                let list = parser.p.paren_types()?;
                parser.p.expect_or("->", "expected '->' in function type")?;
                let outputs = parser.p.result_types()?;
                let list = self.add_types(&list);
                self.set_types(*inputs, list);
                let outputs = self.add_types(&outputs);
                self.set_types(*results, outputs);
                Ok(())
            }
            Kind::AttrDict if parser.at_punct("{") => {
                let span = parser.span();
                parser.overriding_attr_dict()?;
                parser.check_attrs(span)
            }
            Kind::AttrDict => Ok(()),
            Kind::AttrDictWithKeyword if parser.optional_keyword("attributes") => {
                match parser.at_punct("{") {
                    true => parser.overriding_attr_dict(),
                    false => Err(parser.p.error_wrong_token("expected '{' in attribute dictionary")),
                }
            }
            Kind::AttrDictWithKeyword => Ok(()),
            Kind::Operands => {
                self.all_operands = self.operand_list(parser)?;
                Ok(())
            }
            Kind::Successors => self.successors(parser),
            Kind::Regions => {
                while parser.optional_region(&[])? {
                    if !parser.optional_punct(",") {
                        break;
                    }
                }
                Ok(())
            }
            Kind::Group { anchor, then, otherwise } => {
                if self.begins(parser, then) {
                    for element in then {
                        match (&element.kind, anchor) {
                            (Kind::Attr(at), Anchor::Attr(anchor)) if at == anchor => {
                                self.attr(parser, *at, true)?;
                            }
                            (kind, _) => self.element(parser, kind)?,
                        }
                    }
                    if let Anchor::Attr(at) = *anchor
                        && matches!(self.spec.attrs[at].constraint.syntax, AttrSyntax::Unit)
                    {
                        parser.set_attr(self.spec.attrs[at].name, Attr::UNIT);
                    }
                    Ok(())
                } else {
                    self.leave_out(then);
                    self.sequence(parser, otherwise)
                }
            }
        }
    }

    /// Skips an absent group: results whose types only it specifies are absent.
    fn leave_out(&mut self, elements: &[Element]) {
        for element in elements {
            if let Kind::Type(Types::Result(at)) = element.kind
                && self.spec.results[at].arity != Arity::One
                && self.result_types[at].some().is_none()
            {
                let end = self.types.len() as u32;
                self.result_types[at] = Range { start: end, end };
            }
        }
    }

    /// Whether the next token is the beginning of these elements.
    fn begins(&self, parser: &OpParser<'_, '_>, elements: &[Element]) -> bool {
        let first = elements.iter().map(|element| &element.kind);
        let is_unit = |at: usize| matches!(self.spec.attrs[at].constraint.syntax, AttrSyntax::Unit);
        for kind in first {
            return match kind {
                Kind::Space(_) | Kind::Newline => continue,
                Kind::Attr(at) if is_unit(*at) => continue,
                Kind::Literal(_, tokens) => match tokens.first() {
                    Some((Tok::Word, text)) => parser.p.is_word(text),
                    Some((_, text)) => parser.p.is(text),
                    None => parser.p.tok.kind == Tok::Eof,
                },
                Kind::Operand(_) | Kind::Operands => parser.p.at_operand(),
                Kind::Attr(at) => self.attr_begins(parser, *at),
                Kind::Region(_) | Kind::Regions => parser.p.is("{"),
                Kind::Successor(_) | Kind::Successors => parser.p.tok.kind == Tok::Caret,
                Kind::Type(_) => parser.p.at_type(),
                Kind::FunctionalType(..) => parser.p.is("("),
                Kind::AttrDict => parser.p.is("{"),
                Kind::AttrDictWithKeyword => parser.p.is_word("attributes"),
                Kind::Group { then, .. } => self.begins(parser, then),
            };
        }
        false
    }

    fn attr_begins(&self, parser: &OpParser<'_, '_>, at: usize) -> bool {
        let p = &parser.p;
        match self.spec.attrs[at].constraint.syntax {
            AttrSyntax::Any => p.at_attribute(),
            AttrSyntax::Typed(_) => {
                matches!(p.tok.kind, Tok::Integer | Tok::Float | Tok::String)
                    || p.is("-")
                    || p.is_word("true")
                    || p.is_word("false")
            }
            AttrSyntax::SymbolName | AttrSyntax::SymbolRef => p.tok.kind == Tok::At,
            AttrSyntax::Type => p.at_type(),
            AttrSyntax::Unit => false,
            AttrSyntax::EnumInteger(_, cases) => {
                p.tok.kind == Tok::Word && cases.iter().any(|(name, _)| *name == p.spelling())
            }
            AttrSyntax::Declared(spec) => p.at_stripped(spec),
            AttrSyntax::DenseArray(_) => p.is("["),
        }
    }

    fn operand(&mut self, parser: &mut OpParser<'_, '_>, at: usize) -> Parsed<()> {
        let start = self.names.len() as u32;
        self.operands[at] = match self.spec.operands[at].arity {
            Arity::One => {
                self.names.push(parser.operand()?);
                Range { start, end: start + 1 }
            }
            Arity::Optional => {
                self.names.extend(parser.optional_operand()?);
                Range { start, end: self.names.len() as u32 }
            }
            Arity::Variadic => self.operand_list(parser)?,
        };
        Ok(())
    }

    /// Parses value names separated by commas; may be empty.
    fn operand_list(&mut self, parser: &mut OpParser<'_, '_>) -> Parsed<Range> {
        let start = self.names.len() as u32;
        if parser.p.tok.kind == Tok::Percent {
            parser.p.list(|p| {
                self.names.push(p.operand()?);
                Ok(())
            })?;
        }
        Ok(Range { start, end: self.names.len() as u32 })
    }

    fn attr(&mut self, parser: &mut OpParser<'_, '_>, at: usize, is_asked_for: bool) -> Parsed<()> {
        let AttrSpec { name, constraint, optional, default } = &self.spec.attrs[at];
        if matches!(constraint.syntax, AttrSyntax::Unit) {
            return Ok(());
        }
        // After the literal that begins a group, the attribute is mandatory.
        let can_miss = (*optional || default.is_some()) && !is_asked_for;
        if can_miss && !self.attr_begins(parser, at) {
            return Ok(());
        }
        let span = parser.span();
        let ctx = parser.ctx();
        let attr = match constraint.syntax {
            AttrSyntax::Any | AttrSyntax::Unit => parser.attribute()?,
            AttrSyntax::Typed(ty) => parser.attribute_of_type(ty)?,
            AttrSyntax::SymbolName => parser.symbol_name()?,
            AttrSyntax::SymbolRef if parser.at_symbol() => parser.symbol_ref()?,
            AttrSyntax::SymbolRef => parser.attribute()?,
            AttrSyntax::Type => {
                let ty = parser.ty()?;
                Attr::ty(ctx, ty)
            }
            AttrSyntax::EnumInteger(ty, cases) => {
                let word = parser.p.spelling();
                let is_string = parser.p.tok.kind == Tok::String;
                let word = if is_string { word.trim_matches('"') } else { word };
                match cases.iter().find(|(case, _)| *case == word) {
                    Some(&(_, value)) if is_string || parser.p.tok.kind == Tok::Word => {
                        parser.p.advance();
                        Attr::integer(ctx, value, ty)
                    }
                    _ => {
                        let op = parser.op_name();
                        return Err(expected_case(parser.p, op, name, cases.iter().map(|(case, _)| *case)));
                    }
                }
            }
            AttrSyntax::Declared(spec) => {
                let op = parser.op_name();
                match parser.p.stripped(spec, Some((op, Some(name))))? {
                    TypeOrAttr::Attr(attr) => attr,
                    TypeOrAttr::Type(ty) => Attr::ty(ctx, ty),
                }
            }
            AttrSyntax::DenseArray(element) => {
                let op = parser.op_name();
                parser.p.bracketed_array(element, op)?
            }
        };
        if !(constraint.check)(ctx, attr) {
            let description = constraint.description;
            let message =
                format!("invalid kind of attribute specified: expected {description} for attribute '{name}'");
            return Err(parser.error_at(parser.p.span_from(span.start), message));
        }
        // The declared attributes come first among the inherent ones.
        match parser.build.info(ctx).and_then(|info| info.inherent.get(at)) {
            Some(&name) => parser.build.set_attr(ctx, name, attr),
            None => parser.set_attr(name, attr),
        }
        Ok(())
    }

    fn region(&mut self, parser: &mut OpParser<'_, '_>, at: usize) -> Parsed<()> {
        if !self.spec.regions[at].variadic {
            return parser.region(&[]);
        }
        while parser.optional_region(&[])? {
            if !parser.optional_punct(",") {
                break;
            }
        }
        Ok(())
    }

    fn successor(&mut self, parser: &mut OpParser<'_, '_>, at: usize) -> Parsed<()> {
        if !self.spec.successors[at].variadic {
            return parser.successor().map(|_| ());
        }
        self.successors(parser)
    }

    fn successors(&mut self, parser: &mut OpParser<'_, '_>) -> Parsed<()> {
        while parser.at_successor() {
            parser.successor()?;
            if !parser.optional_punct(",") {
                break;
            }
        }
        Ok(())
    }

    fn types(&mut self, parser: &mut OpParser<'_, '_>, types: Types) -> Parsed<()> {
        self.types_span = parser.span();
        let arity = match types {
            Types::Operand(at) => self.spec.operands[at].arity,
            Types::Result(at) => self.spec.results[at].arity,
            Types::Operands | Types::Results => Arity::Variadic,
        };
        let start = self.types.len() as u32;
        match arity {
            Arity::One => self.types.push(parser.ty()?),
            Arity::Optional if !parser.p.at_type() => {}
            Arity::Optional => self.types.push(parser.ty()?),
            Arity::Variadic => parser.p.list(|p| {
                self.types.push(p.ty()?);
                Ok(())
            })?,
        }
        self.types_span = parser.p.span_from(self.types_span.start);
        self.set_types(types, Range { start, end: self.types.len() as u32 });
        Ok(())
    }

    fn add_types(&mut self, types: &[Type]) -> Range {
        let start = self.types.len() as u32;
        self.types.extend_from_slice(types);
        Range { start, end: self.types.len() as u32 }
    }

    fn set_types(&mut self, types: Types, list: Range) {
        match types {
            Types::Operand(at) => self.operand_types[at] = list,
            Types::Result(at) => self.result_types[at] = list,
            Types::Operands => self.all_operand_types = list,
            Types::Results => self.all_result_types = list,
        }
    }

    /// Infers all types, resolves the operands, and adds the results.
    fn finish(&mut self, parser: &mut OpParser<'_, '_>) -> Parsed<()> {
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

fn literal(parser: &mut OpParser<'_, '_>, tokens: &[(Tok, &'static str)]) -> Parsed<()> {
    tokens.iter().try_for_each(|(kind, text)| match kind {
        Tok::Word => parser.keyword(text),
        _ => parser.punct(text),
    })
}

fn expected_case<'a>(
    p: &Parser<'_>,
    op: &str,
    name: &str,
    cases: impl Iterator<Item = &'a str>,
) -> ParseError {
    let cases: Vec<&str> = cases.collect();
    let near = minoan_diag::nearest(p.spelling(), cases.iter().copied());
    let message = format!(
        "custom op '{op}' expected string or keyword containing one of the following enum values for attribute '{name}' [{}]",
        cases.join(", ")
    );
    p.report(minoan_diag::Diagnostic::error(message).at(p.span()).did_you_mean(near))
}
