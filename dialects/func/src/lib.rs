//! The func dialect: functions, calls and returns, as in upstream.
//!
//! Functions are isolated from above and own their body. Calls refer to their callee by symbol, and `func.return` is
//! verified against the enclosing function. Tensor arguments remain owned by the caller; returned tensors are
//! transferred to the caller.
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
