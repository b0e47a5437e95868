import { suite } from "./economics.js"

suite(5, 1_000_000)
