//! Affine maps with their operands, and their canonical form.

use crate::Apply;
use crate::flatten::{combine, simplified_map};
use crate::scope::{is_any_dim, is_symbol};
use minoan_ir::affine::{AffineExpr, AffineMap, IntegerSet};
use minoan_ir::{Body, OpDef, OpRef, Value};
use minoan_services::constant_of;
use rustc_hash::FxHashMap;

/// A map, or the expressions of an integer set as one, and its operands: those of dimensions, then those of symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ValueMap {
    pub(crate) map: AffineMap,
    pub(crate) operands: Vec<Value>,
}

/// Upper bound on the parts of an expression that operations are composed into; expressions are trees, so that a chain of
/// operations could have an expression of exponential size.
const MAX_PARTS: usize = 500;

/// The number of dimensions, symbols and constants in an expression.
fn parts(expr: &AffineExpr) -> usize {
    let mut count = 0;
    expr.for_each_leaf(&mut |_| count += 1);
    count
}

fn dims(range: std::ops::Range<u32>) -> impl Iterator<Item = AffineExpr> {
    range.map(AffineExpr::Dim)
}

fn symbols(range: std::ops::Range<u32>) -> impl Iterator<Item = AffineExpr> {
    range.map(AffineExpr::Symbol)
}

impl ValueMap {
    /// The map of an operation's attribute, with the operands that it is applied to.
    pub(crate) fn of(op: OpRef<'_>, attr: &str, operands: Vec<Value>) -> Option<Self> {
        let map = op.attr_named(attr)?.as_affine_map(op.context())?.clone();
        (map.inputs() == operands.len()).then_some(Self { map, operands })
    }

    /// The expressions of a set.
    pub(crate) fn of_set(set: &IntegerSet, operands: Vec<Value>) -> Self {
        let results = set.constraints.iter().map(|(expr, _)| expr.clone()).collect();
        Self { map: AffineMap { dims: set.dims, symbols: set.symbols, results }, operands }
    }

    /// The set with these expressions in place of its own.
    pub(crate) fn to_set(&self, set: &IntegerSet) -> IntegerSet {
        let flags = set.constraints.iter().map(|&(_, is_equality)| is_equality);
        IntegerSet {
            dims: self.map.dims,
            symbols: self.map.symbols,
            constraints: self.map.results.iter().cloned().zip(flags).collect(),
        }
    }

    pub(crate) fn dim_operands(&self) -> &[Value] {
        &self.operands[..self.map.dims as usize]
    }

    pub(crate) fn symbol_operands(&self) -> &[Value] {
        &self.operands[self.map.dims as usize..]
    }

    /// The operand of a dimension or symbol.
    pub(crate) fn operand_of(&self, leaf: &AffineExpr) -> Option<Value> {
        match leaf {
            AffineExpr::Dim(at) => self.dim_operands().get(*at as usize).copied(),
            AffineExpr::Symbol(at) => self.symbol_operands().get(*at as usize).copied(),
            _ => None,
        }
    }

    /// Replaces dimensions and symbols in the expressions, and the operands.
    fn replace(&mut self, new_dims: &[AffineExpr], new_symbols: &[AffineExpr], operands: [Vec<Value>; 2]) {
        let results = self.map.results.iter().map(|expr| expr.replaced(new_dims, new_symbols)).collect();
        let [dims, symbols] = operands;
        self.map = AffineMap { dims: dims.len() as u32, symbols: symbols.len() as u32, results };
        self.operands = dims;
        self.operands.extend(symbols);
    }

    /// Makes symbols of the dimensions whose operands are symbols, and then dimensions of the symbols whose operands are only
    /// dimensions.
    fn sort_operands(&mut self, body: &Body) {
        let old = self.map.symbols;
        let (mut kept, mut promoted, mut replaced) = (Vec::new(), Vec::new(), Vec::new());
        for &operand in self.dim_operands() {
            if is_symbol(body, operand) {
                replaced.push(AffineExpr::Symbol(old + promoted.len() as u32));
                promoted.push(operand);
            } else {
                replaced.push(AffineExpr::Dim(kept.len() as u32));
                kept.push(operand);
            }
        }
        let all_symbols = [self.symbol_operands(), &promoted].concat();
        self.replace(&replaced, &[], [kept, all_symbols]);
        let (mut all_dims, mut kept, mut replaced) = (self.dim_operands().to_vec(), Vec::new(), Vec::new());
        for &operand in self.symbol_operands() {
            if is_any_dim(body, operand) && !is_symbol(body, operand) {
                replaced.push(AffineExpr::Dim(all_dims.len() as u32));
                all_dims.push(operand);
            } else {
                replaced.push(AffineExpr::Symbol(kept.len() as u32));
                kept.push(operand);
            }
        }
        self.replace(&[], &replaced, [all_dims, kept]);
    }

    /// Drops unused operands, merges equal ones, and replaces symbols by constants.
    pub(crate) fn canonicalize(&mut self, body: &Body) {
        if self.operands.is_empty() {
            return;
        }
        self.sort_operands(body);
        let mut used = vec![false; self.operands.len()];
        let first_symbol = self.map.dims as usize;
        for expr in &self.map.results {
            expr.for_each_leaf(&mut |leaf| match leaf {
                AffineExpr::Dim(at) => used[*at as usize] = true,
                AffineExpr::Symbol(at) => used[first_symbol + *at as usize] = true,
                _ => {}
            });
        }
        let place = |kept: &mut Vec<Value>, operand: Value, make: fn(u32) -> AffineExpr| {
            let at = kept.iter().position(|&known| known == operand).unwrap_or_else(|| {
                kept.push(operand);
                kept.len() - 1
            });
            make(at as u32)
        };
        let (mut kept_dims, mut kept_symbols) = (Vec::new(), Vec::new());
        let unused = || AffineExpr::Constant(0);
        let new_dims: Vec<AffineExpr> = (self.dim_operands().iter().zip(&used))
            .map(
                |(&operand, used)| {
                    if *used { place(&mut kept_dims, operand, AffineExpr::Dim) } else { unused() }
                },
            )
            .collect();
        let new_symbols: Vec<AffineExpr> = (self.symbol_operands().iter().zip(&used[first_symbol..]))
            .map(|(&operand, used)| {
                let known = constant_of(body, operand).and_then(|known| known.as_i64(body.context()));
                match known {
                    _ if !used => unused(),
                    Some(known) => AffineExpr::Constant(known),
                    None => place(&mut kept_symbols, operand, AffineExpr::Symbol),
                }
            })
            .collect();
        self.replace(&new_dims, &new_symbols, [kept_dims, kept_symbols]);
    }

    /// Substitutes the maps of the `affine.apply` that define operands, and canonicalizes and simplifies the result.
    pub(crate) fn compose(&mut self, body: &Body) {
        if self.map.results.is_empty() {
            self.canonicalize(body);
            return;
        }
        // Operands that have been substituted are `None`; the others keep their places.
        let mut operands: [Vec<Option<Value>>; 2] = [
            self.dim_operands().iter().copied().map(Some).collect(),
            self.symbol_operands().iter().copied().map(Some).collect(),
        ];
        let mut results: Vec<AffineExpr> = self.map.results.to_vec();
        let mut applied: FxHashMap<Value, Option<ValueMap>> = FxHashMap::default();
        let mut at = 0;
        while at < operands[0].len() + operands[1].len() {
            let n_dims = operands[0].len();
            let (list, place) = if at < n_dims { (0, at) } else { (1, at - n_dims) };
            let source = operands[list][place].and_then(|value| {
                applied.entry(value).or_insert_with(|| Self::of_apply(body, value)).clone()
            });
            let Some(source) = source else {
                at += 1;
                continue;
            };
            let (n_dims, n_symbols) = (n_dims as u32, operands[1].len() as u32);
            let own_dims: Vec<AffineExpr> = dims(n_dims..n_dims + source.map.dims).collect();
            let own_symbols: Vec<AffineExpr> = symbols(n_symbols..n_symbols + source.map.symbols).collect();
            let by = source.map.results[0].replaced(&own_dims, &own_symbols);
            let (mut new_dims, mut new_symbols): (Vec<_>, Vec<_>) =
                (dims(0..n_dims).collect(), symbols(0..n_symbols).collect());
            if list == 0 {
                new_dims[place] = by;
            } else {
                new_symbols[place] = by;
            }
            let substituted: Vec<AffineExpr> =
                results.iter().map(|expr| expr.replaced(&new_dims, &new_symbols)).collect();
            if substituted.iter().any(|expr| parts(expr) > MAX_PARTS) {
                at += 1;
                continue;
            }
            results = substituted;
            operands[list][place] = None;
            operands[0].extend(source.dim_operands().iter().copied().map(Some));
            operands[1].extend(source.symbol_operands().iter().copied().map(Some));
            at = 0;
        }
        let [dim_list, symbol_list] = operands;
        let renumbered = |list: &[Option<Value>], make: fn(u32) -> AffineExpr| -> Vec<AffineExpr> {
            let mut next = 0;
            let place = |value: &Option<Value>| match value {
                Some(_) => {
                    next += 1;
                    make(next - 1)
                }
                None => AffineExpr::Constant(0),
            };
            list.iter().map(place).collect()
        };
        let (new_dims, new_symbols) =
            (renumbered(&dim_list, AffineExpr::Dim), renumbered(&symbol_list, AffineExpr::Symbol));
        self.map.results = results.into();
        let lists = [dim_list, symbol_list].map(|list| list.into_iter().flatten().collect());
        self.replace(&new_dims, &new_symbols, lists);
        self.canonicalize(body);
        self.map = simplified_map(&self.map);
    }

    /// The canonical map of the `affine.apply` that defines a value.
    fn of_apply(body: &Body, value: Value) -> Option<Self> {
        let apply = Apply::cast(body, body.defining_op(value)?)?;
        let mut source = Self::of(body.op(apply.op()), "map", apply.map_operands(body))?;
        (source.map.results.len() == 1).then_some(())?;
        source.canonicalize(body);
        Some(source)
    }
}

/// `expr + constant`.
pub(crate) fn plus(expr: AffineExpr, constant: i64) -> AffineExpr {
    combine(minoan_ir::affine::AffineOp::Add, expr, AffineExpr::Constant(constant))
}
