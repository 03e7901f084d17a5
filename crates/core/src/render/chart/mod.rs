//! Charts as lists of shapes: one drawing for SVG, pages and pictures alike.

mod areas;
mod radar;
mod scene;

pub use areas::{area_bars, area_radar};
pub use radar::{Series, radar};
pub(in crate::render) use scene::escaped;
pub use scene::{Anchor, Colors, Ink, Scene, Shape};
