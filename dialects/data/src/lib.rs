//! The data dialect: algebraic data types, closures, references, boxed tensors, and assertions that show values.
//!
//! ```mlir
//! data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()
//!
//! func.func @sum(%xs: !data.cell<@List>) -> i32 {
//!   %r = data.match %xs : !data.cell<@List> -> i32 {
//!   case "Cons"[0](%x: i32, %rest: !data.cell<@List>) {
//!     %s = func.call @sum(%rest) : (!data.cell<@List>) -> i32
//!     %t = arith.addi %x, %s : i32
//!     data.yield %t : i32
//!   }
//!   case "Nil"[1]() {
//!     %zero = arith.constant 0 : i32
//!     data.yield %zero : i32
//!   }
//!   }
//!   return %r : i32
//! }
//! ```
//!
//! * Values of data types and closures are immutable; references are the only objects that are written.
//! * A constructor is named by its name and its position, the tag. The verifier compares both, and the types of the fields,
//!   with the declaration.
//! * At first, values are used any number of times. The pass `place-counts` makes owners explicit by `data.dup` and
//!   `data.drop`; the operations that create objects are marked `counted` then, and the interpreter simulates the counts.
//! * Objects contain scalars and other objects; a tensor is boxed. Field types may be any others as long as the program is
//!   only interpreted.
//! * For machine code, `expand-counts` turns counts, tags, closures and writes to references into operations on
//!   [memory](layout); the others are loads, stores and calls of the runtime themselves.
//! * `data.assert` is an assertion whose message has values, for all languages.
//! * The behavior is undefined where a field of another constructor is projected, or a value of an unmatched constructor
//!   is matched.
//!
//! ```
//! use minoan_arith::ArithDialect;
//! use minoan_builtin::BuiltinDialect;
//! use minoan_data::DataDialect;
//! use minoan_func::FuncDialect;
//! use minoan_services::Datum;
//! use minoan_testing::{context, run_one};
//!
//! let ctx = context(|registry| {
//!     registry.add(BuiltinDialect).add(FuncDialect).add(ArithDialect).add(DataDialect);
//! });
//! let program = "data.type @Shape = \"Square\"(f64) | \"Nothing\"()
//! func.func @f(%side: f64) -> f64 {
//!   %shape = data.make \"Square\"[0](%side) : (f64) -> !data.cell<@Shape>
//!   %area = data.match %shape : !data.cell<@Shape> -> f64 {
//!   case \"Square\"[0](%s: f64) {
//!     %square = arith.mulf %s, %s : f64
//!     data.yield %square : f64
//!   }
//!   case \"Nothing\"[1]() {
//!     %none = arith.constant 0.0 : f64
//!     data.yield %none : f64
//!   }
//!   }
//!   return %area : f64
//! }";
//! assert_eq!(run_one(&ctx, program, &[Datum::F64(3.0)])?, Datum::F64(9.0));
//! # Ok::<(), minoan_services::Trap>(())
//! ```
#![forbid(unsafe_code)]

mod assert;
mod canonicalize;
mod cyclic;
mod declare;
mod defunctionalize;
mod evaluate;
mod expand;
pub mod layout;
mod machine;
mod matches;
mod memory;
mod ops;
mod reuse;
mod services;
mod slots;
mod tangents;
mod types;

pub use assert::{Assert, assert_values};
pub use declare::{Ctor, Declaration, type_array};
pub use matches::{Case, Coverage, Match, cases, project_all, switch};
pub use memory::{Capture, Free, HeaderTag, ImmediateTag, IsAllocated, IsUnique, RefStore, Release, Retain};
pub use ops::{
    Apply, BoxExtent, Closure, Drop, Dup, Fail, Make, MakeBox, Nothing, Project, RefNew, RefRead, RefWrite,
    Tag, Unbox, UnboxInto, Yield,
};
pub use reuse::{Fill, FreeMemory, HasMemory, HoleOf, MakeAt, MakeIn, MemoryOf, NewMemory, NoMemory, Reset};
pub use types::{BoxType, Cell, ClosureType, Hole, Memory, Ref, is_object};

use minoan_ir::dialect;
use minoan_rewrite::{AddPatterns, CanonicalPatterns};
use minoan_services::{
    AssertionOps, Constructor, CountOps, Defunctionalize, ExpandCounts, HoleOps, ObjectTangents, ReuseOps,
    ToMlir,
};

dialect! {
    /// The data dialect.
    pub DataDialect = "data":
        depends(minoan_arith::ArithDialect, minoan_cf::CfDialect, minoan_scf::ScfDialect),
        types(Cell, ClosureType, Ref, BoxType, Memory, Hole),
        ops(
            Declaration, Make, Tag, Project, Match, Yield, Fail, Nothing, Closure, Apply,
            RefNew, RefRead, RefWrite, MakeBox, Unbox, BoxExtent, UnboxInto, Dup, Drop,
            IsAllocated, HeaderTag, ImmediateTag, IsUnique, Retain, Release, Free, RefStore, Capture,
            Assert, Reset, MakeIn, HoleOf, Fill, MemoryOf, NoMemory, NewMemory, HasMemory, FreeMemory, MakeAt,
        ),
        services(
            AssertionOps = assert::CreatesAssert,
            Constructor = services::Constructors,
            CountOps = services::Counts,
            ReuseOps = reuse::Reuses,
            HoleOps = reuse::Opens,
            Defunctionalize = services::ClosuresAsData,
            ExpandCounts = expand::ExpandObjects,
            ObjectTangents = tangents::Tangents,
            ToMlir = machine::Machine,
            CanonicalPatterns = AddPatterns(canonicalize::patterns),
        )
}
