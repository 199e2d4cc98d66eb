//! Where an operation comes from.

use crate::{Attr, Context, Name, Type};
use minoan_diag::{LineCol, Place};

/// A location in 8 bytes: a file, line and column packed, or a handle to a [`LocData`] of the context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Loc([u32; 2]);

// word 0: kind (2 bits) | file (14) | column high (16); word 1: line (28) | column low (4)
const KIND_UNKNOWN: u32 = 0;
const KIND_FILE: u32 = 1;
const KIND_DATA: u32 = 2;
const MAX_FILE: u32 = (1 << 14) - 1;
const MAX_LINE: u32 = (1 << 28) - 1;
const MAX_COLUMN: u32 = (1 << 20) - 1;

/// The kinds of location that do not pack, or any location taken apart.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LocData {
    /// `loc(unknown)`.
    Unknown,
    /// `loc("a.mlir":1:2)`.
    File {
        /// File name as it was given.
        file: Name,
        /// Line, from 1 (0 where unknown).
        line: u32,
        /// Column in bytes, from 1 (0 where unknown).
        column: u32,
    },
    /// `loc("a.mlir":1:2 to 3:4)`.
    Range {
        /// File name as it was given.
        file: Name,
        /// Line and column of the first byte.
        start: (u32, u32),
        /// Line and column of the end.
        end: (u32, u32),
    },
    /// `loc("name")` or `loc("name"(child))`.
    Named {
        /// The name.
        name: Name,
        /// Where it is; unknown when the text has none.
        child: Loc,
    },
    /// `loc(callsite(callee at caller))`.
    CallSite {
        /// Inside the called function.
        callee: Loc,
        /// Where the call was.
        caller: Loc,
    },
    /// `loc(fused<metadata>[a, b])`.
    Fused {
        /// The parts.
        parts: Box<[Loc]>,
        /// What they mean together.
        metadata: Option<Attr>,
    },
}

impl Loc {
    /// Nothing is known.
    pub const UNKNOWN: Loc = Loc([KIND_UNKNOWN << 30, 0]);

    /// Its bits, which [`Loc::from_bits`] takes.
    pub(crate) fn to_bits(self) -> [u32; 2] {
        self.0
    }

    /// The location of some bits.
    pub(crate) fn from_bits(bits: [u32; 2]) -> Loc {
        Loc(bits)
    }

    /// A line and a column of a file.
    pub fn file(ctx: &Context, file: &str, line: u32, column: u32) -> Loc {
        Loc::in_file(ctx, ctx.file(file), line, column)
    }

    /// A line and a column of a file whose handle is known: the fast way for a parser.
    #[inline]
    pub fn in_file(ctx: &Context, file: FileHandle, line: u32, column: u32) -> Loc {
        if file.0 <= MAX_FILE && line <= MAX_LINE && column <= MAX_COLUMN {
            Loc([KIND_FILE << 30 | file.0 << 16 | column >> 4, line << 4 | column & 15])
        } else {
            Loc::intern(ctx, LocData::File { file: ctx.file_name(file), line, column })
        }
    }

    /// `child` under a name.
    pub fn named(ctx: &Context, name: &str, child: Loc) -> Loc {
        Loc::intern(ctx, LocData::Named { name: ctx.name(name), child })
    }

    /// `callee`, called from `caller`.
    pub fn call_site(ctx: &Context, callee: Loc, caller: Loc) -> Loc {
        Loc::intern(ctx, LocData::CallSite { callee, caller })
    }

    /// Several locations as one; a single one stays itself.
    pub fn fused(ctx: &Context, parts: &[Loc]) -> Loc {
        match parts {
            [] => Loc::UNKNOWN,
            [one] => *one,
            _ => Loc::intern(ctx, LocData::Fused { parts: parts.into(), metadata: None }),
        }
    }

    /// Any location from its parts.
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

    /// The location taken apart.
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

    /// The first file, line and column inside it, where there is one: what a diagnostic points at.
    pub fn place(self, ctx: &Context) -> Place {
        let mut pending = vec![self];
        while let Some(loc) = pending.pop() {
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

/// A file name of a context, for [`Loc::in_file`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FileHandle(pub(crate) u32);

impl Loc {
    /// `loc(fused<metadata>[..])`.
    pub fn fused_with(ctx: &Context, parts: &[Loc], metadata: Attr) -> Loc {
        Loc::intern(ctx, LocData::Fused { parts: parts.into(), metadata: Some(metadata) })
    }
}

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
    fn the_place_of_a_nested_location_is_its_first_file() {
        let ctx = Context::bare();
        let at = Loc::file(&ctx, "a.ks", 3, 4);
        let outer =
            Loc::call_site(&ctx, Loc::named(&ctx, "f", Loc::fused(&ctx, &[Loc::UNKNOWN, at])), Loc::UNKNOWN);
        assert_eq!(outer.place(&ctx), Place::Point("a.ks".into(), LineCol { line: 3, column: 4 }));
    }
}
