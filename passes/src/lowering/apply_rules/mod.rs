//! `apply-rules`: applies the rewrite rules of a program to its functions, and removes the rules.
//!
//! A rule ([`RewriteRule`]) replaces an expression that its pattern matches:
//!
//! * A variable of the pattern matches any value of its type; if it occurs repeatedly, equal values.
//! * An operation of the pattern matches one of the same kind, with the same properties, whose operands match. Its
//!   regions match if their arguments correspond and the values that they yield match; they must not contain other operations
//!   with effects.
//! * A variable inside of a region may match a value that depends on the arguments of the region, unless the
//!   replacement uses it: it would be used where those arguments do not exist.
//!
//! Operations are visited in order, so operands before their users; the first rule of the program that matches an operation is
//! applied. The operations that it creates and the users of the result are visited again, until no rule applies. Rules are
//! trusted: neither soundness nor termination is proven. A rule applies at most [`MAX_CHAIN`] times to its own results in a row.
//! At most [`MAX_GROWTH`] applications per operation of the function are of rules to their own results, and as many per operation
//! of the function and of these results are of rules to the results of others. A rule that does not terminate therefore does not
//! keep others from being applied. A warning reports the rules that reach a limit, and a remark those that cannot be applied.

mod pattern;

use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Block, Body, InsertionPoint, Mapping, Op, OpKind, Value};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{Effects, EffectsTable, RewriteRule};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Upper bound on the applications of a rule to its own results in a row.
pub const MAX_CHAIN: u32 = 100;
/// Upper bound on the applications of rules to their own results in a function, and on those to results of other rules, as a
/// multiple of its operations and of 100.
pub const MAX_GROWTH: usize = 10;

/// Applies rewrite rules.
pub struct ApplyRules;

impl Pass for ApplyRules {
    fn name(&self) -> &'static str {
        "apply-rules"
    }

    fn description(&self) -> &'static str {
        "apply the rewrite rules of a program"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-applied", "Number of applications of rules")]
    }

    queries!(RewriteRule, Effects);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let Some(table) = ctx.service_table::<dyn RewriteRule>() else { return Ok(()) };
        let body = run.body_mut();
        let ops: Vec<Op> =
            body.walk().into_iter().filter(|&op| table.get(body.op(op).kind()).is_some()).collect();
        let (mut rules, mut remarks) = (Vec::new(), Vec::new());
        for op in ops {
            let view = body.op(op);
            let Some(service) = table.get(view.kind()) else { continue };
            let (name, place) = (service.name(view), view.loc().place(&ctx));
            let rule = match service.ignored(view) {
                Some(reason) => Err(reason),
                None => Rule::of(view.nested().map(Body::duplicate), name.clone()),
            };
            match rule {
                Ok(rule) => rules.push((rule, place)),
                Err(reason) => {
                    remarks
                        .push(Diagnostic::remark(format!("rule \"{name}\" is ignored: {reason}")).at(place));
                }
            }
            body.erase(op);
        }
        if !rules.is_empty() {
            let (rules, places): (Vec<Rule>, Vec<_>) = rules.into_iter().unzip();
            let done = run.each_body(|body| Rewriting::new(&rules, body).run(body));
            let mut limited: FxHashMap<usize, Limit> = FxHashMap::default();
            for (applied, reached) in done {
                run.count("num-applied", applied);
                for (index, limit) in reached {
                    let known = limited.entry(index).or_insert(limit);
                    *known = (*known).max(limit);
                }
            }
            for (index, (rule, place)) in rules.iter().zip(places).enumerate() {
                let what = match limited.get(&index) {
                    None => continue,
                    Some(Limit::Endless) => "applies to its own results without end",
                    Some(Limit::Growth) => "applies too often to the results of other rules",
                };
                let message = format!("rule \"{}\" {what}; it was stopped", rule.name);
                remarks.push(Diagnostic::warning(message).at(place));
            }
        }
        remarks.into_iter().for_each(|remark| run.emit(remark));
        Ok(())
    }
}

/// A rule that can be applied.
struct Rule {
    name: String,
    body: Body,
    /// The operation whose result is the pattern.
    root: Op,
    kind: OpKind,
    /// The variables, as arguments of the pattern and of the replacement.
    params: [Vec<Value>; 2],
    replacement: Block,
}

impl Rule {
    fn of(body: Option<Body>, name: String) -> Result<Rule, String> {
        let body = body.ok_or("it has no body")?;
        let block = |index: usize| body.region(body.root(index)).entry().ok_or("a side is empty");
        let (pattern, replacement) = (block(0)?, block(1)?);
        let last = body.block(pattern).last().ok_or("its left side is empty")?;
        let value = body.op(last).operands().next().ok_or("its left side has no value")?;
        let root = body.defining_op(value).ok_or("its left side is a variable, which matches every value")?;
        let args = |block: Block| body.block(block).args().collect::<Vec<Value>>();
        let params = [args(pattern), args(replacement)];
        let matched = pattern::matched_variables(&body, root);
        let unknown = params[0]
            .iter()
            .zip(&params[1])
            .position(|(from, to)| body.uses(*to).next().is_some() && !matched.contains(from));
        if unknown.is_some() {
            return Err("its right side uses a variable that its left side does not".to_owned());
        }
        let kind = body.op(root).kind();
        Ok(Rule { name, root, kind, params, replacement, body })
    }
}

/// The limit that a rule has reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Limit {
    /// On applications to results of other rules.
    Growth,
    /// On applications to its own results.
    Endless,
}

/// The applications that an operation is the result of: how often each rule was applied, one to the result of another.
type Lineage = Rc<[(usize, u32)]>;

/// The application of rules to a function.
struct Rewriting<'r> {
    rules: &'r [Rule],
    by_kind: FxHashMap<OpKind, Vec<usize>>,
    /// The lineages of the operations that rules have created.
    lineages: FxHashMap<Op, Lineage>,
    /// The numbers of applications left: of rules to results of other rules, and to their own.
    left: [usize; 2],
    limited: FxHashMap<usize, Limit>,
}

impl<'r> Rewriting<'r> {
    fn new(rules: &'r [Rule], body: &Body) -> Self {
        let mut by_kind: FxHashMap<OpKind, Vec<usize>> = FxHashMap::default();
        for (index, rule) in rules.iter().enumerate() {
            by_kind.entry(rule.kind).or_default().push(index);
        }
        let left = [MAX_GROWTH * (100 + body.walk().len()); 2];
        Self { rules, by_kind, lineages: FxHashMap::default(), left, limited: FxHashMap::default() }
    }

    /// Returns the number of applications, and the rules that reached a limit.
    fn run(mut self, body: &mut Body) -> (u64, FxHashMap<usize, Limit>) {
        let mut applied = 0;
        let mut pending = body.walk();
        pending.reverse();
        while let Some(op) = pending.pop() {
            if body.try_op(op).is_err() {
                continue;
            }
            let Some(candidates) = self.by_kind.get(&body.op(op).kind()).cloned() else { continue };
            for index in candidates {
                let Some(found) = pattern::find(&self.rules[index], body, op) else { continue };
                match self.extended(op, index) {
                    Ok(lineage) => {
                        applied += 1;
                        let again = self.replace(body, op, index, &found, &lineage);
                        pending.extend(again.into_iter().rev());
                        break;
                    }
                    Err(limit) => {
                        let known = self.limited.entry(index).or_insert(limit);
                        *known = (*known).max(limit);
                    }
                }
            }
        }
        (applied, self.limited)
    }

    /// The lineage of the results of applying a rule to an operation.
    ///
    /// # Errors
    /// The limit that the rule has reached.
    fn extended(&mut self, op: Op, index: usize) -> Result<Lineage, Limit> {
        let Some(own) = self.lineages.get(&op) else { return Ok([(index, 1)].into()) };
        let mut lineage = own.to_vec();
        let (limit, is_deep) = match lineage.iter_mut().find(|(rule, _)| *rule == index) {
            Some((_, count)) => {
                *count += 1;
                (Limit::Endless, *count > MAX_CHAIN)
            }
            None => {
                lineage.push((index, 1));
                (Limit::Growth, false)
            }
        };
        match self.left[limit as usize].checked_sub(1).filter(|_| !is_deep) {
            Some(left) => {
                self.left[limit as usize] = left;
                Ok(lineage.into())
            }
            None => Err(limit),
        }
    }

    /// Replaces what a rule has matched; returns the operations to visit again.
    fn replace(
        &mut self,
        body: &mut Body,
        op: Op,
        index: usize,
        found: &pattern::Found,
        lineage: &Lineage,
    ) -> Vec<Op> {
        let rule = &self.rules[index];
        let mut mapping = Mapping::new();
        for (from, &to) in rule.params[0].iter().zip(&rule.params[1]) {
            if let Some(&value) = found.values.get(from) {
                mapping.map(to, value);
            }
        }
        let mut again = Vec::new();
        let ops: Vec<Op> = rule.body.block(rule.replacement).ops().collect();
        let Some((&last, ops)) = ops.split_last() else { return again };
        for &source in ops {
            let new = body.clone_op_from(&rule.body, source, InsertionPoint::Before(op), &mut mapping);
            body.set_loc(new, body.op(op).loc());
            self.lineages.insert(new, lineage.clone());
            again.push(new);
        }
        if lineage.iter().any(|&(rule, count)| rule == index && count > 1) {
            self.left[Limit::Growth as usize] += MAX_GROWTH * again.len();
        }
        let value = mapping.value(rule.body.op(last).operand(0));
        let result = body.op(op).result(0);
        again.extend(body.uses(result).map(|user| user.op));
        body.replace_all_uses(result, value);
        // Erases matched operations that only the replaced value used, even if their effects are unknown.
        for &matched in &found.ops {
            if body
                .try_op(matched)
                .is_ok_and(|view| view.results().all(|result| body.uses(result).next().is_none()))
            {
                body.erase(matched);
            }
        }
        again
    }
}

/// The effects of the operations of a body.
fn effects(body: &Body) -> EffectsTable<'_> {
    EffectsTable::new(body.context())
}
