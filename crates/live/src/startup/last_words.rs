//! Realistic last words of servers, and the verdicts they deserve.

use super::tests::down;
use super::*;

struct Case {
    /// What the server printed to stderr.
    stderr: &'static str,
    exit: Option<i32>,
    command: &'static str,
    cause: DownCause,
    /// Must stand in what we say.
    says: &'static str,
    way_out: &'static str,
}

const fn case(
    stderr: &'static str,
    exit: i32,
    cause: DownCause,
    says: &'static str,
    way_out: &'static str,
) -> Case {
    Case { stderr, exit: Some(exit), command: "npx", cause, says, way_out }
}

fn facts(case: &Case) -> Facts {
    Facts {
        command: Some(case.command.to_owned()),
        exit: case.exit.map(|code| Exit::Code { code }),
        stderr_tail: case.stderr.lines().map(str::to_owned).collect(),
        waited: Duration::from_secs(60),
        ..Facts::default()
    }
}

fn check(cases: &[Case]) {
    for case in cases {
        let (cause, says, way_out) = down(&facts(case));
        let told = format!("{cause:?}: {says}\n→ {way_out}\nfrom: {}", case.stderr);
        assert_eq!(cause, case.cause, "{told}");
        assert!(says.contains(case.says), "wanted `{}` in {told}", case.says);
        assert!(way_out.contains(case.way_out), "wanted `{}` in {told}", case.way_out);
    }
}

#[test]
fn a_missing_credential_is_named_with_the_option_that_sets_it() {
    use DownCause::MissingCredential as Cause;
    check(&[
        case(
            "Error: WEATHER_API_KEY environment variable is required",
            1,
            Cause,
            "WEATHER_API_KEY",
            "--env WEATHER_API_KEY=…",
        ),
        case(
            "Please set CHAT_BOT_TOKEN and CHAT_TEAM_ID environment variables",
            1,
            Cause,
            "code 1",
            "--env CHAT_BOT_TOKEN=… --env CHAT_TEAM_ID=…",
        ),
        case(
            "Traceback (most recent call last):\n  File \"/app/server.py\", line 9, in <module>\n    KEY = os.environ[\"VAULT_KEY\"]\nKeyError: 'VAULT_KEY'",
            1,
            Cause,
            "KeyError",
            "--env VAULT_KEY=…",
        ),
        case(
            "No access token was given. Pass one with --access-token",
            1,
            Cause,
            "access token",
            "`--access-token …`",
        ),
        case(
            "file:///srv/index.js:12\n        throw new Error('Missing API key');\n        ^\n\nError: Missing API key\n    at main (file:///srv/index.js:12:15)\n\nNode.js v22.1.0",
            1,
            Cause,
            "Missing API key",
            "--env NAME=…",
        ),
        case(
            "pydantic_core._pydantic_core.ValidationError: 1 validation error for ServerSettings\napi_key\n  Field required [type=missing, input_value={}, input_type=dict]",
            1,
            Cause,
            "ServerSettings",
            "README",
        ),
        case(
            "botocore.exceptions.NoCredentialsError: Unable to locate credentials",
            1,
            Cause,
            "Unable to locate",
            "--env",
        ),
        case(
            "\u{1b}[31mError:\u{1b}[0m NOTES_TOKEN is not set",
            1,
            Cause,
            "`Error: NOTES_TOKEN is not set`",
            "--env NOTES_TOKEN=…",
        ),
    ]);
}

#[test]
fn a_broken_dependency_is_told_from_missing_software() {
    use DownCause::BrokenDependency as Cause;
    let uvx = |stderr, way_out| Case {
        command: "/usr/local/bin/uvx",
        ..case(stderr, 1, Cause, "code 1", way_out)
    };
    check(&[
        uvx(
            "  File \"/c/server.py\", line 3\n    from mcp.server.fastmcp import FastMCP\nModuleNotFoundError: No module named 'mcp.server.fastmcp'",
            "uvx --with 'mcp<2'",
        ),
        uvx("AttributeError: 'Server' object has no attribute 'list_tools'", "mcp<2"),
        uvx(
            "ImportError: cannot import name 'McpError' from 'mcp.shared.exceptions' (/x/exceptions.py)",
            "mcp<2",
        ),
        case(
            "ModuleNotFoundError: No module named 'duckdb'",
            1,
            Cause,
            "duckdb",
            "install `duckdb`",
        ),
        case("ModuleNotFoundError: No module named 'mcp'", 1, Cause, "'mcp'", "install `mcp`"),
        case(
            "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /x/y.js",
            1,
            Cause,
            "zod",
            "install `zod`",
        ),
        case(
            "Error [ERR_PACKAGE_PATH_NOT_EXPORTED]: Package subpath './dist/types' is not defined by \"exports\" in /x/package.json",
            1,
            Cause,
            "ERR_PACKAGE",
            "versions",
        ),
        case(
            "pydantic.errors.PydanticUserError: A non-annotated attribute was detected",
            1,
            Cause,
            "Pydantic",
            "versions",
        ),
        case(
            "npm error code E404\nnpm error 404 Not Found - GET http://127.0.0.1:4873/no-such-server - Not found",
            1,
            Cause,
            "404",
            "name and version",
        ),
        case(
            "npm ERR! code ETARGET\nnpm ERR! notarget No matching version found for a-server@99",
            1,
            Cause,
            "matching version",
            "name and version",
        ),
        case(
            "ERROR: No matching distribution found for a-server==99",
            1,
            Cause,
            "No matching",
            "name and version",
        ),
        case(
            "  × No solution found when resolving tool dependencies:\n  ╰─▶ Because a-server was not found in the package registry, we can conclude…",
            1,
            Cause,
            "registry",
            "name and version",
        ),
        case(
            "Error: Cannot find module '/scratch/workspace/dist/index.js'\n    at Module._resolveFilename\n  code: 'MODULE_NOT_FOUND',",
            1,
            Cause,
            "dist/index.js",
            "check the path",
        ),
        case(
            "Error: The module '/x/y.node' was compiled against a different Node.js version using NODE_MODULE_VERSION 108.",
            1,
            Cause,
            "NODE_MODULE",
            "versions",
        ),
    ]);
}

#[test]
fn missing_software_is_named() {
    use DownCause::MissingSoftware as Cause;
    check(&[
        case("sh: 1: deno: not found", 127, Cause, "deno", "install `deno`"),
        case(
            "Error: spawn railway ENOENT\n    at ChildProcess._handle.onexit",
            1,
            Cause,
            "railway",
            "install `railway`",
        ),
        case(
            "FileNotFoundError: [Errno 2] No such file or directory: 'deno'",
            1,
            Cause,
            "deno",
            "install `deno`",
        ),
        case(
            "docker.errors.DockerException: Error while fetching server API version: Cannot connect to the Docker daemon",
            1,
            Cause,
            "Docker daemon",
            "--isolation scratch",
        ),
        case(
            "exec: \"kubectl\": executable file not found in $PATH",
            1,
            Cause,
            "kubectl",
            "install `kubectl`",
        ),
        case("Error: connect ECONNREFUSED 127.0.0.1:5432", 1, Cause, "5432", "start the service"),
        case("", 127, Cause, "code 127", "PATH"),
    ]);
}

#[test]
fn a_missing_network_is_seen() {
    use DownCause::MissingNetwork as Cause;
    check(&[
        case(
            "Error: getaddrinfo ENOTFOUND api.example.com",
            1,
            Cause,
            "ENOTFOUND",
            "`api.example.com`",
        ),
        case(
            "npm error code EAI_AGAIN\nnpm error network request to https://registry.example.org/x failed, reason: getaddrinfo EAI_AGAIN registry.example.org",
            1,
            Cause,
            "registry",
            "`registry.example.org`",
        ),
        case(
            "httpx.ConnectError: [Errno -3] Temporary failure in name resolution",
            1,
            Cause,
            "name resolution",
            "network",
        ),
        case("OSError: [Errno 101] Network is unreachable", 1, Cause, "unreachable", "network"),
        case(
            "TypeError: fetch failed\n    at node:internal/deps/undici",
            1,
            Cause,
            "fetch failed",
            "network",
        ),
        case("Error: connect ECONNREFUSED 93.184.216.34:443", 1, Cause, "ECONNREFUSED", "network"),
        Case {
            exit: None,
            ..case(
                "retrying: getaddrinfo EAI_AGAIN hub.example.com",
                0,
                Cause,
                "within 60 s",
                "`hub.example.com`",
            )
        },
    ]);
}

#[test]
fn our_own_fence_is_named_where_it_is_the_cause() {
    check(&[
        case(
            "Error: EROFS: read-only file system, open '/var/lib/app/state.json'",
            1,
            DownCause::ExitedEarly,
            "EROFS",
            "--isolation scratch",
        ),
        case(
            "Error: there is no configuration at ~/.thing/config\nUsage:\n  thing [flags]\n\n      --version   Print version information",
            1,
            DownCause::ExitedEarly,
            "there is no configuration",
            "add the arguments",
        ),
        case(
            "npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/scratch/workspace/package.json'",
            254,
            DownCause::ExitedEarly,
            "package.json",
            "--cwd",
        ),
        case(
            "usage: git-server [-h] --repository REPOSITORY\ngit-server: error: the following arguments are required: --repository",
            2,
            DownCause::ExitedEarly,
            "--repository",
            "add the arguments",
        ),
    ]);
}

#[test]
fn what_is_not_recognised_is_shown_as_it_is() {
    check(&[
        case(
            "something odd happened\n",
            3,
            DownCause::ExitedEarly,
            "`something odd happened`",
            "by hand",
        ),
        case(
            "SyntaxError: Unexpected token '<', \"<html>\" is not valid JSON",
            1,
            DownCause::ExitedEarly,
            "Unexpected token",
            "by hand",
        ),
        case(
            "npm warn deprecated inflight@1.0.6: missing API key support",
            1,
            DownCause::ExitedEarly,
            "npm warn",
            "by hand",
        ),
        Case {
            exit: None,
            ..case("", 0, DownCause::SilentHang, "no answer came within 60 s", "--startup-timeout")
        },
        Case {
            exit: None,
            ..case("starting up", 0, DownCause::SilentHang, "`starting up`", "--startup-timeout")
        },
        Case {
            exit: None,
            ..case(
                "INFO: Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)",
                0,
                DownCause::NotMcp,
                "Uvicorn",
                "--url http://127.0.0.1:8000",
            )
        },
    ]);
}
