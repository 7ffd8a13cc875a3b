//! What one player knows: everything (spec 10).
//!
//! Every marker is seen face up before it leaves, so the contents of the supply follow, and undrawn markers have no order
//! before chance draws one. A view is the position, and a determinization of it is the same position.

use serde::{Deserialize, Serialize};

use super::state::State;
use crate::core::Player;

/// What one player knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct View {
    pub(super) observer: u8,
    pub(super) seen: State,
}

impl View {
    /// Whose view it is.
    #[must_use]
    pub fn observer(&self) -> Player {
        self.observer as Player
    }
}
