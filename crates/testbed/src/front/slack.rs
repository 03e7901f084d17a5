//! What careless set-ups add around an endpoint: permissions for all pages, pages that tell too
//! much, files that lie about.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

use super::http::plain;
use crate::mode::Slack;

const TRACE: &str = "<html><body><h1>Internal Server Error</h1><pre>Traceback (most recent call last):\n  File \"/srv/notebook/app.py\", line 88, in handle\n    message = json.loads(body)\n</pre></body></html>";

pub(crate) async fn around(
    State(slack): State<Slack>,
    request: Request,
    next: Next,
) -> Response<Body> {
    match slack {
        Slack::SharesWithAll => shared(request, next).await,
        Slack::ShowsTraces => {
            let response = next.run(request).await;
            let refused = matches!(
                response.status(),
                StatusCode::NOT_FOUND | StatusCode::UNSUPPORTED_MEDIA_TYPE
            );
            if refused { plain(StatusCode::INTERNAL_SERVER_ERROR, TRACE) } else { response }
        }
        Slack::LeavesFiles => match request.uri().path() {
            "/.env" => {
                plain(StatusCode::OK, "NOTEBOOK_URL=http://127.0.0.1\nNOTEBOOK_KEY=under-the-mat\n")
            }
            "/.git/HEAD" => plain(StatusCode::OK, "ref: refs/heads/main\n"),
            _ => next.run(request).await,
        },
        Slack::None | Slack::ChosenIds | Slack::CountedIds | Slack::BindsEverywhere => {
            next.run(request).await
        }
    }
}

/// Whoever asks may read the answer, and act as the reader.
async fn shared(request: Request, next: Next) -> Response<Body> {
    let origin = request.headers().get("origin").cloned();
    let mut response = match *request.method() == Method::OPTIONS {
        true => plain(StatusCode::NO_CONTENT, ""),
        false => next.run(request).await,
    };
    if let Some(origin) = origin {
        let headers = response.headers_mut();
        headers.insert("access-control-allow-origin", origin);
        headers.insert("access-control-allow-credentials", HeaderValue::from_static("true"));
        headers.insert(
            "access-control-allow-headers",
            HeaderValue::from_static("content-type, authorization"),
        );
    }
    response
}
