import { includedInputs } from "./engines/includedInputs.js"

includedInputs("SQLite")
includedInputs("PostgreSQL")
