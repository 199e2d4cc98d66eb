//! Folds that keep a value of each step.

use crate::Yield;
use crate::ops::with_region_and;
use crate::types::{ARRAY, TUPLE, VALUE, array, element_type, tensor_parts};
use minoan_functional::verify_region;
use minoan_ir::{Attr, Body, Builder, Context, Op, Type, Value, Violations, op};

/// Left fold over the elements of a vector that also collects a value of each step.
///
/// `knossos.scan %init, %vector {..} : f32, tensor<?xf32> -> tuple<f32, tensor<?xf32>>`: the region maps the accumulator and
/// an element to a tuple of the next accumulator and the value at the index of the element. The result is the last
/// accumulator and the vector of the values. With `reverse`, the last element comes first.
#[op(
    "knossos.scan",
    traits(SINGLE_BLOCK),
    assembly = "(`reverse` $reverse^)? $init `,` $vector $body attr-dict `:` type($init) `,` type($vector) `->` type($result)",
    verify = verify_scan
)]
pub struct Scan {
    /// The initial accumulator.
    init: Operand<VALUE>,
    /// The vector.
    vector: Operand<ARRAY>,
    /// Whether the elements are visited from the last to the first.
    #[attr(unit)]
    reverse: bool,
    /// The final accumulator and the vector of the values.
    result: OpResult<TUPLE>,
    /// Computes the next accumulator and a value from the accumulator and an element.
    #[region(non_empty)]
    body: Region,
}

/// The result of a region that yields `yielded`.
fn scanned(ctx: &Context, init: Type, yielded: Type) -> Option<Type> {
    let &[next, value] = yielded.as_tuple(ctx)? else { return None };
    (next == init).then(|| Type::tuple(ctx, &[init, array(ctx, 1, value)]))
}

fn verify_scan(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let types: Vec<Type> = view.operand_types().collect();
    let &[init, vector] = &types[..] else { return };
    let Some((rank, element)) = tensor_parts(ctx, vector) else { return };
    if rank != 1 {
        errors.push("scans vectors only");
    }
    let yielded = verify_region::<Yield>(body, op, 0, &[init, element], None, errors);
    if let Some(yielded) = yielded
        && view.result_types().next() != scanned(ctx, init, yielded)
    {
        errors.push(
            "must yield a tuple of the next accumulator and a value, and have a tuple of these as its result",
        );
    }
}

/// The order in which a scan visits the elements of its vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScanOrder {
    /// From the first element to the last one.
    Forward,
    /// From the last element to the first one.
    Reverse,
}

impl Scan {
    /// Creates a scan; `fill` computes a tuple of the next accumulator and a value from the accumulator and an element.
    pub fn with(
        b: &mut Builder<'_>,
        init: Value,
        vector: Value,
        order: ScanOrder,
        fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Option<Value>,
    ) -> Option<Value> {
        let ctx = b.context();
        let args = [b.ty(init), element_type(&ctx, b.ty(vector))?];
        let props = b.dictionary(&[("reverse", (order == ScanOrder::Reverse).then_some(Attr::UNIT))]);
        with_region_and::<Scan>(b, &[init, vector], props, &args, |ty| scanned(&ctx, args[0], ty), fill)
    }
}
