import { findsBrokenSigners } from "./reference/brokenSigners.js"

findsBrokenSigners("all cases")
