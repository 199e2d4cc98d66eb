//! Random operations on vectors of fixed extents: those that their declarations describe.

use minoan_ir::{Context, DialectBuilder, Type};
use minoan_services::{Declared, Generate};
use std::sync::Arc;

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect.service::<dyn Generate>(Arc::new(Declared::new().types(types)));
}

fn types(ctx: &Context) -> Vec<Type> {
    let shapes: [&[i64]; 4] = [&[4], &[2], &[2, 2], &[1, 4]];
    shapes.map(|shape| Type::vector(ctx, shape, Type::I32)).to_vec()
}
