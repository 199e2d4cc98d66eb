//! Printing of `{-# dialect_resources: {..} #-}` after the module.

use super::Writer;
use crate::{Resource, Resources};

impl Writer<'_> {
    /// Prints the sections without unreferenced entries of `builtin`. Entries whose text is longer than `limit` are
    /// elided.
    pub(super) fn resource_sections(&mut self, resources: &Resources, limit: Option<usize>) {
        let mut seen = rustc_hash::FxHashSet::default();
        let keys: Vec<&str> = std::mem::take(&mut self.resource_keys)
            .into_iter()
            .filter(|&key| seen.insert(key))
            .map(|key| key.as_str(self.ctx))
            .collect();
        let named = keys.iter().filter_map(|&key| Some((key, resources.dialect("builtin", key)?)));
        let mut dialects = vec![("builtin", named.collect::<Vec<_>>())];
        dialects.extend(borrowed(&resources.dialects).filter(|(owner, _)| *owner != "builtin"));
        let sections = [("dialect", dialects), ("external", borrowed(&resources.external).collect())];
        if sections.iter().all(|(_, owners)| owners.iter().all(|(_, entries)| entries.is_empty())) {
            return;
        }
        self.text("\n{-#\n");
        let mut first_section = true;
        for (section, owners) in sections {
            let mut first_owner = true;
            for (owner, entries) in owners {
                let mut first_entry = true;
                for (key, value) in entries {
                    let start = self.out.len();
                    self.resource(value);
                    let text = self.out.split_off(start);
                    if limit.is_some_and(|limit| text.len() > limit || limit == 0) {
                        continue;
                    }
                    if std::mem::take(&mut first_entry) {
                        if std::mem::take(&mut first_owner) {
                            self.text(if first_section { "  " } else { ",\n  " });
                            self.text(section);
                            self.text("_resources: {\n");
                        } else {
                            self.text(",\n");
                        }
                        self.text("    ");
                        self.name(owner);
                        self.text(": {\n");
                    } else {
                        self.text(",\n");
                    }
                    self.text("      ");
                    self.name(key);
                    self.text(": ");
                    self.out.extend(text);
                }
                if !first_entry {
                    self.text("\n    }");
                }
            }
            if !first_owner {
                self.text("\n  }");
                first_section = false;
            }
        }
        self.text("\n#-}\n");
    }

    fn resource(&mut self, value: &Resource) {
        match value {
            Resource::Bool(value) => self.text(if *value { "true" } else { "false" }),
            Resource::String(bytes) => self.string(bytes),
            Resource::Blob { alignment, data } => {
                self.text("\"0x");
                alignment.to_le_bytes().iter().chain(data).for_each(|&byte| self.hex_byte(byte));
                self.text("\"");
            }
        }
    }
}

type Entries<'r> = Vec<(&'r str, &'r Resource)>;

fn borrowed(owned: &crate::resources::Owned) -> impl Iterator<Item = (&str, Entries<'_>)> {
    owned.iter().map(|(owner, entries)| {
        (owner.as_str(), entries.iter().map(|(key, value)| (key.as_str(), value)).collect())
    })
}
