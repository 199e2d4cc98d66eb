//! The diff dialect: requests for derivatives of functions.
//!
//! A request names a function and represents a call of its derivative. The pass `differentiate` creates the derivative and
//! replaces the request by the call.
//!
//! ```mlir
//! func.func @f(%x: f64, %y: f64) -> f64 { .. }
//! %dz      = diff.fwd @f(%x, %y)(%dx, %dy) : (f64, f64, f64, f64) -> f64
//! %gx, %gy = diff.rev @f(%x, %y)(%gz) : (f64, f64, f64) -> (f64, f64)
//! ```
//!
//! * A *tangent* or *cotangent* of a value has the type and the extents of the value. Integers have none.
//! * `wrt = [0, 2]` selects the arguments to differentiate with respect to, by default all that have a tangent.
//! * `diff.rule` declares a derivative that the program defines itself, `diff.stop` a value that derivatives take as
//!   constant.
//!
//! The dialect also implements [`TangentSpace`] for builtin types and [`DiffOps`], through which `differentiate` creates
//! loops and storage without depending on their dialects.
//!
//! ```
//! # use minoan_arith::ArithDialect;
//! # use minoan_builtin::BuiltinDialect;
//! # use minoan_diag::SourceMap;
//! # use minoan_diff::DiffDialect;
//! # use minoan_func::FuncDialect;
//! # use minoan_interp::Interpreter;
//! # use minoan_ir::text::{ParseOptions, parse_module};
//! # use minoan_pass::{PassManager, PassRegistry, Pipeline};
//! # use minoan_services::Datum;
//! # use minoan_testing::context;
//! let program = "func.func @f(%x: f64, %y: f64) -> f64 {
//!   %z = arith.mulf %x, %y : f64
//!   return %z : f64
//! }
//! func.func @gradient(%x: f64, %y: f64) -> (f64, f64) {
//!   %one = arith.constant 1.0 : f64
//!   %gx, %gy = diff.rev @f(%x, %y)(%one) : (f64, f64, f64) -> (f64, f64)
//!   return %gx, %gy : f64, f64
//! }";
//! let ctx = context(|registry| {
//!     registry.add(BuiltinDialect).add(FuncDialect).add(ArithDialect).add(DiffDialect);
//! });
//! let sources = SourceMap::new();
//! let file = sources.add("product.mlir", program);
//! let mut module = parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("two functions");
//! let mut passes = PassRegistry::new();
//! minoan_passes::register(&mut passes);
//! let pipeline = Pipeline::parse("builtin.module(differentiate)", &passes, &sources).expect("a known pass");
//! PassManager::new(&pipeline).run(&mut module).into_result().expect("a product has a derivative");
//! let gradient = Interpreter::new(&module).call("gradient", &[Datum::F64(3.0), Datum::F64(5.0)])?;
//! assert_eq!(gradient, [Datum::F64(5.0), Datum::F64(3.0)]);
//! # Ok::<(), minoan_services::Trap>(())
//! ```
#![forbid(unsafe_code)]

mod create;
mod ops;
mod space;
mod storage;

pub use ops::{Fwd, Placeholder, Rev, Rule, Stop, ValueAndFwd, ValueAndRev};

use minoan_ir::dialect;
use minoan_services::{DiffOps, TangentSpace};

dialect! {
    /// The diff dialect.
    pub DiffDialect = "diff":
        depends(
            minoan_arith::ArithDialect, minoan_complex::ComplexDialect, minoan_data::DataDialect,
            minoan_linalg::LinalgDialect, minoan_scf::ScfDialect, minoan_tensor::TensorDialect,
        ),
        ops(Fwd, Placeholder, Rev, Rule, Stop, ValueAndFwd, ValueAndRev),
        services(TangentSpace = space::Builtin, DiffOps = create::Operations)
}
