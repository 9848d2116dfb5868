//! The least loaded of a fixed set of nodes while loads grow.

/// Members per leaf of a tournament: finding the least load of as many takes little longer than
/// that of one.
const LEAF: usize = 32;

/// Asks a fixed set of nodes again and again for its least loaded member.
///
/// Loads only grow, so an old one is a lower bound. The members are cut into leaves, and a loser
/// tree (Knuth, The Art of Computer Programming 3, 5.4.1) plays for the leaf with the smallest
/// bound. A query looks up the loads of the winner: if its bound is exact, no other leaf can be
/// better; else the bound is raised, and the matches on the way from this leaf to the root are
/// played again. The way is known beforehand, so no load from memory waits for another.
#[derive(Default)]
pub struct Tournament {
    /// Leaf i of n comes in at n + i, the parent of vertex v is v / 2. At vertex v ≥ 1 is the loser
    /// of the match between the winners of 2v and 2v + 1, at 0 the winner of them all. Empty until
    /// the first query, and as long as there is only one leaf.
    losers: Vec<Bound>,
}

/// A lower bound of the loads of a leaf, and the leaf: of equal bounds the first leaf's is smaller.
type Bound = (u64, u32);

impl Tournament {
    /// The member with the least load, the smallest of several.
    ///
    /// `members`, at least one and ascending, must always be the same; no load may be less than at
    /// the query before. O(log) for each leaf whose bound is old and beats the answer.
    pub fn least(&mut self, members: &[u32], loads: &[u64]) -> u32 {
        if members.len() <= LEAF {
            return first_with(members, least_load(members, loads), loads);
        }
        if self.losers.is_empty() {
            self.play_all(members, loads);
        }
        loop {
            let (bound, winner) = self.losers[0];
            let first = winner as usize * LEAF;
            let leaf = &members[first..members.len().min(first + LEAF)];
            let load = least_load(leaf, loads);
            if load == bound {
                return first_with(leaf, load, loads);
            }
            self.raise(load);
        }
    }

    /// Raises the bound of the winner.
    fn raise(&mut self, load: u64) {
        let mut winner = (load, self.losers[0].1);
        let mut vertex = (self.losers.len() + winner.1 as usize) / 2;
        while vertex > 0 {
            let loser = &mut self.losers[vertex];
            (winner, *loser) = (winner.min(*loser), winner.max(*loser));
            vertex /= 2;
        }
        self.losers[0] = winner;
    }

    /// Plays all matches, with exact bounds.
    fn play_all(&mut self, members: &[u32], loads: &[u64]) {
        let len = members.len().div_ceil(LEAF);
        let mut winners = vec![(0, 0); len];
        let leaves = members.chunks(LEAF).zip(0..);
        winners.extend(leaves.map(|(leaf, number)| (least_load(leaf, loads), number)));
        self.losers.resize(len, (0, 0));
        for vertex in (1..len).rev() {
            let (left, right) = (winners[2 * vertex], winners[2 * vertex + 1]);
            winners[vertex] = left.min(right);
            self.losers[vertex] = left.max(right);
        }
        self.losers[0] = winners[1];
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
