//! Operations on values and on memory as those of other dialects, as named sets of patterns: of tensors and clones
//! before lowering, of deallocations before the translation to MLIR, since the interpreter has no addresses.
//!
//! The storage of tensors is not observable before `plan-buffers`, so a copy of a tensor is replaced by the tensor. Operations that
//! exchange contents with buffers are kept.

use crate::{AllocTensor, Clone, Dealloc, DeallocTensor, MaterializeInDestination, ToTensor};
use minoan_arith as arith;
use minoan_ir::{Body, Builder, DYNAMIC, OpDef, Type, Value};
use minoan_memref as memref;
use minoan_rewrite::{Matched, NamedPatterns, NoMatch, PatternSet, PatternStage, Rewriter};
use minoan_scf as scf;
use minoan_services::{Alias, AliasModel};
use minoan_tensor as tensor;

pub(crate) const SETS: &[NamedPatterns] = &[
    NamedPatterns {
        name: "bufferization-expand-tensors",
        description: "express copies and destinations of tensors by the tensors",
        stage: PatternStage::BeforeLowering,
        add: |patterns: &mut PatternSet| {
            patterns
                .on("bufferization-expand-alloc-tensor", alloc_tensor)
                .on("bufferization-expand-materialize", materialize)
                .on("bufferization-expand-dealloc-tensor", dealloc_tensor)
                .on("bufferization-expand-clone", clone);
        },
    },
    NamedPatterns {
        name: "bufferization-lower-deallocations",
        description: "express conditional deallocations by comparisons of addresses",
        stage: PatternStage::BeforeTranslation,
        add: |patterns: &mut PatternSet| {
            patterns.on("bufferization-lower-dealloc", dealloc);
        },
    },
];

fn alloc_tensor(op: AllocTensor, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (sizes, copied, ty) = (op.dynamic_sizes(body), op.copy(body), body.ty(op.result(body)));
    if ty.shape(rewriter.context()).is_none() && copied.is_none() {
        return Err(NoMatch::because("the tensor is unranked"));
    }
    let value = copied
        .unwrap_or_else(|| tensor::Empty::build(&mut rewriter.builder(), &sizes, ty).result(rewriter.body()));
    rewriter.replace(op.op(), &[value]);
    Ok(Matched)
}

fn materialize(op: MaterializeInDestination, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let result = op.result(body).ok_or(NoMatch::because("the destination is a buffer"))?;
    let (source, ty) = (op.source(body), body.ty(result));
    let value = match body.ty(source) == ty {
        true => source,
        false => tensor::Cast::build(&mut rewriter.builder(), source, ty).dest(rewriter.body()),
    };
    rewriter.replace(op.op(), &[value]);
    Ok(Matched)
}

/// The buffer that a tensor, possibly through views, is read from.
fn read_from(body: &Body, mut value: Value) -> Option<Value> {
    loop {
        let op = body.defining_op(value)?;
        if let Some(read) = ToTensor::cast(body, op) {
            return Some(read.buffer(body));
        }
        let view = body.op(op);
        let aliases = body.context().service::<dyn AliasModel>(view.kind())?;
        let Alias::ViewOf(base) = aliases.alias(view, view.results().position(|result| result == value)?)
        else {
            return None;
        };
        value = view.operand(base);
    }
}

fn dealloc_tensor(op: DeallocTensor, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    if let Some(buffer) = read_from(body, op.tensor(body)) {
        memref::Dealloc::build(&mut rewriter.builder(), buffer);
    }
    rewriter.erase(op.op());
    Ok(Matched)
}

fn clone(op: Clone, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let (source, to) = (op.input(body), body.ty(op.output(body)));
    // The ranked type of the copy.
    let ranked = [to, body.ty(source)].into_iter().find(|ty| ty.shape(&ctx).is_some());
    let ranked = ranked.ok_or(NoMatch::because("both buffers are unranked"))?;
    let mut b = rewriter.builder();
    let from = match b.ty(source).shape(&ctx) {
        Some(_) => source,
        None => memref::Cast::build(&mut b, source, ranked).dest(b.body()),
    };
    let shape = ranked.shape(&ctx).unwrap_or(&[]);
    // An allocation with a dynamic layout would need its strides.
    let ty = if ranked.is_contiguous(&ctx) {
        ranked
    } else {
        Type::memref(&ctx, shape, ranked.element_or_self(&ctx))
    };
    let mut sizes = Vec::new();
    for (dim, _) in shape.iter().enumerate().filter(|(_, extent)| **extent == DYNAMIC) {
        let dim = arith::constant_index(&mut b, dim as i64);
        sizes.push(memref::Dim::build(&mut b, from, dim).result(b.body()));
    }
    let mut copy = memref::Alloc::build(&mut b, &sizes, &[], None, ty).memref(b.body());
    memref::Copy::build(&mut b, from, copy);
    if ty != to {
        if !memref::cast_fits(&ctx, ty, to) {
            return Err(NoMatch::because("the layout of the copy is not dense"));
        }
        copy = memref::Cast::build(&mut b, copy, to).dest(b.body());
    }
    rewriter.replace(op.op(), &[copy]);
    Ok(Matched)
}

/// The address of the memory of a buffer.
fn address(b: &mut Builder<'_>, buffer: Value) -> Value {
    memref::ExtractAlignedPointerAsIndex::build(b, buffer).aligned_pointer(b.body())
}

fn any(b: &mut Builder<'_>, first: Option<Value>, second: Value) -> Value {
    match first {
        Some(first) => arith::OrI::build(b, first, second).result(b.body()),
        None => second,
    }
}

/// Compares addresses at run time. They do not include the offset of a view, so a view of a buffer has the address of the buffer.
fn dealloc(op: Dealloc, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let (freed, conditions, retained) = (op.memrefs(body), op.conditions(body), op.retained(body));
    let ranked = |&value: &Value| body.ty(value).shape(&ctx).is_some();
    let alone = freed.len() == 1 && retained.is_empty();
    if !alone && !freed.iter().chain(&retained).all(ranked) {
        return Err(NoMatch::because("a buffer is unranked"));
    }
    let mut b = rewriter.builder();
    let yes = arith::constant_bool(&mut b, true);
    let no = arith::constant_bool(&mut b, false);
    let addresses: Vec<Value> = match alone {
        true => Vec::new(),
        false => freed.iter().map(|&buffer| address(&mut b, buffer)).collect(),
    };
    let kept: Vec<Value> = retained.iter().map(|&buffer| address(&mut b, buffer)).collect();
    let mut results: Vec<Option<Value>> = vec![None; kept.len()];
    let mut frees = Vec::new();
    for (at, &condition) in conditions.iter().enumerate() {
        let mut shared = None;
        for (place, &other) in kept.iter().enumerate() {
            let same = arith::cmpi(&mut b, arith::CmpIPredicate::Eq, addresses[at], other);
            shared = Some(any(&mut b, shared, same));
            let owned = arith::AndI::build(&mut b, same, condition).result(b.body());
            results[place] = Some(any(&mut b, results[place], owned));
        }
        for before in 0..at {
            let same = arith::cmpi(&mut b, arith::CmpIPredicate::Eq, addresses[at], addresses[before]);
            let freed = arith::AndI::build(&mut b, same, conditions[before]).result(b.body());
            shared = Some(any(&mut b, shared, freed));
        }
        let frees_it = match shared {
            None => condition,
            Some(shared) => {
                let alone = arith::XOrI::build(&mut b, shared, yes).result(b.body());
                arith::AndI::build(&mut b, condition, alone).result(b.body())
            }
        };
        frees.push(frees_it);
    }
    for (&buffer, condition) in freed.iter().zip(frees) {
        let free = |b: &mut Builder<'_>| {
            memref::Dealloc::build(b, buffer);
            Vec::new()
        };
        scf::If::with(&mut b, condition, &[], free, |_| Vec::new());
    }
    let results: Vec<Value> = results.into_iter().map(|result| result.unwrap_or(no)).collect();
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}
