//! Random modules.

use crate::maker::{CALLS, Function, Scope, State};
use crate::{Choices, kinds};
use minoan_ir::{Builder, Context, Loc, Module, Op, Type};
use minoan_services::{FunctionMaterializer, Generate, Maker};

/// The size of a random module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Upper bound on the number of functions.
    pub functions: usize,
    /// Upper bound on the number of operations per block; operations that they require are added.
    pub operations: usize,
    /// Upper bound on the nesting depth of operations.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { functions: 4, operations: 10, depth: 3 }
    }
}

/// Builds a random module from the operations for which loaded dialects implement [`Generate`]: the module is valid,
/// and its functions terminate quickly with defined results for all arguments. The same choices produce the same
/// module. The last function is public; a function calls preceding ones, and some are recursive with a bound.
///
/// `None` if no loaded dialect has functions or none generates operations.
pub fn module(ctx: &Context, choices: &mut Choices<'_>, limits: Limits) -> Option<Module> {
    let functions = <dyn FunctionMaterializer>::any(ctx)?;
    let candidates = kinds::candidates(ctx);
    let kind = candidates.first()?.first()?.kind;
    let types = kinds::types(ctx, choices);
    let mut state = State {
        ctx,
        limits,
        candidates,
        services: ctx.service_table::<dyn Generate>()?,
        functions,
        types,
        known: Vec::new(),
        current: Function::default(),
        countdown: None,
        kind,
        values: Vec::new(),
        promises: Vec::new(),
        scope: Scope { depth: 0, times: 1, effects: true, blocks: true },
        fuel: 0,
        choices,
    };
    let mut module = Module::new(ctx, Loc::UNKNOWN);
    let count = 1 + state.choices.below(limits.functions);
    for number in 0..count {
        state.begin(number, number + 1 == count);
        let block = module.block();
        let mut b = Builder::at_end(module.body_mut(), block);
        let Function { name, inputs, results, counts_down, .. } = state.current.clone();
        let op = functions.declare(&mut b, &name, &inputs, &results);
        let is_public = number + 1 == count || !counts_down && state.choices.rarely(3);
        state.fill(&mut module, op, is_public);
    }
    Some(module)
}

impl State<'_, '_> {
    /// Chooses the signature of the next function.
    fn begin(&mut self, number: usize, is_last: bool) {
        let counts_down = !is_last && self.choices.rarely(3);
        let mut inputs = if counts_down { vec![Type::INDEX] } else { Vec::new() };
        let count = self.choices.below(5);
        inputs.extend((0..count).map(|_| self.choices.pick(&self.types)));
        let results = (0..usize::from(is_last) + self.choices.below(3)).filter_map(|_| {
            let ty = self.choices.pick(&self.types);
            // The recursion bound has no other use.
            let given = inputs[usize::from(counts_down)..].contains(&ty) && !ty.is_memref(self.ctx);
            (given || self.has_constants(ty)).then_some(ty)
        });
        let results = results.collect();
        self.current = Function { name: format!("f{number}"), inputs, results, counts_down, cost: 1 };
    }

    /// Generates the body of a declared function.
    fn fill(&mut self, module: &mut Module, op: Op, is_public: bool) {
        let body = module.body_mut();
        let visibility = body.context().names().sym_visibility;
        if is_public {
            body.set_attr(op, visibility, None);
        }
        let Some(inside) = body.nested_mut(op) else { return };
        let region = inside.root(0);
        let block = inside.add_block(region, &self.current.inputs);
        self.values = inside.block(block).args().collect();
        self.promises.clear();
        self.countdown = None;
        if self.current.counts_down {
            let count = self.values.remove(0);
            self.countdown = Some(count);
            self.promises.push((count, 0..CALLS));
        }
        self.fuel = 6 * self.limits.operations;
        let mut b = Builder::at_end(inside, block);
        let count = 2 + self.choices.below(self.limits.operations);
        self.make(&mut b, count);
        let results = self.current.results.clone();
        let values: Vec<_> = results
            .iter()
            .map(|&ty| self.value(&mut b, ty).expect("an argument or a constant of the type"))
            .collect();
        b.create(self.functions.return_op(self.ctx, &values));
        if self.current.counts_down {
            self.current.cost *= CALLS as usize;
        }
        self.known.push(self.current.clone());
    }
}
