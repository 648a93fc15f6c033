//! What is to be explored.

use crate::bug::Bug;

#[derive(Clone)]
pub struct Script {
    /// P put, G get, N put next.
    pub owner: String,
    pub thieves: u32,
    pub steals: u32,
    pub capacity: u32,
    pub bug: Bug,
}

impl Script {
    /// Thieves look at `next` only where the owner uses it.
    pub fn steal_next(&self) -> bool {
        self.owner.contains('N')
    }

    pub fn check(&self) -> Result<(), String> {
        if self.owner.is_empty() || !self.owner.bytes().all(|c| b"PGN".contains(&c)) {
            return Err(format!("script {:?}: want letters P, G and N", self.owner));
        }
        if !self.capacity.is_power_of_two() || self.capacity < 2 {
            return Err(format!(
                "capacity {}: want a power of two from 2",
                self.capacity
            ));
        }
        Ok(())
    }
}
