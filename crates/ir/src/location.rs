//! Source locations.

use crate::{Attr, Context, Name, Type};
use minoan_diag::{LineCol, Place};
use rustc_hash::FxHashSet;

/// A location in 8 bytes: a packed file, line and column, or a handle to a [`LocData`] of the context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Loc([u32; 2]);

// word 0: kind (2 bits) | file (14) | column high (16); word 1: line (28) | column low (4)
const KIND_UNKNOWN: u32 = 0;
const KIND_FILE: u32 = 1;
const KIND_DATA: u32 = 2;
const MAX_FILE: u32 = (1 << 14) - 1;
const MAX_LINE: u32 = (1 << 28) - 1;
const MAX_COLUMN: u32 = (1 << 20) - 1;

/// The data of a location.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LocData {
    /// `loc(unknown)`.
    Unknown,
    /// `loc("a.mlir":1:2)`.
    File {
        /// The file name as given.
        file: Name,
        /// The line, from 1 (0 if unknown).
        line: u32,
        /// The column in bytes, from 1 (0 if unknown).
        column: u32,
    },
    /// `loc("a.mlir":1:2 to 3:4)`.
    Range {
        /// The file name as given.
        file: Name,
        /// The line and column of the first byte.
        start: (u32, u32),
        /// The line and column of the end.
        end: (u32, u32),
    },
    /// `loc("name")` or `loc("name"(child))`.
    Named {
        /// The name.
        name: Name,
        /// The named location; unknown if the text has none.
        child: Loc,
    },
    /// `loc(callsite(callee at caller))`.
    CallSite {
        /// The location in the callee.
        callee: Loc,
        /// The location of the call.
        caller: Loc,
    },
    /// `loc(fused<metadata>[a, b])`.
    Fused {
        /// The fused locations.
        parts: Box<[Loc]>,
        /// The metadata.
        metadata: Option<Attr>,
    },
}

impl Loc {
    /// The unknown location.
    pub const UNKNOWN: Loc = Loc([KIND_UNKNOWN << 30, 0]);

    /// A line and column in a file.
    pub fn file(ctx: &Context, file: &str, line: u32, column: u32) -> Loc {
        Loc::in_file(ctx, ctx.file(file), line, column)
    }

    /// A line and column in a file with a known handle, which is faster.
    #[inline]
    pub fn in_file(ctx: &Context, file: FileHandle, line: u32, column: u32) -> Loc {
        if file.0 <= MAX_FILE && line <= MAX_LINE && column <= MAX_COLUMN {
            Loc([KIND_FILE << 30 | file.0 << 16 | column >> 4, line << 4 | column & 15])
        } else {
            Loc::intern(ctx, LocData::File { file: ctx.file_name(file), line, column })
        }
    }

    /// Names a location.
    pub fn named(ctx: &Context, name: &str, child: Loc) -> Loc {
        Loc::intern(ctx, LocData::Named { name: ctx.name(name), child })
    }

    /// The location `callee`, called from `caller`.
    pub fn call_site(ctx: &Context, callee: Loc, caller: Loc) -> Loc {
        Loc::intern(ctx, LocData::CallSite { callee, caller })
    }

    /// Fuses locations, in MLIR's normal form: unknown and repeated parts are dropped, and nested fused parts are
    /// flattened. A single remaining part is returned itself.
    pub fn fused(ctx: &Context, parts: &[Loc]) -> Loc {
        match Loc::parts_of_fused(ctx, parts, None)[..] {
            [] => Loc::UNKNOWN,
            [one] => one,
            ref parts => Loc::intern(ctx, LocData::Fused { parts: parts.into(), metadata: None }),
        }
    }

    /// `loc(fused<metadata>[..])`, in the normal form of [`Loc::fused`]; fused parts with other metadata are not
    /// flattened. The metadata is never dropped: without parts, there is one unknown part.
    pub fn fused_with(ctx: &Context, parts: &[Loc], metadata: Attr) -> Loc {
        let mut parts = Loc::parts_of_fused(ctx, parts, Some(metadata));
        if parts.is_empty() {
            parts.push(Loc::UNKNOWN);
        }
        Loc::intern(ctx, LocData::Fused { parts: parts.into(), metadata: Some(metadata) })
    }

    fn parts_of_fused(ctx: &Context, parts: &[Loc], metadata: Option<Attr>) -> Vec<Loc> {
        let mut flat = Vec::with_capacity(parts.len());
        let mut seen = FxHashSet::default();
        for &part in parts {
            match part.data(ctx) {
                LocData::Unknown => {}
                LocData::Fused { parts, metadata: inner } if inner == metadata => {
                    flat.extend(parts.iter().copied().filter(|&part| seen.insert(part)));
                }
                _ if seen.insert(part) => flat.push(part),
                _ => {}
            }
        }
        flat
    }

    /// Interns a location.
    pub fn intern(ctx: &Context, data: LocData) -> Loc {
        match data {
            LocData::Unknown => Loc::UNKNOWN,
            LocData::File { file, line, column } if line <= MAX_LINE && column <= MAX_COLUMN => {
                let handle = ctx.file(file.as_str(ctx));
                if handle.0 <= MAX_FILE {
                    Loc::in_file(ctx, handle, line, column)
                } else {
                    Loc([KIND_DATA << 30, ctx.intern_loc(LocData::File { file, line, column })])
                }
            }
            data => Loc([KIND_DATA << 30, ctx.intern_loc(data)]),
        }
    }

    /// The data of the location.
    pub fn data(self, ctx: &Context) -> LocData {
        match self.0[0] >> 30 {
            KIND_UNKNOWN => LocData::Unknown,
            KIND_FILE => LocData::File {
                file: ctx.file_name(FileHandle(self.0[0] >> 16 & MAX_FILE)),
                line: self.0[1] >> 4,
                column: (self.0[0] & 0xffff) << 4 | self.0[1] & 15,
            },
            _ => ctx.loc_data(self.0[1]).clone(),
        }
    }

    /// The first file, line and column in it, if any, for diagnostics.
    pub fn place(self, ctx: &Context) -> Place {
        let mut pending = vec![self];
        // Locations share subterms.
        let mut seen: FxHashSet<Loc> = FxHashSet::default();
        while let Some(loc) = pending.pop() {
            if !seen.insert(loc) {
                continue;
            }
            match loc.data(ctx) {
                LocData::Unknown => {}
                LocData::File { file, line, column } | LocData::Range { file, start: (line, column), .. } => {
                    let at = LineCol { line: line.max(1), column: column.max(1) };
                    return Place::Point(file.as_str(ctx).into(), at);
                }
                LocData::Named { child, .. } => pending.push(child),
                LocData::CallSite { callee, caller } => pending.extend([caller, callee]),
                LocData::Fused { parts, .. } => pending.extend(parts.iter().rev()),
            }
        }
        Place::Unknown
    }
}

/// The handle of a file name in a context, for [`Loc::in_file`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FileHandle(pub(crate) u32);

const _: () = assert!(size_of::<Loc>() == 8 && size_of::<Type>() == 4);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_locations_pack_and_unpack() {
        let ctx = Context::bare();
        for (line, column) in
            [(1, 1), (MAX_LINE, MAX_COLUMN), (12, 345), (0, 0), (7, u32::MAX), (u32::MAX, 3)]
        {
            let loc = Loc::file(&ctx, "dir/a.mlir", line, column);
            let LocData::File { file, line: l, column: c } = loc.data(&ctx) else {
                panic!("a file location")
            };
            assert_eq!((file.as_str(&ctx), l, c), ("dir/a.mlir", line, column));
        }
    }

    #[test]
    fn fused_locations_are_flattened_and_deduplicated() {
        let ctx = Context::bare();
        let [a, b, c] = [1, 2, 3].map(|line| Loc::file(&ctx, "a.mlir", line, 1));
        let fused = Loc::fused(&ctx, &[a, b]);
        assert_eq!(Loc::fused(&ctx, &[]), Loc::UNKNOWN);
        assert_eq!(Loc::fused(&ctx, &[Loc::UNKNOWN, a, a]), a);
        assert_eq!(Loc::fused(&ctx, &[fused, Loc::UNKNOWN, b]), fused);
        let LocData::Fused { parts, metadata: None } = Loc::fused(&ctx, &[c, fused]).data(&ctx) else {
            panic!("a fused location")
        };
        assert_eq!(parts[..], [c, a, b]);
    }

    #[test]
    fn fused_location_with_metadata_is_not_flattened() {
        let ctx = Context::bare();
        let [a, b] = [1, 2].map(|line| Loc::file(&ctx, "a.mlir", line, 1));
        let [x, y] = ["x", "y"].map(|text| Attr::string(&ctx, text));
        let inner = Loc::fused_with(&ctx, &[a], x);
        let parts = |loc: Loc| match loc.data(&ctx) {
            LocData::Fused { parts, metadata: Some(metadata) } => (parts.to_vec(), metadata),
            other => panic!("a fused location with metadata, not {other:?}"),
        };
        assert_eq!(parts(inner), (vec![a], x));
        assert_eq!(parts(Loc::fused_with(&ctx, &[inner, b, a], x)), (vec![a, b], x));
        assert_eq!(parts(Loc::fused_with(&ctx, &[inner, b], y)), (vec![inner, b], y));
        assert_eq!(parts(Loc::fused_with(&ctx, &[Loc::UNKNOWN], y)), (vec![Loc::UNKNOWN], y));
        let LocData::Fused { parts, metadata: None } = Loc::fused(&ctx, &[inner, b]).data(&ctx) else {
            panic!("a fused location")
        };
        assert_eq!(parts[..], [inner, b]);
    }

    #[test]
    fn nested_location_resolves_to_first_file() {
        let ctx = Context::bare();
        let at = Loc::file(&ctx, "a.ks", 3, 4);
        let outer =
            Loc::call_site(&ctx, Loc::named(&ctx, "f", Loc::fused(&ctx, &[Loc::UNKNOWN, at])), Loc::UNKNOWN);
        assert_eq!(outer.place(&ctx), Place::Point("a.ks".into(), LineCol { line: 3, column: 4 }));
    }
}
