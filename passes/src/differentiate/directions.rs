//! Reverse derivatives by directions.
//!
//! The reverse sweep of a loop, or of the computation of a point of a domain, executes recursive calls in it again, at each
//! level of the recursion. If the cotangents of a function are those of a few numbers, its derivatives in the direction of each
//! of them take a constant number of executions of the function instead, whatever the depth.

use super::tape::TapeRole;
use super::{Engine, Key};
use minoan_ir::{Block, Body, Builder, Op, Type, Value};
use minoan_services::{DiffMode, TangentClass};
use rustc_hash::FxHashSet;

/// Upper bound on the number of directions.
const MAX_DIRECTIONS: usize = 8;

impl Engine<'_> {
    /// Whether a derivative in reverse mode is a combination of derivatives in forward mode. `body` is that of the function.
    pub(super) fn is_by_directions(
        &self,
        module: &Body,
        key: &Key,
        body: &Body,
        entry: Block,
        active: &FxHashSet<Value>,
    ) -> bool {
        if key.mode != DiffMode::Reverse || key.role != TapeRole::Whole || self.writes_memory(module, key.of)
        {
            return false;
        }
        let (Some((args, results)), Some(&own)) =
            (self.signature(module, key.of), self.components(module).get(&key.of))
        else {
            return false;
        };
        let are_numbers = |types: &[Type], chosen: &[bool]| {
            types.iter().zip(chosen).all(|(&ty, &chosen)| !chosen || self.is_number(ty))
        };
        let count = key.args.iter().filter(|&&active| active).count();
        let repeats = |op: Op| {
            let view = body.op(op);
            self.recursive_callee(module, own, view).is_some()
                && self.conditionals_around(body, entry, op).is_none()
                && view.operands().any(|operand| active.contains(&operand))
                && view.results().any(|result| active.contains(&result))
        };
        (1..=MAX_DIRECTIONS).contains(&count)
            && are_numbers(&args, &key.args)
            && are_numbers(&results, &key.seeds)
            && body.walk().into_iter().any(repeats)
    }

    fn is_number(&self, ty: Type) -> bool {
        ty.is_float(self.ctx) && self.class(ty) == TangentClass::Scalar
    }

    /// Creates a derivative in reverse mode from the derivatives in the direction of each argument.
    pub(super) fn build_by_directions(&mut self, module: &mut Body, key: &Key, target: Op) {
        let request = self.memo[key].1;
        let (args, results) = self.signature(module, key.of).expect("the function exists");
        let (inputs, _) = self.derived_signature(key, &args, &results);
        let loc = module.op(target).loc();
        let (mut body, entry, given) = self.new_function(&inputs);
        let (own, cotangents) = given.split_at(args.len());
        let mut b = Builder::at_end(&mut body, entry).with_loc(loc);
        let chosen: Vec<usize> = (0..args.len()).filter(|&at| key.args[at]).collect();
        let (mut values, mut gradients) = (Vec::new(), Vec::new());
        for (number, &direction) in chosen.iter().enumerate() {
            let forward = Key {
                mode: DiffMode::Forward,
                seeds: Vec::new(),
                ones: false,
                value: true,
                // The effects of the function occur once.
                silent: key.silent || number > 0,
                ..key.clone()
            };
            let Some((name, outputs)) = self.derivative(module, forward, request) else { return };
            let mut operands = own.to_vec();
            for &at in &chosen {
                operands.extend(self.ops.filled_like(&mut b, own[at], i64::from(at == direction)));
            }
            let mut found = self.call(&mut b, name, &operands, &outputs);
            let mut tangents = found.split_off(results.len()).into_iter();
            let mut given = cotangents.iter();
            let mut sum = None;
            for (at, &ty) in results.iter().enumerate().filter(|&(_, &ty)| self.is_active_type(ty)) {
                let tangent = tangents.next().expect("each active result has a tangent");
                if !key.seeds[at] {
                    continue;
                }
                debug_assert!(self.is_number(ty), "the cotangents are numbers");
                let term = match given.next() {
                    Some(&cotangent) if !key.ones => self.ops.product(&mut b, cotangent, tangent),
                    _ => tangent,
                };
                sum = Some(match sum {
                    Some(sum) => self.sum(&mut b, sum, term),
                    None => term,
                });
            }
            let zero = self.ops.filled_like(&mut b, own[direction], 0);
            gradients.extend(sum.or(zero));
            if number == 0 {
                values = found;
            }
        }
        let mut returned = if key.value { values } else { Vec::new() };
        returned.extend(gradients);
        b.create(self.functions.return_op(self.ctx, &returned));
        self.clean_all(&mut body);
        *module.nested_mut(target).expect("a declared function has storage for a body") = body;
    }
}
