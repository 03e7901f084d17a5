//! Orders in other languages, as far as a few stems carry.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// Stems of one language: to set aside, instructions, not to tell, the user, to pass on, secrets.
struct Tongue {
    skip: &'static [&'static str],
    rules: &'static [&'static str],
    hush: &'static [&'static str],
    user: &'static [&'static str],
    take: &'static [&'static str],
    give: &'static [&'static str],
    private: &'static [&'static str],
}

const NAMES: &[&str] =
    &[".ssh", "id_rsa", "/etc/passwd", ".env", "mcp.json", ".aws", "http://", "https://"];

const TONGUES: &[Tongue] = &[
    Tongue {
        skip: &["ignorier", "missachte", "vergiss"],
        rules: &["anweisung", "instruktion", "regeln", "vorgaben"],
        hush: &["nichts", "nicht", "ohne", "heimlich", "verschweig"],
        user: &["nutzer", "anwender", "menschen"],
        take: &["lies ", "lese ", "öffne", "sammle", "kopiere"],
        give: &["sende", "schick", "übergib", "übermittle", "leite", "hänge"],
        private: &[
            "passwört",
            "passwort",
            "schlüssel",
            "zugangsdaten",
            "gespräch",
            "unterhaltung",
            "geheim",
        ],
    },
    Tongue {
        skip: &["ignore", "oublie", "néglige"],
        rules: &["instructions", "consignes", "règles", "directives"],
        hush: &["sans", "ne ", "n'en", "pas ", "discrètement"],
        user: &["utilisateur"],
        take: &["lis ", "lisez", "ouvre", "récupère", "copie"],
        give: &["envoie", "envoyez", "transmet", "transfère", "ajoute"],
        private: &[
            "mots de passe",
            "mot de passe",
            "clé",
            "identifiants",
            "conversation",
            "secret",
        ],
    },
    Tongue {
        skip: &["ignora", "olvida", "descarta", "esquece", "desconsidere", "dimentica"],
        rules: &["instrucciones", "reglas", "instruções", "regras", "istruzioni", "regole"],
        hush: &["sin ", "no ", "sem ", "não ", "senza ", "non "],
        user: &["usuario", "usuário", "utente", "decírselo"],
        take: &["lee ", "lea ", "abre ", "leia ", "leggi", "copia"],
        give: &["envía", "envia", "manda", "pasa ", "reenvía", "invia", "passa "],
        private: &[
            "contraseñas",
            "contraseña",
            "claves",
            "credenciales",
            "senhas",
            "senha",
            "password",
            "conversación",
        ],
    },
    Tongue {
        skip: &["игнорир", "забудь", "не обращай"],
        rules: &["инструкц", "указани", "правил"],
        hush: &["не говори", "не сообщ", "тайно", "не упомин", "без ведома", "скрыт"],
        user: &["пользовател"],
        take: &["прочита", "прочти", "открой", "собер"],
        give: &["отправ", "перешли", "передай", "пошли"],
        private: &["парол", "ключ", "переписк", "секрет"],
    },
    Tongue {
        skip: &["忽略", "无视", "無視", "忘记", "忘れ"],
        rules: &["指令", "指示", "规则", "規則", "提示词", "命令", "ルール"],
        hush: &[
            "不要告诉",
            "不要向",
            "不要提",
            "悄悄",
            "别告诉",
            "言わない",
            "知らせない",
            "内緒",
            "秘密に",
        ],
        user: &["用户", "使用者", "ユーザー", "别人"],
        take: &["读取", "打开", "收集", "読み取り", "読んで", "開いて"],
        give: &["发送", "传递", "转发", "上传", "渡し", "送信", "送って"],
        private: &["密码", "密钥", "口令", "对话", "パスワード", "鍵", "会話", "内容"],
    },
];

/// Whom or what an order is about: without one of these there is none, and most texts have none.
static ABOUT: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let lists = TONGUES.iter().flat_map(|t| [t.rules, t.user, t.private]).chain([NAMES]);
    AhoCorasick::new(lists.flatten()).ok()
});

/// The weight of the orders in a sentence, 0 if there are none.
pub(super) fn weight(raw: &str) -> f64 {
    let lower = raw.to_lowercase();
    if ABOUT.as_ref().is_some_and(|about| !about.is_match(&lower)) {
        return 0.0;
    }
    let by_tongue = TONGUES.iter().map(|tongue| {
        let has = |list: &[&str]| list.iter().any(|stem| lower.contains(stem));
        let private = || has(tongue.private) || has(NAMES);
        let mut weight = 0.0;
        // English and French share some words; one of them alone says nothing.
        if has(tongue.skip) && has(tongue.rules) && prior(&lower) {
            weight += 1.0;
        }
        if has(tongue.hush) && has(tongue.user) {
            weight += 0.4;
        }
        if has(tongue.take) && private() {
            weight += 0.5;
        }
        if has(tongue.give) && private() {
            weight += 0.5;
        }
        weight
    });
    by_tongue.fold(0.0, f64::max)
}

fn prior(lower: &str) -> bool {
    const PRIOR: &[&str] = &[
        "vorherig",
        "bisherig",
        "früher",
        "alle",
        "précédent",
        "antérieur",
        "toutes",
        "anterior",
        "previas",
        "todas",
        "preceden",
        "tutte",
        "предыдущ",
        "прежн",
        "все ",
        "之前",
        "以前",
        "上述",
        "以上",
        "所有",
        "前の",
        "これまで",
        "すべて",
    ];
    PRIOR.iter().any(|stem| lower.contains(stem))
}
