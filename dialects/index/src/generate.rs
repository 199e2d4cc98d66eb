//! Random operations, generated from their declarations, with operands for which they are defined.

use crate::*;
use minoan_ir::{AttrEnum, Builder, DialectBuilder, Op, OpDef, OpKind, Type, Value};
use minoan_services::{Declared, Generate, Maker};
use std::sync::Arc;

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect.service::<dyn Generate>(Arc::new(Declared::new()));
    let divisions = [DivS::SPEC, CeilDivS::SPEC, FloorDivS::SPEC, RemS::SPEC];
    for division in divisions.into_iter().chain([DivU::SPEC, CeilDivU::SPEC, RemU::SPEC]) {
        dialect.service_of::<dyn Generate>(division.name, Arc::new(Declared::new().guarded(1, at_least_one)));
    }
    for shift in [Shl::SPEC, ShrS::SPEC, ShrU::SPEC] {
        dialect.service_of::<dyn Generate>(shift.name, Arc::new(Declared::new().guarded(1, below_64)));
    }
}

fn at_least_one(b: &mut Builder<'_>, maker: &mut dyn Maker, value: Value) -> Option<Value> {
    let one = maker.number(b, 1, Type::INDEX)?;
    let larger = MaxS::build(b, value, one);
    Some(larger.result(b.body()))
}

fn below_64(b: &mut Builder<'_>, maker: &mut dyn Maker, value: Value) -> Option<Value> {
    let mask = maker.number(b, 63, Type::INDEX)?;
    let low = And::build(b, value, mask);
    Some(low.result(b.body()))
}

pub(crate) struct Comparison;

impl Generate for Comparison {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let (lhs, rhs) = (maker.value(b, Type::INDEX)?, maker.value(b, Type::INDEX)?);
        let predicate = CmpPredicate::ALL[maker.below(CmpPredicate::ALL.len())];
        Some(Cmp::build(b, lhs, rhs, predicate).op())
    }
}
