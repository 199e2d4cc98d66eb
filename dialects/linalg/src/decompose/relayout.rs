//! `linalg.pack` as a padding and a copy, `linalg.unpack` as a transposition and a slice; for static tile sizes.
//!
//! Extents that the types leave open are checked by assertions, once per operation.

use super::{dynamic_sizes, extent};
use crate::relayout::{Check, Tiling, tile_values};
use crate::{Generic, Pack, Unpack};
use minoan_arith::{CmpIPredicate, addi, cmpi, constant_index, divui, muli, remui, subi};
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

/// Asserts the conditions on the extents of an array and of its packed form that their types leave open.
fn check_extents(b: &mut Builder<'_>, op: Op, tiling: &Tiling, array: Value, packed: Value) {
    let ctx = b.context();
    let [shape, tiles] = [array, packed].map(|tensor| b.ty(tensor).shape(&ctx).unwrap_or(&[]).to_vec());
    let view = b.body().op(op);
    let mut sizes = tile_values(view).into_iter();
    let stated: Vec<Option<Value>> =
        tiles[shape.len()..].iter().map(|&tile| if tile == DYNAMIC { sizes.next() } else { None }).collect();
    let checks: Vec<(Check, String)> =
        tiling.checks(view).into_iter().map(|check| (check, check.message(view))).collect();
    for (check, message) in checks {
        let is_met = match check {
            Check::TileSize { inner } => {
                // The verifier checks a static size.
                let Some(stated) = stated[inner] else { continue };
                let have = extent(b, packed, shape.len() + inner);
                cmpi(b, CmpIPredicate::Eq, have, stated)
            }
            Check::SameExtent { dim, outer } if [shape[dim], tiles[outer]].contains(&DYNAMIC) => {
                let (have, want) = (extent(b, packed, outer), extent(b, array, dim));
                cmpi(b, CmpIPredicate::Eq, have, want)
            }
            Check::Covered { dim, outer, inner } if [shape[dim], tiles[outer]].contains(&DYNAMIC) => {
                let tile = tiling.tiles()[inner];
                let (have, covered) = (extent(b, packed, outer), extent(b, array, dim));
                let (size, rest) = (constant_index(b, tile), constant_index(b, tile - 1));
                // The sum is below 2^64, as neither operand is negative.
                let sum = addi(b, covered, rest);
                let want = divui(b, sum, size);
                cmpi(b, CmpIPredicate::Eq, have, want)
            }
            Check::Complete { dim, inner } if shape[dim] == DYNAMIC => {
                let (covered, tile) = (extent(b, array, dim), constant_index(b, tiling.tiles()[inner]));
                let (rest, zero) = (remui(b, covered, tile), constant_index(b, 0));
                cmpi(b, CmpIPredicate::Eq, rest, zero)
            }
            Check::SameExtent { .. } | Check::Covered { .. } | Check::Complete { .. } => continue,
        };
        minoan_cf::assert(b, is_met, &message);
    }
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
    check_extents(&mut b, pack.op(), &tiling, source, dest);
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
    check_extents(&mut b, unpack.op(), &tiling, dest, source);
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
