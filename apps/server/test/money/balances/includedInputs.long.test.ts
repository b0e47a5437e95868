import { includedInputs } from "./includedInputs.js"

includedInputs("SQLite")
includedInputs("PostgreSQL")
