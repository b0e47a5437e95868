import { suite } from "./economics/suite.js"

suite(5, 1_000_000)
