//! The knossos dialect: Knossos programs as emitted by the front end, independent of the target.
//!
//! | Knossos | here |
//! |---|---|
//! | `Integer`, `Float`, `Bool` | `i64`; `f32` or `f64`; `i1` |
//! | `String` | `!knossos.string` |
//! | `(Tuple A B)` | `tuple<a, b>` |
//! | `(Tensor 2 Float)` | `tensor<?x?xf32>` |
//! | `(Vec (Vec Float))`, `(Tensor 2 (Tuple Float Integer))` | `!knossos.tensor<1, tensor<?xf32>>`, `!knossos.tensor<2, tuple<f32, i64>>` |
//! | an index or a size of rank n | n values of type `i64` |
//! | a lambda | a region whose arguments are the parameters, ended by `knossos.yield` of one value |
//!
//! Functions take one argument per parameter and return one value. The [`Lower`] service converts a module to func,
//! arith, math, scf, cf, tensor and linalg: tuples are flattened, strings become `tensor<?xi8>`, tensors of composite
//! elements become several tensors of numbers, and self-recursion in tail position becomes a loop.
//!
//! Function attributes for tools, which lowering preserves: `knossos.name` is the source name, `knossos.args` and
//! `knossos.results` are the types of the argument and of the result in Knossos syntax. For flattened tuples, index
//! paths give the position of each component. The module attribute `knossos.check_bounds` requests bounds checks.
//!
//! ```
//! # use minoan_arith::ArithDialect;
//! # use minoan_builtin::BuiltinDialect;
//! # use minoan_diag::SourceMap;
//! # use minoan_func::FuncDialect;
//! # use minoan_interp::Interpreter;
//! # use minoan_ir::text::{ParseOptions, parse_module};
//! # use minoan_knossos_dialect::KnossosDialect;
//! # use minoan_linalg::LinalgDialect;
//! # use minoan_scf::ScfDialect;
//! # use minoan_services::Datum;
//! # use minoan_tensor::TensorDialect;
//! # use minoan_testing::{context, tensor};
//! // (def norm Float (v : Vec Float)
//! //   (sumbuild (size v) (lam (i : Integer) (mul (index i v) (index i v)))))
//! let program = r#"knossos.func @norm(%v: tensor<?xf32>) -> f32 {
//!   %n = size %v : tensor<?xf32>
//!   %sum = sumbuild %n {
//!   ^bb0(%i: i64):
//!     %x = knossos.index %v[%i] : tensor<?xf32>
//!     %square = knossos.prelude "mul"(%x, %x) : (f32, f32) -> f32
//!     knossos.yield %square : f32
//!   } : f32
//!   return %sum : f32
//! }"#;
//! let ctx = context(|registry| {
//!     registry.add(BuiltinDialect).add(FuncDialect).add(ArithDialect).add(ScfDialect);
//!     registry.add(TensorDialect).add(LinalgDialect).add(KnossosDialect);
//! });
//! let sources = SourceMap::new();
//! let file = sources.add("norm.mlir", program);
//! let mut module = parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("one function");
//! minoan_rewrite::lower(&mut module).expect("every operation is lowered");
//! assert!(module.ops().all(|op| !op.name().starts_with("knossos.")));
//! let norm = Interpreter::new(&module).call("norm", &[tensor(&[3], &[1.0, 2.0, 3.0])])?;
//! assert_eq!(norm, [Datum::F32(14.0)]);
//! # Ok::<(), minoan_services::Trap>(())
//! ```
#![forbid(unsafe_code)]

#[allow(
    clippy::self_named_constructors,
    reason = "the operation `build`, and the builder of every operation"
)]
mod arrays;
mod bench;
mod derivative;
mod lower;
mod ops;
mod rules;
mod scan;
mod sparse;
mod tangents;
mod types;

pub use arrays::{Build, ConstVec, Delta, DeltaVec, Fold, Index, Map, Map2, Size, Sum, SumBuild, VecInit};
pub use bench::Bench;
pub use derivative::Derivative;
pub use ops::{
    Assert, Call, Constant, Dummy, Eq, Func, Get, If, MakeTuple, Ne, Prelude, Print, Return, Str, Trace,
    Yield,
};
pub use rules::Rule;
pub use scan::{Scan, ScanOrder};
pub use sparse::{BuildFromSparse, Unzip};
pub use tangents::{TsAdd, TsDot, TsNeg, TsScale};
pub use types::{
    MAX_PARTS, MAX_RANK, MAX_TUPLE_DEPTH, StringType, TensorType, array, is_number, is_value_type,
    string_type, tensor_parts,
};

pub use minoan_services::Visibility;

use minoan_ir::dialect;
use minoan_rewrite::Lower;

/// The name of the module attribute that requests bounds checks.
pub const CHECK_BOUNDS: &str = "knossos.check_bounds";

/// The name of the attribute of a function that computes a derivative: the symbol of the function that it is derived from,
/// and `"fwd"` or `"rev"`.
pub const DERIVATIVE_OF: &str = lower::DERIVATIVE_OF;

dialect! {
    /// The knossos dialect.
    pub KnossosDialect = "knossos":
        depends(
            minoan_arith::ArithDialect, minoan_data::DataDialect, minoan_diff::DiffDialect,
            minoan_func::FuncDialect, minoan_linalg::LinalgDialect, minoan_scf::ScfDialect,
            minoan_tensor::TensorDialect,
        ),
        types(StringType, TensorType),
        ops(
            Assert, Bench, Build, BuildFromSparse, Call, ConstVec, Constant, Delta, DeltaVec, Derivative, Dummy, Eq,
            Fold, Func, Get, If, Index, MakeTuple, Map, Map2, Ne, Prelude, Print, Return, Rule, Scan, Size, Str, Sum,
            SumBuild, Trace, TsAdd, TsDot, TsNeg, TsScale, Unzip, VecInit, Yield,
        ),
        services(Lower = lower::LowerKnossos)
}
