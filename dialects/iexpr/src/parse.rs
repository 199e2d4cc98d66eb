//! Parses i-expressions.
//!
//! ```text
//! expr     ::= semantic [ '|' splits? '|' steps? ]
//! semantic ::= op pattern '~' pattern | pattern '~' pattern | pattern op pattern '~' pattern
//! pattern  ::= [a-z]+ | '.'
//! splits   ::= split (',' split)*            split ::= [a-z] (':' nat)+
//! steps    ::= ( [a-z] "'"* | '0' | '1' | '!' )*
//! ```
//!
//! White space between tokens is ignored; operators are matched greedily.

use crate::expr::{Expr, Pattern, Schedule, Split, Step};
use crate::operator::Operator;
use crate::problem::{Places, Problem};
use std::ops::Range;

/// Parses an i-expression; returns it with the positions of its parts. Rules beyond the grammar are verified by
/// [`check`](crate::check).
///
/// # Errors
/// The first syntax error.
///
/// ```
/// use minoan_iexpr_dialect::{Operator, parse};
/// let (sum, _) = parse("+ij ~ i").map_err(|problem| problem.message)?;
/// assert_eq!(sum.operator, Some(Operator::Add));
/// assert_eq!(sum.to_string(), "+ij~i");
///
/// let problem = parse("+ij i").expect_err("there is no `~`");
/// assert_eq!(problem.message, "expected `~` between inputs and output, found `i`");
/// assert_eq!(problem.at, 4..5);
/// # Ok::<(), String>(())
/// ```
pub fn parse(text: &str) -> Result<(Expr, Places), Problem> {
    let mut parser = Parser { text, at: 0, places: Places::default() };
    let mut expr = parser.semantics()?;
    if parser.eat("|").is_some() {
        let splits = parser.splits()?;
        let steps = parser.steps()?;
        expr.schedule = Some(Schedule { splits, steps });
    } else if !parser.is_at_end() {
        return Err(parser.unexpected("unexpected trailing input"));
    }
    Ok((expr, parser.places))
}

/// The maximum factor of a split.
pub const MAX_FACTOR: u32 = 1 << 30;

struct Parser<'t> {
    text: &'t str,
    at: usize,
    places: Places,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.rest().is_empty()
    }

    /// Consumes a token if it is next.
    fn eat(&mut self, token: &str) -> Option<Range<usize>> {
        self.skip_space();
        if !self.rest().starts_with(token) {
            return None;
        }
        let start = self.at;
        self.at += token.len();
        Some(start..self.at)
    }

    /// The range of the next character, or the end of the text.
    fn here(&self) -> Range<usize> {
        self.at..self.at + self.rest().chars().next().map_or(0, char::len_utf8)
    }

    fn error(&mut self, message: &str) -> Problem {
        self.skip_space();
        let found = match self.rest().chars().next() {
            None => "the end".to_owned(),
            Some(_) if Operator::at_start_of(self.rest()).is_some() => {
                format!("`{}`", Operator::at_start_of(self.rest()).map_or("", Operator::symbol))
            }
            Some(c) if c.is_control() => format!("`{}`", c.escape_default()),
            Some(c) => format!("`{c}`"),
        };
        Problem::new(self.here(), format!("{message}, found {found}"))
    }

    fn unexpected(&mut self, message: &str) -> Problem {
        self.skip_space();
        Problem::new(self.at..self.text.trim_end().len().max(self.at), message)
    }

    fn semantics(&mut self) -> Result<Expr, Problem> {
        if self.is_at_end() {
            return Err(Problem::new(self.here(), "expected an i-expression"));
        }
        let prefix = self.operator();
        if prefix.is_none() && !self.rest().starts_with(is_pattern) && !self.rest().starts_with('~') {
            return Err(self.error("expected an i-expression"));
        }
        let mut inputs = vec![self.pattern()?];
        let mut operator = prefix;
        let mut tilde = self.eat("~");
        if prefix.is_none() && tilde.is_none() {
            operator = Some(self.operator().ok_or_else(|| self.no_operator())?);
            inputs.push(self.pattern()?);
            tilde = self.eat("~");
        }
        if tilde.is_none() {
            return Err(self.error("expected `~` between inputs and output"));
        }
        let output = self.pattern()?;
        self.places.output = self.places.inputs.pop().unwrap_or_default();
        Ok(Expr { operator, inputs, output, schedule: None })
    }

    /// An error about an input pattern without an operator; the pattern may be the name of an operator.
    fn no_operator(&mut self) -> Problem {
        let word = self.places.inputs.last().map_or("", |place| &self.text[place.clone()]);
        let error = self.error("expected an operator after the input pattern");
        let named = Operator::ALL
            .into_iter()
            .find(|operator| operator.name() == word || (word, *operator) == ("exp", Operator::Pow));
        match named {
            Some(operator) => error.help(format!("`{word}` is written `{operator}`")),
            None => error,
        }
    }

    fn operator(&mut self) -> Option<Operator> {
        self.skip_space();
        let operator = Operator::at_start_of(self.rest())?;
        self.places.operator = self.eat(operator.symbol());
        Some(operator)
    }

    fn pattern(&mut self) -> Result<Pattern, Problem> {
        self.skip_space();
        let (start, rest) = (self.at, self.rest());
        let end = rest.find(|c: char| !is_pattern(c)).unwrap_or(rest.len());
        let word = &rest[..end];
        if word.is_empty() {
            let error = self.error("expected a pattern");
            let is_upper = rest.starts_with(|c: char| c.is_alphanumeric());
            return Err(if is_upper { error.help("indices are the letters a to z") } else { error });
        }
        if word.contains('.') && word != "." {
            return Err(Problem::new(
                start..start + end,
                format!("a scalar pattern must be `.`, found `{word}`"),
            ));
        }
        self.at += end;
        self.places.inputs.push(start..self.at);
        Ok(Pattern(word.chars().filter(|&c| c != '.').collect()))
    }

    fn letter(&mut self) -> Option<char> {
        self.skip_space();
        let letter = self.rest().chars().next().filter(char::is_ascii_lowercase)?;
        self.at += 1;
        Some(letter)
    }

    /// Parses the second segment with the following `|`.
    fn splits(&mut self) -> Result<Vec<Split>, Problem> {
        let mut splits: Vec<Split> = Vec::new();
        if self.eat("|").is_some() {
            return Ok(splits);
        }
        loop {
            self.skip_space();
            let start = self.at;
            let Some(axis) = self.letter() else {
                let expected =
                    if splits.is_empty() { "the second `|` of the schedule" } else { "an axis after `,`" };
                return Err(self.error(&format!("expected {expected}")));
            };
            if let Some(first) = splits.iter().position(|split| split.axis == axis) {
                let problem =
                    Problem::new(start..self.at, format!("duplicate split entry for axis `{axis}`"));
                return Err(problem.label(self.places.splits[first].clone(), "the first one"));
            }
            let mut factors = Vec::new();
            while self.eat(":").is_some() {
                factors.push(self.factor()?);
            }
            if factors.is_empty() {
                return Err(self.error("expected `:` after the axis of a split"));
            }
            self.places.splits.push(start..self.at);
            splits.push(Split { axis, factors });
            if self.eat(",").is_none() {
                break;
            }
        }
        match self.eat("|") {
            Some(_) => Ok(splits),
            None => Err(self.error("expected the second `|` of the schedule")),
        }
    }

    fn factor(&mut self) -> Result<u32, Problem> {
        self.skip_space();
        let (start, rest) = (self.at, self.rest());
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if digits == 0 {
            return Err(self.error("expected an integer"));
        }
        self.at += digits;
        match rest[..digits].parse::<u32>() {
            Ok(factor) if factor <= MAX_FACTOR => Ok(factor),
            _ => {
                let message = format!("a split factor is at most {MAX_FACTOR}");
                Err(Problem::new(start..self.at, message))
            }
        }
    }

    /// Parses the third segment.
    fn steps(&mut self) -> Result<Vec<Step>, Problem> {
        let mut steps: Vec<Step> = Vec::new();
        while !self.is_at_end() {
            let start = self.at;
            let step = match self.rest().as_bytes()[0] {
                digit @ (b'0' | b'1') => Step::Stage(usize::from(digit - b'0')),
                b'!' => Step::Init,
                letter if letter.is_ascii_lowercase() => {
                    let primes = self.rest()[1..].bytes().take_while(|&byte| byte == b'\'').count();
                    self.at += primes;
                    Step::Loop { axis: letter as char, part: u32::try_from(primes).unwrap_or(u32::MAX) }
                }
                _ => return Err(self.error("expected an axis, `!` or an operand in the permutation")),
            };
            self.at += 1;
            let duplicate = match step {
                Step::Stage(input) => Some(format!("duplicate compute directive for input {input}")),
                Step::Init => Some("duplicate output init directive".to_owned()),
                Step::Loop { .. } => None,
            };
            if let Some(message) = duplicate
                && let Some(first) = steps.iter().position(|known| *known == step)
            {
                let first = self.places.steps[first].clone();
                return Err(Problem::new(start..self.at, message).label(first, "the first one"));
            }
            self.places.steps.push(start..self.at);
            steps.push(step);
        }
        Ok(steps)
    }
}

fn is_pattern(c: char) -> bool {
    c.is_ascii_lowercase() || c == '.'
}
