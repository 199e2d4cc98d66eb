//! Canonicalization of kernels.

use crate::Kernel;
use crate::services::Kernels;
use minoan_ir::{Block, Body, Mapping, Op, OpDef, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::{Alias, AliasModel, KernelOps, TensorOps};

pub(crate) fn patterns(patterns: &mut PatternSet) {
    patterns
        .on("schedule-kernel-forward-results", forward_results)
        .on("schedule-kernel-write-outputs", write_outputs);
}

/// A copy of the contents of a kernel.
struct Contents {
    body: Body,
    entry: Block,
    last: Op,
    args: Vec<Value>,
    yielded: Vec<Value>,
}

impl Contents {
    /// The contents of a kernel on tensors.
    fn of(op: Kernel, rewriter: &Rewriter<'_>) -> Result<Self, NoMatch> {
        let view = rewriter.body().op(op.op());
        if view.n_results() != op.outputs(rewriter.body()).len() {
            return Err(NoMatch::because("an output is a buffer"));
        }
        let missing = || NoMatch::because("the kernel has no body");
        let body = view.nested().map(Body::duplicate).ok_or_else(missing)?;
        let entry = body.region(body.root(0)).entry().ok_or_else(missing)?;
        let last = body.block(entry).last().ok_or_else(missing)?;
        let args = body.block(entry).args().collect();
        let yielded = body.op(last).operands().collect();
        Ok(Self { body, entry, last, args, yielded })
    }

    /// Creates a kernel without a plan before another one, with operands for `args`, which yields `yielded`; returns its results.
    fn create(
        &self,
        rewriter: &mut Rewriter<'_>,
        before: Kernel,
        (ins, outs): (&[Value], &[Value]),
        args: &[Value],
        yielded: &[Value],
    ) -> Vec<Value> {
        let loc = rewriter.op(before.op()).loc();
        rewriter.set_before(before.op());
        rewriter.set_loc(loc);
        let new = Kernels.create(&mut rewriter.builder(), ins, outs, &mut |b, new| {
            let mut mapping = Mapping::new();
            args.iter().zip(new).for_each(|(&at, &to)| mapping.map(at, to));
            for inside in self.body.block(self.entry).ops().filter(|&inside| inside != self.last) {
                let point = b.insertion_point();
                b.body_mut().clone_op_from(&self.body, inside, point, &mut mapping);
            }
            yielded.iter().map(|&value| mapping.value(value)).collect()
        });
        rewriter.op(new).results().collect()
    }
}

/// Replaces the results of a kernel that are the contents of an operand or equal another result, which the folding of a copy
/// leaves. The operand of an output that is not written any more becomes an input if the body reads it. A plan is removed: it
/// names the copy.
fn forward_results(op: Kernel, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let contents = Contents::of(op, rewriter)?;
    let Contents { body: source, last, args, yielded, .. } = &contents;
    let body = rewriter.body();
    let view = body.op(op.op());
    let (inputs, outputs) = (op.inputs(body), op.outputs(body));
    let operands: Vec<Value> = view.operands().collect();
    let forwarded: Vec<Option<Value>> = yielded
        .iter()
        .map(|value| args.iter().position(|arg| arg == value).map(|at| operands[at]))
        .zip(view.result_types())
        .map(|(operand, ty)| operand.filter(|&operand| body.ty(operand) == ty))
        .collect();
    // The first result with the same value.
    let first = |output: usize| {
        let same = |&before: &usize| yielded[before] == yielded[output];
        (0..output).find(same).filter(|_| forwarded[output].is_none())
    };
    let first: Vec<Option<usize>> = (0..yielded.len()).map(first).collect();
    if forwarded.iter().all(Option::is_none) && first.iter().all(Option::is_none) {
        return Err(NoMatch::because("no argument is yielded, and no value twice"));
    }

    let written = |output: usize| forwarded[output].is_none() && first[output].is_none();
    let is_read = |output: usize| source.uses(args[inputs.len() + output]).any(|at| at.op != *last);
    let read = (0..outputs.len()).filter(|&output| !written(output) && is_read(output));
    let ins: Vec<usize> = (0..inputs.len()).chain(read.map(|output| inputs.len() + output)).collect();
    let outs: Vec<usize> = (0..outputs.len()).filter(|&output| written(output)).collect();
    let mut values = Vec::new();
    if !outs.is_empty() {
        let from = ins.iter().copied().chain(outs.iter().map(|output| inputs.len() + output));
        let from: Vec<Value> = from.map(|at| args[at]).collect();
        let ins: Vec<Value> = ins.iter().map(|&at| operands[at]).collect();
        let updated: Vec<Value> = outs.iter().map(|&output| outputs[output]).collect();
        let kept: Vec<Value> = outs.iter().map(|&output| yielded[output]).collect();
        values = contents.create(rewriter, op, (&ins, &updated), &from, &kept);
    }
    let mut values = values.into_iter();
    let mut results: Vec<Value> = Vec::new();
    for (operand, first) in forwarded.into_iter().zip(first) {
        let same = first.map(|first| results[first]);
        results.push(operand.or(same).or_else(|| values.next()).expect("a result for each output"));
    }
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}

/// Lets the operation of a result update the output, if it updates another uninitialized tensor: the folding of a copy to the
/// output leaves this. A plan is removed: it names the copy.
fn write_outputs(op: Kernel, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let mut contents = Contents::of(op, rewriter)?;
    let (inputs, outputs) = (op.inputs(rewriter.body()), op.outputs(rewriter.body()));
    let Contents { body: source, args, yielded, .. } = &mut contents;
    let mut moved = 0;
    for (&value, &arg) in yielded.iter().zip(&args[inputs.len()..]) {
        let Some(root) = updated_tensor(source, value).filter(|&root| root != value) else { continue };
        let is_once = yielded.iter().filter(|&&other| other == value).count() == 1;
        let is_alone = source.uses(root).count() == 1 && !source.is_used(arg);
        if is_once && is_alone && source.ty(root) == source.ty(arg) {
            source.replace_all_uses(root, arg);
            moved += 1;
        }
    }
    if moved == 0 {
        return Err(NoMatch::because("every result updates its output"));
    }
    let results = contents.create(rewriter, op, (&inputs, &outputs), &contents.args, &contents.yielded);
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}

/// The uninitialized tensor that a value in a kernel updates, through any number of operations.
fn updated_tensor(body: &Body, mut value: Value) -> Option<Value> {
    let ctx = body.context();
    while let Some(op) = body.defining_op(value) {
        let view = body.op(op);
        let aliases = ctx.service::<dyn AliasModel>(view.kind());
        let result = view.results().position(|result| result == value)?;
        match aliases.map(|aliases| aliases.alias(view, result)) {
            Some(Alias::UpdateOf(operand)) => value = view.operand(operand),
            _ => {
                let tensors = <dyn TensorOps>::any(ctx);
                return tensors.is_some_and(|tensors| tensors.is_empty(view)).then_some(value);
            }
        }
    }
    None
}
