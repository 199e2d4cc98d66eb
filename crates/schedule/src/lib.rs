//! Plans of kernels.
//!
//! A *kernel* is a group of computations over iteration domains, its *statements*. A [`Plan`] is a loop tree over
//! them: loops over *axes*, the classes of the dimensions of all statements ([`axes`]), and a tile of each statement
//! at the leaves. [`text`] is its syntax; [`rules`] defines which plans are legal. Everything else, such as bounds,
//! accumulators and temporary storage, is inferred by [`emit`], which creates the loops and vector operations of a plan
//! through the maker services. [`choose`] proposes plans.
//!
//! The crate depends on no dialect.
//!
//! ```
//! use minoan_schedule::text::parse_file;
//! use minoan_schedule::Node;
//! let plans = parse_file("main#0 plan <par i/8 { for k { sum[i:8u, j:32v] } }>")?;
//! let Node::Loop(rows) = &plans[0].plan.nodes[0] else { panic!("a loop") };
//! assert_eq!((plans[0].kernel.as_str(), rows.parallel, rows.step), ("main#0", true, 8));
//! assert_eq!(plans[0].plan.to_string(), "par i/8 { for k { sum[i:8u, j:32v] } }");
//! # Ok::<(), minoan_schedule::PlanError>(())
//! ```
#![forbid(unsafe_code)]

mod axes;
pub mod choose;
pub mod emit;
mod kernel;
mod plan;
mod rules;
pub mod text;

pub use axes::Axes;
pub use kernel::{Access, Axis, AxisExtent, Kernel, NotAKernel, Phases, Reduction, Source, Statement};
pub use plan::{Leaf, Loop, Node, Pack, Plan, Prefetch, Tail, TileDim};
pub use rules::{MAX_TILE, MAX_UNROLLED, Pass, Prefetched, Step, Tile, Violation, resolve};
pub use text::{NamedPlan, PlanError};
