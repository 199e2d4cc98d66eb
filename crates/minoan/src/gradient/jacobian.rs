//! Jacobians, number by number of the parameters or of the results.

use super::numbers::{floats, set, tangent_of};
use super::tangents::{chosen, leaves_of, leaves_of_type, places, structure_of, zero_directions};
use super::{DEFAULT_LANES, Wrt};
use crate::interface::nested::TangentLeaf as Leaf;
use crate::{Backend, Entry, Failure, Session};
use minoan_services::Datum;

impl Session {
    /// The derivatives of all numbers in the results with respect to all numbers in the parameters: for each number in the
    /// results, in order, the derivatives by parameter. A complex result is two numbers, its real and its imaginary part.
    ///
    /// Forward mode runs if the parameters have fewer numbers than the results, with several directions at once.
    ///
    /// # Errors
    /// As [`Session::grad`], and those of running.
    pub fn jacobian(
        &self,
        entry: &Entry,
        wrt: Wrt<'_>,
        args: &[Datum],
        backend: Backend,
    ) -> Result<Vec<Vec<Datum>>, Failure> {
        let results = self.run(&self.packed(entry)?, args, backend)?;
        let outputs: usize = results.iter().filter_map(floats).map(|numbers| numbers.len()).sum();
        let inputs = places(args, &leaves_of(&entry.interface, &chosen(&entry.interface, wrt)?)).len();
        match inputs < outputs {
            true => self.forward_jacobian(entry, wrt, args, backend, DEFAULT_LANES),
            false => self.reverse_jacobian(entry, wrt, args, backend),
        }
    }

    /// As [`Session::jacobian`], by forward mode: a run for every `lanes` numbers in the parameters.
    ///
    /// # Errors
    /// As [`Session::jacobian`].
    pub fn forward_jacobian(
        &self,
        entry: &Entry,
        wrt: Wrt<'_>,
        args: &[Datum],
        backend: Backend,
        lanes: usize,
    ) -> Result<Vec<Vec<Datum>>, Failure> {
        let leaves = leaves_of(&entry.interface, &chosen(&entry.interface, wrt)?);
        let zeros = zero_directions(args, &leaves);
        let places = places(args, &leaves);
        let lanes = lanes.clamp(1, places.len().max(1));
        let jvps = self.prepare(&self.jvps(entry, wrt, lanes)?, backend)?;
        let mut columns: Vec<Vec<f64>> = Vec::with_capacity(places.len());
        for chunk in places.chunks(lanes) {
            let mut given = args.to_vec();
            for lane in 0..lanes {
                let mut direction = zeros.clone();
                if let Some(&(leaf, index)) = chunk.get(lane) {
                    set(&mut direction[leaf], index, 1.0);
                }
                given.extend(direction);
            }
            let found = jvps.call(&given)?;
            let of_lane = found.chunks((found.len() / lanes).max(1)).take(chunk.len());
            columns
                .extend(of_lane.map(|found| found.iter().filter_map(floats).flatten().collect::<Vec<f64>>()));
        }
        let row = |row: usize| {
            let mut first = 0;
            let part = |&(number, leaf): &(usize, Leaf)| {
                if leaf != Leaf::Float {
                    return structure_of(&args[number], leaf);
                }
                let own = first;
                first += floats(&args[number]).map_or(0, |numbers| numbers.len());
                tangent_of(&args[number], &|index| columns[own + index][row])
            };
            leaves.iter().map(part).collect()
        };
        Ok((0..columns.first().map_or(0, Vec::len)).map(row).collect())
    }

    /// As [`Session::jacobian`], by reverse mode: a run for each number in the results.
    ///
    /// # Errors
    /// As [`Session::jacobian`].
    pub fn reverse_jacobian(
        &self,
        entry: &Entry,
        wrt: Wrt<'_>,
        args: &[Datum],
        backend: Backend,
    ) -> Result<Vec<Vec<Datum>>, Failure> {
        let vjp = self.prepare(&self.vjp(entry, wrt)?, backend)?;
        let results = self.run(&self.packed(entry)?, args, backend)?;
        let leaves = leaves_of_type(&entry.interface.result);
        let mut seeds = zero_directions(&results, &leaves);
        let mut rows = Vec::new();
        for (part, index) in places(&results, &leaves) {
            set(&mut seeds[part], index, 1.0);
            let given: Vec<Datum> = args.iter().chain(&seeds).cloned().collect();
            rows.push(vjp.call(&given)?);
            set(&mut seeds[part], index, 0.0);
        }
        Ok(rows)
    }
}
