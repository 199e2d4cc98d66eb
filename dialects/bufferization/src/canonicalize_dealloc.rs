//! Canonical patterns of `bufferization.dealloc`.

use crate::Dealloc;
use crate::canonicalize::dealloc_state;
use minoan_arith as arith;
use minoan_ir::{Attr, Op, OpDef, Type, Value};
use minoan_memref as memref;
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};

pub(crate) fn add(patterns: &mut PatternSet) {
    patterns
        .on("bufferization-dealloc-duplicate", merge_freed)
        .on("bufferization-dealloc-duplicate-retained", merge_retained)
        .on("bufferization-dealloc-nothing", erase_empty)
        .on("bufferization-dealloc-never", erase_never)
        .on("bufferization-dealloc-base-of-alloc", base_of_alloc)
        .on("bufferization-dealloc-unused-alloc", erase_unused_alloc);
}

/// The freed buffers, each with its condition.
fn freed(op: Dealloc, rewriter: &Rewriter<'_>) -> Vec<(Value, Value)> {
    let body = rewriter.body();
    op.memrefs(body).into_iter().zip(op.conditions(body)).collect()
}

/// Replaces the operation by one with other operands and as many results.
fn with(
    op: Dealloc,
    rewriter: &mut Rewriter<'_>,
    freed: &[(Value, Value)],
    retained: &[Value],
) -> Result<Matched, NoMatch> {
    let state = dealloc_state(rewriter, op, freed, retained);
    rewriter.replace_by(op.op(), state);
    Ok(Matched)
}

/// Frees a buffer once, if one of its conditions holds.
fn merge_freed(op: Dealloc, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (all, retained) = (freed(op, rewriter), op.retained(rewriter.body()));
    let mut kept: Vec<(Value, Value)> = Vec::with_capacity(all.len());
    for &(buffer, condition) in &all {
        match kept.iter_mut().find(|(other, _)| *other == buffer) {
            None => kept.push((buffer, condition)),
            Some((_, other)) if *other == condition => {}
            Some((_, other)) => {
                *other =
                    arith::OrI::build(&mut rewriter.builder(), *other, condition).result(rewriter.body());
            }
        }
    }
    if kept.len() == all.len() {
        return Err(NoMatch::because("each buffer occurs once"));
    }
    with(op, rewriter, &kept, &retained)
}

/// Retains a buffer once.
fn merge_retained(op: Dealloc, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (all, retained) = (freed(op, rewriter), op.retained(rewriter.body()));
    let mut kept: Vec<Value> = Vec::with_capacity(retained.len());
    let mut places = Vec::with_capacity(retained.len());
    for &buffer in &retained {
        let at = kept.iter().position(|&other| other == buffer);
        places.push(at.unwrap_or(kept.len()));
        if at.is_none() {
            kept.push(buffer);
        }
    }
    if kept.len() == retained.len() {
        return Err(NoMatch::because("each retained buffer occurs once"));
    }
    let state = dealloc_state(rewriter, op, &all, &kept);
    let new = rewriter.create(state);
    let results: Vec<Value> = places.into_iter().map(|at| rewriter.op(new).result(at)).collect();
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}

fn constant(op: Dealloc, rewriter: &mut Rewriter<'_>, value: bool) -> Result<Value, NoMatch> {
    rewriter.constant(op.op(), Attr::bool(value), Type::I1)
}

/// Nothing is freed, so no retained buffer is owned.
fn erase_empty(op: Dealloc, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    if !op.memrefs(body).is_empty() {
        return Err(NoMatch::because("it frees a buffer"));
    }
    let count = body.op(op.op()).n_results();
    let results = match count {
        0 => Vec::new(),
        count => vec![constant(op, rewriter, false)?; count],
    };
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}

fn is_constant(rewriter: &Rewriter<'_>, condition: Value, value: bool) -> bool {
    rewriter.constant_of(condition).and_then(|attr| attr.as_bool(rewriter.context())) == Some(value)
}

/// Leaves out buffers that are never freed.
fn erase_never(op: Dealloc, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (mut all, retained) = (freed(op, rewriter), op.retained(rewriter.body()));
    let before = all.len();
    all.retain(|&(_, condition)| !is_constant(rewriter, condition, false));
    if all.len() == before {
        return Err(NoMatch::because("no condition is false"));
    }
    with(op, rewriter, &all, &retained)
}

/// Frees an allocation instead of its base buffer.
fn base_of_alloc(op: Dealloc, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (mut all, retained) = (freed(op, rewriter), op.retained(rewriter.body()));
    let body = rewriter.body();
    let mut found = false;
    for (buffer, _) in &mut all {
        let metadata =
            body.defining_op(*buffer).and_then(|def| memref::ExtractStridedMetadata::cast(body, def));
        let source = metadata.map(|metadata| metadata.source(body));
        if let Some(source) = source.filter(|&source| alloc(rewriter, source).is_some()) {
            *buffer = source;
            found = true;
        }
    }
    if !found {
        return Err(NoMatch::because("no buffer is the base of an allocation"));
    }
    with(op, rewriter, &all, &retained)
}

/// The allocation that defines a buffer.
fn alloc(rewriter: &Rewriter<'_>, buffer: Value) -> Option<Op> {
    rewriter.body().defining_op(buffer).filter(|&def| rewriter.op(def).is::<memref::Alloc>())
}

/// Erases allocations that are only freed.
fn erase_unused_alloc(op: Dealloc, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (all, retained) = (freed(op, rewriter), op.retained(rewriter.body()));
    let is_unused = |&(buffer, condition): &(Value, Value)| {
        is_constant(rewriter, condition, true)
            && alloc(rewriter, buffer).is_some()
            && rewriter.body().only_use(buffer).is_some_and(|place| place.op == op.op())
    };
    let (unused, kept): (Vec<_>, Vec<_>) = all.iter().copied().partition(is_unused);
    if unused.is_empty() {
        return Err(NoMatch::because("each buffer has other uses, or is no allocation"));
    }
    with(op, rewriter, &kept, &retained)?;
    for (buffer, _) in unused {
        if let Some(alloc) = alloc(rewriter, buffer) {
            rewriter.erase(alloc);
        }
    }
    Ok(Matched)
}
