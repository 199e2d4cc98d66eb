//! The steps of a Winograd convolution: `linalg.winograd_filter_transform`, `linalg.winograd_input_transform` and
//! `linalg.winograd_output_transform`.
//!
//! A 2-D convolution with `r` by `r` filters is computed in tiles of `m` by `m` with fewer multiplications. Filters,
//! input tiles and output tiles are multiplied by constant matrices on both sides, or on one side if they are
//! one-dimensional.

use crate::softmax::compatible;
use crate::{structured, winograd_evaluate};
use minoan_ir::{
    AttrEnum, Body, Context, DYNAMIC, Op, OpRef, Type, TypeConstraint, TypeData, Violations, op,
};
use minoan_services::{Effects, Evaluate, OnBuffers};

/// Transforms filters: `linalg.winograd_filter_transform fmr(F_2_3) ins(%f : tensor<2x3x3x5xf32>) outs(%g :
/// tensor<4x4x5x2xf32>) -> tensor<4x4x5x2xf32>`.
#[op(
    "linalg.winograd_filter_transform",
    assembly = "attr-dict `fmr` `(` $fmr `)` `ins` `(` $filter `:` type($filter) `)` `outs` `(` $output `:` type($output) `)` `->` type($result)",
    verify = verify_filter,
    services(Evaluate = winograd_evaluate::By(winograd_evaluate::filter), Effects = OnBuffers)
)]
pub struct WinogradFilterTransform {
    /// The filters: filter, height, width, channel.
    filter: Operand<TENSOR_4D>,
    /// The destination.
    output: Operand<TENSOR_4D>,
    /// The sizes `m` and `r`.
    fmr: WinogradSizes,
    /// The result: height, width, channel, filter.
    result: OpResult<TENSOR_4D>,
}

/// Transforms input tiles: `linalg.winograd_input_transform fmr(F_2_3) ins(%i : tensor<2x10x10x5xf32>) outs(%o :
/// tensor<4x4x4x4x2x5xf32>) -> tensor<4x4x4x4x2x5xf32>`.
#[op(
    "linalg.winograd_input_transform",
    assembly = "attr-dict `fmr` `(` $fmr `)` `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output) `)` `->` type($result)",
    verify = verify_input,
    services(Evaluate = winograd_evaluate::By(winograd_evaluate::input), Effects = OnBuffers)
)]
pub struct WinogradInputTransform {
    /// The images: image, height, width, channel.
    input: Operand<TENSOR_4D>,
    /// The destination.
    output: Operand<TENSOR_6D>,
    /// The sizes `m` and `r`.
    fmr: WinogradSizes,
    /// The result: height and width in the tile, tile row and column, image, channel.
    result: OpResult<TENSOR_6D>,
}

/// Transforms products to output tiles and adds them to the output: `linalg.winograd_output_transform fmr(F_2_3)
/// ins(%v : tensor<4x4x4x4x2x2xf32>) outs(%o : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>`.
#[op(
    "linalg.winograd_output_transform",
    assembly = "attr-dict `fmr` `(` $fmr `)` `ins` `(` $value `:` type($value) `)` `outs` `(` $output `:` type($output) `)` `->` type($result)",
    verify = verify_output,
    services(Evaluate = winograd_evaluate::By(winograd_evaluate::output), Effects = OnBuffers)
)]
pub struct WinogradOutputTransform {
    /// The products: height and width in the tile, tile row and column, image, filter.
    value: Operand<TENSOR_6D>,
    /// The accumulator.
    output: Operand<TENSOR_4D>,
    /// The sizes `m` and `r`.
    fmr: WinogradSizes,
    /// The images: image, height, width, filter.
    result: OpResult<TENSOR_4D>,
}

static TENSOR_4D: TypeConstraint =
    TypeConstraint::new("4D tensor of any type values", |ctx, ty| is_tensor(ctx, ty, 4));

static TENSOR_6D: TypeConstraint =
    TypeConstraint::new("6D tensor of any type values", |ctx, ty| is_tensor(ctx, ty, 6));

fn is_tensor(ctx: &Context, ty: Type, rank: usize) -> bool {
    matches!(ty.data(ctx), TypeData::RankedTensor { shape, .. } if shape.len() == rank)
}

/// The sizes `m` of an output tile and `r` of a filter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, AttrEnum)]
#[attr_enum(integer = i32, describe = "allowed 32-bit signless integer cases: 0, 1, 2")]
pub enum WinogradSizes {
    /// Tiles of 2 by 2, filters of 3 by 3.
    #[keyword("F_2_3")]
    F2x3,
    /// Tiles of 4 by 4, filters of 3 by 3.
    #[keyword("F_4_3")]
    F4x3,
    /// Tiles of 2 by 2, filters of 5 by 5.
    #[keyword("F_2_5")]
    F2x5,
}

/// The sizes `m` and `r`.
pub(crate) fn sizes(op: OpRef<'_>) -> (i64, i64) {
    match op.attr_value::<WinogradSizes>("fmr") {
        Some(WinogradSizes::F4x3) => (4, 3),
        Some(WinogradSizes::F2x5) => (2, 5),
        Some(WinogradSizes::F2x3) | None => (2, 3),
    }
}

/// Verifies the rules of all three operations, then `check` on the extents of input and output.
fn verify(
    body: &Body,
    op: Op,
    name: &str,
    errors: &mut Violations,
    check: impl FnOnce(&[i64], &[i64], i64, i64) -> Result<Vec<i64>, &'static str>,
) {
    let (view, ctx) = (body.op(op), body.context());
    let [input, output] = [0, 1].map(|at| body.ty(view.operand(at)));
    if input.element(ctx) != output.element(ctx) {
        return errors
            .push(format!("failed to verify that all of {{{name}, output}} have same element type"));
    }
    if let Err(message) = structured::verify_destinations(view) {
        return errors.push(message);
    }
    let [input, output] = [input, output].map(|ty| ty.shape(ctx).unwrap_or(&[]));
    let (m, r) = sizes(view);
    match check(input, output, m, r) {
        Ok(expected) if compatible(&expected, output) => {}
        Ok(_) => errors.push("the output shape is not expected"),
        Err(message) => errors.push(message.to_owned()),
    }
}

fn verify_filter(body: &Body, op: Op, errors: &mut Violations) {
    verify(body, op, "filter", errors, |filter, _, m, r| {
        let [filters, height, width, channels] = filter[..] else { return Ok(Vec::new()) };
        if height != r && height != 1 {
            return Err("expect filter height either equals to r or 1");
        }
        if width != r && width != 1 {
            return Err("expect filter width either equals to r or 1");
        }
        if height == 1 && width == 1 {
            return Err("expect either filter height or width equals to r");
        }
        let tile = |extent| if extent == r { m + r - 1 } else { 1 };
        Ok(vec![tile(height), tile(width), channels, filters])
    });
}

fn verify_input(body: &Body, op: Op, errors: &mut Violations) {
    verify(body, op, "input", errors, |input, output, m, r| {
        let [images, height, width, channels] = input[..] else { return Ok(Vec::new()) };
        // The extent within a tile, and the number of tiles.
        let tiles = |extent: i64, tile: i64| match (extent, tile) {
            (DYNAMIC, _) => (m + r - 1, DYNAMIC),
            (extent, 1) => (1, extent),
            (extent, _) => (m + r - 1, (extent - (r - 1)) / m),
        };
        let ((height, rows), (width, columns)) = (tiles(height, output[0]), tiles(width, output[1]));
        Ok(vec![height, width, rows, columns, images, channels])
    });
}

fn verify_output(body: &Body, op: Op, errors: &mut Violations) {
    verify(body, op, "value", errors, |value, _, m, r| {
        let [height, width, rows, columns, images, filters] = value[..] else { return Ok(Vec::new()) };
        let extent = |tile, many, message| match (tile, many) {
            (DYNAMIC, _) | (_, DYNAMIC) => Ok(DYNAMIC),
            (1, many) => Ok(many),
            (tile, many) if tile == m + r - 1 => Ok(m * many),
            _ => Err(message),
        };
        let height = extent(height, rows, "expect input height equals to input tile size")?;
        let width = extent(width, columns, "expect input width equals to input tile size")?;
        Ok(vec![images, height, width, filters])
    });
}
