//! What the lexer makes of the text.

/// What a token is.
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
    /// `#[metadata]`; nothing but [`TokenKind::End`] follows.
    Metadata,
    /// With its suffix, without a sign.
    Number,
    /// With its quotes.
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
    /// Was reported already.
    Bad,
    /// The end of the file, once.
    End,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Words that are no names of constructors, types or operators.
pub(crate) const KEYWORDS: [&str; 9] =
    ["let", "fn", "def", "if", "else", "match", "extern", "free_var", "type"];
