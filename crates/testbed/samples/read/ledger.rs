//! Ledger: accounts and bookings, for a reader of source code.

use rmcp::{handler::server::wrapper::Parameters, tool, tool_router};

const ROOT: &str = "/srv/ledger";

#[tool_router]
impl Ledger {
    #[tool(description = "Bookings of an account")]
    async fn bookings(&self, Parameters(request): Parameters<Account>) -> String {
        let statement = format!("SELECT * FROM bookings WHERE account = '{}'", request.account);
        show(sqlx::query(&statement).fetch_all(&self.pool).await)
    }

    #[tool(description = "Balance of an account")]
    async fn balance(&self, Parameters(request): Parameters<Account>) -> String {
        show(sqlx::query("SELECT sum(amount) FROM bookings WHERE account = ?").bind(request.account).fetch_one(&self.pool).await)
    }

    #[tool(description = "A voucher by its file")]
    async fn voucher(&self, Parameters(request): Parameters<File>) -> String {
        let Parts { file, .. } = request;
        std::fs::read_to_string(format!("{ROOT}/{file}")).unwrap_or_default()
    }

    #[tool(description = "A statement by its year")]
    async fn statement(&self, Parameters(request): Parameters<Year>) -> String {
        let year: u16 = request.year.parse::<u16>().unwrap_or_default();
        let _ = request;
        std::fs::read_to_string(format!("{ROOT}/{year:04}.txt")).unwrap_or_default()
    }

    #[tool(description = "Exports bookings")]
    async fn export(&self, Parameters(request): Parameters<File>) -> String {
        let line = format!("tar czf - {}", request.file);
        let out = std::process::Command::new("sh").arg("-c").arg(&line).output();
        show(out)
    }
}
