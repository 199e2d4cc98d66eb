//! Attributes of operators for device placement and memory.

use super::super::FieldKind::{DType, Int, Ints, Object, Str};
use super::{AttrsType, dtype, flag, free, maybe, named, need, text};

pub(in crate::operators) static DEVICE_COPY: AttrsType =
    named("DeviceCopyAttrs", &[need(Object, "src_virtual_device"), need(Object, "dst_virtual_device")]);
pub(in crate::operators) static ON_DEVICE: AttrsType = named(
    "OnDeviceAttrs",
    &[maybe(Object, "virtual_device"), flag("constrain_result", false), flag("constrain_body", true)],
);
pub(in crate::operators) static ALLOC_STORAGE: AttrsType =
    named("AllocStorageAttrs", &[dtype("dtype", "float32"), need(Object, "virtual_device")]);
pub(in crate::operators) static ALLOC_TENSOR: AttrsType = named(
    "AllocTensorAttrs",
    &[dtype("dtype", "float32"), need(Object, "const_shape"), need(Ints, "assert_shape")],
);
pub(in crate::operators) static RESHAPE_TENSOR: AttrsType =
    named("ReshapeTensorAttrs", &[need(Ints, "newshape")]);
pub(in crate::operators) static CALL_LOWERED: AttrsType =
    named("CallLoweredAttrs", &[maybe(Object, "metadata")]);
pub(in crate::operators) static DEBUG: AttrsType = named("DebugAttrs", &[need(Object, "debug_func")]);
pub(in crate::operators) static DICT: AttrsType = named("DictAttrs", &[]);
pub(in crate::operators) static META_REF: AttrsType =
    named("MetaRefAttrs", &[need(Str, "node_type_key"), need(Int, "node_index")]);
pub(in crate::operators) static AUTO_SCHEDULER_LAYOUT_TRANSFORM: AttrsType =
    named("AutoSchedulerLayoutTransformAttrs", &[need(Str, "src_layout"), need(Str, "dst_layout")]);
pub(in crate::operators) static META_SCHEDULE_LAYOUT_TRANSFORM: AttrsType =
    named("MetaScheduleLayoutTransformAttrs", &[need(Object, "index_map")]);
/// Attributes of `annotation.compiler_begin` and `annotation.compiler_end`.
pub(in crate::operators) static COMPILER: AttrsType = free("CompilerAttrs", &[text("compiler", "")]);
/// Attributes of `annotation.cast_hint`.
pub(in crate::operators) static CAST_HINT: AttrsType = free("CastHintAttrs", &[need(DType, "dtype")]);
