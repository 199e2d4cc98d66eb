//! The chains of operators that libraries for neural networks compute at once.

use crate::dialect::{attrs_of, operator_of};
use minoan_ir::OpRef;
use minoan_services::{Composite, Composites, RegionMark, RegionMarks};

pub(crate) struct Chains;

impl Composites for Chains {
    fn composites(&self) -> &'static [Composite] {
        const fn chain(name: &'static str, ops: &'static [&'static str]) -> Composite {
            Composite { name, ops }
        }
        const CHAINS: &[Composite] = &[
            chain(
                "qnn_conv2d",
                &["relay.qnn.conv2d", "relay.nn.bias_add?", "relay.qnn.requantize", "relay.clip?"],
            ),
            chain(
                "qnn_dense",
                &["relay.qnn.dense", "relay.nn.bias_add?", "relay.qnn.requantize", "relay.clip?"],
            ),
            chain("conv2d_bias_relu", &["relay.nn.conv2d", "relay.nn.bias_add", "relay.nn.relu"]),
            chain("conv2d_sum_relu", &["relay.nn.conv2d", "relay.add", "relay.nn.relu"]),
            chain("conv2d_relu", &["relay.nn.conv2d", "relay.nn.relu"]),
            chain("conv2d_bias", &["relay.nn.conv2d", "relay.nn.bias_add"]),
            chain("dense_bias_relu", &["relay.nn.dense", "relay.nn.bias_add", "relay.nn.relu"]),
            chain("dense_sum_relu", &["relay.nn.dense", "relay.add", "relay.nn.relu"]),
            chain("dense_bias", &["relay.nn.dense", "relay.nn.bias_add"]),
        ];
        CHAINS
    }
}

/// `annotation.compiler_begin` and `annotation.compiler_end`.
impl RegionMarks for Chains {
    fn mark(&self, op: OpRef<'_>) -> Option<RegionMark> {
        let mark = match op.name() {
            "relay.annotation.compiler_begin" => RegionMark::Begin,
            "relay.annotation.compiler_end" => RegionMark::End,
            _ => return None,
        };
        let given = attrs_of(op, operator_of(op)?).ok()?;
        Some(mark(given.text("compiler")?.to_owned()))
    }
}
