/** The SQL implementation of delegation changes. */
import { Delegation } from "@geoswap/core"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { addressKey } from "../../domain/addressKey.js"
import { type AcceptedChange, type DelegationChange, State } from "../../domain/DelegationChange.js"
import { take } from "../lanes/relayerNonces.js"
import type { Dialect } from "../sql/dialect.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import { Conflict } from "../StoreError.js"
import type * as Changes from "./DelegationStore.js"

const { optional, text, whole } = Rows

const changes = Rows.table<DelegationChange>({
  id: text,
  accountId: text,
  wallet: text,
  authorization: { ...Rows.json(Delegation.Authorization), column: "signed_authorization" },
  gas: whole,
  createdAt: whole,
  state: Rows.oneOf(State.literals),
  version: whole,
  updatedAt: whole,
  txHash: optional(text),
  failureCode: optional(text)
})
const spentGas = Rows.table({ gas: whole, createdAt: whole })

const keyOf = ({ authorization: { chainId, nonce }, wallet }: AcceptedChange): Changes.ChangeKey => ({
  chainId,
  wallet: addressKey(wallet),
  nonce
})

/**
 * Returns when enough of the gas that was used has left the period. Returns `undefined` if the gas exceeds the limit.
 */
const freeAt = (
  spent: ReadonlyArray<{ readonly gas: number; readonly createdAt: number }>,
  gas: number,
  limit: number,
  periodMillis: number
): number | undefined => {
  let used = spent.reduce((sum, row) => sum + row.gas, 0)
  for (const row of spent) {
    used -= row.gas
    if (used + gas <= limit) return row.createdAt + periodMillis
  }
  return undefined
}

export const make = (sql: SqlClient, { lock, skipLocked, transaction }: Dialect): Changes.DelegationStore => {
  const findByKey = ({ chainId, nonce, wallet }: Changes.ChangeKey) =>
    changes.read(
      sql`SELECT * FROM delegation_changes
        WHERE chain_id = ${chainId} AND wallet_key = ${addressKey(wallet)} AND nonce = ${nonce} AND state <> 'failed'`
    )

  /** Whether an input from the wallet has arrived on the chain. New wallets cost nothing, but such a wallet has swapped. */
  const hasPaid = ({ chainId, wallet }: Changes.ChangeKey) =>
    Effect.map(
      sql`SELECT id FROM swaps WHERE origin_chain = ${chainId} AND wallet_key = ${wallet}
        AND state <> 'failed' AND state NOT IN ('accepted', 'origin_prepared', 'origin_sent') LIMIT 1`,
      (paid) => paid.length > 0
    )

  const findAttempts = (id: string) =>
    Rows.attempts.read(sql`SELECT * FROM delegation_attempts WHERE change_id = ${id} ORDER BY number`)

  return {
    accept: Effect.fn("Store.acceptDelegation")(
      function* (change, budget) {
        const { accountId, authorization, gas } = change
        const key = keyOf(change)
        yield* lock([`delegation ${key.chainId} ${key.wallet}`, `delegation budget ${accountId}`])
        const [existing] = yield* findByKey(key)
        if (existing !== undefined) {
          return (
            existing.accountId === accountId && existing.authorization.address === authorization.address
              ? { _tag: "Existing", change: existing }
              : { _tag: "NonceUsed" }
          ) satisfies Changes.ChangeAcceptance
        }
        const uncollected = yield* sql`SELECT id FROM swaps
          WHERE origin_chain = ${key.chainId} AND wallet_key = ${key.wallet}
          AND state IN ('accepted', 'origin_prepared', 'origin_sent') LIMIT 1`
        if (uncollected.length > 0) return { _tag: "SwapInProgress" } satisfies Changes.ChangeAcceptance
        const now = yield* Clock.currentTimeMillis
        const spent = yield* spentGas.read(
          sql`SELECT gas, created_at FROM delegation_changes
            WHERE account_id = ${accountId} AND created_at > ${now - budget.periodMillis} ORDER BY created_at, id`
        )
        const used = spent.reduce((sum, row) => sum + row.gas, 0)
        const isKept = Delegation.isZeroAddress(authorization.address) && (yield* hasPaid(key))
        const limit = isKept ? budget.gas : budget.gas - budget.kept
        if (used + gas > limit) {
          const at = freeAt(spent, gas, limit, budget.periodMillis)
          return {
            _tag: "BudgetUsed",
            used,
            ...(at !== undefined && { freeAt: at })
          } satisfies Changes.ChangeAcceptance
        }
        const accepted: DelegationChange = { ...change, state: "accepted", version: 0, updatedAt: now }
        const row = { ...changes.encode(accepted), chain_id: key.chainId, wallet_key: key.wallet, nonce: key.nonce }
        yield* sql`INSERT INTO delegation_changes ${sql.insert(row)}`
        return { _tag: "Inserted", change: accepted } satisfies Changes.ChangeAcceptance
      },
      transaction,
      unavailable("accept the delegation change")
    ),

    byId: Effect.fn("Store.delegationById")(
      (id) => Effect.map(changes.read(sql`SELECT * FROM delegation_changes WHERE id = ${id}`), Arr.head),
      unavailable("read the delegation change")
    ),

    byKey: Effect.fn("Store.delegationByKey")(
      (key) => Effect.map(findByKey(key), Arr.head),
      unavailable("read the delegation change")
    ),

    attempts: Effect.fn("Store.delegationAttempts")(
      findAttempts,
      unavailable("read the delegation change's transactions")
    ),

    claim: Effect.fn("Store.claimDelegations")(function* ({ chainId, leaseMillis, limit, owner }) {
      const now = yield* Clock.currentTimeMillis
      const claimed = yield* changes.read(
        sql`WITH free AS MATERIALIZED (
            SELECT id FROM delegation_changes
            WHERE chain_id = ${chainId} AND state IN ('accepted', 'sent')
            AND (lease_owner IS NULL OR lease_owner = ${owner} OR lease_until < ${now})
            ORDER BY created_at, id LIMIT ${Math.max(0, limit)} ${skipLocked}
          )
          UPDATE delegation_changes SET lease_owner = ${owner}, lease_until = ${now + leaseMillis}
          WHERE id IN (SELECT id FROM free) RETURNING *`
      )
      return claimed.toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
    }, unavailable("claim delegation changes")),

    step: Effect.fn("Store.stepDelegation")(
      function* ({ change, failureCode, intent, to, txHash }) {
        const { authorization, id, version } = change
        const now = yield* Clock.currentTimeMillis
        const [changed] = yield* changes.read(
          sql`UPDATE delegation_changes SET state = ${to}, version = version + 1, updated_at = ${now},
            tx_hash = COALESCE(${txHash ?? null}, tx_hash), failure_code = COALESCE(${failureCode ?? null}, failure_code)
            WHERE id = ${id} AND version = ${version} AND state IN ('accepted', 'sent') RETURNING *`
        )
        if (changed === undefined) {
          return yield* new Conflict({
            message: `The delegation change is no longer at version ${version}. Read it again.`
          })
        }
        if (intent === undefined) return changed
        const { attempt, signer } = intent
        const stored = yield* findAttempts(id)
        const isReplacement = stored.some(({ nonce }) => nonce === attempt.nonce)
        if (
          !isReplacement &&
          (attempt.nonce === undefined || !(yield* take(sql, authorization.chainId, signer, attempt.nonce)))
        ) {
          return yield* new Conflict({
            message: `Nonce ${attempt.nonce} is not the relayer's next nonce. Read the next nonce again.`,
            nonce: true
          })
        }
        const row = Rows.attempts.encode(attempt)
        const held = { change_id: id, number: stored.length, signer: addressKey(signer), ...row }
        yield* sql`INSERT INTO delegation_attempts ${sql.insert(held)}`
        return changed
      },
      transaction,
      unavailable("change the delegation change")
    )
  }
}
