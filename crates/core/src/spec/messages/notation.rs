//! The notation of types in `spec/messages/`, and what it means in words.

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Type {
    Any,
    Null,
    Boolean,
    Text,
    Number {
        whole: bool,
        least: Option<f64>,
        most: Option<f64>,
    },
    Literal(Vec<String>),
    Array {
        of: Box<Type>,
        most: Option<usize>,
    },
    Map(Box<Type>),
    Record(Vec<Field>),
    Union(Vec<Type>),
    /// An index into the types of the vocabulary.
    Named(usize),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) of: Type,
    pub(super) optional: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot read the type `{0}`; the notation is explained in 2024-11-05.toml")]
pub(super) struct Unreadable(pub(super) String);

impl Field {
    pub(super) fn read(
        name: &str,
        text: &str,
        named: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<Field, Unreadable> {
        let (text, optional) = match text.strip_suffix('?') {
            Some(text) => (text, true),
            None => (text, false),
        };
        Ok(Field { name: name.to_owned(), of: Type::read(text, named)?, optional })
    }
}

impl Type {
    pub(super) fn read(
        text: &str,
        named: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<Type, Unreadable> {
        let either: Vec<Type> =
            text.split(" | ").map(|t| read_one(t, named)).collect::<Result<_, _>>()?;
        if let [_] = either[..] {
            return Ok(either.into_iter().next().unwrap_or(Type::Any));
        }
        let literals: Option<Vec<String>> = either.iter().map(Type::literal).collect();
        Ok(literals.map_or(Type::Union(either), Type::Literal))
    }

    fn literal(&self) -> Option<String> {
        match self {
            Type::Literal(texts) => texts.first().cloned(),
            Type::Any
            | Type::Null
            | Type::Boolean
            | Type::Text
            | Type::Number { .. }
            | Type::Array { .. }
            | Type::Map(_)
            | Type::Record(_)
            | Type::Union(_)
            | Type::Named(_) => None,
        }
    }

    /// In words, to follow "expected".
    pub(super) fn words(&self, types: &[Type]) -> String {
        match self {
            Type::Any => "anything".to_owned(),
            Type::Null => "null".to_owned(),
            Type::Boolean => "a boolean".to_owned(),
            Type::Text => "a string".to_owned(),
            Type::Number { whole, least, most } => {
                let noun = if *whole { "an integer" } else { "a number" };
                match (least, most) {
                    (None, None) => noun.to_owned(),
                    (Some(least), None) => format!("{noun} of at least {least}"),
                    (None, Some(most)) => format!("{noun} of at most {most}"),
                    (Some(least), Some(most)) => format!("{noun} from {least} to {most}"),
                }
            }
            Type::Literal(texts) => {
                texts.iter().map(|t| format!("\"{t}\"")).collect::<Vec<_>>().join(" or ")
            }
            Type::Array { most: None, .. } => "an array".to_owned(),
            Type::Array { most: Some(most), .. } => format!("an array of at most {most}"),
            Type::Map(_) | Type::Record(_) => "an object".to_owned(),
            Type::Named(index) => types[*index].words(types),
            Type::Union(either) => {
                let mut words: Vec<String> = Vec::new();
                for word in either.iter().map(|t| t.words(types)) {
                    if !words.contains(&word) {
                        words.push(word);
                    }
                }
                words.join(" or ")
            }
        }
    }
}

fn read_one(text: &str, named: &dyn Fn(&str) -> Option<usize>) -> Result<Type, Unreadable> {
    let boxed = |text| Type::read(text, named).map(Box::new);
    if let Some((of, most)) = text.strip_suffix(']').and_then(|t| t.rsplit_once('[')) {
        let most = match most.strip_prefix("..") {
            Some(most) => Some(most.parse().map_err(|_| Unreadable(text.to_owned()))?),
            None => None,
        };
        return Ok(Type::Array { of: boxed(of)?, most });
    }
    if let Some(of) = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
        return Ok(Type::Map(boxed(of)?));
    }
    if let Some(literal) = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')) {
        return Ok(Type::Literal(vec![literal.to_owned()]));
    }
    let (noun, range) = text.split_once(' ').unwrap_or((text, ".."));
    let (least, most) = range.split_once("..").ok_or_else(|| Unreadable(text.to_owned()))?;
    let (least, most) = (least.parse().ok(), most.parse().ok());
    match noun {
        "any" => Ok(Type::Any),
        "null" => Ok(Type::Null),
        "boolean" => Ok(Type::Boolean),
        "string" => Ok(Type::Text),
        "object" => Ok(Type::Map(Box::new(Type::Any))),
        "integer" | "number" => Ok(Type::Number { whole: noun == "integer", least, most }),
        name => named(name).map(Type::Named).ok_or_else(|| Unreadable(text.to_owned())),
    }
}
