/** The SQL implementation of the store, on SQLite and PostgreSQL. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as AcceptSwap from "./acceptance/acceptSwap.js"
import * as Totals from "./acceptance/claimTotals.js"
import * as OperationIndices from "./acceptance/operationIndices.js"
import * as Accounts from "./accounts/sqlAccounts.js"
import * as Batches from "./batches/sqlBatches.js"
import * as SpentGasLedger from "./costs/sqlGasLedger.js"
import * as DelegationChanges from "./delegations/sqlDelegations.js"
import * as Nonces from "./lanes/relayerNonces.js"
import * as RelayerLanes from "./lanes/sqlLanes.js"
import * as LostCollections from "./limits/sqlLosses.js"
import * as Dialect from "./sql/dialect.js"
import { migrate } from "./sql/migrations.js"
import { unavailable } from "./sql/storeUnavailable.js"
import { Store } from "./Store.js"
import type { StoreUnavailable } from "./StoreError.js"
import * as ChangeSwap from "./swaps/changeSwap.js"
import * as Leases from "./swaps/leases.js"
import * as ReadSwaps from "./swaps/readSwaps.js"
import * as WriteSwap from "./swaps/writeSwap.js"

/** A layer that migrates the tables and then provides the store. */
export const layer: Layer.Layer<Store, StoreUnavailable, SqlClient.SqlClient> = Layer.effect(
  Store,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* migrate.pipe(unavailable("migrate the tables"))
    const dialect = Dialect.make(sql)
    const totals = Totals.make(sql, dialect)
    yield* totals.check.pipe(unavailable("check the claims"))
    const [swapOf, writeSwap] = [ReadSwaps.swapsBy(dialect), WriteSwap.make(sql, dialect, totals)]
    return Store.of({
      ...Accounts.make(sql, dialect),
      ...Nonces.make(sql),
      ...OperationIndices.make(sql, dialect),
      ...AcceptSwap.make(sql, dialect, totals, swapOf),
      ...ChangeSwap.make(dialect, writeSwap),
      ...ReadSwaps.make(sql, dialect, totals, swapOf),
      ...Leases.make(sql, dialect),
      batches: Batches.make(sql, dialect, writeSwap),
      delegations: DelegationChanges.make(sql, dialect),
      lanes: RelayerLanes.make(sql, dialect),
      losses: LostCollections.make(sql),
      spentGas: SpentGasLedger.make(sql)
    })
  })
)
