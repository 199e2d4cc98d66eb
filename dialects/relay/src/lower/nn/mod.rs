//! Lowering of neural network operators.

mod adaptive;
mod bits;
mod conv;
mod correlation;
mod deformable;
mod gemm;
mod gradient;
mod matmul;
mod norm;
mod pool;
mod space;
mod transposed;
mod window;
mod winograd;

use super::Rule;
pub(super) use conv::Conv;
pub(super) use matmul::unpacked;
pub(super) use norm::softmax_of;
pub(super) use pool::Windows;
pub(super) use window::{SPATIAL, Window, for_axes};

pub(super) fn rule(name: &str) -> Option<Rule> {
    matmul::rule(name)
        .or_else(|| conv::rule(name))
        .or_else(|| transposed::rule(name))
        .or_else(|| pool::rule(name))
        .or_else(|| adaptive::rule(name))
        .or_else(|| norm::rule(name))
        .or_else(|| space::rule(name))
        .or_else(|| gradient::rule(name))
        .or_else(|| deformable::rule(name))
        .or_else(|| correlation::rule(name))
        .or_else(|| bits::rule(name))
        .or_else(|| gemm::rule(name))
        .or_else(|| winograd::rule(name))
}
