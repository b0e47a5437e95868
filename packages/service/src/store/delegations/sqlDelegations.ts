/** The SQL implementation of delegation changes. */
import { Delegation } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { addressKey } from "../../domain/addressKey.js"
import { type AcceptedChange, type DelegationChange, State } from "../../domain/DelegationChange.js"
import { take } from "../lanes/relayerNonces.js"
import type { Dialect } from "../sql/dialect.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import { Conflict } from "../StoreError.js"
import type * as Changes from "./DelegationStore.js"

const Row: Schema.Codec<DelegationChange, unknown> = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  wallet: Schema.String,
  authorization: Schema.fromJsonString(Delegation.Authorization),
  gas: Rows.Whole,
  createdAt: Rows.Whole,
  state: State,
  version: Rows.Whole,
  updatedAt: Rows.Whole,
  txHash: Rows.maybe(Schema.String),
  failureCode: Rows.maybe(Schema.String)
}).pipe(
  Schema.encodeKeys({
    accountId: "account_id",
    authorization: "signed_authorization",
    createdAt: "created_at",
    updatedAt: "updated_at",
    txHash: "tx_hash",
    failureCode: "failure_code"
  })
)

const changeRows = Rows.all(Row)
const attemptRows = Rows.all(Rows.Attempt)
const spentRows = Rows.all(Schema.Struct({ gas: Rows.Whole, created_at: Rows.Whole }))
const countRows = Rows.all(Rows.Count)

const encodeAuthorization = Schema.encodeSync(Schema.fromJsonString(Delegation.Authorization))

const keyOf = ({ authorization: { chainId, nonce }, wallet }: AcceptedChange): Changes.ChangeKey => ({
  chainId,
  wallet: addressKey(wallet),
  nonce
})

/**
 * Returns when enough of the gas that was used has left the period. Returns `undefined` if the gas exceeds the limit.
 */
const freeAt = (
  spent: ReadonlyArray<{ readonly gas: number; readonly created_at: number }>,
  gas: number,
  limit: number,
  periodMillis: number
): number | undefined => {
  let used = spent.reduce((sum, row) => sum + row.gas, 0)
  for (const row of spent) {
    used -= row.gas
    if (used + gas <= limit) return row.created_at + periodMillis
  }
  return undefined
}

export const make = (sql: SqlClient, { lock, skipLocked, transaction }: Dialect): Changes.DelegationStore => {
  const findByKey = ({ chainId, nonce, wallet }: Changes.ChangeKey) =>
    changeRows(
      sql`SELECT * FROM delegation_changes
        WHERE chain_id = ${chainId} AND wallet_key = ${addressKey(wallet)} AND nonce = ${nonce} AND state <> 'failed'`
    )

  /** Whether an input from the wallet has arrived on the chain. New wallets cost nothing, but such a wallet has swapped. */
  const hasPaid = ({ chainId, wallet }: Changes.ChangeKey) =>
    Effect.map(
      countRows(
        sql`SELECT COUNT(*) AS count FROM swaps WHERE origin_chain = ${chainId} AND wallet_key = ${wallet}
          AND state <> 'failed' AND state NOT IN ('accepted', 'origin_prepared', 'origin_sent')`
      ),
      ([paid]) => (paid?.count ?? 0) > 0
    )

  const findAttempts = (id: string) =>
    attemptRows(
      sql`SELECT raw, hash, nonce, NULL AS last_valid_block_height, max_fee_per_gas, max_priority_fee_per_gas, max_cost,
        cancels, created_at FROM delegation_attempts WHERE change_id = ${id} ORDER BY number`
    )

  return {
    accept: Effect.fn("Store.acceptDelegation")(
      function* (change, budget) {
        const { accountId, authorization, gas, id } = change
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
        const [uncollected] = yield* countRows(
          sql`SELECT COUNT(*) AS count FROM swaps
            WHERE origin_chain = ${key.chainId} AND wallet_key = ${key.wallet}
            AND state IN ('accepted', 'origin_prepared', 'origin_sent')`
        )
        if ((uncollected?.count ?? 0) > 0) return { _tag: "SwapInProgress" } satisfies Changes.ChangeAcceptance
        const now = yield* Clock.currentTimeMillis
        const spent = yield* spentRows(
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
        const row = {
          id,
          account_id: accountId,
          chain_id: key.chainId,
          wallet: change.wallet,
          wallet_key: key.wallet,
          nonce: key.nonce,
          signed_authorization: encodeAuthorization(authorization),
          gas,
          created_at: change.createdAt,
          state: "accepted",
          version: 0,
          updated_at: now
        }
        const [inserted] = yield* changeRows(sql`INSERT INTO delegation_changes ${sql.insert(row)} RETURNING *`)
        if (inserted === undefined) {
          return yield* Effect.die(new Error("The database did not return the row that it wrote."))
        }
        return { _tag: "Inserted", change: inserted } satisfies Changes.ChangeAcceptance
      },
      transaction,
      unavailable("accept the delegation change")
    ),

    byId: Effect.fn("Store.delegationById")(function* (id) {
      const [change] = yield* changeRows(sql`SELECT * FROM delegation_changes WHERE id = ${id}`)
      return Option.fromNullishOr(change)
    }, unavailable("read the delegation change")),

    byKey: Effect.fn("Store.delegationByKey")(function* (key) {
      const [change] = yield* findByKey(key)
      return Option.fromNullishOr(change)
    }, unavailable("read the delegation change")),

    attempts: Effect.fn("Store.delegationAttempts")(
      findAttempts,
      unavailable("read the delegation change's transactions")
    ),

    claim: Effect.fn("Store.claimDelegations")(function* ({ chainId, leaseMillis, limit, owner }) {
      const now = yield* Clock.currentTimeMillis
      const claimed = yield* changeRows(
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
        const [changed] = yield* changeRows(
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
        const { last_valid_block_height: _, ...row } = yield* Rows.encodeAttempt(attempt)
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
        const held = { change_id: id, number: stored.length, signer: addressKey(signer), ...row }
        yield* sql`INSERT INTO delegation_attempts ${sql.insert(held)}`
        return changed
      },
      transaction,
      unavailable("change the delegation change")
    )
  }
}
