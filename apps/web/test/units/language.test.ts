import { expect, test } from "vitest"
import { catalogueOf } from "../../src/language/catalogue.js"
import { de } from "../../src/language/de.js"
import { en } from "../../src/language/en.js"

type Leaf = readonly [path: string, value: unknown]

const leavesOf = (value: unknown, path = ""): ReadonlyArray<Leaf> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, `${path}.${name}`))
    : [[path, value]]

/** Texts that are the same in both languages. */
const shared =
  /^\.(page\.details|wallets\.title|picker\.chains|slippage\.(title|auto|autoPercent)|progress\.ahead\.delegation|time\.(seconds|minutes|hours|wholeMinutes))$/

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

test("a translation has the placeholders of the English text, and lists have none", () => {
  const placeholdersOf = (value: unknown) => [...new Set(String(value).match(/\{\w+\}/g))].toSorted().join()
  const german = new Map(leavesOf(de))
  const differing = leavesOf(en).filter(([path, value]) => {
    const [expected, found] = [placeholdersOf(value), placeholdersOf(german.get(path))]
    return expected !== found || (expected !== "" && /\.\d+$/.test(path))
  })
  expect(differing.map(([path]) => path)).toEqual([])
})

test("the placeholders of a text are its parameters, in the order of the English text", () => {
  const { names, progress } = catalogueOf(de)
  expect(names.notFound("a.eth", "Base")).toBe("a.eth hat auf Base keine Adresse.")
  expect(progress.steps.refund("{chain}", "Base")).toBe("{chain} auf Base erstattet")
})
