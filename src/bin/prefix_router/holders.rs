//! Who holds which part of the initial trie.

use crate::tournament::Tournament;
use kv_contest::trie::{Locus, Skeleton, Trie};
use std::collections::HashMap;

/// The cluster nodes that hold a trie node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    One(u32),
    /// The number of a group; equal sets are one group.
    Several(u32),
}

/// The holders of every node of the initial trie.
///
/// They change only at the trie's *knots*, where a sequence ends or sequences part: what lies
/// between two knots is held by the holders of the lower one.
pub struct Holding {
    skeleton: Skeleton,
    of_knot: Vec<Holder>,
}

impl Holding {
    /// The holders of a node. O(1).
    pub fn of(&self, node: u32) -> Holder {
        self.of_knot[self.skeleton.knot(node) as usize]
    }
}

/// The sets of several holders.
pub struct Groups {
    /// The members of all groups.
    members: Vec<u32>,
    groups: Vec<Group>,
}

/// A set of several holders, as a part of a list of members.
struct Group {
    start: usize,
    len: usize,
    tournament: Tournament,
}

impl Group {
    fn new(start: usize, len: usize) -> Self {
        Group { start, len, tournament: Tournament::default() }
    }
}

impl Groups {
    /// The member of a group with the least load, the smallest of several.
    pub fn least_loaded(&mut self, group: u32, loads: &[u64]) -> u32 {
        let Group { start, len, tournament } = &mut self.groups[group as usize];
        tournament.least(&self.members[*start..*start + *len], loads)
    }
}

/// The holders that follow from `caches`: a cluster node and the end of a sequence that it
/// caches, by ascending nodes. All `nodes` hold the root.
///
/// O(nodes + labels in all sequences).
pub fn holding(nodes: u32, trie: &Trie<i64>, caches: &[(u32, Locus)]) -> (Holding, Groups) {
    let skeleton = Skeleton::new(trie, caches.iter().map(|&(_, end)| end.node()));
    let parents: Vec<u32> = skeleton.links(trie).map(|link| link.parent).collect();
    let (starts, mut members) = members(&skeleton, &parents, caches);

    let everyone = 0;
    let mut groups = vec![Group::new(members.len(), nodes as usize)];
    let mut numbers = HashMap::new();
    let root = if nodes == 1 { Holder::One(0) } else { Holder::Several(everyone) };
    let mut of_knot = vec![root];
    for knot in 1..skeleton.len() {
        let set = &members[starts[knot]..starts[knot + 1]];
        let above = parents[knot] as usize;
        let among = if above == 0 { nodes as usize } else { starts[above + 1] - starts[above] };
        of_knot.push(match set {
            &[node] => Holder::One(node),
            // Who holds a node holds what is above it: sets of one size are one set.
            _ if set.len() == among => of_knot[above],
            _ => Holder::Several(*numbers.entry(set).or_insert_with(|| {
                groups.push(Group::new(starts[knot], set.len()));
                groups.len() as u32 - 1
            })),
        });
    }
    members.extend(0..nodes);
    (Holding { skeleton, of_knot }, Groups { members, groups })
}

/// The holders of every knot but the root, ascending: those of knot k are
/// `members[starts[k]..starts[k + 1]]`.
fn members(
    skeleton: &Skeleton,
    parents: &[u32],
    caches: &[(u32, Locus)],
) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0; skeleton.len() + 1];
    visit(skeleton, parents, caches, |_, knot| starts[knot + 1] += 1);
    for knot in 0..skeleton.len() {
        starts[knot + 1] += starts[knot];
    }
    let mut members = vec![0; starts[skeleton.len()]];
    let mut filled = starts.clone();
    visit(skeleton, parents, caches, |node, knot| {
        members[filled[knot]] = node;
        filled[knot] += 1;
    });
    (starts, members)
}

/// Tells `found` each cluster node with each of the knots, the root excepted, that it holds.
fn visit(
    skeleton: &Skeleton,
    parents: &[u32],
    caches: &[(u32, Locus)],
    mut found: impl FnMut(u32, usize),
) {
    // Walks up from every end, as far as the same node has not been before.
    let mut last_visitor = vec![None; skeleton.len()];
    for &(node, end) in caches {
        let mut knot = skeleton.knot(end.node());
        while knot != 0 && last_visitor[knot as usize] != Some(node) {
            last_visitor[knot as usize] = Some(node);
            found(node, knot as usize);
            knot = parents[knot as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holders_are_those_whose_sequences_pass() {
        let caches: [(u32, &[i64]); 5] =
            [(0, &[1, 2, 3]), (0, &[1, 2]), (1, &[1, 2, 4, 5]), (2, &[1]), (2, &[9])];
        let mut trie = Trie::new();
        let insert = |(node, tokens): (u32, &[i64])| (node, trie.insert(Locus::ROOT, tokens));
        let ends: Vec<_> = caches.map(insert).to_vec();
        let (holding, _) = holding(3, &trie, &ends);
        let of = |tokens: &[i64]| {
            let (end, _) = trie.descend(Locus::ROOT, tokens.iter().copied());
            holding.of(end.node())
        };
        assert_eq!(of(&[]), Holder::Several(0));
        assert_eq!(of(&[1]), Holder::Several(0));
        let pair = of(&[1, 2]);
        assert!(matches!(pair, Holder::Several(group) if group > 0));
        assert_eq!(of(&[1, 2, 3]), Holder::One(0));
        assert_eq!(of(&[1, 2, 4]), Holder::One(1));
        assert_eq!(of(&[9]), Holder::One(2));
    }

    #[test]
    fn equal_sets_at_different_places_are_one_group() {
        let mut trie = Trie::new();
        let mut ends = Vec::new();
        for node in [0, 2, 3] {
            for first in [7, 8, 9] {
                ends.push((node, trie.insert(Locus::ROOT, &[first, i64::from(node)])));
            }
        }
        let (holding, groups) = holding(4, &trie, &ends);
        let first_tokens = [7, 8, 9].map(|token| trie.descend(Locus::ROOT, [token]).0);
        assert_eq!(first_tokens.map(|end| holding.of(end.node())), [Holder::Several(1); 3]);
        assert_eq!(groups.groups.len(), 2);
    }
}
