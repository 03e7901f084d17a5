//! Servers with one weakness each, and a safe look-alike beside it.

use crate::mode::Mode;
use crate::server::Server;
use crate::tool::Tool;
use crate::tools::{environment, files, measure, notes, shell, unicode};

pub(super) const MODES: &[Mode] = &[
    Mode::good("shell-injection", || {
        with("host-desk", vec![shell::lookup_host(), shell::resolve_host()])
    }),
    Mode::good("path-traversal", || {
        with("reading-room", vec![files::list_files(), files::read_document(), files::read_page()])
    }),
    Mode::good("env-leak", || {
        with("status-desk", vec![environment::get_status(), environment::get_health()])
    }),
    Mode::good("hidden-unicode", || {
        with("weather-desk", vec![unicode::get_forecast(), unicode::get_sunrise()])
    }),
    Mode { guards_origin: false, ..Mode::good("open-http", super::good::good) },
];

fn with(name: &'static str, mut tools: Vec<Tool>) -> Server {
    tools.push(notes::list());
    tools.push(measure::count_words());
    Server::new(name, name, tools)
}
