import { suite } from "./economics.js"

suite(150, 20_000_000)

// The budget is soon spent.
suite(30, 500_000)
