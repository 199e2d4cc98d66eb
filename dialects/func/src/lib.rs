//! The func dialect: functions, calls and returns, as in upstream.
//!
//! Functions are isolated from above and own their body. Calls refer to their callee by symbol, and `func.return` is
//! verified against the enclosing function. Tensor arguments remain owned by the caller; returned tensors are
//! transferred to the caller.
//!
//! ```
//! use minoan_builtin::BuiltinDialect;
//! use minoan_diag::SourceMap;
//! use minoan_func::{Func, FuncDialect};
//! use minoan_ir::text::{ParseOptions, parse_module};
//! use minoan_ir::{Context, Registry};
//!
//! let mut registry = Registry::new();
//! registry.add(BuiltinDialect).add(FuncDialect);
//! let ctx = Context::new(registry).expect("two dialects");
//! let sources = SourceMap::new();
//! let file = sources.add("same.mlir", "func.func @same(%x: i32) -> i32 { return %x : i32 }");
//! let module = parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("one function");
//! let names: Vec<_> = module.walk::<Func>().map(|(body, func)| func.sym_name(body).to_string()).collect();
//! assert_eq!(names, ["same"]);
//! ```
#![forbid(unsafe_code)]

mod assembly;
mod canonicalize;
mod indirect;
mod ops;
mod reduce;
mod services;

pub use assembly::{parse_func, print_func};
pub use indirect::*;
pub use minoan_services::Visibility;
pub use ops::{Call, Func, Return, verify_func};

use minoan_ir::dialect;
use minoan_rewrite::{AddPatterns, CanonicalPatterns};
use minoan_services::{FunctionMaterializer, SameInMlir, ToMlir};

dialect! {
    /// The func dialect.
    pub FuncDialect = "func":
        ops(Call, CallIndirect, Constant, Func, Return),
        services(
            ToMlir = SameInMlir,
            FunctionMaterializer = services::Functions,
            CanonicalPatterns = AddPatterns(canonicalize::patterns),
        )
}
