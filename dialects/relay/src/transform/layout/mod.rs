//! ConvertLayout: convolutions have their channels last, `NHWC`.
//!
//! In that layout, vectors are full for any size of the image. Constant weights become `HWIO`; others keep their layout, and the
//! kernel that reads them copies them in the order of its computation, once for all points of the image. A single convolution by
//! such weights keeps its layout: the transformations of its image and of its result would take as long as they save. A
//! transformation from `NHWC` to `NCHW` after each convolution sinks through pointwise operators, poolings and concatenations,
//! until it meets the opposite one before the next convolution.

mod desired;
mod sink;

pub use desired::DesiredLayouts;

use super::{Rewrite, Rule, apply, apply_with, attrs, producer, replace, static_type};
use crate::attrs::AttrValue;
use crate::dialect::{MakeTuple, from_ir};
use crate::layout::Layout;
use crate::lower::from_front;
use crate::ty::{Dim, Type};
use minoan_ir::{Attr, Builder, Op, Value};
use minoan_rewrite::{Matched, PatternSet, Rewriter};
use sink::sink;

/// The attribute of transformations that sink towards the results.
const MARK: &str = "relay.sinks";

/// Convolutions with fewer output channels keep their layout: they would leave lanes empty.
const MIN_CHANNELS: i64 = 16;

/// The operators that a transformation sinks through by default.
const THROUGH: &[&str] = &[
    "relay.nn.relu",
    "relay.nn.leaky_relu",
    "relay.clip",
    "relay.tanh",
    "relay.sigmoid",
    "relay.exp",
    "relay.erf",
    "relay.negative",
    "relay.sqrt",
    "relay.abs",
    "relay.cast",
    "relay.copy",
    "relay.add",
    "relay.subtract",
    "relay.multiply",
    "relay.divide",
    "relay.maximum",
    "relay.minimum",
    "relay.nn.bias_add",
    "relay.nn.max_pool2d",
    "relay.nn.avg_pool2d",
    "relay.nn.global_avg_pool2d",
    "relay.nn.global_max_pool2d",
    "relay.nn.adaptive_avg_pool2d",
    "relay.nn.adaptive_max_pool2d",
    "relay.concatenate",
    "relay.nn.batch_flatten",
];

pub(super) fn convert(patterns: &mut PatternSet) {
    let rules: [(&'static str, &'static [&'static str], Rewrite); 4] = [
        ("relay-channels-last", &["relay.nn.conv2d"], conv2d),
        ("relay-channels-last-transposed", &["relay.nn.conv2d_transpose"], conv2d_transpose),
        ("relay-layout-of-layout", &["relay.layout_transform"], inverse),
        ("relay-layout-through", THROUGH, through),
    ];
    for (name, roots, rewrite) in rules {
        patterns.add(Rule { name, roots, rewrite });
    }
}

fn through(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    sink(&Mode::ChannelsLast, op, rw)
}

/// The choice of the transformations that sink.
enum Mode {
    /// The transformations from `NHWC` to `NCHW`. Operands that are not transformed, and vary along several axes, keep them where
    /// they are.
    ChannelsLast,
    /// The transformations that the pass creates, marked by an attribute. Other operands are transformed.
    Marked,
}

/// The result of a transformation to a plain layout, from one with the same axes, which may be split.
struct Moved {
    data: Value,
    from: String,
    to: String,
}

impl Moved {
    /// The axes of the result.
    fn letters(&self) -> Vec<usize> {
        (0..self.to.chars().count()).collect()
    }

    /// The axis of the data for an axis of the result, unless it is split.
    fn axis(&self, axis: i64) -> Option<i64> {
        let letter = self.letter(axis)?;
        let is_split = Layout::parse(&self.from)?.is_split(letter);
        self.outer_axis(axis).filter(|_| !is_split)
    }

    /// The axis of the data, or the outer part of it, for an axis of the result.
    fn outer_axis(&self, axis: i64) -> Option<i64> {
        let at = Layout::parse(&self.from)?.position(self.letter(axis)?)?;
        i64::try_from(at).ok()
    }

    fn letter(&self, axis: i64) -> Option<char> {
        self.to.chars().nth(from_front(axis, self.to.chars().count()))
    }

    /// Whether axes of the data are split.
    fn is_split(&self) -> bool {
        self.from.contains(|c: char| c.is_ascii_digit())
    }

    /// The shape in the layout of the data of elements along one axis of the result, from that axis on.
    fn along(&self, axis: usize, extent: i64) -> Option<Vec<i64>> {
        let letter = self.to.chars().nth(axis)?;
        let from = Layout::parse(&self.from)?;
        let factor = from.factor(letter);
        if factor.is_some_and(|factor| extent % factor != 0) {
            return None;
        }
        let shape = from.axes().map(|(other, inner)| match inner {
            _ if other != letter => 1,
            Some(factor) => factor,
            None => extent / factor.unwrap_or(1),
        });
        let outer = from.position(letter)?;
        let is_inner_first = from.axes().take(outer).any(|(other, _)| other == letter);
        (!is_inner_first).then(|| shape.skip(outer).collect())
    }

    fn is_like(&self, other: &Moved) -> bool {
        self.from == other.from && self.to == other.to
    }

    /// The transformation with only these axes of the result.
    fn only(&self, kept: &[usize]) -> Moved {
        if kept.len() == self.letters().len() {
            return Moved { data: self.data, from: self.from.clone(), to: self.to.clone() };
        }
        let to: String = kept.iter().filter_map(|&at| self.to.chars().nth(at)).collect();
        let from = self.from.chars().filter(|&letter| to.contains(letter)).collect();
        Moved { data: self.data, from, to }
    }
}

impl Mode {
    /// The transformation that gives a value, if it sinks.
    fn moved(&self, rw: &Rewriter<'_>, value: Value) -> Option<Moved> {
        let op = producer(rw, value, "layout_transform")?;
        let given = attrs(op)?;
        let (from, to) = (given.text("src_layout")?, given.text("dst_layout")?);
        let sinks = match self {
            Mode::ChannelsLast => (from, to) == ("NHWC", "NCHW"),
            Mode::Marked => op.attr_named(MARK).is_some(),
        };
        sinks.then(|| Moved { data: op.operand(0), from: from.to_owned(), to: to.to_owned() })
    }

    fn transforms_others(&self) -> bool {
        matches!(self, Mode::Marked)
    }

    /// Transforms the new result of an operator to its former layout.
    fn back(&self, b: &mut Builder<'_>, value: Value, moved: &Moved) -> Option<Value> {
        if moved.from == moved.to {
            return Some(value);
        }
        let back = transformed(b, value, &moved.from, &moved.to)?;
        if matches!(self, Mode::Marked)
            && let Some(op) = b.body().defining_op(back)
        {
            let name = b.context().name(MARK);
            b.body_mut().set_attr(op, name, Some(Attr::UNIT));
        }
        Some(back)
    }
}

/// Whether the extents of a tensor in a plain layout are multiples of the parts into which another layout splits them: otherwise
/// its transformation would add elements.
fn divides(rw: &Rewriter<'_>, value: Value, plain: &str, split: &str) -> bool {
    let Type::Tensor(ty) = from_ir(rw.context(), rw.ty(value)) else { return false };
    let Some(layout) = Layout::parse(split) else { return false };
    plain.chars().zip(ty.shape.iter()).all(|(letter, dim)| match (layout.factor(letter), dim) {
        (None, _) => true,
        (Some(factor), Dim::Known(extent)) => extent % factor == 0,
        (Some(_), _) => false,
    })
}

fn transformed(b: &mut Builder<'_>, value: Value, from: &str, to: &str) -> Option<Value> {
    apply(b, "layout_transform", &[value], [("src_layout", from.into()), ("dst_layout", to.into())])
}

/// The image with the channels last that a value is transformed from.
fn last(rw: &Rewriter<'_>, value: Value) -> Option<Value> {
    Mode::ChannelsLast.moved(rw, value).map(|moved| moved.data)
}

/// Replaces an operation by the transformation of `value` to `NCHW`.
fn replace_by_last(rw: &mut Rewriter<'_>, op: Op, value: Value) -> Option<Matched> {
    let back = transformed(&mut rw.builder(), value, "NHWC", "NCHW")?;
    replace(rw, op, back)
}

fn conv2d(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (data, weight) = (rw.op(op).operand(0), rw.op(op).operand(1));
    let mut given = attrs(rw.op(op))?;
    let plain = given.text("data_layout") == Some("NCHW")
        && given.text("kernel_layout") == Some("OIHW")
        && matches!(given.text("out_layout"), None | Some("" | "NCHW"));
    let (ty, shape) = static_type(rw, data)?;
    let (_, kernel) = static_type(rw, weight)?;
    static_type(rw, rw.op(op).result(0))?;
    let groups = given.int("groups").unwrap_or(1);
    let depthwise = groups == shape[1] && kernel[0] == shape[1];
    let is_wide = kernel[0] >= MIN_CHANNELS && (groups == 1 || depthwise);
    if !plain || !is_wide || !ty.dtype.is_float() {
        return None;
    }
    let is_constant = rw.constant_of(weight).is_some();
    let known = last(rw, data);
    if !is_constant && known.is_none() && !is_convolved(rw, rw.op(op).result(0)) {
        return None;
    }
    // The weights of a depthwise convolution are few, and a factor of each lane: a kernel does not copy them.
    let transposes = depthwise || is_constant;
    let b = &mut rw.builder();
    let data = match known {
        Some(data) => data,
        None => transformed(b, data, "NCHW", "NHWC")?,
    };
    given.set("data_layout", "NHWC".into());
    let weight = if transposes {
        given.set("kernel_layout", "HWIO".into());
        apply(b, "transpose", &[weight], [("axes", AttrValue::ints(&[2, 3, 1, 0]))])?
    } else {
        weight
    };
    given.set("out_layout", "".into());
    let made = apply_with(b, "nn.conv2d", &[data, weight], &given)?;
    replace_by_last(rw, op, made)
}

/// A transposed convolution by constant weights.
fn conv2d_transpose(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (data, weight) = (rw.op(op).operand(0), rw.op(op).operand(1));
    let mut given = attrs(rw.op(op))?;
    let plain = given.text("data_layout") == Some("NCHW")
        && given.text("kernel_layout") == Some("IOHW")
        && matches!(given.text("out_layout"), None | Some("" | "NCHW"));
    let (ty, _) = static_type(rw, data)?;
    let (_, kernel) = static_type(rw, weight)?;
    static_type(rw, rw.op(op).result(0))?;
    let is_wide = kernel[1] >= MIN_CHANNELS && given.int("groups").unwrap_or(1) == 1;
    if !plain || !is_wide || !ty.dtype.is_float() || rw.constant_of(weight).is_none() {
        return None;
    }
    let known = last(rw, data);
    let b = &mut rw.builder();
    let data = match known {
        Some(data) => data,
        None => transformed(b, data, "NCHW", "NHWC")?,
    };
    given.set("data_layout", "NHWC".into());
    given.set("kernel_layout", "HWIO".into());
    given.set("out_layout", "".into());
    let weight = apply(b, "transpose", &[weight], [("axes", AttrValue::ints(&[2, 3, 0, 1]))])?;
    let made = apply_with(b, "nn.conv2d_transpose", &[data, weight], &given)?;
    replace_by_last(rw, op, made)
}

/// The most operations that are visited to find out whether an image is convolved.
const MAX_VISITED: usize = 32;

/// Whether operators through which a transformation sinks lead from an image to a convolution of it.
fn is_convolved(rw: &Rewriter<'_>, image: Value) -> bool {
    let (mut pending, mut visited) = (vec![image], 0);
    while let Some(value) = pending.pop() {
        for place in rw.body().uses(value) {
            let user = rw.op(place.op);
            let name = user.name();
            if ["relay.nn.conv2d", "relay.nn.conv2d_transpose"].contains(&name) && place.index == 0 {
                return true;
            }
            visited += 1;
            if visited > MAX_VISITED {
                return false;
            }
            let is_tuple = user.is::<MakeTuple>() || name == "relay.get";
            let is_norm = name == "relay.nn.batch_norm" && place.index == 0;
            let sinks = THROUGH.contains(&name) && name != "relay.nn.batch_flatten";
            if is_tuple || is_norm || sinks && (name != "relay.nn.bias_add" || place.index == 0) {
                pending.extend(user.results());
            }
        }
    }
    false
}

/// Two transformations that are inverses of each other.
pub(super) fn inverse(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let own = attrs(rw.op(op))?;
    let first = producer(rw, rw.op(op).operand(0), "layout_transform")?;
    let before = attrs(first)?;
    let (data, from) = (first.operand(0), before.text("src_layout")?);
    if own.text("dst_layout") != Some(from) || own.text("src_layout") != before.text("dst_layout") {
        return None;
    }
    replace(rw, op, data)
}
