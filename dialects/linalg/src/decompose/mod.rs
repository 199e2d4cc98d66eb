//! Computations on tensors in terms of `linalg.generic`, as named sets of patterns that are applied before lowering.
//!
//! | set | operations |
//! |---|---|
//! | `convert-elementwise-to-linalg` | operations with the trait `ELEMENTWISE` on ranked tensors |
//! | `linalg-decompose-relayout` | `linalg.pack`, `linalg.unpack` on tensors |
//! | `linalg-decompose-softmax` | `linalg.softmax` on tensors; after differentiation, since it has a derivative rule |
//! | `linalg-push-slices` | slices of results of `linalg.generic`; after differentiation |
//! | `linalg-push-reshapes` | elementwise `linalg.generic` of reshaped reductions; after differentiation |
//! | `linalg-uniform-outputs` | elementwise `linalg.generic` on an output whose elements are all equal; after differentiation |
//! | `linalg-fold-broadcasts` | `linalg.generic` with inputs that repeat the elements of other tensors; after differentiation |
//! | `linalg-inline-constants` | `linalg.generic` with inputs whose elements are all the same constant; after differentiation |
//! | `linalg-decompose-winograd` | the steps of Winograd convolutions |
//! | `linalg-decompose` | those of `linalg-decompose-relayout`, `linalg-decompose-softmax` and `linalg-decompose-winograd` |

mod elementwise;
mod relayout;
mod softmax;
mod winograd;

use minoan_arith::constant_index;
use minoan_ir::{Builder, DYNAMIC, Type, Value};
use minoan_rewrite::{NamedPatterns, PatternSet, PatternStage};
use minoan_tensor::{Empty, dim};

pub(crate) const SETS: &[NamedPatterns] = &[
    NamedPatterns {
        name: "linalg-decompose",
        description: "express linalg.softmax, packing and Winograd transforms on tensors by linalg.generic",
        stage: PatternStage::ByName,
        add: |patterns| {
            decompose_relayout(patterns);
            decompose_softmax(patterns);
            decompose_winograd(patterns);
        },
    },
    NamedPatterns {
        name: "linalg-decompose-relayout",
        description: "express linalg.pack and linalg.unpack on tensors by linalg.generic",
        stage: PatternStage::BeforeLowering,
        add: decompose_relayout,
    },
    NamedPatterns {
        name: "linalg-decompose-winograd",
        description: "express the steps of Winograd convolutions by linalg.generic",
        stage: PatternStage::BeforeLowering,
        add: decompose_winograd,
    },
    NamedPatterns {
        name: "linalg-decompose-softmax",
        description: "express linalg.softmax on tensors by linalg.generic",
        stage: PatternStage::AfterDifferentiation,
        add: decompose_softmax,
    },
    NamedPatterns {
        name: "linalg-push-slices",
        description: "compute no more than the slice of a result of linalg.generic that is used",
        stage: PatternStage::AfterDifferentiation,
        add: crate::push_slices::add,
    },
    NamedPatterns {
        name: "linalg-push-reshapes",
        description: "collapse the dimensions of a reduction after the elementwise operations that read it",
        stage: PatternStage::AfterDifferentiation,
        add: crate::push_reshapes::add,
    },
    NamedPatterns {
        name: "linalg-uniform-outputs",
        description: "read the element of an output of linalg.generic all elements of which are the same",
        stage: PatternStage::AfterDifferentiation,
        add: crate::uniform_outputs::add,
    },
    NamedPatterns {
        name: "linalg-fold-broadcasts",
        description: "read the source of a broadcast or of an expansion of dimensions in linalg.generic",
        stage: PatternStage::AfterDifferentiation,
        add: crate::fold_broadcasts::add,
    },
    NamedPatterns {
        name: "linalg-inline-constants",
        description: "use a constant in the body of linalg.generic instead of an input all elements of which are that constant",
        stage: PatternStage::AfterDifferentiation,
        add: crate::inline_constants::add,
    },
    NamedPatterns {
        name: "convert-elementwise-to-linalg",
        description: "convert elementwise operations on tensors to linalg.generic",
        stage: PatternStage::BeforeLowering,
        add: elementwise::add,
    },
];

fn decompose_softmax(patterns: &mut PatternSet) {
    patterns.on("linalg-decompose-softmax", softmax::decompose);
}

fn decompose_relayout(patterns: &mut PatternSet) {
    patterns
        .on("linalg-decompose-pack", relayout::decompose_pack)
        .on("linalg-decompose-unpack", relayout::decompose_unpack);
}

fn decompose_winograd(patterns: &mut PatternSet) {
    patterns
        .on("linalg-decompose-winograd-filter", winograd::decompose_filter)
        .on("linalg-decompose-winograd-input", winograd::decompose_input)
        .on("linalg-decompose-winograd-output", winograd::decompose_output);
}

/// The extents of a tensor that its type leaves open, in order.
fn dynamic_sizes(b: &mut Builder<'_>, tensor: Value) -> Vec<Value> {
    let ctx = b.context();
    let shape = b.ty(tensor).shape(&ctx).unwrap_or(&[]).to_vec();
    let open = shape.iter().enumerate().filter(|&(_, &extent)| extent == DYNAMIC);
    open.map(|(dimension, _)| extent(b, tensor, dimension)).collect()
}

/// The extent of a dimension of a tensor.
pub(crate) fn extent(b: &mut Builder<'_>, tensor: Value, dimension: usize) -> Value {
    let dimension = constant_index(b, dimension as i64);
    dim(b, tensor, dimension)
}

/// A tensor without contents of the type `ty`; `like` has the extents that the type leaves open.
fn empty_like(b: &mut Builder<'_>, ty: Type, like: Value) -> Value {
    let sizes = dynamic_sizes(b, like);
    Empty::build(b, &sizes, ty).result(b.body())
}
