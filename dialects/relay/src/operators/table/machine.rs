//! Operators for annotations, memory and the virtual machine.

use super::super::Pattern::{Elemwise, Opaque, Unknown};
use super::super::attributes::{machine, quantized, tensor};
use super::{Operator, op};
use crate::relation::Relation as R;

pub(super) static OPERATORS: &[Operator] = &[
    op("annotation.bitpack_end", &["data"], Opaque, R::Identity).identity(),
    op("annotation.bitpack_start", &["data"], Opaque, R::Identity).identity(),
    op("annotation.cast_hint", &["data"], Opaque, R::Identity).attrs(&machine::CAST_HINT).identity(),
    op("annotation.checkpoint", &["data"], Opaque, R::Identity).identity(),
    op("annotation.compiler_begin", &["data"], Opaque, R::Identity).attrs(&machine::COMPILER).identity(),
    op("annotation.compiler_end", &["data"], Opaque, R::Identity).attrs(&machine::COMPILER).identity(),
    op("annotation.stop_fusion", &["data"], Opaque, R::Identity).identity(),
    op("annotation.with_funcid", &["func"], Unknown, R::Unregistered).identity(),
    op("memory.alloc_storage", &["size", "shape", "alignment"], Opaque, R::AllocStorage)
        .attrs(&machine::ALLOC_STORAGE)
        .no_kernel(),
    op("memory.alloc_tensor", &["storage", "offset", "shape"], Opaque, R::AllocTensor)
        .attrs(&machine::ALLOC_TENSOR)
        .no_kernel(),
    op("memory.kill", &["to_free"], Opaque, R::Kill).no_kernel().stateful(),
    op("parser.MetaRef", &[], Unknown, R::MetaRef).attrs(&machine::META_REF).no_kernel(),
    op(
        "relay.op.annotation.simulated_quantize",
        &["data", "dom_scale", "clip_min", "clip_max"],
        Elemwise,
        R::SimulatedQuantize,
    )
    .attrs(&quantized::SIMULATED_QUANTIZE),
    op("vm.invoke_tvm_op", &["op", "ins", "outs"], Opaque, R::InvokeTvmOp)
        .attrs(&machine::DICT)
        .no_kernel()
        .stateful(),
    op("vm.reshape_tensor", &["data", "shape"], Opaque, R::ReshapeTensor)
        .attrs(&machine::RESHAPE_TENSOR)
        .no_kernel(),
    op("vm.shape_of", &["tensor"], Opaque, R::ShapeOf).attrs(&tensor::SHAPE_OF).no_kernel(),
];
