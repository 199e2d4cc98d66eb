//! Verification of `linalg.fill`, `linalg.map`, `linalg.reduce`, `linalg.broadcast` and `linalg.transpose`.

use crate::structured;
use minoan_ir::text::print_type;
use minoan_ir::verify::bare;
use minoan_ir::{Body, Op, OpRef, Type, TypeData, Violation, Violations};

fn shape(op: OpRef<'_>, operand: usize) -> &[i64] {
    op.operand_types().nth(operand).and_then(|ty| ty.shape(op.context())).unwrap_or(&[])
}

/// Reports the violation that `check` finds, and those of the rules of all structured operations.
fn report(
    body: &Body,
    op: Op,
    errors: &mut Violations,
    check: impl FnOnce(OpRef<'_>) -> Result<(), Violation>,
) {
    match check(body.op(op)) {
        Ok(()) => structured::verify(body, op, errors),
        Err(violation) => errors.push(violation),
    }
}

/// Prints extents separated by commas: `4, 5`.
fn list(shape: &[i64]) -> String {
    shape.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

fn block_args(op: OpRef<'_>) -> Vec<Type> {
    let body = op.body();
    let entry = op.own_regions().next().and_then(|region| body.region(region).entry());
    entry.map(|entry| body.block(entry).args().map(|arg| body.ty(arg)).collect()).unwrap_or_default()
}

pub(crate) fn verify_fill(body: &Body, op: Op, errors: &mut Violations) {
    report(body, op, errors, |op| {
        structured::verify_destinations(op)?;
        let ctx = op.context();
        let types: Vec<Type> = op.operand_types().collect();
        let [value, output] = types[..] else { return Err(bare("expected op with 1 input and 1 output")) };
        if matches!(value.data(ctx), TypeData::RankedTensor { .. } | TypeData::MemRef { .. }) {
            return Err(bare("expected op with scalar input"));
        }
        let element = output.element_or_self(ctx);
        if value != element {
            let (value, element) = (print_type(ctx, value), print_type(ctx, element));
            return Err(format!(
                "expected fill value type ('{value}') to match output element type ('{element}')"
            )
            .into());
        }
        Ok(())
    });
}

pub(crate) fn verify_map(body: &Body, op: Op, errors: &mut Violations) {
    report(body, op, errors, |op| {
        let (ctx, args) = (op.context(), block_args(op));
        if args.len() != op.n_operands() {
            return Err(format!(
                "expects number of operands to match the arity of mapper, but got: {} and {}",
                op.n_operands(),
                args.len()
            )
            .into());
        }
        let output = op.n_operands() - 1;
        for (input, &arg) in op.operand_types().take(output).zip(&args) {
            let element = input.element_or_self(ctx);
            if element != arg {
                let (element, arg) = (print_type(ctx, element), print_type(ctx, arg));
                return Err(format!(
                    "expected element type of input '{element}' to match bbArg type '{arg}'"
                )
                .into());
            }
        }
        for input in 0..output {
            if shape(op, input) != shape(op, output) {
                let (have, want) = (list(shape(op, input)), list(shape(op, output)));
                return Err(
                    format!("expected shape of input ({have}) to match shape of output ({want})").into()
                );
            }
        }
        Ok(())
    });
}

pub(crate) fn verify_reduce(body: &Body, op: Op, errors: &mut Violations) {
    report(body, op, errors, |op| {
        let (ctx, many) = (op.context(), op.n_operands() / 2);
        if many == 0 || op.n_operands() % 2 != 0 {
            return Err("expects as many outputs as inputs".into());
        }
        for (first, what, place) in [(0, "inputs", "input"), (many, "outputs", "output")] {
            if let Some(at) = (1..many).find(|&at| shape(op, first + at) != shape(op, first)) {
                return Err(format!(
                    "expects all {what} to have the same shapes. Shape at {place}-index {at} is not equal to the shape at {place}-index 0."
                ).into());
            }
        }
        let (input, init) = (shape(op, 0), shape(op, many));
        let numbers = op.attr_named("dimensions").and_then(|attr| attr.as_dense_i64(ctx)).unwrap_or_default();
        if numbers.iter().any(|&dim| dim < 0 || dim >= input.len() as i64) {
            let last = input.len() as i64 - 1;
            return Err(format!("dimensions for reduction should be in the range [0, {last}].").into());
        }
        let left = input.iter().enumerate().filter(|(dim, _)| !numbers.contains(&(*dim as i64)));
        let left: Vec<i64> = left.map(|(_, &extent)| extent).collect();
        if left.len() != init.len() {
            let (left, init) = (left.len(), init.len());
            return Err(format!(
                "number of dimensions after reduction {left} doesn't match the init rank {init}"
            )
            .into());
        }
        if left != init {
            let (left, init) = (list(&left), list(init));
            return Err(format!(
                "init dimensions [{init}] doesn't match input dimensions after reduction [{left}]"
            )
            .into());
        }
        let args = block_args(op);
        if args.len() != op.n_operands() {
            return Err("mismatching number of operands and block arguments".into());
        }
        for (at, (ty, &arg)) in op.operand_types().zip(&args).enumerate() {
            let element = ty.element_or_self(ctx);
            if element != arg {
                let what = if at < many { "input" } else { "output" };
                let (element, arg) = (print_type(ctx, element), print_type(ctx, arg));
                return Err(format!(
                    "{what} element type '{element}' does not match corresponding block argument type '{arg}'"
                )
                .into());
            }
        }
        Ok(())
    });
}

pub(crate) fn verify_broadcast(body: &Body, op: Op, errors: &mut Violations) {
    report(body, op, errors, |op| {
        let (input, init) = (shape(op, 0), shape(op, 1));
        let numbers = op.attr_named("dimensions").and_then(|attr| attr.as_dense_i64(op.context()));
        let numbers = numbers.unwrap_or_default();
        let (input_rank, added, init_rank) = (input.len(), numbers.len(), init.len());
        if input_rank + added != init_rank {
            return Err(format!(
                "input rank plus added dimensions does not match init rank. input rank: {input_rank}, dimensions size: {added}, init rank: {init_rank}"
            ).into());
        }
        if let Some(at) = numbers.iter().position(|&dim| dim < 0 || dim >= init_rank as i64) {
            return Err(format!(
                "dimension {at} is out of range. expected range: [0, {}], got: {}",
                init_rank as i64 - 1,
                numbers[at]
            )
            .into());
        }
        let kept = (0..init_rank).filter(|&dim| !numbers.contains(&(dim as i64)));
        for (from, to) in kept.enumerate().take(input_rank) {
            if input[from] != init[to] {
                return Err(format!(
                    "input dim {from} should match init dim {to}. input: {}, init: {}",
                    input[from], init[to]
                )
                .into());
            }
        }
        Ok(())
    });
}

pub(crate) fn verify_transpose(body: &Body, op: Op, errors: &mut Violations) {
    report(body, op, errors, |op| {
        let (input, init) = (shape(op, 0), shape(op, 1));
        let numbers = op.attr_named("permutation").and_then(|attr| attr.as_dense_i64(op.context()));
        let numbers = numbers.unwrap_or_default();
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..sorted.len() as i64) {
            return Err("permutation is not valid".into());
        }
        let (rank, init_rank) = (input.len(), init.len());
        if rank != init_rank {
            return Err(format!("input rank {rank} does not match init rank {init_rank}").into());
        }
        if rank != numbers.len() {
            let size = numbers.len();
            return Err(format!("size of permutation {size} does not match the argument rank {rank}").into());
        }
        for (dim, &from) in numbers.iter().enumerate() {
            let (have, want) = (init[dim], input[from as usize]);
            if have != want {
                return Err(format!(
                    "dim(result, {dim}) = {have} doesn't match dim(input, permutation[{dim}]) = {want}"
                )
                .into());
            }
        }
        Ok(())
    });
}
