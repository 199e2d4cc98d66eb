//! Printing of locations.

use super::Writer;
use crate::text::byte_names::bytes_of_name;
use crate::with_stack;
use crate::{Attr, Context, Loc, LocData};

impl Writer<'_> {
    /// Prints `loc(...)`; an alias may be used in the parentheses.
    pub(crate) fn loc_with_keyword(&mut self, loc: Loc, alias: bool) {
        if self.pretty_debuginfo {
            if self.collector.is_some() && alias {
                self.loc_alias(loc);
            }
            return self.loc(loc);
        }
        self.text("loc(");
        if !(alias && self.loc_alias(loc)) {
            self.loc(loc);
        }
        self.text(")");
    }

    /// Prints a location without `loc(..)`.
    pub(crate) fn loc(&mut self, loc: Loc) {
        if self.counts_part() {
            with_stack(|| self.loc_inner(loc));
        }
    }

    /// Prints a location that may be an alias.
    fn inner_loc(&mut self, loc: Loc) {
        if !self.loc_alias(loc) {
            self.loc(loc);
        }
    }

    fn file_name(&mut self, name: &str) {
        let bytes = bytes_of_name(name);
        if self.pretty_debuginfo { self.out.extend_from_slice(&bytes) } else { self.string(&bytes) }
    }

    fn loc_inner(&mut self, loc: Loc) {
        match loc.data(self.ctx) {
            LocData::Unknown if self.pretty_debuginfo => self.text("[unknown]"),
            LocData::Unknown => self.text("unknown"),
            LocData::File { file, line, column } => {
                self.file_name(file.as_str(self.ctx));
                self.text(&format!(":{line}:{column}"));
            }
            LocData::Range { file, start, end } => {
                self.file_name(file.as_str(self.ctx));
                self.text(&format!(":{}:{}", start.0, start.1));
                if start.0 == end.0 {
                    self.text(&format!(" to :{}", end.1));
                } else {
                    self.text(&format!(" to {}:{}", end.0, end.1));
                }
            }
            LocData::Named { name, child } => {
                self.string(&bytes_of_name(name.as_str(self.ctx)));
                if child != Loc::UNKNOWN {
                    self.text("(");
                    self.inner_loc(child);
                    self.text(")");
                }
            }
            LocData::CallSite { callee, caller } if self.pretty_debuginfo => {
                self.inner_loc(callee);
                let named = matches!(callee.data(self.ctx), LocData::Named { .. });
                let in_file = matches!(caller.data(self.ctx), LocData::File { .. } | LocData::Range { .. });
                self.text(if named && in_file { " at " } else { "\n at " });
                self.inner_loc(caller);
            }
            LocData::CallSite { callee, caller } => {
                self.text("callsite(");
                self.inner_loc(callee);
                self.text(" at ");
                self.inner_loc(caller);
                self.text(")");
            }
            LocData::Fused { parts, metadata } => {
                if !self.pretty_debuginfo {
                    self.text("fused");
                }
                if let Some(metadata) = metadata {
                    self.text("<");
                    self.attr(metadata);
                    self.text(">");
                }
                self.text("[");
                self.separated(parts.iter(), |printer, &part| printer.inner_loc(part));
                self.text("]");
            }
        }
    }
}

/// The locations and the attribute nested in a location.
pub(super) fn loc_children(ctx: &Context, loc: Loc) -> (Vec<Loc>, Option<Attr>) {
    match loc.data(ctx) {
        LocData::Named { child, .. } if child != Loc::UNKNOWN => (vec![child], None),
        LocData::CallSite { callee, caller } => (vec![callee, caller], None),
        LocData::Fused { parts, metadata } => (parts.into(), metadata),
        _ => (Vec::new(), None),
    }
}
