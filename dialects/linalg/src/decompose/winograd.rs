//! The steps of a Winograd convolution as contractions with constant matrices: one for each side of a tile that is not of
//! extent 1, in the element type, rows first. The interpreter computes in the same order.
//!
//! Extents that the types leave open are checked by assertions, once per operation.

use super::extent;
use crate::winograd_matrices::{Fit, Rows, WinogradStep};
use crate::{Fill, Generic, WinogradFilterTransform, WinogradInputTransform, WinogradOutputTransform};
use minoan_arith::{
    CmpIPredicate, addf, addi, cmpi, constant, constant_float, constant_index, divsi, mulf, muli,
};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Array, Builder, DYNAMIC, Op, OpDef, Type, Value};
use minoan_rewrite::{Matched, NoMatch, Rewriter};
use minoan_services::{Datum, IteratorType, Scalar, Tensor};
use minoan_tensor::{CollapseShape, Empty};

/// An operation on tensors of floats whose tiles have known extents.
struct Step {
    step: WinogradStep,
    op: Op,
    input: Value,
    output: Value,
    element: Type,
    scalar: Scalar,
}

impl Step {
    fn of(op: Op, rewriter: &Rewriter<'_>) -> Result<Step, NoMatch> {
        let (view, ctx) = (rewriter.op(op), rewriter.context());
        let (input, output) = (view.operand(0), view.operand(1));
        let element = rewriter.ty(output).element_or_self(ctx);
        let scalar = Scalar::of(ctx, element).map_err(|trap| NoMatch::because(trap.message))?;
        if !element.is_float(ctx) {
            return Err(NoMatch::because("it is not a tensor of floats"));
        }
        let step = WinogradStep::of(view).ok_or(NoMatch::because("the extents of tiles are unknown"))?;
        Ok(Step { step, op, input, output, element, scalar })
    }

    /// Asserts the relations of extents that the types leave open.
    fn check_extents(&self, b: &mut Builder<'_>) {
        let ctx = b.context();
        let [input, output] =
            [self.input, self.output].map(|tensor| b.ty(tensor).shape(&ctx).unwrap_or(&[]).to_vec());
        for fit in self.step.fits() {
            let Fit { input: from, output: to, .. } = fit;
            if input[from] != DYNAMIC && output[to] != DYNAMIC {
                continue;
            }
            let (given, have) = (extent(b, self.input, from), extent(b, self.output, to));
            let add = constant_index(b, fit.add);
            let shifted = addi(b, given, add);
            let (times, per) = (constant_index(b, fit.times), constant_index(b, fit.per));
            let scaled = muli(b, shifted, times);
            let want = divsi(b, scaled, per);
            let is_met = cmpi(b, CmpIPredicate::Eq, have, want);
            let message = fit.message(b.body().op(self.op));
            minoan_cf::assert(b, is_met, &message);
        }
    }

    /// A constant matrix.
    fn matrix(&self, b: &mut Builder<'_>, rows: Rows) -> Result<Value, NoMatch> {
        let ctx = b.context();
        let shape = [rows.len(), rows.first().map_or(0, |row| row.len())];
        let mut data = self.scalar.with_capacity(shape[0] * shape[1]);
        let numbers = rows.iter().flat_map(|row| row.iter());
        let rounded = numbers.map(|&number| data.push(&self.scalar.float(number)?));
        rounded.collect::<Result<(), _>>().map_err(|trap| NoMatch::because(trap.message))?;
        let ty = Type::tensor(&ctx, &shape.map(|extent| extent as i64), self.element);
        let matrix = Datum::from(Tensor { shape: shape.to_vec(), data }).to_attr(&ctx, ty);
        Ok(constant(b, matrix.ok_or(NoMatch::because("there are no constants of the element type"))?))
    }

    /// A tensor without contents, with these extents: known ones, or those of a dimension of a tensor.
    fn empty(&self, b: &mut Builder<'_>, extents: &[Extent]) -> Value {
        let ctx = b.context();
        let (mut shape, mut sizes) = (Vec::new(), Vec::new());
        for known in extents {
            let known = match *known {
                Extent::Known(known) => known,
                Extent::Of(tensor, dimension) => {
                    let known = b.ty(tensor).shape(&ctx).unwrap_or(&[])[dimension];
                    if known == DYNAMIC {
                        sizes.push(extent(b, tensor, dimension));
                    }
                    known
                }
            };
            shape.push(known);
        }
        Empty::build(b, &sizes, Type::tensor(&ctx, &shape, self.element)).result(b.body())
    }

    /// The contraction of a matrix with a tensor, over the last dimension of the domain; the others are those of `dest`, whose
    /// contents are overwritten.
    fn contract(
        &self,
        b: &mut Builder<'_>,
        (rows, by_row): (Rows, u32),
        (tensor, read): (Value, Vec<AffineExpr>),
        dest: Value,
    ) -> Result<Value, NoMatch> {
        let ctx = b.context();
        let matrix = self.matrix(b, rows)?;
        let rank = b.ty(dest).rank(&ctx).unwrap_or(0) as u32;
        let zero = constant_float(b, 0.0, self.element);
        let start = Fill::with(b, zero, dest).result_tensors(b.body())[0];
        let to: Vec<u32> = (0..rank).collect();
        let maps = [
            AffineMap::projection(rank + 1, &[by_row, rank]),
            AffineMap { dims: rank + 1, symbols: 0, results: read.into() },
            AffineMap::projection(rank + 1, &to),
        ];
        let mut iterators = vec![IteratorType::Parallel; rank as usize];
        iterators.push(IteratorType::Reduction);
        let contracted = Generic::with(b, &[matrix, tensor], &[start], &maps, &iterators, |b, elements| {
            let product = mulf(b, elements[0], elements[1]);
            vec![addf(b, elements[2], product)]
        });
        Ok(contracted.result_tensors(b.body())[0])
    }
}

/// An extent of a new tensor.
enum Extent {
    Known(i64),
    /// The extent of a dimension of a tensor.
    Of(Value, usize),
}

fn dims(dims: &[u32]) -> Vec<AffineExpr> {
    dims.iter().map(|&dim| AffineExpr::Dim(dim)).collect()
}

/// An index within tiles that are `step` apart: `tile * step + inside`.
fn in_tile(tile: u32, step: i64, inside: u32) -> AffineExpr {
    let start = AffineExpr::binary(AffineOp::Mul, AffineExpr::Dim(tile), AffineExpr::Constant(step));
    AffineExpr::binary(AffineOp::Add, start, AffineExpr::Dim(inside))
}

/// The result has the dimensions height and width in the tile, channel, filter: 0 to 3.
pub(super) fn decompose_filter(
    op: WinogradFilterTransform,
    rewriter: &mut Rewriter<'_>,
) -> Result<Matched, NoMatch> {
    let step = Step::of(op.op(), rewriter)?;
    let (filter, dest, [rows, columns]) = (step.input, step.output, step.step.matrices());
    let b = &mut rewriter.builder();
    step.check_extents(b);
    let result = match (rows, columns) {
        (Some(rows), None) => step.contract(b, (rows, 0), (filter, dims(&[3, 4, 1, 2])), dest)?,
        (None, Some(columns)) => step.contract(b, (columns, 1), (filter, dims(&[3, 0, 4, 2])), dest)?,
        (Some(rows), Some(columns)) => {
            let between = [
                Extent::Known(rows.len() as i64),
                Extent::Of(filter, 2),
                Extent::Of(filter, 3),
                Extent::Of(filter, 0),
            ];
            let between = step.empty(b, &between);
            let by_row = step.contract(b, (rows, 0), (filter, dims(&[3, 4, 1, 2])), between)?;
            step.contract(b, (columns, 1), (by_row, dims(&[0, 4, 2, 3])), dest)?
        }
        (None, None) => return Err(NoMatch::because("the filters have one element")),
    };
    rewriter.replace(op.op(), &[result]);
    Ok(Matched)
}

/// The result has the dimensions height and width in the tile, tile row and column, image, channel: 0 to 5.
pub(super) fn decompose_input(
    op: WinogradInputTransform,
    rewriter: &mut Rewriter<'_>,
) -> Result<Matched, NoMatch> {
    let step = Step::of(op.op(), rewriter)?;
    let (images, dest, m, [rows, columns]) = (step.input, step.output, step.step.m(), step.step.matrices());
    let d = AffineExpr::Dim;
    let b = &mut rewriter.builder();
    step.check_extents(b);
    let result = match (rows, columns) {
        (Some(rows), None) => {
            step.contract(b, (rows, 0), (images, vec![d(4), in_tile(2, m, 6), d(3), d(5)]), dest)?
        }
        (None, Some(columns)) => {
            step.contract(b, (columns, 1), (images, vec![d(4), d(2), in_tile(3, m, 6), d(5)]), dest)?
        }
        (Some(rows), Some(columns)) => {
            // Height in the tile, tile row, width, image, channel.
            let between = [
                Extent::Known(rows.len() as i64),
                Extent::Of(dest, 2),
                Extent::Of(images, 2),
                Extent::Of(images, 0),
                Extent::Of(images, 3),
            ];
            let between = step.empty(b, &between);
            let read = vec![d(3), in_tile(1, m, 5), d(2), d(4)];
            let by_row = step.contract(b, (rows, 0), (images, read), between)?;
            step.contract(b, (columns, 1), (by_row, vec![d(0), d(2), in_tile(3, m, 6), d(4), d(5)]), dest)?
        }
        (None, None) => return Err(NoMatch::because("the tiles have one element")),
    };
    rewriter.replace(op.op(), &[result]);
    Ok(Matched)
}

/// The tiles are computed with the dimensions image, tile row, height in the tile, tile column, width in the tile, filter: 0 to
/// 5. The pairs of tile and place in it are collapsed, and the sum with the old output is the new one.
pub(super) fn decompose_output(
    op: WinogradOutputTransform,
    rewriter: &mut Rewriter<'_>,
) -> Result<Matched, NoMatch> {
    let step = Step::of(op.op(), rewriter)?;
    let ctx = rewriter.context().clone();
    let (products, [rows, columns]) = (step.input, step.step.matrices());
    let side = |matrix: Option<Rows>| matrix.map_or(1, |rows| rows.len() as i64);
    let b = &mut rewriter.builder();
    step.check_extents(b);
    let tiles = [
        Extent::Of(products, 4),
        Extent::Of(products, 2),
        Extent::Known(side(rows)),
        Extent::Of(products, 3),
        Extent::Known(side(columns)),
        Extent::Of(products, 5),
    ];
    let tiles = step.empty(b, &tiles);
    let tiles = match (rows, columns) {
        (Some(rows), None) => step.contract(b, (rows, 2), (products, dims(&[6, 4, 1, 3, 0, 5])), tiles)?,
        (None, Some(columns)) => {
            step.contract(b, (columns, 4), (products, dims(&[2, 6, 1, 3, 0, 5])), tiles)?
        }
        (Some(rows), Some(columns)) => {
            let mut between = vec![Extent::Known(side(Some(rows)))];
            between.extend((1..6).map(|dimension| Extent::Of(products, dimension)));
            let between = step.empty(b, &between);
            let by_row = step.contract(b, (rows, 0), (products, dims(&[6, 1, 2, 3, 4, 5])), between)?;
            step.contract(b, (columns, 4), (by_row, dims(&[2, 6, 1, 3, 0, 5])), tiles)?
        }
        (None, None) => return Err(NoMatch::because("the tiles have one element")),
    };
    let shape = b.ty(tiles).shape(&ctx).unwrap_or(&[]).to_vec();
    let product = |tiles: i64, side: i64| if tiles == DYNAMIC { DYNAMIC } else { tiles * side };
    let collapsed = [shape[0], product(shape[1], shape[2]), product(shape[3], shape[4]), shape[5]];
    let collapsed = Type::tensor(&ctx, &collapsed, step.element);
    let groups = [vec![0], vec![1, 2], vec![3, 4], vec![5]].map(Array).to_vec();
    let images = CollapseShape::build(b, tiles, groups, collapsed).result(b.body());
    let maps = [AffineMap::identity(4), AffineMap::identity(4)];
    let sum =
        Generic::with(b, &[images], &[step.output], &maps, &[IteratorType::Parallel; 4], |b, elements| {
            vec![addf(b, elements[1], elements[0])]
        });
    let sum = sum.result_tensors(b.body())[0];
    rewriter.replace(op.op(), &[sum]);
    Ok(Matched)
}
