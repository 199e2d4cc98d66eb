//! Passes and pipelines by name.

use crate::{OptionInfo, Pass};

/// A pipeline with a name of its own, which may take options.
pub struct PipelineAlias {
    /// Its name, used like that of a pass.
    pub name: &'static str,
    /// One line about it.
    pub description: &'static str,
    /// What it stands for: pipeline text, without an anchor.
    pub text: &'static str,
}

/// What pipelines are made of, by name.
#[derive(Default)]
pub struct PassRegistry {
    makers: Vec<fn() -> Box<dyn Pass>>,
    aliases: Vec<PipelineAlias>,
}

impl PassRegistry {
    /// No passes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pass.
    ///
    /// # Panics
    /// If there is a pass or a pipeline of that name.
    pub fn add(&mut self, make: fn() -> Box<dyn Pass>) -> &mut Self {
        let name = make().name();
        assert!(!self.names().contains(&name), "'{name}' is registered twice");
        self.makers.push(make);
        self
    }

    /// Gives a pipeline a name.
    ///
    /// # Panics
    /// If there is a pass or a pipeline of that name.
    pub fn add_pipeline(&mut self, alias: PipelineAlias) -> &mut Self {
        assert!(!self.names().contains(&alias.name), "'{}' is registered twice", alias.name);
        self.aliases.push(alias);
        self
    }

    /// The pass of a name, new, with its options at their defaults.
    pub fn make(&self, name: &str) -> Option<Box<dyn Pass>> {
        self.all().find(|pass| pass.name() == name)
    }

    /// The pipeline of a name.
    pub fn alias(&self, name: &str) -> Option<&PipelineAlias> {
        self.aliases.iter().find(|alias| alias.name == name)
    }

    /// All passes, new, in the order in which they were added.
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

    /// The options of a pass, with their defaults.
    pub fn options(&self, name: &str) -> Vec<OptionInfo> {
        let pass = self.make(name);
        pass.as_ref().and_then(|pass| pass.options()).map_or_else(Vec::new, |options| options.infos())
    }
}
