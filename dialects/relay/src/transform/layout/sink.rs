//! Operators through which a transformation of layouts sinks towards the results.
//!
//! `f(layout_transform(x))` becomes `layout_transform(f'(x))`, where `f'` has the axes of the other layout: activations, sums
//! with operands of lower rank, poolings, normalizations, reductions, slices and concatenations.

use super::{Mode, Moved, divides, transformed};
use crate::attrs::{AttrValue, Attrs};
use crate::dialect::{Get, MakeTuple, from_ir, operator_of};
use crate::lower::from_front;
use crate::operators::{Operator, Pattern};
use crate::relation::Relation;
use crate::transform::{apply, apply_with, attrs, replace, static_type};
use crate::ty::Type;
use minoan_ir::{Builder, Op, Value};
use minoan_rewrite::{Matched, Rewriter};

/// The operators that a transformation sinks through, by the meaning of their attributes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Elementwise operators of one tensor.
    Elementwise,
    /// Elementwise operators of this number of operands, from the first on, which are broadcast.
    Broadcast(usize),
    /// Operators of an image, with the attribute `layout`.
    Image,
    /// Operators with the attribute `axis`, an axis of the data.
    Axis,
    /// Operators with the attribute `axis`, a list of axes of the data, which stay.
    Axes,
    /// Reductions along the axes `axis`.
    Reduce,
    Squeeze,
    Slice,
    Pad,
    Transpose,
    Concatenate,
    Flatten,
}

fn kind(operator: &Operator) -> Option<Kind> {
    let is_unary = operator.pattern == Pattern::Elemwise && operator.args.len() == 1;
    Some(match operator.name {
        "cast" | "nn.dropout" => Kind::Elementwise,
        "where" => Kind::Broadcast(3),
        "qnn.add" | "qnn.subtract" | "qnn.mul" => Kind::Broadcast(2),
        "nn.softmax" | "nn.log_softmax" | "nn.fast_softmax" | "nn.lrn" | "nn.bias_add" | "nn.prelu"
        | "nn.batch_norm" | "nn.layer_norm" | "nn.instance_norm" | "split" | "qnn.quantize"
        | "qnn.dequantize" | "qnn.requantize" => Kind::Axis,
        "nn.l2_normalize" => Kind::Axes,
        "squeeze" => Kind::Squeeze,
        "strided_slice" => Kind::Slice,
        "nn.pad" => Kind::Pad,
        "transpose" => Kind::Transpose,
        "concatenate" => Kind::Concatenate,
        "nn.batch_flatten" => Kind::Flatten,
        // Only the first operand is an image.
        _ if operator.field("layout").is_some() && !operator.args.contains(&"grad") => Kind::Image,
        _ => match operator.relation {
            Relation::Broadcast | Relation::BroadcastComp => Kind::Broadcast(2),
            Relation::Reduce | Relation::ArgReduce => Kind::Reduce,
            Relation::Identity | Relation::IdentityCompRel if is_unary => Kind::Elementwise,
            _ => return None,
        },
    })
}

/// Moves a transformation from the operands of an operator to its result.
pub(super) fn sink(mode: &Mode, op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let operator = operator_of(rw.op(op))?;
    let kind = kind(operator)?;
    let given = attrs(rw.op(op))?;
    let at = Site { mode, op, operator, given };
    match kind {
        Kind::Broadcast(count) => at.broadcast(rw, count),
        Kind::Concatenate => at.concatenate(rw),
        _ => at.one(rw, kind),
    }
}

/// A call of an operator.
struct Site<'a> {
    mode: &'a Mode,
    op: Op,
    operator: &'static Operator,
    given: Attrs,
}

impl Site<'_> {
    /// Moves the transformation of the first operand.
    fn one(mut self, rw: &mut Rewriter<'_>, kind: Kind) -> Option<Matched> {
        let moved = self.mode.moved(rw, rw.op(self.op).operand(0))?;
        let mut kept = moved.letters();
        if moved.is_split() {
            if self.operator.name == "nn.bias_add" {
                return self.split_bias(rw, &moved);
            }
            let has_layout = kind == Kind::Image && self.operator.name.contains("pool2d");
            if !has_layout && !matches!(kind, Kind::Elementwise | Kind::Axis) {
                return None;
            }
        }
        match kind {
            Kind::Elementwise => {}
            Kind::Image => self.set_layout(&moved)?,
            Kind::Axis => {
                // Numbers as scales have no axis.
                let others = rw.op(self.op).operands().skip(1);
                if self.operator.args.len() == 1 || others.into_iter().any(|arg| rank(rw, arg) != Some(0)) {
                    self.set_axis(&moved)?;
                }
            }
            Kind::Axes => _ = self.set_axes(&moved)?,
            Kind::Reduce => {
                let axes = self.set_axes(&moved)?;
                // An index along several axes depends on their order.
                let is_index = self.operator.relation == Relation::ArgReduce;
                if is_index && (axes.len() != 1 || self.given.flag("exclude")) {
                    return None;
                }
                let named = |at: usize| axes.is_empty() || axes.contains(&at);
                if !self.given.flag("keepdims") {
                    let exclude = self.given.flag("exclude");
                    kept.retain(|&at| named(at) == exclude);
                }
            }
            Kind::Squeeze => {
                let removed = self.set_squeezed(rw, &moved)?;
                kept.retain(|at| !removed.contains(at));
            }
            Kind::Slice => self.set_slice(&moved)?,
            Kind::Pad => self.set_pad(&moved)?,
            Kind::Transpose => return self.transpose(rw, &moved),
            Kind::Flatten => return self.flatten(rw, &moved),
            Kind::Broadcast(_) | Kind::Concatenate => return None,
        }
        let mut args: Vec<Value> = rw.op(self.op).operands().collect();
        args[0] = moved.data;
        let made = apply_with(&mut rw.builder(), self.operator.name, &args, &self.given)?;
        self.finish(rw, made, &moved.only(&kept))
    }

    /// The sum of an image with split channels and the bias of each channel.
    fn split_bias(&self, rw: &mut Rewriter<'_>, moved: &Moved) -> Option<Matched> {
        let bias = rw.op(self.op).operand(1);
        let (_, shape) = static_type(rw, bias)?;
        let axis = from_front(self.given.int("axis")?, moved.letters().len());
        let shape = moved.along(axis, *shape.first()?)?;
        let b = &mut rw.builder();
        let bias = Part::Reshaped(bias, shape).build(b, moved)?;
        let made = apply(b, "add", &[moved.data, bias], [])?;
        self.finish(rw, made, moved)
    }

    /// Replaces the operation by the transformation of its new result.
    fn finish(&self, rw: &mut Rewriter<'_>, made: Value, moved: &Moved) -> Option<Matched> {
        let ctx = rw.context().clone();
        let old = rw.ty(rw.op(self.op).result(0));
        let Some(parts) = old.as_tuple(&ctx).map(<[_]>::to_vec) else {
            let back = self.mode.back(&mut rw.builder(), made, moved)?;
            return replace(rw, self.op, back);
        };
        let mut values = Vec::with_capacity(parts.len());
        for (at, part) in parts.into_iter().enumerate() {
            let b = &mut rw.builder();
            let value = Get::build(b, made, i64::try_from(at).ok()?).result(b.body());
            let is_image =
                matches!(from_ir(&ctx, part), Type::Tensor(ty) if ty.rank() == moved.to.chars().count());
            values.push(if is_image { self.mode.back(b, value, moved)? } else { value });
        }
        let b = &mut rw.builder();
        let tuple = MakeTuple::build(b, &values).result(b.body());
        replace(rw, self.op, tuple)
    }

    fn set_layout(&mut self, moved: &Moved) -> Option<()> {
        let plain = self.given.text("layout") == Some(&moved.to)
            && self.given.text("out_layout").is_none_or(|layout| layout.is_empty() || layout == moved.to);
        if !plain {
            return None;
        }
        self.given.set("layout", moved.from.as_str().into());
        if self.given.text("out_layout").is_some() {
            self.given.set("out_layout", "".into());
        }
        Some(())
    }

    fn set_axis(&mut self, moved: &Moved) -> Option<()> {
        let axis = moved.axis(self.given.int("axis")?)?;
        self.given.set("axis", AttrValue::Int(axis));
        Some(())
    }

    /// Sets the list of axes; returns the former ones.
    fn set_axes(&mut self, moved: &Moved) -> Option<Vec<usize>> {
        let axes = match self.given.get("axis")? {
            AttrValue::None => return Some(Vec::new()),
            AttrValue::Int(axis) => vec![*axis],
            list => list.as_ints()?,
        };
        let rank = moved.letters().len();
        let mut new: Vec<i64> = axes.iter().map(|&axis| moved.axis(axis)).collect::<Option<_>>()?;
        new.sort_unstable();
        self.given.set("axis", AttrValue::ints(&new));
        Some(axes.into_iter().map(|axis| from_front(axis, rank)).collect())
    }

    /// Sets the axes to remove; returns the former ones.
    fn set_squeezed(&mut self, rw: &Rewriter<'_>, moved: &Moved) -> Option<Vec<usize>> {
        if matches!(self.given.get("axis"), None | Some(AttrValue::None)) {
            let (_, shape) = static_type(rw, rw.op(self.op).operand(0))?;
            let ones = (0..shape.len()).filter(|&at| shape[at] == 1).map(|at| at as i64);
            self.given.set("axis", AttrValue::ints(&ones.collect::<Vec<i64>>()));
        }
        self.set_axes(moved)
    }

    fn set_slice(&mut self, moved: &Moved) -> Option<()> {
        let count = self.given.ints("begin")?.len();
        let axes = match self.given.ints("axes") {
            Some(axes) => axes,
            None => (0..i64::try_from(count).ok()?).collect(),
        };
        let axes: Vec<i64> = axes.into_iter().map(|axis| moved.axis(axis)).collect::<Option<_>>()?;
        self.given.set("axes", AttrValue::ints(&axes));
        Some(())
    }

    fn set_pad(&mut self, moved: &Moved) -> Option<()> {
        let AttrValue::List(widths) = self.given.get("pad_width")? else { return None };
        let mut new = widths.clone();
        for (at, width) in widths.iter().enumerate() {
            let axis = moved.axis(i64::try_from(at).ok()?)?;
            *new.get_mut(usize::try_from(axis).ok()?)? = width.clone();
        }
        self.given.set("pad_width", AttrValue::List(new));
        Some(())
    }

    /// A transposition transforms itself.
    fn transpose(&mut self, rw: &mut Rewriter<'_>, moved: &Moved) -> Option<Matched> {
        let rank = i64::try_from(moved.letters().len()).ok()?;
        let axes = self.given.ints("axes").filter(|axes| !axes.is_empty());
        let axes = axes.unwrap_or_else(|| (0..rank).rev().collect());
        let axes: Vec<i64> = axes.into_iter().map(|axis| moved.axis(axis)).collect::<Option<_>>()?;
        if axes.iter().copied().eq(0..rank) {
            return replace(rw, self.op, moved.data);
        }
        let made = apply(&mut rw.builder(), "transpose", &[moved.data], [("axes", AttrValue::ints(&axes))])?;
        replace(rw, self.op, made)
    }

    /// The order of the axes does not matter for images of one element.
    fn flatten(&self, rw: &mut Rewriter<'_>, moved: &Moved) -> Option<Matched> {
        let (_, shape) = static_type(rw, rw.op(self.op).operand(0))?;
        if !moved.from.starts_with('N') || shape.iter().skip(1).filter(|&&extent| extent != 1).count() > 1 {
            return None;
        }
        let made = apply(&mut rw.builder(), "nn.batch_flatten", &[moved.data], [])?;
        replace(rw, self.op, made)
    }

    fn broadcast(&self, rw: &mut Rewriter<'_>, count: usize) -> Option<Matched> {
        let mut args: Vec<Value> = rw.op(self.op).operands().collect();
        let moved = args[..count].iter().find_map(|&arg| self.mode.moved(rw, arg))?;
        let are_numbers = args[count..].iter().all(|&arg| rank(rw, arg) == Some(0));
        let is_image = rank(rw, rw.op(self.op).result(0)) == Some(moved.letters().len());
        if !are_numbers || !is_image {
            return None;
        }
        let parts: Vec<Part> =
            args[..count].iter().map(|&arg| self.part(rw, arg, &moved)).collect::<Option<_>>()?;
        for (arg, part) in args.iter_mut().zip(parts) {
            *arg = part.build(&mut rw.builder(), &moved)?;
        }
        let made = apply_with(&mut rw.builder(), self.operator.name, &args, &self.given)?;
        self.finish(rw, made, &moved)
    }

    /// The form that an operand has in the other layout.
    fn part(&self, rw: &Rewriter<'_>, value: Value, moved: &Moved) -> Option<Part> {
        if let Some(other) = self.mode.moved(rw, value).filter(|other| other.is_like(moved)) {
            return Some(Part::Same(other.data));
        }
        let rank = moved.letters().len();
        let lacking = rank.checked_sub(self::rank(rw, value)?)?;
        if let Some((_, shape)) = static_type(rw, value) {
            let mut long = shape.iter().enumerate().filter(|(_, extent)| **extent != 1);
            match (long.next(), long.next()) {
                (None, _) => return Some(Part::Same(value)),
                (Some((at, &extent)), None) => {
                    let wanted = moved.along(at + lacking, extent)?;
                    let is_same = wanted == shape;
                    return Some(if is_same { Part::Same(value) } else { Part::Reshaped(value, wanted) });
                }
                _ => {}
            }
        }
        let to = moved.to.get(lacking..)?;
        let splits = moved.is_split() && !(lacking == 0 && divides(rw, value, to, &moved.from));
        (self.mode.transforms_others() && !splits).then_some(Part::Transformed(value, lacking))
    }

    fn concatenate(mut self, rw: &mut Rewriter<'_>) -> Option<Matched> {
        let tuple = rw.op(rw.body().defining_op(rw.op(self.op).operand(0))?);
        if !tuple.is::<MakeTuple>() {
            return None;
        }
        let args: Vec<Value> = tuple.operands().collect();
        let moved = args.iter().find_map(|&arg| self.mode.moved(rw, arg))?;
        // Each part has whole groups of a split axis.
        let axis = moved.outer_axis(self.given.int("axis")?)?;
        self.given.set("axis", AttrValue::Int(axis));
        let mut parts = Vec::with_capacity(args.len());
        for &arg in &args {
            parts.push(match self.mode.moved(rw, arg).filter(|other| other.is_like(&moved)) {
                Some(other) => Part::Same(other.data),
                None if self.mode.transforms_others() && divides(rw, arg, &moved.to, &moved.from) => {
                    Part::Transformed(arg, 0)
                }
                None => return None,
            });
        }
        let b = &mut rw.builder();
        let parts: Vec<Value> = parts.into_iter().map(|part| part.build(b, &moved)).collect::<Option<_>>()?;
        let tuple = MakeTuple::build(b, &parts).result(b.body());
        let made = apply_with(b, "concatenate", &[tuple], &self.given)?;
        self.finish(rw, made, &moved)
    }
}

fn rank(rw: &Rewriter<'_>, value: Value) -> Option<usize> {
    match from_ir(rw.context(), rw.ty(value)) {
        Type::Tensor(ty) => Some(ty.rank()),
        _ => None,
    }
}

/// The form of an operand in another layout.
enum Part {
    /// Unchanged.
    Same(Value),
    /// With the elements along one axis.
    Reshaped(Value, Vec<i64>),
    /// Transformed, after this number of axes are added.
    Transformed(Value, usize),
}

impl Part {
    fn build(self, b: &mut Builder<'_>, moved: &Moved) -> Option<Value> {
        match self {
            Part::Same(value) => Some(value),
            Part::Reshaped(value, shape) => {
                apply(b, "reshape", &[value], [("newshape", AttrValue::ints(&shape))])
            }
            Part::Transformed(mut value, lacking) => {
                if lacking > 0 {
                    let count = AttrValue::Int(i64::try_from(lacking).ok()?);
                    let given = [("axis", AttrValue::Int(0)), ("num_newaxis", count)];
                    value = apply(b, "expand_dims", &[value], given)?;
                }
                transformed(b, value, &moved.to, &moved.from)
            }
        }
    }
}
