//! Lowering of quantized operators: integers with a scale and a zero point, which represent real numbers.

mod arithmetic;
mod fixed_point;
mod product;
mod requantize;

use super::Rule;

pub(super) fn rule(name: &str) -> Option<Rule> {
    requantize::rule(name)
        .or_else(|| arithmetic::rule(name))
        .or_else(|| product::rule(name))
        .or_else(|| fixed_point::rule(name))
}
