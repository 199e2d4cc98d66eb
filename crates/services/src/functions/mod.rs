//! Functions, calls, symbols, and the boundaries of programs.

mod calls;
mod component_attrs;
mod cost;
mod graph;
mod inliner;
mod signature;
mod symbols;

pub use calls::{Calls, CallsBySymbol, FunctionMaterializer, OneValueFunctions, Packing};
pub use component_attrs::{argument_attrs, result_attrs};
pub use cost::{Cost, Work};
pub use graph::{
    Arity, FunctionBoundary, GraphBoundary, Port, PortBinding, ReturnBoundary, graph_inputs, graph_outputs,
    retain_elements,
};
pub use inliner::{Inliner, UnlessNoInline};
pub use signature::{
    FunctionSignature, INDEX_PATH, RawAbi, SOURCE_TYPE, function_types, index_path, index_path_attr,
    packed_symbol,
};
pub use symbols::{ByAttributes, Renaming, SymbolPath, Symbols, Visibility, rename_symbols};
