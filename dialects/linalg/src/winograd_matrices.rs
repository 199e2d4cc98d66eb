//! The transformation matrices of Winograd convolutions, and the relations of extents, shared by the interpreter and the
//! decomposition.

use crate::winograd::sizes;
use crate::{WinogradFilterTransform, WinogradInputTransform};
use minoan_ir::OpRef;

/// A constant matrix, by rows.
pub(crate) type Rows = &'static [&'static [f64]];

/// The transformation matrices of filters, input tiles and output tiles.
struct Matrices {
    filter: Rows,
    input: Rows,
    output: Rows,
}

static F_2_3: Matrices = Matrices {
    filter: &[&[-1.0, 0.0, 0.0], &[0.5, -0.5, 0.5], &[0.5, 0.5, 0.5], &[0.0, 0.0, 1.0]],
    input: &[&[-1.0, 0.0, 1.0, 0.0], &[0.0, -1.0, 1.0, 0.0], &[0.0, 1.0, 1.0, 0.0], &[0.0, -1.0, 0.0, 1.0]],
    output: &[&[1.0, 1.0, 1.0, 0.0], &[0.0, -1.0, 1.0, 1.0]],
};

static F_4_3: Matrices = Matrices {
    filter: &[
        &[1.0, 0.0, 0.0],
        &[-1.0 / 3.0, 1.0 / 3.0, -1.0 / 3.0],
        &[-1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0],
        &[1.0 / 12.0, -1.0 / 6.0, 1.0 / 3.0],
        &[1.0 / 12.0, 1.0 / 6.0, 1.0 / 3.0],
        &[0.0, 0.0, 1.0],
    ],
    input: &[
        &[0.25, 0.0, -0.3125, 0.0, 0.0625, 0.0],
        &[0.0, 0.25, -0.25, -0.0625, 0.0625, 0.0],
        &[0.0, -0.25, -0.25, 0.0625, 0.0625, 0.0],
        &[0.0, 0.25, -0.125, -0.25, 0.125, 0.0],
        &[0.0, -0.25, -0.125, 0.25, 0.125, 0.0],
        &[0.0, 0.25, 0.0, -0.3125, 0.0, 0.0625],
    ],
    output: &[
        &[4.0, 8.0, 8.0, 4.0, 4.0, 0.0],
        &[0.0, -8.0, 8.0, -8.0, 8.0, 0.0],
        &[0.0, 8.0, 8.0, 16.0, 16.0, 0.0],
        &[0.0, -8.0, 8.0, -32.0, 32.0, 16.0],
    ],
};

static F_2_5: Matrices = Matrices {
    filter: &[
        &[1.0, 0.0, 0.0, 0.0, 0.0],
        &[1.0 / 6.0, -1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0, 1.0 / 6.0],
        &[-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
        &[-4.0 / 15.0, 2.0 / 15.0, -1.0 / 15.0, 1.0 / 30.0, -1.0 / 60.0],
        &[1.0 / 60.0, 1.0 / 30.0, 1.0 / 15.0, 2.0 / 15.0, 4.0 / 15.0],
        &[0.0, 0.0, 0.0, 0.0, 1.0],
    ],
    input: &[
        &[0.125, 0.1875, -0.25, -0.1875, 0.125, 0.0],
        &[0.0, 0.125, 0.0625, -0.3125, 0.125, 0.0],
        &[0.0, -0.125, -0.3125, -0.0625, 0.125, 0.0],
        &[0.0, 0.25, -0.125, -0.25, 0.125, 0.0],
        &[0.0, -0.125, -0.25, 0.125, 0.25, 0.0],
        &[0.0, 0.125, 0.1875, -0.25, -0.1875, 0.125],
    ],
    output: &[&[8.0, 16.0, 16.0, 32.0, 16.0, 0.0], &[0.0, -16.0, 16.0, -16.0, 32.0, 8.0]],
};

/// The step that an operation computes, and which sides of its tiles are transformed.
pub(crate) struct WinogradStep {
    kind: Kind,
    m: i64,
    r: i64,
    matrix: Rows,
    /// Whether the height and the width of a tile are transformed; otherwise they are of extent 1.
    sides: [bool; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Filter,
    Input,
    Output,
}

/// A relation of two extents: the output's is `(input + add) * times / per`, rounded toward zero.
pub(crate) struct Fit {
    /// The dimension of the input.
    pub(crate) input: usize,
    /// The dimension of the output.
    pub(crate) output: usize,
    pub(crate) add: i64,
    pub(crate) times: i64,
    pub(crate) per: i64,
}

impl Fit {
    /// The error message if the extents do not fit.
    pub(crate) fn message(&self, op: OpRef<'_>) -> String {
        let Fit { input, output, .. } = self;
        format!("{}: dimension {output} of the output does not fit dimension {input} of the input", op.name())
    }

    /// The extent of the output for an extent of the input.
    pub(crate) fn wanted(&self, input: i64) -> i64 {
        (input + self.add) * self.times / self.per
    }
}

impl WinogradStep {
    /// The step of an operation; `None` if its type does not state the extents of tiles.
    pub(crate) fn of(op: OpRef<'_>) -> Option<WinogradStep> {
        let ctx = op.context();
        let kind = if op.is::<WinogradFilterTransform>() {
            Kind::Filter
        } else if op.is::<WinogradInputTransform>() {
            Kind::Input
        } else {
            Kind::Output
        };
        let (m, r) = sizes(op);
        let matrices = match (m, r) {
            (4, _) => &F_4_3,
            (_, 5) => &F_2_5,
            _ => &F_2_3,
        };
        let types: Vec<_> = op.operand_types().collect();
        let (tiles, matrix) = match kind {
            Kind::Filter => (types[0].shape(ctx)?.get(1..3)?, matrices.filter),
            Kind::Input => (types[1].shape(ctx)?.get(..2)?, matrices.input),
            Kind::Output => (types[0].shape(ctx)?.get(..2)?, matrices.output),
        };
        let side = |extent: i64| (extent > 0).then_some(extent != 1);
        Some(WinogradStep { kind, m, r, matrix, sides: [side(tiles[0])?, side(tiles[1])?] })
    }

    /// The extent of an output tile.
    pub(crate) fn m(&self) -> i64 {
        self.m
    }

    /// The matrices of rows and columns; `None` for a side of extent 1, which is not transformed.
    pub(crate) fn matrices(&self) -> [Option<Rows>; 2] {
        self.sides.map(|is_transformed| is_transformed.then_some(self.matrix))
    }

    /// The relations of extents that the types may leave open.
    pub(crate) fn fits(&self) -> Vec<Fit> {
        let same = |output, input| Fit { input, output, add: 0, times: 1, per: 1 };
        let (m, r) = (self.m, self.r);
        match self.kind {
            Kind::Filter => vec![same(2, 3), same(3, 0)],
            Kind::Input => {
                let tiles = |at: usize| match self.sides[at] {
                    true => Fit { add: 1 - r, per: m, ..same(2 + at, 1 + at) },
                    false => same(2 + at, 1 + at),
                };
                vec![tiles(0), tiles(1), same(4, 0), same(5, 3)]
            }
            Kind::Output => {
                let extent = |at: usize| match self.sides[at] {
                    true => Fit { times: m, ..same(1 + at, 2 + at) },
                    false => same(1 + at, 2 + at),
                };
                vec![same(0, 4), extent(0), extent(1), same(3, 5)]
            }
        }
    }
}
