/** One mutant for each probe. `mutants.long.test.ts` has all mutants. */
import { describe } from "@effect/vitest"
import { probesNotice } from "./mutantSuite.ts"
import { mutants } from "./mutants.ts"

describe("the probes", () => {
  probesNotice(mutants.filter(({ probe }, index) => mutants.findIndex((mutant) => mutant.probe === probe) === index))
})
