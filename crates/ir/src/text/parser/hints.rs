//! Suggestions for syntax errors, derived from the text found in place of the expected one.

use super::names::Key;
use super::{ParseError, Parser, Tok};
use minoan_diag::{Diagnostic, Span, nearest};

/// Types in other languages, and their names in MLIR.
const FOREIGN_TYPES: [(&str, &str); 22] = [
    ("bool", "i1"),
    ("char", "i8"),
    ("int8", "i8"),
    ("int8_t", "i8"),
    ("short", "i16"),
    ("int16", "i16"),
    ("int16_t", "i16"),
    ("int", "i32"),
    ("int32", "i32"),
    ("int32_t", "i32"),
    ("long", "i64"),
    ("int64", "i64"),
    ("int64_t", "i64"),
    ("u8", "ui8"),
    ("u16", "ui16"),
    ("u32", "ui32"),
    ("u64", "ui64"),
    ("half", "f16"),
    ("float", "f32"),
    ("float32", "f32"),
    ("double", "f64"),
    ("float64", "f64"),
];

/// The keywords that types start with.
const TYPE_WORDS: [&str; 16] = [
    "tensor", "memref", "vector", "complex", "tuple", "index", "none", "i1", "i8", "i16", "i32", "i64",
    "f16", "bf16", "f32", "f64",
];

/// Keywords of custom forms that follow optional parts.
const LATER_WORDS: [&str; 7] = ["attributes", "else", "do", "loc", "iter_args", "step", "overflow"];

impl<'c> Parser<'c> {
    /// Reports an invalid character.
    #[cold]
    #[inline(never)]
    pub(super) fn unexpected_character(&self) -> ParseError {
        let behind = || self.span_behind(self.tok.start as usize + 1);
        let (message, span) = match self.spelling().as_bytes() {
            [b'"', ..] | [b'@', b'"', ..] => self.string_error(),
            [b'%', ..] => ("invalid SSA name", self.span()),
            [b'^', ..] => ("invalid block name", self.span()),
            [b'#', ..] => ("invalid attribute name", self.span()),
            [b'!', ..] => ("invalid type identifier", self.span()),
            [b'@', ..] => ("@ identifier expected to start with letter or '_'", behind()),
            [b'.', ..] => ("expected three consecutive dots for an ellipsis", behind()),
            _ => ("unexpected character", self.span()),
        };
        let help = match self.text[self.tok.start as usize..].chars().next() {
            Some('\'' | '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}') => {
                "strings are enclosed in '\"' and '\"'"
            }
            Some(';') => "operations need nothing between them",
            Some('#') => "a comment begins with '//'",
            Some('\u{a0}') => "this is a no-break space",
            Some('\u{feff}') => "this is a byte order mark",
            Some('\0') => "this is a null character",
            _ => "",
        };
        self.report(helped(Diagnostic::error(message).at(span), help))
    }

    /// The error and its position in the string of the current token.
    fn string_error(&self) -> (&'static str, Span) {
        let text = self.spelling();
        let mut bytes = text.bytes().enumerate().skip(text.find('"').map_or(0, |quote| quote + 1));
        while let Some((at, byte)) = bytes.next() {
            let is_hex = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_hexdigit);
            let skipped = match (byte, text.as_bytes().get(at + 1)) {
                (b'\\', Some(b'"' | b'\\' | b'n' | b't')) => 1,
                (b'\\', _) if is_hex(at + 1) && is_hex(at + 2) => 2,
                (b'\\', _) => {
                    let start = self.tok.start + at as u32;
                    let span = Span { start, end: start + 1, ..self.span() };
                    return ("unknown escape in string literal", span);
                }
                _ => 0,
            };
            bytes.by_ref().take(skipped).for_each(drop);
        }
        ("expected '\"' in string literal", self.span_behind(self.tok.end as usize))
    }

    /// Reports an error where an operation is expected.
    #[cold]
    #[inline(never)]
    pub(super) fn no_operation(&self) -> ParseError {
        if self.tok.kind == Tok::Error {
            return self.unexpected_character();
        }
        let help = match self.spelling() {
            "/" => "a comment begins with '//'",
            "}" if self.blocks.is_empty() => "no '{' is open here",
            _ if self.tok.kind == Tok::Caret => "blocks must be in regions",
            "=" if self.next_byte_is(b'>') => "did you mean '->'?",
            _ if !self.at_line_start() => "the operation before it ends here",
            _ => "",
        };
        let error = Diagnostic::error("expected operation name in quotes").at(self.wrong_token_span());
        self.report(helped(error, help))
    }

    /// Whether the current token is directly followed by a byte.
    fn next_byte_is(&self, byte: u8) -> bool {
        self.text.as_bytes().get(self.tok.end as usize) == Some(&byte)
    }

    /// The first character after the current token that is not white space.
    fn following(&self) -> Option<char> {
        self.text[self.tok.end as usize..].trim_start_matches([' ', '\t']).chars().next()
    }

    /// Reports an unexpected punctuation or keyword.
    #[cold]
    pub(super) fn error_expected(&self, text: &str, message: String) -> ParseError {
        if self.tok.kind == Tok::Error {
            return self.unexpected_character();
        }
        let error = Diagnostic::error(message).at(self.wrong_token_span());
        let error = match (text, self.spelling()) {
            ("->", "=") if self.next_byte_is(b'>') => error.did_you_mean(Some("->")),
            (_, word) if self.tok.kind == Tok::Word => error.did_you_mean(nearest(word, [text])),
            _ => error,
        };
        self.report(error)
    }

    /// Reports an unclosed region.
    #[cold]
    pub(super) fn unclosed_region(&self, open: u32) -> ParseError {
        if self.tok.kind == Tok::Error {
            return self.unexpected_character();
        }
        let span = self.wrong_token_span();
        let open = Span::new(self.file, open, open + 1);
        self.report(Diagnostic::error("expected '}'").at(span).label(open, "opened here"))
    }

    /// Reports an error where an operand name is expected.
    #[cold]
    pub(super) fn no_operand(&self) -> ParseError {
        if self.tok.kind == Tok::Error {
            return self.unexpected_character();
        }
        let error = Diagnostic::error("expected SSA operand").at(self.wrong_token_span());
        let word = self.spelling();
        let named = |scope: &super::names::Scope<'_>| {
            scope.declared().into_iter().any(|name| name.strip_prefix('%') == Some(word))
        };
        let error = match self.tok.kind {
            Tok::Word | Tok::Integer if self.scopes.last().is_some_and(named) => {
                error.did_you_mean(Some(&format!("%{word}")))
            }
            Tok::Punct if word == "(" && self.prev_end == self.tok.start => {
                error.help("the generic form has the operation's name in quotes")
            }
            _ => error,
        };
        self.report(error)
    }

    /// Reports an error where a block name is expected.
    #[cold]
    pub(super) fn no_block_name(&self) -> ParseError {
        if self.tok.kind == Tok::Error {
            return self.unexpected_character();
        }
        let error = Diagnostic::error("expected block name").at(self.wrong_token_span());
        let name = (self.tok.kind == Tok::Word).then(|| format!("^{}", self.spelling()));
        self.report(error.did_you_mean(name.as_deref()))
    }

    /// Reports an error where a symbol is expected.
    #[cold]
    pub(super) fn no_symbol(&self, prefix: &str) -> ParseError {
        let error = Diagnostic::error(format!("{prefix}expected valid '@'-identifier for symbol name"));
        let word = self.spelling();
        let error = match self.tok.kind {
            Tok::Word if self.following() == Some('@') => {
                error.did_you_mean(nearest(word, ["public", "private", "nested"]))
            }
            Tok::Word => error.did_you_mean(Some(&format!("@{word}"))),
            _ => error,
        };
        self.report_here(error)
    }

    /// Reports an error where a type is expected.
    #[cold]
    pub(super) fn no_type(&self) -> ParseError {
        if self.tok.kind == Tok::Error {
            return self.unexpected_character();
        }
        let word = self.spelling();
        let error = Diagnostic::error("expected non-function type").at(self.wrong_token_span());
        if self.tok.kind != Tok::Word {
            return self.report(error);
        }
        let foreign = FOREIGN_TYPES.iter().find(|(name, _)| *name == word).map(|&(_, name)| name);
        let bang = format!("!{word}");
        let alias = self.aliases.contains_key(bang.as_str()).then_some(&*bang);
        self.report(error.did_you_mean(foreign.or(alias).or_else(|| nearest(word, TYPE_WORDS))))
    }

    /// A suggestion for a word that is not the name of an operation.
    pub(super) fn instead_of_operation(&self, word: &str, span: Span) -> Option<String> {
        let behind = self.text[span.end as usize..].trim_start_matches([' ', '\t']);
        let after_something = span.start > self.lexer.line_start
            && !self.text[self.lexer.line_start as usize..span.start as usize].trim().is_empty();
        if word.contains('.') {
            return None;
        }
        if behind.starts_with(':') {
            return Some(format!("^{word}"));
        }
        if behind.starts_with('=') && !after_something {
            return Some(format!("%{word}"));
        }
        if after_something && let Some(near) = nearest(word, LATER_WORDS) {
            return Some(near.to_owned());
        }
        // The name without its dialect: of the only dialect that has one, or of the first.
        let kinds = self.ctx.registered_kinds().map(|kind| self.ctx.kind_name(kind));
        let mut full = kinds.filter(|name| name.split_once('.').is_some_and(|(_, rest)| rest == word));
        full.next().map(str::to_owned)
    }

    /// Reports a name without a visible definition.
    #[cold]
    #[inline(never)]
    pub(super) fn undeclared(
        &self,
        name: &str,
        span: Span,
        scope: &super::names::Scope<'c>,
        names: &[&'c str],
    ) -> ParseError {
        let error = Diagnostic::error(format!("use of undeclared SSA value name '{name}'")).at(span);
        let key = Key::at(self.text, span.start, span.start + name.len() as u32, 0);
        if let Some(inner) = scope.hidden(key) {
            return self.report(error.label(inner, "defined here, in a region that ends before"));
        }
        if let Some(known) =
            self.scopes.iter().rev().find_map(|outer| outer.get(key)).filter(|known| !known.forward)
        {
            return self
                .report(error.label(known.span, "defined here, and not seen inside an isolated operation"));
        }
        // Suggestions of numbers are useless.
        let is_number = name[1..].bytes().all(|byte| byte.is_ascii_digit());
        let near =
            (!is_number && names.len() <= 10_000).then(|| nearest(name, names.iter().copied())).flatten();
        self.report(error.did_you_mean(near))
    }
}

fn helped(error: Diagnostic, help: &str) -> Diagnostic {
    if help.is_empty() { error } else { error.help(help) }
}
