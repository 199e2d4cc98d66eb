//! Analyses that several passes share.

pub(crate) mod call_sites;
pub(crate) mod captures;
pub(crate) mod computed_tensor;
pub(crate) mod effect_sums;
pub(crate) mod extents;
pub(crate) mod kernels;
pub(crate) mod linear;
pub(crate) mod over_domain;
pub(crate) mod owners;
pub(crate) mod storage_classes;
pub(crate) mod value_liveness;
