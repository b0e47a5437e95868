import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { ChainUnavailable, Impossible } from "../../src/chains/ChainError.js"
import { nothingPending } from "../../src/chains/Draft.js"
import type { Collection } from "../../src/chains/Outcome.js"
import type { SwapRecord } from "../../src/domain/SwapRecord.js"
import { prepareOrigin, watchOrigin } from "../../src/execution/steps/origin.js"
import type { Worker } from "../../src/execution/Worker.js"
import { plainChain } from "../../src/testing/plainChain.js"
import { attempt } from "../../src/testing/storeContract/fixture.js"

const deadline = 1_000

const swap: SwapRecord = {
  id: "swap",
  accountId: "ada",
  orderId: `0x${"01".repeat(32)}`,
  operationHash: `0x${"02".repeat(32)}`,
  originChain: 1,
  destinationChain: 1,
  inputToken: "0x03",
  outputToken: "0x04",
  wallet: "0x05",
  recipient: "0x05",
  amount: 10n,
  output: 9n,
  minOutput: 8n,
  terms: `0x${"06".repeat(32)}`,
  feeBps: 10,
  networkCost: 0n,
  opensAccount: false,
  operation: { _tag: "evm", delegate: "0x07", nonce: "0", deadline, signature: "0x", vault: "0x08", method: "message" },
  quotedAt: 0,
  createdAt: 0,
  state: "accepted",
  version: 1,
  updatedAt: 0,
  reserved: true
}

const unavailable = new ChainUnavailable({ chainId: 1, message: "no answer", timeout: true })
const impossible = new Impossible({ chainId: 1, code: "INVALID_AUTHORIZATION", message: "not delegated" })

/** A worker whose chain refuses the operation, with this collection. */
const workerOf = (refusal: ChainUnavailable | Impossible, found: Effect.Effect<Collection, ChainUnavailable>) => {
  const nothing = () => Effect.succeed(0n)
  const plain = plainChain({ family: "evm", id: 1, name: "one", tokens: [], costOf: nothing, balanceOf: nothing })
  const chain = { ...plain, prepare: () => Effect.fail(refusal), collection: () => found }
  const worker = {
    owner: "test",
    chains: new Map([[1, chain]]),
    store: {
      change: ({ swap: before, to, ...facts }: { readonly swap: SwapRecord; readonly to: SwapRecord["state"] }) =>
        Effect.succeed({ ...before, ...facts, state: to, version: before.version + 1, reserved: false })
    },
    signals: { publish: () => Effect.void },
    lanes: { order: () => Effect.succeed([plain.relayer]), pending: () => Effect.succeed(nothingPending) }
  }
  return worker as unknown as Worker
}

const never: Collection = { _tag: "Never", block: 9n, time: deadline + 1, nodes: ["node"] }
const collected: Collection = { _tag: "Collected", hash: "0xabc", block: 7n }

describe("an accepted swap in an old copy of the database", () => {
  it.effect.each([
    ["no node answers", unavailable, Effect.fail(unavailable), "accepted"],
    [
      "the wallet is no longer delegated, and the input was collected",
      impossible,
      Effect.succeed(collected),
      "origin_final"
    ],
    ["the wallet is no longer delegated, and no event shows the input", impossible, Effect.succeed(never), "failed"]
  ] as const)("is handled after its deadline if %s", ([, refusal, found, state]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(deadline * 1000 + 1)
      const result = yield* prepareOrigin(workerOf(refusal, found), swap)
      expect(result.swap).toMatchObject({ state, reserved: false })
    })
  )

  it.effect("fails before its deadline if the chain refuses the operation, and waits if no node answers", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(deadline * 1000 - 1)
      const refused = yield* prepareOrigin(workerOf(impossible, Effect.succeed(collected)), swap)
      expect(refused.swap).toMatchObject({ state: "failed", failureCode: "INVALID_AUTHORIZATION" })
      expect(yield* Effect.flip(prepareOrigin(workerOf(unavailable, Effect.succeed(never)), swap))).toBe(unavailable)
    })
  )
})

describe("an operation that was executed by a transaction that is not the service's", () => {
  const done = new Impossible({ chainId: 1, code: "ALREADY_DONE", message: "the nonce is used" })

  it.effect("is treated as collected only with the vault's event, even before its deadline", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(deadline * 1000 - 1)
      expect((yield* prepareOrigin(workerOf(done, Effect.succeed(collected)), swap)).swap.state).toBe("origin_final")
      const open: Collection = { _tag: "Open", message: "not final" }
      const waiting = yield* prepareOrigin(workerOf(done, Effect.succeed(open)), swap)
      expect(waiting.swap).toMatchObject({ state: "accepted", reserved: false })
    })
  )

  it.effect("does not fail when a batch has left it out, although its output was given back", () =>
    Effect.gen(function* () {
      const worker = workerOf(done, Effect.succeed(collected))
      const chain = worker.chains.get(1)
      const all = {
        ...worker,
        chains: new Map([
          [
            1,
            {
              ...chain,
              observe: () => Effect.succeed({ _tag: "Dead", why: "left out", message: "left out" }),
              signerOf: () => Effect.succeed("relayer")
            }
          ]
        ]),
        queue: { landed: () => undefined },
        store: {
          ...worker.store,
          attempts: () => Effect.succeed([attempt(1, { createdAt: 0 })]),
          batches: { members: () => Effect.succeed([]) },
          losses: { record: () => Effect.succeed(false) }
        }
      } as unknown as Worker
      const result = yield* watchOrigin(all, { ...swap, state: "origin_sent", reserved: false })
      expect(result.swap.state).toBe("origin_final")
    })
  )
})
