import { staleBalances } from "./engines/staleBalances.js"

staleBalances("PostgreSQL")
