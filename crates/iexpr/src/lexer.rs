//! Tokenization.

use minoan_diag::{Diagnostic, FileId, Span};
use minoan_frontend::Reporter;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    Name,
    /// A string literal, including its quotes.
    String,
    /// `=`
    Equals,
    Open,
    Close,
    /// `<<`
    Compose,
    /// `>>`
    Chain,
    /// `&`
    Fanout,
    /// `|`
    Pair,
    /// `~`
    Swap,
    /// An invalid token, which has been reported.
    Bad,
    /// The end of the file.
    End,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Whether it is the first token of its line.
    pub(crate) starts_line: bool,
}

/// The length of the longest text that is taken for an i-expression without quotes.
const MAX_UNQUOTED: usize = 200;

const PUNCTUATION: [(&str, TokenKind); 8] = [
    ("<<", TokenKind::Compose),
    (">>", TokenKind::Chain),
    ("=", TokenKind::Equals),
    ("(", TokenKind::Open),
    (")", TokenKind::Close),
    ("&", TokenKind::Fanout),
    ("|", TokenKind::Pair),
    ("~", TokenKind::Swap),
];

/// Tokenizes a file; the last token is [`TokenKind::End`].
pub(crate) fn lex(file: FileId, text: &str, reporter: &mut Reporter) -> Vec<Token> {
    let mut lexer = Lexer { file, text, at: 0, starts_line: true, tokens: Vec::new(), reporter };
    if text.starts_with('\u{feff}') {
        lexer.at = 3;
    }
    while let Some(c) = text[lexer.at..].chars().next() {
        lexer.token(c);
    }
    lexer.starts_line = true;
    lexer.push(TokenKind::End, text.len());
    lexer.tokens
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    starts_line: bool,
    tokens: Vec<Token>,
    reporter: &'a mut Reporter,
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl Lexer<'_> {
    fn token(&mut self, c: char) {
        let (start, rest) = (self.at, &self.text[self.at..]);
        if c == '\n' {
            self.at += 1;
            self.starts_line = true;
        } else if c.is_whitespace() {
            self.at += c.len_utf8();
        } else if c == '#' {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if c == '"' || c == '\'' {
            self.string(c);
        } else if starts_name(c) {
            self.at += rest.find(|c| !continues_name(c)).unwrap_or(rest.len());
            self.push(TokenKind::Name, start);
        } else if let Some((text, kind)) = PUNCTUATION.iter().find(|(text, _)| rest.starts_with(text)) {
            self.at += text.len();
            self.push(*kind, start);
        } else if !self.unquoted() {
            self.unexpected(c);
        }
    }

    /// Reports an i-expression without quotes around the current character, as a single token; returns whether there is one.
    fn unquoted(&mut self) -> bool {
        let ends_word = |c: char| c.is_whitespace() || "()\"#=&".contains(c);
        let (before, rest) = self.text.split_at(self.at);
        let start = before.rfind(ends_word).map_or(0, |at| at + 1);
        let end = self.at + rest.find(ends_word).unwrap_or(rest.len());
        let text = &self.text[start..end];
        if text.len() > MAX_UNQUOTED || minoan_iexpr_dialect::parse(text).is_err() {
            return false;
        }
        self.tokens.truncate(self.tokens.partition_point(|token| (token.start as usize) < start));
        self.starts_line = self.text[..start].lines().next_back().is_none_or(|line| line.trim().is_empty());
        self.at = end;
        let quoted = match self.text[..start].ends_with("i(") {
            true => format!("\"{text}\""),
            false => format!("i(\"{text}\")"),
        };
        let help = format!("write {quoted}");
        let error = Diagnostic::error("an i-expression stands in quotes").at(self.span(start));
        self.reporter.report(error.suggest(self.span(start), quoted, help));
        self.push(TokenKind::Bad, start);
        true
    }

    /// Scans up to the matching quote on the same line. There are no escapes.
    fn string(&mut self, quote: char) {
        let start = self.at;
        let rest = &self.text[start + 1..];
        let end = rest.find([quote, '\n']).unwrap_or(rest.len());
        if rest[end..].starts_with(quote) {
            self.at = start + end + 2;
            return self.push(TokenKind::String, start);
        }
        self.at = start + 1 + end;
        let error =
            Diagnostic::error(format!("unterminated string: expected `{quote}` before the end of the line"));
        self.reporter.report(error.at(self.span(start)));
        self.push(TokenKind::Bad, start);
    }

    /// Reports a run of unexpected characters once.
    fn unexpected(&mut self, first: char) {
        let start = self.at;
        let means = |c: char| c.is_whitespace() || continues_name(c) || "\"'#=()&|~<>".contains(c);
        let rest = &self.text[start + first.len_utf8()..];
        self.at = start + first.len_utf8() + rest.find(means).unwrap_or(rest.len());
        let shown = if first.is_control() { first.escape_default().to_string() } else { first.to_string() };
        let mut error = Diagnostic::error(format!("unexpected character `{shown}`")).at(self.span(start));
        if first == '<' || first == '>' {
            let wired = format!("{first}{first}");
            let help = format!("components are wired by `{wired}`");
            error = error.suggest(self.span(start), wired, help);
        }
        self.reporter.report(error);
        self.push(TokenKind::Bad, start);
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start as u32, self.at as u32)
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let starts_line = std::mem::take(&mut self.starts_line);
        self.tokens.push(Token { kind, start: start as u32, end: self.at as u32, starts_line });
    }
}
