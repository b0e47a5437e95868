/** Accepts swaps through a store, without the service around it. */
import { Postgres, Sqlite } from "@geoswap/server"
import { Claim, SqlStore, Store, type SwapRecord } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as SqlClient from "effect/sql/SqlClient"
import { answer } from "./childProcess.ts"
import { chains, contracts, tokens } from "./contracts.ts"
import type { Database } from "./database.ts"

/** The swaps to accept. */
export interface Acceptances {
  readonly database: Database
  /** The number of the first swap; numbers must be unique. */
  readonly from: number
  readonly count: number
  /** How many calls run at once. */
  readonly lanes: number
}

/** The cost of each swap. */
export interface Accepted {
  readonly seconds: number
  /** Seconds of processor time of this process. */
  readonly cpu: number
}

const hex = (number: number, bytes: number): string => `0x${number.toString(16).padStart(2 * bytes, "0")}`

const [one, two] = chains
const [usdc, weth] = tokens

/** Every second swap is in the other direction, so that the swaps do not all use the same output. */
const swapOf = (number: number): SwapRecord.Accepted => ({
  id: crypto.randomUUID(),
  accountId: "bench",
  orderId: hex(number, 32),
  operationHash: hex(number, 32),
  originChain: one.id,
  destinationChain: two.id,
  inputToken: (number % 2 === 0 ? usdc : weth).address,
  outputToken: (number % 2 === 0 ? weth : usdc).address,
  wallet: hex(1 + (number % 1_000), 20),
  recipient: hex(1 + (number % 1_000), 20),
  amount: 10_000_000n,
  output: 2_480_000_000_000_000n,
  minOutput: 2_470_000_000_000_000n,
  terms: hex(number, 32),
  feeBps: 10,
  networkCost: 70_000n,
  opensAccount: false,
  operation: {
    _tag: "evm",
    delegate: contracts.delegate,
    nonce: `${number}`,
    deadline: Math.floor(Date.now() / 1_000) + 120,
    signature: `0x${"5b".repeat(65)}`,
    vault: contracts.vault,
    method: "message"
  },
  createdAt: Date.now(),
  quotedAt: Date.now()
})

const plenty = { amount: 10n ** 40n, block: 0n }

/** The claims of a swap between EVM chains with a delegation. */
const claimsOf = (swap: SwapRecord.Accepted): ReadonlyArray<Claim.Claim> => {
  const { accountId, amount, destinationChain, inputToken, originChain, output, outputToken, wallet } = swap
  const claim = (phase: Claim.Phase, kind: Claim.Kind, name: string, used: bigint): Claim.Claim => ({
    phase,
    kind,
    name,
    amount: used,
    limit: plenty
  })
  const [gas, vault] = [76_000n, contracts.vault]
  return [
    claim("collection", "input", Claim.nameOf(originChain, inputToken, wallet), amount),
    claim("collection", "wallet exposure", Claim.nameOf(originChain, wallet), gas),
    claim("collection", "account exposure", Claim.nameOf(originChain, accountId), gas),
    claim("collection", "chain exposure", Claim.nameOf(originChain), gas),
    claim("delivery", "output", Claim.nameOf(destinationChain, vault, outputToken), output),
    claim("delivery", "vault", Claim.nameOf(destinationChain, vault, outputToken), output),
    claim("refund", "refund", Claim.nameOf(originChain, vault, inputToken), amount),
    claim("collection", "gas", Claim.nameOf(originChain), gas),
    claim("delivery", "gas", Claim.nameOf(destinationChain), gas),
    claim("refund", "gas", Claim.nameOf(originChain), gas)
  ]
}

const run = async ({ count, database, from, lanes }: Acceptances): Promise<Accepted> => {
  const client: Layer.Layer<SqlClient.SqlClient, Postgres.PostgresError | Sqlite.SqliteError> =
    database.kind === "sqlite"
      ? Sqlite.layer({ path: database.path })
      : Postgres.layer({ url: Redacted.make(database.url) })
  const program = Effect.gen(function* () {
    const store = yield* Store.Store
    const accept = (number: number) =>
      Effect.flatMap(
        store.accept(swapOf(number), { claims: claimsOf(swapOf(number)), until: Date.now() + 60_000 }),
        ({ _tag }) => (_tag === "Inserted" ? Effect.void : Effect.die(new Error(`A swap was not accepted: ${_tag}.`)))
      )
    const numbers = Array.from({ length: count }, (_, index) => from + index)
    // The first ones prepare the statements.
    const [warm, measured] = [numbers.slice(0, lanes), numbers.slice(lanes)]
    yield* Effect.forEach(warm, accept, { concurrency: lanes, discard: true })
    const [cpu, began] = [process.cpuUsage(), performance.now()]
    yield* Effect.forEach(measured, accept, { concurrency: lanes, discard: true })
    const seconds = (performance.now() - began) / 1_000
    const { system, user } = process.cpuUsage(cpu)
    return { seconds: seconds / measured.length, cpu: (system + user) / 1e6 / measured.length }
  })
  return Effect.runPromise(Effect.provide(program, SqlStore.layer.pipe(Layer.provide(client))))
}

answer({ run })
