import { staleBalances } from "./engines/staleBalances.js"

staleBalances("SQLite")
staleBalances("PostgreSQL")
