//! The page: assets of this crate, and the recorded data as JSON.

use crate::buffers::FunctionBuffers;
use crate::diff::Difference;
use crate::graph::Graph;
use crate::kernels::KernelInfo;
use crate::recorder::{Said, Stage, State};
use crate::text::{Tables, Text};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

const HTML: &str = include_str!("../page/page.html");
const STYLE: &str = include_str!("../page/style.css");
const SCRIPTS: [&str; 7] = [
    include_str!("../page/data.js"),
    include_str!("../page/list.js"),
    include_str!("../page/code.js"),
    include_str!("../page/tables.js"),
    include_str!("../page/buffers.js"),
    include_str!("../page/graph.js"),
    include_str!("../page/main.js"),
];

/// The page as text. It refers to nothing outside of it.
pub(crate) fn page(title: &str, state: State) -> String {
    let data = serde_json::to_string(&data(title, state)).unwrap_or_default();
    let mut page = String::with_capacity(HTML.len() + STYLE.len() + data.len() + 65536);
    let mut rest = HTML;
    // Placeholders are replaced once, from the first to the last: contents may contain the text of a placeholder.
    let script = SCRIPTS.concat();
    let parts = [
        ("{{title}}", escaped(title)),
        ("{{style}}", STYLE.to_owned()),
        ("{{data}}", for_script(&data)),
        ("{{script}}", script),
    ];
    for (placeholder, contents) in parts {
        let (before, after) = rest.split_once(placeholder).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(&contents);
        rest = after;
    }
    page.push_str(rest);
    page
}

/// Escapes text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Escapes JSON for a `script` element, which ends at `</script`, and in which `<!--` starts a comment. In JSON `<` occurs
/// in strings only.
fn for_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// The contents of the page, as its script reads them.
#[derive(Serialize)]
pub(crate) struct Data {
    title: String,
    version: &'static str,
    files: Vec<FileData>,
    templates: Vec<String>,
    places: Vec<Vec<u32>>,
    #[serde(serialize_with = "by_reference")]
    texts: Vec<Arc<Text>>,
    phases: Vec<String>,
    stages: Vec<StageData>,
    remarks: Vec<Said>,
    kernels: Option<OfStage<KernelInfo>>,
    buffers: Option<OfStage<FunctionBuffers>>,
    graphs: Vec<OfStage<Graph>>,
}

#[derive(Serialize)]
struct FileData {
    name: String,
    /// The lines, if the text is known.
    lines: Option<Vec<String>>,
}

/// Information about the module after a stage; lines refer to its text.
#[derive(Serialize)]
struct OfStage<T> {
    stage: usize,
    list: Vec<T>,
}

#[derive(Serialize)]
struct StageData {
    name: String,
    kind: &'static str,
    phase: usize,
    anchor: String,
    runs: u32,
    changed: bool,
    failed: bool,
    before: usize,
    after: usize,
    difference: Difference,
    /// In microseconds, as all times.
    time: Option<u64>,
    verifying: Option<u64>,
    /// In bytes.
    memory: Option<u64>,
    statistics: Vec<(String, u64)>,
}

fn by_reference<S: serde::Serializer>(texts: &[Arc<Text>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(texts.iter().map(|text| &**text))
}

/// Converts the recorded state to the contents of the page.
pub(crate) fn data(title: &str, state: State) -> Data {
    let State { tables, mut sources, phases, stages, said, kernels, buffers, graphs, .. } = state;
    let mut texts = Texts::default();
    let mut written = Vec::new();
    for stage in stages {
        let (before, after) = (texts.number(&stage.before), texts.number(&stage.after));
        let difference = match before == after {
            true => Difference::default(),
            false => Difference::between(&tables, &texts.all[before], &texts.all[after]),
        };
        written.push(stage_data(stage, before, after, difference));
    }
    let Tables { templates, files, places, .. } = tables;
    let files = (0..).zip(files).map(|(number, name)| {
        let text = sources.remove(&number);
        let lines = text.map(|text| text.trim_end_matches('\n').split('\n').map(str::to_owned).collect());
        FileData { name, lines }
    });
    Data {
        title: title.to_owned(),
        version: env!("CARGO_PKG_VERSION"),
        files: files.collect(),
        templates,
        places,
        texts: texts.all,
        phases,
        stages: written,
        remarks: said,
        kernels: kernels.map(|(stage, list)| OfStage { stage, list }),
        buffers: buffers.map(|(stage, list)| OfStage { stage, list }),
        graphs: graphs.into_iter().map(|(stage, list)| OfStage { stage, list }).collect(),
    }
}

/// The distinct texts of the stages.
#[derive(Default)]
struct Texts {
    all: Vec<Arc<Text>>,
    by_parts: FxHashMap<Vec<*const Text>, usize>,
    by_text: FxHashMap<Arc<Text>, usize>,
}

impl Texts {
    /// The number of the concatenation of texts.
    fn number(&mut self, parts: &[Arc<Text>]) -> usize {
        let key: Vec<*const Text> = parts.iter().map(Arc::as_ptr).collect();
        if let Some(&known) = self.by_parts.get(&key) {
            return known;
        }
        let text = match parts {
            [one] => one.clone(),
            parts => Arc::new(Text::concat(parts.iter().map(|part| &**part))),
        };
        let next = self.all.len();
        let number = *self.by_text.entry(text.clone()).or_insert(next);
        if number == next {
            self.all.push(text);
        }
        self.by_parts.insert(key, number);
        number
    }
}

fn stage_data(stage: Stage, before: usize, after: usize, difference: Difference) -> StageData {
    let Stage { name, kind, phase, anchor, runs, failed, time, verifying, memory, statistics, .. } = stage;
    let micros = |time: Option<Duration>| time.map(|time| time.as_micros() as u64);
    StageData {
        name,
        kind,
        phase,
        anchor,
        runs,
        // The text may be unchanged even if a pass has edited the IR.
        changed: !difference.is_empty(),
        failed,
        before,
        after,
        difference,
        time: micros(time),
        verifying: micros(verifying),
        memory,
        statistics,
    }
}
