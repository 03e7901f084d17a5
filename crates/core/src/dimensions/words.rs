//! Word lists, English and Chinese: recorded suites mostly tell their purposes in one and their
//! errors in both.

use std::sync::LazyLock;

use crate::pattern::Test;

/// One list, compiled when first asked. A list that did not compile matches nothing; a test sees
/// to it that all do.
pub(super) struct Words(LazyLock<Option<Test>>);

impl Words {
    pub(super) fn are_in(&self, text: &str) -> bool {
        self.0.as_ref().is_some_and(|list| list.is_match(text))
    }

    /// The text without what it begins with, if that is one of these.
    pub(super) fn stripped<'a>(&self, text: &'a str) -> Option<&'a str> {
        self.0.as_ref()?.stripped(text)
    }
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident = $pattern:expr;)*) => {
        $($(#[$doc])* pub(super) static $name: Words =
            Words(LazyLock::new(|| Test::new(concat!("(?i)", $pattern))));)*
        #[cfg(test)]
        static ALL: &[(&str, &Words)] = &[$((stringify!($name), &$name)),*];
    };
}

words! {
    // What a case is about, by its name and purpose.
    SECURITY = "安全|注入|遍历|穿越|恶意|攻击|越权|未授权|权限|敏感|漏洞|security|inject|traversal|malicious|attack|xss|exploit|unauthori|sensitive|privilege|ssrf|escape";
    NEGATIVE = "错误|异常|无效|不存在|非法|缺失|缺少|失败|为空|不支持|空(字符|参数|路径|值|查询|关键|输入|列表|内容)|负数|超出|invalid|missing|non-?exist|not ?exist|error|empty|unsupported|negative|wrong|bad |malformed|exceed|out ?of|corrupt|null|损坏|拒绝|reject|未知|unknown|类型不|格式错|过期|重复";
    BOUNDARY = "边界|极限|超长|最大|最小|极大|极小|大量|特殊字符|零|长|boundary|limit|max|min|long|large|edge|special|unicode|zero";

    // What arguments carry.
    /// Paths that leave the place they should stay in, or name one that is none of a tool's business.
    ESCAPE = r"\.\.[\\/]|[a-z]:[\\/]+(windows|program|users|system)|/etc/|/root|system32|\.git\b|/var/";
    CLIMB = r"\.\.[\\/]";
    SYSTEM_PLACE = r"[a-z]:[\\/]+windows|/etc/(passwd|shadow|hosts)|system32";
    /// Everybody may write there.
    TEMPORARY_PLACE = r"windows[\\/]+te?mp";
    SQL_ATTACK = "drop table|delete from|or '?1'?='?1|union select|;--|truncate";
    MARKUP_ATTACK = "<script|onerror=|javascript:";
    SHELL_ATTACK = r"[;&|]\s*(rm|ls|cat|whoami|dir|del)\b|&&|`|\$\(|rm -rf";
    /// What only the system's own files hold.
    SYSTEM_CONTENT = r"root:.?:0:0|1993-20\d\d microsoft|for 16-bit app|\[boot loader\]|daemon:.?:1:1";

    // What a reply comes to.
    LOST = "closedresourceerror|connection closed|brokenresourceerror|stream (is )?closed|session (is )?(closed|terminated)|broken pipe|endofstream";
    TIMED_OUT = r"timed out after [\d.]+ ?s|was cancelled";
    OPENS_WITH_FAILURE = r"^[^\w{\x{80}-\x{10ffff}]*(an? )?(error|failed|failure|exception|unable|cannot|could not|invalid|traceback|no |not found|unknown|missing|unexpected|access denied|permission)|^[^\w{\x{80}-\x{10ffff}]*(无法|错误|失败|发生错误|未能|操作失败)|❌";
    TELLS_FAILURE = r#""(error|errors|error_message|err)":\s*("[^"]|\{|\[\s*")|"(success|ok|status)":\s*false|"(status|result|message)":\s*"(error|fail)|"iserror":\s*true|error (occurred|executing)|exception occurred|发生错误|失败|错误[:：]|\b(failed|unable) to\b|could not "#;

    // What the text of a failure says.
    FRAMEWORK = r"^\s*(toolexception:?\s*)?(error executing tool [\w.-]+:?\s*)?";
    /// Says that something failed, and not yet what.
    PREAMBLE = r"^[^\w\x{80}-\x{10ffff}]*(an?\s+)?(unexpected|unknown|internal|general|tool)?\s*(error|exception|failure|errors?)(\s+(occurred|executing|while|when|during|in|of|fetching|getting|creating|processing)\b[^:：]{0,60})?\s*[:：]|^[^:：\n]{0,60}(失败|错误|异常|意外)\s*[:：]|^[^\w\x{80}-\x{10ffff}]*(failed|unable|could not|cannot) to [^:：\n]{0,60}[:：]|^[^:：\n]{0,40}\b(failed|error)\s*[:：]|^[^\w\x{80}-\x{10ffff}]*\w*(error|exception)\s*[:：]";
    HOLLOW = r"^[^\w\x{80}-\x{10ffff}]*((an?|the)\s+)?(unknown|unexpected|internal|server|general)?\s*(error|failure|problem|exception)?(\s*occurred)?[^\w\x{80}-\x{10ffff}]*$";
    SCHEMA = "validation errors? for|input validation error|field required|pydantic";
    BUG = r"traceback|has no attribute|nonetype|keyerror|typeerror|attributeerror|codec can't|unexpected keyword|not subscriptable|invalid literal|not json serializable|recursion depth|positional argument|cannot unpack|not iterable|not callable|before assignment|nameerror|is not defined|importerror|no module named|not implemented|out of sync|object at 0x|index out of range|^'\w+'$";
    REFUSAL = "must|should|please|expected|required|supported|only|not allowed|cannot be|can't be|range|between|at least|at most|forbidden|denied|invalid|illegal|unsafe|outside|restricted|traversal|prohibited|disallow|too (long|large|short|many)|exceed|not a valid|必须|应(为|该)|请|不能|不支持|不允许|非法|拒绝|权限|不安全|无效|禁止|只能|至少|范围|超出|过长|仅支持|不是有效";
    ABSENT = "not found|no such|(does|do) not exist|not exist|no .{0,30}found|did not (resolve|match)|unknown|找不到|不存在|未找到|没有找到";
    OUTSIDE = r"\b40[13]\b|unauthorized|forbidden for url|api.?key|access token|credential|connection|connect|network|timeout|timed out|rate.?limit|\b429\b|\b50[0-9]\b|max retries|ssl|proxy|getaddrinfo|dns";

    // What may not reach a model, or a server.
    /// Words meant for whoever judges a case.
    ADDRESSES_JUDGE = r"(ignore|disregard|forget) (all |any |the |your )?(previous|prior|above|earlier|instructions)|score (me|this|it)|\b\d+ ?/ ?(30|20|10|100)\b|full (marks|score|points)|you are (a|an|the|now) |(as|dear) (the )?(judge|grader|evaluator|reviewer|assistant)|(answer|respond|reply|verdict|grade)( must be|:| with| is)? ?.?(yes|fulfilled|pass)|system prompt|</?(system|instructions?)>|忽略.{0,8}(指令|要求|说明)|给.{0,6}满分";
    /// What would delete, stop or leave this machine.
    HARMFUL = r"rm -|rmdir|unlink|mkfs|dd if=|shutdown|reboot|kill|format [a-z]:|\bdel\b|drop (table|database|schema)|truncate|delete from|update .{1,40} set|insert into|alter table|curl|wget|nc -|powershell|invoke-|> ?/|/dev/|(https?|ftp|ssh|smb|gopher)://|chmod|chown|sudo|:\(\)\{|fork|while true";

    // What kind of tool it is.
    NETWORKED = "search|fetch|download|http|url|web|api|query|flight|stock|price|news|model|dataset|image|photo|online|remote|mail|weather";
    WRITING = "creat|writ|sav|add|append|insert|delet|remov|download|convert|merge|generat|update|edit|patch|replace|execut|copy|move|protect|format";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_compiles() {
        let broken: Vec<&str> =
            ALL.iter().filter(|(_, words)| words.0.is_none()).map(|(name, _)| *name).collect();
        assert!(broken.is_empty(), "{broken:?}");
    }

    #[test]
    fn lists_hold_in_both_languages() {
        assert!(SECURITY.are_in("Path traversal attempt") && SECURITY.are_in("测试注入攻击"));
        assert!(NEGATIVE.are_in("Nonexistent file") && NEGATIVE.are_in("参数缺失时"));
        assert!(!NEGATIVE.are_in("Reads the first page"));
        assert!(REFUSAL.are_in("limit must be positive") && REFUSAL.are_in("路径不能为空"));
        assert!(OPENS_WITH_FAILURE.are_in("无法打开") && !OPENS_WITH_FAILURE.are_in("共 3 行"));
    }
}
