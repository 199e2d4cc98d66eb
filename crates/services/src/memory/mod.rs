//! Memory: aliasing, bufferization, reference counts, and the layout of types.

mod alias;
mod buffers;
mod counts;
mod exchange;
mod layout;
mod memory_events;
mod part_insertion;

pub use alias::{Alias, AliasModel, OperandUse, Ownership};
pub use buffers::{BufferOps, BufferPart, Origin, PartIndex, ToBuffers};
pub use counts::{CountOps, HoleOps, ResultOwner, ReuseOps};
pub use exchange::{BufferExchange, Exchange, ExchangeOps};
pub use layout::{DataLayout, LayoutSpec, TypeLayout};
pub use memory_events::{MemoryEvent, MemoryEvents};
pub use part_insertion::{Insertion, PartInsertion};
