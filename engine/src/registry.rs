//! What the isolate hands over, as types. The text is the authoring package's own (see `docs/registry.md`), but it comes
//! from a process that ran a stranger's code, so nothing in it is believed: parsing refuses what is not of the form, and
//! every rule is checked again on what parses.

use serde::Deserialize;
use serde_json::Value as Json;

/// The registry form this engine reads.
pub const REGISTRY_VERSION: u64 = 1;
/// Longest registry text the engine parses, in bytes.
pub const REGISTRY_MAX_BYTES: usize = 1 << 20;

/// A value as the author passed it, copied by the authoring package.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A finite number other than `-0`.
    Number(f64),
    /// A well-formed string.
    Text(String),
    /// An array without holes.
    List(Vec<Value>),
    /// A plain object, in the author's order.
    Map(Vec<(String, Value)>),
    /// Something that is no plain data; the text says what, such as `NaN` or `function`.
    Odd(String),
}

impl Value {
    /// What to call this value in a sentence, with its article.
    pub fn describe(&self) -> String {
        match self {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => format!("the boolean {value}"),
            Value::Number(value) => format!("the number {value}"),
            Value::Text(value) if value.chars().count() <= 40 => format!("the string {value:?}"),
            Value::Text(_) => "a long string".to_owned(),
            Value::List(_) => "an array".to_owned(),
            Value::Map(_) => "an object".to_owned(),
            Value::Odd(kind) => match kind.as_str() {
                "NaN" | "Infinity" | "-Infinity" | "-0" | "undefined" => kind.clone(),
                "accessor" | "array with properties" | "Error" | "ArrayBuffer" => format!("an {kind}"),
                _ => format!("a {kind}"),
            },
        }
    }

    /// Goes as deep as the text does: serde_json takes no more than 128 levels.
    fn from_json(json: Json) -> Result<Value, RegistryError> {
        Ok(match json {
            Json::Null => Value::Null,
            Json::Bool(value) => Value::Bool(value),
            Json::Number(number) => Value::Number(number.as_f64().ok_or(RegistryError::Form("a number out of range"))?),
            Json::String(text) => Value::Text(text),
            Json::Array(items) => Value::List(items.into_iter().map(Value::from_json).collect::<Result<_, _>>()?),
            Json::Object(entries) => return Self::from_entries(entries),
        })
    }

    fn from_entries(entries: serde_json::Map<String, Json>) -> Result<Value, RegistryError> {
        if let Some(kind) = entries.get("$odd") {
            let kind = kind.as_str().ok_or(RegistryError::Form("an $odd that is no text"))?;
            return Ok(Value::Odd(kind.to_owned()));
        }
        let mut map = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let key = match key.strip_prefix('$') {
                Some(rest) if rest.starts_with('$') => rest.to_owned(),
                Some(_) => return Err(RegistryError::Form("an unescaped $ key")),
                None => key,
            };
            map.push((key, Value::from_json(value)?));
        }
        Ok(Value::Map(map))
    }
}

/// One decorator the author applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// The decorator's name, such as `Meter`.
    pub decorator: String,
    /// The decorated member; `None` for a class decorator.
    pub member: Option<String>,
    /// Its arguments.
    pub args: Vec<Value>,
}

/// A decorator that was applied where it can't be.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Misuse {
    /// The decorator's name.
    pub decorator: String,
    /// The decorated member, where it has a name.
    pub member: Option<String>,
    /// Why it can't be there.
    pub reason: MisuseReason,
}

/// Why a decorator can't be where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MisuseReason {
    /// On a method, a getter, a setter or an auto-accessor.
    Method,
    /// On a static member.
    Static,
    /// On a `#private` member.
    Private,
    /// On a member named by a symbol.
    SymbolMember,
    /// On a member whose computed name is a number.
    NumberMember,
    /// A class decorator on a member.
    ClassDecoratorOnMember,
    /// A member decorator on a class.
    MemberDecoratorOnClass,
    /// Called by hand on something that is no class.
    OutsideClass,
    /// After `@Product` had finalised the class.
    Finalised,
    /// The author's compiler gives decorators no metadata.
    NoMetadata,
}

/// Why there is no product to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Absence {
    /// No default export.
    Missing,
    /// The default export is no class.
    NotAClass,
    /// The default export is a class without `@Product`.
    NotDecorated,
}

/// The collected declarations of one product.
#[derive(Clone, Debug, PartialEq)]
pub struct Registry {
    /// Version of the authoring package that collected it.
    pub sdk_version: String,
    /// The class's name; empty for an anonymous class.
    pub class_name: String,
    /// Why there are no declarations, when the default export is no product.
    pub absent: Option<Absence>,
    /// How many classes were finalised in the run.
    pub products: u64,
    /// In declaration order, class decorators first.
    pub declarations: Vec<Declaration>,
    /// Decorators that stand where they can't.
    pub misuses: Vec<Misuse>,
}

/// The text is no registry: a defect of the package or a forged answer, never an author's mistake.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// Longer than [`REGISTRY_MAX_BYTES`].
    #[error("the registry has {0} bytes; at most {REGISTRY_MAX_BYTES} are taken")]
    TooLarge(usize),
    /// Not JSON, or not the registry's fields.
    #[error("the registry is not of its form: {0}")]
    Json(#[from] serde_json::Error),
    /// A value is not encoded as it should be.
    #[error("the registry is not of its form: {0}")]
    Form(&'static str),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RawRegistry {
    registry_version: u64,
    sdk_version: String,
    #[serde(default)]
    class_name: String,
    absent: Option<Absence>,
    products: u64,
    #[serde(default)]
    declarations: Vec<RawDeclaration>,
    misuses: Vec<Misuse>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDeclaration {
    decorator: String,
    member: Option<String>,
    args: Vec<Json>,
}

impl Registry {
    /// Reads a registry text.
    ///
    /// # Errors
    /// [`RegistryError`] when the text is too long or not of the form in `docs/registry.md`.
    pub fn parse(text: &str) -> Result<Registry, RegistryError> {
        if text.len() > REGISTRY_MAX_BYTES {
            return Err(RegistryError::TooLarge(text.len()));
        }
        let raw: RawRegistry = serde_json::from_str(text)?;
        if raw.registry_version != REGISTRY_VERSION {
            return Err(RegistryError::Form("another registryVersion"));
        }
        let declarations = raw.declarations.into_iter().map(Declaration::from_raw).collect::<Result<_, _>>()?;
        Ok(Registry {
            sdk_version: raw.sdk_version,
            class_name: raw.class_name,
            absent: raw.absent,
            products: raw.products,
            declarations,
            misuses: raw.misuses,
        })
    }
}

impl Declaration {
    /// The decorated member's name; empty for a class decorator.
    pub fn member(&self) -> &str {
        self.member.as_deref().unwrap_or_default()
    }

    fn from_raw(raw: RawDeclaration) -> Result<Declaration, RegistryError> {
        let args = raw.args.into_iter().map(Value::from_json).collect::<Result<_, _>>()?;
        Ok(Declaration { decorator: raw.decorator, member: raw.member, args })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// serde_json reads each of these one step off unless its feature `float_roundtrip` is on.
    #[test]
    fn an_authors_decimals_are_read_exactly() {
        for text in ["1.7406566388286637", "55.393536131272924", "28.160575458127546", "94.65839547383737"] {
            let registry = format!(
                r#"{{"registryVersion":1,"sdkVersion":"0.1.0","products":1,"declarations":[{{"decorator":"Raw","member":null,"args":[{text}]}}],"misuses":[]}}"#
            );
            let registry = Registry::parse(&registry).unwrap();
            assert_eq!(registry.declarations[0].args, [Value::Number(text.parse().unwrap())], "{text}");
        }
    }
}
