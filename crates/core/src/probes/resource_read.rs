//! Reads the resources that a server lists, or a sample of them.

use serde_json::json;

use crate::evidence::{Evidence, Profile, Subject};
use crate::probe::{Call, Lane, Probe, Send};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "resource-read", hostile: false, lane: Lane::Shared, plan };

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let all = &evidence.inventory.resources;
    let most = match evidence.conditions.profile {
        Profile::Quick => 3,
        Profile::Standard => 10,
        Profile::Deep => all.len(),
    };
    let count = most.min(all.len());
    // Spread over the list: neighbours are often alike.
    let picked = (0..count).filter_map(|i| all.get(i * all.len() / count));
    picked.map(|resource| read(&resource.uri, &resource.uri, "read")).collect()
}

/// A `resources/read`, about a resource or the template that made the URI.
pub(super) fn read(about: &str, uri: &str, label: &str) -> Call {
    let send = Send::request("resources/read", Some(json!({ "uri": uri })));
    Call::new(Subject::Resource { uri: about.to_owned() }, label, send)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn read_of(count: usize, profile: &str) -> Vec<String> {
        let all: Vec<String> =
            (0..count).map(|i| format!(r#"{{"uri": "r:{i}", "name": "{i}"}}"#)).collect();
        let snippet = format!(r#"{{"resources": [{}], "profile": "{profile}"}}"#, all.join(","));
        let calls = plan(&pages::evidence(&snippet).unwrap(), Seed(1));
        calls.iter().map(|c| c.subject.to_string()).collect()
    }

    #[test]
    fn few_are_read_all_and_many_by_a_sample_spread_over_the_list() {
        assert_eq!(read_of(2, "standard"), ["r:0", "r:1"]);
        assert_eq!(read_of(9, "quick"), ["r:0", "r:3", "r:6"]);
        assert_eq!(read_of(40, "standard").len(), 10);
        assert_eq!(read_of(40, "deep").len(), 40);
        assert!(read_of(0, "standard").is_empty());
    }
}
