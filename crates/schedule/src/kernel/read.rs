//! Reads the statements of a kernel off its operations.

use super::{Access, AxisExtent, Reduction, Source, Statement};
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{Body, Op, OpRef, Traits, Type, Value};
use minoan_services::{
    Algebra, Alias, AliasModel, CombineKind, Domain, Extent, ExtentOf, IterationDomain, IteratorType, Monoid,
};
use rustc_hash::FxHashMap;

pub(super) struct Reader<'b> {
    pub(super) body: &'b Body,
    pub(super) sources: FxHashMap<Value, Source>,
    pub(super) statements: Vec<Statement>,
    /// For each statement, the extent of each dimension of its domain.
    pub(super) extents: Vec<Vec<Option<AxisExtent>>>,
    /// For each statement, whether it depends on the indices of its points.
    pub(super) uses_indices: Vec<bool>,
    pub(super) others: Vec<Op>,
}

impl Reader<'_> {
    pub(super) fn op(&mut self, op: OpRef<'_>) -> Result<(), String> {
        let ctx = op.context();
        let is_tensor = |ty: Type| ty.is_tensor(ctx);
        let service = ctx.service::<dyn IterationDomain>(op.kind());
        let domain = service.and_then(|service| service.domain(op));
        match domain {
            Some(domain) if !op.has_trait(Traits::CONSTANT_LIKE) => {
                self.statement(op, &domain)?;
                self.uses_indices.push(service.is_some_and(|service| service.uses_indices(op)));
                Ok(())
            }
            _ => {
                for result in op.results() {
                    let ty = self.body.ty(result);
                    let source = if is_tensor(ty) { Source::Undefined } else { Source::Scalar(result) };
                    self.sources.insert(result, source);
                }
                self.others.push(op.id());
                Ok(())
            }
        }
    }

    fn source(&self, value: Value) -> Source {
        let is_tensor = self.body.ty(value).is_tensor(self.body.context());
        match self.sources.get(&value) {
            Some(&Source::Argument(_)) if !is_tensor => Source::Scalar(value),
            Some(&source) => source,
            None => Source::Undefined,
        }
    }

    fn statement(&mut self, op: OpRef<'_>, domain: &Domain) -> Result<(), String> {
        let (body, ctx) = (self.body, op.context());
        if op.n_results() != 1 || domain.writes.len() != 1 {
            return Err("computes several tensors at once".to_owned());
        }
        let simple = |expr: &AffineExpr| matches!(expr, AffineExpr::Dim(_) | AffineExpr::Constant(0));
        if !domain.writes[0].results.iter().all(simple) {
            return Err("writes elements at computed indices".to_owned());
        }
        let alias = ctx.service::<dyn AliasModel>(op.kind()).map(|service| service.alias(op, 0));
        let (init, output) = match alias {
            Some(Alias::UpdateOf(operand)) => (self.source(op.operand(operand)), Some(operand)),
            _ => (Source::Undefined, None),
        };
        // Initial contents that the kernel computes are those of accumulators.
        let shape = body.ty(op.result(0)).shape(ctx).unwrap_or(&[]);
        if matches!(init, Source::Statement(_)) && !covers(&domain.writes[0], shape) {
            return Err("updates a part of a tensor that the kernel computes".to_owned());
        }
        let mut reads = Vec::new();
        let mut accumulator = None;
        for read in &domain.reads {
            let value = op.operand(read.operand);
            let source = self.source(value);
            if source == Source::Undefined {
                return Err(format!("reads operand {}, which is not a result of a statement", read.operand));
            }
            if Some(read.operand) == output {
                accumulator = Some(reads.len());
            }
            let element = body.ty(value).element_or_self(ctx);
            // The dimensions that a padding extends are those with a sum with a constant.
            let map = match read.outside {
                Some(_) => read.map.clone(),
                None => without_units(&read.map, body.ty(value).shape(ctx).unwrap_or(&[]), &domain.extents),
            };
            reads.push(Access { source, map, element, outside: read.outside });
        }
        let is_reduction = domain.iterator_types.contains(&IteratorType::Reduction);
        let reduction = match accumulator {
            Some(accumulator) if is_reduction => {
                Some(Reduction { accumulator, combine: combiner(op, output) })
            }
            None if is_reduction => return Err("reduces without reading its result".to_owned()),
            _ => None,
        };
        let number = self.statements.len();
        self.sources.insert(op.result(0), Source::Statement(number));
        self.extents.push(domain.extents.iter().map(|&extent| self.extent(op, extent)).collect());
        self.statements.push(Statement {
            op: op.id(),
            name: String::new(),
            axes: Vec::new(),
            iterators: domain.iterator_types.clone(),
            reads,
            write: domain.writes[0].clone(),
            element: body.ty(op.result(0)).element_or_self(ctx),
            init,
            reduction,
            has_vectors: has_vectors(body, op.id()),
            is_inline: false,
        });
        Ok(())
    }

    /// An extent in terms of the kernel's arguments.
    fn extent(&self, op: OpRef<'_>, extent: Extent) -> Option<AxisExtent> {
        match extent {
            Extent::Known(known) => Some(AxisExtent::Known(known)),
            Extent::Of { operand, dim } => match self.sources.get(&op.operand(operand)) {
                Some(&Source::Argument(argument)) => Some(AxisExtent::Of { argument, dim, plus: 0 }),
                _ => self.extent_of_result(op.operand(operand), dim),
            },
            Extent::Plus { operand, dim, by } => self.extent(op, Extent::Of { operand, dim })?.plus(by),
            Extent::Value(value) => match self.sources.get(&value) {
                Some(&Source::Argument(argument)) => Some(AxisExtent::Value { argument, plus: 0 }),
                _ => None,
            },
        }
    }

    /// An extent of a tensor that an operation of the kernel creates or updates, if it states the extent.
    fn extent_of_result(&self, tensor: Value, dim: usize) -> Option<AxisExtent> {
        let made = self.body.op(self.body.defining_op(tensor)?);
        let result = made.results().position(|result| result == tensor)?;
        let service = made.context().service::<dyn ExtentOf>(made.kind())?;
        self.extent(made, service.extent(made, result, dim)?)
    }
}

/// Whether all values of an operation's regions, and its operands and results or their elements, may be elements of vectors.
fn has_vectors(body: &Body, op: Op) -> bool {
    let ctx = body.context();
    let permits = |ty: Type| {
        let element = ty.element_or_self(ctx);
        // A value that is no number, such as a tensor in the body, is read by an operation that has a vector form or none.
        element.element(ctx).is_some() || element.may_be_vector_element(ctx)
    };
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        let view = body.op(op);
        if !view.operand_types().chain(view.result_types()).all(permits) {
            return false;
        }
        let blocks = view.own_regions().flat_map(|region| body.region(region).blocks());
        pending.extend(blocks.flat_map(|block| body.block(block).ops()));
    }
    true
}

/// Whether a map to dimensions and zeros has all indices of a tensor as results: each dimension once, and zeros for extents of 1.
fn covers(map: &AffineMap, shape: &[i64]) -> bool {
    map.results.iter().zip(shape).enumerate().all(|(at, (expr, &extent))| match expr {
        AffineExpr::Dim(_) => !map.results[..at].contains(expr),
        _ => extent == 1,
    })
}

/// The map of a read without the dimensions of extent 1 in its sums, so that a window of one element is not a window. A sum
/// does not become a dimension whose extent may be less than that of the tensor: the extents of axes are taken from tensors.
fn without_units(map: &AffineMap, shape: &[i64], extents: &[Extent]) -> AffineMap {
    let dims: Vec<AffineExpr> = (0u32..)
        .zip(extents)
        .map(|(dim, &extent)| match extent {
            Extent::Known(1) => AffineExpr::Constant(0),
            _ => AffineExpr::Dim(dim),
        })
        .collect();
    let mut map = map.clone();
    let covers = |simple: &AffineExpr, extent: Option<&i64>| match simple {
        AffineExpr::Dim(dim) => extent.is_some_and(|&extent| extents[*dim as usize] == Extent::Known(extent)),
        _ => true,
    };
    for (at, expr) in map.results.iter_mut().enumerate() {
        if !matches!(expr, AffineExpr::Dim(_))
            && let Some(simple) = expr.substitute(&dims).filter(|simple| covers(simple, shape.get(at)))
        {
            *expr = simple;
        }
    }
    map
}

/// The operation that combines the old element with the new one, if it is the only one that uses the old element and
/// its result is the new element.
fn combiner(op: OpRef<'_>, output: Option<usize>) -> Option<(Op, Monoid)> {
    let (body, ctx) = (op.body(), op.context());
    let block = body.block(body.region(op.own_regions().next()?).entry()?);
    let accumulator = block.arg(output?);
    let last = body.op(block.last()?);
    let combine = body.op(body.defining_op(last.operands().next()?)?);
    let only = body.only_use(accumulator)?;
    let plain = only.op == combine.id() && combine.n_operands() == 2 && combine.n_results() == 1;
    let used_once = body.only_use(combine.result(0)).is_some();
    let monoid = ctx.service::<dyn Algebra>(combine.kind())?.monoid(combine)?;
    (plain && used_once).then_some((combine.id(), monoid))
}

/// Names the statements: reductions after their monoid, others after the operation that computes the new element.
pub(super) fn name_all(body: &Body, statements: &mut [Statement]) {
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    for statement in statements {
        let op = body.op(statement.op);
        let inner = || {
            let block = body.block(body.region(op.own_regions().next()?).entry()?);
            let value = body.op(block.last()?).operands().next()?;
            body.defining_op(value).map(|op| body.op(op).name())
        };
        let computed = || inner().unwrap_or(op.name()).rsplit('.').next().unwrap_or("statement").to_owned();
        let short = match statement.combine() {
            Some((_, monoid)) => reduction_name(monoid.kind).to_owned(),
            None if statement.pads() => "pad".to_owned(),
            None => computed(),
        };
        let mut short: String = short.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        if ["for", "par", "pack", "prefetch", "nt", ""].contains(&short.as_str()) {
            short = "statement".to_owned();
        }
        let count = counts.entry(short.clone()).or_insert(0);
        statement.name = if *count == 0 { short } else { format!("{short}_{count}") };
        *count += 1;
    }
}

fn reduction_name(kind: CombineKind) -> &'static str {
    use CombineKind::*;
    match kind {
        AddI | AddF => "sum",
        MulI | MulF => "product",
        MinSI | MinUI | MinimumF | MinNumF => "min",
        MaxSI | MaxUI | MaximumF | MaxNumF => "max",
        And => "all",
        Or => "any",
        Xor => "parity",
    }
}
