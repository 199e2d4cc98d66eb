//! The lexer and a recursive-descent parser.
//!
//! ```text
//! program  ::= function*
//! function ::= 'def' name '(' names ')' '{' ( 'var' name '=' expr ';' )* 'return' expr ';' '}'
//! expr     ::= term ( '+' term )*
//! term     ::= factor ( ( '*' | '@' ) factor )*
//! factor   ::= primary ( '.' integer )*
//! primary  ::= number | matrix | name | name '(' exprs ')' | '(' exprs ')'
//!            | 'each' '(' name 'in' expr ')' expr
//! matrix   ::= '[' row ( ',' row )* ']'        row ::= '[' number ( ',' number )* ']'
//! ```

use crate::ast::{Expr, ExprKind, Function, Operator, Program};
use minoan::diag::{Diagnostic, FileId, SourceMap, Span};

/// The maximum nesting depth of expressions.
const MAX_DEPTH: usize = 200;

type Parsed<T> = Result<T, Box<Diagnostic>>;

/// Parses a file.
///
/// # Errors
/// The first syntax error.
pub fn parse(sources: &SourceMap, file: FileId) -> Parsed<Program> {
    let text = sources.file(file).text().clone();
    let mut parser = Parser { file, tokens: lex(file, &text)?, at: 0, depth: 0 };
    let mut functions = Vec::new();
    while !parser.peek().text.is_empty() {
        functions.push(parser.function()?);
    }
    Ok(Program { functions })
}

/// A token; the last one is empty.
#[derive(Clone, Copy)]
struct Token<'t> {
    text: &'t str,
    span: Span,
}

fn lex(file: FileId, text: &str) -> Parsed<Vec<Token<'_>>> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = |continues: fn(char) -> bool| rest.find(|c| !continues(c)).unwrap_or(rest.len());
        let len = match c {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            _ if c.is_whitespace() => length(char::is_whitespace),
            _ if c.is_alphabetic() => length(|c| c.is_alphanumeric() || c == '_'),
            _ if c.is_ascii_digit() => number_length(rest),
            _ => c.len_utf8(),
        };
        let span = Span::new(file, at as u32, (at + len) as u32);
        if !c.is_whitespace() && !c.is_alphanumeric() && !"#(){}[],;=.+-*@".contains(c) {
            return Err(Box::new(Diagnostic::error(format!("unexpected character '{c}'")).at(span)));
        }
        if !c.is_whitespace() && c != '#' {
            tokens.push(Token { text: &rest[..len], span });
        }
        at += len;
    }
    tokens.push(Token { text: "", span: Span::new(file, at as u32, at as u32) });
    Ok(tokens)
}

/// The length of digits with an optional fraction.
fn number_length(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(text);
    match text[whole..].strip_prefix('.').map(digits) {
        Some(fraction) if fraction > 0 => whole + 1 + fraction,
        _ => whole,
    }
}

struct Parser<'t> {
    file: FileId,
    tokens: Vec<Token<'t>>,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Token<'t> {
        self.tokens[self.at]
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.peek().text == text;
        if found {
            self.next();
        }
        found
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        let Token { text, span } = self.peek();
        let found = if text.is_empty() { "the end of the file".to_owned() } else { format!("'{text}'") };
        Err(Box::new(Diagnostic::error(format!("expected {what}, found {found}")).at(span)))
    }

    fn expect(&mut self, text: &str) -> Parsed<Span> {
        let span = self.peek().span;
        if self.accept(text) { Ok(span) } else { self.expected(&format!("'{text}'")) }
    }

    fn name(&mut self) -> Parsed<(String, Span)> {
        let Token { text, span } = self.peek();
        let keyword = matches!(text, "def" | "var" | "return" | "each" | "in");
        if keyword || !text.starts_with(char::is_alphabetic) {
            return self.expected("a name");
        }
        self.next();
        Ok((text.to_owned(), span))
    }

    /// Elements separated by commas, up to a closing bracket.
    fn list<T>(&mut self, close: &str, mut element: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = Vec::new();
        while !self.accept(close) {
            if !all.is_empty() {
                self.expect(",")?;
            }
            all.push(element(self)?);
        }
        Ok(all)
    }

    fn function(&mut self) -> Parsed<Function> {
        self.expect("def")?;
        let name = self.name()?;
        self.expect("(")?;
        let params = self.list(")", Self::name)?;
        self.expect("{")?;
        let mut vars = Vec::new();
        while self.accept("var") {
            let (name, _) = self.name()?;
            self.expect("=")?;
            vars.push((name, self.expr()?));
            self.expect(";")?;
        }
        self.expect("return")?;
        let result = self.expr()?;
        self.expect(";")?;
        self.expect("}")?;
        Ok(Function { name, params, vars, result })
    }

    fn span_from(&self, start: Span) -> Span {
        Span::new(self.file, start.start, self.tokens[self.at.saturating_sub(1)].span.end)
    }

    fn expr(&mut self) -> Parsed<Expr> {
        if self.depth >= MAX_DEPTH {
            let error = Diagnostic::error(format!("nesting deeper than {MAX_DEPTH} levels"));
            return Err(Box::new(error.at(self.peek().span)));
        }
        self.depth += 1;
        let sum = self.binary(Self::term, &[("+", Operator::Add)]);
        self.depth -= 1;
        sum
    }

    fn term(&mut self) -> Parsed<Expr> {
        self.binary(Self::factor, &[("*", Operator::Mul), ("@", Operator::MatMul)])
    }

    /// Left-associative operators between operands.
    fn binary(
        &mut self,
        operand: fn(&mut Self) -> Parsed<Expr>,
        operators: &[(&str, Operator)],
    ) -> Parsed<Expr> {
        let mut left = operand(self)?;
        while let Some(&(_, operator)) = operators.iter().find(|(text, _)| *text == self.peek().text) {
            self.next();
            let right = operand(self)?;
            let span = self.span_from(left.span);
            left = Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    fn factor(&mut self) -> Parsed<Expr> {
        let mut expr = self.primary()?;
        while self.accept(".") {
            let Ok(index) = self.peek().text.parse() else { return self.expected("the index of a field") };
            self.next();
            expr.span = self.span_from(expr.span);
            expr = Expr { span: expr.span, kind: ExprKind::Field(Box::new(expr), index) };
        }
        Ok(expr)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        let kind = match self.peek().text {
            "[" => self.matrix()?,
            "(" => {
                self.next();
                let mut parts = self.list(")", Self::expr)?;
                match parts.len() {
                    0 => return self.expected("an expression before ')'"),
                    1 => return Ok(parts.remove(0)),
                    _ => ExprKind::Record(parts),
                }
            }
            "each" => {
                self.next();
                self.expect("(")?;
                let (element, _) = self.name()?;
                self.expect("in")?;
                let matrix = Box::new(self.expr()?);
                self.expect(")")?;
                ExprKind::Each { element, matrix, body: Box::new(self.expr()?) }
            }
            text if text == "-" || text.starts_with(|c: char| c.is_ascii_digit()) => {
                ExprKind::Number(self.number()?)
            }
            _ => {
                let (name, _) = self.name()?;
                if self.accept("(") {
                    ExprKind::Call(name, self.list(")", Self::expr)?)
                } else {
                    ExprKind::Name(name)
                }
            }
        };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    fn number(&mut self) -> Parsed<f64> {
        let negative = self.accept("-");
        match self.peek().text.parse::<f64>() {
            Ok(value) if self.peek().text.starts_with(|c: char| c.is_ascii_digit()) => {
                self.next();
                Ok(if negative { -value } else { value })
            }
            _ => self.expected("a number"),
        }
    }

    fn matrix(&mut self) -> Parsed<ExprKind> {
        let start = self.expect("[")?;
        let rows = self.list("]", |parser| {
            parser.expect("[")?;
            parser.list("]", Self::number)
        })?;
        let ragged = rows.iter().find(|row| row.len() != rows[0].len());
        if let Some(row) = ragged {
            let message = format!("expected rows of {} numbers, found one of {}", rows[0].len(), row.len());
            return Err(Box::new(Diagnostic::error(message).at(self.span_from(start))));
        }
        if rows.first().is_none_or(Vec::is_empty) {
            let error = Diagnostic::error("a matrix has at least one number");
            return Err(Box::new(error.at(self.span_from(start))));
        }
        Ok(ExprKind::Matrix(rows))
    }
}
