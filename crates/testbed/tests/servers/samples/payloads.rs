//! Hostile values, harmless by construction: they compute, read what was planted, call our own
//! page or make one file in the scratch folder.

/// What only running a payload yields.
pub(super) const TELLTALE: &str = "har60bour";

pub(super) const PAYLOADS: &[&str] = &[
    // Shells and options
    "x; echo har$((20*3))bour",
    "x' ; echo har$((20*3))bour ; '",
    "x\"; echo har$((20*3))bour; \"",
    "x | echo har$((20*3))bour",
    "$(echo har$((20*3))bour)",
    "`echo har$((20*3))bour`",
    "x\necho har$((20*3))bour",
    "x & touch made.txt",
    "$(touch made.txt)",
    "x\ntouch made.txt",
    "--output=made.txt",
    "-omade.txt",
    "--file={outside}/canary-outside.txt",
    "-f{outside}/canary-outside.txt",
    // Code and templates
    "'har'+str(20*3)+'bour'",
    "'har'+(20*3)+'bour'",
    "__import__('os').environ['CANARY_API_TOKEN']",
    "process.env.CANARY_API_TOKEN",
    "this.constructor.constructor('return process')().env.CANARY_API_TOKEN",
    "open('{outside}/canary-outside.txt').read()",
    "har{{20*3}}bour",
    "har{{ 20*3 }}bour",
    "har${20*3}bour",
    "har#{20*3}bour",
    "har<%= 20*3 %>bour",
    "har{20*3}bour",
    "har@(20*3)bour",
    "{sender.__class__.__init__.__globals__}",
    // SQL
    "x' UNION SELECT 'har'||(20*3)||'bour' --",
    "x' UNION SELECT 'har'||(20*3)||'bour', 2 --",
    "x' UNION SELECT 'har'||(20*3)||'bour', 2, 3 --",
    "x' UNION SELECT 'har'||(20*3)||'bour', 2, 3, 4 --",
    "0 UNION SELECT 'har'||(20*3)||'bour', 2",
    "0 UNION SELECT 'har'||(20*3)||'bour', 2, 3, 4",
    "x\" UNION SELECT 'har'||(20*3)||'bour' --",
    "x'; ATTACH 'made.txt' AS m; CREATE TABLE m.t (a); --",
    // Paths
    "../outside/canary-outside.txt",
    "{outside}/canary-outside.txt",
    "{workspace}/../outside/canary-outside.txt",
    "docs/../../outside/canary-outside.txt",
    "....//outside/canary-outside.txt",
    "%2e%2e%2foutside%2fcanary-outside.txt",
    "%252e%252e%252foutside%252fcanary-outside.txt",
    "../outside/canary-outside.txt\u{0}.md",
    "file://{outside}/canary-outside.txt",
    "../home/.ssh/id_canary",
    // Addresses
    "{site}/seen",
    "http://localhost:{port}/seen",
    "http://2130706433:{port}/seen",
    "http://0x7f000001:{port}/seen",
    "http://0177.0.0.1:{port}/seen",
    "http://127.1:{port}/seen",
    "http://0.0.0.0:{port}/seen",
    "http://[::ffff:127.0.0.1]:{port}/seen",
    "https://press.example.org@127.0.0.1:{port}/seen",
    // Documents
    "<!DOCTYPE r [<!ENTITY e SYSTEM \"file://{outside}/canary-outside.txt\">]><r>&e;</r>",
    "<!DOCTYPE r [<!ENTITY e SYSTEM \"{site}/seen\">]><r>&e;</r>",
    "python:__import__('base64').b64encode(b\"cbuiltins\\neval\\n(S'\\\"quiet-\\\"+\\\"harbour\\\"'\\ntR.\").decode()",
    "a: !!python/object/apply:eval [\"'har'+str(20*3)+'bour'\"]",
    "{\"a\": \"_$$ND_FUNC$$_function(){ return 'har' + 20*3 + 'bour' }()\"}",
];

/// Conditions that only a query tells apart.
pub(super) const PAIRS: [[&str; 2]; 6] = [
    ["zz' OR '1'='1", "zz' OR '1'='2"],
    ["0 OR 1=1", "0 OR 1=2"],
    ["zz\" OR \"1\"=\"1", "zz\" OR \"1\"=\"2"],
    ["*)(uid=a*", "*)(uid=z*"],
    ["zz' or '1'='1' or 'a'='b", "zz' or '1'='2' or 'a'='b"],
    ["{\"$ne\": \"zz\"}", "{\"$eq\": \"zz\"}"],
];

/// What takes careless tools long.
pub(super) const LONG: &[&str] = &[
    "python:'1' * 3000",
    "python:'(' * 20000",
    "python:' ' * 20000 + 'x'",
    "python:'a' * 30000 + '!'",
    "python:'<' * 20000",
    "python:'{{ ' * 7000",
    "python:'A-' * 8000",
    "python:'(a+)+$'",
    "python:'<!DOCTYPE r [<!ENTITY a \"' + 'x' * 50 + '\">' + ''.join(f'<!ENTITY {n} \"' + f'&{m};' * 10 + '\">' for m, n in zip('abcdefg', 'bcdefgh')) + ']><r>&h;</r>'",
];
