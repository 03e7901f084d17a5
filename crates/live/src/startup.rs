use proofmark_core::evidence::*;
#[derive(Debug, Default)]
pub struct Facts {
    pub waited: std::time::Duration,
    pub launch_error: Option<crate::isolate::LaunchError>,
    pub wire_error: Option<crate::wire::WireError>,
    pub exit: Option<Exit>,
    pub stderr: Vec<String>,
    pub received: Vec<String>,
}
pub fn diagnose(f: &Facts) -> Startup {
    Startup::Down {
        cause: DownCause::SilentHang,
        says: format!("{f:?}"),
        way_out: String::new(),
        exit: None,
        stderr_tail: vec![],
    }
}
