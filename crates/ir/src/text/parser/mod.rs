//! The parser: entry points, and handling of tokens and errors.

mod affine;
mod aliases;
mod attrs;
mod build;
mod dense;
mod dialect_text;
mod errors;
mod generic;
mod hints;
mod locations;
mod names;
mod numbers;
mod ops;
mod parallel;
mod properties;
mod recent;
mod record;
mod regions;
mod resources;
mod short;
mod source;
mod templates;
mod types;

use super::byte_names::name_of_bytes;
use super::lexer::{Lexer, Tok, Token, unescape};
use super::{MAX_DEPTH, ParseError};
use crate::{Attr, Body, Context, FileHandle, Loc, Module, Resources, Type, with_stack};
pub(crate) use aliases::{Alias, AliasUse};
use aliases::{Defined, LaterAliases};
pub(crate) use build::{OpBuild, default_dialect};
pub(crate) use dense::element_bytes;
use minoan_diag::{Diagnostic, Diagnostics, FileId, SourceMap, Span, nearest};
use names::Scope;
pub(crate) use numbers::read_decimal;
use recent::Recent;
use record::Recorder;
pub use record::{comments, parse_module_with_xref};
pub(crate) use regions::BlockScope;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use templates::Templates;

pub(crate) type Parsed<T> = Result<T, ParseError>;

/// The maximum number of errors reported per file.
const MAX_ERRORS: usize = 100;

/// Options of the parser.
#[derive(Clone, Copy, Default, Debug)]
pub struct ParseOptions {
    /// Accept operations, types and attributes of dialects that are not loaded.
    pub allow_unregistered: bool,
    /// Require a single top-level operation of any kind, without an implicit module.
    pub no_implicit_module: bool,
    /// Do not verify the module.
    pub unverified: bool,
    /// The program is compiled, so there is no option that accepts dialects that are not loaded: errors about them do not name
    /// MLIR's flag.
    pub compiled: bool,
}

impl ParseOptions {
    /// The options for a program that is compiled.
    pub fn of_program() -> Self {
        Self { compiled: true, ..Self::default() }
    }
}

/// A position of the parser in its text.
#[derive(Clone, Copy)]
pub(crate) struct Position<'c> {
    lexer: Lexer<'c>,
    tok: Token,
    prev_end: u32,
}

/// The state of the parser.
pub(crate) struct Parser<'c> {
    pub(crate) ctx: &'c Context,
    pub(crate) text: &'c str,
    file: FileId,
    file_handle: FileHandle,
    /// The number of the text's first line.
    first_line: u32,
    /// The position of the text in its file: 0:0 unless it is a part of a file.
    begin: (u32, u32),
    lexer: Lexer<'c>,
    pub(crate) tok: Token,
    /// The end of the previous token.
    pub(crate) prev_end: u32,
    diagnostics: RefCell<Diagnostics>,
    depth: usize,
    allow_unregistered: bool,
    compiled: bool,
    aliases: FxHashMap<&'c str, Defined>,
    /// The expanded size of the aliases used by the current operation or alias definition.
    spelled_out: u64,
    /// The positions of alias definitions, collected at the first use of an undefined alias.
    later_aliases: Option<LaterAliases<'c>>,
    /// The bodies that are being filled, innermost last.
    pub(crate) bodies: Vec<Body>,
    scopes: Vec<Scope<'c>>,
    /// Spare name tables and operation states, for isolated operations.
    spare_scopes: Vec<Scope<'c>>,
    spare_bodies: Vec<Body>,
    #[expect(clippy::vec_box, reason = "they move into operations' parsers and back, and are large")]
    spare_builds: Vec<Box<OpBuild>>,
    /// Cached lines.
    templates: Templates<'c>,
    recent: Recent<'c>,
    pub(crate) blocks: Vec<BlockScope<'c>>,
    pub(crate) default_dialects: Vec<&'c str>,
    /// The types parsed since the operation began, for messages.
    pub(crate) seen_types: Vec<(Type, Span)>,
    /// The locations and attribute dictionaries of region arguments, by the position of their name.
    pub(crate) arg_extras: FxHashMap<u32, (Loc, Attr)>,
    /// `distinct` attributes, by number.
    distinct: FxHashMap<u64, Attr>,
    /// The resource sections parsed so far.
    resources: Resources,
    /// Whether this is the parser of a piece of a module.
    is_piece: bool,
    /// Collects cross references, if requested.
    recorder: Option<Box<Recorder>>,
}

/// Parses a module.
///
/// Operations other than a single `builtin.module` are wrapped in one, unless [`ParseOptions::no_implicit_module`] is
/// set.
///
/// # Errors
/// All errors, in text order.
pub fn parse_module(
    ctx: &Context,
    sources: &SourceMap,
    file: FileId,
    options: &ParseOptions,
) -> Result<Module, Diagnostics> {
    parse_file(ctx, sources, file, options, None).0
}

/// Parses a module; returns `recorder` with the cross references that it has collected, even if there are errors.
fn parse_file(
    ctx: &Context,
    sources: &SourceMap,
    file: FileId,
    options: &ParseOptions,
    recorder: Option<Box<Recorder>>,
) -> (Result<Module, Diagnostics>, Option<Box<Recorder>>) {
    let source = sources.file(file);
    if source.text().len() >= u32::MAX as usize {
        return (Err(Diagnostic::error("the file is longer than 4 GiB").into()), None);
    }
    let mut lexer = Lexer::new(source.text());
    lexer.jump(0, source.first_line());
    let mut parser = Parser::at(ctx, source.text(), file, ctx.file(source.name()), lexer);
    parser.first_line = source.first_line();
    parser.begin = source.part_of_file().map_or((0, 0), |start| (start.line, start.column));
    parser.allow_unregistered = options.allow_unregistered;
    parser.compiled = options.compiled;
    parser.recorder = recorder;
    let module = parser.module(options);
    let recorder = parser.recorder.take();
    let resources = std::mem::take(&mut parser.resources);
    let diagnostics = parser.diagnostics.into_inner();
    let result = match module {
        Ok(mut module) if !diagnostics.has_errors() => {
            *module.resources_mut() = resources;
            Ok(module)
        }
        _ => Err(diagnostics),
    };
    (result, recorder)
}

/// Parses a module from a text without a file, for tests. [`parse_module`] allows rendering diagnostics with source
/// lines.
///
/// # Errors
/// The errors in the text.
pub fn parse_text(ctx: &Context, text: &str) -> Result<Module, Diagnostics> {
    let sources = SourceMap::new();
    let file = sources.add("text", text);
    parse_module(ctx, &sources, file, &ParseOptions::default())
}

/// Parses a type: `tensor<4xf32>`. Accepts types of dialects that are not loaded.
///
/// # Errors
/// The error in the text.
pub fn parse_type(ctx: &Context, text: &str) -> Result<Type, String> {
    Parser::all(ctx, text, |parser| parser.ty())
}

/// Parses an attribute: `4 : i32`. Accepts attributes of dialects that are not loaded.
///
/// # Errors
/// The error in the text.
pub fn parse_attr(ctx: &Context, text: &str) -> Result<Attr, String> {
    Parser::all(ctx, text, |parser| parser.attribute(None))
}

impl<'c> Parser<'c> {
    fn new(ctx: &'c Context, text: &'c str, file: FileId, name: &str) -> Self {
        Self::at(ctx, text, file, ctx.file(name), Lexer::new(text))
    }

    /// Creates a parser at a position of a text.
    fn at(
        ctx: &'c Context,
        text: &'c str,
        file: FileId,
        file_handle: FileHandle,
        mut lexer: Lexer<'c>,
    ) -> Self {
        let tok = lexer.next();
        Self {
            ctx,
            text,
            file,
            file_handle,
            first_line: 1,
            begin: (0, 0),
            lexer,
            tok,
            prev_end: 0,
            diagnostics: RefCell::default(),
            depth: 0,
            allow_unregistered: true,
            compiled: false,
            aliases: FxHashMap::default(),
            spelled_out: 0,
            later_aliases: None,
            bodies: Vec::new(),
            scopes: Vec::new(),
            spare_scopes: Vec::new(),
            spare_bodies: Vec::new(),
            spare_builds: Vec::new(),
            templates: Templates::default(),
            recent: Recent::default(),
            blocks: Vec::new(),
            default_dialects: vec!["builtin"],
            seen_types: Vec::new(),
            arg_extras: FxHashMap::default(),
            distinct: FxHashMap::default(),
            resources: Resources::default(),
            is_piece: false,
            recorder: None,
        }
    }

    fn all<T>(
        ctx: &Context,
        text: &str,
        parse: impl FnOnce(&mut Parser<'_>) -> Parsed<T>,
    ) -> Result<T, String> {
        let mut parser = Parser::new(ctx, text, FileId(0), "");
        let result = parse(&mut parser).and_then(|value| match parser.tok.kind {
            Tok::Eof => Ok(value),
            _ => Err(parser.error("expected the end of the text")),
        });
        let first = |parser: Parser<'_>| parser.diagnostics.into_inner().into_iter().next();
        result.map_err(|_| first(parser).map_or_else(String::new, |diagnostic| diagnostic.message))
    }

    /// Parses one level deeper: grows the stack, or reports excessive nesting.
    pub(crate) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(format!("nesting is deeper than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        let result = with_stack(|| parse(self));
        self.depth -= 1;
        result
    }

    #[inline]
    pub(crate) fn advance(&mut self) {
        self.prev_end = self.tok.end;
        self.tok = self.lexer.next();
    }

    /// Continues the scan at `pos`, in the line of the current token.
    pub(crate) fn reset(&mut self, pos: u32) {
        self.lexer.reset(pos);
        self.prev_end = pos;
        self.tok = self.lexer.next();
    }

    /// The current position, for [`Parser::go_back`].
    pub(crate) fn mark(&self) -> Position<'c> {
        Position { lexer: self.lexer, tok: self.tok, prev_end: self.prev_end }
    }

    /// Returns to a position in the current operation.
    pub(crate) fn go_back(&mut self, position: Position<'c>) {
        (self.lexer, self.tok, self.prev_end) = (position.lexer, position.tok, position.prev_end);
        let start = self.tok.start;
        self.seen_types.retain(|(_, span)| span.start < start);
    }

    /// The text of the current token.
    pub(crate) fn spelling(&self) -> &'c str {
        &self.text[self.tok.start as usize..self.tok.end as usize]
    }

    pub(crate) fn text_of(&self, span: Span) -> &'c str {
        &self.text[span.start as usize..span.end as usize]
    }

    pub(crate) fn span(&self) -> Span {
        Span::new(self.file, self.tok.start, self.tok.end)
    }

    /// The span from `start` to the end of the last consumed token.
    pub(crate) fn span_from(&self, start: u32) -> Span {
        Span::new(self.file, start, self.prev_end)
    }

    /// The location of the current token.
    pub(crate) fn here(&self) -> Loc {
        self.loc_at(self.tok.start)
    }

    /// The location of a byte in the current line.
    #[inline]
    pub(super) fn loc_at(&self, pos: u32) -> Loc {
        let column = (pos + 1).saturating_sub(self.lexer.line_start);
        Loc::in_file(self.ctx, self.file_handle, self.lexer.line, column)
    }

    /// The location of the beginning of the file, for entities without a position in it.
    pub(crate) fn file_loc(&self) -> Loc {
        Loc::in_file(self.ctx, self.file_handle, self.begin.0, self.begin.1)
    }

    #[inline(always)]
    pub(crate) fn is(&self, punct: &str) -> bool {
        self.tok.kind == Tok::Punct && self.spelled(punct)
    }

    /// Whether the current token is this single-byte punctuation.
    #[inline]
    pub(crate) fn is_mark(&self, mark: u8) -> bool {
        let Token { kind, start, end } = self.tok;
        kind == Tok::Punct && end - start == 1 && self.text.as_bytes().get(start as usize) == Some(&mark)
    }

    /// Whether the current token has this text; short constant texts are compared without a call.
    #[inline(always)]
    fn spelled(&self, text: &str) -> bool {
        let (start, end) = (self.tok.start as usize, self.tok.end as usize);
        end - start == text.len() && self.text.as_bytes()[start..end] == *text.as_bytes()
    }

    #[inline(always)]
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.tok.kind == Tok::Word && self.spelled(word)
    }

    #[inline(always)]
    pub(crate) fn eat(&mut self, punct: &str) -> bool {
        let found = self.is(punct);
        if found {
            self.advance();
        }
        found
    }

    #[inline(always)]
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    #[inline(always)]
    pub(crate) fn expect(&mut self, punct: &str) -> Parsed<()> {
        if self.eat(punct) { Ok(()) } else { Err(self.error_expected(punct, format!("expected '{punct}'"))) }
    }

    /// Like [`Parser::expect`], with a message that names the purpose of the punctuation.
    #[inline(always)]
    pub(crate) fn expect_or(&mut self, punct: &str, message: &str) -> Parsed<()> {
        if self.eat(punct) { Ok(()) } else { Err(self.error_expected(punct, message.to_owned())) }
    }

    /// Parses the given keyword; `context` ends the error message: ` in callsite location`.
    pub(crate) fn expect_word(&mut self, word: &str, context: &str) -> Parsed<()> {
        if self.eat_word(word) {
            return Ok(());
        }
        Err(self.error_expected(word, format!("expected '{word}'{context}")))
    }

    /// Parses a string token; returns its bytes.
    pub(crate) fn string(&mut self) -> Parsed<Vec<u8>> {
        if self.tok.kind != Tok::String {
            return Err(self.error_wrong_token("expected string literal"));
        }
        let bytes = unescape(self.spelling());
        self.advance();
        Ok(bytes)
    }

    /// Parses a string token as a name.
    pub(crate) fn string_name(&mut self) -> Parsed<String> {
        self.string().map(name_of_bytes)
    }

    /// Parses an `@name` token, without the sigil; `prefix` begins the error message.
    pub(crate) fn at_name(&mut self, prefix: &str) -> Parsed<Vec<u8>> {
        if self.tok.kind != Tok::At {
            return Err(self.no_symbol(prefix));
        }
        let text = &self.spelling()[1..];
        let bytes = if text.starts_with('"') { unescape(text) } else { text.as_bytes().to_vec() };
        self.advance();
        Ok(bytes)
    }

    /// Parses a nonempty list of elements separated by commas.
    pub(crate) fn list(&mut self, mut element: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        loop {
            element(self)?;
            if !self.eat(",") {
                return Ok(());
            }
        }
    }

    /// Parses a possibly empty list of elements separated by commas, up to and including `close`; `message` is the
    /// error.
    pub(crate) fn list_until(
        &mut self,
        close: &str,
        message: &str,
        element: impl FnMut(&mut Self) -> Parsed<()>,
    ) -> Parsed<()> {
        if self.eat(close) {
            return Ok(());
        }
        self.list(element)?;
        self.expect_or(close, message)
    }

    /// Whether an optional operand name is next. A name at the beginning of a line that is followed by `=` is a
    /// result of the next operation.
    #[inline]
    pub(crate) fn at_operand(&self) -> bool {
        self.tok.kind == Tok::Percent && !(self.at_line_start() && self.at_results())
    }

    /// Whether names followed by `=` are next.
    fn at_results(&self) -> bool {
        let line = self.text[self.tok.start as usize..].split('\n').next().unwrap_or_default();
        let of_names = |byte: u8| byte.is_ascii_alphanumeric() || b"%$._-:, \t".contains(&byte);
        line.split_once('=').is_some_and(|(names, _)| names.bytes().all(of_names))
    }

    /// Whether the current token is on another line than the previous one.
    pub(crate) fn at_line_start(&self) -> bool {
        self.text[self.lexer.line_start as usize..self.tok.start as usize].trim_start().is_empty()
    }

    pub(crate) fn check_dialect(&self, dialect: &str, what: &str, span: Span) -> Parsed<()> {
        if self.allow_unregistered || dialect == "builtin" || self.ctx.dialect(dialect).is_some() {
            return Ok(());
        }
        let text = self.text_of(span);
        if self.compiled {
            return Err(self.not_loaded(&format!("{what} '{text}'"), dialect, span));
        }
        Err(self.error_at(
            span,
            format!(
                "'{text}' {what} created with unregistered dialect. If this is intended, please call \
                 allowUnregisteredDialects() on the MLIRContext, or use -allow-unregistered-dialect with the \
                 MLIR tool used"
            ),
        ))
    }

    /// The error about an operation, a type or an attribute of a dialect that is not loaded, in a program that is compiled.
    fn not_loaded(&self, subject: &str, dialect: &str, span: Span) -> ParseError {
        let known: Vec<&str> = self.ctx.dialects().iter().map(|dialect| dialect.name()).collect();
        let message = format!("{subject} is of the dialect '{dialect}', which is not loaded");
        let near = nearest(dialect, known.iter().copied()).map(|near| format!("did you mean '{near}'?"));
        let error =
            Diagnostic::error(message).at(span).note(format!("the dialects are {}", known.join(", ")));
        self.report(near.into_iter().fold(error, Diagnostic::help))
    }

    /// Interns a dictionary with these entries.
    pub(crate) fn interned(&mut self, entries: &[(crate::Name, Attr)]) -> Attr {
        self.recent.dictionary(self.ctx, entries)
    }

    pub(crate) fn allows_unregistered(&self) -> bool {
        self.allow_unregistered
    }

    /// The current body.
    pub(crate) fn body(&mut self) -> &mut Body {
        self.bodies.last_mut().expect("there is a body while operations are read")
    }

    /// Whether the current token is directly followed by `<`.
    pub(crate) fn next_is_angle(&self) -> bool {
        self.lexer.next_byte() == b'<'
    }

    /// Whether the current token is followed by `=`.
    pub(crate) fn next_is_equals(&self) -> bool {
        let mut ahead = self.lexer;
        let token = ahead.next();
        &self.text[token.start as usize..token.end as usize] == "="
    }
}
