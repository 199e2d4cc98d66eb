//! Tables of the elements that each coordinate of a resized axis interpolates, with their weights.
//!
//! They depend on the coordinate along one axis only, so they are computed once for each instead of for each element.

use super::resize::Taps;
use crate::lower::extent::Extent;
use crate::lower::extract;
use crate::lower::site::Tensor;
use crate::lower::tensors::generate;
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, Type, Value};

/// The coordinates along an axis of the data that one along an axis of the result depends on.
pub(super) struct Place {
    pub(super) taps: Taps,
    /// Whether the coordinate is outside of the data.
    pub(super) outside: Option<Value>,
}

/// The tables of an axis.
pub(super) struct Table {
    pub(super) axis: usize,
    /// For each tap, its indices by the coordinates of the result.
    indices: Vec<Tensor>,
    /// For each tap, its weights; none for a single tap.
    weights: Vec<Tensor>,
    outside: Option<Tensor>,
}

impl Table {
    /// Computes the tables of an axis with `size` coordinates; `place` computes one, and `dtype` is the type of its weights.
    pub(super) fn new(
        b: &mut Builder<'_>,
        (axis, size): (usize, Extent),
        (n_taps, has_outside): (usize, bool),
        dtype: DType,
        place: &dyn Fn(&mut Builder<'_>, Value) -> Place,
    ) -> Table {
        let mut table = |dtype, value: &dyn Fn(&mut Builder<'_>, Place) -> Value| {
            generate(b, &[size], dtype, |b, at| {
                let found = place(b, at[0]);
                value(b, found)
            })
        };
        let index = |tap: usize| {
            move |b: &mut Builder<'_>, place: Place| arith::index_cast(b, place.taps.indices[tap], Type::I64)
        };
        let weight = |tap: usize| move |_: &mut Builder<'_>, place: Place| place.taps.weights[tap];
        let indices = (0..n_taps).map(|tap| table(DType::I64, &index(tap))).collect();
        let n_weights = if n_taps == 1 { 0 } else { n_taps };
        let weights = (0..n_weights).map(|tap| table(dtype, &weight(tap))).collect();
        let is_outside =
            |_: &mut Builder<'_>, place: Place| place.outside.expect("it is computed for each place");
        let outside = has_outside.then(|| table(DType::Bool, &is_outside));
        Table { axis, indices, weights, outside }
    }

    /// Reads the tables at a coordinate of the result.
    pub(super) fn place(&self, b: &mut Builder<'_>, at: Value) -> Place {
        let mut taps = Taps { axis: self.axis, indices: Vec::new(), weights: Vec::new() };
        for table in &self.indices {
            let index = extract(b, table.value, &[at]);
            taps.indices.push(arith::index_cast(b, index, Type::INDEX));
        }
        for table in &self.weights {
            taps.weights.push(extract(b, table.value, &[at]));
        }
        let outside = self.outside.as_ref().map(|table| extract(b, table.value, &[at]));
        Place { taps, outside }
    }
}
