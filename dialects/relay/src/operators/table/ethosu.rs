//! `contrib.ethosu.*`.

use super::super::Pattern::Unknown;
use super::super::attributes::ethosu;
use super::{Operator, op};
use crate::relation::Relation as R;

pub(super) static OPERATORS: &[Operator] = &[
    op("contrib.ethosu.binary_elementwise", &["ifm", "ifm2", "lut"], Unknown, R::EthosuBinaryElementwise)
        .attrs(&ethosu::ETHOSU_BINARY_ELEMENTWISE),
    op("contrib.ethosu.conv2d", &["ifm", "weight", "scale_bias", "lut"], Unknown, R::EthosuConv2D)
        .attrs(&ethosu::ETHOSU_CONV2D),
    op(
        "contrib.ethosu.depthwise_conv2d",
        &["ifm", "weight", "scale_bias", "lut"],
        Unknown,
        R::EthosuDepthwiseConv2D,
    )
    .attrs(&ethosu::ETHOSU_DEPTHWISE_CONV2D),
    op("contrib.ethosu.identity", &["ifm", "lut"], Unknown, R::EthosuIdentity)
        .attrs(&ethosu::ETHOSU_IDENTITY),
    op("contrib.ethosu.pooling", &["ifm", "lut"], Unknown, R::EthosuPooling).attrs(&ethosu::ETHOSU_POOLING),
    op("contrib.ethosu.unary_elementwise", &["ifm", "lut"], Unknown, R::EthosuUnaryElementwise)
        .attrs(&ethosu::ETHOSU_UNARY_ELEMENTWISE),
];
