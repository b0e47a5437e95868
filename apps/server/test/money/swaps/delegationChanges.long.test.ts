import { delegationChanges } from "./delegationChanges.js"

delegationChanges()
