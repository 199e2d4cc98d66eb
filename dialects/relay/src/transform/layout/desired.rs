//! ConvertLayout with the layouts that the user wants: operators get the layouts of a list.
//!
//! Operands are transformed before the operator, and its result after it. Transformations of results sink, and meet those of
//! operands, which cancels both.

use super::{MARK, Mode, Moved, divides, inverse, sink, transformed};
use crate::dialect::operator_of;
use crate::layout::Layout;
use crate::operators::{Operator, Preset, find, near};
use crate::transform::{Rule, apply_with, attrs, replace, static_type};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Attr, Block, Body, Op, Value};
use minoan_rewrite::{Matched, NoMatch, Pattern, PatternSet, Rewriter, Root};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The layouts of an operator.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Wanted {
    operator: &'static str,
    /// The layout of the data, and of the result.
    data: String,
    /// The layout of the weights; the usual one if absent.
    kernel: Option<String>,
}

/// The layouts that operators get, as TVM's ConvertLayout has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DesiredLayouts(Vec<Wanted>);

/// The attributes of an operator that are the layouts of its data and of its weights, with the axes of each.
fn fields(operator: &Operator) -> Option<((&'static str, &'static str), Option<&'static str>)> {
    let text = |name: &str| match operator.field(name)?.default {
        Some(Preset::Str(text)) => Some((operator.field(name)?.name, text)),
        _ => None,
    };
    let is_conv = operator.args.contains(&"data") && operator.args.contains(&"weight");
    match (text("data_layout"), text("kernel_layout"), text("layout")) {
        (Some(data), Some((_, kernel)), _) if is_conv => Some((data, Some(kernel))),
        (None, None, Some(layout)) => Some((layout, None)),
        _ => None,
    }
}

/// Checks that a layout is an order of these axes, some of which may be split.
fn order_of<'t>(operator: &str, text: &'t str, axes: &str) -> Result<&'t str, Diagnostic> {
    match Layout::of(text, axes) {
        Some(_) => Ok(text),
        None => {
            let letters: Vec<String> = axes.chars().map(String::from).collect();
            let message = format!("'{text}' is not a layout of '{operator}'");
            let expected = format!(
                "a layout is an order of the axes {}, such as {axes} or {axes}4c",
                letters.join(", ")
            );
            Err(Diagnostic::error(message).help(expected))
        }
    }
}

impl DesiredLayouts {
    /// Parses a list of items `OPERATOR:LAYOUT` or `OPERATOR:LAYOUT:KERNEL_LAYOUT`. The kernel layout may be `default`.
    ///
    /// # Errors
    /// One error for each item that is not understood.
    pub fn parse(items: &[String]) -> Result<DesiredLayouts, Diagnostics> {
        let mut errors = Diagnostics::new();
        let mut all: Vec<Wanted> = Vec::new();
        for item in items {
            match wanted(item.trim()) {
                Ok(one) if all.iter().any(|other| other.operator == one.operator) => {
                    errors.push(Diagnostic::error(format!("'{}' has two layouts", one.operator)));
                }
                Ok(one) => all.push(one),
                Err(error) => errors.push(error),
            }
        }
        if errors.has_errors() { Err(errors) } else { Ok(DesiredLayouts(all)) }
    }

    /// Adds the patterns that give operators their layouts.
    pub fn add_patterns(&self, patterns: &mut PatternSet) {
        let roots = self.0.iter().map(|wanted| wanted.operator).collect();
        patterns.add(Convert { desired: Arc::new(self.clone()), roots });
        patterns.add(Through);
        let roots = &["relay.layout_transform"];
        patterns.add(Rule { name: "relay-layout-of-layout", roots, rewrite: inverse });
    }

    /// Removes the marks of the transformations that the patterns created, and pairs of transformations that cancel out.
    pub fn finish(body: &mut Body) {
        let name = body.context().name(MARK);
        let blocks: Vec<Block> = body.regions().flat_map(|region| body.region(region).blocks()).collect();
        for block in blocks {
            let mut known: FxHashMap<(Value, Attr), Value> = FxHashMap::default();
            for op in body.block(block).ops().collect::<Vec<Op>>() {
                let view = body.op(op);
                if view.name() != "relay.layout_transform" {
                    continue;
                }
                let (key, result) = ((view.operand(0), view.props()), view.result(0));
                match known.get(&key).copied() {
                    Some(same) => {
                        body.replace_all_uses(result, same);
                        body.erase(op);
                    }
                    None => {
                        body.set_attr(op, name, None);
                        known.insert(key, result);
                    }
                }
            }
        }
    }
}

fn wanted(item: &str) -> Result<Wanted, Diagnostic> {
    let mut parts = item.split(':').map(str::trim);
    let (name, data, kernel) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let (Some(data), None) = (data, parts.next()) else {
        let message =
            format!("expected 'OPERATOR:LAYOUT' or 'OPERATOR:LAYOUT:KERNEL_LAYOUT', but found '{item}'");
        return Err(Diagnostic::error(message));
    };
    let Some(operator) = find(name) else {
        return Err(Diagnostic::error(format!("there is no operator '{name}'")).did_you_mean(near(name)));
    };
    let Some(((_, axes), of_kernel)) = fields(operator) else {
        return Err(Diagnostic::error(format!("'{name}' has no layout that can be chosen")));
    };
    let data = order_of(name, data, axes)?;
    let kernel = match (kernel.filter(|&kernel| kernel != "default"), of_kernel) {
        (Some(kernel), Some(axes)) => Some(order_of(name, kernel, axes)?.to_owned()),
        (Some(_), None) => return Err(Diagnostic::error(format!("'{name}' has no weights"))),
        (None, Some(axes)) if !has_usual_kernel(data, axes) => {
            let message = format!("'{name}' has no usual layout of weights for data in the layout {data}");
            return Err(Diagnostic::error(message).help(format!("name one: '{name}:{data}:{axes}'")));
        }
        (None, _) => None,
    };
    Ok(Wanted { operator: operator.name, data: data.to_owned(), kernel })
}

/// Whether the layout of weights follows from that of the data.
fn has_usual_kernel(data: &str, kernel: &str) -> bool {
    match channels_inside(data) {
        Some(_) => kernel.starts_with("OI"),
        None => data.starts_with("NC") || data.ends_with('C') || data == "HWNC",
    }
}

/// The number of channels that are inside of a layout such as `NCHW4c`.
fn channels_inside(data: &str) -> Option<i64> {
    let factor = Layout::parse(data)?.factor('C')?;
    let plain = data.strip_suffix(&format!("{factor}c"))?;
    (plain.starts_with("NC") && is_plain(plain)).then_some(factor)
}

fn is_plain(layout: &str) -> bool {
    layout.chars().all(|c| c.is_ascii_uppercase())
}

impl Wanted {
    /// The layout of the weights of a convolution.
    fn kernel(&self, usual: &str, depthwise: bool) -> String {
        if let Some(kernel) = &self.kernel {
            return kernel.clone();
        }
        if let Some(inside) = channels_inside(&self.data) {
            let inputs = if depthwise { 1 } else { inside };
            return format!("{usual}{inputs}i{inside}o");
        }
        if self.data.starts_with("NC") {
            return usual.to_owned();
        }
        let space = usual.trim_start_matches(['I', 'O']);
        let swaps = depthwise || self.data == "HWNC";
        format!("{space}{}", if swaps { "OI" } else { "IO" })
    }
}

/// Gives an operator the layouts that are wanted.
struct Convert {
    desired: Arc<DesiredLayouts>,
    roots: Vec<&'static str>,
}

impl Pattern for Convert {
    fn name(&self) -> &str {
        "relay-desired-layout"
    }

    fn root(&self) -> Root {
        Root::Kinds(|ctx, kind| {
            let name = ctx.kind_name(kind);
            name.strip_prefix("relay.").and_then(find).is_some_and(|operator| fields(operator).is_some())
        })
    }

    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        let name = rewriter.op(op).name().strip_prefix("relay.");
        let at = self.roots.iter().position(|&root| Some(root) == name).ok_or(NoMatch::SILENT)?;
        convert(&self.desired.0[at], op, rewriter).ok_or(NoMatch::SILENT)
    }
}

fn convert(wanted: &Wanted, op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let operator = operator_of(rw.op(op))?;
    let ((field, _), usual) = fields(operator)?;
    let mut given = attrs(rw.op(op))?;
    let data = given.text(field)?.to_owned();
    if !is_plain(&data)
        || !matches!(given.text("out_layout"), None | Some("")) && given.text("out_layout") != Some(&data)
    {
        return None;
    }
    let kernel = match usual {
        Some(usual) => {
            let current = given.text("kernel_layout")?.to_owned();
            let depthwise =
                operator.name == "nn.conv2d" && is_depthwise(rw, op, given.int("groups"), &current);
            is_plain(&current).then(|| (wanted.kernel(usual, depthwise), current))
        }
        None => None,
    };
    if usual.is_some() && kernel.is_none() {
        return None;
    }
    if data == wanted.data && kernel.as_ref().is_none_or(|(new, old)| new == old) {
        return None;
    }
    let mut args: Vec<Value> = rw.op(op).operands().collect();
    let layouts_of = |name: &str| match (name, &kernel) {
        ("weight", Some((new, old))) => Some((old, new)).filter(|(old, new)| old != new),
        ("data" | "offset", _) => Some((&data, &wanted.data)).filter(|(old, new)| old != new),
        _ => None,
    };
    let mut images = args.iter().zip(operator.args).map(|(&arg, name)| (arg, layouts_of(name)));
    let fits = images.all(|(arg, layouts)| layouts.is_none_or(|(old, new)| divides(rw, arg, old, new)));
    if !fits || !divides(rw, rw.op(op).result(0), &data, &wanted.data) {
        return None;
    }
    let b = &mut rw.builder();
    for (arg, name) in args.iter_mut().zip(operator.args) {
        if let Some((old, new)) = layouts_of(name) {
            *arg = transformed(b, *arg, old, new)?;
        }
    }
    given.set(field, wanted.data.as_str().into());
    if let Some((new, _)) = kernel {
        given.set("kernel_layout", new.as_str().into());
    }
    if given.text("out_layout").is_some() {
        given.set("out_layout", "".into());
    }
    let made = apply_with(b, operator.name, &args, &given)?;
    let moved = Moved { data: made, from: wanted.data.clone(), to: data };
    let back = Mode::Marked.back(b, made, &moved)?;
    replace(rw, op, back)
}

/// Whether each channel of a convolution is convolved by itself.
fn is_depthwise(rw: &Rewriter<'_>, op: Op, groups: Option<i64>, kernel: &str) -> bool {
    let shape = static_type(rw, rw.op(op).operand(1)).map(|(_, shape)| shape);
    let extent = |letter: char| {
        let at = kernel.chars().position(|other| other == letter)?;
        shape.as_ref()?.get(at).copied()
    };
    groups.is_some_and(|groups| groups > 1) && extent('O') == groups && extent('I') == Some(1)
}

/// Moves marked transformations through operators.
struct Through;

impl Pattern for Through {
    fn name(&self) -> &str {
        "relay-layout-through"
    }

    fn root(&self) -> Root {
        Root::Any
    }

    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        sink(&Mode::Marked, op, rewriter).ok_or(NoMatch::SILENT)
    }
}
