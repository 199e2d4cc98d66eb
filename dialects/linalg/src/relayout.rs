//! `linalg.pack` and `linalg.unpack`: tiled data layouts.

use crate::{relayout_evaluate, services};
use minoan_ir::constraints::{ANY, INDEX, RANKED_TENSOR, same_as};
use minoan_ir::text::{AsmNames, OpParser, OpPrinter, ParseError, print_type};
use minoan_ir::verify::bare;
use minoan_ir::{Attr, Body, DYNAMIC, Op, OpRef, Type, Violations, op};
use minoan_memref::slices::numbers;
use minoan_services::{Effects, Evaluate, OnBuffers, constant_of};

/// Converts an array to a tiled layout: each tiled dimension is split into an outer dimension, which enumerates the
/// tiles, and a trailing inner dimension within the tile.
///
/// `linalg.pack %a padding_value(%p : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 32]
/// into %t : tensor<128x256xf32> -> tensor<8x16x8x32xf32>`. The padding value fills incomplete tiles;
/// `outer_dims_perm` permutes the outer dimensions.
#[op(
    "linalg.pack",
    traits(OPERAND_SEGMENTS),
    assembly = custom(parse, print),
    derive(result = same_as(dest), "result type matches type of dest"),
    verify = verify_pack,
    services(
        Evaluate = relayout_evaluate::EvaluatePack,
        Effects = OnBuffers,
        AsmNames = services::Named { result: Some("pack"), output: None },
    )
)]
pub struct Pack {
    /// The array.
    source: Operand<RANKED_TENSOR>,
    /// The destination.
    dest: Operand<RANKED_TENSOR>,
    /// The value that fills incomplete tiles.
    padding_value: Option<Operand<ANY>>,
    /// The dynamic tile sizes.
    inner_tiles: Vec<Operand<INDEX>>,
    /// The array dimension of each outer dimension.
    outer_dims_perm: Option<Vec<i64>>,
    /// The tiled dimensions.
    inner_dims_pos: Vec<i64>,
    /// The tile sizes, one per tiled dimension.
    static_inner_tiles: Vec<i64>,
    /// The packed array.
    result: OpResult<RANKED_TENSOR>,
}

/// Converts a tiled layout created by [`Pack`] back: `linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [8, 32]
/// into %a : tensor<16x8x8x32xf32> -> tensor<128x256xf32>`.
#[op(
    "linalg.unpack",
    assembly = custom(parse, print),
    derive(result = same_as(dest), "result type matches type of dest"),
    verify = verify_unpack,
    services(
        Evaluate = relayout_evaluate::EvaluateUnpack,
        Effects = OnBuffers,
        AsmNames = services::Named { result: Some("unpack"), output: None },
    )
)]
pub struct Unpack {
    /// The packed array.
    source: Operand<RANKED_TENSOR>,
    /// The destination.
    dest: Operand<RANKED_TENSOR>,
    /// The dynamic tile sizes.
    inner_tiles: Vec<Operand<INDEX>>,
    /// The array dimension of each outer dimension.
    outer_dims_perm: Option<Vec<i64>>,
    /// The tiled dimensions.
    inner_dims_pos: Vec<i64>,
    /// The tile sizes, one per tiled dimension.
    static_inner_tiles: Vec<i64>,
    /// The array.
    result: OpResult<RANKED_TENSOR>,
}

const ORDER: &str = "outer_dims_perm";
const CUT: &str = "inner_dims_pos";
pub(crate) const TILES: &str = "static_inner_tiles";

/// Parses `[0, 1]`.
fn list(p: &mut OpParser<'_, '_>) -> Result<Attr, ParseError> {
    let numbers = p.integer_list()?;
    Ok(Attr::dense_i64(p.ctx(), &numbers))
}

fn parse(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let is_pack = p.op_name() == "linalg.pack";
    let source = p.operand()?;
    let mut padding = None;
    if is_pack && p.optional_keyword("padding_value") {
        p.punct("(")?;
        let value = p.operand()?;
        p.punct(":")?;
        padding = Some((value, p.ty()?));
        p.punct(")")?;
    }
    if p.optional_keyword(ORDER) {
        p.punct("=")?;
        let order = list(p)?;
        p.set_attr(ORDER, order);
    }
    p.keyword(CUT)?;
    p.punct("=")?;
    let cut = list(p)?;
    p.set_attr(CUT, cut);
    p.keyword("inner_tiles")?;
    p.punct("=")?;
    let (tiles, numbers) = p.index_list("[", "]")?;
    let numbers = Attr::dense_i64(p.ctx(), &numbers);
    p.set_attr(TILES, numbers);
    p.keyword("into")?;
    let dest = p.operand()?;
    p.attr_dict()?;
    p.punct(":")?;
    let from = p.ty()?;
    p.punct("->")?;
    let to = p.ty()?;
    p.add_operands(&[source, dest], &[from, to])?;
    if let Some((value, ty)) = &padding {
        p.add_operands(std::slice::from_ref(value), &[*ty])?;
    }
    p.add_operands(&tiles, &vec![Type::INDEX; tiles.len()])?;
    if is_pack {
        p.set_segments(&[1, 1, usize::from(padding.is_some()), tiles.len()]);
    }
    p.add_result(to);
    Ok(())
}

fn print(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.value(op.operand(0));
    if let Some(padding) = padding(op) {
        p.text(" padding_value(");
        p.value(padding);
        p.text(" : ");
        p.ty(p.body().ty(padding));
        p.text(")");
    }
    for name in [ORDER, CUT] {
        let numbers = numbers(op, name);
        if name == CUT || !numbers.is_empty() {
            p.text(&format!(" {name} = ["));
            p.index_list(&[], &numbers);
            p.text("]");
        }
    }
    p.text(" inner_tiles = [");
    p.index_list(&tile_values(op), &numbers(op, TILES));
    p.text("] into ");
    p.value(op.operand(1));
    p.attr_dict(&[ORDER, CUT, TILES]);
    p.text(" : ");
    p.ty(p.body().ty(op.operand(0)));
    p.text(" -> ");
    p.ty(p.body().ty(op.operand(1)));
}

fn padding(op: OpRef<'_>) -> Option<minoan_ir::Value> {
    if op.is::<Pack>() { op.operand_group(2).first().copied() } else { None }
}

/// The dynamic tile sizes.
pub(crate) fn tile_values(op: OpRef<'_>) -> Vec<minoan_ir::Value> {
    op.operand_group(if op.is::<Pack>() { 3 } else { 2 }).to_vec()
}

/// The tiling described by the attributes of a pack or unpack.
pub(crate) struct Tiling {
    /// The tiled dimensions.
    pub(crate) cut: Vec<usize>,
    /// The array dimension of each outer dimension.
    pub(crate) order: Vec<usize>,
    /// The tile sizes; [`DYNAMIC`] if unknown.
    tiles: Vec<i64>,
}

/// A condition on the extents of an array and of its packed form, which may only be known at run time. It is the same in the
/// interpreter and in compiled code.
#[derive(Clone, Copy)]
pub(crate) enum Check {
    /// An array dimension that is not tiled has the extent of this dimension of the packed array.
    SameExtent { dim: usize, outer: usize },
    /// The tile size that the operation states is positive, and the extent of this inner dimension of the packed array.
    TileSize { inner: usize },
    /// The number of tiles along this dimension of the packed array is the number that covers an array dimension.
    Covered { dim: usize, outer: usize, inner: usize },
    /// An array dimension ends with a complete tile.
    Complete { dim: usize, inner: usize },
}

impl Check {
    /// The error message if the condition does not hold for the operation `op`.
    pub(crate) fn message(self, op: OpRef<'_>) -> String {
        let what = match self {
            Check::SameExtent { dim, outer } => {
                format!(
                    "dimension {dim} of the array and dimension {outer} of the packed array must have the same extent"
                )
            }
            Check::TileSize { inner } => {
                format!("the size of tile {inner} must be positive and equal to the extent of its dimension")
            }
            Check::Covered { dim, outer, .. } => {
                format!(
                    "dimension {outer} of the packed array must have the number of tiles that cover dimension {dim} of the array"
                )
            }
            Check::Complete { dim, .. } => {
                format!("dimension {dim} of the array ends within a tile, and there is no padding value")
            }
        };
        format!("{}: {what}", op.name())
    }
}

impl Tiling {
    /// The tiling of an array of rank `rank`.
    ///
    /// # Errors
    /// A message if the attributes are invalid.
    pub(crate) fn of(op: OpRef<'_>, rank: usize) -> Result<Tiling, String> {
        let [cut, order, mut tiles] = [CUT, ORDER, TILES].map(|name| numbers(op, name));
        let mut values = tile_values(op).into_iter();
        for tile in tiles.iter_mut().filter(|tile| **tile == DYNAMIC) {
            let known = values.next().and_then(|value| constant_of(op.body(), value));
            *tile = known.and_then(|attr| attr.as_i64(op.context())).unwrap_or(DYNAMIC);
        }
        if tiles.contains(&0) {
            return Err("invalid zero tile factor".to_owned());
        }
        let Some(cut) = positions(&cut, rank) else {
            return Err("invalid inner_dims_pos vector".to_owned());
        };
        let Some(mut order) = positions(&order, rank) else {
            return Err("invalid outer_dims_perm vector".to_owned());
        };
        if order.is_empty() {
            order = (0..rank).collect();
        }
        if order.len() != rank {
            return Err("outer_dims_perm must be a permutation or empty".to_owned());
        }
        if tiles.len() > rank {
            return Err(
                "tiling factors must be less than or equal to the input rank for pack or output rank for unpack"
                    .to_owned(),
            );
        }
        if tiles.len() != cut.len() {
            return Err("tiling factors must equal the number of dimensions to tile".to_owned());
        }
        Ok(Tiling { cut, order, tiles })
    }

    /// The conditions on the extents of an array and of its packed form, sizes of tiles first.
    pub(crate) fn checks(&self, op: OpRef<'_>) -> Vec<Check> {
        let is_complete = op.is::<Pack>() && padding(op).is_none();
        let mut checks: Vec<Check> = (0..self.tiles.len()).map(|inner| Check::TileSize { inner }).collect();
        for (outer, &dim) in self.order.iter().enumerate() {
            let Some(inner) = self.cut.iter().position(|&cut| cut == dim) else {
                checks.push(Check::SameExtent { dim, outer });
                continue;
            };
            if is_complete {
                checks.push(Check::Complete { dim, inner });
            }
            checks.push(Check::Covered { dim, outer, inner });
        }
        checks
    }

    /// The tile sizes, one per tiled dimension; [`DYNAMIC`] if unknown.
    pub(crate) fn tiles(&self) -> &[i64] {
        &self.tiles
    }

    /// Whether every tile of an array is known to be complete.
    pub(crate) fn is_full(&self, shape: &[i64], packed: &[i64]) -> bool {
        let is_known = |&dim: &usize| shape[dim] != DYNAMIC;
        self.cut.iter().all(is_known)
            && !self.tiles.contains(&DYNAMIC)
            && !is_cut_unevenly(self, shape, packed)
    }

    /// The extents of the outer dimensions.
    fn packed(&self, shape: &[i64]) -> Vec<i64> {
        let mut outer = shape.to_vec();
        for (&dim, &tile) in self.cut.iter().zip(&self.tiles) {
            outer[dim] = match (outer[dim], tile) {
                (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
                (extent, tile) => extent.max(0).div_euclid(tile) + i64::from(extent % tile != 0),
            };
        }
        self.order.iter().map(|&dim| outer[dim]).chain(self.tiles.iter().copied()).collect()
    }
}

/// Distinct dimensions below `rank`.
fn positions(numbers: &[i64], rank: usize) -> Option<Vec<usize>> {
    let mut seen = vec![false; rank];
    let position = |&number: &i64| {
        let place = usize::try_from(number).ok()?;
        (!std::mem::replace(seen.get_mut(place)?, true)).then_some(place)
    };
    numbers.iter().map(position).collect()
}

fn verify_pack(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let [source, dest] = [0, 1].map(|at| body.ty(view.operand(at)));
    let tiling = match check(view, source, dest) {
        Ok(tiling) => tiling,
        Err(message) => return errors.push(bare(message)),
    };
    let padding = padding(view).map(|padding| body.ty(padding));
    if let (Some(have), Some(want)) = (padding, source.element(ctx))
        && have != want
    {
        let (have, want) = (print_type(ctx, have), print_type(ctx, want));
        return errors.push(format!("expected padding_value has '{want}' but got: '{have}'"));
    }
    if padding.is_none()
        && is_cut_unevenly(&tiling, source.shape(ctx).unwrap_or(&[]), dest.shape(ctx).unwrap_or(&[]))
    {
        errors.push(
            "invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set"
                .to_owned(),
        );
    }
}

/// Whether a tile is known to be incomplete.
fn is_cut_unevenly(tiling: &Tiling, shape: &[i64], packed: &[i64]) -> bool {
    tiling.cut.iter().zip(&tiling.tiles).any(|(&dim, &tile)| {
        let outer = tiling.order.iter().position(|&from| from == dim).and_then(|at| packed.get(at).copied());
        match (shape[dim], tile, outer) {
            (DYNAMIC, ..) => false,
            (extent, DYNAMIC, Some(outer)) if outer != DYNAMIC => outer == 0 || extent % outer != 0,
            (_, DYNAMIC, _) => false,
            (extent, tile, _) => extent % tile != 0,
        }
    })
}

fn verify_unpack(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let [source, dest] = [0, 1].map(|at| body.ty(view.operand(at)));
    if let Err(message) = check(view, dest, source) {
        errors.push(bare(message));
    }
}

/// Checks the types of an array and its packed form against the tiling.
fn check(op: OpRef<'_>, array: Type, tiles: Type) -> Result<Tiling, String> {
    let ctx = op.context();
    let (shape, packed) = (array.shape(ctx).unwrap_or(&[]), tiles.shape(ctx).unwrap_or(&[]));
    let tiling = Tiling::of(op, shape.len())?;
    // The assembly has a place for one operand per dynamic size.
    let sizes = op.spec().map_or(0, |spec| op.operand_group(spec.operands.len() - 1).len());
    let open = numbers(op, TILES).iter().filter(|&&tile| tile == DYNAMIC).count();
    if sizes != open {
        return Err(format!("expected {open} sizes of inner tiles, but found {sizes}"));
    }
    let (have, want) = (packed.len(), shape.len() + tiling.tiles.len());
    if have != want {
        return Err(format!("packed rank != (unpacked rank + num tiling factors), got {have} != {want}"));
    }
    let (have, want) = (&packed[shape.len()..], &numbers(op, TILES));
    if have != want {
        return Err(
            "mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type"
                .to_owned(),
        );
    }
    let expected = tiling.packed(shape);
    if !crate::softmax::compatible(&expected, packed) {
        let element = array.element(ctx).unwrap_or(Type::INDEX);
        let expected = print_type(ctx, Type::tensor(ctx, &expected, element));
        let tiles = print_type(ctx, tiles);
        return Err(format!("expected '{expected}' for the packed domain value, got '{tiles}'"));
    }
    Ok(tiling)
}
