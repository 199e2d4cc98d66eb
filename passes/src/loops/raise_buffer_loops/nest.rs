//! Collection of nests: loops with the elements of buffers that they read and write.

use super::Tables;
use super::forms::Forms;
use crate::analysis::linear::Linear;
use minoan_ir::{Block, Body, Op, Value};
use minoan_services::{Access, EffectSet, LoopLike};
use rustc_hash::FxHashMap;

/// Upper bound on the loops of a nest.
const LOOPS: usize = 16;

/// Upper bound on the nesting depth of a nest, which keeps the time linear: the inner loops of a nest that is not raised are
/// collected again.
const DEPTH: usize = 8;

/// Upper bound on the stores of a nest, which are compared with each other.
const STORES: usize = 12;

/// Upper bound on the operations of a nest, which are copied for each store that depends on them.
const OPS: usize = 512;

/// An element of a buffer, by the induction variables of a nest.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Place {
    pub buffer: Value,
    pub indices: Vec<Linear>,
}

/// A load or a store in a nest.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub op: Op,
    pub place: Place,
    /// The loops around the access, outermost first.
    pub dims: Vec<usize>,
    pub block: Block,
    /// The number of the operation in the order of the text.
    pub position: usize,
}

/// A store.
#[derive(Clone, Debug)]
pub(super) struct Store {
    pub element: Element,
    pub value: Value,
}

/// Perfectly nested loops that carry scalars.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    pub op: Op,
    /// The loops around it.
    pub around: Vec<usize>,
    /// Its own loops.
    pub dims: Vec<usize>,
    pub inits: Vec<Value>,
    /// The scalars before an iteration of the innermost loop.
    pub carried: Vec<Value>,
    /// The scalars after the iteration.
    pub next: Vec<Value>,
}

/// A loop with everything in it.
pub(super) struct Nest<'t, 'c> {
    pub root: Op,
    pub forms: Forms<'t, 'c>,
    /// In the order of the text.
    pub stores: Vec<Store>,
    pub loads: FxHashMap<Op, Element>,
    pub folds: FxHashMap<Op, Fold>,
    tables: &'t Tables<'c>,
    count: usize,
}

impl<'t, 'c> Nest<'t, 'c> {
    /// The nest of a loop; `None` if it has effects other than loads and stores of elements at linear indices, or carries values.
    pub(super) fn of(tables: &'t Tables<'c>, body: &Body, root: Op) -> Option<Self> {
        let mut nest = Nest {
            root,
            forms: Forms::new(tables, body, root),
            stores: Vec::new(),
            loads: FxHashMap::default(),
            folds: FxHashMap::default(),
            tables,
            count: 0,
        };
        nest.collect(body, root, &mut Vec::new())?;
        (!nest.stores.is_empty()).then_some(nest)
    }

    /// Whether a store is executed at least `min` times, or an unknown number of times.
    pub(super) fn has_points(&self, min: i64) -> bool {
        let size = |&dim: &usize| {
            let size = self.forms.dims()[dim].size().filter(|size| size.invariants.is_empty());
            size.map(|size| size.constant.max(0))
        };
        let points =
            |dims: &[usize]| dims.iter().map(size).try_fold(1, |all: i64, size| all.checked_mul(size?));
        let folded = self.folds.values().map(|fold| [&fold.around[..], &fold.dims].concat());
        let stored = self.stores.iter().map(|store| store.element.dims.clone());
        folded.chain(stored).any(|dims| points(&dims).is_none_or(|points| points >= min))
    }

    /// The services that the pass queries.
    pub(super) fn tables(&self) -> &'t Tables<'c> {
        self.tables
    }

    fn collect(&mut self, body: &Body, op: Op, path: &mut Vec<usize>) -> Option<()> {
        let view = body.op(op);
        if view.n_results() > 0 {
            return None;
        }
        let depth = path.len();
        let block = self.enter(body, op, path)?;
        let last = body.block(block).last()?;
        if body.op(last).n_operands() > 0 || body.op(last).n_regions() > 0 {
            return None;
        }
        for inner in body.block(block).ops().filter(|&inner| inner != last) {
            match self.tables.loops.get(body.op(inner).kind()) {
                Some(_) if body.op(inner).n_results() > 0 => self.fold(body, inner, path)?,
                Some(_) => self.collect(body, inner, path)?,
                None => self.add(body, inner, block, path, true)?,
            }
        }
        path.truncate(depth);
        Some(())
    }

    /// Adds the loops of an operation; returns the block of its iterations.
    fn enter(&mut self, body: &Body, op: Op, path: &mut Vec<usize>) -> Option<Block> {
        self.count += 1;
        let view = body.op(op);
        let inductions = self.tables.loops.get(view.kind())?.inductions(view);
        let mut regions = view.own_regions();
        let (region, None) = (regions.next()?, regions.next()) else { return None };
        let mut blocks = body.region(region).blocks();
        let (block, None) = (blocks.next()?, blocks.next()) else { return None };
        for induction in inductions {
            path.push(self.forms.add(body, induction)?);
        }
        let is_loop =
            path.last().is_some_and(|&dim| body.block_of(self.forms.dims()[dim].index) == Some(block));
        (is_loop && path.len() <= DEPTH && self.forms.dims().len() <= LOOPS).then_some(block)
    }

    /// Adds an operation that is not a loop.
    fn add(&mut self, body: &Body, op: Op, block: Block, path: &[usize], may_store: bool) -> Option<()> {
        let view = body.op(op);
        self.count += 1;
        let is_scalar = view.result_types().all(|ty| ty.shape(body.context()).is_none());
        if self.count > OPS || view.n_regions() > 0 || !is_scalar {
            return None;
        }
        let access = self.tables.accesses.get(view.kind()).and_then(|service| service.access(view));
        let Some(access) = access else {
            return (self.tables.effects.all(view) == EffectSet::NONE).then_some(());
        };
        let place = self.place(body, op, &access)?;
        let element = Element { op, place, dims: path.to_vec(), block, position: self.count };
        match access.stored {
            Some(stored) => {
                let is_element = body.ty(view.operand(stored)).shape(body.context()).is_none();
                if !may_store || !is_element || self.stores.len() == STORES {
                    return None;
                }
                self.stores.push(Store { element, value: view.operand(stored) });
            }
            None => _ = self.loads.insert(op, element),
        }
        Some(())
    }

    fn place(&mut self, body: &Body, op: Op, access: &Access) -> Option<Place> {
        let view = body.op(op);
        let buffer = view.operand(access.container);
        let is_buffer = body.ty(buffer).is_memref(body.context());
        if !is_buffer || !<dyn LoopLike>::is_outside(body, self.root, buffer) {
            return None;
        }
        let indices = view.operands().skip(access.indices.start).take(access.indices.len());
        let indices = indices.map(|index| self.forms.of(body, index)).collect::<Option<_>>()?;
        Some(Place { buffer, indices })
    }

    /// Adds perfectly nested loops that carry scalars.
    fn fold(&mut self, body: &Body, op: Op, path: &mut Vec<usize>) -> Option<()> {
        let depth = path.len();
        let inits = |op: Op| -> Option<Vec<Value>> {
            let view = body.op(op);
            let range = self.tables.loops.get(view.kind())?.inits(view);
            Some(view.operands().skip(range.start).take(range.len()).collect())
        };
        let mut fold = Fold {
            op,
            around: path.clone(),
            dims: Vec::new(),
            inits: inits(op)?,
            carried: Vec::new(),
            next: Vec::new(),
        };
        let mut level = Some(op);
        while let Some(op) = level.take() {
            let block = self.enter(body, op, path)?;
            let (view, last) = (body.op(op), body.block(block).last()?);
            let service = self.tables.loops.get(view.kind())?;
            let (carried, yielded) = (service.carried(view), service.yielded(view));
            let count = fold.inits.len();
            if view.n_results() != count || carried.len() != count || yielded.len() != count {
                return None;
            }
            for inner in body.block(block).ops().filter(|&inner| inner != last) {
                if self.tables.loops.get(body.op(inner).kind()).is_none() {
                    self.add(body, inner, block, path, false)?;
                    continue;
                }
                let (view, inits) = (body.op(inner), inits(inner)?);
                let once = |&value: &Value| body.only_use(value).is_some();
                let continues = level.is_none()
                    && inits == carried
                    && view.results().eq(yielded.iter().copied())
                    && carried.iter().chain(&yielded).all(once);
                if !continues {
                    return None;
                }
                level = Some(inner);
            }
            (fold.carried, fold.next) = (carried, yielded);
        }
        let is_scalar = |&value: &Value| body.ty(value).shape(body.context()).is_none();
        if fold.inits.is_empty() || !fold.inits.iter().all(is_scalar) {
            return None;
        }
        fold.dims = path.split_off(depth);
        self.folds.insert(op, fold);
        Some(())
    }
}
