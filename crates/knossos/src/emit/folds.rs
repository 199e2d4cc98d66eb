//! Emission of the primitives that derivatives of `fold` and `map` consist of.

use super::expr::Scope;
use super::linear::{Direction, Map};
use crate::ast::ExprId;
use crate::prims::Prim;
use minoan_ir::{Builder, Value};
use minoan_knossos_dialect as ks;
use std::rc::Rc;

impl Scope<'_, '_> {
    /// Emits `lmFold`: the map of a fold, whose residual is the zero tangent of the free variables and the vector of the
    /// residuals of the steps.
    pub(super) fn linear_fold(&mut self, b: &mut Builder<'_>, args: &[ExprId]) -> Option<(Map, Value)> {
        let &[zero, f, df, start, vector] = args else { return self.no_function(args) };
        let values = self.exprs(b, &[zero, start, vector])?;
        let (f, df) = (self.lambda(f)?, self.lambda(df)?);
        let mut map = None;
        let made = ks::Scan::with(b, values[1], values[2], ks::ScanOrder::Forward, |b, args| {
            let next = self.apply(b, f, args)?;
            let params = self.spread(b, args, df.params.len());
            self.values.extend(df.params.iter().copied().zip(params));
            let (step, residual) = self.linear(b, df.body)?;
            map = Some(step);
            Some(self.tuple(b, &[next, residual]))
        })?;
        let steps = self.get(b, made, 1);
        Some((Map::Fold(Rc::new(map?)), self.tuple(b, &[values[0], steps])))
    }

    /// Applies the map of a fold: forward to a tangent of `(free, (start, vector))`, transposed to one of the result.
    pub(super) fn applied_fold(
        &mut self,
        b: &mut Builder<'_>,
        direction: Direction,
        step: &Map,
        residual: Value,
        value: Value,
    ) -> Option<Value> {
        let (zero, steps) = (self.get(b, residual, 0), self.get(b, residual, 1));
        if direction == Direction::Forward {
            let (free, rest) = (self.get(b, value, 0), self.get(b, value, 1));
            let (start, vector) = (self.get(b, rest, 0), self.get(b, rest, 1));
            let indices = self.indices_of(b, steps, vector)?;
            return ks::Fold::with(b, start, indices, |b, args| {
                let [residual, element] =
                    [steps, vector].map(|tensor| ks::Index::build(b, tensor, &args[1..]).result(b.body()));
                let own = self.tuple(b, &[args[0], element]);
                let tangent = self.tuple(b, &[free, own]);
                self.applied(b, direction, step, residual, tangent)
            });
        }
        let start = self.tuple(b, &[value, zero]);
        let made = ks::Scan::with(b, start, steps, ks::ScanOrder::Reverse, |b, args| {
            let (cotangent, free) = (self.get(b, args[0], 0), self.get(b, args[0], 1));
            let given = self.applied(b, direction, step, args[1], cotangent)?;
            self.reverse_step(b, given, free)
        })?;
        Some(self.reverse_result(b, made))
    }

    /// The value that a step of the reverse scan of a fold yields. `given` is its tangents, `(free, (accumulator, element))`.
    fn reverse_step(&mut self, b: &mut Builder<'_>, given: Value, free: Value) -> Option<Value> {
        let (own, rest) = (self.get(b, given, 0), self.get(b, given, 1));
        let (cotangent, element) = (self.get(b, rest, 0), self.get(b, rest, 1));
        let free = ks::TsAdd::build(b, free, own).result(b.body());
        let next = self.tuple(b, &[cotangent, free]);
        Some(self.tuple(b, &[next, element]))
    }

    /// The tangents `(free, (start, vector))` that the reverse scan of a fold computes.
    fn reverse_result(&mut self, b: &mut Builder<'_>, made: Value) -> Value {
        let (last, vector) = (self.get(b, made, 0), self.get(b, made, 1));
        let (start, free) = (self.get(b, last, 0), self.get(b, last, 1));
        let rest = self.tuple(b, &[start, vector]);
        self.tuple(b, &[free, rest])
    }

    /// The vector of the indices of a vector, which stops the program if another one has a different size.
    fn indices_of(&mut self, b: &mut Builder<'_>, vector: Value, other: Value) -> Option<Value> {
        let [size, found] = [vector, other].map(|tensor| ks::Size::build(b, tensor).result(b.body()));
        let same = ks::Eq::build(b, size, found).result(b.body());
        ks::Assert::build(b, same);
        ks::Build::with(b, &[size], |_, indices| Some(indices[0]))
    }

    /// Emits a call of `FFold`, `RFold`, `suffwdpass_map` or `sufrevpass_map`.
    pub(super) fn derived_loop(&mut self, b: &mut Builder<'_>, prim: Prim, args: &[ExprId]) -> Option<Value> {
        match (prim, args) {
            (Prim::FFold, &[f, start, vector, df, d_start, d_vector]) => {
                let values = self.exprs(b, &[start, vector, d_start, d_vector])?;
                let &[start, vector, d_start, d_vector] = &values[..] else { return None };
                let (f, df) = (self.lambda(f)?, self.lambda(df)?);
                let indices = self.indices_of(b, vector, d_vector)?;
                let start = self.tuple(b, &[start, d_start]);
                let last = ks::Fold::with(b, start, indices, |b, args| {
                    let (value, tangent) = (self.get(b, args[0], 0), self.get(b, args[0], 1));
                    let [element, d_element] = [vector, d_vector]
                        .map(|tensor| ks::Index::build(b, tensor, &args[1..]).result(b.body()));
                    let next = self.apply(b, f, &[value, element])?;
                    let own = self.tuple(b, &[value, element]);
                    let tangents = self.tuple(b, &[tangent, d_element]);
                    let d_next = self.apply(b, df, &[own, tangents])?;
                    Some(self.tuple(b, &[next, d_next]))
                })?;
                Some(self.get(b, last, 1))
            }
            (Prim::RFold, &[element, free, f, df, start, vector, cotangent]) => {
                let values = self.exprs(b, &[element, free, start, vector, cotangent])?;
                let &[_, free, start, vector, cotangent] = &values[..] else { return None };
                let (f, df) = (self.lambda(f)?, self.lambda(df)?);
                let made = ks::Scan::with(b, start, vector, ks::ScanOrder::Forward, |b, args| {
                    let next = self.apply(b, f, args)?;
                    Some(self.tuple(b, &[next, args[0]]))
                })?;
                let states = self.get(b, made, 1);
                let indices = self.indices_of(b, vector, states)?;
                let start = self.tuple(b, &[cotangent, free]);
                let made = ks::Scan::with(b, start, indices, ks::ScanOrder::Reverse, |b, args| {
                    let (cotangent, free) = (self.get(b, args[0], 0), self.get(b, args[0], 1));
                    let own = [states, vector]
                        .map(|tensor| ks::Index::build(b, tensor, &args[1..]).result(b.body()));
                    let own = self.tuple(b, &own);
                    let given = self.apply(b, df, &[own, cotangent])?;
                    self.reverse_step(b, given, free)
                })?;
                Some(self.reverse_result(b, made))
            }
            (Prim::SufFwdPassMap, &[f, tensor]) => {
                let tensor = self.expr(b, tensor)?;
                let f = self.lambda(f)?;
                let made = ks::Map::with(b, &[tensor], |b, args| self.apply(b, f, args))?;
                Some(ks::Unzip::build(b, made).result(b.body()))
            }
            (Prim::SufRevPassMap, &[free, f, tangents, bags]) => {
                let values = self.exprs(b, &[free, tangents, bags])?;
                let f = self.lambda(f)?;
                let made = ks::Map2::with(b, &values[1..], |b, args| self.apply(b, f, args))?;
                let made = ks::Unzip::build(b, made).result(b.body());
                let (own, terms) = (self.get(b, made, 0), self.get(b, made, 1));
                let is_vector =
                    ks::tensor_parts(self.emitter.ctx, b.ty(terms)).is_some_and(|(rank, _)| rank == 1);
                let sum = if is_vector {
                    ks::Fold::with(b, values[0], terms, |b, args| {
                        Some(ks::TsAdd::build(b, args[0], args[1]).result(b.body()))
                    })?
                } else {
                    let sum = ks::Sum::build(b, terms).result(b.body());
                    ks::TsAdd::build(b, values[0], sum).result(b.body())
                };
                Some(self.tuple(b, &[own, sum]))
            }
            _ => self.no_function(args),
        }
    }

    /// Reports an argument list that is given as one tuple, in which functions have no values.
    pub(super) fn no_function<T>(&mut self, args: &[ExprId]) -> Option<T> {
        self.emitter.unsupported(self.span(*args.first()?), "a function value in a tuple");
        None
    }
}
