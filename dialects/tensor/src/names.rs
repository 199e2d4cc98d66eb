//! Suggested names of results.

use crate::{
    Cast, CollapseShape, Concat, Dim, ExpandShape, Extract, ExtractSlice, FromElements, Gather, Generate,
    Insert, InsertSlice, Pad, Rank, Reshape, Scatter, Splat,
};
use minoan_ir::DialectBuilder;
use minoan_ir::text::AsmNames;
use minoan_memref::Named;
use std::sync::Arc;

macro_rules! named {
    ($dialect:expr; $($op:ident $name:literal)*) => {
        $($dialect.op_service::<$op, dyn AsmNames>(Arc::new(Named($name)));)*
    };
}

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    named! { dialect;
        Cast "cast"
        CollapseShape "collapsed"
        Concat "concat"
        Dim "dim"
        ExpandShape "expanded"
        Extract "extracted"
        ExtractSlice "extracted_slice"
        FromElements "from_elements"
        Gather "gather"
        Generate "generated"
        Insert "inserted"
        InsertSlice "inserted_slice"
        Pad "padded"
        Rank "rank"
        Reshape "reshape"
        Scatter "scatter"
        Splat "splat"
    }
}
