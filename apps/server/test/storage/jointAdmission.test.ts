import { describe } from "@effect/vitest"
import { SqlStore } from "@geoswap/service"
import * as Layer from "effect/Layer"
import * as Sqlite from "../../src/storage/Sqlite.js"
import { programs } from "../stack/postgres/cluster.js"
import { controls, suite } from "./admission/suite.js"
import { storeDatabases } from "./storeDatabases.js"

const timeout = 120_000
const inMemory = Layer.fresh(SqlStore.layer.pipe(Layer.provide(Sqlite.layer({ path: ":memory:" }))))

describe("what SQLite accepts", () => {
  suite(80, inMemory, timeout)
  controls(inMemory, timeout)
})

describe.skipIf(programs === undefined)("what PostgreSQL accepts", () => {
  const { emptied } = storeDatabases()
  suite(20, SqlStore.layer.pipe(Layer.provide(emptied)), timeout)
})
