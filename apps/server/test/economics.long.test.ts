import { suite } from "./economics/suite.js"

suite(150, 20_000_000)

// The budget is soon spent.
suite(30, 500_000)
