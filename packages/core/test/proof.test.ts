/** What is known of a swap's outcome, and what is signed as long as it is not proved. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type ChainReader, Client, Network, Store, type Swap } from "../src/index.js"
import { Fault, ScriptedTransport } from "../src/testing.js"
import { failing, forgetAll, type FixtureOptions, makeFixture, passDeadline, passing, succeeding } from "./fixture.js"

const { evmRequest, solanaRequest } = ScriptedTransport

/** Clients of one wallet with a store in common. */
const clients = (options: FixtureOptions = {}) => {
  const service = options.service ?? ScriptedTransport.make()
  const store = Effect.runSync(Store.makeMemory)
  const client = (other: FixtureOptions = {}) => makeFixture({ service, store, ...options, ...other }).layer
  return { service, store, client }
}

/** A service that claims that a pending swap has ended. */
const claiming = (status: "failed" | "refunded" | "settled", more: object = {}) => {
  const service = ScriptedTransport.make()
  service.ends("never")
  service.always(
    "status",
    Fault.alter((answer) => ({ ...answer, status, ...more }))
  )
  return service
}

const seen = ({ proof }: Pick<Swap.Swap, "proof">): Swap.Proof["seen"] | undefined => proof?.seen

describe.each([
  ["an EVM chain", evmRequest],
  ["Solana", solanaRequest]
] as const)("a swap from %s", (_, request) => {
  it.effect.each([
    ["settled", "delivery"],
    ["refunded", "refund"],
    ["failed", "expiry"]
  ] as const)("that has %s is proved by the caller's nodes", ([outcome, proof]) => {
    const { service, client, store } = clients()
    service.ends(outcome, 1_000)
    const { readers } = service
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(request, { timeout: "1 hour" }))
      assert.deepStrictEqual([swap.status, seen(swap)], [outcome, proof])
      assert.deepStrictEqual(yield* store.flows, [])
    }).pipe(Effect.provide(client({ readers })))
  })

  it.effect.each(["settled", "refunded", "failed"] as const)("that has %s is only claimed without nodes", (outcome) => {
    const { service, client, store } = clients()
    service.ends(outcome, 1_000)
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(request))
      assert.deepStrictEqual([swap.status, seen(swap)], [outcome, undefined])
      const claims = (yield* store.flows).map(({ claimed }) => claimed)
      assert.deepStrictEqual(claims, outcome === "settled" ? [] : [outcome])
    }).pipe(Effect.provide(client()))
  })
})

describe("a lie about the outcome", () => {
  it.effect.each([
    ["settled without a transaction", claiming("settled")],
    [
      "settled with the transaction of another swap",
      claiming("settled", { deliveryTxHash: `0x${"1".repeat(64)}` }),
      {}
    ],
    [
      "refunded with a transaction that refunds nothing",
      claiming("refunded", { refundTxHash: `0x${"1".repeat(64)}` }),
      {}
    ],
    ["refunded without a transaction", claiming("refunded")],
    [
      "settled with a proof",
      claiming("settled", { proof: { seen: "delivery", chainId: 1, txHash: "0x", amount: "1" } }),
      {}
    ]
  ] as const)("is not proved: %s", ([, service]) => {
    const { client } = clients({ service })
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(evmRequest))
      assert.isUndefined(swap.proof)
    }).pipe(Effect.provide(client({ readers: service.readers })))
  })

  it.effect("has no proof in a single call either", () => {
    const service = claiming("settled", { proof: { seen: "expiry", chainId: 1 } })
    const { client } = clients({ service })
    return Effect.gen(function* () {
      const { swapId } = yield* succeeding(Client.execute(evmRequest))
      assert.isUndefined((yield* succeeding(Client.status(swapId))).proof)
    }).pipe(Effect.provide(client()))
  })

  it.effect("proves nothing if less than the signed minimum was delivered", () => {
    const service = ScriptedTransport.make()
    const evm: ChainReader.Evm = { ...service.readers.evm, payout: () => Effect.succeed(9_949_999n) }
    const { client } = clients({ service })
    return Effect.gen(function* () {
      assert.isUndefined((yield* succeeding(Client.execute(evmRequest))).proof)
    }).pipe(Effect.provide(client({ readers: { evm } })))
  })

  it.effect("is replaced by the amount that the nodes saw", () => {
    const service = ScriptedTransport.make()
    service.always(
      "status",
      Fault.alter((answer) => ({ ...answer, output: undefined }))
    )
    const evm: ChainReader.Evm = { ...service.readers.evm, payout: () => Effect.succeed(9_999_999n) }
    const { client } = clients({ service })
    return Effect.gen(function* () {
      const { output, proof } = yield* succeeding(Client.execute(evmRequest))
      assert.deepStrictEqual([output?.amount, proof?.seen], [9_999_999n, "delivery"])
    }).pipe(Effect.provide(client({ readers: { evm } })))
  })

  it.effect("cannot use a payment of another vault, order or recipient, or one before the signature", () => {
    const service = ScriptedTransport.make()
    const asked: Array<ChainReader.PayoutQuery> = []
    const evm: ChainReader.Evm = {
      ...service.readers.evm,
      payout: (query) => Effect.sync(() => (asked.push(query), 0n))
    }
    const { client } = clients({ service })
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      const [query] = asked
      assert.strictEqual(query?.kind, "delivery")
      assert.deepStrictEqual(query?.vaults, [
        Network.find(service.network, evmRequest.destinationChain)?.deployment?.vault ?? ""
      ])
      assert.strictEqual(query?.recipient, evmRequest.walletAddress)
      assert.strictEqual(query?.token, evmRequest.outputToken)
      assert.match(query?.orderId ?? "", /^0x[0-9a-f]{64}$/)
      assert.isNumber(query?.since)
    }).pipe(Effect.provide(client({ readers: { evm } })))
  })
})

describe("a wallet with an earlier swap", () => {
  const another = { ...evmRequest, outputToken: `0x${"77".repeat(20)}` }

  it.effect.each(["failed", "refunded"] as const)(
    "signs nothing for the same tokens while it is claimed to be %s",
    (status) => {
      const { service, client } = clients({ service: claiming(status) })
      return Effect.gen(function* () {
        const swap = yield* succeeding(Client.execute(evmRequest))
        for (const idempotencyKey of ["one", "two", "three"]) {
          const error = yield* failing(Client.execute({ ...evmRequest, amount: 5n }, { idempotencyKey }))
          if (error._tag !== "UnfinishedSwap") return assert.fail(error._tag)
          assert.deepStrictEqual([error.retry, error.swapId], ["resume", swap.swapId])
          assert.include(error.message, "which is not proved")
        }
        assert.lengthOf(service.seen("submit"), 1)
        // Other tokens are not a repetition of the swap.
        yield* Effect.exit(succeeding(Client.execute(another)))
        assert.lengthOf(service.seen("submit"), 2)
      }).pipe(Effect.provide(client()))
    }
  )

  it.effect("signs nothing at all while it is not known whether the service accepted it", () => {
    const service = ScriptedTransport.make()
    service.always("submit", Fault.refuse(422, "INSUFFICIENT_BALANCE"))
    const { client } = clients({ service })
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(Client.execute(evmRequest)))._tag, "OutcomeUnknown")
      for (const request of [evmRequest, another, evmRequest]) {
        assert.strictEqual((yield* failing(Client.execute(request)))._tag, "UnfinishedSwap")
      }
      assert.lengthOf(service.seen("submit"), 1)
    }).pipe(Effect.provide(client()))
  })

  it.effect("signs again once its own node shows that the first signature has expired", () => {
    const service = ScriptedTransport.make()
    service.ends("failed", 1_000)
    const { client, store } = clients({ service })
    return Effect.gen(function* () {
      yield* Effect.provide(succeeding(Client.execute(evmRequest)), client())
      const [flow] = yield* store.flows
      yield* passDeadline
      const resumed = yield* Effect.provide(
        succeeding(Client.resume(flow?.id ?? "")),
        client({ readers: service.readers })
      )
      assert.deepStrictEqual([resumed.status, seen(resumed)], ["failed", "expiry"])
      service.ends("settled", 1_000)
      const swap = yield* Effect.provide(succeeding(Client.execute(evmRequest)), client())
      assert.strictEqual(swap.status, "settled")
    })
  })

  it.effect("signs again once a person has forgotten it", () => {
    const { service, client } = clients({ service: claiming("refunded") })
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      yield* forgetAll
      yield* succeeding(Client.execute(evmRequest))
      assert.lengthOf(service.seen("submit"), 2)
    }).pipe(Effect.provide(client()))
  })

  it.effect("is not held up by a swap that is claimed to be settled, or that it is still waiting for", () => {
    const service = claiming("settled")
    const { client } = clients({ service })
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      service.always("status", Fault.pass)
      yield* passing(Client.execute(evmRequest, { timeout: "10 seconds" }))
      yield* passing(Client.execute(evmRequest, { timeout: "10 seconds" }))
      assert.lengthOf(service.seen("submit"), 3)
    }).pipe(Effect.provide(client()))
  })

  it.effect("is not held up by an earlier swap of another wallet, or one that this process is executing", () => {
    const service = ScriptedTransport.make()
    service.next("submit", Fault.delay(20_000))
    const { client } = clients({ service })
    return Effect.gen(function* () {
      const both = yield* succeeding(
        Effect.all([Client.execute(evmRequest), Effect.delay(Client.execute(evmRequest), "2 seconds")], {
          concurrency: 2
        })
      )
      assert.deepStrictEqual(
        both.map(({ status }) => status),
        ["settled", "settled"]
      )
    }).pipe(Effect.provide(client()))
  })

  it.effect("may sign again at once if its policy trusts the service", () => {
    const { service, client } = clients({ service: claiming("failed"), policy: { afterRefusal: "trust-service" } })
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      yield* succeeding(Client.execute(evmRequest))
      assert.lengthOf(service.seen("submit"), 2)
    }).pipe(Effect.provide(client()))
  })
})
