//! What all pictures share: colours that stand out from white and from black, and no background.

use plotters::backend::SVGBackend;
use plotters::chart::MeshStyle;
use plotters::coord::ranged1d::Ranged;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The area to draw on.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// What goes wrong in drawing: a string takes everything, so nothing but a picture that is too small.
pub type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Axes and text: a contrast of 4.5 to white and of 4.2 to GitHub's dark page.
pub const INK: RGBColor = RGBColor(119, 119, 119);
/// For things that differ in kind.
pub const COLORS: [RGBColor; 6] = [
    RGBColor(61, 127, 214),
    RGBColor(214, 110, 20),
    RGBColor(38, 150, 100),
    RGBColor(150, 100, 210),
    RGBColor(208, 70, 100),
    RGBColor(160, 130, 30),
];
/// Of usual text, in pixels.
pub const TEXT: u32 = 13;

/// Grid lines.
pub fn grid() -> ShapeStyle {
    INK.mix(0.25).stroke_width(1)
}

/// Gives a chart's axes, grid and labels the colours and sizes of all pictures.
pub fn axes<X: Ranged, Y: Ranged>(mesh: &mut MeshStyle<X, Y, SVGBackend>) {
    mesh.axis_style(INK)
        .bold_line_style(grid())
        .light_line_style(TRANSPARENT)
        .label_style(text(TEXT))
        .axis_desc_style(text(TEXT));
}

/// Text of a size.
pub fn text(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}

/// A picture of this size in pixels.
///
/// # Errors
/// It cannot be drawn at this size.
pub fn picture(size: (u32, u32), draw: impl FnOnce(&Area) -> Drawn) -> Result<String, String> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    let drawn = draw(&area).and_then(|()| Ok(area.present()?));
    drop(area);
    drawn.map_err(|error| format!("cannot draw: {error}"))?;
    Ok(svg)
}

/// Names with their colours in a row that begins at `at`.
pub fn legend(area: &Area, at: (i32, i32), names: &[(String, RGBColor)]) -> Drawn {
    let (mut x, y) = at;
    for (name, color) in names {
        area.draw(&Rectangle::new([(x, y), (x + 10, y + 10)], color.filled()))?;
        let style = text(TEXT).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(name.clone(), (x + 15, y + 5), style))?;
        // No font is at hand: a letter is half as wide as high, more or less.
        x += 15 + name.chars().count() as i32 * TEXT as i32 * 6 / 10 + 15;
    }
    Ok(())
}

/// A line of text that begins at `at`.
pub fn title(area: &Area, at: (i32, i32), words: &str) -> Drawn {
    Ok(area.draw(&Text::new(words.to_string(), at, text(TEXT + 2)))?)
}
