//! Parsing of operations by their format.

use super::{Anchor, Element, Format, Inference, Kind, Types};
use crate::text::lexer::Tok;
use crate::text::parser::Parser;
use crate::text::{OpParser, ParseError, Unresolved};
use crate::{Arity, Attr, AttrSpec, AttrSyntax, OpSpec, Type, TypeOrAttr};
use minoan_diag::Span;
use smallvec::{SmallVec, smallvec};

pub(super) type Parsed<T> = Result<T, ParseError>;

/// A range of the names or types of a [`State`], or none.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Range {
    pub(super) const NONE: Range = Range { start: 1, end: 0 };

    pub(super) fn some(self) -> Option<Range> {
        (self.start <= self.end).then_some(self)
    }

    pub(super) fn len(self) -> usize {
        self.indices().len()
    }

    pub(super) fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The parts parsed so far. Names and types are in text order; groups are ranges of them.
pub(super) struct State<'f> {
    pub(super) spec: &'static OpSpec,
    pub(super) inference: &'f Inference,
    pub(super) names: SmallVec<[Unresolved; 4]>,
    pub(super) types: SmallVec<[Type; 8]>,
    pub(super) operands: SmallVec<[Range; 4]>,
    /// The written types of each operand group.
    pub(super) operand_types: SmallVec<[Range; 4]>,
    pub(super) result_types: SmallVec<[Range; 4]>,
    /// All operands, by one directive.
    pub(super) all_operands: Range,
    pub(super) all_operand_types: Range,
    pub(super) all_result_types: Range,
    pub(super) types_span: Span,
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
