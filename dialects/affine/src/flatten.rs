//! Affine expressions as linear combinations, for simplification and bounds.
//!
//! The coefficients are those of the dimensions, the symbols, the local expressions (quotients and products that are not
//! linear), and the constant. An expression is simplified by reconstruction from its coefficients, as in MLIR.

use AffineExpr::{Binary, Constant, Dim, Symbol};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use num_integer::Integer;
use std::collections::BTreeMap;

/// `lhs op rhs` as MLIR constructs it.
pub(crate) fn combine(op: AffineOp, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
    AffineExpr::simplified(op, lhs, rhs)
}

/// The quotient, rounded down.
pub(crate) fn div_floor(lhs: i64, rhs: i64) -> i64 {
    Integer::div_floor(&lhs, &rhs)
}

/// The quotient, rounded up.
pub(crate) fn div_ceil(lhs: i64, rhs: i64) -> i64 {
    Integer::div_ceil(&lhs, &rhs)
}

/// Whether products, quotients and remainders have a constant on the right.
pub(crate) fn is_pure(expr: &AffineExpr) -> bool {
    match expr {
        Dim(_) | Symbol(_) | Constant(_) => true,
        Binary(AffineOp::Add, lhs, rhs) => is_pure(lhs) && is_pure(rhs),
        Binary(AffineOp::Mul, lhs, rhs) => {
            is_pure(lhs) && is_pure(rhs) && (matches!(**lhs, Constant(_)) || matches!(**rhs, Constant(_)))
        }
        Binary(_, lhs, rhs) => is_pure(lhs) && matches!(**rhs, Constant(_)),
    }
}

/// A linear combination under construction.
struct Flattener {
    dims: usize,
    symbols: usize,
    locals: Vec<AffineExpr>,
}

/// The coefficients of one expression; those of local expressions that were added later are missing and zero.
#[derive(Clone)]
struct Row {
    /// Of dimensions and symbols.
    inputs: Vec<i64>,
    locals: Vec<i64>,
    constant: i64,
}

impl Row {
    fn coefficients(&mut self) -> impl Iterator<Item = &mut i64> {
        self.inputs.iter_mut().chain(&mut self.locals).chain([&mut self.constant])
    }

    fn local(&self, at: usize) -> i64 {
        self.locals.get(at).copied().unwrap_or(0)
    }

    fn set_local(&mut self, at: usize, value: i64) {
        if self.locals.len() <= at {
            self.locals.resize(at + 1, 0);
        }
        self.locals[at] = value;
    }
}

impl Flattener {
    fn new(map: (u32, u32)) -> Self {
        Self { dims: map.0 as usize, symbols: map.1 as usize, locals: Vec::new() }
    }

    fn zero(&self) -> Row {
        Row { inputs: vec![0; self.dims + self.symbols], locals: Vec::new(), constant: 0 }
    }

    /// The row of a local expression, which is added if it does not exist.
    fn local(&mut self, expr: AffineExpr) -> (usize, Row) {
        let at = self.locals.iter().position(|known| *known == expr).unwrap_or_else(|| {
            self.locals.push(expr);
            self.locals.len() - 1
        });
        let mut row = self.zero();
        row.set_local(at, 1);
        (at, row)
    }

    /// `None` if a divisor is not positive, or on overflow.
    fn flatten(&mut self, expr: &AffineExpr) -> Option<Row> {
        let (op, lhs, rhs) = match expr {
            Dim(at) => {
                let mut row = self.zero();
                *row.inputs.get_mut(*at as usize)? = 1;
                return Some(row);
            }
            Symbol(at) => {
                let mut row = self.zero();
                *row.inputs.get_mut(self.dims + *at as usize)? = 1;
                return Some(row);
            }
            Constant(value) => return Some(Row { constant: *value, ..self.zero() }),
            Binary(op, lhs, rhs) => (*op, &**lhs, &**rhs),
        };
        let mut left = self.flatten(lhs)?;
        let right = self.flatten(rhs)?;
        if op == AffineOp::Add {
            for (left, right) in left.inputs.iter_mut().zip(&right.inputs) {
                *left = left.checked_add(*right)?;
            }
            for (at, right) in right.locals.iter().enumerate() {
                let sum = left.local(at).checked_add(*right)?;
                left.set_local(at, sum);
            }
            left.constant = left.constant.checked_add(right.constant)?;
            return Some(left);
        }
        let &Constant(by) = rhs else {
            let (a, b) = (self.rebuild(&left), self.rebuild(&right));
            return Some(self.local(combine(op, a, b)).1);
        };
        match op {
            AffineOp::Mul => {
                for coefficient in left.coefficients() {
                    *coefficient = coefficient.checked_mul(by)?;
                }
                Some(left)
            }
            _ if by <= 0 => None,
            AffineOp::Mod => {
                if left.coefficients().all(|coefficient| *coefficient % by == 0) {
                    return Some(self.zero());
                }
                let mut dividend = left.clone();
                let divisor = by / reduce(&mut dividend, by);
                let quotient = combine(AffineOp::FloorDiv, self.rebuild(&dividend), Constant(divisor));
                let (at, _) = self.local(quotient);
                let coefficient = left.local(at).checked_sub(by)?;
                left.set_local(at, coefficient);
                Some(left)
            }
            _ => {
                let divisor = by / reduce(&mut left, by);
                if divisor == 1 {
                    return Some(left);
                }
                let quotient = combine(op, self.rebuild(&left), Constant(divisor));
                Some(self.local(quotient).1)
            }
        }
    }

    fn input(&self, at: usize) -> AffineExpr {
        if at < self.dims { Dim(at as u32) } else { Symbol((at - self.dims) as u32) }
    }

    /// The sum of the terms, in order.
    fn rebuild(&self, row: &Row) -> AffineExpr {
        let inputs = row.inputs.iter().enumerate().map(|(at, &by)| (self.input(at), by));
        let locals = row.locals.iter().zip(&self.locals).map(|(&by, local)| (local.clone(), by));
        let sum = sum_of(inputs.chain(locals));
        add_constant(sum, row.constant)
    }

    /// The sum of the terms, where products of a dimension or symbol and a symbol are ordered among the other terms; `None` if
    /// two have the same place.
    fn rebuild_semi_affine(&self, row: &Row) -> Option<AffineExpr> {
        let last = self.dims.max(self.symbols) as i64;
        let mut ordered: BTreeMap<(u32, i64), (AffineExpr, i64)> = BTreeMap::new();
        let mut add = |key: (u32, i64), term: AffineExpr, by: i64| ordered.insert(key, (term, by)).is_none();
        for (at, &by) in row.inputs.iter().enumerate().filter(|(_, by)| **by != 0) {
            let term = self.input(at);
            let key = if at < self.dims { (at as u32, -1) } else { ((at - self.dims) as u32, last) };
            add(key, term, by).then_some(())?;
        }
        let mut others = Vec::new();
        for (local, &by) in self.locals.iter().zip(&row.locals).filter(|(_, by)| **by != 0) {
            let Binary(_, lhs, rhs) = local else { return None };
            let key = match (&**lhs, &**rhs) {
                (Dim(at), Constant(_)) => (*at, -1),
                (Symbol(at), Constant(_)) => (*at, last),
                (Dim(at) | Symbol(at), Symbol(by) | Dim(by)) => (*at, i64::from(*by)),
                _ => {
                    others.push((local.clone(), by));
                    continue;
                }
            };
            add(key, local.clone(), by).then_some(())?;
        }
        let sum = sum_of(ordered.into_values().chain(others));
        Some(add_constant(sum, row.constant))
    }
}

/// Divides the coefficients by their greatest common divisor with a number; returns it.
fn reduce(row: &mut Row, by: i64) -> i64 {
    let gcd = row.coefficients().fold(by, |gcd, coefficient| gcd.gcd(coefficient));
    if gcd > 1 {
        row.coefficients().for_each(|coefficient| *coefficient /= gcd);
    }
    gcd
}

fn sum_of(terms: impl Iterator<Item = (AffineExpr, i64)>) -> AffineExpr {
    terms.filter(|(_, by)| *by != 0).fold(Constant(0), |sum, (term, by)| {
        combine(AffineOp::Add, sum, combine(AffineOp::Mul, term, Constant(by)))
    })
}

fn add_constant(sum: AffineExpr, constant: i64) -> AffineExpr {
    if constant == 0 { sum } else { combine(AffineOp::Add, sum, Constant(constant)) }
}

/// Whether an expression is a multiple of a symbol, as far as its form shows it.
fn is_multiple(expr: &AffineExpr, symbol: u32, of: AffineOp) -> bool {
    match expr {
        Constant(value) => *value == 0,
        Dim(_) => false,
        Symbol(at) => *at == symbol,
        Binary(AffineOp::Add, lhs, rhs) => is_multiple(lhs, symbol, of) && is_multiple(rhs, symbol, of),
        Binary(AffineOp::Mod, lhs, rhs) => {
            is_multiple(lhs, symbol, AffineOp::Mod) && is_multiple(rhs, symbol, AffineOp::Mod)
        }
        Binary(AffineOp::Mul, lhs, rhs) => is_multiple(lhs, symbol, of) || is_multiple(rhs, symbol, of),
        // Quotients of quotients can be exchanged if they are rounded in the same way.
        Binary(op, lhs, _) => *op == of && is_multiple(lhs, symbol, of),
    }
}

/// Divides a multiple of a symbol by it.
fn divided(expr: &AffineExpr, symbol: u32, of: AffineOp) -> Option<AffineExpr> {
    Some(match expr {
        Constant(0) => Constant(0),
        Constant(_) | Dim(_) => return None,
        Symbol(_) => Constant(1),
        Binary(op @ (AffineOp::Add | AffineOp::Mod), lhs, rhs) => {
            combine(*op, divided(lhs, symbol, of)?, divided(rhs, symbol, of)?)
        }
        Binary(AffineOp::Mul, lhs, rhs) => match is_multiple(lhs, symbol, of) {
            true => combine(AffineOp::Mul, divided(lhs, symbol, of)?, (**rhs).clone()),
            false => combine(AffineOp::Mul, (**lhs).clone(), divided(rhs, symbol, of)?),
        },
        Binary(op, lhs, rhs) => combine(*op, divided(lhs, symbol, *op)?, (**rhs).clone()),
    })
}

/// Simplifies quotients and remainders of multiples of a symbol by this symbol.
fn simplify_by_symbols(expr: &AffineExpr) -> AffineExpr {
    let Binary(op, lhs, rhs) = expr else { return expr.clone() };
    let (left, right) = (simplify_by_symbols(lhs), simplify_by_symbols(rhs));
    if !matches!(op, AffineOp::Add | AffineOp::Mul)
        && let Symbol(symbol) = right
        && is_multiple(lhs, symbol, *op)
    {
        if *op == AffineOp::Mod {
            return Constant(0);
        }
        if let Some(quotient) = divided(&left, symbol, *op) {
            return quotient;
        }
    }
    combine(*op, left, right)
}

/// Simplifies an expression; `space` has the numbers of dimensions and of symbols.
pub(crate) fn simplified(expr: &AffineExpr, space: (u32, u32)) -> AffineExpr {
    let is_linear = is_pure(expr);
    let expr = if is_linear { expr.clone() } else { simplify_by_symbols(expr) };
    let mut flattener = Flattener::new(space);
    let Some(row) = flattener.flatten(&expr) else { return expr };
    if is_pure(&expr) {
        return flattener.rebuild(&row);
    }
    if flattener.rebuild(&row) == expr {
        return expr;
    }
    flattener.rebuild_semi_affine(&row).unwrap_or(expr)
}

/// The map with simplified results.
pub(crate) fn simplified_map(map: &AffineMap) -> AffineMap {
    let space = (map.dims, map.symbols);
    AffineMap { results: map.results.iter().map(|expr| simplified(expr, space)).collect(), ..map.clone() }
}

/// The coefficients of dimensions and symbols, and the constant; `None` if the expression is not linear.
pub(crate) fn linear(expr: &AffineExpr, space: (u32, u32)) -> Option<(Vec<i64>, i64)> {
    let mut flattener = Flattener::new(space);
    let row = flattener.flatten(expr)?;
    flattener.locals.is_empty().then_some((row.inputs, row.constant))
}
