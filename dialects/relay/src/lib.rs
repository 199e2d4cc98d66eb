//! The relay dialect: the operators of TVM's Relay.
//!
//! * [`operators`] is the operator table: name, arguments, fusion pattern, type relation and attributes of each.
//! * [`attrs`] validates the attributes of a call and completes them with defaults.
//! * [`ty`] and [`relation`] define how the types of arguments and results depend on each other.
//!
//! * [`RelayDialect`] has one operation per operator, such as `relay.nn.conv2d`, as well as functions, tuples and
//!   conditionals; its service [`Lower`] converts them to func, arith, math, scf, tensor and linalg.
//!
//! | Relay | IR |
//! |---|---|
//! | `Tensor[(2, ?), float32]` | `tensor<2x?xf32>` |
//! | `int32`, a number | `tensor<i32>` |
//! | `uint8`, `bool` | `ui8`, `i1` |
//! | `(a, b)` | `tuple<a, b>` |
//! | `fn (a) -> b`, `ref(a)` | `!data.closure<(a) -> b>`, `!data.ref<a>` |
//! | `List[int32]` | `!data.cell<@"List[int32]">`, declared by a `data.type` with the attribute [`Instance`] |
//!
//! Unsigned integers keep their type `ui8` in this dialect; lowering converts it to `i8` and selects unsigned
//! operations. Callers of a lowered function obtain the signedness from the attributes `relay.args` and
//! `relay.results`, which lowering preserves.
//!
//! ```
//! use minoan_relay_dialect::attrs::{AttrValue, Attrs, complete};
//! use minoan_relay_dialect::relation::{Answer, relate};
//! use minoan_relay_dialect::{DType, Dim, Type, operators};
//! let dense = operators::find("nn.dense").unwrap();
//! let attrs = complete(dense, &Attrs::from_iter([("units", AttrValue::Int(4))])).unwrap();
//! let data = Type::tensor([Dim::Known(2), Dim::Known(3)], DType::F32);
//! let Ok(Answer::Solved { args, result }) = relate(dense, &[data, Type::Hole(0)], &attrs) else { panic!() };
//! assert_eq!(args[1].to_string(), "Tensor[(4, 3), float32]");
//! assert_eq!(result.to_string(), "Tensor[(2, 4), float32]");
//! ```
#![forbid(unsafe_code)]

pub mod attrs;
mod dialect;
mod equation;
mod layout;
mod lower;
pub mod operators;
pub mod relation;
mod slices;
mod transform;
pub mod ty;
mod winograd;

pub use dialect::{
    Call, Constant, Func, Get, INSTANCE, If, Instance, MAX_PARTS, MAX_TUPLE_DEPTH, MakeTuple, Return,
    SourceTypes, TypeCall, TypeParts, TypeRelation, TypeVar, Yield, attrs_of, call, encode, from_ir,
    is_value_type, operator_of, to_ir,
};
pub use lower::unlowered;
pub use minoan_services::Visibility;
pub use transform::DesiredLayouts;
pub use ty::{DType, Dim, TensorType, Type};

use minoan_ir::dialect;
use minoan_ir::verify::AttrRules;
use minoan_rewrite::{AddPatterns, CanonicalPatterns, Lower, PatternSets};
use minoan_services::{
    Composites, ConstantMaterializer, Constructor, Effects, Fold, OperatorPatterns, RegionMarks,
};

dialect! {
    /// The relay dialect.
    pub RelayDialect = "relay":
        depends(
            minoan_arith::ArithDialect, minoan_data::DataDialect, minoan_func::FuncDialect,
            minoan_linalg::LinalgDialect, minoan_math::MathDialect, minoan_scf::ScfDialect,
            minoan_tensor::TensorDialect,
        ),
        types(TypeVar, TypeCall),
        attrs(Instance),
        ops(Call, Constant, Func, Get, If, MakeTuple, Return, Yield),
        services(
            Lower = lower::LowerRelay,
            AttrRules = dialect::RelayRules,
            ConstantMaterializer = dialect::Constants,
            OperatorPatterns = dialect::FromTable,
            Constructor = dialect::FromTable,
            TypeRelation = dialect::FromTable,
            Effects = dialect::FromTable,
            Fold = transform::FoldConstants,
            PatternSets = transform::SETS,
            Composites = transform::Chains,
            RegionMarks = transform::Chains,
            CanonicalPatterns = AddPatterns(transform::canonical),
        ),
        register(dialect::declare_operators)
}
