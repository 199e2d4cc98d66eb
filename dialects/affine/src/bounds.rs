//! Bounds of affine expressions, from the bounds of the loops around them, and simplifications that they permit.

use crate::For;
use crate::flatten::{combine, div_ceil, div_floor, linear};
use crate::scope::for_of;
use crate::value_map::ValueMap;
use AffineExpr::{Binary, Constant};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Body, Value};
use num_integer::Integer;

/// The constant bounds of the operands of a map, inclusive.
pub(crate) struct Ranges<'a> {
    body: &'a Body,
    values: &'a ValueMap,
    lower: Vec<Option<i64>>,
    upper: Vec<Option<i64>>,
}

/// The inclusive upper bound of an induction variable.
fn largest(body: &Body, of: For) -> Option<i64> {
    let upper = of.constant_upper(body)?.checked_sub(1)?;
    match of.constant_lower(body) {
        Some(lower) => upper.checked_sub(upper.checked_sub(lower)?.checked_rem(of.step(body))?),
        None => Some(upper),
    }
}

impl<'a> Ranges<'a> {
    pub(crate) fn new(body: &'a Body, values: &'a ValueMap) -> Self {
        let of = |bound: fn(&Body, For) -> Option<i64>| {
            let bound = |&value: &Value| bound(body, for_of(body, value)?);
            values.operands.iter().map(bound).collect()
        };
        let (lower, upper) = (of(|body, of| of.constant_lower(body)), of(largest));
        Self { body, values, lower, upper }
    }

    fn space(&self) -> (u32, u32) {
        (self.values.map.dims, self.values.map.symbols)
    }

    /// A lower or upper bound of an expression, inclusive; `None` if it is unknown.
    pub(crate) fn bound(&self, expr: &AffineExpr, is_upper: bool) -> Option<i64> {
        if let Binary(op @ (AffineOp::FloorDiv | AffineOp::CeilDiv | AffineOp::Mod), lhs, rhs) = expr {
            let by = match **rhs {
                Constant(by) if by >= 1 => by,
                _ => return None,
            };
            return match op {
                AffineOp::FloorDiv => Some(div_floor(self.bound(lhs, is_upper)?, by)),
                AffineOp::CeilDiv => Some(div_ceil(self.bound(lhs, is_upper)?, by)),
                _ => {
                    // In an interval of equal quotients, the remainder grows with the dividend.
                    let range = self.bound(lhs, false).zip(self.bound(lhs, true));
                    let same = range.filter(|&(lower, upper)| div_floor(lower, by) == div_floor(upper, by));
                    Some(match (same, is_upper) {
                        (Some((_, upper)), true) => upper.mod_floor(&by),
                        (Some((lower, _)), false) => lower.mod_floor(&by),
                        (None, true) => by - 1,
                        (None, false) => 0,
                    })
                }
            };
        }
        let (coefficients, constant) = linear(expr, self.space())?;
        let mut bound = constant;
        for (at, &by) in coefficients.iter().enumerate().filter(|(_, by)| **by != 0) {
            let of = if (by > 0) == is_upper { &self.upper } else { &self.lower };
            bound = bound.checked_add(of[at]?.checked_mul(by)?)?;
        }
        Some(bound)
    }

    /// A number that divides a dimension, given the loop that counts it, or an expression.
    fn divisor(&self, expr: &AffineExpr) -> i64 {
        let AffineExpr::Dim(_) = expr else { return i64::try_from(expr.largest_divisor()).unwrap_or(1) };
        let Some(of) = self.values.operand_of(expr).and_then(|value| for_of(self.body, value)) else {
            return 1;
        };
        let step = of.step(self.body);
        if of.constant_lower(self.body) == Some(0) {
            return step;
        }
        let lower = of.lower_bound_map(self.body);
        lower.results.iter().fold(step, |gcd, expr| {
            let divisor = i64::try_from(expr.largest_divisor()).unwrap_or(1);
            gcd.gcd(&divisor)
        })
    }

    /// Whether a constant or an induction variable is known to be in `0..end`.
    fn is_below(&self, expr: &AffineExpr, end: i64) -> bool {
        match expr {
            Constant(value) => (0..end).contains(value),
            AffineExpr::Dim(_) => {
                let of = self.values.operand_of(expr).and_then(|value| for_of(self.body, value));
                of.is_some_and(|of| {
                    of.constant_lower(self.body).is_some_and(|lower| lower >= 0)
                        && of.constant_upper(self.body).is_some_and(|upper| upper <= end)
                })
            }
            _ => false,
        }
    }

    /// Splits a sum into a multiple of a number, and a rest that is less than it.
    fn multiple_and_rest<'e>(&self, expr: &'e AffineExpr) -> Option<(i64, &'e AffineExpr, &'e AffineExpr)> {
        let Binary(AffineOp::Add, lhs, rhs) = expr else { return None };
        [(lhs, rhs), (rhs, lhs)].into_iter().find_map(|(multiple, rest)| {
            let by = self.divisor(multiple);
            self.is_below(rest, by).then_some((by, &**multiple, &**rest))
        })
    }

    /// Simplifies quotients and remainders.
    pub(crate) fn simplify(&self, expr: &AffineExpr) -> AffineExpr {
        let Binary(op, lhs, rhs) = expr else { return expr.clone() };
        let expr = combine(*op, self.simplify(lhs), self.simplify(rhs));
        let Binary(op @ (AffineOp::FloorDiv | AffineOp::CeilDiv | AffineOp::Mod), lhs, rhs) = &expr else {
            return expr;
        };
        let by = match **rhs {
            Constant(by) if by > 0 => by,
            _ => return expr,
        };
        if let (Some(lower), Some(upper)) = (self.bound(lhs, false), self.bound(lhs, true)) {
            let quotients = match op {
                AffineOp::CeilDiv => (div_ceil(lower, by), div_ceil(upper, by)),
                _ => (div_floor(lower, by), div_floor(upper, by)),
            };
            if *op != AffineOp::Mod && quotients.0 == quotients.1 {
                return Constant(quotients.0);
            }
            if *op == AffineOp::Mod && lower >= 0 && lower < by && upper < by {
                return (**lhs).clone();
            }
        }
        if let Some((divisor, multiple, rest)) = self.multiple_and_rest(lhs) {
            if *op == AffineOp::FloorDiv && divisor != 0 && by % divisor == 0 {
                return combine(AffineOp::FloorDiv, multiple.clone(), Constant(by));
            }
            if *op == AffineOp::Mod && divisor % by == 0 {
                return combine(AffineOp::Mod, rest.clone(), Constant(by));
            }
            return expr;
        }
        let is_zero = match op {
            AffineOp::FloorDiv => self.is_below(lhs, by),
            AffineOp::Mod => self.divisor(lhs) % by == 0,
            _ => false,
        };
        if is_zero { Constant(0) } else { expr }
    }
}

/// The map with quotients and remainders simplified.
pub(crate) fn simplify_map(body: &Body, values: &ValueMap) -> AffineMap {
    let ranges = Ranges::new(body, values);
    let results = values.map.results.iter().map(|expr| ranges.simplify(expr)).collect();
    AffineMap { results, ..values.map.clone() }
}

/// Drops the results that cannot be the minimum or maximum.
pub(crate) fn simplify_extremum(body: &Body, values: &ValueMap, is_max: bool) -> AffineMap {
    if values.operands.is_empty() {
        return values.map.clone();
    }
    let ranges = Ranges::new(body, values);
    let exprs = &values.map.results;
    let bounds: Vec<[Option<i64>; 2]> =
        exprs.iter().map(|expr| [ranges.bound(expr, false), ranges.bound(expr, true)]).collect();
    // The bound of an expression beyond which another one makes it redundant, and the one that makes others redundant. For a
    // maximum, the signs are changed, so that both cases are alike.
    let near = |at: usize| {
        if is_max { bounds[at][1].map(|bound| -i128::from(bound)) } else { bounds[at][0].map(i128::from) }
    };
    let far = |at: usize| {
        if is_max { bounds[at][0].map(|bound| -i128::from(bound)) } else { bounds[at][1].map(i128::from) }
    };
    let is_constant = |at: usize| bounds[at][0].is_some() && bounds[at][0] == bounds[at][1];
    let is_redundant = |at: usize| {
        let Some(own) = near(at) else { return false };
        (0..exprs.len()).filter(|&other| other != at).any(|other| match far(other) {
            Some(bound) if bound < own => true,
            // Of two equal constants, the first stays.
            Some(bound) if bound == own => !(is_constant(at) && is_constant(other) && at < other),
            _ => false,
        })
    };
    let results = (0..exprs.len()).filter(|&at| !is_redundant(at)).map(|at| match bounds[at] {
        [Some(lower), Some(upper)] if lower == upper => Constant(lower),
        _ => exprs[at].clone(),
    });
    AffineMap { results: results.collect(), ..values.map.clone() }
}
