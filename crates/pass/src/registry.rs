//! The registry of passes and named pipelines.

use crate::{OptionInfo, Pass};

/// A named pipeline, which may take options.
#[derive(Clone, Copy, Debug)]
pub struct PipelineAlias {
    /// The name, used like that of a pass.
    pub name: &'static str,
    /// A one-line description.
    pub description: &'static str,
    /// The pipeline text, without an anchor.
    pub text: &'static str,
}

/// Passes and pipelines by name.
#[derive(Default)]
pub struct PassRegistry {
    makers: Vec<fn() -> Box<dyn Pass>>,
    aliases: Vec<PipelineAlias>,
    /// Names that other tools use, each with the name in this registry.
    spellings: Vec<(&'static str, &'static str)>,
}

impl PassRegistry {
    /// Creates an empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a pass.
    ///
    /// # Panics
    /// Panics if a pass or pipeline of that name exists.
    pub fn add(&mut self, make: fn() -> Box<dyn Pass>) -> &mut Self {
        let name = make().name();
        assert!(!self.names().contains(&name), "'{name}' is registered twice");
        self.makers.push(make);
        self
    }

    /// Registers a named pipeline.
    ///
    /// # Panics
    /// Panics if a pass or pipeline of that name exists.
    pub fn add_pipeline(&mut self, alias: PipelineAlias) -> &mut Self {
        assert!(!self.names().contains(&alias.name), "'{}' is registered twice", alias.name);
        self.aliases.push(alias);
        self
    }

    /// Adds the name that another tool uses for a pass or a pipeline. Pipelines accept the name; listings omit it.
    pub fn add_spelling(&mut self, other: &'static str, name: &'static str) -> &mut Self {
        self.spellings.push((other, name));
        self
    }

    /// The name of a pass or a pipeline that another tool calls `other`.
    pub fn spelled(&self, other: &str) -> Option<&'static str> {
        self.spellings.iter().find(|(spelling, _)| *spelling == other).map(|(_, name)| *name)
    }

    /// The names of other tools.
    pub fn spellings(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.spellings.iter().map(|(other, _)| *other)
    }

    /// The names that other tools use for a pass or a pipeline.
    pub fn spellings_of(&self, name: &str) -> impl Iterator<Item = &'static str> {
        self.spellings.iter().filter(move |(_, own)| *own == name).map(|&(other, _)| other)
    }

    /// Creates the pass with this name, with default options.
    pub fn make(&self, name: &str) -> Option<Box<dyn Pass>> {
        self.all().find(|pass| pass.name() == name)
    }

    /// The pipeline with this name.
    pub fn alias(&self, name: &str) -> Option<&PipelineAlias> {
        self.aliases.iter().find(|alias| alias.name == name)
    }

    /// Creates all passes in order of registration.
    pub fn all(&self) -> impl Iterator<Item = Box<dyn Pass>> + '_ {
        self.makers.iter().map(|make| make())
    }

    /// All named pipelines.
    pub fn aliases(&self) -> &[PipelineAlias] {
        &self.aliases
    }

    /// The names of passes and pipelines.
    pub fn names(&self) -> Vec<&'static str> {
        let passes = self.all().map(|pass| pass.name());
        passes.chain(self.aliases.iter().map(|alias| alias.name)).collect()
    }

    /// The options of a pass with their defaults.
    pub fn options(&self, name: &str) -> Vec<OptionInfo> {
        let pass = self.make(name);
        pass.as_ref().and_then(|pass| pass.options()).map_or_else(Vec::new, |options| options.infos())
    }
}
