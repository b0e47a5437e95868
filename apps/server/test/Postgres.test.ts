import { describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { storeContract } from "../../../packages/service/test/storeContract.js"
import * as Postgres from "../src/Postgres.js"
import { programs, shared } from "./postgres/cluster.js"

describe.skipIf(programs === undefined)("PostgreSQL", () => {
  const postgres = shared()
  const fresh = Layer.unwrap(
    Effect.map(Effect.promise(postgres.newDatabase), (url) => Postgres.layer({ url: Redacted.make(url) }))
  )
  storeContract("PostgreSQL", fresh)
})
