//! `form-kernels`: groups computations over iteration domains into kernels.
//!
//! The operations of a block are visited from the last to the first. An operation joins the kernel of its consumers if all its
//! uses are in that one kernel, and the kernel with it still has a vectorized plan and shares outer axes; otherwise it starts a
//! kernel of its own. A contraction is joined by pointwise consumers only. Each operation is tried once, and the number of
//! operations of a kernel is bounded, so the time is linear. Pointwise operations on the same shape join without an analysis of
//! the kernel. Then kernels that compute rows are merged with the contraction of the rows.
//!
//! An operation with several results, and a reduction in a fixed order of terms with mathematical functions, is split into
//! operations that have kernels ([`split`]), and a reduction over windows into stages ([`windows`]). They are grouped as one.
//!
//! Operations that only provide initial contents, such as fills and uninitialized tensors, are copied into each kernel
//! that uses them, and so are constants. Other initial contents that are a single value become fills first ([`initial`]). The
//! uninitialized tensor that a result is written to remains outside, as an output.

mod group;
pub(crate) mod initial;
pub(crate) mod predicates;
mod split;
mod windows;
mod wrap;

use crate::analysis::kernels;
use group::Group;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Block, Body, Context, Op};
use minoan_pass::{Anchor, Pass, PassRun, RemarkKind, own_options, pass_options, queries};
use minoan_schedule::{Kernel, choose};
use minoan_services::{
    AliasModel, Cost, DomainOps, Expand, IndexOps, IterationDomain, IteratorType, KernelOps, MachineModel,
    TensorOps,
};
use rustc_hash::FxHashMap;
use split::{Split, Splitter};
use std::cell::Cell;
use std::rc::Rc;
use wrap::kernel_of;

pass_options! {
    /// The options of the pass.
    pub struct FormKernelsOptions {
        /// Limit on the operations of a kernel
        "max-operations" max_operations: usize = 32,
        /// Operations with fewer points are not grouped; a math function counts as 16 points
        "min-points" min_points: i64 = 256,
        /// Emit a remark for each operation that is not grouped with its consumers, with the reason
        "explain" explain: bool = false,
    }
}

/// Forms kernels.
#[derive(Default)]
pub struct FormKernels {
    /// The options of this pass.
    pub options: FormKernelsOptions,
}

impl Pass for FormKernels {
    fn name(&self) -> &'static str {
        "form-kernels"
    }

    fn description(&self) -> &'static str {
        "group computations over iteration domains into kernels"
    }

    own_options!();

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    queries!(KernelOps, IterationDomain, AliasModel, Expand, Cost, DomainOps, IndexOps, TensorOps);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-kernels", "Number of kernels"),
            ("num-grouped", "Number of operations in kernels"),
            ("num-analyses", "Number of kernels that were analyzed to group operations"),
        ]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let explains = self.options.explain || run.wants_remarks();
        let module = run.module_mut();
        let ctx = module.context().clone();
        let Some(service) = <dyn KernelOps>::any(&ctx) else { return Ok(()) };
        let machine = kernels::machine(module);
        let former = Former {
            ctx: &ctx,
            service,
            machine: &machine,
            options: &self.options,
            explains,
            analyses: Cell::new(0),
        };
        let (mut made, mut grouped) = (0, 0);
        let (mut remarks, mut formed) = (Diagnostics::new(), Vec::new());
        kernels::each_function(module, |body| {
            let inner = body.walk().into_iter().flat_map(|op| body.op(op).own_regions());
            let regions: Vec<_> = body.regions().chain(inner).collect();
            let blocks: Vec<Block> = regions.into_iter().flat_map(|at| body.region(at).blocks()).collect();
            for block in blocks {
                // The regions of grouped operations are in the kernel.
                if !body.contains_block(block) {
                    continue;
                }
                let groups = former.groups(body, block, &mut remarks);
                made += groups.len() as u64;
                for Group { ops, .. } in groups {
                    grouped += ops.len() as u64;
                    if explains {
                        formed.push(former.formed(body, &ops));
                    }
                    former.wrap(body, &ops);
                }
            }
        });
        run.count("num-kernels", made);
        run.count("num-grouped", grouped);
        run.count("num-analyses", former.analyses.get());
        formed.into_iter().for_each(|remark| run.remark(RemarkKind::Passed, remark));
        for remark in remarks {
            run.remark(RemarkKind::Missed, remark.clone());
            if self.options.explain {
                run.emit(remark);
            }
        }
        Ok(())
    }
}

struct Former<'c> {
    ctx: &'c Context,
    service: &'c dyn KernelOps,
    machine: &'c MachineModel,
    options: &'c FormKernelsOptions,
    /// Whether remarks are wanted.
    explains: bool,
    analyses: Cell<u64>,
}

impl Former<'_> {
    /// The remark for a group that becomes a kernel.
    fn formed(&self, body: &Body, group: &[Op]) -> Diagnostic {
        let names: Vec<&str> = group.iter().map(|&op| body.op(op).name()).collect();
        let place = group.last().map(|&op| body.op(op).loc().place(self.ctx)).unwrap_or_default();
        Diagnostic::remark(format!("kernel of {}: {}", names.len(), names.join(", "))).at(place)
    }

    /// Replaces initial contents of the operations of a block by fills, if all elements are one value.
    fn fill(&self, body: &mut Body, block: Block) {
        let Some(fills) = initial::Fills::of(self.ctx) else { return };
        let ops: Vec<Op> = body.block(block).ops().collect();
        for op in ops {
            if self.is_candidate(body.op(op)).is_some() {
                fills.fill(body, op);
            }
        }
    }

    /// Splits the operations of a block that only have a kernel if they are split. Returns a map from each part to all parts of
    /// its operation.
    fn split(&self, body: &mut Body, block: Block) -> FxHashMap<Op, Rc<Vec<Op>>> {
        let mut units = FxHashMap::default();
        let Some(splitter) = Splitter::of(self.ctx) else { return units };
        let ops: Vec<Op> = body.block(block).ops().collect();
        for op in ops {
            let view = body.op(op);
            let Some(domain) = self.is_candidate(view) else { continue };
            let is_one = view.n_results() == 1;
            let reduces = domain.iterator_types.contains(&IteratorType::Reduction);
            if is_one
                && reduces
                && let Some(split) = splitter.split_windows(body, op)
                && self.adopt(body, op, split, &mut units, &|family| family == choose::Family::Contraction)
            {
                continue;
            }
            if is_one && !(reduces && choose::has_function(body, op) && self.kernel(body, &[op]).is_none()) {
                continue;
            }
            for in_order in [false, true] {
                if in_order && !reduces || !in_order && is_one {
                    continue;
                }
                if let Some(split) = splitter.split(body, op, in_order)
                    && self.adopt(body, op, split, &mut units, &|family| family != choose::Family::Plain)
                {
                    break;
                }
            }
        }
        units
    }

    /// Replaces an operation by its parts if these make a kernel of an accepted family; otherwise the parts are erased.
    fn adopt(
        &self,
        body: &mut Body,
        op: Op,
        split: Split,
        units: &mut FxHashMap<Op, Rc<Vec<Op>>>,
        accepts: &dyn Fn(choose::Family) -> bool,
    ) -> bool {
        if !self.analyzed(body, &split.parts).is_some_and(|(_, family)| accepts(family)) {
            split.undo(body, op);
            return false;
        }
        let unit = Rc::new(split.parts);
        units.extend(unit.iter().map(|&part| (part, Rc::clone(&unit))));
        body.erase(op);
        true
    }

    /// The kernel that operations make, if it has a vectorized plan.
    fn kernel(&self, body: &Body, members: &[Op]) -> Option<Kernel> {
        let (kernel, family) = self.analyzed(body, members)?;
        (family != choose::Family::Plain).then_some(kernel)
    }

    /// The kernel that operations make, with its family.
    fn analyzed(&self, body: &Body, members: &[Op]) -> Option<(Kernel, choose::Family)> {
        self.analyses.set(self.analyses.get() + 1);
        let kernel = self.contents(body, members).and_then(|contents| kernel_of(body, &contents)).ok()?;
        let family = choose::choose(&kernel, body, self.machine).family;
        Some((kernel, family))
    }
}
