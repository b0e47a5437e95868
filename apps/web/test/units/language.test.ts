import { expect, test } from "vitest"
import { de } from "../../src/language/de.js"
import { en } from "../../src/language/en.js"

type Leaf = readonly [path: string, value: unknown]

const leavesOf = (value: unknown, path = ""): ReadonlyArray<Leaf> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, `${path}.${name}`))
    : [[path, value]]

/** Texts that are the same in both languages. */
const shared =
  /^\.(page\.details|wallets\.title|picker\.chains|slippage\.(title|auto)|progress\.ahead\.delegation|time\.(seconds|minutes|hours|wholeMinutes))$/

test("every text is translated", () => {
  const german = new Map(leavesOf(de))
  const english = leavesOf(en)
  expect([...german.keys()].toSorted()).toEqual(english.map(([path]) => path).toSorted())
  const same = english.filter(([path, value]) => {
    const other = german.get(path)
    return !shared.test(path) && String(other).replaceAll(/\s/g, "") === String(value).replaceAll(/\s/g, "")
  })
  expect(same.map(([path]) => path)).toEqual([])
})
