//! Tokens.

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Comma,
    Semicolon,
    Colon,
    Dot,
    Question,
    /// `=`
    Assign,
    /// `->`
    Arrow,
    /// `=>`
    FatArrow,
    Star,
    Slash,
    Plus,
    Minus,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    EqualEqual,
    NotEqual,
    And,
    Or,
    Not,
    /// `#[`
    HashBracket,
    /// `#[metadata]`; followed only by [`TokenKind::End`].
    Metadata,
    /// A number with its suffix, without a sign.
    Number,
    /// A string literal, including its quotes.
    Str,
    Word,
    /// `match?`
    PartialMatch,
    /// `%x`
    Local,
    /// `%0`
    Graph,
    /// `@f`
    Global,
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
}

/// Reserved words, which cannot name constructors, types or operators.
pub const KEYWORDS: [&str; 9] = ["let", "fn", "def", "if", "else", "match", "extern", "free_var", "type"];
