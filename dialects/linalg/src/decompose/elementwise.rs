//! Elementwise operations on tensors as `linalg.generic`.

use super::empty_like;
use crate::Generic;
use minoan_ir::affine::AffineMap;
use minoan_ir::{Op, OpDef, OpState, Traits, Type, Value};
use minoan_rewrite::{Matched, NoMatch, Pattern, PatternSet, Rewriter, Root};
use minoan_services::{IterationDomain, IteratorType};

pub(super) fn add(patterns: &mut PatternSet) {
    patterns.add(ToGeneric);
}

/// Converts an operation on ranked tensors to a `linalg.generic` whose region contains the operation on elements. An operand that
/// is not a tensor is read at every point. Unlike upstream, a select between tensors of unknown extents by a scalar condition is
/// not converted: the loop would read out of bounds if the extents differ. As upstream, an operand of the result's type is used
/// as the output.
struct ToGeneric;

impl Pattern for ToGeneric {
    fn name(&self) -> &str {
        "elementwise-to-generic"
    }

    fn root(&self) -> Root {
        Root::Trait(Traits::ELEMENTWISE)
    }

    fn generated(&self) -> &[&'static str] {
        &["linalg.generic", "tensor.empty", "tensor.dim"]
    }

    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        let ctx = rewriter.context().clone();
        let view = rewriter.op(op);
        let operands: Vec<Value> = view.operands().collect();
        let results: Vec<Type> = view.result_types().collect();
        let is_tensor = |ty: Type| ty.is_tensor(&ctx) && ty.rank(&ctx).is_some();
        let first = operands.iter().copied().find(|&operand| is_tensor(rewriter.ty(operand)));
        let Some(first) = first.filter(|_| results.iter().all(|&ty| is_tensor(ty)) && !results.is_empty())
        else {
            return Err(NoMatch::because("it is not an operation on ranked tensors"));
        };
        // A select between tensors of unknown extents by a scalar condition is not elementwise.
        let domain = ctx.service::<dyn IterationDomain>(view.kind());
        if domain.is_some_and(|service| service.domain(view).is_none()) {
            return Err(NoMatch::because("the tensors may differ in their extents"));
        }
        let rank = rewriter.ty(first).rank(&ctx).unwrap_or(0) as u32;
        let scalar = |ty: Type| ty.element_or_self(&ctx);
        let state = OpState::new(view.kind()).props(view.props()).attrs(view.attrs());
        let state = state.results(&results.iter().map(|&ty| scalar(ty)).collect::<Vec<_>>());
        let mut b = rewriter.builder();
        let outputs: Vec<Value> = results
            .iter()
            .map(|&ty| match operands.iter().copied().find(|&operand| b.ty(operand) == ty) {
                Some(operand) => operand,
                None => empty_like(&mut b, ty, first),
            })
            .collect();
        let read_at = |ty: Type| match is_tensor(ty) {
            true => AffineMap::identity(rank),
            false => AffineMap::projection(rank, &[]),
        };
        let inputs = operands.iter().map(|&operand| read_at(b.ty(operand)));
        let maps: Vec<AffineMap> = inputs.chain(outputs.iter().map(|_| AffineMap::identity(rank))).collect();
        let iterators = vec![IteratorType::Parallel; rank as usize];
        let generic = Generic::with(&mut b, &operands, &outputs, &maps, &iterators, |b, elements| {
            let on_elements = b.create(state.operands(&elements[..operands.len()]));
            b.body().op(on_elements).results().collect()
        });
        let values: Vec<Value> = b.body().op(generic.op()).results().collect();
        rewriter.replace(op, &values);
        Ok(Matched)
    }
}
