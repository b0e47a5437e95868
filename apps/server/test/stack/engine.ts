/** Where a server stores its swaps. The tests use SQLite; the long tests also use PostgreSQL. */
export type Engine = "SQLite" | "PostgreSQL"
