//! Emission of `match`: nested and overlapping patterns become matches of one level.
//!
//! Clauses are rows of a matrix with a column for each value that is still to be examined. The first row decides which
//! column is examined next; its constructors become the cases of a `data.match`. A row that does not mention a
//! constructor is a row of several cases, so its clause may be emitted more than once.

use super::expr::Scope;
use crate::ast::{BinderId, CtorId, ExprId, MatchId, PatternId, PatternKind};
use crate::types::{Type, TypeId};
use minoan_data as data;
use minoan_frontend::with_stack;
use minoan_ir::{Builder, OpDef, Type as IrType, Value};
use rustc_hash::FxHashMap;

/// Upper bound on the clauses of one match that are emitted more than once: overlapping patterns of several values could grow
/// exponentially.
const MAX_COPIES: usize = 512;

/// A value to be examined.
#[derive(Clone, Copy)]
struct Column {
    value: Value,
    ty: TypeId,
}

/// A clause that may still match.
#[derive(Clone)]
struct Row {
    /// The pattern of each column; `None` matches everything.
    patterns: Vec<Option<PatternId>>,
    bound: Vec<(BinderId, Value)>,
    body: ExprId,
}

/// The properties of a match.
struct Site {
    id: ExprId,
    result: IrType,
    /// The number of clauses that may still be emitted.
    leaves: usize,
}

impl Scope<'_, '_> {
    pub(super) fn match_expr(&mut self, b: &mut Builder<'_>, id: ExprId, node: MatchId) -> Option<Value> {
        let node = self.emitter.program.module.match_node(node);
        let value = self.expr(b, node.value);
        let result = self.ty(id);
        let (Some(value), Some(result)) = (value, result) else {
            let bodies: Vec<ExprId> = node.clauses.iter().map(|clause| clause.body).collect();
            return self.look_for_errors(b, &bodies);
        };
        let columns = vec![Column { value, ty: self.concrete(node.value) }];
        let rows = node.clauses.iter().map(|clause| Row {
            patterns: vec![Some(clause.pattern)],
            bound: Vec::new(),
            body: clause.body,
        });
        let rows: Vec<Row> = rows.collect();
        let leaves = rows.len() + MAX_COPIES;
        self.rows(b, &mut Site { id, result, leaves }, columns, rows, false)
    }

    /// The value of the first row that matches; `inside` is true in a separate region.
    fn rows(
        &mut self,
        b: &mut Builder<'_>,
        site: &mut Site,
        columns: Vec<Column>,
        mut rows: Vec<Row>,
        inside: bool,
    ) -> Option<Value> {
        for row in &mut rows {
            self.bind_variables(&columns, row);
        }
        // No value reaches the rows after one that matches all of them.
        let end = rows.iter().position(|row| row.patterns.iter().all(Option::is_none));
        rows.truncate(end.map_or(rows.len(), |end| end + 1));
        let Some(first) = rows.first() else {
            let fail = data::Fail::build(b, "did not find any match", &[site.result]);
            return Some(b.body().op(fail.op()).result(0));
        };
        let Some(at) = first.patterns.iter().position(Option::is_some) else {
            return self.leaf(b, site, &rows.swap_remove(0), inside);
        };
        let pattern = first.patterns[at]?;
        match &self.emitter.program.module.pattern(pattern).kind {
            PatternKind::Tuple(parts) => self.tuple_column(b, site, columns, rows, (at, parts.len()), inside),
            _ => self.ctor_column(b, site, &columns, &rows, at),
        }
    }

    /// Replaces variables and wildcards, which match everything.
    fn bind_variables(&self, columns: &[Column], row: &mut Row) {
        let module = &self.emitter.program.module;
        for (pattern, column) in row.patterns.iter_mut().zip(columns) {
            match pattern.map(|id| &module.pattern(id).kind) {
                Some(PatternKind::Var(binder)) => row.bound.push((*binder, column.value)),
                Some(PatternKind::Wildcard) => {}
                _ => continue,
            }
            *pattern = None;
        }
    }

    fn leaf(&mut self, b: &mut Builder<'_>, site: &mut Site, row: &Row, inside: bool) -> Option<Value> {
        let Some(leaves) = site.leaves.checked_sub(1) else {
            return self.unsupported(site.id, "a 'match' whose patterns overlap in too many ways");
        };
        site.leaves = leaves;
        for &(binder, value) in &row.bound {
            let ty = self.emitter.program.binder_ty(binder);
            let ty = self.emitter.concrete(ty, &self.subst);
            let at = self.emitter.program.module.binder(binder).name.span;
            let ty = self.emitter.ir_type(ty, at)?;
            let value = self.fit(b, at, value, ty)?;
            self.values.insert(binder, value);
        }
        if inside {
            return self.region(b, row.body, site.result);
        }
        let value = self.expr(b, row.body)?;
        self.fit(b, self.span(row.body), value, site.result)
    }

    /// Examines the components of a tuple.
    fn tuple_column(
        &mut self,
        b: &mut Builder<'_>,
        site: &mut Site,
        mut columns: Vec<Column>,
        mut rows: Vec<Row>,
        (at, count): (usize, usize),
        inside: bool,
    ) -> Option<Value> {
        let tuple = columns[at];
        let types = match self.emitter.types.get(tuple.ty) {
            Type::Tuple(types) => types.clone(),
            _ => return None,
        };
        let parts =
            types.iter().zip(0..).map(|(&ty, index)| Column { value: self.get(b, tuple.value, index), ty });
        let parts: Vec<Column> = parts.collect();
        columns.splice(at..=at, parts);
        let module = &self.emitter.program.module;
        for row in &mut rows {
            let parts = match row.patterns[at].map(|id| &module.pattern(id).kind) {
                Some(PatternKind::Tuple(parts)) => parts.iter().copied().map(Some).collect(),
                _ => vec![None; count],
            };
            row.patterns.splice(at..=at, parts);
        }
        with_stack(|| self.rows(b, site, columns, rows, inside))
    }

    /// The constructor and the fields' patterns of a pattern.
    fn ctor_of(&self, pattern: Option<PatternId>) -> Option<(CtorId, &[PatternId])> {
        let program = self.emitter.program;
        match &program.module.pattern(pattern?).kind {
            PatternKind::Ctor(_, parts) => Some((program.pattern_ctor(pattern?)?, parts)),
            _ => None,
        }
    }

    /// Examines the constructor of a value.
    fn ctor_column(
        &mut self,
        b: &mut Builder<'_>,
        site: &mut Site,
        columns: &[Column],
        rows: &[Row],
        at: usize,
    ) -> Option<Value> {
        let cell = columns[at];
        let mut ctors: Vec<CtorId> = Vec::new();
        // The rows for each constructor, and those for all others.
        let mut by_ctor: FxHashMap<CtorId, Vec<&Row>> = FxHashMap::default();
        let mut others: Vec<&Row> = Vec::new();
        for row in rows {
            match self.ctor_of(row.patterns[at]) {
                Some((ctor, _)) => {
                    let new = || {
                        ctors.push(ctor);
                        others.clone()
                    };
                    by_ctor.entry(ctor).or_insert_with(new).push(row);
                }
                None => {
                    by_ctor.values_mut().for_each(|rows| rows.push(row));
                    others.push(row);
                }
            }
        }
        let module = &self.emitter.program.module;
        let all = ctors.first().map_or(0, |&ctor| module.ctors_of(module.ctor(ctor).data).count());
        let coverage = data::Coverage::of(ctors.len(), all);
        let mut cases: Vec<data::Case> = Vec::new();
        let mut fields: Vec<Vec<TypeId>> = Vec::new();
        for &ctor in &ctors {
            let types = self.emitter.fields_of(ctor, cell.ty);
            let mut ir = Vec::new();
            for &ty in &types {
                ir.push(self.emitter.ir_type(ty, self.span(site.id))?);
            }
            let (name, tag) = self.emitter.ctor_name(ctor);
            cases.push((name, tag, ir));
            fields.push(types);
        }
        let result = [site.result];
        let values = data::Match::with(b, cell.value, &cases, coverage, &result, |b, index, args| {
            let own: Vec<Column> = match fields.get(index) {
                Some(types) => args.iter().zip(types).map(|(&value, &ty)| Column { value, ty }).collect(),
                None => Vec::new(),
            };
            let left = ctors.get(index).map_or(Some(&others), |ctor| by_ctor.get(ctor));
            let left = left.into_iter().flatten().map(|&row| {
                let parts = match self.ctor_of(row.patterns[at]) {
                    Some((_, parts)) => parts.iter().copied().map(Some).collect(),
                    None => vec![None; own.len()],
                };
                let mut row = row.clone();
                row.patterns.splice(at..=at, parts);
                row
            });
            let left: Vec<Row> = left.collect();
            let mut inner = columns.to_vec();
            inner.splice(at..=at, own);
            with_stack(|| self.rows(b, site, inner, left, true)).map(|value| vec![value])
        });
        values?.first().copied()
    }
}
