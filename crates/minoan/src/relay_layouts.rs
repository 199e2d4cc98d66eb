//! `relay-convert-layout`: TVM's ConvertLayout.
//!
//! Operators get the layouts that `desired-layouts` lists, such as `nn.conv2d:NHWC`. Transformations are inserted around them,
//! sink through the operators that follow, and cancel where they meet.

use minoan_diag::Diagnostics;
use minoan_ir::Body;
use minoan_pass::{Pass, PassRun, own_options, pass_options, queries};
use minoan_passes::apply_patterns::apply_set;
use minoan_relay_dialect::DesiredLayouts;
use minoan_rewrite::{PatternSet, PatternSets, PatternStage, named_patterns};

pass_options! {
    /// The options of the pass.
    pub struct RelayConvertLayoutOptions {
        /// Items OPERATOR:LAYOUT or OPERATOR:LAYOUT:KERNEL_LAYOUT, such as nn.conv2d:NHWC; if empty, convolutions keep channels last where that is faster
        "desired-layouts" desired_layouts: Vec<String> = Vec::new(),
    }
}

/// Converts operators to the layouts that the user wants.
#[derive(Default)]
pub(crate) struct RelayConvertLayout {
    options: RelayConvertLayoutOptions,
}

impl Pass for RelayConvertLayout {
    fn name(&self) -> &'static str {
        "relay-convert-layout"
    }

    fn description(&self) -> &'static str {
        "ConvertLayout: operators have the layouts that are desired"
    }

    own_options!();

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-folded", "operations that folded"), ("num-rewrites", "applications of patterns")]
    }

    queries!(PatternSets);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let mut patterns = PatternSet::new();
        let desired = &self.options.desired_layouts;
        if desired.is_empty() {
            let name = self.name().to_owned();
            for set in named_patterns(&run.context(), &[name], PatternStage::ByName)? {
                (set.add)(&mut patterns);
            }
            return apply_set(run, self.name(), patterns);
        }
        DesiredLayouts::parse(desired)?.add_patterns(&mut patterns);
        apply_set(run, self.name(), patterns)?;
        run.each_body(|body: &mut Body| DesiredLayouts::finish(body));
        Ok(())
    }
}
