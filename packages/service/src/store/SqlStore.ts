/** The SQL implementation of the store, on SQLite and PostgreSQL. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as AcceptSwap from "./acceptSwap.js"
import * as Accounts from "./accounts.js"
import * as Batches from "./batches.js"
import * as ChangeSwap from "./changeSwap.js"
import * as Totals from "./claims/claimTotals.js"
import * as DelegationChanges from "./delegationChanges.js"
import * as Dialect from "./dialect.js"
import * as Leases from "./leases.js"
import * as LostCollections from "./lostCollections.js"
import { migrate } from "./migrations.js"
import * as Nonces from "./nonces.js"
import * as OperationIndices from "./operationIndices.js"
import * as ReadSwaps from "./readSwaps.js"
import * as RelayerLanes from "./relayerLanes.js"
import * as SpentGasLedger from "./spentGasLedger.js"
import { Store, type StoreUnavailable } from "./Store.js"
import { unavailable } from "./storeUnavailable.js"

/** A layer that migrates the tables and then provides the store. */
export const layer: Layer.Layer<Store, StoreUnavailable, SqlClient.SqlClient> = Layer.effect(
  Store,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* migrate.pipe(unavailable("migrate the tables"))
    const dialect = Dialect.make(sql)
    const { snapshot, totals, transaction } = dialect
    yield* Totals.check(totals, sql, { snapshot, write: transaction }).pipe(unavailable("check the claims"))
    return Store.of({
      ...Accounts.make(sql, dialect),
      ...Nonces.make(sql),
      ...OperationIndices.make(sql, dialect),
      ...AcceptSwap.make(sql, dialect),
      ...ChangeSwap.make(dialect),
      ...ReadSwaps.make(sql, dialect),
      ...Leases.make(sql, dialect),
      batches: Batches.make(sql, dialect),
      delegations: DelegationChanges.make(sql, dialect),
      lanes: RelayerLanes.make(sql, dialect),
      losses: LostCollections.make(sql),
      spentGas: SpentGasLedger.make(sql)
    })
  })
)
