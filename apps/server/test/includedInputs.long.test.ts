import { includedInputs } from "./engines/includedInputs.js"

includedInputs("PostgreSQL")
