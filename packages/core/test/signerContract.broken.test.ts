import { findsBrokenSigners } from "./reference/brokenSigners.js"

findsBrokenSigners("the cases that must fail")
