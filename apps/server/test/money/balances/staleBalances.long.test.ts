import { staleBalances } from "./staleBalances.js"

staleBalances("SQLite")
staleBalances("PostgreSQL")
