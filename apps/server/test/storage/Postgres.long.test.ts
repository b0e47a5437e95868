/** The store contract with generated values on PostgreSQL. `Postgres.test.ts` has all other cases. */
import { describe, expect, it } from "@effect/vitest"
import { SqlStore } from "@geoswap/service"
import { storeContract } from "@geoswap/service/testing"
import * as Layer from "effect/Layer"
import { programs } from "../stack/postgres/cluster.js"
import { isGenerated } from "./generatedCases.js"
import { storeDatabases } from "./storeDatabases.js"

describe.skipIf(programs === undefined)("a store on PostgreSQL", () => {
  const { emptied } = storeDatabases()
  const cases = storeContract(SqlStore.layer.pipe(Layer.provide(emptied))).filter(isGenerated)

  for (const { name, run } of cases) it.effect(name, () => run)

  it("has four cases with generated values", () => expect(cases).toHaveLength(4))
})
