//! Parsing of affine maps and integer sets.

use super::numbers::literal;
use super::{Parsed, Parser, Tok};
use crate::affine::{AffineExpr, AffineMap, AffineOp, IntegerSet};
use crate::affine_simplify::{add, divide, is_symbolic, mul};
use crate::text::Unresolved;
use minoan_diag::{Diagnostic, nearest};
use rustc_hash::FxHashMap;

/// The magnitude of the smallest number.
const LEAST: &str = "9223372036854775808";

/// Expressions are trees that are traversed recursively, so their size is limited.
const MAX_TERMS: usize = 500;

/// The names and numbers of dimensions and symbols, and the size of the expression so far.
#[derive(Default)]
struct Space<'c> {
    names: FxHashMap<&'c str, AffineExpr>,
    dims: u32,
    symbols: u32,
    terms: usize,
    /// The operands, if expressions are written over them.
    operands: Option<Operands<'c>>,
}

/// The operands of expressions that are written over names of values, each of which is one dimension or symbol.
#[derive(Default)]
struct Operands<'c> {
    known: FxHashMap<(&'c str, u32), AffineExpr>,
    dims: Vec<Unresolved>,
    symbols: Vec<Unresolved>,
}

/// Expressions over the names of values.
pub(crate) struct OfOperands {
    pub(crate) map: AffineMap,
    pub(crate) dims: Vec<Unresolved>,
    pub(crate) symbols: Vec<Unresolved>,
}

impl Space<'_> {
    fn of_operands(self, results: Vec<AffineExpr>) -> OfOperands {
        let Operands { known: _, dims, symbols } = self.operands.unwrap_or_default();
        let map =
            AffineMap { dims: dims.len() as u32, symbols: symbols.len() as u32, results: results.into() };
        OfOperands { map, dims, symbols }
    }
}

impl<'c> Parser<'c> {
    /// Parses the body of `affine_map<..>`.
    pub(crate) fn affine_map(&mut self) -> Parsed<AffineMap> {
        let mut space = self.affine_space()?;
        self.expect_or("->", "expected '->' or ':'")?;
        self.expect_or("(", "expected '(' in affine map range")?;
        let mut results = Vec::new();
        self.list_until(")", "expected ')' in affine map range", |parser| {
            results.push(parser.affine_expr(&mut space)?);
            Ok(())
        })?;
        Ok(AffineMap { dims: space.dims, symbols: space.symbols, results: results.into() })
    }

    /// Parses expressions over values between delimiters: `[%i + 1, symbol(%n) * 2]`.
    pub(crate) fn affine_map_of_operands(&mut self, open: &str, close: &str) -> Parsed<OfOperands> {
        let mut space = Space { operands: Some(Operands::default()), ..Space::default() };
        self.expect(open)?;
        let mut results = Vec::new();
        let message = format!("expected '{close}'");
        self.list_until(close, &message, |parser| {
            results.push(parser.affine_expr(&mut space)?);
            Ok(())
        })?;
        Ok(space.of_operands(results))
    }

    /// Parses one expression over values: `%i + 1`.
    pub(crate) fn affine_expr_of_operands(&mut self) -> Parsed<OfOperands> {
        let mut space = Space { operands: Some(Operands::default()), ..Space::default() };
        let expr = self.affine_expr(&mut space)?;
        Ok(space.of_operands(vec![expr]))
    }

    /// Parses the name of a value as a dimension or symbol; a name keeps the kind of its first occurrence.
    fn affine_operand_name(&mut self, space: &mut Space<'c>, is_symbol: bool) -> Parsed<AffineExpr> {
        if self.tok.kind != Tok::Percent {
            return Err(self.error_wrong_token("expected ssa identifier"));
        }
        let Some(operands) = &mut space.operands else {
            return Err(self.error("unexpected ssa identifier"));
        };
        let text = self.spelling();
        let name = self.operand()?;
        let (list, make): (_, fn(u32) -> AffineExpr) = match is_symbol {
            true => (&mut operands.symbols, AffineExpr::Symbol),
            false => (&mut operands.dims, AffineExpr::Dim),
        };
        let fresh = || {
            list.push(name);
            make(list.len() as u32 - 1)
        };
        Ok(operands.known.entry((text, name.number)).or_insert_with(fresh).clone())
    }

    /// Parses the body of `affine_set<..>`.
    pub(crate) fn integer_set(&mut self) -> Parsed<IntegerSet> {
        let mut space = self.affine_space()?;
        self.expect_or(":", "expected '->' or ':'")?;
        self.expect_or("(", "expected '(' in integer set constraint list")?;
        let mut constraints = Vec::new();
        self.list_until(")", "expected ')' in integer set constraint list", |parser| {
            let lhs = parser.affine_expr(&mut space)?;
            let message = "expected '== affine-expr' or '>= affine-expr' at end of affine constraint";
            let (mut sign, mut equal) = (1, false);
            if parser.eat("=") {
                equal = true;
            } else if parser.eat("<") {
                sign = -1;
            } else if !parser.eat(">") {
                return Err(parser.error(message));
            }
            if !parser.eat("=") {
                return Err(parser.error(message));
            }
            let rhs = parser.affine_expr(&mut space)?;
            let minus = |expr| mul(expr, AffineExpr::Constant(-1));
            let expr = if sign > 0 { add(lhs, minus(rhs)) } else { add(rhs, minus(lhs)) };
            constraints.push((expr, equal));
            Ok(())
        })?;
        if constraints.is_empty() {
            // The universal set has a constraint that always holds.
            constraints.push((AffineExpr::Constant(0), true));
        }
        Ok(IntegerSet { dims: space.dims, symbols: space.symbols, constraints: constraints.into() })
    }

    fn affine_space(&mut self) -> Parsed<Space<'c>> {
        let mut space = Space::default();
        self.expect_or("(", "expected '(' in dimensional identifier list")?;
        let message = "expected ')' in dimensional identifier list";
        self.list_until(")", message, |parser| parser.affine_name(&mut space, true))?;
        if self.eat("[") {
            self.list_until("]", "expected ']' in symbol list", |parser| {
                parser.affine_name(&mut space, false)
            })?;
        }
        Ok(space)
    }

    fn affine_name(&mut self, space: &mut Space<'c>, dim: bool) -> Parsed<()> {
        let name = self.spelling();
        if self.tok.kind != Tok::Word {
            return Err(self.error_wrong_token("expected bare identifier"));
        }
        let (count, make): (_, fn(u32) -> AffineExpr) = match dim {
            true => (&mut space.dims, AffineExpr::Dim),
            false => (&mut space.symbols, AffineExpr::Symbol),
        };
        if space.names.insert(name, make(*count)).is_some() {
            return Err(self.error(format!("redefinition of identifier '{name}'")));
        }
        *count += 1;
        self.advance();
        Ok(())
    }

    fn affine_expr(&mut self, space: &mut Space<'c>) -> Parsed<AffineExpr> {
        space.terms = 0;
        self.affine_sum(space)
    }

    fn affine_sum(&mut self, space: &mut Space<'c>) -> Parsed<AffineExpr> {
        let mut sum = self.affine_product(space)?;
        loop {
            if self.eat("+") {
                let rhs = self.right_operand(space, Self::affine_product)?;
                sum = add(sum, rhs);
            } else if self.eat("-") {
                let rhs = self.right_operand(space, Self::affine_product)?;
                sum = add(sum, mul(rhs, AffineExpr::Constant(-1)));
            } else {
                return Ok(sum);
            }
        }
    }

    /// Parses the right operand of an operator.
    fn right_operand(
        &mut self,
        space: &mut Space<'c>,
        parse: impl FnOnce(&mut Self, &mut Space<'c>) -> Parsed<AffineExpr>,
    ) -> Parsed<AffineExpr> {
        let starts = matches!(self.tok.kind, Tok::Integer | Tok::Word | Tok::Percent);
        if !starts && !self.is("(") && !self.is("-") {
            return Err(self.error("missing right operand of binary operator"));
        }
        parse(self, space)
    }

    fn affine_product(&mut self, space: &mut Space<'c>) -> Parsed<AffineExpr> {
        let mut product = self.affine_operand(space)?;
        loop {
            let span = self.span();
            let op = if self.eat("*") {
                AffineOp::Mul
            } else if self.eat_word("floordiv") {
                AffineOp::FloorDiv
            } else if self.eat_word("ceildiv") {
                AffineOp::CeilDiv
            } else if self.eat_word("mod") {
                AffineOp::Mod
            } else {
                return Ok(product);
            };
            let rhs = self.right_operand(space, Self::affine_operand)?;
            let name = match op {
                AffineOp::Mul if is_symbolic(&product) || is_symbolic(&rhs) => {
                    product = mul(product, rhs);
                    continue;
                }
                AffineOp::Mul => {
                    return Err(self.error_at(
                        span,
                        "non-affine expression: at least one of the multiply operands has to be either a \
                         constant or symbolic",
                    ));
                }
                AffineOp::FloorDiv => "right operand of floordiv",
                AffineOp::CeilDiv => "right operand of ceildiv",
                _ => "right operand of mod",
            };
            if !is_symbolic(&rhs) {
                return Err(self.error_at(
                    span,
                    format!("non-affine expression: {name} has to be either a constant or symbolic"),
                ));
            }
            product = divide(op, product, rhs);
        }
    }

    fn affine_operand(&mut self, space: &mut Space<'c>) -> Parsed<AffineExpr> {
        space.terms += 1;
        if space.terms > MAX_TERMS {
            return Err(self.error(format!("an affine expression of more than {MAX_TERMS} parts")));
        }
        if self.eat("(") {
            if self.is(")") {
                return Err(self.error("no expression inside parentheses"));
            }
            let expr = self.deeper(|parser| parser.affine_sum(space))?;
            self.expect(")")?;
            return Ok(expr);
        }
        if self.eat("-") {
            // The smallest number is printed like the others, although its magnitude exceeds the largest number.
            if self.tok.kind == Tok::Integer && self.spelling() == LEAST {
                self.advance();
                return Ok(AffineExpr::Constant(i64::MIN));
            }
            let expr = self.deeper(|parser| parser.affine_operand(space))?;
            return Ok(mul(expr, AffineExpr::Constant(-1)));
        }
        if self.tok.kind == Tok::Percent {
            return self.affine_operand_name(space, false);
        }
        let word = self.spelling();
        if space.operands.is_some() && self.eat_word("symbol") {
            self.expect_or("(", "expected '(' at start of SSA symbol")?;
            let symbol = self.affine_operand_name(space, true)?;
            self.expect_or(")", "expected ')' at end of SSA symbol")?;
            return Ok(symbol);
        }
        let expr = match self.tok.kind {
            Tok::Integer => match literal(word).and_then(|value| i64::try_from(value).ok()) {
                Some(value) => AffineExpr::Constant(value),
                None => return Err(self.error("constant too large for index")),
            },
            Tok::Word => match space.names.get(word) {
                Some(expr) => expr.clone(),
                None => {
                    // Suggestions of single letters are useless.
                    let mut names: Vec<&str> = space.names.keys().copied().collect();
                    names.retain(|_| word.len() > 1);
                    names.sort_unstable();
                    let error = Diagnostic::error("use of undeclared identifier").at(self.wrong_token_span());
                    return Err(self.report(error.did_you_mean(nearest(word, names))));
                }
            },
            _ if ["+", "*"].iter().any(|operator| self.is(operator)) => {
                return Err(self.error("missing left operand of binary operator"));
            }
            _ => return Err(self.error("expected affine expression")),
        };
        self.advance();
        Ok(expr)
    }
}
