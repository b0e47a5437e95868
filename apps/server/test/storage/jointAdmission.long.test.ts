import { describe } from "@effect/vitest"
import { SqlStore } from "@geoswap/service"
import * as Layer from "effect/Layer"
import * as Sqlite from "../../src/storage/Sqlite.js"
import { programs } from "../stack/postgres/cluster.js"
import { suite } from "./admission/suite.js"
import { storeDatabases } from "./storeDatabases.js"

const timeout = 7_200_000

describe("what SQLite accepts", () => {
  suite(20_000, Layer.fresh(SqlStore.layer.pipe(Layer.provide(Sqlite.layer({ path: ":memory:" })))), timeout)
})

describe.skipIf(programs === undefined)("what PostgreSQL accepts", () => {
  const { emptied } = storeDatabases()
  suite(20_000, SqlStore.layer.pipe(Layer.provide(emptied)), timeout)
})
