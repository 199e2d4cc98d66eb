//! The pullback of an operation, by transposing its tangent.

use super::work::{ACTIVE_INSIDE, Work, nested};
use minoan_ir::{Builder, Op, Value};
use minoan_services::{Cotangents, TangentCx, TransposeCx};
use rustc_hash::{FxHashMap, FxHashSet};

impl Work<'_, '_> {
    /// Adds the cotangents of the operands of an operation, given those of its results.
    ///
    /// The tangent is created for placeholders as tangents of the operands. The operations that do not depend on them stay;
    /// the others are linear in them, and are replaced by their transposes in reverse order.
    pub(super) fn pullback(&mut self, b: &mut Builder<'_>, op: Op) {
        let view = b.body().op(op);
        let results: Vec<Value> = view.results().collect();
        let seeds: Vec<Option<Value>> =
            results.iter().map(|result| self.derivatives.remove(result)).collect();
        if seeds.iter().all(Option::is_none) {
            return;
        }
        let Some(rule) = self.engine.rules.and_then(|table| table.get(view.kind())) else {
            return self.report(view, "");
        };
        let (operands, loc): (Vec<Value>, _) = (view.operands().collect(), view.loc());
        if self.uses_active_inside(b.body(), op) {
            return self.report(b.body().op(op), ACTIVE_INSIDE);
        }
        let outside = b.set_loc(loc);
        let tangents: Vec<Option<Value>> = operands
            .iter()
            .map(|&operand| {
                let ty = b.ty(operand);
                self.is_active(operand).then(|| self.engine.ops.placeholder(b, ty))
            })
            .collect();
        let mut found = vec![None; results.len()];
        let mut created = Vec::new();
        let point = b.insertion_point();
        let outcome = {
            let mut recorder = Builder::recording(b.body_mut(), point, &mut created).with_loc(loc);
            rule.tangent(&mut TangentCx::new(&mut recorder, op, &tangents, &mut found).transposed())
        };
        let sources: FxHashMap<Value, Value> = tangents
            .iter()
            .zip(&operands)
            .filter_map(|(tangent, &operand)| Some(((*tangent)?, operand)))
            .collect();
        let (linear, dependent) = self.linear_ops(b, &created, &sources);
        let cause = match seeds[..] {
            [seed] if rule.is_singular(b.body().op(op)) => seed,
            _ => None,
        };
        let mut cotangents =
            Local { work: self, sources: &sources, cause, own: FxHashMap::default(), failed: false };
        if outcome.is_ok() {
            for (&seed, &tangent) in seeds.iter().zip(&found) {
                if let (Some(seed), Some(tangent)) = (seed, tangent) {
                    cotangents.add(b, tangent, seed);
                }
            }
        }
        let mut failure = outcome.err();
        for (op, is_linear) in linear.iter().rev() {
            let results: Vec<Value> = b.body().op(*op).results().collect();
            let given: Vec<Option<Value>> =
                results.iter().map(|result| cotangents.own.remove(result)).collect();
            if failure.is_some() || given.iter().all(Option::is_none) {
                continue;
            }
            let kind = b.body().op(*op).kind();
            let rule = cotangents.work.engine.rules.and_then(|table| table.get(kind));
            let outcome = match rule {
                Some(rule) => {
                    rule.transpose(&mut TransposeCx::new(b, *op, is_linear, &given, &mut cotangents))
                }
                None => cotangents.transpose_domain(b, *op, &given, &dependent),
            };
            if let Err(why) = outcome {
                failure = Some(format!("has a tangent in which '{}' {why}", b.body().op(*op).name()));
            }
        }
        let failed = cotangents.failed;
        for (op, _) in linear.into_iter().rev() {
            if !b.body().op(op).results().any(|result| b.body().is_used(result)) {
                b.body_mut().erase(op);
            }
        }
        // The remaining uses of placeholders of tangents only read their extents, which are those of the operands.
        for (&placeholder, &operand) in &sources {
            b.body_mut().replace_all_uses(placeholder, operand);
            let op = b.body().defining_op(placeholder).expect("a placeholder is a result");
            b.body_mut().erase(op);
        }
        b.set_loc(outside);
        if let Some(why) = failure {
            self.report(b.body().op(op), &why);
        } else if failed {
            self.report(b.body().op(op), "has a derivative that updates a part of an intermediate tensor");
        }
    }

    /// The created operations that depend on tangents, with the operands in which they are linear, and the values that do.
    fn linear_ops(
        &self,
        b: &Builder<'_>,
        created: &[Op],
        sources: &FxHashMap<Value, Value>,
    ) -> (Vec<(Op, Vec<bool>)>, FxHashSet<Value>) {
        let mut dependent: FxHashSet<Value> = sources.keys().copied().collect();
        let mut linear = Vec::new();
        for &op in created {
            let view = b.body().op(op);
            // The result of an operation on extents alone does not depend on elements.
            if !view.results().any(|result| self.engine.is_active_type(b.body().ty(result))) {
                continue;
            }
            let is_linear: Vec<bool> = view.operands().map(|operand| dependent.contains(&operand)).collect();
            let inside = nested(b.body(), op);
            let captures = inside
                .iter()
                .any(|&inner| b.body().op(inner).operands().any(|value| dependent.contains(&value)));
            if is_linear.contains(&true) || captures {
                dependent.extend(view.results());
                linear.push((op, is_linear));
            }
        }
        (linear, dependent)
    }
}

/// The cotangents of placeholders, which are those of the operands, and of the values between them and the results.
struct Local<'l, 'w, 'c> {
    work: &'l mut Work<'w, 'c>,
    sources: &'l FxHashMap<Value, Value>,
    /// The cotangent of the result of an operation with a singularity: where it is zero, those of the operands are.
    cause: Option<Value>,
    own: FxHashMap<Value, Value>,
    failed: bool,
}

impl Local<'_, '_, '_> {
    /// Adds the cotangents of the operands of an operation over an iteration domain that is linear in `dependent`. Only
    /// these are active here: the values of the program are constants in a tangent.
    fn transpose_domain(
        &mut self,
        b: &mut Builder<'_>,
        op: Op,
        given: &[Option<Value>],
        dependent: &FxHashSet<Value>,
    ) -> Result<(), String> {
        let Some(structured) = self.work.engine.structured(b.body_mut(), op, dependent, false) else {
            return Err("is not linear".to_owned());
        };
        let view = b.body().op(op);
        let (results, mut operands): (Vec<Value>, Vec<Value>) =
            (view.results().collect(), view.operands().filter(|value| dependent.contains(value)).collect());
        operands.sort_unstable();
        operands.dedup();
        for &value in &operands {
            let so_far = match self.sources.get(&value) {
                Some(operand) => self.work.derivatives.remove(operand),
                None => self.own.remove(&value),
            };
            self.work.derivatives.extend(so_far.map(|so_far| (value, so_far)));
        }
        let seeds = results.iter().zip(given).filter_map(|(&result, &seed)| Some((result, seed?)));
        self.work.derivatives.extend(seeds);
        let outside = std::mem::replace(&mut self.work.active, dependent.clone());
        self.work.reverse_domain(b, op, &structured);
        self.work.active = outside;
        for value in operands {
            if let Some(cotangent) = self.work.derivatives.remove(&value) {
                self.add(b, value, cotangent);
            }
        }
        Ok(())
    }
}

impl Cotangents for Local<'_, '_, '_> {
    fn add(&mut self, b: &mut Builder<'_>, value: Value, cotangent: Value) {
        if let Some(&operand) = self.sources.get(&value) {
            let cotangent = match self.cause {
                Some(cause) => self.work.engine.ops.zero_without_cause(b, &[cause], cotangent),
                None => cotangent,
            };
            return self.work.accumulate(b, operand, cotangent);
        }
        let sum = match self.own.get(&value) {
            Some(&old) => self.work.engine.sum(b, cotangent, old),
            None => cotangent,
        };
        self.own.insert(value, sum);
    }

    fn update(
        &mut self,
        b: &mut Builder<'_>,
        value: Value,
        f: &mut dyn FnMut(&mut Builder<'_>, Value) -> Value,
    ) {
        match self.sources.get(&value) {
            Some(&operand) => {
                let old = self.work.take_or_zero(b, operand);
                let new = f(b, old);
                self.work.derivatives.insert(operand, new);
            }
            None => match self.own.get(&value).copied() {
                Some(old) => {
                    let new = f(b, old);
                    self.own.insert(value, new);
                }
                None => self.failed = true,
            },
        }
    }
}
