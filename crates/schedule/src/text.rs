//! The text of plans, and of files of plans by the names of kernels.
//!
//! ```text
//! plan ::= node*
//! node ::= ('for' | 'par') axis ['/' step] ['tail' '(' ('shift' | 'mask' | 'scalar') ')'] '{' node* '}'
//!        | statement '[' [axis ':' size ('u' | 'v') (',' ..)*] ']' ['nt']
//!        | 'pack' statement '.' operand '[' axis (',' axis)* ']'
//!        | 'prefetch' statement '.' operand
//! file ::= (kernel 'plan' '<' plan '>')*, with comments from '//' to the end of a line
//! ```

use crate::plan::{Leaf, Loop, Node, Pack, Plan, Prefetch, Tail, TileDim};
use std::fmt;
use std::ops::Range;

/// A source of tokens: the text of an attribute, or the parser of an operation.
pub trait Tokens {
    /// An error that has a place in the source.
    type Error;

    /// Consumes the next token if it is the given punctuation.
    fn optional_punct(&mut self, punct: &str) -> bool;
    /// Consumes the next token, which must be the given punctuation.
    ///
    /// # Errors
    /// The next token is another one.
    fn punct(&mut self, punct: &str) -> Result<(), Self::Error>;
    /// Consumes the next token if it is the given word.
    fn optional_word(&mut self, word: &str) -> bool;
    /// Consumes a word; dots are part of words. `expected` describes it in the error message.
    ///
    /// # Errors
    /// The next token is not a word.
    fn word(&mut self, expected: &str) -> Result<String, Self::Error>;
    /// Consumes an integer.
    ///
    /// # Errors
    /// The next token is not an integer.
    fn integer(&mut self) -> Result<i64, Self::Error>;
    /// An error at the token that was consumed last.
    fn error(&self, message: String) -> Self::Error;
    /// Whether the plan ends here.
    fn at_end(&self) -> bool;
}

const NODE: &str = "'for', 'par', 'pack', 'prefetch' or a statement with its tile in brackets";
const AXIS: &str = "an axis";
const READ: &str = "a statement and the number of a read";
const KIND: &str = "'u' (unrolled) or 'v' (lanes of vectors)";
const TAIL: &str = "'shift', 'mask' or 'scalar'";

/// Maximal nesting of loops in a plan.
const MAX_DEPTH: usize = 64;

/// Parses a plan up to the end of the tokens.
///
/// # Errors
/// A syntax error.
pub fn parse<T: Tokens>(tokens: &mut T) -> Result<Plan, T::Error> {
    let mut nodes = Vec::new();
    while !tokens.at_end() {
        nodes.push(node(tokens, 0)?);
    }
    Ok(Plan { nodes })
}

fn node<T: Tokens>(tokens: &mut T, depth: usize) -> Result<Node, T::Error> {
    let word = tokens.word(NODE)?;
    match word.as_str() {
        "for" | "par" => counted(tokens, word == "par", depth),
        "pack" => pack(tokens),
        "prefetch" => {
            let (statement, operand) = read(tokens)?;
            Ok(Node::Prefetch(Prefetch { statement, operand }))
        }
        _ => leaf(tokens, word),
    }
}

fn counted<T: Tokens>(tokens: &mut T, parallel: bool, depth: usize) -> Result<Node, T::Error> {
    if depth >= MAX_DEPTH {
        return Err(tokens.error(format!("loops are nested more than {MAX_DEPTH} levels deep")));
    }
    let axis = tokens.word(AXIS)?;
    let step = if tokens.optional_punct("/") { size(tokens, "step")? } else { 1 };
    let mut tail = None;
    if !tokens.optional_punct("{") {
        let word = tokens.word("'tail' or '{'")?;
        if word != "tail" {
            return Err(tokens.error(format!("expected 'tail' or '{{', but found '{word}'")));
        }
        tokens.punct("(")?;
        let word = tokens.word(TAIL)?;
        let known = Tail::ALL.iter().find(|(keyword, _)| *keyword == word);
        let Some(&(_, known)) = known else {
            return Err(tokens.error(format!("expected {TAIL}, but found '{word}'")));
        };
        tail = Some(known);
        tokens.punct(")")?;
        tokens.punct("{")?;
    }
    let mut body = Vec::new();
    while !tokens.optional_punct("}") {
        body.push(node(tokens, depth + 1)?);
    }
    Ok(Node::Loop(Loop { parallel, axis, step, tail, body }))
}

fn leaf<T: Tokens>(tokens: &mut T, statement: String) -> Result<Node, T::Error> {
    if !tokens.optional_punct("[") {
        return Err(tokens.error(format!("expected {NODE}, but found '{statement}'")));
    }
    let mut tile = Vec::new();
    if !tokens.optional_punct("]") {
        loop {
            let axis = tokens.word(AXIS)?;
            tokens.punct(":")?;
            let size = size(tokens, "size")?;
            let kind = tokens.word(KIND)?;
            if kind != "u" && kind != "v" {
                return Err(tokens.error(format!("expected {KIND}, but found '{kind}'")));
            }
            tile.push(TileDim { axis, size, lanes: kind == "v" });
            if !tokens.optional_punct(",") {
                break;
            }
        }
        tokens.punct("]")?;
    }
    let nontemporal = tokens.optional_word("nt");
    Ok(Node::Leaf(Leaf { statement, tile, nontemporal }))
}

fn pack<T: Tokens>(tokens: &mut T) -> Result<Node, T::Error> {
    let (statement, operand) = read(tokens)?;
    tokens.punct("[")?;
    let mut axes = vec![tokens.word(AXIS)?];
    while tokens.optional_punct(",") {
        axes.push(tokens.word(AXIS)?);
    }
    tokens.punct("]")?;
    Ok(Node::Pack(Pack { statement, operand, axes }))
}

/// A read of a statement: `sum.1`.
fn read<T: Tokens>(tokens: &mut T) -> Result<(String, usize), T::Error> {
    let word = tokens.word(READ)?;
    let parts =
        word.rsplit_once('.').and_then(|(name, number)| Some((name.to_owned(), number.parse().ok()?)));
    let message = || format!("expected {READ}, but found '{word}'");
    parts.ok_or_else(|| tokens.error(message()))
}

fn size<T: Tokens>(tokens: &mut T, what: &str) -> Result<i64, T::Error> {
    let size = tokens.integer()?;
    if (1..=1 << 20).contains(&size) {
        return Ok(size);
    }
    Err(tokens.error(format!("expected a {what} from 1 to 1048576, but found {size}")))
}

/// A syntax error in the text of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanError {
    /// The range in bytes of the token that is wrong; empty at the end of the text.
    pub range: Range<usize>,
    /// The message.
    pub message: String,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {}", self.message, self.range.start)
    }
}

impl std::error::Error for PlanError {}

/// The plan of a kernel in a file of plans.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedPlan {
    /// The name of the kernel.
    pub kernel: String,
    /// The range of the name in bytes.
    pub name: Range<usize>,
    /// The plan.
    pub plan: Plan,
    /// The range of the plan in bytes.
    pub text: Range<usize>,
}

/// Parses a file of plans.
///
/// # Errors
/// A syntax error.
pub fn parse_file(text: &str) -> Result<Vec<NamedPlan>, PlanError> {
    let mut plans = Vec::new();
    let mut tokens = Text { text, at: 0, last: 0..0 };
    tokens.skip_space();
    while !tokens.at_end() {
        let length = tokens.length(|_, c| !c.is_whitespace() && c != '<');
        if length == 0 {
            return Err(tokens.expected("the name of a kernel"));
        }
        let kernel = tokens.take(length);
        let name = tokens.last.clone();
        if !tokens.optional_word("plan") {
            return Err(tokens.expected("'plan'"));
        }
        tokens.punct("<")?;
        let start = tokens.at;
        let Some(length) = tokens.rest().find('>') else {
            tokens.at = text.len();
            return Err(tokens.expected("'>'"));
        };
        let end = start + length;
        let mut inside = Text { text: &text[..end], at: start, last: start..start };
        let plan = parse(&mut inside)?;
        tokens.at = end;
        tokens.punct(">")?;
        plans.push(NamedPlan { kernel, name, plan, text: start..end });
    }
    Ok(plans)
}

impl std::str::FromStr for Plan {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Plan, PlanError> {
        let mut tokens = Text { text, at: 0, last: 0..0 };
        tokens.skip_space();
        parse(&mut tokens)
    }
}

/// The tokens of a text.
struct Text<'t> {
    text: &'t str,
    at: usize,
    /// The range of the last token.
    last: Range<usize>,
}

impl Text<'_> {
    fn skip_space(&mut self) {
        loop {
            let rest = self.text[self.at..].trim_start();
            self.at = self.text.len() - rest.len();
            if !rest.starts_with("//") {
                return;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn take(&mut self, length: usize) -> String {
        let token = self.text[self.at..self.at + length].to_owned();
        self.last = self.at..self.at + length;
        self.at += length;
        self.skip_space();
        token
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// The length of the longest prefix of characters that belong to a token.
    fn length(&self, belongs: impl Fn(usize, char) -> bool) -> usize {
        let rest = self.rest();
        rest.char_indices().find(|&(at, c)| !belongs(at, c)).map_or(rest.len(), |(at, _)| at)
    }

    fn expected(&self, what: &str) -> PlanError {
        // A whole word or number, any other character alone.
        let word = self.length(|_, c| c == '_' || c.is_alphanumeric());
        let length = if word > 0 { word } else { self.rest().chars().next().map_or(0, char::len_utf8) };
        let found = match &self.rest()[..length] {
            "" => "the end of the plan".to_owned(),
            token => format!("'{token}'"),
        };
        let range = self.at..self.at + length;
        PlanError { range, message: format!("expected {what}, but found {found}") }
    }

    fn word_length(&self) -> usize {
        let inside = |at: usize, c: char| match c {
            '_' => true,
            '.' | '0'..='9' => at > 0,
            _ => c.is_ascii_alphabetic(),
        };
        self.length(inside)
    }
}

impl Tokens for Text<'_> {
    type Error = PlanError;

    fn optional_punct(&mut self, punct: &str) -> bool {
        let found = self.rest().starts_with(punct);
        if found {
            self.take(punct.len());
        }
        found
    }

    fn punct(&mut self, punct: &str) -> Result<(), PlanError> {
        if self.optional_punct(punct) { Ok(()) } else { Err(self.expected(&format!("'{punct}'"))) }
    }

    fn optional_word(&mut self, word: &str) -> bool {
        let found = self.word_length() == word.len() && self.rest().starts_with(word);
        if found {
            self.take(word.len());
        }
        found
    }

    fn word(&mut self, expected: &str) -> Result<String, PlanError> {
        match self.word_length() {
            0 => Err(self.expected(expected)),
            length => Ok(self.take(length)),
        }
    }

    fn integer(&mut self) -> Result<i64, PlanError> {
        let digits = self.length(|_, c| c.is_ascii_digit());
        match self.rest()[..digits].parse() {
            Ok(number) => {
                self.take(digits);
                Ok(number)
            }
            Err(_) => Err(self.expected("an integer")),
        }
    }

    fn error(&self, message: String) -> PlanError {
        PlanError { range: self.last.clone(), message }
    }

    fn at_end(&self) -> bool {
        self.at == self.text.len()
    }
}
