//! Modules of Minoan's own IR as modules of MLIR.
//!
//! One file per kind of thing: types, attributes, operations. Operations that have the same name and meaning
//! upstream are built in generic form, so a dialect needs no code here to be understood.
