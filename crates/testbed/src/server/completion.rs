//! `completion/complete` for prompt arguments and the note template.

use serde_json::{Value, json};

use super::Server;
use crate::rpc::Refusal;

pub(super) fn complete(server: &Server, params: &Value) -> Result<Value, Refusal> {
    let argument = &params["argument"];
    let (Some(name), Some(start)) = (argument["name"].as_str(), argument["value"].as_str()) else {
        return Err(Refusal::invalid_params("`argument` must have a string name and value"));
    };
    let offers = offers(server, &params["ref"], name)?;
    let matching: Vec<String> = offers.into_iter().filter(|o| o.starts_with(start)).collect();
    let values: Vec<&String> = matching.iter().take(100).collect();
    let more = matching.len() > values.len();
    Ok(json!({ "completion": { "values": values, "total": matching.len(), "hasMore": more } }))
}

fn offers(server: &Server, about: &Value, argument: &str) -> Result<Vec<String>, Refusal> {
    match about["type"].as_str() {
        Some("ref/prompt") => {
            let prompt = server.prompts.iter().find(|p| about["name"] == p.name);
            let gap = prompt.and_then(|p| p.arguments.iter().find(|a| a.name == argument));
            let gap = gap.ok_or_else(|| Refusal::invalid_params("unknown prompt or argument"))?;
            Ok(gap.values.iter().map(|v| (*v).to_owned()).collect())
        }
        Some("ref/resource") => {
            let gap = format!("{{{argument}}}");
            let known = server
                .templates
                .iter()
                .any(|t| about["uri"] == t.uri_template && t.uri_template.contains(&gap));
            if !known {
                return Err(Refusal::invalid_params("unknown resource template or argument"));
            }
            Ok(server.world.notes.iter().map(|note| note.id.clone()).collect())
        }
        Some(_) | None => {
            Err(Refusal::invalid_params("`ref` must be a ref/prompt or a ref/resource"))
        }
    }
}
