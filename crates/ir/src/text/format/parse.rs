//! Reading an operation by its format.

use super::{Anchor, Element, Format, Kind, Types};
use crate::text::lexer::{Lexer, Tok};
use crate::text::{OpParser, ParseError, Unresolved};
use crate::{Arity, Attr, AttrData, AttrSpec, AttrSyntax, InferInput, OpSpec, Traits, Type};
use minoan_diag::Span;

type Parsed<T> = Result<T, ParseError>;

/// What was read so far.
struct State {
    spec: &'static OpSpec,
    operands: Vec<Vec<Unresolved>>,
    /// Types of each group of operands, where they were written.
    operand_types: Vec<Option<Vec<Type>>>,
    result_types: Vec<Option<Vec<Type>>>,
    /// All operands by one directive.
    all_operands: Option<Vec<Unresolved>>,
    all_operand_types: Option<Vec<Type>>,
    all_result_types: Option<Vec<Type>>,
    types_span: Span,
}

impl Format {
    /// Reads what follows the operation's name.
    pub(crate) fn parse(&self, parser: &mut OpParser<'_, '_>) -> Parsed<()> {
        let Some(spec) = parser.ctx().spec(parser.build.kind) else { return Ok(()) };
        let mut state = State {
            spec,
            operands: vec![Vec::new(); spec.operands.len()],
            operand_types: vec![None; spec.operands.len()],
            result_types: vec![None; spec.results.len()],
            all_operands: None,
            all_operand_types: None,
            all_result_types: None,
            types_span: parser.build.span,
        };
        state.sequence(parser, &self.elements)?;
        state.finish(parser)
    }
}

impl State {
    fn sequence(&mut self, parser: &mut OpParser<'_, '_>, elements: &[Element]) -> Parsed<()> {
        elements.iter().try_for_each(|element| self.element(parser, &element.kind))
    }

    fn element(&mut self, parser: &mut OpParser<'_, '_>, kind: &Kind) -> Parsed<()> {
        match kind {
            Kind::Space(_) | Kind::Newline => Ok(()),
            Kind::Literal(text) => literal(parser, text),
            Kind::Operand(at) => self.operand(parser, *at),
            Kind::Attr(at) => self.attr(parser, *at),
            Kind::Region(at) => self.region(parser, *at),
            Kind::Successor(at) => self.successor(parser, *at),
            Kind::Type(types) => self.types(parser, *types),
            Kind::FunctionalType(inputs, results) => {
                self.types_span = parser.span();
                let list = parser.p.paren_types()?;
                parser.punct("->")?;
                let outputs = parser.p.result_types()?;
                self.set_types(*inputs, list);
                self.set_types(*results, outputs);
                Ok(())
            }
            Kind::AttrDict => parser.attr_dict(),
            Kind::AttrDictWithKeyword => parser.attr_dict_with_keyword(),
            Kind::Operands => {
                self.all_operands = Some(parser.operand_list()?);
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
                    self.sequence(parser, then)?;
                    if let Anchor::Attr(at) = *anchor
                        && matches!(self.spec.attrs[at].constraint.syntax, AttrSyntax::Unit)
                    {
                        parser.set_attr(self.spec.attrs[at].name, Attr::UNIT);
                    }
                    Ok(())
                } else {
                    self.sequence(parser, otherwise)
                }
            }
        }
    }

    /// Whether what stands next is the beginning of these elements.
    fn begins(&self, parser: &OpParser<'_, '_>, elements: &[Element]) -> bool {
        let first = elements.iter().map(|element| &element.kind);
        let is_unit = |at: usize| matches!(self.spec.attrs[at].constraint.syntax, AttrSyntax::Unit);
        for kind in first {
            return match kind {
                Kind::Space(_) | Kind::Newline => continue,
                Kind::Attr(at) if is_unit(*at) => continue,
                Kind::Literal(text) => {
                    let token = Lexer::new(text).next();
                    let first = &text[token.start as usize..token.end as usize];
                    matches!(parser.p.tok.kind, Tok::Punct | Tok::Word) && parser.p.spelling() == first
                }
                Kind::Operand(_) | Kind::Operands => parser.p.tok.kind == Tok::Percent,
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
            AttrSyntax::EnumOpaque { .. } => p.is("<"),
            AttrSyntax::DenseArray(_) => p.is("["),
        }
    }

    fn operand(&mut self, parser: &mut OpParser<'_, '_>, at: usize) -> Parsed<()> {
        self.operands[at] = match self.spec.operands[at].arity {
            Arity::One => vec![parser.operand()?],
            Arity::Optional => parser.optional_operand()?.into_iter().collect(),
            Arity::Variadic => parser.operand_list()?,
        };
        Ok(())
    }

    fn attr(&mut self, parser: &mut OpParser<'_, '_>, at: usize) -> Parsed<()> {
        let AttrSpec { name, constraint, optional, default } = &self.spec.attrs[at];
        if matches!(constraint.syntax, AttrSyntax::Unit) {
            return Ok(());
        }
        if (*optional || default.is_some()) && !self.attr_begins(parser, at) {
            return Ok(());
        }
        let span = parser.span();
        let ctx = parser.ctx();
        let attr = match constraint.syntax {
            AttrSyntax::Any | AttrSyntax::Unit => parser.attribute()?,
            AttrSyntax::Typed(ty) => parser.attribute_of_type(ty)?,
            AttrSyntax::SymbolName => parser.symbol_name()?,
            AttrSyntax::SymbolRef => parser.symbol_ref()?,
            AttrSyntax::Type => {
                let ty = parser.ty()?;
                Attr::ty(ctx, ty)
            }
            AttrSyntax::EnumInteger(ty, cases) => {
                let word = parser.p.spelling();
                match cases.iter().find(|(case, _)| *case == word) {
                    Some(&(_, value)) if matches!(parser.p.tok.kind, Tok::Word | Tok::String) => {
                        parser.p.advance();
                        Attr::integer(ctx, value, ty)
                    }
                    _ => return Err(expected_case(parser, name, cases.iter().map(|(case, _)| *case))),
                }
            }
            AttrSyntax::EnumOpaque { dialect, mnemonic, cases, flags } => {
                parser.punct("<")?;
                let mut words: Vec<&str> = Vec::new();
                loop {
                    let word = parser.p.spelling();
                    match cases.iter().find(|case| **case == word) {
                        Some(&case) => words.push(case),
                        None => return Err(expected_case(parser, name, cases.iter().copied())),
                    }
                    parser.p.advance();
                    if !flags || !parser.optional_punct(",") {
                        break;
                    }
                }
                parser.punct(">")?;
                Attr::opaque(ctx, dialect, &format!(".{mnemonic}<{}>", words.join(", ")))
            }
            AttrSyntax::DenseArray(element) => parser.p.bracketed_array(element)?,
        };
        if !(constraint.check)(ctx, attr) {
            let message = format!("expected {} for attribute '{name}'", constraint.description);
            return Err(parser.error_at(parser.p.span_from(span.start), message));
        }
        parser.set_attr(name, attr);
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
        let list = match arity {
            Arity::One => vec![parser.ty()?],
            _ if !parser.p.at_type() => Vec::new(),
            Arity::Optional => vec![parser.ty()?],
            Arity::Variadic => parser.type_list()?,
        };
        self.types_span = parser.p.span_from(self.types_span.start);
        self.set_types(types, list);
        Ok(())
    }

    fn set_types(&mut self, types: Types, list: Vec<Type>) {
        match types {
            Types::Operand(at) => self.operand_types[at] = Some(list),
            Types::Result(at) => self.result_types[at] = Some(list),
            Types::Operands => self.all_operand_types = Some(list),
            Types::Results => self.all_result_types = Some(list),
        }
    }

    /// Finds all types, resolves the operands, adds the results.
    fn finish(mut self, parser: &mut OpParser<'_, '_>) -> Parsed<()> {
        self.infer_types(parser)?;
        let has_segments = self.spec.traits.has(Traits::OPERAND_SEGMENTS);
        if let Some(names) = self.all_operands.take() {
            let types = match self.all_operand_types.take() {
                Some(types) => types,
                None => self.types_of_all(parser, &names)?,
            };
            parser.add_operands(&names, &types)?;
        } else {
            if let Some(types) = self.all_operand_types.take() {
                let names: Vec<Unresolved> = self.operands.iter().flatten().copied().collect();
                parser.add_operands(&names, &types)?;
            } else {
                for (at, names) in self.operands.iter().enumerate() {
                    if names.is_empty() && self.operand_types[at].as_ref().is_none_or(Vec::is_empty) {
                        continue;
                    }
                    let Some(types) = &self.operand_types[at] else {
                        let message = format!(
                            "the type of operand '{}' cannot be determined",
                            self.spec.operands[at].name
                        );
                        return Err(parser.error_at(names[0].span, message));
                    };
                    parser.add_operands(names, types)?;
                }
            }
            if has_segments {
                let sizes: Vec<usize> = self.operands.iter().map(Vec::len).collect();
                parser.set_segments(&sizes);
            }
        }
        self.add_results(parser)
    }

    fn types_of_all(&self, parser: &mut OpParser<'_, '_>, names: &[Unresolved]) -> Parsed<Vec<Type>> {
        let mut types = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let known = self.spec.operands.get(at.min(self.spec.operands.len().saturating_sub(1)));
            let only = known.and_then(|spec| spec.constraint.only);
            match only.or_else(|| parser.p.known_type(name)) {
                Some(ty) => types.push(ty),
                None => {
                    return Err(parser.error_at(name.span, "the type of this operand cannot be determined"));
                }
            }
        }
        Ok(types)
    }

    fn known(&self, name: &str) -> Option<Type> {
        let operand = self.spec.operands.iter().position(|operand| operand.name == name);
        if let Some(at) = operand {
            return self.operand_types[at].as_ref()?.first().copied();
        }
        let at = self.spec.results.iter().position(|result| result.name == name)?;
        self.result_types[at].as_ref()?.first().copied()
    }

    /// Gives a group one type, where it has none; whether something changed.
    fn assign(&mut self, name: &str, ty: Type) -> bool {
        if let Some(at) = self.spec.operands.iter().position(|operand| operand.name == name) {
            let free = self.operand_types[at].is_none();
            if free {
                self.operand_types[at] = Some(vec![ty; self.operands[at].len()]);
            }
            return free && !self.operands[at].is_empty();
        }
        let Some(at) = self.spec.results.iter().position(|result| result.name == name) else { return false };
        let free = self.result_types[at].is_none() && self.spec.results[at].arity == Arity::One;
        if free {
            self.result_types[at] = Some(vec![ty]);
        }
        free
    }

    fn infer_types(&mut self, parser: &OpParser<'_, '_>) -> Parsed<()> {
        let ctx = parser.ctx();
        let spec = self.spec;
        if self.all_operand_types.is_none() && self.all_operands.is_none() {
            for operand in spec.operands {
                if let Some(only) = operand.constraint.only {
                    self.assign(operand.name, only);
                }
            }
        }
        for result in spec.results {
            if let Some(only) = result.constraint.only {
                self.assign(result.name, only);
            }
        }
        let same_all = spec.traits.has(Traits::SAME_OPERANDS_AND_RESULT);
        let same_operands = same_all || spec.traits.has(Traits::SAME_OPERANDS);
        loop {
            let mut changed = false;
            if same_operands {
                let mut names: Vec<&str> = spec.operands.iter().map(|operand| operand.name).collect();
                if same_all {
                    names.extend(spec.results.iter().map(|result| result.name));
                }
                changed |= self.unify(&names);
            }
            for group in spec.same_types {
                changed |= self.unify(group);
            }
            for derived in spec.derived {
                if self.known(derived.target).is_some() {
                    continue;
                }
                let Some(source) = self.known(derived.source) else { continue };
                match (derived.rule)(ctx, source) {
                    Some(ty) => changed |= self.assign(derived.target, ty),
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

    fn unify(&mut self, names: &[&str]) -> bool {
        let all = self.all_operand_types.as_ref().and_then(|types| types.first().copied());
        let Some(ty) = names.iter().find_map(|name| self.known(name)).or(all) else { return false };
        let mut changed = false;
        for name in names {
            changed |= self.assign(name, ty);
        }
        changed
    }

    fn add_results(self, parser: &mut OpParser<'_, '_>) -> Parsed<()> {
        if let Some(types) = &self.all_result_types {
            parser.add_results(types);
            return Ok(());
        }
        if self.result_types.iter().all(Option::is_some) {
            for types in self.result_types.iter().flatten() {
                parser.add_results(types);
            }
            if self.spec.traits.has(Traits::RESULT_SEGMENTS) {
                let sizes: Vec<i32> =
                    self.result_types.iter().flatten().map(|types| types.len() as i32).collect();
                let (ctx, attr) = (parser.ctx(), Attr::dense_i32(parser.ctx(), &sizes));
                parser.build.set_attr(ctx, ctx.names().result_segments, attr);
            }
            return Ok(());
        }
        let ctx = parser.ctx();
        if let Some(infer) = self.spec.infer {
            parser.build.fill_defaults(ctx);
            let operands: Vec<Type> =
                parser.build.operands.clone().into_iter().map(|value| parser.p.body().ty(value)).collect();
            let props = Attr::dictionary(ctx, &parser.build.props);
            return match infer(&InferInput { ctx, operands: &operands, props }) {
                Ok(types) => {
                    parser.add_results(&types);
                    Ok(())
                }
                Err(message) => Err(parser.error_at(parser.build.span, message)),
            };
        }
        let missing = self.result_types.iter().position(Option::is_none).unwrap_or(0);
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

fn literal(parser: &mut OpParser<'_, '_>, text: &'static str) -> Parsed<()> {
    // A literal may be several tokens: `] : [`.
    let mut lexer = Lexer::new(text);
    loop {
        let token = lexer.next();
        let spelled = &text[token.start as usize..token.end as usize];
        match token.kind {
            Tok::Eof => return Ok(()),
            Tok::Word => parser.keyword(spelled)?,
            _ => parser.punct(spelled)?,
        }
    }
}

fn expected_case<'a>(
    parser: &OpParser<'_, '_>,
    name: &str,
    cases: impl Iterator<Item = &'a str>,
) -> ParseError {
    let cases: Vec<&str> = cases.collect();
    let near = minoan_diag::nearest(parser.p.spelling(), cases.iter().copied());
    let message = format!(
        "expected string or keyword containing one of the following enum values for attribute '{name}' [{}]",
        cases.join(", ")
    );
    parser.p.report(minoan_diag::Diagnostic::error(message).at(parser.span()).did_you_mean(near))
}

/// Whether an attribute has the value it has when it is not written.
pub(super) fn is_default(ctx: &crate::Context, spec: &AttrSpec, attr: Attr) -> bool {
    spec.default.is_some_and(|default| match attr.data(ctx) {
        // The usual kind is compared as text: no parsing.
        AttrData::Opaque { dialect, text, .. } if default.starts_with('#') => {
            default[1..].strip_prefix(dialect.as_str(ctx)) == Some(text.as_str(ctx))
        }
        _ => crate::text::parse_attr(ctx, default).is_ok_and(|value| value == attr),
    })
}
