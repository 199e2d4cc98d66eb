//! The parser interface for custom assembly.

use super::ParseError;
use super::lexer::Tok;
use super::parser::{OpBuild, Parser};
use crate::{
    Attr, AttrDef, AttrSpec, Block, Body, Builder, Context, DYNAMIC, Int, Loc, Name, OpKind, Region, Traits,
    Type, TypeOrAttr, Value,
};
use minoan_diag::{Diagnostic, Span, nearest};

/// An operand name whose type is not known yet: see [`OpParser::resolve`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unresolved {
    /// The span of the name.
    pub span: Span,
    pub(crate) name_end: u32,
    pub(crate) number: u32,
}

/// An argument of a region's entry block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegionArg {
    /// The name.
    pub name: Unresolved,
    /// The type.
    pub ty: Type,
}

/// An operation given by name and attributes; see [`OpParser::named_op`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedOp {
    /// The kind.
    pub kind: OpKind,
    /// The inherent attributes, as a dictionary.
    pub props: Attr,
    /// The discardable attributes, as a dictionary.
    pub attrs: Attr,
}

/// Parses the part of a custom form after the operation's name, and collects the parts of the operation.
///
/// A method that returns a `Result` has reported the error, at the offending token, when it fails: return it with `?`.
/// The parser then skips the operation and continues. Methods named `optional_..` return `None` or `false` if their first token
/// is absent, and fail only after it.
pub struct OpParser<'p, 'c> {
    pub(super) p: &'p mut Parser<'c>,
    pub(super) build: Box<OpBuild>,
}

type Parsed<T> = Result<T, ParseError>;

impl<'p, 'c> OpParser<'p, 'c> {
    pub(super) fn new(p: &'p mut Parser<'c>, build: Box<OpBuild>) -> Self {
        Self { p, build }
    }

    /// The context.
    pub fn ctx(&self) -> &'c Context {
        self.p.ctx
    }

    /// The span of the next token.
    pub fn span(&self) -> Span {
        self.p.span()
    }

    /// The location of the operation.
    pub fn loc(&self) -> Loc {
        self.build.loc
    }

    /// The full name of the operation.
    pub fn op_name(&self) -> &'c str {
        self.p.ctx.kind_name(self.build.kind)
    }

    /// Reports an error at the next token, prefixed by the operation's name.
    #[cold]
    #[inline(never)]
    pub fn error(&self, message: impl Into<String>) -> ParseError {
        self.error_at(self.span(), message)
    }

    /// Reports an error at a span, prefixed by the operation's name.
    #[cold]
    #[inline(never)]
    pub fn error_at(&self, span: Span, message: impl Into<String>) -> ParseError {
        let message = format!("custom op '{}' {}", self.op_name(), message.into());
        match span == self.span() {
            true => self.p.error(message),
            false => self.p.error_at(span, message),
        }
    }

    /// Reports an error at the operation's name.
    #[cold]
    #[inline(never)]
    pub fn error_at_name(&self, message: impl Into<String>) -> ParseError {
        self.error_at(self.build.span, message)
    }

    /// Parses the given keyword.
    pub fn keyword(&mut self, word: &str) -> Parsed<()> {
        if self.p.eat_word(word) {
            return Ok(());
        }
        let near = nearest(self.p.spelling(), [word]).filter(|_| self.p.tok.kind == Tok::Word);
        let message = format!("custom op '{}' expected '{word}'", self.op_name());
        Err(self.p.report_here(Diagnostic::error(message).did_you_mean(near)))
    }

    /// Parses the given keyword if it is next.
    pub fn optional_keyword(&mut self, word: &str) -> bool {
        self.p.eat_word(word)
    }

    /// Parses any keyword.
    pub fn any_keyword(&mut self) -> Parsed<String> {
        if self.p.tok.kind != Tok::Word {
            return Err(self.error("expected valid keyword"));
        }
        let word = self.p.spelling().to_owned();
        self.p.advance();
        Ok(word)
    }

    /// Parses the given punctuation: `(`, `->`, `,`.
    pub fn punct(&mut self, punct: &str) -> Parsed<()> {
        self.p.expect(punct)
    }

    /// Parses the given punctuation in a list, which an error message names.
    pub fn punct_in(&mut self, punct: &str, list: &str) -> Parsed<()> {
        if self.p.eat(punct) {
            return Ok(());
        }
        Err(self.p.error_wrong_token(format!("expected '{punct}' in {list}")))
    }

    /// Parses the given punctuation if it is next.
    pub fn optional_punct(&mut self, punct: &str) -> bool {
        self.p.eat(punct)
    }

    /// Whether the given punctuation is next; consumes nothing.
    pub fn at_punct(&self, punct: &str) -> bool {
        self.p.is(punct)
    }

    /// Parses an operand name.
    pub fn operand(&mut self) -> Parsed<Unresolved> {
        self.p.operand()
    }

    /// Parses an operand name if one is next.
    pub fn optional_operand(&mut self) -> Parsed<Option<Unresolved>> {
        if self.p.at_operand() { self.p.operand().map(Some) } else { Ok(None) }
    }

    /// Parses an operation's name and attributes: `arith.addi {overflowFlags = #arith.overflow<nsw>}`.
    pub fn named_op(&mut self) -> Parsed<NamedOp> {
        let span = self.span();
        if self.p.tok.kind != Tok::Word {
            return Err(self.p.error("expected bare identifier"));
        }
        let word = self.p.spelling();
        self.p.advance();
        let kind = self.p.kind_of_word(word, span)?;
        let ctx = self.p.ctx;
        let mut build = OpBuild::new(kind, self.build.loc, span);
        if self.p.is("{") {
            build.set_attrs(ctx, self.p.dictionary()?);
        }
        build.fill_defaults(ctx);
        let (props, attrs) = (Attr::dictionary(ctx, &build.props), Attr::dictionary(ctx, &build.attrs));
        Ok(NamedOp { kind, props, attrs })
    }

    /// Parses operand names separated by commas; may be empty.
    pub fn operand_list(&mut self) -> Parsed<Vec<Unresolved>> {
        let mut list = Vec::new();
        if self.p.tok.kind == Tok::Percent {
            self.p.list(|p| {
                list.push(p.operand()?);
                Ok(())
            })?;
        }
        Ok(list)
    }

    /// Parses `[%a, %b]`; may be empty.
    pub fn bracketed_operands(&mut self) -> Parsed<Vec<Unresolved>> {
        self.operands_between("[", "]", "operand list")
    }

    /// Parses operand names between delimiters; may be empty. `list` is the name of the list in messages: `argument
    /// list`.
    pub fn operands_between(&mut self, open: &str, close: &str, list: &str) -> Parsed<Vec<Unresolved>> {
        self.punct_in(open, list)?;
        let names = self.operand_list()?;
        self.punct_in(close, list)?;
        Ok(names)
    }

    /// Resolves a name to a value of type `ty`, which may be defined later.
    pub fn resolve(&mut self, name: &Unresolved, ty: Type) -> Parsed<Value> {
        self.p.resolve(name, ty)
    }

    /// Resolves names with their types, and appends the values to the operands.
    pub fn add_operands(&mut self, names: &[Unresolved], types: &[Type]) -> Parsed<()> {
        if names.len() != types.len() {
            let message = format!(
                "number of operands and types do not match: got {} operands and {} types",
                names.len(),
                types.len()
            );
            let span = names.first().map_or(self.build.span, |name| name.span);
            return Err(self.error_at(span, message));
        }
        for (name, &ty) in names.iter().zip(types) {
            let value = self.p.resolve(name, ty)?;
            self.build.operands.push(value);
        }
        Ok(())
    }

    /// Parses a type.
    pub fn ty(&mut self) -> Parsed<Type> {
        self.p.ty()
    }

    /// Parses a nonempty list of types separated by commas.
    pub fn type_list(&mut self) -> Parsed<Vec<Type>> {
        let mut types = Vec::new();
        self.p.list(|p| {
            types.push(p.ty()?);
            Ok(())
        })?;
        Ok(types)
    }

    /// Parses `-> t` or `-> (t, t)`; empty without an arrow.
    pub fn optional_arrow_types(&mut self) -> Parsed<Vec<Type>> {
        if self.p.eat("->") { self.p.result_types() } else { Ok(Vec::new()) }
    }

    /// Parses an attribute.
    pub fn attribute(&mut self) -> Parsed<Attr> {
        self.p.attribute(None)
    }

    /// Parses the body of `affine_map<..>`: `(i, j) -> (j, i)`.
    pub fn affine_map(&mut self) -> Parsed<Attr> {
        let map = self.p.affine_map()?;
        Ok(Attr::affine_map(self.p.ctx, map))
    }

    /// Parses a typed attribute whose type is implied: `4`.
    pub fn attribute_of_type(&mut self, ty: Type) -> Parsed<Attr> {
        self.p.attribute(Some(ty))
    }

    /// Parses an attribute of a declared kind without its prefix; also with its prefix, or by an alias.
    pub fn stripped_attr<A: AttrDef>(&mut self) -> Parsed<A> {
        let op = self.op_name();
        match self.p.stripped(A::SPEC, Some((op, None)))? {
            TypeOrAttr::Attr(attr) => Ok(A::from_attr_unchecked(attr)),
            TypeOrAttr::Type(_) => Err(self.error("expected an attribute")),
        }
    }

    /// Parses an attribute if one is next.
    pub fn optional_attribute(&mut self) -> Parsed<Option<Attr>> {
        if self.p.at_attribute() { self.p.attribute(None).map(Some) } else { Ok(None) }
    }

    /// Parses `@name` to a string attribute.
    pub fn symbol_name(&mut self) -> Parsed<Attr> {
        let prefix =
            if self.at_symbol() { String::new() } else { format!("custom op '{}' ", self.op_name()) };
        let (span, text) = (self.p.span(), self.p.spelling());
        let bytes = self.p.at_name(&prefix)?;
        self.p.record_symbol(text.trim_matches(['@', '"']), span, self.build.kind, self.build.span.start);
        Ok(Attr::string(self.ctx(), bytes))
    }

    /// Parses `@name` or `@name::@nested`.
    pub fn symbol_ref(&mut self) -> Parsed<Attr> {
        self.p.symbol_ref()
    }

    /// Whether an `@name` is next; consumes nothing.
    pub fn at_symbol(&self) -> bool {
        self.p.tok.kind == Tok::At
    }

    /// Parses a string; returns its unescaped bytes.
    pub fn string(&mut self) -> Parsed<Vec<u8>> {
        self.p.string()
    }

    /// Parses an integer with an optional sign.
    pub fn integer(&mut self) -> Parsed<i64> {
        let name = self.op_name();
        self.p.signed_integer(Some(name))
    }

    /// Parses an integer with up to 64 bits if signed, otherwise with up to `width` bits.
    pub fn integer_of_width(&mut self, width: u32) -> Parsed<Int> {
        let word = self.p.spelling();
        let is_small = self.p.tok.kind != Tok::Integer || word.len() < 19;
        if is_small || width < 64 {
            return Ok(Int::from(self.integer()?));
        }
        let message = format!("custom op '{}' integer value too large", self.op_name());
        let ty = Type::integer(self.p.ctx, width);
        let value = self.p.integer_value(false, word, ty, self.p.span(), &message)?;
        self.p.advance();
        Ok(value)
    }

    /// Parses an integer if one is next.
    pub fn optional_integer(&mut self) -> Parsed<Option<i64>> {
        let found = self.p.tok.kind == Tok::Integer || self.p.is("-");
        if found { self.integer().map(Some) } else { Ok(None) }
    }

    /// Parses an optional attribute dictionary into the attributes of the operation.
    pub fn attr_dict(&mut self) -> Parsed<()> {
        if !self.p.is("{") {
            return Ok(());
        }
        let attrs = self.p.dictionary()?;
        self.add_attrs(attrs)
    }

    /// Adds attributes, which must not be there already.
    fn add_attrs(&mut self, attrs: Vec<(Name, Attr)>) -> Parsed<()> {
        let ctx = self.p.ctx;
        let names = ctx.names();
        // The functions that read operations with segments set these themselves.
        let is_implied = |name: &Name| {
            let traits = self.build.info(ctx).map_or(Traits::NONE, |info| info.traits);
            *name == names.operand_segments && traits.has(Traits::OPERAND_SEGMENTS)
                || *name == names.result_segments && traits.has(Traits::RESULT_SEGMENTS)
        };
        let is_repeated = |name: &Name| is_implied(name) || self.build.get_attr(*name).is_some();
        if let Some((name, _)) = attrs.iter().find(|(name, _)| is_repeated(name)) {
            let name = name.as_str(ctx);
            return Err(
                self.error_at_name(format!("attribute '{name}' occurs more than once in the attribute list"))
            );
        }
        self.build.set_attrs(ctx, attrs);
        Ok(())
    }

    /// Parses an optional attribute dictionary. Its entries replace the values of attributes that were parsed before.
    pub(super) fn overriding_attr_dict(&mut self) -> Parsed<()> {
        if self.p.is("{") {
            let attrs = self.p.dictionary()?;
            self.build.set_attrs(self.p.ctx, attrs);
        }
        Ok(())
    }

    /// Parses the optional inherent attributes `<{a = 1}>`, or `<#alias>`.
    pub fn optional_properties(&mut self) -> Parsed<()> {
        if !self.p.eat("<") {
            return Ok(());
        }
        let attrs = self.dictionary_attribute()?;
        self.p.expect(">")?;
        self.add_attrs(attrs)
    }

    /// Reads an attribute that is a dictionary: `{a = 1}`, or an alias of one.
    pub fn dictionary_attribute(&mut self) -> Parsed<Vec<(Name, Attr)>> {
        let (span, ctx) = (self.span(), self.p.ctx);
        let attr = self.p.attribute(None)?;
        let entries = attr.as_dictionary(ctx).map(<[_]>::to_vec);
        entries.ok_or_else(|| self.error_at(span, "invalid kind of attribute specified"))
    }

    /// Parses an optional attribute dictionary after the word `attributes`. The attributes of these names are
    /// written elsewhere, and must not be in it.
    pub fn attr_dict_with_keyword_except(&mut self, inferred: &[&str]) -> Parsed<()> {
        let span = self.span();
        if !self.p.eat_word("attributes") {
            return Ok(());
        }
        if !self.p.is("{") {
            return Err(self.p.error_wrong_token("expected '{' in attribute dictionary"));
        }
        let attrs = self.p.dictionary()?;
        let is_there = |name: &&&str| attrs.iter().any(|(entry, _)| entry.as_str(self.p.ctx) == **name);
        if let Some(name) = inferred.iter().find(is_there) {
            return Err(self.error_at(
                span,
                format!(
                    "'{name}' is an inferred attribute and should not be specified in the explicit attribute dictionary"
                ),
            ));
        }
        self.add_attrs(attrs)
    }

    /// Verifies the declared attributes parsed so far; reports the first violation by name at a span.
    pub fn check_attrs(&mut self, span: Span) -> Parsed<()> {
        let ctx = self.ctx();
        let spec = self.build.info(ctx).and_then(|info| info.spec);
        let declared = spec.map_or(&[][..], |spec| spec.attrs).iter();
        let is_wrong = |attr: &&AttrSpec| {
            self.get_attr(attr.name).is_some_and(|value| !(attr.constraint.check)(ctx, value))
        };
        match declared.filter(is_wrong).min_by_key(|attr| attr.name) {
            Some(AttrSpec { name, constraint, .. }) => {
                let (op, description) = (self.op_name(), constraint.description);
                let message =
                    format!("'{op}' op attribute '{name}' failed to satisfy constraint: {description}");
                Err(self.error_at(span, message))
            }
            None => Ok(()),
        }
    }

    /// Parses an optional attribute dictionary after the keyword `attributes`.
    pub fn attr_dict_with_keyword(&mut self) -> Parsed<()> {
        self.attr_dict_with_keyword_except(&[])
    }

    /// Sets an attribute of the operation.
    pub fn set_attr(&mut self, name: &str, value: Attr) {
        let name = self.p.ctx.name(name);
        self.build.set_attr(self.p.ctx, name, value);
    }

    /// An attribute that has been parsed or set.
    pub fn get_attr(&self, name: &str) -> Option<Attr> {
        self.build.get_attr(self.p.ctx.name(name))
    }

    /// Appends a result.
    pub fn add_result(&mut self, ty: Type) {
        self.build.results.push(ty);
    }

    /// Appends results.
    pub fn add_results(&mut self, types: &[Type]) {
        self.build.results.extend_from_slice(types);
    }

    /// Appends operands that are already resolved.
    pub fn add_values(&mut self, values: &[Value]) {
        self.build.operands.extend_from_slice(values);
    }

    /// The operands so far.
    pub fn operands(&self) -> &[Value] {
        &self.build.operands
    }

    /// Parses `^name` and appends it to the successors.
    pub fn successor(&mut self) -> Parsed<Block> {
        let block = self.p.successor()?;
        self.build.successors.push(block);
        Ok(block)
    }

    /// Whether a `#` with a name is next; consumes nothing.
    pub fn at_hash(&self) -> bool {
        self.p.tok.kind == Tok::Hash
    }

    /// Whether a `^name` is next; consumes nothing.
    pub fn at_successor(&self) -> bool {
        self.p.tok.kind == Tok::Caret
    }

    /// Parses the next region, whose entry block has these arguments. Adds an implicit terminator.
    pub fn region(&mut self, args: &[RegionArg]) -> Parsed<()> {
        self.p.op_region(&mut self.build, args)?;
        self.p.complete_region(&mut self.build);
        Ok(())
    }

    /// Parses the next region if a `{` is next; otherwise there is no region.
    pub fn optional_region(&mut self, args: &[RegionArg]) -> Parsed<bool> {
        let found = self.p.is("{");
        if found {
            self.region(args)?;
        }
        Ok(found)
    }

    /// Parses the next region; `end` creates the implicit terminator of its last block.
    pub fn region_ended_by(
        &mut self,
        args: &[RegionArg],
        end: impl FnOnce(&mut Builder<'_>, Block),
    ) -> Parsed<()> {
        self.p.op_region(&mut self.build, args)?;
        let loc = self.build.loc;
        let (body, region) = self.last_region();
        let block = body.region(region).blocks().next_back();
        let block = block.unwrap_or_else(|| body.add_block(region, &[]));
        let is_terminator = |op| {
            let op = body.op(op);
            op.has_trait(Traits::TERMINATOR) || op.context().info(op.kind()).is_none()
        };
        if !body.block(block).last().is_some_and(is_terminator) {
            end(&mut Builder::at_end(body, block).with_loc(loc), block);
        }
        Ok(())
    }

    /// The last appended region, and the body that contains it.
    fn last_region(&mut self) -> (&mut Body, Region) {
        match &mut self.build.nested {
            Some(body) => {
                let last = body.regions().count() - 1;
                let region = body.root(last);
                (&mut **body, region)
            }
            None => (self.p.body(), *self.build.regions.last().expect("appended by the caller")),
        }
    }

    /// Appends an implicit region: a block with arguments of these types, which `build` fills.
    pub fn build_region(&mut self, args: &[Type], build: impl FnOnce(&mut Builder<'_>, &[Value])) {
        let loc = self.build.loc;
        self.p.empty_region(&mut self.build);
        let (body, region) = self.last_region();
        let block = body.add_block(region, args);
        let args: Vec<Value> = body.block(block).args().collect();
        build(&mut Builder::at_end(body, block).with_loc(loc), &args);
    }

    /// Whether a string is next; consumes nothing.
    pub fn at_string(&self) -> bool {
        self.p.tok.kind == Tok::String
    }

    /// Moves the last parsed region before the others.
    pub fn last_region_first(&mut self) {
        let many = self.build.regions.len();
        self.build.regions.rotate_right(1.min(many));
    }

    /// Parses `[%a, 4, %b]` with the given delimiters: the values, and the number at each position, which is
    /// [`DYNAMIC`] for a value.
    pub fn index_list(&mut self, open: &str, close: &str) -> Parsed<(Vec<Unresolved>, Vec<i64>)> {
        let (mut values, mut numbers) = (Vec::new(), Vec::new());
        const LIST: &str = "dynamic index list";
        self.punct_in(open, LIST)?;
        if self.optional_punct(close) {
            return Ok((values, numbers));
        }
        loop {
            if let Some(value) = self.optional_operand()? {
                values.push(value);
                numbers.push(DYNAMIC);
            } else {
                numbers.push(self.integer()?);
            }
            if !self.optional_punct(",") {
                break;
            }
        }
        self.punct_in(close, LIST)?;
        Ok((values, numbers))
    }

    /// Parses `[0, 1]`; may be empty.
    pub fn integer_list(&mut self) -> Parsed<Vec<i64>> {
        self.punct("[")?;
        let mut numbers = Vec::new();
        let mut more = !self.at_punct("]");
        while more {
            numbers.push(self.integer()?);
            more = self.optional_punct(",");
        }
        self.punct("]")?;
        Ok(numbers)
    }

    /// Appends a region without blocks.
    pub fn empty_region(&mut self) {
        self.p.empty_region(&mut self.build);
    }

    /// Parses `%name: type`, with an optional attribute dictionary and location; see [`OpParser::region_arg_attrs`].
    pub fn region_arg(&mut self) -> Parsed<RegionArg> {
        let loc = self.p.here();
        let name = self.p.operand()?;
        if name.number > 0 {
            return Err(self.error_at(name.span, "argument name cannot have a result number"));
        }
        self.p.expect(":")?;
        let ty = self.p.ty()?;
        let attrs = if self.p.is("{") {
            let entries = self.p.dictionary()?;
            Attr::dictionary(self.ctx(), &entries)
        } else {
            Attr::EMPTY
        };
        let loc = self.p.optional_loc()?.unwrap_or(loc);
        self.p.arg_extras.insert(name.span.start, (loc, attrs));
        Ok(RegionArg { name, ty })
    }

    /// Parses an optional `loc(..)` after a region argument that was not parsed by [`OpParser::region_arg`].
    pub fn region_arg_loc(&mut self, arg: &RegionArg) -> Parsed<()> {
        if let Some(loc) = self.p.optional_loc()? {
            self.p.arg_extras.insert(arg.name.span.start, (loc, Attr::EMPTY));
        }
        Ok(())
    }

    /// Parses and discards an optional `loc(..)`.
    pub fn skip_location(&mut self) -> Parsed<()> {
        self.p.optional_loc().map(drop)
    }

    /// Whether the last parsed region has no blocks.
    pub fn last_region_is_empty(&mut self) -> bool {
        let (body, region) = self.last_region();
        body.region(region).is_empty()
    }

    /// The attribute dictionary of a region argument.
    pub fn region_arg_attrs(&self, arg: &RegionArg) -> Attr {
        self.p.arg_extras.get(&arg.name.span.start).map_or(Attr::EMPTY, |&(_, attrs)| attrs)
    }

    /// Sets `operandSegmentSizes`, the number of operands of each declared group.
    pub fn set_segments(&mut self, sizes: &[usize]) {
        let sizes: Vec<i32> = sizes.iter().map(|&size| i32::try_from(size).unwrap_or(i32::MAX)).collect();
        let (ctx, attr) = (self.p.ctx, Attr::dense_i32(self.p.ctx, &sizes));
        self.build.set_attr(ctx, ctx.names().operand_segments, attr);
    }
}
