//! Parsing of expressions.

use super::{Abort, MAX_CHAIN, Parsed, Parser};
use crate::ast::{BinaryOp, CallExtra, ExprId, ExprKind, Run, UnaryOp};
use crate::literal;
use crate::token::{KEYWORDS, TokenKind};

impl Parser<'_> {
    /// Whether an expression can start here.
    pub(super) fn starts_expr(&self) -> bool {
        match self.kind() {
            TokenKind::Word => !matches!(self.word(), "else" | "def" | "type" | "extern"),
            TokenKind::Number
            | TokenKind::Minus
            | TokenKind::Not
            | TokenKind::Open
            | TokenKind::OpenBrace
            | TokenKind::PartialMatch
            | TokenKind::Local
            | TokenKind::Graph
            | TokenKind::Global => true,
            _ => false,
        }
    }

    /// Parses operators and their operands.
    pub(super) fn expr(&mut self) -> Parsed<ExprId> {
        self.nested(|parser| parser.binary(0))
    }

    /// Parses operators of precedence `least` or higher; all are left-associative.
    fn binary(&mut self, least: u8) -> Parsed<ExprId> {
        let first = self.at;
        let mut left = self.unary()?;
        let mut count = 0;
        while let Some(op) = binary_op(self.kind()) {
            let strength = op.info().2;
            if strength < least {
                break;
            }
            self.at += 1;
            let right = self.binary(strength + 1)?;
            left = self.add(ExprKind::Binary(op, left, right), first);
            count += 1;
            self.chain(count)?;
        }
        Ok(left)
    }

    fn chain(&mut self, count: usize) -> Parsed<()> {
        if count > MAX_CHAIN {
            self.error(self.here(), format!("more than {MAX_CHAIN} operators in a row"));
            return Err(Abort::Item);
        }
        Ok(())
    }

    pub(super) fn unary(&mut self) -> Parsed<ExprId> {
        let first = self.at;
        let op = match self.kind() {
            TokenKind::Minus => UnaryOp::Negative,
            TokenKind::Not => UnaryOp::Not,
            _ => return self.postfix(true),
        };
        // Minus signs directly before a number belong to it.
        let mut digits = self.at;
        while self.tokens[digits].kind == TokenKind::Minus {
            digits += 1;
        }
        let word = &self.text[self.tokens[digits].start as usize..self.tokens[digits].end as usize];
        let special = self.tokens[digits].kind == TokenKind::Word && literal::special(word).is_some();
        if digits > self.at && (special || self.tokens[digits].kind == TokenKind::Number) {
            let negative = (digits - self.at) % 2 == 1;
            self.at = digits;
            let number = self.number(negative, first)?;
            return self.postfix_of(number, first);
        }
        self.at += 1;
        let operand = self.nested(Self::unary)?;
        Ok(self.add(ExprKind::Unary(op, operand), first))
    }

    fn number(&mut self, negative: bool, first: usize) -> Parsed<ExprId> {
        let word = self.text_of(self.token());
        self.at += 1;
        let span = self.span_from(first);
        let kind = match literal::parse(negative, word) {
            Ok(literal) => ExprKind::Literal(literal),
            Err(message) => {
                self.error(span, message);
                ExprKind::Error
            }
        };
        Ok(self.module.add_expr(kind, span))
    }

    /// Parses an atom followed by calls and projections; `braces` is whether it may start with `{`.
    pub(super) fn postfix(&mut self, braces: bool) -> Parsed<ExprId> {
        let first = self.at;
        let atom = self.atom(braces)?;
        self.postfix_of(atom, first)
    }

    fn postfix_of(&mut self, mut expr: ExprId, first: usize) -> Parsed<ExprId> {
        let mut count = 0;
        loop {
            match self.kind() {
                TokenKind::Open => expr = self.call(expr, first, Box::new([]))?,
                TokenKind::OpenBracket => {
                    let open = self.at;
                    self.at += 1;
                    let type_args = self.sequence(open, (TokenKind::CloseBracket, "]"), Self::ty)?;
                    if !self.is(TokenKind::Open) {
                        return Err(self.expected("'(' and the arguments of the call"));
                    }
                    expr = self.call(expr, first, type_args.into())?;
                }
                TokenKind::Dot => {
                    self.at += 1;
                    let index = self.index("the number of a component, such as '.0'")?;
                    expr = self.add(ExprKind::Project(expr, index), first);
                }
                _ => return Ok(expr),
            }
            count += 1;
            if count > super::MAX_DEPTH {
                self.error(self.here(), format!("nesting deeper than {} levels", super::MAX_DEPTH));
                return Err(Abort::Item);
            }
        }
    }

    /// Parses the arguments of a call.
    fn call(
        &mut self,
        callee: ExprId,
        first: usize,
        type_args: Box<[crate::ast::TypeExprId]>,
    ) -> Parsed<ExprId> {
        let open = self.at;
        self.at += 1;
        let mut args: smallvec::SmallVec<[ExprId; 8]> = smallvec::SmallVec::new();
        let mut attrs = None;
        loop {
            if self.accept(TokenKind::Close) {
                break;
            }
            if self.starts_attrs() {
                attrs = Some(self.attrs(open)?);
                break;
            }
            if !self.starts_expr() {
                self.close(TokenKind::Close, ")", open)?;
            }
            args.push(self.expr()?);
            if !self.accept(TokenKind::Comma) && !self.is(TokenKind::Close) && args.len() < 2 {
                self.close(TokenKind::Close, ")", open)?;
            }
        }
        let extra = match attrs {
            None if type_args.is_empty() => None,
            attrs => {
                let attrs = attrs.unwrap_or_default();
                Some(self.module.add_extra(CallExtra { type_args, attrs }))
            }
        };
        let args = self.module.add_list(args);
        Ok(self.add(ExprKind::Call { callee, args, extra }, first))
    }

    fn atom(&mut self, braces: bool) -> Parsed<ExprId> {
        let first = self.at;
        let token = self.token();
        let kind = match token.kind {
            TokenKind::Number => return self.number(false, first),
            TokenKind::Local => {
                self.at += 1;
                ExprKind::Local(self.sigil_name(token).name)
            }
            TokenKind::Graph => {
                let Ok(index) = self.text_of(token)[1..].parse() else {
                    return Err(self.expected("the number of a graph variable"));
                };
                self.at += 1;
                ExprKind::Graph(index)
            }
            TokenKind::Global => {
                self.at += 1;
                ExprKind::Global(self.sigil_name(token).name)
            }
            TokenKind::Open => return self.parenthesized(),
            TokenKind::OpenBrace if braces => return self.braced("an expression"),
            TokenKind::PartialMatch => {
                self.at += 1;
                self.nested(|parser| parser.match_rest(true))?
            }
            TokenKind::Word => self.word_atom(first)?,
            _ => return Err(self.expected("an expression")),
        };
        Ok(self.add(kind, first))
    }

    fn word_atom(&mut self, first: usize) -> Parsed<ExprKind> {
        let word = self.word();
        let called = self.peek(1).kind == TokenKind::Open;
        if let Some(literal) = literal::special(word) {
            self.at += 1;
            return Ok(ExprKind::Literal(literal));
        }
        if let Some(meta) = self.meta()? {
            return Ok(ExprKind::Meta(meta));
        }
        Ok(match word {
            "True" | "False" => {
                self.at += 1;
                ExprKind::Literal(crate::ast::Literal::Bool(word == "True"))
            }
            "fn" => {
                self.at += 1;
                ExprKind::Fn(self.function_rest(first)?)
            }
            "if" => {
                self.at += 1;
                self.if_rest()?
            }
            "match" => {
                self.at += 1;
                self.nested(|parser| parser.match_rest(false))?
            }
            "Constant" if called => self.filled()?,
            "ref" if called => ExprKind::Ref(self.operands(1)?[0]),
            "ref_read" if called => ExprKind::RefRead(self.operands(1)?[0]),
            "ref_write" if called => {
                let parts = self.operands(2)?;
                ExprKind::RefWrite(parts[0], parts[1])
            }
            _ if KEYWORDS.contains(&word) => return Err(self.expected("an expression")),
            _ => ExprKind::Name(self.dotted("an operator or constructor")?.name),
        })
    }

    /// Parses `(a, b)` with `count` components after a keyword.
    fn operands(&mut self, count: usize) -> Parsed<Vec<ExprId>> {
        let (first, open) = (self.at, self.at + 1);
        let word = self.word();
        self.at += 2;
        let parts = self.sequence(open, (TokenKind::Close, ")"), Self::expr)?;
        if parts.len() != count {
            let span = self.span_from(first);
            self.error(
                span,
                format!("'{word}' takes {count} argument{}, not {}", plural(count), parts.len()),
            );
            return Err(Abort::Binding);
        }
        Ok(parts)
    }

    /// Parses `(c) { a } else { b }` or `else if ..` after `if`.
    fn if_rest(&mut self) -> Parsed<ExprKind> {
        let open = self.at;
        self.expect(TokenKind::Open, "'(' and a condition")?;
        let condition = self.block()?;
        self.close(TokenKind::Close, ")", open)?;
        let then = self.braced("the value when the condition holds")?;
        if !self.accept_word("else") {
            return Err(self.expected("'else' and the value when the condition does not hold"));
        }
        let first = self.at;
        let otherwise = if self.accept_word("if") {
            let kind = self.nested(Self::if_rest)?;
            self.add(kind, first)
        } else {
            self.braced("the value when the condition does not hold")?
        };
        Ok(ExprKind::If { condition, then, otherwise })
    }

    /// Parses `()`, `(e)`, `(e,)` or `(a, b)`.
    fn parenthesized(&mut self) -> Parsed<ExprId> {
        let first = self.at;
        self.at += 1;
        if self.accept(TokenKind::Close) {
            return Ok(self.add(ExprKind::Tuple(Run::EMPTY), first));
        }
        let head = self.block()?;
        if self.accept(TokenKind::Close) {
            return Ok(head);
        }
        if !self.is(TokenKind::Comma) {
            self.close(TokenKind::Close, ")", first)?;
        }
        self.at += 1;
        let mut parts = vec![head];
        parts.extend(self.sequence(first, (TokenKind::Close, ")"), Self::tuple_part)?);
        let parts = self.module.add_list(parts);
        Ok(self.add(ExprKind::Tuple(parts), first))
    }

    fn tuple_part(&mut self) -> Parsed<ExprId> {
        if self.starts_expr() { self.expr() } else { Err(self.expected("an expression")) }
    }

    /// Parses `Constant(1, (10, 10), float32)`.
    fn filled(&mut self) -> Parsed<ExprKind> {
        let first = self.at;
        let open = self.at + 1;
        self.at += 2;
        let value = self.unary()?;
        if !matches!(self.module.expr(value).kind, ExprKind::Literal(_) | ExprKind::Error) {
            let span = self.module.expr(value).span;
            self.error(span, "expected a number as the value of the constant");
            return Err(Abort::Binding);
        }
        self.expect(TokenKind::Comma, "',' and the shape of the constant")?;
        let shape = self.shape()?;
        self.expect(TokenKind::Comma, "',' and the element type of the constant")?;
        let dtype = self.dtype()?;
        self.accept(TokenKind::Comma);
        self.close(TokenKind::Close, ")", open)?;
        let span = self.span_from(first);
        let ty = self.module.add_type(crate::ast::TypeKind::Tensor { shape, dtype }, span);
        Ok(ExprKind::Filled { value, ty })
    }
}

pub(super) fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn binary_op(kind: TokenKind) -> Option<BinaryOp> {
    Some(match kind {
        TokenKind::Star => BinaryOp::Mul,
        TokenKind::Slash => BinaryOp::Div,
        TokenKind::Plus => BinaryOp::Add,
        TokenKind::Minus => BinaryOp::Sub,
        TokenKind::Less => BinaryOp::Less,
        TokenKind::LessEqual => BinaryOp::LessEqual,
        TokenKind::Greater => BinaryOp::Greater,
        TokenKind::GreaterEqual => BinaryOp::GreaterEqual,
        TokenKind::EqualEqual => BinaryOp::Equal,
        TokenKind::NotEqual => BinaryOp::NotEqual,
        TokenKind::And => BinaryOp::And,
        TokenKind::Or => BinaryOp::Or,
        _ => return None,
    })
}
