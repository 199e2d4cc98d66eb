//! Canonicalization patterns that cancel inverse data movements and combine consecutive ones.

use crate::named::Copy;
use crate::relayout::{TILES, Tiling, tile_values};
use crate::{Broadcast, Generic, Pack, Unpack, Yield, structured};
use minoan_ir::{Attr, Block, DYNAMIC, Op, OpDef, OpRef, Type, Value};
use minoan_memref::slices::numbers;
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};

/// Adds the patterns.
pub(crate) fn add(patterns: &mut PatternSet) {
    patterns
        .on("linalg-pack-of-unpack", |op: Pack, rewriter| inverse::<Unpack>(op.op(), rewriter))
        .on("linalg-unpack-of-pack", |op: Unpack, rewriter| inverse::<Pack>(op.op(), rewriter))
        .on("linalg-pack-needless-padding", drop_padding)
        .on("linalg-broadcast-broadcast", broadcast)
        .on("linalg-self-copy", |op: Copy, rewriter| self_copy(op.op(), rewriter))
        .on("linalg-identity", |op: Generic, rewriter| identity(op.op(), rewriter));
}

/// The definition of an operand, if it is a `T`.
fn source<T: OpDef>(rewriter: &Rewriter<'_>, op: Op) -> Result<Op, NoMatch> {
    let body = rewriter.body();
    let from = body.defining_op(rewriter.op(op).operand(0));
    let from = from.filter(|&from| body.op(from).is::<T>());
    from.ok_or_else(|| NoMatch::because("the operand is defined by another operation"))
}

/// Cancels a pack of an unpack with the same tiles, and vice versa. An unpack into an array of unknown extents stays, since
/// that array may end earlier than the packed one did, within the same tiles.
fn inverse<T: OpDef>(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let first = source::<T>(rewriter, op)?;
    let (first, second) = (rewriter.op(first), rewriter.op(op));
    let original = first.operand(0);
    let has_padding = |op: OpRef<'_>| op.is::<Pack>() && !op.operand_group(2).is_empty();
    let ctx = rewriter.context();
    let array = if second.is::<Pack>() { second.operand(0) } else { second.operand(1) };
    let rank = rewriter.ty(array).rank(ctx).unwrap_or(0);
    let [one, other] = [first, second].map(|op| {
        let tiling = Tiling::of(op, rank).ok()?;
        Some((tiling.cut, tiling.order, numbers(op, TILES), tile_values(op)))
    });
    if Some(rewriter.ty(original)) != second.result_types().next() {
        return Err(NoMatch::because("the types differ"));
    }
    if has_padding(first) || has_padding(second) || one.is_none() || one != other {
        return Err(NoMatch::because("the tiles differ or are padded"));
    }
    let shape = rewriter.ty(array).shape(ctx).unwrap_or(&[]);
    let has_open_extent = |cut: &[usize]| cut.iter().any(|&dim| shape[dim] == DYNAMIC);
    if second.is::<Unpack>() && one.is_some_and(|(cut, ..)| has_open_extent(&cut)) {
        return Err(NoMatch::because("the array may have another extent"));
    }
    rewriter.replace(op, &[original]);
    Ok(Matched)
}

/// Drops the padding value if all tiles are known to be full.
fn drop_padding(pack: Pack, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (op, ctx) = (rewriter.op(pack.op()), rewriter.context().clone());
    let padding = op.operand_group(2);
    let [array, tiles] = [0, 1].map(|at| rewriter.ty(op.operand(at)).shape(&ctx).unwrap_or(&[]));
    let tiling = Tiling::of(op, array.len()).map_err(NoMatch::because)?;
    if padding.is_empty() || !tiling.is_full(array, tiles) {
        return Err(NoMatch::because("a tile may need its padding"));
    }
    let (source, dest, sizes) = (op.operand(0), op.operand(1), op.operand_group(3).to_vec());
    let segments = Attr::dense_i32(&ctx, &[1, 1, 0, sizes.len() as i32]);
    let name = ctx.name("operandSegmentSizes");
    let old = op.props().as_dictionary(&ctx).unwrap_or(&[]);
    let props: Vec<_> =
        old.iter().map(|&(key, value)| (key, if key == name { segments } else { value })).collect();
    let state = minoan_ir::OpState::new(op.kind()).operands(&[source, dest]).operands(&sizes);
    let results: Vec<Type> = op.result_types().collect();
    let state = state.results(&results).props(Attr::dictionary(&ctx, &props)).attrs(op.attrs());
    rewriter.replace_by(pack.op(), state);
    Ok(Matched)
}

/// Erases a broadcast without effect, and combines a broadcast with a broadcast of its input.
fn broadcast(op: Broadcast, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let ctx = rewriter.context().clone();
    let mut added = op.dimensions(rewriter.body()).to_vec();
    if added.is_empty() {
        return forward(op.op(), rewriter);
    }
    let first = source::<Broadcast>(rewriter, op.op())?;
    let before = Broadcast::from_op_unchecked(first).dimensions(rewriter.body()).to_vec();
    let rank = rewriter.ty(rewriter.op(op.op()).operand(1)).rank(&ctx).unwrap_or(0) as i64;
    let kept: Vec<i64> = (0..rank).filter(|dim| !added.contains(dim)).collect();
    for dim in before {
        let dim = usize::try_from(dim).ok().and_then(|dim| kept.get(dim));
        added.push(*dim.ok_or_else(|| NoMatch::because("no such dimension"))?);
    }
    added.sort_unstable();
    let original = rewriter.op(first).operand(0);
    rewriter.set_operand(op.op(), 0, original);
    rewriter.modify(op.op(), |body, _| op.set_dimensions(body, added));
    Ok(Matched)
}

/// Replaces an operation on tensors by its input if the types are equal.
fn forward(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let input = rewriter.op(op).operand(0);
    let result = rewriter.op(op).result_types().next();
    if result != Some(rewriter.ty(input)) {
        return Err(NoMatch::because("the result is not a tensor of the same type"));
    }
    rewriter.replace(op, &[input]);
    Ok(Matched)
}

fn self_copy(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let operands: Vec<Value> = rewriter.op(op).operands().collect();
    if operands[0] != operands[1] {
        return Err(NoMatch::because("the destination is another buffer"));
    }
    let results = rewriter.op(op).n_results();
    rewriter.replace(op, &operands[..results]);
    Ok(Matched)
}

/// Replaces a computation that yields its input elements unchanged by its inputs.
fn identity(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let view = rewriter.op(op);
    let (body, ctx) = (rewriter.body(), rewriter.context());
    let maps = structured::maps(view).unwrap_or_default();
    let block: Option<Block> = view.own_regions().next().and_then(|region| body.region(region).entry());
    let ops: Vec<OpRef<'_>> =
        block.iter().flat_map(|&block| body.block(block).ops()).map(|op| body.op(op)).collect();
    let [only] = ops[..] else { return Err(NoMatch::because("it computes something")) };
    if !only.is::<Yield>() || maps.windows(2).any(|pair| pair[0] != pair[1]) {
        return Err(NoMatch::because("the indexing maps differ"));
    }
    let args: Vec<Value> = block.iter().flat_map(|&block| body.block(block).args()).collect();
    let operands: Vec<Value> = view.operands().collect();
    let given: Option<Vec<Value>> =
        only.operands().map(|value| Some(operands[args.iter().position(|&arg| arg == value)?])).collect();
    let given =
        given.ok_or_else(|| NoMatch::because("a yielded element is defined outside of the region"))?;
    let on_buffers = view.operand_types().any(|ty| ty.is_memref(ctx));
    let fits = match (on_buffers, &operands[..]) {
        (true, [input, output]) => input == output,
        (true, _) => false,
        (false, _) => given.iter().map(|&value| body.ty(value)).eq(view.result_types()),
    };
    if !fits {
        return Err(NoMatch::because("the operation writes a buffer or changes a type"));
    }
    let results = view.n_results();
    rewriter.replace(op, &given[..results]);
    Ok(Matched)
}
