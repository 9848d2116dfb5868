//! Schedulers that move a hand over the open requests in order of arrival.

/// Steps are told apart up to this length, forwards and backwards.
const LONGEST: usize = 32;

/// A hand and the steps that it has taken lately.
pub struct Hand {
    /// Whether it turns at the ends instead of starting anew.
    turns: bool,
    /// Where it is believed to be, and where it was last seen.
    at: usize,
    seen: usize,
    /// Whether it was believed to be there.
    strayed: bool,
    back: bool,
    /// How often each step was taken, of late.
    steps: [f32; 2 * LONGEST + 1],
}

impl Hand {
    pub fn new(turns: bool) -> Self {
        let steps = [0.0; 2 * LONGEST + 1];
        Hand { turns, at: 0, seen: 0, strayed: false, back: false, steps }
    }

    /// One step of the usual kind from a place of `count`, and whether it goes back.
    fn step(&self, at: usize, back: bool, count: usize) -> (usize, bool) {
        let best = |&a: &usize, &b: &usize| self.steps[a].total_cmp(&self.steps[b]);
        let usual = (0..self.steps.len()).max_by(best).expect("steps") as isize - LONGEST as isize;
        let count = count as isize;
        if !self.turns {
            return ((at as isize + usual).rem_euclid(count) as usize, back);
        }
        let at = at as isize + if back { -usual.abs() } else { usual.abs() };
        let back = if back { at > 0 } else { at + 1 >= count };
        (at.clamp(0, count - 1) as usize, back)
    }

    /// Sees somebody chosen at this place of `count`. Once that need not have been the hand.
    pub fn see(&mut self, place: usize, count: usize) {
        /// What a step keeps of the weight of those before.
        const KEPT: f32 = 0.9;
        let (next, back) = self.step(self.at, self.back, count);
        let strays = next != place;
        (self.at, self.back) = (next, back);
        if strays && self.strayed {
            (self.at, self.back) = (place, place < self.seen);
        }
        self.strayed = strays && !self.strayed;
        self.steps.iter_mut().for_each(|weight| *weight *= KEPT);
        let forwards = (place + count - self.seen % count) % count;
        if forwards <= count / 2 {
            self.steps[LONGEST + forwards.min(LONGEST)] += 1.0;
        } else {
            self.steps[LONGEST.saturating_sub(count - forwards)] += 1.0;
        }
        self.seen = place;
    }

    /// In how many steps of the usual kind the hand comes to each of `count` places, 2 · `count`
    /// for never.
    pub fn times(&self, count: usize) -> Vec<usize> {
        let mut times = vec![2 * count; count];
        let (mut at, mut back) = (self.at, self.back);
        for time in 1..2 * count {
            (at, back) = self.step(at, back, count);
            times[at] = time.min(times[at]);
        }
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stride_is_found_and_followed_around() {
        let mut hand = Hand::new(false);
        (0..8).for_each(|time| hand.see(3 * time % 10, 10));
        // It is at 1, and 4, 7, 0 … come next.
        assert_eq!(hand.times(10), [3, 10, 7, 4, 1, 8, 5, 2, 9, 6]);
    }

    #[test]
    fn a_hand_turns_at_the_end() {
        let mut hand = Hand::new(true);
        (0..4).for_each(|place| hand.see(place, 5));
        assert_eq!(hand.times(5), [5, 4, 3, 2, 1]);
    }

    #[test]
    fn somebody_chosen_out_of_turn_does_not_move_the_hand() {
        let mut hand = Hand::new(false);
        (0..6).for_each(|place| hand.see(place, 9));
        hand.see(2, 9);
        assert_eq!(hand.times(9)[7], 1);
    }
}
