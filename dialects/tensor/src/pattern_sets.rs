//! Named sets of patterns on tensors.

use crate::{dim_of_pad, gather_scatter, push_reshapes, push_slices};
use minoan_rewrite::{NamedPatterns, PatternStage};

pub(crate) const SETS: &[NamedPatterns] = &[
    NamedPatterns {
        name: "tensor-gather-scatter",
        description: "express tensor.gather by tensor.generate, and tensor.scatter by loops that insert elements",
        stage: PatternStage::BeforeLowering,
        add: gather_scatter::add,
    },
    NamedPatterns {
        name: "tensor-dim-of-pad",
        description: "compute the extents of a padded tensor from those of its source",
        stage: PatternStage::AfterDifferentiation,
        add: dim_of_pad::add,
    },
    NamedPatterns {
        name: "tensor-push-slices",
        description: "pad no more than the slice of a padded tensor that is used",
        stage: PatternStage::AfterDifferentiation,
        add: push_slices::add,
    },
    NamedPatterns {
        name: "tensor-push-reshapes",
        description: "expand the dimensions of a tensor before it is padded",
        stage: PatternStage::AfterDifferentiation,
        add: push_reshapes::add,
    },
];
