import { expect, test } from "vitest"
import { suggestedAmounts } from "../../src/form/formErrors.js"

test("suggestedAmounts returns what an unclear amount may mean", () => {
  expect(suggestedAmounts("1,5")).toEqual(["1.5"])
  expect(suggestedAmounts("1,500")).toEqual(["1500", "1.500"])
  expect(suggestedAmounts(" 1 000.5 ")).toEqual(["1000.5"])
  for (const amount of ["", "1.5", "abc", "1,2,3", "-1,5"]) expect(suggestedAmounts(amount)).toEqual([])
})
