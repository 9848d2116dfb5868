//! The least loaded of a fixed set of nodes while loads grow.

/// Members per leaf of a tournament: finding the least load of as many takes little longer than
/// that of one.
const LEAF: usize = 16;

/// Asks a fixed set of nodes again and again for its least loaded member.
///
/// Loads only grow, so an old one is a lower bound. The members are cut into leaves, and a binary
/// tree above them holds the smallest bound below each of its vertices. A query takes the leaf with
/// the smallest bound and looks up its loads; if the bound is exact, no other leaf can be better,
/// else it is raised and the next winner sought. When many bounds turn out old at once, all are
/// looked up in one sweep, which costs less than raising them one by one.
#[derive(Default)]
pub struct Tournament {
    /// Leaf i is vertex `width + i`, the parent of vertex v is v / 2, the root is 1. Empty until the
    /// first query, and as long as there is only one leaf.
    bounds: Vec<u64>,
}

impl Tournament {
    /// The member with the least load, the smallest of several.
    ///
    /// `members`, at least one and ascending, must always be the same; no load may be less than at
    /// the query before. O(log) for each leaf whose bound is old and beats the answer, O(members) at
    /// most.
    pub fn least(&mut self, members: &[u32], loads: &[u64]) -> u32 {
        if members.len() <= LEAF {
            return first_with(members, least_load(members, loads), loads);
        }
        let width = members.len().div_ceil(LEAF).next_power_of_two();
        if self.bounds.is_empty() {
            self.sweep(members, loads);
        }
        let mut raises = 0;
        loop {
            let mut vertex = 1;
            while vertex < width {
                vertex *= 2;
                vertex += usize::from(self.bounds[vertex + 1] < self.bounds[vertex]);
            }
            let first = (vertex - width) * LEAF;
            let leaf = &members[first..members.len().min(first + LEAF)];
            let load = least_load(leaf, loads);
            if load == self.bounds[vertex] {
                return first_with(leaf, load, loads);
            }
            raises += 1;
            if raises * 16 > width {
                self.sweep(members, loads);
            } else {
                self.raise(vertex, load);
            }
        }
    }

    /// Raises the bound of a leaf, and those above it as far as they depend on it.
    fn raise(&mut self, leaf: usize, load: u64) {
        self.bounds[leaf] = load;
        let mut vertex = leaf / 2;
        while vertex > 0 {
            let bound = self.bounds[2 * vertex].min(self.bounds[2 * vertex + 1]);
            if self.bounds[vertex] == bound {
                break;
            }
            self.bounds[vertex] = bound;
            vertex /= 2;
        }
    }

    /// Makes all bounds exact.
    fn sweep(&mut self, members: &[u32], loads: &[u64]) {
        let width = members.len().div_ceil(LEAF).next_power_of_two();
        self.bounds.resize(2 * width, u64::MAX);
        for (bound, leaf) in self.bounds[width..].iter_mut().zip(members.chunks(LEAF)) {
            *bound = least_load(leaf, loads);
        }
        for vertex in (1..width).rev() {
            self.bounds[vertex] = self.bounds[2 * vertex].min(self.bounds[2 * vertex + 1]);
        }
    }
}

fn least_load(members: &[u32], loads: &[u64]) -> u64 {
    // Minima side by side do not wait for each other.
    let mut least = [u64::MAX; 4];
    let fours = members.chunks_exact(4);
    for &member in fours.remainder() {
        least[0] = least[0].min(loads[member as usize]);
    }
    for four in fours {
        for (least, &member) in least.iter_mut().zip(four) {
            *least = (*least).min(loads[member as usize]);
        }
    }
    least[0].min(least[1]).min(least[2].min(least[3]))
}

/// The first of `members` with this load, which one of them has.
fn first_with(members: &[u32], load: u64, loads: &[u64]) -> u32 {
    let first = members.iter().find(|&&member| loads[member as usize] == load);
    *first.expect("a member has the least load")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn queries_among_growing_loads_equal_a_scan() {
        let mut random = StdRng::seed_from_u64(1);
        for nodes in [1, 2, 15, 16, 17, 33, 100, 1000] {
            let mut loads: Vec<u64> = (0..nodes).map(|_| random.random_range(0..4)).collect();
            let mut members: Vec<u32> = (0..nodes).filter(|_| random.random()).collect();
            members.push(nodes);
            loads.push(0);
            let mut tournament = Tournament::default();
            for _ in 0..300 {
                let least = members.iter().copied().min_by_key(|&member| loads[member as usize]);
                assert_eq!(Some(tournament.least(&members, &loads)), least);
                loads[least.unwrap() as usize] += random.random_range(0..3);
                for _ in 0..random.random_range(0..nodes) {
                    loads[random.random_range(0..=nodes) as usize] += random.random_range(0..2);
                }
            }
        }
    }

    #[test]
    fn members_at_the_greatest_load_are_found() {
        assert_eq!(Tournament::default().least(&[0, 2], &[u64::MAX; 3]), 0);
        let all: Vec<u32> = (0..40).collect();
        assert_eq!(Tournament::default().least(&all, &[u64::MAX; 40]), 0);
    }
}
