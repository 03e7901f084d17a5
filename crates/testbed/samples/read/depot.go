// Depot: parcels and papers, for a reader of source code.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

var db *sql.DB

const root = "/srv/depot"

func tableLine(name string) string {
	return fmt.Sprintf("SELECT id, weight FROM parcels WHERE owner = '%s'", name)
}

func main() {
	s := server.NewMCPServer("depot", "1.0.0")
	s.AddTool(mcp.NewTool("parcels_of", mcp.WithString("owner")), parcelsOf)
	s.AddTool(mcp.NewTool("parcels_for", mcp.WithString("owner")), parcelsFor)
	s.AddTool(mcp.NewTool("show_paper", mcp.WithString("file")), showPaper)
	s.AddTool(mcp.NewTool("show_receipt", mcp.WithString("file")), showReceipt)
	s.AddTool(mcp.NewTool("print_log", mcp.WithString("day")), printLog)
	s.AddTool(mcp.NewTool("count_log", mcp.WithString("day")), countLog)
	s.AddTool(mcp.NewTool("carrier_page", mcp.WithString("host")), carrierPage)
	s.AddTool(mcp.NewTool("tracking_page", mcp.WithString("number")), trackingPage)
	server.ServeStdio(s)
}

func parcelsOf(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	owner := request.GetString("owner", "")
	rows, err := db.QueryContext(ctx, tableLine(owner))
	return answer(rows, err)
}

func parcelsFor(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	owner := request.GetString("owner", "")
	rows, err := db.QueryContext(ctx, "SELECT id, weight FROM parcels WHERE owner = $1", owner)
	return answer(rows, err)
}

func showPaper(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	file, err := request.RequireString("file")
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, file))
	return mcp.NewToolResultText(string(text)), err
}

func showReceipt(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	full := filepath.Clean(filepath.Join(root, request.GetString("file", "")))
	if !strings.HasPrefix(full, root+"/") {
		return nil, fmt.Errorf("not among the receipts")
	}
	text, err := os.ReadFile(full)
	return mcp.NewToolResultText(string(text)), err
}

func printLog(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	line := fmt.Sprintf("zcat logs/%s.gz | head", request.GetString("day", ""))
	out, err := exec.CommandContext(ctx, "sh", "-c", line).Output()
	return mcp.NewToolResultText(string(out)), err
}

func countLog(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	out, err := exec.CommandContext(ctx, "wc", "-l", "--", request.GetString("day", "")).Output()
	return mcp.NewToolResultText(string(out)), err
}

func carrierPage(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	page, err := http.Get("https://" + request.GetString("host", "") + "/status")
	return answer(page, err)
}

func trackingPage(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	page, err := http.Get(fmt.Sprintf("https://carrier.example.com/track/%s", request.GetString("number", "")))
	return answer(page, err)
}

func answer(found any, err error) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultText(fmt.Sprint(found)), err
}
