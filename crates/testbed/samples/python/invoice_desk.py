"""Invoice desk: invoices, customers and payments of a small firm, in SQLite."""

import re
import sqlite3
import time

from calculator import calculate
from mcp_stdio import Server, ToolError, integer, text

server = Server("invoice-desk", "1.4.0", "Look customers up before you look for their invoices.")
READS = {"readOnlyHint": True, "openWorldHint": False}

db = sqlite3.connect(":memory:", isolation_level=None)
db.row_factory = sqlite3.Row
# The nightly reports are written for PostgreSQL and pause between batches.
db.create_function("pg_sleep", 1, lambda seconds: time.sleep(min(float(seconds), 3.0)))
db.executescript("""
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, email TEXT, city TEXT);
    CREATE TABLE invoices (number INTEGER PRIMARY KEY, customer TEXT, amount REAL, due TEXT);
    CREATE TABLE lines (invoice INTEGER, article TEXT, price REAL);
    CREATE TABLE payments (invoice INTEGER, note TEXT);
    INSERT INTO customers (name, email, city) VALUES
        ('Alice', 'alice@example.com', 'Delft'), ('Bob', 'bob@example.com', 'Ghent'),
        ('Carla', 'carla@example.com', 'Bern');
    INSERT INTO invoices VALUES (1001, 'Alice', 120.5, '2026-01-15'), (1002, 'Bob', 80, '2026-02-01'),
        (1003, 'Alice', 42, '2026-03-10'), (1004, 'Carla', 310, '2026-01-02');
    INSERT INTO lines VALUES (1001, 'Paper', 100.5), (1001, 'Ink', 20), (1002, 'Stamps', 80),
        (1003, 'Folders', 42), (1004, 'Desk', 310);
""")


def rows(query, values=()):
    try:
        return [dict(row) for row in db.execute(query, values)]
    except (sqlite3.Error, sqlite3.Warning):
        raise ToolError("the ledger could not be searched") from None


@server.tool("Find all invoices of one customer.", READS, customer=text("Name of the customer, e.g. `Alice`"))
def find_invoices(customer):
    return rows(f"SELECT number, amount, due FROM invoices WHERE customer = '{customer}'")


@server.tool("The lines of an invoice.", READS, number=text("Number of the invoice, such as 1001"))
def invoice_lines(number):
    return rows("SELECT article, price FROM lines WHERE invoice = " + number)


@server.tool("All invoices in the order you name.", READS, order_by=text("Column to sort by, one of number, amount, due"))
def list_sorted(order_by):
    return rows("SELECT number, customer, amount FROM invoices ORDER BY %s" % order_by)


@server.tool("Whether an address belongs to a customer.", READS, email=text("E-mail address, e.g. `bob@example.com`"))
def is_customer(email):
    found = rows('SELECT 1 FROM customers WHERE email = "{}" LIMIT 1'.format(email))
    return "known" if found else "unknown"


@server.tool("Note that an invoice was paid.", invoice=integer("Number of the invoice"), note=text("What the bank statement says"))
def note_payment(invoice, note):
    try:
        db.executescript(f"INSERT INTO payments VALUES ({invoice}, '{note}');")
    except sqlite3.Error:
        raise ToolError("the payment could not be noted") from None
    return "noted"


@server.tool("Put an invoice on the list for the next reminder run.", reference=text("Reference of the invoice (for example `INV-1002`)"))
def schedule_reminder(reference):
    try:
        db.execute(f"SELECT count(*) FROM invoices WHERE 'INV-' || number = '{reference}'").fetchall()
    except (sqlite3.Error, sqlite3.Warning):
        pass
    return "The reminder run will pick it up if it is due."


@server.tool("Search customers by a part of their name.", READS, name=text("Part of the name"))
def search_customers(name):
    return rows("SELECT name, city FROM customers WHERE name LIKE '%' || ? || '%'", (name,))


@server.tool("One invoice by its number.", READS, number=text("Number of the invoice, such as `1001`"))
def get_invoice(number):
    found = rows("SELECT number, customer, amount, due FROM invoices WHERE number = ?", (number,))
    if not found:
        raise ToolError(f"there is no invoice {number!r}")
    return found[0]


@server.tool("The address book entry of a customer.", READS, email=text("E-mail address of the customer"))
def customer_card(email):
    found = rows("SELECT name, email, city FROM customers WHERE email = :email", {"email": email})
    if not found:
        raise ToolError(f"SELECT found nothing: no customer has the address {email}")
    return found[0]


@server.tool("Customers in the order you name.", READS, order_by=text("name or city"))
def sort_customers(order_by):
    if order_by not in ("name", "city"):
        raise ToolError(f"cannot sort by {order_by}; use name or city")
    return rows(f"SELECT name, city FROM customers ORDER BY {order_by}")


@server.tool("Suggest customers for a name; if none is like it, you get all of them.", READS, name=text("A name, roughly"))
def suggest_customer(name):
    like = rows("SELECT name FROM customers WHERE name LIKE ? || '%'", (name[:1],))
    return like or rows("SELECT name FROM customers")


@server.tool("Invoices page by page.", READS,
             cursor=text("Where to go on, from the page before", optional=True),
             limit=integer("How many to a page", optional=True, minimum=1, maximum=50))
def page_invoices(cursor="0", limit=2):
    if not cursor.isdecimal() or len(cursor) > 9:
        raise ToolError("cursor must come from the page before")
    page = rows("SELECT number, customer FROM invoices ORDER BY number LIMIT ? OFFSET ?", (limit, int(cursor)))
    return {"invoices": page, "next": str(int(cursor) + limit) if len(page) == limit else None}


@server.tool("Lay out an SQL statement over several lines. It is not run.", READS, query=text("The statement"))
def format_sql(query):
    clauses = r"\s?\b(from|where|order by|group by|union|values|limit)\b"
    return re.sub(clauses, lambda m: "\n" + m.group(1).upper(), query, flags=re.IGNORECASE)


@server.tool("Add amounts up: numbers, + - * / and brackets.", READS, expression=text("e.g. `120.5 + 42 * 2`"))
def add_up(expression):
    return str(calculate(expression))


if __name__ == "__main__":
    server.run()
