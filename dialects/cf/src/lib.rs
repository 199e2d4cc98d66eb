//! The cf dialect: unstructured control flow between the blocks of a region.
//!
//! Names, assembly, attributes and verification are those of MLIR's cf dialect.
//!
//! * `cf.br`, `cf.cond_br` and `cf.switch` terminate a block and forward operands to the arguments of the successor.
//! * `cf.assert` stops the program with its message if its condition is false; its evaluation returns a
//!   [`Trap`](minoan_services::Trap) that is marked as an assertion.
//!
//! ```
//! use minoan_arith::{self as arith, ArithDialect};
//! use minoan_cf::{Assert, CfDialect};
//! use minoan_ir::{Builder, Context, Loc, Module, Registry};
//!
//! let mut registry = Registry::new();
//! registry.add(ArithDialect).add(CfDialect);
//! let ctx = Context::new(registry).expect("two dialects");
//! let mut module = Module::new(&ctx, Loc::UNKNOWN);
//! let block = module.block();
//! let mut b = Builder::at_end(module.body_mut(), block);
//! let yes = arith::constant_bool(&mut b, true);
//! let check = Assert::build(&mut b, yes, "it holds");
//! assert_eq!(check.arg(b.body()), yes);
//! ```
#![forbid(unsafe_code)]

mod branch;
mod canonicalize;
mod evaluate;
mod flow;
mod generate;
mod reduce;
mod split_switches;
mod switch;

pub use branch::{Assert, Br, CondBr, assert};
pub use switch::Switch;

use minoan_ir::dialect;
use minoan_rewrite::{AddPatterns, CanonicalPatterns, PatternSets};
use minoan_services::{BranchMaterializer, SameInMlir, ToMlir};

dialect! {
    /// The cf dialect.
    pub CfDialect = "cf":
        depends(minoan_arith::ArithDialect),
        ops(Assert, Br, CondBr, Switch),
        services(
            ToMlir = SameInMlir,
            BranchMaterializer = flow::Jumps,
            CanonicalPatterns = AddPatterns(canonicalize::patterns),
            PatternSets = split_switches::SETS,
        )
}
