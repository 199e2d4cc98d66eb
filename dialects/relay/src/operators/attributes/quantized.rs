//! Attributes of quantized operators.

use super::super::FieldKind::{DType, Int};
use super::{AttrsType, flag, int, maybe, named, need, text};

pub(in crate::operators) static QUANTIZE: AttrsType =
    named("QuantizeAttrs", &[need(DType, "out_dtype"), int("axis", -1)]);
pub(in crate::operators) static DEQUANTIZE: AttrsType =
    named("DequantizeAttrs", &[need(DType, "out_dtype"), int("axis", -1)]);
pub(in crate::operators) static REQUANTIZE: AttrsType = named(
    "RequantizeAttrs",
    &[int("axis", -1), text("rounding", "None"), text("compute_dtype", "None"), maybe(DType, "out_dtype")],
);
pub(in crate::operators) static SIMULATED_QUANTIZE: AttrsType =
    named("SimulatedQuantizeAttrs", &[need(Int, "kind"), flag("sign", true), text("rounding", "round")]);
pub(in crate::operators) static BROADCAST: AttrsType =
    named("BroadcastAttrs", &[int("lhs_axis", -1), int("rhs_axis", -1)]);
