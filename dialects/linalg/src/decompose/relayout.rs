//! `linalg.pack` as a padding and a copy, `linalg.unpack` as a transposition and a slice. If a tile size is only known at run
//! time, the copy of `linalg.pack` is from the padded array with each tiled dimension expanded to two.
//!
//! Extents that the types leave open are checked by assertions, once per operation.

use super::{dynamic_sizes, extent};
use crate::relayout::{Check, TILES, Tiling, tile_values};
use crate::{Generic, Pack, Unpack};
use minoan_arith::{CmpIPredicate, addi, andi, cmpi, constant_index, divui, muli, remui, subi};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Array, Builder, DYNAMIC, Op, OpDef, OpRef, Type, Value};
use minoan_memref::slices::numbers;
use minoan_rewrite::{Matched, NoMatch, Rewriter};
use minoan_services::IteratorType;
use minoan_tensor::{Cast, CollapseShape, Empty, ExpandShape, ExtractSlice, Pad};

/// A tile size.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TileSize {
    Known(i64),
    /// Known at run time only.
    Open(Value),
}

impl TileSize {
    fn value(self, b: &mut Builder<'_>) -> Value {
        match self {
            TileSize::Known(size) => constant_index(b, size),
            TileSize::Open(size) => size,
        }
    }

    /// The extent of this many tiles, if it is known.
    fn times(self, tiles: i64) -> i64 {
        match self {
            TileSize::Known(size) if tiles != DYNAMIC => tiles * size,
            TileSize::Known(_) | TileSize::Open(_) => DYNAMIC,
        }
    }
}

/// The tiling of an operation on an array of a rank, and its tile sizes, in order of the tiles and by array dimension.
struct Tiles {
    tiling: Tiling,
    sizes: Vec<TileSize>,
    by_dimension: Vec<Option<TileSize>>,
}

impl Tiles {
    fn of(op: OpRef<'_>, rank: usize) -> Result<Tiles, NoMatch> {
        let tiling = Tiling::of(op, rank).map_err(NoMatch::because)?;
        let stated = numbers(op, TILES);
        let mut values = tile_values(op).into_iter();
        let mut sizes = Vec::with_capacity(stated.len());
        for (written, &known) in stated.into_iter().zip(tiling.tiles()) {
            let value = if written == DYNAMIC { values.next() } else { None };
            sizes.push(match value {
                Some(value) if known == DYNAMIC => TileSize::Open(value),
                _ => TileSize::Known(known),
            });
        }
        let mut by_dimension = vec![None; rank];
        for (&dimension, &size) in tiling.cut.iter().zip(&sizes) {
            by_dimension[dimension] = Some(size);
        }
        Ok(Tiles { tiling, sizes, by_dimension })
    }

    fn is_known(&self) -> bool {
        self.sizes.iter().all(|size| matches!(size, TileSize::Known(_)))
    }

    /// The position of an array dimension among the tiled ones.
    fn inner(&self, dimension: usize) -> usize {
        self.tiling.cut.iter().position(|&cut| cut == dimension).unwrap_or(0)
    }
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
fn check_extents(b: &mut Builder<'_>, op: Op, tiles_of: &Tiles, array: Value, packed: Value) {
    let ctx = b.context();
    let (tiling, sizes_of) = (&tiles_of.tiling, &tiles_of.sizes);
    let is_open = |inner: usize| matches!(sizes_of[inner], TileSize::Open(_));
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
                let is_extent = cmpi(b, CmpIPredicate::Eq, have, stated);
                if is_open(inner) {
                    let zero = constant_index(b, 0);
                    let is_positive = cmpi(b, CmpIPredicate::Sgt, stated, zero);
                    andi(b, is_extent, is_positive)
                } else {
                    is_extent
                }
            }
            Check::SameExtent { dim, outer } if [shape[dim], tiles[outer]].contains(&DYNAMIC) => {
                let (have, want) = (extent(b, packed, outer), extent(b, array, dim));
                cmpi(b, CmpIPredicate::Eq, have, want)
            }
            Check::Covered { dim, outer, inner }
                if [shape[dim], tiles[outer]].contains(&DYNAMIC) || is_open(inner) =>
            {
                let (have, covered) = (extent(b, packed, outer), extent(b, array, dim));
                let (size, one) = (sizes_of[inner].value(b), constant_index(b, 1));
                let rest = subi(b, size, one);
                // The sum is below 2^64, as neither operand is negative.
                let sum = addi(b, covered, rest);
                let want = divui(b, sum, size);
                cmpi(b, CmpIPredicate::Eq, have, want)
            }
            Check::Complete { dim, inner } if shape[dim] == DYNAMIC || is_open(inner) => {
                let (covered, tile) = (extent(b, array, dim), sizes_of[inner].value(b));
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
    let tiles = Tiles::of(rewriter.op(pack.op()), shape.len())?;
    let (outer, rank) = (outer_dims(&tiles.tiling), packed.len() as u32);
    let dims = |at: usize| AffineExpr::Dim(at as u32);
    let mut b = rewriter.builder();
    check_extents(&mut b, pack.op(), &tiles, source, dest);
    let padded = match padding {
        Some(value) if !tiles.tiling.is_full(shape, packed) => {
            pad_to_tiles(&mut b, source, dest, value, &tiles.by_dimension, &outer)
        }
        _ => source,
    };
    let (from, read) = if tiles.is_known() {
        let read = (0..shape.len()).map(|dimension| match tiles.by_dimension[dimension] {
            Some(size) => {
                let size = AffineExpr::Constant(size.times(1));
                let start = AffineExpr::binary(AffineOp::Mul, dims(outer[dimension]), size);
                AffineExpr::binary(AffineOp::Add, start, dims(shape.len() + tiles.inner(dimension)))
            }
            None => dims(outer[dimension]),
        });
        (padded, read.collect())
    } else {
        let mut read = Vec::new();
        for (dimension, size) in tiles.by_dimension.iter().enumerate() {
            read.push(dims(outer[dimension]));
            if size.is_some() {
                read.push(dims(shape.len() + tiles.inner(dimension)));
            }
        }
        (expand_tiles(&mut b, padded, dest, &tiles, &outer), read.into())
    };
    let read = AffineMap { dims: rank, symbols: 0, results: read };
    let result = copy(&mut b, from, dest, read, AffineMap::identity(rank));
    rewriter.replace(pack.op(), &[result]);
    Ok(Matched)
}

/// Pads a tensor at its ends to the extents that the tiles of `dest` cover.
fn pad_to_tiles(
    b: &mut Builder<'_>,
    source: Value,
    dest: Value,
    value: Value,
    sizes: &[Option<TileSize>],
    outer: &[usize],
) -> Value {
    let ctx = b.context();
    let [shape, packed] = [source, dest].map(|tensor| b.ty(tensor).shape(&ctx).unwrap_or(&[]).to_vec());
    let (mut high, mut widths, mut extents) = (Vec::new(), Vec::new(), Vec::new());
    for (dimension, size) in sizes.iter().enumerate() {
        let (have, tiles) = (shape[dimension], packed[outer[dimension]]);
        let (width, extent_there) = match *size {
            None => (0, have),
            Some(size) => match size.times(tiles) {
                whole if have != DYNAMIC && whole != DYNAMIC => (whole - have, whole),
                whole => {
                    let tiles_value = extent(b, dest, outer[dimension]);
                    let size_value = size.value(b);
                    let whole_value = muli(b, tiles_value, size_value);
                    let have_value = extent(b, source, dimension);
                    widths.push(subi(b, whole_value, have_value));
                    (DYNAMIC, whole)
                }
            },
        };
        high.push(width);
        extents.push(extent_there);
    }
    let ty = Type::tensor(&ctx, &extents, b.ty(source).element_or_self(&ctx));
    Pad::with_widths(b, source, &vec![0; shape.len()], (&high, &widths), value, ty).result(b.body())
}

/// Expands each tiled dimension of a padded array to the tiles and the elements of a tile.
fn expand_tiles(b: &mut Builder<'_>, padded: Value, dest: Value, tiles: &Tiles, outer: &[usize]) -> Value {
    let ctx = b.context();
    let [shape, packed] = [padded, dest].map(|tensor| b.ty(tensor).shape(&ctx).unwrap_or(&[]).to_vec());
    let (mut groups, mut expanded, mut sizes, mut known) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (dimension, size) in tiles.by_dimension.iter().enumerate() {
        let first = expanded.len() as i64;
        match *size {
            None => {
                groups.push(Array(vec![first]));
                known.push(shape[dimension]);
                expanded.push(shape[dimension]);
                if shape[dimension] == DYNAMIC {
                    sizes.push(extent(b, padded, dimension));
                }
            }
            Some(size) => {
                groups.push(Array(vec![first, first + 1]));
                let many = packed[outer[dimension]];
                known.push(size.times(many));
                expanded.extend([many, size.times(1)]);
                if many == DYNAMIC {
                    sizes.push(extent(b, dest, outer[dimension]));
                }
                if let TileSize::Open(size) = size {
                    sizes.push(size);
                }
            }
        }
    }
    // The expansion has a static extent where the padded array has one, and only there.
    let element = b.ty(padded).element_or_self(&ctx);
    let known = Type::tensor(&ctx, &known, element);
    let padded = if b.ty(padded) == known { padded } else { Cast::build(b, padded, known).dest(b.body()) };
    let ty = Type::tensor(&ctx, &expanded, element);
    ExpandShape::build(b, padded, &sizes, groups, expanded, ty).result(b.body())
}

/// Moves each inner dimension after its outer one, collapses both to one dimension, and cuts off the padding.
pub(super) fn decompose_unpack(unpack: Unpack, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let ctx = rewriter.context().clone();
    let body = rewriter.body();
    let (source, dest) = (unpack.source(body), unpack.dest(body));
    let (from, to) = (rewriter.ty(source), rewriter.ty(dest));
    let (Some(packed), Some(shape)) = (from.shape(&ctx), to.shape(&ctx)) else {
        return Err(NoMatch::because("the extents are unknown"));
    };
    let sizes_of = Tiles::of(rewriter.op(unpack.op()), shape.len())?;
    let outer = outer_dims(&sizes_of.tiling);
    // The dimension of the packed array for each dimension of the transposed one, and the groups of the latter.
    let (mut moved, mut groups, mut collapsed) = (Vec::new(), Vec::new(), Vec::new());
    for (dimension, size) in sizes_of.by_dimension.iter().enumerate() {
        let tiles = packed[outer[dimension]];
        let mut group = vec![moved.len() as i64];
        moved.push(outer[dimension]);
        if size.is_some() {
            group.push(moved.len() as i64);
            moved.push(shape.len() + sizes_of.inner(dimension));
        }
        groups.push(Array(group));
        // The type of the packed array may leave open a tile size that is known.
        let parts = &moved[moved.len() - groups[dimension].0.len()..];
        let is_open = parts.iter().any(|&at| packed[at] == DYNAMIC);
        collapsed.push(if is_open { DYNAMIC } else { size.map_or(tiles, |size| size.times(tiles)) });
    }
    let element = from.element_or_self(&ctx);
    let transposed: Vec<i64> = moved.iter().map(|&at| packed[at]).collect();
    let mut read = vec![AffineExpr::Constant(0); moved.len()];
    for (at, &of) in moved.iter().enumerate() {
        read[of] = AffineExpr::Dim(at as u32);
    }
    let rank = moved.len() as u32;
    let mut b = rewriter.builder();
    check_extents(&mut b, unpack.op(), &sizes_of, dest, source);
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
