import { delegationChanges } from "./suites/delegationChanges.js"

delegationChanges()
