//! Convolutions by windows of 3 x 3 elements by Winograd's method: 16 results take 36 products in place of 144, or 4 results 16
//! in place of 36.
//!
//! The products have other roundings: errors are some ten times those of the convolution. So the patterns are applied if floats
//! may be computed in another way. They run after the choice of a layout, and keep it.

use super::fold::{Dense, made};
use super::{Rule, apply, apply_with, attrs, replace, static_type};
use crate::attrs::AttrValue;
use crate::dialect::to_ir;
use crate::ty::{DType, TensorType, Type};
use crate::winograd::Transforms;
use minoan_arith::Constant;
use minoan_ir::Op;
use minoan_rewrite::{Matched, PatternSet, Rewriter};

/// The numbers of results of a tile along an axis. Small tiles save less, and have fewer results beyond the end of small images.
const TILES: [i64; 2] = [4, 2];
/// With fewer channels, the transformations take longer than the products that are saved.
const MIN_CHANNELS: i64 = 16;
/// With fewer tiles, reading the transformed weights, of four times the size, takes longer than the saved products.
const MIN_TILES: i64 = 9;
/// The same for weights that are transformed at each call.
const MIN_TILES_OF_ARGUMENTS: i64 = 64;

pub(super) fn winograd(patterns: &mut PatternSet) {
    patterns.add(Rule { name: "relay-winograd", roots: &["relay.nn.conv2d"], rewrite: conv2d });
    patterns.add(Rule {
        name: "relay-winograd-of-constant",
        roots: &["relay.nn.contrib_conv2d_winograd_weight_transform"],
        rewrite: constant_weights,
    });
}

fn conv2d(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (data, weight) = (rw.op(op).operand(0), rw.op(op).operand(1));
    let mut given = attrs(rw.op(op))?;
    let layout = given.text("data_layout")?.to_owned();
    let kernel_layout = given.text("kernel_layout")?.to_owned();
    let (ty, _) = static_type(rw, data)?;
    let (_, kernel) = static_type(rw, weight)?;
    let (of_result, result) = static_type(rw, rw.op(op).result(0))?;
    let (size, channels, places) = match (layout.as_str(), kernel_layout.as_str()) {
        ("NCHW", "OIHW") => (&kernel[2..], [kernel[0], kernel[1]], [result[0], result[2], result[3]]),
        ("NHWC", "OIHW") => (&kernel[2..], [kernel[0], kernel[1]], [result[0], result[1], result[2]]),
        ("NHWC", "HWIO") => (&kernel[..2], [kernel[3], kernel[2]], [result[0], result[1], result[2]]),
        _ => return None,
    };
    let ones = |name: &str| given.ints(name).unwrap_or_default().iter().all(|&step| step == 1);
    let is_plain = ones("strides") && ones("dilation") && given.int("groups").unwrap_or(1) == 1;
    let same_layout = given.text("out_layout").is_none_or(|out| out.is_empty() || out == layout);
    let is_float = matches!(ty.dtype, DType::Float(32 | 64)) && of_result.dtype == ty.dtype;
    let is_constant = rw.constant_of(weight).is_some();
    let least = if is_constant { MIN_TILES } else { MIN_TILES_OF_ARGUMENTS };
    let [batch, rows, columns] = places;
    let tiles = |tile: i64| batch * ((rows + tile - 1) / tile) * ((columns + tile - 1) / tile);
    let tile = TILES.into_iter().find(|&tile| tiles(tile) >= least)?;
    let is_wide = channels.iter().all(|&channels| channels >= MIN_CHANNELS);
    if *size != [3, 3] || !is_plain || !same_layout || !is_float || !is_wide {
        return None;
    }
    given.set("data_layout", layout.as_str().into());
    given.set("kernel_layout", "OIHW".into());
    given.set("kernel_size", AttrValue::ints(&[3, 3]));
    given.set("channels", AttrValue::Int(channels[0]));
    given.set("tile_size", AttrValue::Int(tile));
    let b = &mut rw.builder();
    let weight = match kernel_layout.as_str() {
        "OIHW" => weight,
        _ => apply(b, "transpose", &[weight], [("axes", AttrValue::ints(&[3, 2, 0, 1]))])?,
    };
    let size = [("tile_size", AttrValue::Int(tile))];
    let weight = apply(b, "nn.contrib_conv2d_winograd_weight_transform", &[weight], size)?;
    let done = apply_with(b, "nn.contrib_conv2d_winograd_without_weight_transform", &[data, weight], &given)?;
    replace(rw, op, done)
}

/// Transforms constant weights in double precision.
fn constant_weights(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let view = rw.op(op);
    let tile = attrs(view)?.int("tile_size")?;
    let (weights, own) = (rw.constant_of(view.operand(0))?, rw.ty(view.result(0)));
    let ctx = rw.context().clone();
    let dense = Dense::of(&ctx, weights)?;
    let (elements, &[outputs, inputs, taps, columns]) = (dense.floats()?, &dense.shape[..]) else {
        return None;
    };
    let filter = Transforms::of(tile, i64::try_from(taps).ok()?).filter(|_| taps == columns)?.filter;
    let count = filter.len();
    let mut sums = vec![0.0; count * count * outputs * inputs];
    for (pair, window) in elements.chunks_exact(taps * taps).enumerate() {
        // The rows of the window, by the products of its columns.
        let half: Vec<f64> = window
            .chunks_exact(taps)
            .flat_map(|row| {
                filter.iter().map(|powers| row.iter().zip(powers).map(|(x, y)| x * y).sum::<f64>())
            })
            .collect();
        for (first, powers) in filter.iter().enumerate() {
            for second in 0..count {
                let column = half[second..].iter().step_by(count);
                let product = column.zip(powers).map(|(x, y)| x * y).sum();
                sums[(first * count + second) * outputs * inputs + pair] = product;
            }
        }
    }
    let (bytes, size): (Vec<u8>, usize) = match dense.dtype {
        DType::Float(32) => (sums.iter().flat_map(|&sum| (sum as f32).to_le_bytes()).collect(), 4),
        _ => (sums.iter().flat_map(|sum| sum.to_le_bytes()).collect(), 8),
    };
    let extents = [count, count, outputs, inputs].map(|extent| crate::ty::Dim::Known(extent as i64));
    let ty = to_ir(&ctx, &Type::Tensor(TensorType::new(extents, dense.dtype)))?;
    if ty != own {
        return None;
    }
    let attr = made(&ctx, ty, bytes, size);
    let b = &mut rw.builder();
    let value = Constant::build(b, attr).result(b.body());
    replace(rw, op, value)
}
