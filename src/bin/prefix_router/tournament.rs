//! The least loaded of a fixed set of nodes while loads grow.

/// Members per leaf of a tournament: finding the least load of as many takes little longer than
/// that of one.
const LEAF: usize = 16;

/// A fixed set of nodes that is asked again and again for its least loaded member.
///
/// Loads only grow, so an old one is a lower bound. The members are cut into leaves, and a binary
/// tree above them holds the smallest bound below each of its vertices. A query takes the leaf with
/// the smallest bound and looks up its loads; if the bound is exact, no other leaf can be better,
/// else it is raised and the next winner sought. When many bounds turn out old at once, all are
/// looked up in one sweep, which costs less than raising them one by one.
pub struct Tournament {
    /// Ascending.
    members: Vec<u32>,
    /// Leaf i is vertex `width + i`, the parent of vertex v is v / 2, the root is 1. Empty until the
    /// first query.
    bounds: Vec<u64>,
}

impl Tournament {
    /// A tournament among `members`, at least one and ascending. O(1): the tree is built by the
    /// first query.
    pub fn new(members: Vec<u32>) -> Self {
        Tournament { members, bounds: Vec::new() }
    }

    /// The member with the least load, the smallest of several.
    ///
    /// No load may be less than at the query before. O(log) for each leaf whose bound is old and
    /// beats the answer, O(members) at most.
    pub fn least(&mut self, loads: &[u64]) -> u32 {
        let width = self.members.len().div_ceil(LEAF).next_power_of_two();
        if self.bounds.is_empty() {
            self.sweep(width, loads);
        }
        let mut raises = 0;
        loop {
            let mut vertex = 1;
            while vertex < width {
                vertex *= 2;
                vertex += usize::from(self.bounds[vertex + 1] < self.bounds[vertex]);
            }
            let (load, member) = self.least_of_leaf(vertex - width, loads);
            if load == self.bounds[vertex] {
                return member;
            }
            raises += 1;
            if raises * 16 > width {
                self.sweep(width, loads);
            } else {
                self.raise(vertex, load);
            }
        }
    }

    /// The least load in a leaf and the smallest member that has it.
    fn least_of_leaf(&self, leaf: usize, loads: &[u64]) -> (u64, u32) {
        let members = self.members.iter().skip(leaf * LEAF).take(LEAF);
        let least = members.map(|&member| (loads[member as usize], member)).min();
        least.unwrap_or((u64::MAX, u32::MAX))
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
    fn sweep(&mut self, width: usize, loads: &[u64]) {
        self.bounds.resize(2 * width, u64::MAX);
        for leaf in 0..width {
            self.bounds[width + leaf] = self.least_of_leaf(leaf, loads).0;
        }
        for vertex in (1..width).rev() {
            self.bounds[vertex] = self.bounds[2 * vertex].min(self.bounds[2 * vertex + 1]);
        }
    }
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
            let mut tournament = Tournament::new(members.clone());
            for _ in 0..300 {
                let least = members.iter().copied().min_by_key(|&member| loads[member as usize]);
                assert_eq!(Some(tournament.least(&loads)), least);
                loads[least.unwrap() as usize] += random.random_range(0..3);
                for _ in 0..random.random_range(0..nodes) {
                    loads[random.random_range(0..=nodes) as usize] += random.random_range(0..2);
                }
            }
        }
    }

    #[test]
    fn members_at_the_greatest_load_are_found() {
        assert_eq!(Tournament::new(vec![0, 2]).least(&[u64::MAX; 3]), 0);
        assert_eq!(Tournament::new((0..40).collect()).least(&[u64::MAX; 40]), 0);
    }
}
