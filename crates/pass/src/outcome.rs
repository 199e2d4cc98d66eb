//! The outcome of a run: diagnostics, timing, statistics, and their reports in MLIR's format.

use crate::Pass;
use crate::pipeline::{Node, Pipeline, Step};
use crate::remark::Remark;
use minoan_diag::Diagnostics;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Times and statistics, indexed by step.
#[derive(Clone, Default, Debug)]
pub(crate) struct Log {
    pub(crate) diagnostics: Diagnostics,
    pub(crate) remarks: Vec<Remark>,
    pub(crate) times: Vec<Duration>,
    pub(crate) verifying: Vec<Duration>,
    pub(crate) analyses: Vec<BTreeMap<&'static str, Duration>>,
    pub(crate) counts: Vec<BTreeMap<&'static str, u64>>,
    /// Per-part statistics of passes, such as the number of applications per pattern.
    pub(crate) parts: Vec<BTreeMap<String, u64>>,
    /// The failed passes with the operations that they ran on.
    pub(crate) failed: Vec<String>,
}

impl Log {
    pub(crate) fn new(steps: usize) -> Self {
        Log {
            diagnostics: Diagnostics::new(),
            remarks: Vec::new(),
            times: vec![Duration::ZERO; steps],
            verifying: vec![Duration::ZERO; steps],
            analyses: vec![BTreeMap::new(); steps],
            counts: vec![BTreeMap::new(); steps],
            parts: vec![BTreeMap::new(); steps],
            failed: Vec::new(),
        }
    }

    pub(crate) fn append(&mut self, other: Log) {
        self.diagnostics.append(other.diagnostics);
        self.remarks.extend(other.remarks);
        let add = |mine: &mut [Duration], others: Vec<Duration>| {
            mine.iter_mut().zip(others).for_each(|(mine, other)| *mine += other);
        };
        add(&mut self.times, other.times);
        add(&mut self.verifying, other.verifying);
        for (mine, other) in self.analyses.iter_mut().zip(other.analyses) {
            other.into_iter().for_each(|(name, time)| *mine.entry(name).or_default() += time);
        }
        for (mine, other) in self.counts.iter_mut().zip(other.counts) {
            other.into_iter().for_each(|(name, count)| *mine.entry(name).or_default() += count);
        }
        for (mine, other) in self.parts.iter_mut().zip(other.parts) {
            other.into_iter().for_each(|(name, count)| *mine.entry(name).or_default() += count);
        }
        self.failed.extend(other.failed);
    }
}

/// The outcome of a run.
pub struct Outcome<'p> {
    /// All diagnostics, in an order that does not depend on threading.
    pub diagnostics: Diagnostics,
    /// The remarks of passes, if they are collected, in an order that does not depend on threading.
    pub remarks: Vec<Remark>,
    /// Whether a pass failed.
    pub failed: bool,
    /// The reproducer file, if one was written.
    pub reproducer: Option<std::path::PathBuf>,
    pub(crate) pipeline: &'p Pipeline,
    pub(crate) log: Log,
    pub(crate) total: Duration,
}

/// An entry of a timing report: the time spent in an activity, summed over threads.
#[derive(Clone, PartialEq, Debug)]
pub struct Timing {
    /// A pass, a nested pipeline, or another activity.
    pub name: String,
    /// The time spent.
    pub wall: Duration,
    /// The nested entries.
    pub parts: Vec<Timing>,
}

impl Timing {
    /// Creates an entry without nested entries.
    pub fn leaf(name: impl Into<String>, wall: Duration) -> Self {
        Self { name: name.into(), wall, parts: Vec::new() }
    }

    /// Adds the times of another run; entries of the same name are merged.
    pub fn add(lines: &mut Vec<Timing>, more: Vec<Timing>) {
        let mut next = None;
        for line in more {
            let from = next.unwrap_or(0);
            let at = match lines[from..].iter().position(|known| known.name == line.name) {
                Some(ahead) => {
                    let known = &mut lines[from + ahead];
                    known.wall += line.wall;
                    Timing::add(&mut known.parts, line.parts);
                    from + ahead
                }
                None => {
                    let at = next.unwrap_or(lines.len());
                    lines.insert(at, line);
                    at
                }
            };
            next = Some(at + 1);
        }
    }

    /// Flattens all entries, merged by name, in descending order of time.
    pub fn by_time(lines: &[Timing]) -> Vec<Timing> {
        let mut sums: Vec<Timing> = Vec::new();
        let mut pending: Vec<&Timing> = lines.iter().rev().collect();
        while let Some(line) = pending.pop() {
            pending.extend(line.parts.iter().rev());
            match sums.iter_mut().find(|known| known.name == line.name) {
                Some(known) => known.wall += line.wall,
                None => sums.push(Timing::leaf(line.name.clone(), line.wall)),
            }
        }
        sums.sort_by_key(|line| std::cmp::Reverse(line.wall));
        sums
    }

    /// Formats the report as text, as a tree if entries are nested. `rest` is the time that no entry covers.
    pub fn text(lines: &[Timing], rest: Duration, total: Duration) -> String {
        let seconds = total.as_secs_f64();
        let mut text = title("Execution time report");
        text.push_str(&format!(
            "  Total Execution Time: {seconds:.4} seconds\n\n  ----Wall Time----  ----Name----\n"
        ));
        let mut pending: Vec<(usize, &Timing)> = lines.iter().rev().map(|line| (0, line)).collect();
        while let Some((depth, line)) = pending.pop() {
            text.push_str(&text_line(line.wall, total, depth, &line.name));
            pending.extend(line.parts.iter().rev().map(|part| (depth + 1, part)));
        }
        text.push_str(&text_line(rest, total, 0, "Rest"));
        text.push_str(&text_line(total, total, 0, "Total"));
        text
    }

    /// Formats the report as JSON: an array of `{"wall": {"duration", "percentage"}, "name", "passes"}`.
    pub fn json(lines: &[Timing], rest: Duration, total: Duration) -> Value {
        let ends = [Timing::leaf("Rest", rest), Timing::leaf("Total", total)];
        Value::Array(lines.iter().chain(&ends).map(|line| line.json_line(total)).collect())
    }

    fn json_line(&self, total: Duration) -> Value {
        let wall = self.wall.as_secs_f64();
        let mut value = json!({"wall": {"duration": wall, "percentage": percentage(self.wall, total)}, "name": self.name});
        if !self.parts.is_empty() {
            value["passes"] = self.parts.iter().map(|part| part.json_line(total)).collect();
        }
        value
    }
}

fn percentage(part: Duration, total: Duration) -> f64 {
    100.0 * part.as_secs_f64() / total.as_secs_f64().max(f64::MIN_POSITIVE)
}

fn text_line(wall: Duration, total: Duration, depth: usize, name: &str) -> String {
    let (seconds, percentage, indent) = (wall.as_secs_f64(), percentage(wall, total), 2 * depth);
    format!("  {seconds:8.4} ({percentage:5.1}%)  {:indent$}{name}\n", "")
}

fn title(text: &str) -> String {
    let rule = format!("==={}===", "-".repeat(73));
    let title = format!("{:^80}", format!("... {text} ..."));
    format!("{rule}\n{}\n{rule}\n", title.trim_end())
}

impl Outcome<'_> {
    /// Converts to a result: warnings and remarks, or all diagnostics if a pass failed.
    ///
    /// # Errors
    /// All diagnostics, if a pass failed.
    pub fn into_result(self) -> Result<Diagnostics, Diagnostics> {
        if self.failed { Err(self.diagnostics) } else { Ok(self.diagnostics) }
    }

    /// The duration of the run.
    pub fn total(&self) -> Duration {
        self.total
    }

    /// The duration of each step, summed over threads.
    pub fn timing(&self) -> Vec<Timing> {
        self.timings(self.pipeline.steps())
    }

    /// The time spent in the pass at a position of the pipeline and in the verifier after it, summed over threads.
    ///
    /// # Panics
    /// Panics if the pipeline has no such position.
    pub fn step_time(&self, node: usize) -> (Duration, Duration) {
        (self.log.times[node], self.log.verifying[node])
    }

    /// The statistics of the pass at a position of the pipeline that are not zero: name and value.
    ///
    /// # Panics
    /// Panics if the pipeline has no such position.
    pub fn step_statistics(&self, node: usize) -> Vec<(String, u64)> {
        let counts = self.log.counts[node].iter().map(|(name, &count)| ((*name).to_owned(), count));
        let parts = self.log.parts[node].iter().map(|(name, &count)| (name.clone(), count));
        counts.chain(parts).filter(|&(_, count)| count != 0).collect()
    }

    fn timings(&self, steps: &[Node]) -> Vec<Timing> {
        let mut all = Vec::new();
        for node in steps {
            match &node.step {
                Step::Pass(pass) => {
                    let analyses = self.log.analyses[node.id].iter();
                    let parts =
                        analyses.map(|(name, &time)| Timing::leaf(format!("(A) {name}"), time)).collect();
                    let wall = self.log.times[node.id];
                    all.push(Timing { name: pass.name().to_owned(), wall, parts });
                    if !self.log.verifying[node.id].is_zero() {
                        all.push(Timing::leaf("(V) verifier", self.log.verifying[node.id]));
                    }
                }
                Step::Nested(nests) => {
                    for (anchor, steps) in nests {
                        let parts = self.timings(steps);
                        let wall = parts.iter().map(|part| part.wall).sum();
                        all.push(Timing { name: format!("'{anchor}' Pipeline"), wall, parts });
                    }
                }
            }
        }
        all
    }

    /// The positions of a pass in the pipeline.
    fn places(&self, pass: &str) -> Vec<(usize, &dyn Pass)> {
        let mut found = Vec::new();
        let mut pending: Vec<&Node> = self.pipeline.steps().iter().rev().collect();
        while let Some(node) = pending.pop() {
            match &node.step {
                Step::Pass(at) if at.name() == pass => found.push((node.id, &**at)),
                Step::Pass(_) => {}
                Step::Nested(nests) => {
                    pending.extend(nests.iter().rev().flat_map(|(_, steps)| steps.iter().rev()))
                }
            }
        }
        found
    }

    /// The statistics of a pass, summed over its positions: name, description and value.
    pub fn statistics(&self, pass: &str) -> Vec<(&'static str, &'static str, u64)> {
        let mut found: Vec<(&'static str, &'static str, u64)> = Vec::new();
        for (id, at) in self.places(pass) {
            for (name, doc, count) in self.counted(id, at.statistics()) {
                match found.iter_mut().find(|(known, ..)| *known == name) {
                    Some((.., sum)) => *sum += count,
                    None => found.push((name, doc, count)),
                }
            }
        }
        found
    }

    /// The per-part statistics of a pass, summed over its positions, such as the number of applications per pattern.
    pub fn parts(&self, pass: &str) -> BTreeMap<&str, u64> {
        let mut found = BTreeMap::new();
        for (id, _) in self.places(pass) {
            for (name, &count) in &self.log.parts[id] {
                *found.entry(name.as_str()).or_default() += count;
            }
        }
        found
    }

    /// The declared statistics in order, followed by others.
    fn counted(
        &self,
        id: usize,
        declared: &'static [(&'static str, &'static str)],
    ) -> Vec<(&'static str, &'static str, u64)> {
        let counts = &self.log.counts[id];
        let known = declared.iter().map(|&(name, doc)| (name, doc, counts.get(name).copied().unwrap_or(0)));
        let is_declared = |name: &str| declared.iter().any(|(known, _)| *known == name);
        let others =
            counts.iter().filter(|(name, _)| !is_declared(name)).map(|(&name, &count)| (name, "", count));
        known.chain(others).collect()
    }

    /// The statistics report in the form of the pipeline.
    pub fn statistics_pipeline(&self) -> String {
        let mut text = title("Pass statistics report");
        self.statistics_of(self.pipeline.steps(), 0, &mut text);
        text
    }

    fn statistics_of(&self, steps: &[Node], depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        for node in steps {
            match &node.step {
                Step::Pass(pass) => {
                    text.push_str(&format!("{indent}{}\n", pass.name()));
                    self.counted(node.id, pass.statistics())
                        .iter()
                        .for_each(|one| text.push_str(&counted_line(one, depth)));
                    for (name, &count) in &self.log.parts[node.id] {
                        text.push_str(&counted_line(&(name, "", count), depth));
                    }
                }
                Step::Nested(nests) => {
                    for (anchor, steps) in nests {
                        text.push_str(&format!("{indent}'{anchor}' Pipeline\n"));
                        self.statistics_of(steps, depth + 1, text);
                    }
                }
            }
        }
    }

    /// The statistics report, summed by pass.
    pub fn statistics_list(&self) -> String {
        let mut names: Vec<&str> = self.pipeline.passes().iter().map(|pass| pass.name()).collect();
        names.sort_unstable();
        names.dedup();
        let mut text = title("Pass statistics report");
        for name in names {
            let counted = self.statistics(name);
            if !counted.is_empty() {
                text.push_str(&format!("{name}\n"));
                counted.iter().for_each(|one| text.push_str(&counted_line(one, 0)));
                for (name, count) in self.parts(name) {
                    text.push_str(&counted_line(&(name, "", count), 0));
                }
            }
        }
        text
    }
}

fn counted_line(&(name, doc, count): &(&str, &str, u64), depth: usize) -> String {
    let doc = if doc.is_empty() { String::new() } else { format!(" - {doc}") };
    format!("{}(S) {count} {name}{doc}\n", "  ".repeat(depth + 1))
}
