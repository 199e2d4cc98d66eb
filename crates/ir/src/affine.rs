//! Affine expressions, maps and integer sets.

use crate::affine_simplify;
use std::fmt;

/// An expression over dimensions and symbols, linear except for `mod`, `floordiv` and `ceildiv`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AffineExpr {
    /// `d0`.
    Dim(u32),
    /// `s0`.
    Symbol(u32),
    /// `4`.
    Constant(i64),
    /// `d0 + 1`, and the other operators.
    Binary(AffineOp, Box<AffineExpr>, Box<AffineExpr>),
}

/// The operators of [`AffineExpr::Binary`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are the operators'")]
pub enum AffineOp {
    Add,
    Mul,
    Mod,
    FloorDiv,
    CeilDiv,
}

impl AffineExpr {
    /// `self op other`, simplified if both are constants or one is neutral.
    pub fn binary(op: AffineOp, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        use AffineExpr::{Binary, Constant};
        use AffineOp::*;
        match (op, &lhs, &rhs) {
            (_, Constant(a), Constant(b)) => {
                if let Some(value) = op.apply(*a, *b) {
                    return Constant(value);
                }
            }
            (Add, Constant(0), _) | (Mul, Constant(1), _) => return rhs,
            (Add, _, Constant(0)) | (Mul | FloorDiv | CeilDiv, _, Constant(1)) => return lhs,
            (Mul, _, Constant(0)) | (Mod, _, Constant(1)) => return Constant(0),
            // Constants are on the right, as in MLIR.
            (Add | Mul, Constant(_), _) => return Self::binary(op, rhs, lhs),
            _ => {}
        }
        Binary(op, Box::new(lhs), Box::new(rhs))
    }

    /// `self op other` as MLIR constructs it: constants on the right, multiples of one term combined, exact divisions folded.
    pub fn simplified(op: AffineOp, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        match op {
            AffineOp::Add => affine_simplify::add(lhs, rhs),
            AffineOp::Mul => affine_simplify::mul(lhs, rhs),
            AffineOp::Mod | AffineOp::FloorDiv | AffineOp::CeilDiv => affine_simplify::divide(op, lhs, rhs),
        }
    }

    /// Whether no dimension occurs.
    pub fn is_symbolic(&self) -> bool {
        affine_simplify::is_symbolic(self)
    }

    /// A number that divides all values of the expression; 0 for the constant 0.
    pub fn largest_divisor(&self) -> u64 {
        affine_simplify::largest_divisor(self)
    }

    /// Replaces dimensions and symbols, and simplifies as MLIR does; those beyond the lists stay.
    pub fn replaced(&self, dims: &[AffineExpr], symbols: &[AffineExpr]) -> AffineExpr {
        let known = |list: &[AffineExpr], at: u32| list.get(at as usize).unwrap_or(self).clone();
        match self {
            AffineExpr::Dim(at) => known(dims, *at),
            AffineExpr::Symbol(at) => known(symbols, *at),
            AffineExpr::Constant(_) => self.clone(),
            AffineExpr::Binary(op, lhs, rhs) => {
                Self::simplified(*op, lhs.replaced(dims, symbols), rhs.replaced(dims, symbols))
            }
        }
    }

    /// Writes the expression with other names than `d0` and `s0`.
    pub(crate) fn write_named(&self, out: &mut dyn AffineNames) -> fmt::Result {
        write_expr(out, self, false)
    }

    /// Calls `visit` with each dimension, as often as it occurs.
    pub fn for_each_dim(&self, visit: &mut dyn FnMut(u32)) {
        self.for_each_leaf(&mut |leaf| {
            if let AffineExpr::Dim(dim) = leaf {
                visit(*dim);
            }
        });
    }

    /// Calls `visit` with each dimension, symbol and constant, as often as it occurs.
    pub fn for_each_leaf(&self, visit: &mut dyn FnMut(&AffineExpr)) {
        match self {
            AffineExpr::Binary(_, lhs, rhs) => {
                lhs.for_each_leaf(visit);
                rhs.for_each_leaf(visit);
            }
            leaf => visit(leaf),
        }
    }

    /// Whether a dimension occurs.
    pub fn uses_dim(&self, dim: u32) -> bool {
        let mut found = false;
        self.for_each_dim(&mut |other| found |= other == dim);
        found
    }

    /// Substitutes the dimensions; `None` if one is missing.
    pub fn substitute(&self, dims: &[AffineExpr]) -> Option<AffineExpr> {
        Some(match self {
            AffineExpr::Dim(at) => dims.get(*at as usize)?.clone(),
            AffineExpr::Binary(op, lhs, rhs) => {
                Self::binary(*op, lhs.substitute(dims)?, rhs.substitute(dims)?)
            }
            AffineExpr::Symbol(_) | AffineExpr::Constant(_) => self.clone(),
        })
    }

    /// Evaluates at a point; `None` on division by zero, overflow, or a missing dimension.
    pub fn evaluate(&self, dims: &[i64], symbols: &[i64]) -> Option<i64> {
        match self {
            AffineExpr::Dim(at) => dims.get(*at as usize).copied(),
            AffineExpr::Symbol(at) => symbols.get(*at as usize).copied(),
            AffineExpr::Constant(value) => Some(*value),
            AffineExpr::Binary(op, lhs, rhs) => {
                op.apply(lhs.evaluate(dims, symbols)?, rhs.evaluate(dims, symbols)?)
            }
        }
    }
}

impl AffineOp {
    fn apply(self, lhs: i64, rhs: i64) -> Option<i64> {
        match self {
            AffineOp::Add => lhs.checked_add(rhs),
            AffineOp::Mul => lhs.checked_mul(rhs),
            AffineOp::Mod => (rhs > 0).then(|| lhs.rem_euclid(rhs)),
            AffineOp::FloorDiv => (rhs > 0).then(|| lhs.div_euclid(rhs)),
            AffineOp::CeilDiv => (rhs > 0).then(|| lhs.div_euclid(rhs) + i64::from(lhs.rem_euclid(rhs) != 0)),
        }
    }
}

/// `(d0, d1)[s0] -> (d0 + s0, d1)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AffineMap {
    /// The number of dimensions.
    pub dims: u32,
    /// The number of symbols.
    pub symbols: u32,
    /// The results.
    pub results: Box<[AffineExpr]>,
}

impl AffineMap {
    /// `(d0, ..) -> (d0, ..)`.
    pub fn identity(dims: u32) -> Self {
        Self { dims, symbols: 0, results: (0..dims).map(AffineExpr::Dim).collect() }
    }

    /// `(d0, ..) -> (d_i, ..)` for the given dimensions.
    pub fn projection(dims: u32, keep: &[u32]) -> Self {
        Self { dims, symbols: 0, results: keep.iter().map(|&dim| AffineExpr::Dim(dim)).collect() }
    }

    /// `() -> (value)`.
    pub fn constant(value: i64) -> Self {
        Self { dims: 0, symbols: 0, results: [AffineExpr::Constant(value)].into() }
    }

    /// The number of dimensions and symbols.
    pub fn inputs(&self) -> usize {
        (self.dims + self.symbols) as usize
    }

    /// Whether result `i` is dimension `i`, for all dimensions. Symbols, which no result uses then, do not matter.
    pub fn is_identity(&self) -> bool {
        let is_dim = |(dim, result): (usize, &AffineExpr)| *result == AffineExpr::Dim(dim as u32);
        self.results.len() == self.dims as usize && self.results.iter().enumerate().all(is_dim)
    }

    /// The dimension of each result, if every result is a distinct dimension.
    pub fn as_projection(&self) -> Option<Vec<u32>> {
        let mut seen = vec![false; self.dims as usize];
        let dim = |result: &AffineExpr| match result {
            AffineExpr::Dim(dim) if !std::mem::replace(seen.get_mut(*dim as usize)?, true) => Some(*dim),
            _ => None,
        };
        self.results.iter().map(dim).collect()
    }
}

/// `(d0)[s0] : (d0 - s0 >= 0, d0 == 0)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IntegerSet {
    /// The number of dimensions.
    pub dims: u32,
    /// The number of symbols.
    pub symbols: u32,
    /// Expressions that must be zero (`true`) or nonnegative (`false`).
    pub constraints: Box<[(AffineExpr, bool)]>,
}

/// A destination of expressions that names dimensions and symbols.
pub(crate) trait AffineNames: fmt::Write {
    /// Writes the name of a dimension.
    fn dim(&mut self, at: u32) -> fmt::Result;

    /// Writes the name of a symbol.
    fn symbol(&mut self, at: u32) -> fmt::Result;
}

impl AffineNames for fmt::Formatter<'_> {
    fn dim(&mut self, at: u32) -> fmt::Result {
        write!(self, "d{at}")
    }

    fn symbol(&mut self, at: u32) -> fmt::Result {
        write!(self, "s{at}")
    }
}

impl fmt::Display for AffineExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_expr(f, self, false)
    }
}

fn write_expr(f: &mut dyn AffineNames, expr: &AffineExpr, tight: bool) -> fmt::Result {
    let (op, lhs, rhs) = match expr {
        AffineExpr::Dim(at) => return f.dim(*at),
        AffineExpr::Symbol(at) => return f.symbol(*at),
        AffineExpr::Constant(value) => return write!(f, "{value}"),
        AffineExpr::Binary(op, lhs, rhs) => (*op, lhs, rhs),
    };
    let keyword = match op {
        AffineOp::Add => return write_sum(f, lhs, rhs, tight),
        AffineOp::Mul if **rhs == AffineExpr::Constant(-1) => {
            write!(f, "{}", if tight { "(-" } else { "-" })?;
            write_expr(f, lhs, true)?;
            return if tight { write!(f, ")") } else { Ok(()) };
        }
        AffineOp::Mul => "*",
        AffineOp::Mod => "mod",
        AffineOp::FloorDiv => "floordiv",
        AffineOp::CeilDiv => "ceildiv",
    };
    if tight {
        write!(f, "(")?;
    }
    write_expr(f, lhs, true)?;
    write!(f, " {keyword} ")?;
    write_expr(f, rhs, true)?;
    if tight { write!(f, ")") } else { Ok(()) }
}

/// MLIR prints `d0 - d1` for `d0 + d1 * -1`, and `d0 - 2` for `d0 + -2`.
fn write_sum(f: &mut dyn AffineNames, lhs: &AffineExpr, rhs: &AffineExpr, tight: bool) -> fmt::Result {
    if tight {
        write!(f, "(")?;
    }
    write_expr(f, lhs, false)?;
    match rhs {
        AffineExpr::Constant(value) if *value < 0 => write!(f, " - {}", value.wrapping_neg())?,
        AffineExpr::Binary(AffineOp::Mul, inner, factor) => match **factor {
            AffineExpr::Constant(-1) => {
                write!(f, " - ")?;
                let is_sum = matches!(**inner, AffineExpr::Binary(AffineOp::Add, ..));
                write_expr(f, inner, is_sum)?;
            }
            AffineExpr::Constant(value) if value < -1 => {
                write!(f, " - ")?;
                write_expr(f, inner, true)?;
                write!(f, " * {}", value.wrapping_neg())?;
            }
            _ => {
                write!(f, " + ")?;
                write_expr(f, rhs, false)?;
            }
        },
        _ => {
            write!(f, " + ")?;
            write_expr(f, rhs, false)?;
        }
    }
    if tight { write!(f, ")") } else { Ok(()) }
}

fn write_space(f: &mut fmt::Formatter<'_>, dims: u32, symbols: u32) -> fmt::Result {
    let list = |letter: char, count: u32| {
        (0..count).map(|at| format!("{letter}{at}")).collect::<Vec<_>>().join(", ")
    };
    write!(f, "({})", list('d', dims))?;
    if symbols > 0 { write!(f, "[{}]", list('s', symbols)) } else { Ok(()) }
}

impl fmt::Display for AffineMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_space(f, self.dims, self.symbols)?;
        let results = self.results.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        write!(f, " -> ({results})")
    }
}

impl fmt::Display for IntegerSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_space(f, self.dims, self.symbols)?;
        let constraint =
            |(expr, zero): &(AffineExpr, bool)| format!("{expr} {} 0", if *zero { "==" } else { ">=" });
        let constraints = self.constraints.iter().map(constraint).collect::<Vec<_>>().join(", ");
        write!(f, " : ({constraints})")
    }
}
