//! `linalg.pack` as a padding and a copy, `linalg.unpack` as a transposition and a slice; for static tile sizes.

use super::{dynamic_sizes, extent};
use crate::relayout::Tiling;
use crate::{Generic, Pack, Unpack};
use minoan_arith::{constant_index, muli, subi};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Array, Builder, DYNAMIC, Op, OpDef, Type, Value};
use minoan_rewrite::{Matched, NoMatch, Rewriter};
use minoan_services::IteratorType;
use minoan_tensor::{CollapseShape, Empty, ExtractSlice, Pad};

/// The tiling of an operation on an array of a rank, and its tile sizes by array dimension.
fn tiling(rewriter: &Rewriter<'_>, op: Op, rank: usize) -> Result<(Tiling, Vec<Option<i64>>), NoMatch> {
    let tiling = Tiling::of(rewriter.op(op), rank).map_err(NoMatch::because)?;
    if tiling.tiles().contains(&DYNAMIC) {
        return Err(NoMatch::because("a tile size is not constant"));
    }
    let mut tile = vec![None; rank];
    for (&dimension, &size) in tiling.cut.iter().zip(tiling.tiles()) {
        tile[dimension] = Some(size);
    }
    Ok((tiling, tile))
}

/// For each array dimension, its outer dimension in the packed array.
fn outer_dims(tiling: &Tiling) -> Vec<usize> {
    let mut outer = vec![0; tiling.order.len()];
    for (at, &dimension) in tiling.order.iter().enumerate() {
        outer[dimension] = at;
    }
    outer
}

/// A copy between tensors: element `to` of the result is element `from` of the source.
fn copy(b: &mut Builder<'_>, source: Value, into: Value, from: AffineMap, to: AffineMap) -> Value {
    let parallel = vec![IteratorType::Parallel; to.dims as usize];
    let copied =
        Generic::with(b, &[source], &[into], &[from, to], &parallel, |_, elements| vec![elements[0]]);
    copied.result_tensors(b.body())[0]
}

/// Pads the array to whole tiles, where it may end within one, and copies it: element `[o, i]` of the packed array is element
/// `[o * tile + i]` of the padded one.
pub(super) fn decompose_pack(pack: Pack, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let ctx = rewriter.context().clone();
    let body = rewriter.body();
    let (source, dest, padding) = (pack.source(body), pack.dest(body), pack.padding_value(body));
    let (from, to) = (rewriter.ty(source), rewriter.ty(dest));
    let (Some(shape), Some(packed)) = (from.shape(&ctx), to.shape(&ctx)) else {
        return Err(NoMatch::because("the extents are unknown"));
    };
    let (tiling, tile) = tiling(rewriter, pack.op(), shape.len())?;
    let (outer, rank) = (outer_dims(&tiling), packed.len() as u32);
    let dims = |at: usize| AffineExpr::Dim(at as u32);
    let inner = |dimension: usize| {
        let at = tiling.cut.iter().position(|&cut| cut == dimension).unwrap_or(0);
        dims(shape.len() + at)
    };
    let read = (0..shape.len()).map(|dimension| match tile[dimension] {
        Some(tile) => {
            let start = AffineExpr::binary(AffineOp::Mul, dims(outer[dimension]), AffineExpr::Constant(tile));
            AffineExpr::binary(AffineOp::Add, start, inner(dimension))
        }
        None => dims(outer[dimension]),
    });
    let read = AffineMap { dims: rank, symbols: 0, results: read.collect() };
    let mut b = rewriter.builder();
    let padded = match padding {
        Some(value) if !tiling.is_full(shape, packed) => {
            pad_to_tiles(&mut b, source, dest, value, &tile, &outer)
        }
        _ => source,
    };
    let result = copy(&mut b, padded, dest, read, AffineMap::identity(rank));
    rewriter.replace(pack.op(), &[result]);
    Ok(Matched)
}

/// Pads a tensor at its ends to the extents that the tiles of `dest` cover.
fn pad_to_tiles(
    b: &mut Builder<'_>,
    source: Value,
    dest: Value,
    value: Value,
    tile: &[Option<i64>],
    outer: &[usize],
) -> Value {
    let ctx = b.context();
    let [shape, packed] = [source, dest].map(|tensor| b.ty(tensor).shape(&ctx).unwrap_or(&[]).to_vec());
    let (mut high, mut widths, mut extents) = (Vec::new(), Vec::new(), Vec::new());
    for (dimension, tile) in tile.iter().enumerate() {
        let (have, tiles) = (shape[dimension], packed[outer[dimension]]);
        let (width, extent_there) = match *tile {
            None => (0, have),
            Some(tile) if have != DYNAMIC && tiles != DYNAMIC => (tiles * tile - have, tiles * tile),
            Some(tile) => {
                let tiles_value = extent(b, dest, outer[dimension]);
                let tile_value = constant_index(b, tile);
                let whole = muli(b, tiles_value, tile_value);
                let have_value = extent(b, source, dimension);
                widths.push(subi(b, whole, have_value));
                (DYNAMIC, if tiles == DYNAMIC { DYNAMIC } else { tiles * tile })
            }
        };
        high.push(width);
        extents.push(extent_there);
    }
    let ty = Type::tensor(&ctx, &extents, b.ty(source).element_or_self(&ctx));
    Pad::with_widths(b, source, &vec![0; shape.len()], (&high, &widths), value, ty).result(b.body())
}

/// Moves each inner dimension behind its outer one, collapses both to one dimension, and cuts off the padding.
pub(super) fn decompose_unpack(unpack: Unpack, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let ctx = rewriter.context().clone();
    let body = rewriter.body();
    let (source, dest) = (unpack.source(body), unpack.dest(body));
    let (from, to) = (rewriter.ty(source), rewriter.ty(dest));
    let (Some(packed), Some(shape)) = (from.shape(&ctx), to.shape(&ctx)) else {
        return Err(NoMatch::because("the extents are unknown"));
    };
    let (tiling, tile) = tiling(rewriter, unpack.op(), shape.len())?;
    let outer = outer_dims(&tiling);
    // The dimension of the packed array for each dimension of the transposed one, and the groups of the latter.
    let (mut moved, mut groups, mut collapsed) = (Vec::new(), Vec::new(), Vec::new());
    for (dimension, tile) in tile.iter().enumerate() {
        let tiles = packed[outer[dimension]];
        let mut group = vec![moved.len() as i64];
        moved.push(outer[dimension]);
        if tile.is_some() {
            group.push(moved.len() as i64);
            let at = tiling.cut.iter().position(|&cut| cut == dimension).unwrap_or(0);
            moved.push(shape.len() + at);
        }
        groups.push(Array(group));
        collapsed.push(if tiles == DYNAMIC { DYNAMIC } else { tiles * tile.unwrap_or(1) });
    }
    let element = from.element_or_self(&ctx);
    let transposed: Vec<i64> = moved.iter().map(|&at| packed[at]).collect();
    let mut read = vec![AffineExpr::Constant(0); moved.len()];
    for (at, &of) in moved.iter().enumerate() {
        read[of] = AffineExpr::Dim(at as u32);
    }
    let rank = moved.len() as u32;
    let mut b = rewriter.builder();
    let open = moved.iter().filter(|&&at| packed[at] == DYNAMIC);
    let sizes: Vec<Value> = open.map(|&at| extent(&mut b, source, at)).collect();
    let empty = Empty::build(&mut b, &sizes, Type::tensor(&ctx, &transposed, element)).result(b.body());
    let read = AffineMap { dims: rank, symbols: 0, results: read.into() };
    let ordered = copy(&mut b, source, empty, read, AffineMap::identity(rank));
    let whole_ty = Type::tensor(&ctx, &collapsed, element);
    let whole = CollapseShape::build(&mut b, ordered, groups, whole_ty).result(b.body());
    let result = if whole_ty == to && !shape.contains(&DYNAMIC) {
        whole
    } else {
        let sizes = dynamic_sizes(&mut b, dest);
        let (offsets, strides) = (vec![0; shape.len()], vec![1; shape.len()]);
        ExtractSlice::build(&mut b, whole, &[], &sizes, &[], offsets, shape, strides, to).result(b.body())
    };
    rewriter.replace(unpack.op(), &[result]);
    Ok(Matched)
}
