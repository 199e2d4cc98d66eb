//! Placement of temporaries in a frame: temporaries that live at the same time have disjoint bytes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The time and size of a temporary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Life {
    /// The first position in the program where it lives.
    pub start: usize,
    /// The last one.
    pub end: usize,
    /// The size in bytes.
    pub bytes: u64,
}

/// The places of temporaries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Places {
    /// The offset of each in bytes.
    pub offsets: Vec<u64>,
    /// The size of the frame.
    pub bytes: u64,
}

/// The average number of temporaries that live at the same time up to which they are placed by size.
const MAX_OVERLAPS: usize = 32;

/// Places temporaries so that those that live at the same time do not overlap. `lives` is sorted by the start. The frame is not
/// always the smallest one, which takes exponential time to find. Time is O(n log n).
pub(super) fn place(lives: &[Life]) -> Places {
    let in_order = place_in_order(lives);
    if in_order.bytes == in_order.peak || in_order.overlaps > MAX_OVERLAPS * lives.len() {
        return Places { offsets: in_order.offsets, bytes: in_order.bytes };
    }
    let by_size = place_by_size(lives);
    match by_size.bytes < in_order.bytes {
        true => by_size,
        false => Places { offsets: in_order.offsets, bytes: in_order.bytes },
    }
}

/// The outcome of [`place_in_order`].
struct InOrder {
    offsets: Vec<u64>,
    bytes: u64,
    /// The greatest number of bytes that live at the same time.
    peak: u64,
    /// The number of pairs that live at the same time.
    overlaps: usize,
}

/// Places temporaries in the order of their starts, each in the smallest gap that is large enough, as an allocator at run time
/// would.
fn place_in_order(lives: &[Life]) -> InOrder {
    let mut ends: Vec<usize> = (0..lives.len()).collect();
    ends.sort_unstable_by_key(|&index| lives[index].end);
    let mut ends = ends.into_iter().peekable();
    let mut gaps = Gaps::default();
    let mut found = InOrder { offsets: vec![0; lives.len()], bytes: 0, peak: 0, overlaps: 0 };
    let (mut live, mut used) = (0usize, 0u64);
    for (index, life) in lives.iter().enumerate() {
        while let Some(dead) = ends.next_if(|&dead| lives[dead].end < life.start) {
            gaps.add(found.offsets[dead], lives[dead].bytes);
            live -= 1;
            used -= lives[dead].bytes;
        }
        found.offsets[index] = gaps.take(life.bytes, &mut found.bytes);
        found.overlaps += live;
        live += 1;
        used += life.bytes;
        found.peak = found.peak.max(used);
    }
    found
}

/// The gaps between temporaries that live. Adjacent gaps are one.
#[derive(Default)]
struct Gaps {
    by_offset: BTreeMap<u64, u64>,
    by_size: BTreeSet<(u64, u64)>,
}

impl Gaps {
    fn remove(&mut self, offset: u64) -> u64 {
        let bytes = self.by_offset.remove(&offset).unwrap_or_default();
        self.by_size.remove(&(bytes, offset));
        bytes
    }

    fn add(&mut self, mut offset: u64, mut bytes: u64) {
        if bytes == 0 {
            return;
        }
        if let Some((&before, &size)) = self.by_offset.range(..offset).next_back()
            && before + size == offset
        {
            bytes += self.remove(before);
            offset = before;
        }
        if self.by_offset.contains_key(&(offset + bytes)) {
            bytes += self.remove(offset + bytes);
        }
        self.by_offset.insert(offset, bytes);
        self.by_size.insert((bytes, offset));
    }

    /// Takes `bytes` from the smallest gap that is large enough, or from the end of the frame, which then grows.
    fn take(&mut self, bytes: u64, frame: &mut u64) -> u64 {
        if let Some(&(size, offset)) = self.by_size.range((bytes, 0)..).next() {
            self.remove(offset);
            self.add(offset + bytes, size - bytes);
            return offset;
        }
        let last = self.by_offset.last_key_value().map(|(&offset, &size)| (offset, offset + size));
        let offset = match last.filter(|&(_, end)| end == *frame) {
            Some((offset, _)) => {
                self.remove(offset);
                offset
            }
            None => *frame,
        };
        *frame = offset + bytes;
        offset
    }
}

/// Places the largest temporaries first, each in the smallest gap between those already placed that live at the same time.
fn place_by_size(lives: &[Life]) -> Places {
    let neighbors = neighbors(lives);
    let mut order: Vec<usize> = (0..lives.len()).collect();
    order.sort_by_key(|&index| Reverse(lives[index].bytes));
    let mut places = Places { offsets: vec![0; lives.len()], bytes: 0 };
    let mut is_placed = vec![false; lives.len()];
    let mut taken: Vec<(u64, u64)> = Vec::new();
    for index in order {
        let bytes = lives[index].bytes;
        let placed = neighbors[index].iter().filter(|&&other| is_placed[other]);
        taken.clear();
        taken
            .extend(placed.map(|&other| (places.offsets[other], places.offsets[other] + lives[other].bytes)));
        taken.sort_unstable();
        let (mut end, mut best): (u64, Option<(u64, u64)>) = (0, None);
        for &(from, to) in &taken {
            if from
                .checked_sub(end)
                .is_some_and(|gap| gap >= bytes && best.is_none_or(|(least, _)| gap < least))
            {
                best = Some((from - end, end));
            }
            end = end.max(to);
        }
        let offset = best.map_or(end, |(_, offset)| offset);
        (places.offsets[index], is_placed[index]) = (offset, true);
        places.bytes = places.bytes.max(offset + bytes);
    }
    places
}

/// For each temporary, those that live at the same time.
fn neighbors(lives: &[Life]) -> Vec<Vec<usize>> {
    let mut neighbors = vec![Vec::new(); lives.len()];
    let mut live: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (index, life) in lives.iter().enumerate() {
        while live.first().is_some_and(|&(end, _)| end < life.start) {
            live.pop_first();
        }
        for &(_, other) in &live {
            neighbors[index].push(other);
            neighbors[other].push(index);
        }
        live.insert((life.end, index));
    }
    neighbors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lives(all: &[(usize, usize, u64)]) -> Vec<Life> {
        all.iter().map(|&(start, end, bytes)| Life { start, end, bytes }).collect()
    }

    /// The number of bytes that live at the same time, at most.
    fn peak(lives: &[Life]) -> u64 {
        let at = |time| {
            lives.iter().filter(|life| (life.start..=life.end).contains(&time)).map(|life| life.bytes).sum()
        };
        lives.iter().map(|life| at(life.start)).max().unwrap_or(0)
    }

    #[track_caller]
    fn check(lives: &[Life], places: &Places) {
        let range = |index: usize| places.offsets[index]..places.offsets[index] + lives[index].bytes;
        for (index, life) in lives.iter().enumerate() {
            assert!(range(index).end <= places.bytes);
            for (other, earlier) in lives.iter().enumerate().take(index) {
                let is_apart =
                    range(index).end <= range(other).start || range(other).end <= range(index).start;
                let is_needed = life.bytes > 0 && earlier.bytes > 0 && earlier.end >= life.start;
                assert!(is_apart || !is_needed, "{other}, {index} of {lives:?}: {places:?}");
            }
        }
        assert!(places.bytes >= peak(lives));
    }

    #[test]
    fn a_chain_takes_turns_in_two_places() {
        let chain: Vec<Life> =
            (0..100).map(|at| Life { start: 2 * at, end: 2 * at + 3, bytes: 64 }).collect();
        let places = place(&chain);
        check(&chain, &places);
        assert_eq!(places.bytes, 128);
    }

    #[test]
    fn the_largest_first_leave_smaller_gaps() {
        let growing = lives(&[(0, 2, 100), (1, 4, 200), (3, 5, 400)]);
        assert_eq!(place_in_order(&growing).bytes, 700);
        let places = place(&growing);
        check(&growing, &places);
        assert_eq!(places.bytes, 600);
    }

    #[test]
    fn random_lives_do_not_overlap() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (mut total, mut bound) = (0, 0);
        for _ in 0..300 {
            let count = 1 + random(60) as usize;
            let mut lives: Vec<Life> = (0..count)
                .map(|_| {
                    let start = random(100) as usize;
                    Life { start, end: start + random(20) as usize, bytes: 64 * random(10) }
                })
                .collect();
            lives.sort_by_key(|life| life.start);
            let in_order = place_in_order(&lives);
            assert_eq!(in_order.peak, peak(&lives));
            check(&lives, &Places { offsets: in_order.offsets, bytes: in_order.bytes });
            check(&lives, &place_by_size(&lives));
            total += place(&lives).bytes;
            bound += peak(&lives);
        }
        assert!(total * 100 <= bound * 105, "{total} bytes, of which at most {bound} are used at once");
    }

    #[test]
    fn many_temporaries_are_placed() {
        let count = 100_000;
        let chain: Vec<Life> = (0..count)
            .map(|at| Life { start: at, end: at + at % 40, bytes: 64 * (1 + at as u64 % 7) })
            .collect();
        let nested: Vec<Life> = (0..count)
            .map(|at| Life { start: at, end: 2 * count - at, bytes: 64 * (1 + at as u64 % 7) })
            .collect();
        assert!(place(&chain).bytes < 64 * 7 * 45);
        assert_eq!(place(&nested).bytes, nested.iter().map(|life| life.bytes).sum::<u64>());
    }
}
