import { describe } from "@effect/vitest"
import { probesNotice } from "./mutantSuite.ts"
import { mutants } from "./mutants.ts"

describe("the probes", () => {
  probesNotice(mutants)
})
