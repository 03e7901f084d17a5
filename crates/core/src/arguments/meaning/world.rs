//! Languages, places, money and measures.

use super::{Meaning, Row, Texts::Fixed};

pub(super) const ROWS: &[Row] = &[
    Row::of(Meaning::Locale, "locale|locales", "locale", Fixed(&["en-US", "de-DE", "fr-FR"])),
    Row::of(
        Meaning::Country,
        "country|countries|nation|country code|nationality",
        "country",
        Fixed(&["DE", "US", "FR"]),
    ),
    Row::of(
        Meaning::Coordinates,
        "coordinates|coordinate|latlng|latlon|geo|lat lng|lat lon",
        "latitude longitude|coordinates",
        Fixed(&["52.52,13.405", "48.8566,2.3522"]),
    ),
    Row::of(
        Meaning::Postcode,
        "zipcode|postcode|postal code|zip code",
        "postal code|zip code",
        Fixed(&["10115", "90210"]),
    ),
    Row::of(
        Meaning::Address,
        "street|address|street address",
        "street address",
        Fixed(&["Unter den Linden 1, Berlin", "1 Main Street, Springfield"]),
    ),
    Row::of(
        Meaning::City,
        "city|cities|town|location|place|region|origin|destination",
        "city",
        Fixed(&["Berlin", "Paris", "New York"]),
    ),
    Row::of(Meaning::Currency, "currency|currencies", "currency", Fixed(&["EUR", "USD", "GBP"])),
    Row::of(
        Meaning::Unit,
        "unit|units|measure",
        "unit of measurement|measurement unit",
        Fixed(&["metric", "imperial"]),
    ),
    Row::of(
        Meaning::Stock,
        "ticker|tickers|symbol|symbols|stock",
        "ticker symbol|stock symbol",
        Fixed(&["AAPL", "MSFT", "KO"]),
    ),
    Row::of(
        Meaning::Language,
        "lang|language|languages|language code",
        "language code|iso 639",
        Fixed(&["en", "de", "fr"]),
    ),
];
