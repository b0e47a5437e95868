/** A conformance suite for stores: the behavior that the service relies on, as observed through the port. */
import { ContractViolation } from "@geoswap/core/testing"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Store } from "../store/Store.js"
import { acceptGroupsCases } from "./storeContract/acceptGroups.js"
import { acceptSwapCases } from "./storeContract/acceptSwap.js"
import { accountsCases } from "./storeContract/accounts.js"
import { balanceLimitsCases } from "./storeContract/balanceLimits.js"
import { batchesCases } from "./storeContract/batches.js"
import { changeSwapCases } from "./storeContract/changeSwap.js"
import { delegationChangesCases } from "./storeContract/delegationChanges.js"
import { includedInputsCases } from "./storeContract/includedInputs.js"
import { leasesCases } from "./storeContract/leases.js"
import { operationIndicesCases } from "./storeContract/operationIndices.js"
import { owedRefundsCases } from "./storeContract/owedRefunds.js"
import { operationNoncesCases } from "./storeContract/operationNonces.js"
import { operationWordsCases } from "./storeContract/operationWords.js"
import { paymentsCases } from "./storeContract/payments.js"
import { pendingCostsCases } from "./storeContract/pendingCosts.js"
import { readSwapsCases } from "./storeContract/readSwaps.js"
import { relayerLanesCases } from "./storeContract/relayerLanes.js"
import { reservationReleasesCases } from "./storeContract/reservationReleases.js"
import { reservationTotalsCases } from "./storeContract/reservationTotals.js"
import { reserveAgainCases } from "./storeContract/reserveAgain.js"
import { spentGasCases } from "./storeContract/spentGas.js"
import type { StoreCase, WithStore } from "./storeContract/storeCase.js"
import { transactionsCases } from "./storeContract/transactions.js"
import { valueAtRiskCases } from "./storeContract/valueAtRisk.js"

export type { StoreCase }

const cases = [
  ...accountsCases,
  ...operationIndicesCases,
  ...operationWordsCases,
  ...acceptSwapCases,
  ...acceptGroupsCases,
  ...valueAtRiskCases,
  ...operationNoncesCases,
  ...owedRefundsCases,
  ...paymentsCases,
  ...balanceLimitsCases,
  ...reservationReleasesCases,
  ...includedInputsCases,
  ...changeSwapCases,
  ...reserveAgainCases,
  ...reservationTotalsCases,
  ...transactionsCases,
  ...batchesCases,
  ...leasesCases,
  ...readSwapsCases,
  ...delegationChangesCases,
  ...relayerLanesCases,
  ...pendingCostsCases,
  ...spentGasCases
]

const violationOf = (cause: Cause.Cause<unknown>): ContractViolation => {
  const error = Cause.squash(cause)
  return error instanceof ContractViolation
    ? error
    : new ContractViolation(`the store failed: ${Cause.pretty(cause)}`, { cause: error })
}

/**
 * The cases that a store must pass, for any test runner. The `empty` layer must provide an empty store each time it is
 * built, and must remove that store when its scope closes. Each case builds a new store with a test clock, so the store
 * must read the time from `Clock`.
 *
 * @example
 * ```ts
 * for (const { name, run } of storeContract(empty)) it(name, () => Effect.runPromise(run))
 * ```
 */
export const storeContract = (empty: Layer.Layer<Store, unknown>): ReadonlyArray<StoreCase> => {
  const withStore: WithStore = (check) =>
    Effect.flatMap(Store, check).pipe(
      Effect.provide(Layer.fresh(empty)),
      Effect.provide(TestClock.layer()),
      Effect.catchCause((cause) => Effect.fail(violationOf(cause))),
      Effect.asVoid
    )
  return cases.map(({ name, run }) => ({ name, run: run(withStore) }))
}
