//! Exhaustiveness and reachability of `match` clauses.
//!
//! Implements Maranget's usefulness of pattern vectors, with witnesses, under a step limit. Rows are grouped by their head
//! constructor, so that clauses with different ones take time linear in their number.

use super::Checker;
use crate::ast::{CtorId, PatternId, PatternKind};
use crate::types::{Type, TypeId, Types};
use minoan_diag::{Diagnostic, Span};
use minoan_frontend::with_stack;
use rustc_hash::{FxHashMap, FxHashSet};

/// The step limit of one `match`, beyond which it is assumed to be exhaustive.
const BUDGET: usize = 200_000;
/// The maximum number of missing patterns to report.
const MAX_MISSING: usize = 5;

/// An entry of a pattern matrix.
#[derive(Clone, Copy, Debug)]
enum Cell {
    Any,
    Pattern(PatternId),
}

/// The head constructor of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Head {
    Ctor(CtorId),
    Tuple(usize),
}

impl Checker<'_> {
    pub(super) fn check_matches(&mut self) {
        for (node, id) in std::mem::take(&mut self.matches) {
            let module = self.module;
            let node = module.match_node(node);
            let ty = self.out.expr_types[node.value.index()];
            if self.out.types.has_error(ty) {
                continue;
            }
            let rows: Vec<PatternId> = node.clauses.iter().map(|clause| clause.pattern).collect();
            let mut search = Search { checker: self, steps: 0 };
            let missing = if node.partial { Vec::new() } else { search.missing(&rows, ty) };
            // A pattern with an unknown constructor, which has been reported, may cover any values.
            let is_known = !search.checker.has_unknown_ctor(&rows);
            let unreachable = if is_known { search.unreachable(&rows, ty) } else { Vec::new() };
            if !missing.is_empty() {
                let list: Vec<String> =
                    missing.iter().take(MAX_MISSING).map(|it| format!("'{it}'")).collect();
                let more = if missing.len() > MAX_MISSING { ", and more" } else { "" };
                let error = Diagnostic::error(format!("the match does not cover {}{more}", list.join(", ")));
                let span = self.span(id);
                let keyword = span.start + "match".len() as u32;
                let behind = Span { start: keyword, end: keyword, ..span };
                let help = "add clauses, or write 'match?' to stop the program there";
                let error = error.at(span).suggest(behind, "?", help);
                self.reporter.report(error);
            }
            for (pattern, covered) in unreachable {
                let warning = Diagnostic::warning("this clause is unreachable");
                let warning = warning.at(module.pattern(pattern).span);
                self.reporter.report(match covered {
                    Some(by) => {
                        warning.label(module.pattern(by).span, "this clause covers all of its values")
                    }
                    None => warning.note("the preceding clauses cover all of its values"),
                });
            }
        }
    }

    /// Whether a constructor in the patterns does not exist.
    fn has_unknown_ctor(&self, patterns: &[PatternId]) -> bool {
        let mut pending = patterns.to_vec();
        while let Some(pattern) = pending.pop() {
            match &self.module.pattern(pattern).kind {
                PatternKind::Wildcard | PatternKind::Var(_) => {}
                PatternKind::Tuple(parts) => pending.extend(parts),
                PatternKind::Ctor(_, parts) => {
                    if self.out.pattern_ctor(pattern).is_none() {
                        return true;
                    }
                    pending.extend(parts);
                }
            }
        }
        false
    }
}

/// The reachable rows of a match.
#[derive(Default)]
struct Reached {
    all: Vec<PatternId>,
    by_head: FxHashMap<Head, Vec<PatternId>>,
    /// The patterns that match every value: at most one.
    any: Vec<PatternId>,
    /// Whether the rows match every value.
    is_complete: bool,
}

impl Reached {
    fn add(&mut self, row: PatternId, head: Option<Head>) {
        self.all.push(row);
        match head {
            Some(head) => self.by_head.entry(head).or_default().push(row),
            None => {
                self.any.push(row);
                self.is_complete = true;
            }
        }
    }

    /// The rows, in order, that match values which a row with this head matches.
    fn rivals(&self, head: Option<Head>) -> Vec<PatternId> {
        match head {
            // A row with one of several heads does not match all values.
            None if self.is_complete && self.by_head.len() > 1 => self.any.clone(),
            None => self.all.clone(),
            Some(head) => self.by_head.get(&head).into_iter().chain([&self.any]).flatten().copied().collect(),
        }
    }
}

struct Search<'a, 'b> {
    checker: &'a mut Checker<'b>,
    steps: usize,
}

impl Search<'_, '_> {
    /// Patterns of values that no row matches.
    fn missing(&mut self, rows: &[PatternId], ty: TypeId) -> Vec<String> {
        // No value reaches the rows after one that matches all of them.
        let end = rows.iter().position(|&row| self.head(Cell::Pattern(row)).is_none());
        let rows = &rows[..end.map_or(rows.len(), |end| end + 1)];
        let matrix = rows.iter().map(|&row| vec![Cell::Pattern(row)]).collect();
        let mut witnesses = self.witnesses(matrix, &[ty], MAX_MISSING + 1);
        witnesses.iter_mut().map(|witness| witness.pop().unwrap_or_default()).collect()
    }

    /// The unreachable rows, each with the earlier row that covers it if there is a single one.
    fn unreachable(&mut self, rows: &[PatternId], ty: TypeId) -> Vec<(PatternId, Option<PatternId>)> {
        let mut out = Vec::new();
        let mut reached = Reached::default();
        for &row in rows {
            let head = self.head(Cell::Pattern(row)).map(|(head, _)| head);
            let is_useful = !reached.is_complete && {
                let rivals = reached.rivals(head);
                let matrix = rivals.into_iter().map(|it| vec![Cell::Pattern(it)]).collect();
                self.useful(matrix, vec![Cell::Pattern(row)], &[ty])
            };
            if is_useful {
                reached.add(row, head);
                continue;
            }
            let alone = |search: &mut Self, it: PatternId| {
                !search.useful(vec![vec![Cell::Pattern(it)]], vec![Cell::Pattern(row)], &[ty])
            };
            reached.is_complete |= head.is_none();
            let by = reached.rivals(head).into_iter().find(|&it| alone(self, it));
            out.push((row, by));
        }
        out
    }

    fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps <= BUDGET
    }

    fn head(&mut self, cell: Cell) -> Option<(Head, Vec<Cell>)> {
        let Cell::Pattern(pattern) = cell else { return None };
        let module = self.checker.module;
        let cells = |parts: &[PatternId]| parts.iter().map(|&part| Cell::Pattern(part)).collect::<Vec<_>>();
        match &module.pattern(pattern).kind {
            PatternKind::Wildcard | PatternKind::Var(_) => None,
            PatternKind::Tuple(parts) => Some((Head::Tuple(parts.len()), cells(parts))),
            PatternKind::Ctor(_, parts) => {
                let ctor = self.checker.out.pattern_ctor(pattern)?;
                let mut parts = cells(parts);
                parts.resize(module.ctor(ctor).fields.len(), Cell::Any);
                Some((Head::Ctor(ctor), parts))
            }
        }
    }

    /// The types of the fields of a value with this type and head.
    fn part_types(&mut self, ty: TypeId, head: Head) -> Vec<TypeId> {
        match (head, self.checker.out.types.get(ty).clone()) {
            (Head::Tuple(count), Type::Tuple(parts)) if parts.len() == count => parts.to_vec(),
            (Head::Tuple(count), _) => vec![Types::ERROR; count],
            (Head::Ctor(ctor), Type::Data(data, args)) => {
                let vars = self.checker.out.data_vars[data.index()].clone();
                let own = self.checker.out.ctor_types[ctor.index()];
                let own = match *self.checker.out.types.get(own) {
                    Type::Poly(scheme) => self.checker.out.types.scheme(scheme).ty,
                    _ => own,
                };
                let Type::Fn(fields, _) = self.checker.out.types.get(own).clone() else { return Vec::new() };
                let field = |&field: &TypeId| {
                    self.checker.out.types.replace(field, &mut |types: &mut Types, id| match types.get(id) {
                        Type::Var(var) => {
                            let at = vars.iter().position(|it| it == var)?;
                            args.get(at).copied()
                        }
                        _ => None,
                    })
                };
                fields.iter().map(field).collect()
            }
            (Head::Ctor(ctor), _) => vec![Types::ERROR; self.checker.module.ctor(ctor).fields.len()],
        }
    }

    /// For each of these heads, the rows that match a value with this head, with the patterns of its fields in front.
    fn specialize(&mut self, matrix: &[Vec<Cell>], heads: &[(Head, usize)]) -> Vec<Vec<Vec<Cell>>> {
        let places: FxHashMap<Head, usize> =
            heads.iter().enumerate().map(|(place, &(head, _))| (head, place)).collect();
        let mut out = vec![Vec::new(); heads.len()];
        for row in matrix {
            let Some((&first, rest)) = row.split_first() else { continue };
            let mut add = |place: usize, parts: Vec<Cell>| {
                out[place].push(parts.into_iter().chain(rest.iter().copied()).collect());
            };
            match self.head(first) {
                Some((head, parts)) => {
                    if let Some(&place) = places.get(&head) {
                        add(place, parts);
                    }
                }
                None => {
                    for (place, &(_, arity)) in heads.iter().enumerate() {
                        add(place, vec![Cell::Any; arity]);
                    }
                }
            }
        }
        out
    }

    /// The rows whose first entry matches every value, without that entry.
    fn default_rows(&mut self, matrix: &[Vec<Cell>]) -> Vec<Vec<Cell>> {
        let rows = matrix.iter().filter(|row| row.first().is_some_and(|&cell| self.head(cell).is_none()));
        rows.map(|row| row[1..].to_vec()).collect()
    }

    /// The heads in the first column, and whether they are all heads of the type.
    fn heads(&mut self, matrix: &[Vec<Cell>], ty: TypeId) -> (Vec<Head>, bool) {
        let (mut heads, mut seen): (Vec<Head>, FxHashSet<Head>) = Default::default();
        for row in matrix {
            if let Some(head) = row.first().and_then(|&cell| self.head(cell)).map(|(head, _)| head)
                && seen.insert(head)
            {
                heads.push(head);
            }
        }
        let complete = match (heads.first(), self.checker.out.types.get(ty)) {
            (Some(Head::Tuple(_)), _) => true,
            (Some(Head::Ctor(_)), Type::Data(data, _)) => {
                heads.len() == self.checker.module.ctors_of(*data).count()
            }
            // A type without constructors has no values.
            (None, Type::Data(data, _)) => {
                let module = self.checker.module;
                !module.data(*data).external && module.ctors_of(*data).next().is_none()
            }
            _ => false,
        };
        (heads, complete)
    }

    /// Whether the row matches a value that no row of the matrix matches.
    fn useful(&mut self, matrix: Vec<Vec<Cell>>, row: Vec<Cell>, types: &[TypeId]) -> bool {
        if !self.step() {
            return true;
        }
        let Some((&first, rest)) = row.split_first() else { return matrix.is_empty() };
        if let Some((head, parts)) = self.head(first) {
            let inner = self.part_types(types[0], head);
            let special = self.specialize(&matrix, &[(head, inner.len())]);
            return special
                .into_iter()
                .any(|special| self.useful_parts(special, &inner, parts.clone(), rest, types));
        }
        let (heads, complete) = self.heads(&matrix, types[0]);
        if !complete {
            let matrix = self.default_rows(&matrix);
            return with_stack(|| self.useful(matrix, rest.to_vec(), &types[1..]));
        }
        let inner: Vec<Vec<TypeId>> = heads.iter().map(|&head| self.part_types(types[0], head)).collect();
        let arities = heads.iter().zip(&inner).map(|(&head, inner)| (head, inner.len()));
        let special = self.specialize(&matrix, &arities.collect::<Vec<_>>());
        special.into_iter().zip(inner).any(|(special, inner)| {
            self.useful_parts(special, &inner, vec![Cell::Any; inner.len()], rest, types)
        })
    }

    /// Whether a row with these `parts`, of the types `inner`, matches a value that no specialized row matches.
    fn useful_parts(
        &mut self,
        matrix: Vec<Vec<Cell>>,
        inner: &[TypeId],
        parts: Vec<Cell>,
        rest: &[Cell],
        types: &[TypeId],
    ) -> bool {
        let row = parts.into_iter().chain(rest.iter().copied()).collect();
        let types: Vec<TypeId> = inner.iter().chain(&types[1..]).copied().collect();
        with_stack(|| self.useful(matrix, row, &types))
    }

    /// Pattern rows that the matrix does not match, at most `most`; each in reverse order.
    fn witnesses(&mut self, matrix: Vec<Vec<Cell>>, types: &[TypeId], most: usize) -> Vec<Vec<String>> {
        if !self.step() || most == 0 {
            return Vec::new();
        }
        let Some((&ty, rest)) = types.split_first() else {
            return if matrix.is_empty() { vec![Vec::new()] } else { Vec::new() };
        };
        let (heads, complete) = self.heads(&matrix, ty);
        let mut out: Vec<Vec<String>> = Vec::new();
        if !complete {
            let default = self.default_rows(&matrix);
            let names = self.absent(&heads, ty);
            for witness in with_stack(|| self.witnesses(default, rest, most)) {
                for name in &names {
                    out.push(witness.iter().cloned().chain([name.clone()]).collect());
                }
            }
        }
        let inner: Vec<Vec<TypeId>> = heads.iter().map(|&head| self.part_types(ty, head)).collect();
        let arities = heads.iter().zip(&inner).map(|(&head, inner)| (head, inner.len()));
        let special = self.specialize(&matrix, &arities.collect::<Vec<_>>());
        for ((head, inner), special) in heads.into_iter().zip(inner).zip(special) {
            let types: Vec<TypeId> = inner.iter().chain(rest).copied().collect();
            let left = most.saturating_sub(out.len());
            for mut witness in with_stack(|| self.witnesses(special, &types, left)) {
                let parts: Vec<String> = (0..inner.len()).filter_map(|_| witness.pop()).collect();
                witness.push(self.head_text(head, &parts));
                out.push(witness);
            }
        }
        out.truncate(most);
        out
    }

    /// Patterns of values with other heads.
    fn absent(&mut self, heads: &[Head], ty: TypeId) -> Vec<String> {
        if heads.is_empty() {
            return vec!["_".to_owned()];
        }
        let Type::Data(data, _) = *self.checker.out.types.get(ty) else { return vec!["_".to_owned()] };
        let known: FxHashSet<Head> = heads.iter().copied().collect();
        let ctors = self.checker.module.ctors_of(data).map(Head::Ctor);
        let ctors: Vec<Head> = ctors.filter(|head| !known.contains(head)).collect();
        ctors
            .into_iter()
            .map(|head| {
                let arity = self.part_types(ty, head).len();
                self.head_text(head, &vec!["_".to_owned(); arity])
            })
            .collect()
    }

    fn head_text(&self, head: Head, parts: &[String]) -> String {
        let name = match head {
            Head::Ctor(ctor) => self.checker.module.text(self.checker.module.ctor(ctor).name.name),
            Head::Tuple(_) => "",
        };
        match head {
            Head::Ctor(_) if parts.is_empty() => name.to_owned(),
            _ => format!("{name}({})", parts.join(", ")),
        }
    }
}
