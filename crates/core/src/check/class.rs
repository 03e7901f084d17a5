//! What is known elsewhere about a class of hole: its numbers in CWE and the lists of OWASP.

use super::Class;

impl Class {
    /// The entry of the Common Weakness Enumeration that fits best.
    pub fn cwe(self) -> &'static str {
        match self {
            Class::CommandInjection => "CWE-78",
            Class::CodeInjection => "CWE-94",
            Class::SqlInjection => "CWE-89",
            Class::NosqlInjection => "CWE-943",
            Class::LdapInjection => "CWE-90",
            Class::XpathInjection => "CWE-643",
            Class::PathTraversal => "CWE-22",
            Class::Ssrf => "CWE-918",
            Class::Ssti => "CWE-1336",
            Class::Xxe => "CWE-611",
            Class::UnsafeDeserialization => "CWE-502",
            Class::SecretLeak => "CWE-526",
            Class::InfoDisclosure => "CWE-209",
            Class::PromptInjectionInOutput => "CWE-1427",
            Class::ToolDescriptionPoisoning => "CWE-1427",
            Class::HiddenUnicode => "CWE-451",
            Class::ToolShadowing => "CWE-349",
            Class::AnnotationDeception => "CWE-345",
            Class::RugPull => "CWE-494",
            Class::MissingAuth => "CWE-306",
            Class::DnsRebinding => "CWE-350",
            Class::SessionFixation => "CWE-384",
            Class::CrossOrigin => "CWE-942",
            Class::Cleartext => "CWE-319",
            Class::Dos => "CWE-1333",
            Class::ResourceExhaustion => "CWE-400",
            Class::ExcessivePermissions => "CWE-269",
            Class::CrossToolExfiltration => "CWE-200",
            Class::ArgumentInjection => "CWE-88",
            Class::PrototypePollution => "CWE-1321",
            Class::HeaderInjection => "CWE-93",
            Class::MassAssignment => "CWE-915",
            Class::IntegerHandling => "CWE-20",
        }
    }

    /// Entries of the OWASP Top 10 for LLM applications and of the MCP Top 10, both of 2025.
    pub fn owasp(self) -> &'static [&'static str] {
        match self {
            Class::CommandInjection | Class::CodeInjection | Class::Ssti => {
                &["LLM05:2025", "MCP05:2025"]
            }
            Class::SqlInjection
            | Class::NosqlInjection
            | Class::LdapInjection
            | Class::XpathInjection
            | Class::Xxe
            | Class::ArgumentInjection
            | Class::PrototypePollution
            | Class::HeaderInjection
            | Class::UnsafeDeserialization => &["LLM05:2025", "MCP05:2025"],
            Class::PathTraversal | Class::Ssrf => &["LLM02:2025", "MCP05:2025"],
            Class::SecretLeak => &["LLM02:2025", "MCP01:2025"],
            Class::InfoDisclosure => &["LLM02:2025", "MCP10:2025"],
            Class::PromptInjectionInOutput => &["LLM01:2025", "MCP06:2025"],
            Class::ToolDescriptionPoisoning | Class::HiddenUnicode | Class::ToolShadowing => {
                &["LLM01:2025", "MCP03:2025"]
            }
            Class::AnnotationDeception => &["LLM06:2025", "MCP03:2025"],
            Class::RugPull => &["LLM03:2025", "MCP03:2025"],
            Class::MissingAuth
            | Class::DnsRebinding
            | Class::SessionFixation
            | Class::CrossOrigin
            | Class::Cleartext => &["MCP07:2025"],
            Class::Dos | Class::ResourceExhaustion => &["LLM10:2025"],
            Class::IntegerHandling => &["LLM05:2025"],
            Class::ExcessivePermissions | Class::MassAssignment => &["LLM06:2025", "MCP02:2025"],
            Class::CrossToolExfiltration => &["LLM02:2025", "MCP10:2025"],
        }
    }
}
