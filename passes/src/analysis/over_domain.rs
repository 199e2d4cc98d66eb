//! Operations on tensors over iteration domains, with the old elements of results separated from other reads.

use minoan_ir::affine::AffineMap;
use minoan_ir::{Body, Builder, Op, ServiceTable, Value};
use minoan_services::{Alias, AliasModel, Domain, IterationDomain, Read};

/// An operation each of whose results is an update of an operand.
pub(crate) struct OverDomain<'c> {
    pub(crate) op: Op,
    pub(crate) service: &'c dyn IterationDomain,
    pub(crate) domain: Domain,
    /// The operands that are read, without the old elements of results.
    pub(crate) ins: Vec<(Value, AffineMap)>,
    /// The tensors that are updated.
    pub(crate) outs: Vec<Value>,
    /// For each read of the domain, its number among `ins` followed by `outs`.
    places: Vec<usize>,
}

impl<'c> OverDomain<'c> {
    /// `None` if the operation has no domain, pads an operand, or has a result that does not update a tensor.
    pub(crate) fn of(
        body: &Body,
        domains: &'c ServiceTable<dyn IterationDomain>,
        aliases: &'c ServiceTable<dyn AliasModel>,
        op: Op,
    ) -> Option<Self> {
        let (view, ctx) = (body.op(op), body.context());
        let service = domains.get(view.kind())?;
        let domain = service.domain(view)?;
        if domain.has_padding() || domain.writes.len() != view.n_results() {
            return None;
        }
        let aliases = aliases.get(view.kind())?;
        let updated = |result: usize| match aliases.alias(view, result) {
            Alias::UpdateOf(operand) if view.result_types().nth(result)?.is_tensor(ctx) => Some(operand),
            _ => None,
        };
        let updated: Vec<usize> = (0..view.n_results()).map(updated).collect::<Option<_>>()?;
        let is_old = |operand: &usize| updated.contains(operand);
        let inputs = domain.reads.iter().filter(|read| !is_old(&read.operand));
        let ins: Vec<(Value, AffineMap)> =
            inputs.map(|read| (view.operand(read.operand), read.map.clone())).collect();
        let mut next = 0..ins.len();
        let place = |read: &Read| match updated.iter().position(|&operand| operand == read.operand) {
            Some(result) => Some(ins.len() + result),
            None => next.next(),
        };
        let places: Vec<usize> = domain.reads.iter().map(place).collect::<Option<_>>()?;
        let outs = updated.iter().map(|&operand| view.operand(operand)).collect();
        Some(Self { op, service, domain, ins, outs, places })
    }

    /// The domain with further reads, all of them in the order of `ins`, `further`.
    pub(crate) fn domain_with(&self, further: &[(Value, AffineMap)]) -> Domain {
        let reads = self.ins.iter().chain(further).enumerate();
        let reads = reads.map(|(at, (_, map))| Read::new(at, map.clone())).collect();
        Domain { reads, ..self.domain.clone() }
    }

    /// Creates the computation of the new elements at a point from `elements`: those of `ins`, of further reads, and the old
    /// elements of all results.
    pub(crate) fn compute(
        &self,
        b: &mut Builder<'_>,
        elements: &[Value],
        index: &mut dyn FnMut(&mut Builder<'_>, u32) -> Value,
    ) -> Vec<Value> {
        let (own, all) = (self.ins.len(), elements.len() - self.outs.len());
        let given = |&place: &usize| elements[if place < own { place } else { place - own + all }];
        let given: Vec<Value> = self.places.iter().map(given).collect();
        self.service.compute(b, self.op, &given, index)
    }
}
