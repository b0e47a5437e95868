/** Retries, restarts and concurrent processes lead to one swap. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, type Signer, Store, SwapError, Transport } from "../src/index.js"
import { Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import {
  countingSigner,
  evmReader,
  failing,
  passDeadline,
  passing,
  succeeding,
  makeFixture,
  type FixtureOptions
} from "./fixture.js"
import { altered, deadAt, flowIn, keyIn, lost, slowStep } from "./processes.js"

const { evmRequest } = ScriptedTransport
const idempotencyKey = "order-17"
const budgets = [{ chainId: evmRequest.originChain, token: evmRequest.inputToken, amount: evmRequest.amount }]

/** What a result says about the request if the service says nothing. */
const requested = {
  input: { chainId: evmRequest.originChain, token: evmRequest.inputToken, amount: evmRequest.amount },
  recipient: evmRequest.walletAddress
}

/** Processes that share a service and a store; each has its own client. */
const shared = (options: FixtureOptions = {}) => {
  const service = options.service ?? ScriptedTransport.make()
  service.delegate(evmRequest.originChain, evmRequest.walletAddress)
  const store = options.store ?? Effect.runSync(Store.makeMemory)
  const { signer, signed } = countingSigner()
  const process = (other: FixtureOptions = {}) =>
    makeFixture({ service, store, signers: { evm: signer }, ...options, ...other }).layer
  return { service, store, signed, process }
}

/** The request of a caller. */
const order = (options: Client.RunOptions = {}) => Client.execute(evmRequest, { idempotencyKey, ...options })

describe("retry hints", () => {
  /** A caller that follows the retry hints. */
  const retrying = <A, R>(swap: Effect.Effect<A, SwapError.SwapError, R>) =>
    passing(Effect.retry(swap, { times: 3, while: ({ retry }) => retry === "now" || retry === "later" }))

  it.effect("after a wait that timed out cause no second swap", () => {
    const { service, process } = shared()
    service.ends("never")
    return Effect.gen(function* () {
      yield* retrying(Client.execute(evmRequest, { timeout: "1 minute" }))
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(process()))
  })

  it.effect("after an unknown outcome cause no second swap", () => {
    const { service, process } = shared()
    service.next("submit", ...Array.from({ length: 8 }, () => Fault.disconnect({ after: true })))
    return Effect.gen(function* () {
      yield* retrying(Client.execute(evmRequest))
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(process()))
  })

  it.effect("name a flow whose resume is the same swap", () => {
    const { service, process } = shared()
    service.ends("never")
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest, { timeout: "1 minute" }))
      if (error._tag !== "WaitTimeout") return assert.fail(error._tag)
      assert.strictEqual(error.retry, "resume")
      service.ends("settled", 0)
      const swap = yield* succeeding(Client.resume(error.flowId ?? ""))
      assert.strictEqual(swap.swapId, service.swaps[0]?.swapId)
    }).pipe(Effect.provide(process()))
  })
})

describe("the same key and request", () => {
  it.effect("is one swap, no matter how often it is called and what fails", () => {
    const { service, process, signed } = shared()
    service.next("quote", Fault.unavailable(), Fault.unavailable(), Fault.unavailable())
    service.next("build-geo-op", Fault.refuse(422, "NO_ROUTE"))
    service.next("submit", ...Array.from({ length: 12 }, () => Fault.disconnect({ after: true })))
    return Effect.gen(function* () {
      const exit = yield* passing(Effect.retry(order(), { times: 5 }))
      assert.strictEqual(exit._tag, "Success")
      assert.lengthOf(service.swaps, 1)
      assert.strictEqual(signed.operations, 1)
    }).pipe(Effect.provide(process()))
  })

  it.effect("returns the swap after it ended, even from another process", () => {
    const { service, process, signed } = shared()
    return Effect.gen(function* () {
      const swap = yield* Effect.provide(succeeding(order()), process())
      const again = yield* Effect.provide(succeeding(order()), process())
      // Only the flow has the minimum.
      const { minOutput: _, ...known } = swap
      assert.deepStrictEqual(again, known)
      assert.isDefined(again.deliveryTxHash)
      assert.lengthOf(service.seen("quote"), 1)
      assert.strictEqual(signed.operations, 1)
    })
  })

  it.effect("returns the id, the status and the request after the swap ended, even if the service has lost it", () => {
    const { service, process } = shared()
    return Effect.gen(function* () {
      const swap = yield* succeeding(order())
      service.always("status", Fault.refuse(404, "SWAP_NOT_FOUND"))
      assert.deepStrictEqual(yield* succeeding(order()), { swapId: swap.swapId, status: swap.status, ...requested })
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(process()))
  })

  it.effect("is the same request in another spelling", () => {
    const { service, process } = shared()
    const upper = (address: string) => `0x${address.slice(2).toUpperCase()}`
    return Effect.gen(function* () {
      yield* succeeding(order())
      const { walletAddress, inputToken } = evmRequest
      const same = { ...evmRequest, inputToken: upper(inputToken), recipient: upper(walletAddress) }
      yield* succeeding(Client.execute(same, { idempotencyKey }))
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(process()))
  })

  it.effect("is one swap and one signature in many concurrent processes", () => {
    const { service, process, signed } = shared()
    return Effect.gen(function* () {
      const swaps = yield* succeeding(
        Effect.all(
          Array.from({ length: 8 }, () => Effect.provide(order(), process())),
          { concurrency: "unbounded" }
        )
      )
      assert.strictEqual(new Set(swaps.map(({ swapId }) => swapId)).size, 1)
      assert.lengthOf(service.swaps, 1)
      assert.strictEqual(signed.operations, 1)
    })
  })

  it.effect("is resumed by another process after a crash during submit", () => {
    const { service, process, signed } = shared()
    service.next("submit", Fault.hang({ after: true }))
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.provide(order(), process()))
      while (service.seen("submit").length < 1) yield* TestClock.adjust(50)
      yield* Fiber.interrupt(fiber)
      const swap = yield* Effect.provide(succeeding(order()), process())
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.swaps, 1)
      assert.strictEqual(signed.operations, 1)
    })
  })

  it.effect("is resumed by its swap id after a crash while waiting", () => {
    const { service, process, signed } = shared()
    service.ends("settled", 20_000)
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.provide(order(), process()))
      while (service.seen("status").length < 1) yield* TestClock.adjust(50)
      yield* Fiber.interrupt(fiber)
      const swap = yield* Effect.provide(succeeding(order()), process())
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.seen("submit"), 1)
      assert.strictEqual(signed.operations, 1)
    })
  })

  it.effect("can be tried again after the wallet declined", () => {
    const { process, service } = shared()
    const wallet = { refuses: true }
    const inner = TestSigner.evm()
    const evm: Signer.Evm = {
      ...inner,
      signOperation: (operation) =>
        wallet.refuses
          ? Effect.fail(new SwapError.SignerError({ reason: "rejected", message: "No." }))
          : inner.signOperation(operation)
    }
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(order()))._tag, "SignerError")
      wallet.refuses = false
      assert.strictEqual((yield* succeeding(order())).status, "settled")
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(process({ signers: { evm } })))
  })

  it.effect("takes over from a process that died before it signed, once its lease has expired", () => {
    const { service, store, process } = shared()
    return Effect.gen(function* () {
      yield* claimedBy(store)
      const swap = yield* succeeding(order())
      assert.strictEqual(swap.status, "settled")
      assert.isAtLeast(service.requests[0]?.at ?? 0, 60_000)
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(process()))
  })

  it.effect("takes over from a process that died in its wallet's prompt, once its claim has expired", () => {
    const { service, process, signed } = shared()
    const evm: Signer.Evm = { ...TestSigner.evm(), signOperation: () => Effect.never }
    return Effect.gen(function* () {
      yield* Effect.forkChild(Effect.provide(order(), process({ signers: { evm } })))
      yield* TestClock.adjust("5 seconds")
      const swap = yield* Effect.provide(succeeding(order()), process())
      assert.strictEqual(swap.status, "settled")
      assert.strictEqual(signed.operations, 1)
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("discards the flow of a process that has not stored its signature, once its lease has expired", () => {
    const { store, process, service } = shared({ policy: { budgets } })
    const slow = slowStep(store, "signed 1", "2 minutes", "before")
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.provide(order(), process({ store: slow.store })))
      yield* TestClock.adjust("5 seconds")
      // The budget is still reserved for the first process.
      const other = Client.execute(evmRequest, { idempotencyKey: "order-18" })
      assert.strictEqual((yield* Effect.provide(failing(other), process()))._tag, "PolicyViolation")
      const swap = yield* Effect.provide(succeeding(order()), process())
      assert.strictEqual(swap.status, "settled")
      // The first process has lost its flow, and follows the swap of the other.
      assert.strictEqual((yield* succeeding(Fiber.join(first))).swapId, swap.swapId)
      assert.isUndefined(yield* flowIn(store))
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("never takes over from a process that may have sent a signature", () => {
    const { service, store, process, signed } = shared()
    return Effect.gen(function* () {
      service.next("submit", Fault.hang({ after: true }))
      const killed = yield* Effect.forkChild(Effect.provide(order(), process()))
      while (service.seen("submit").length < 1) yield* TestClock.adjust(50)
      yield* Fiber.interrupt(killed)
      yield* TestClock.adjust("10 days")
      // The bytes are gone by now, and there is no node to show that they have expired.
      const error = yield* Effect.provide(failing(order()), process())
      if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
      assert.strictEqual(error.flowId, (yield* store.flows)[0]?.id)
      assert.strictEqual(signed.operations, 1)
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("signs nothing if it lost the claim while it waited for consent, and follows the other process", () => {
    const { service, process, signed } = shared()
    service.next("build-geo-op", Fault.delay(20_000))
    const asked = { yet: false }
    const slow = Effect.provide(
      order({
        onProgress: ({ type }) =>
          Effect.suspend(() => {
            if (type !== "built" || asked.yet) return Effect.void
            asked.yet = true
            return Effect.sleep("2 minutes")
          })
      }),
      process()
    )
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(slow)
      yield* TestClock.adjust("1 second")
      const second = yield* Effect.provide(succeeding(order()), process())
      const one = yield* succeeding(Fiber.join(first))
      assert.strictEqual(one.swapId, second.swapId)
      assert.lengthOf(service.swaps, 1)
      assert.strictEqual(signed.operations, 1)
    })
  })

  it.effect("submits the same bytes again after a refusal, and signs nothing", () => {
    const { service, process, signed } = shared()
    service.next("submit", Fault.refuse(422, "INSUFFICIENT_BALANCE"))
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(order()))._tag, "OutcomeUnknown")
      assert.strictEqual((yield* succeeding(order())).status, "settled")
      assert.strictEqual(signed.operations, 1)
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(process()))
  })

  it.effect("is released for another attempt once the own node shows that the signature expired", () => {
    const { service, process, signed } = shared({ readers: { evm: evmReader("expired") } })
    service.next("submit", Fault.refuse(422, "INSUFFICIENT_BALANCE"), Fault.refuse(422, "INSUFFICIENT_BALANCE"))
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(order()))._tag, "OutcomeUnknown")
      yield* passDeadline
      assert.strictEqual((yield* failing(order()))._tag, "InsufficientBalance")
      assert.deepStrictEqual(yield* Client.pending, [])
      assert.strictEqual((yield* succeeding(order())).status, "settled")
      assert.strictEqual(signed.operations, 2)
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(process()))
  })
})

/** A signer that records its nonces, and an honest node of the caller. */
const contested = () => {
  const nonces: Array<bigint | undefined> = []
  const inner = TestSigner.evm()
  const evm: Signer.Evm = {
    ...inner,
    signOperation: (operation) => {
      nonces.push(operation.geoOp?.nonce)
      return inner.signOperation(operation)
    }
  }
  const service = ScriptedTransport.make()
  return { nonces, ...shared({ service, signers: { evm }, readers: service.readers }) }
}

describe("a process that the service delays after it refused a signature", () => {
  it.effect("signs nothing more once another process has closed its flow, and follows the other swap", () => {
    const { service, process, nonces } = contested()
    service.next("submit", Fault.refuse(410))
    service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.rateLimited(60))
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.provide(order(), process()))
      yield* TestClock.adjust("95 seconds")
      const closed = yield* Effect.provide(failing(order()), process())
      assert.strictEqual(closed._tag, "Expired")
      const second = yield* Effect.provide(succeeding(order()), process())
      const one = yield* succeeding(Fiber.join(first))
      assert.strictEqual(one.swapId, second.swapId)
      assert.lengthOf(nonces, 2)
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect.each([
    ["with its key", idempotencyKey, () => order()],
    ["by its flow", idempotencyKey, (flowId: string) => Client.resume(flowId)],
    ["by its flow, without a key", undefined, (flowId: string) => Client.resume(flowId)]
  ] as const)("signs nothing more once another process resumes %s", ([, key, resuming]) => {
    const { service, process, nonces, store } = contested()
    // The second process submits what it read, and waits for the answer.
    service.next("submit", Fault.refuse(410), Fault.delay(20_000))
    service.next("quote", Fault.pass, Fault.rateLimited(60))
    service.next("build-geo-op", Fault.pass, Fault.delay(5_000))
    return Effect.gen(function* () {
      const signing = Client.execute(evmRequest, { idempotencyKey: key })
      const first = yield* Effect.forkChild(Effect.exit(Effect.provide(signing, process())))
      yield* TestClock.adjust("55 seconds")
      const [read] = yield* store.flows
      const swap = yield* Effect.provide(succeeding(resuming(read?.id ?? "")), process())
      assert.strictEqual(swap.status, "settled")
      const exit = yield* succeeding(Fiber.join(first))
      assert.lengthOf(nonces, 1)
      assert.lengthOf(service.swaps, 1)
      if (exit._tag === "Success") assert.strictEqual(exit.value.swapId, swap.swapId)
      assert.deepStrictEqual(yield* store.flows, [])
    })
  })

  it.effect("signs nothing more without a key once a concurrent resume has closed its flow", () => {
    const { service, process, nonces, store } = contested()
    service.next("submit", Fault.refuse(410))
    service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.rateLimited(60))
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.provide(Effect.flip(Client.execute(evmRequest)), process()))
      yield* TestClock.adjust("95 seconds")
      const [read] = yield* store.flows
      const closed = yield* Effect.provide(failing(Client.resume(read?.id ?? "")), process())
      assert.strictEqual(closed._tag, "Expired")
      assert.strictEqual((yield* succeeding(Fiber.join(first)))._tag, "Expired")
      assert.lengthOf(nonces, 1)
      assert.deepStrictEqual(yield* store.flows, [])
    })
  })

  it.effect("signs nothing more without a key once a concurrent resume was accepted, and follows that swap", () => {
    const { service, process, nonces, store } = contested()
    service.next("submit", Fault.refuse(410))
    service.next("quote", Fault.pass, Fault.rateLimited(60))
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.provide(Client.execute(evmRequest), process()))
      yield* TestClock.adjust("59 seconds")
      service.ends("settled", 30_000)
      const [read] = yield* store.flows
      const resuming = yield* Effect.forkChild(Effect.provide(Client.resume(read?.id ?? ""), process()))
      const one = yield* succeeding(Fiber.join(first))
      assert.strictEqual(one.swapId, (yield* succeeding(Fiber.join(resuming))).swapId)
      assert.lengthOf(nonces, 1)
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("keeps its signature if the service lies to a concurrent resume", () => {
    const { service, process, nonces, store } = contested()
    const accepted = JSON.stringify({ swapId: "lie", status: "settled" })
    service.next("submit", Fault.refuse(410), Fault.hang())
    service.next("quote", Fault.pass, Fault.rateLimited(60))
    service.ends("never")
    const lying = Transport.make((request) =>
      Effect.map(service.send(request), (answer) =>
        request.endpoint === "submit" ? { ...answer, status: 200, body: accepted } : answer
      )
    )
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.exit(Effect.provide(order(), process())))
      yield* TestClock.adjust("30 seconds")
      const result = yield* passing(order({ timeout: "5 seconds" })).pipe(
        Effect.provideService(Transport.Transport, lying),
        Effect.provide(process())
      )
      // The service says that the swap has settled, so the flow ends. Nothing else is signed for its key.
      assert.strictEqual(result._tag, "Success")
      yield* TestClock.adjust("2 minutes")
      yield* Effect.forkChild(Fiber.interrupt(first))
      assert.lengthOf(nonces, 1)
      assert.strictEqual((yield* keyIn(store, idempotencyKey))?.swapId, "lie")
    })
  })

  it.effect("keeps the count of the first signature if the second fails, so that the flow can be closed", () => {
    const { service, store, process } = contested()
    const inner = TestSigner.evm()
    const calls = { count: 0 }
    const evm: Signer.Evm = {
      ...inner,
      signOperation: (operation) =>
        ++calls.count === 2
          ? Effect.fail(new SwapError.SignerError({ reason: "rejected", message: "No." }))
          : inner.signOperation(operation)
    }
    service.next("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(order()))._tag, "OutcomeUnknown")
      assert.strictEqual((yield* flowIn(store))?.signatures, 1)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* failing(order()))._tag, "Expired")
      assert.strictEqual((yield* succeeding(order())).status, "settled")
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(process({ signers: { evm } })))
  })
})

/** Claims the key like another process with the same request, which dies at once. */
const claimedBy = (store: Store.Store) => {
  const { layer } = makeFixture({ store })
  return Effect.gen(function* () {
    yield* Effect.forkChild(Effect.provide(order({ acceptQuote: () => Effect.never }), layer))
    while ((yield* flowIn(store)) === undefined) yield* TestClock.adjust(50)
  })
}

describe("another request with the same key", () => {
  it.effect.each([
    ["amount", { amount: evmRequest.amount + 1n }],
    ["recipient", { recipient: `0x${"77".repeat(20)}` }],
    ["slippage", { slippageBps: 51 }],
    ["chain", { originChain: 42161, destinationChain: 8453 }]
  ] as const)("with another %s is a conflict, and nothing is sent", ([, change]) => {
    const { service, process } = shared()
    return Effect.gen(function* () {
      yield* succeeding(order())
      const sent = service.requests.length
      const error = yield* failing(Client.execute({ ...evmRequest, ...change }, { idempotencyKey }))
      if (error._tag !== "IdempotencyConflict") return assert.fail(error._tag)
      assert.strictEqual(error.key, idempotencyKey)
      assert.strictEqual(error.retry, "never")
      assert.strictEqual(service.requests.length, sent)
    }).pipe(Effect.provide(process()))
  })

  it.effect("is a conflict while the first is in progress", () => {
    const { service, process } = shared()
    service.next("quote", Fault.hang())
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(order())
      while (service.seen("quote").length < 1) yield* TestClock.adjust(50)
      const error = yield* failing(Client.execute({ ...evmRequest, amount: 1n }, { idempotencyKey }))
      assert.strictEqual(error._tag, "IdempotencyConflict")
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.provide(process()))
  })
})

describe("an idempotency key", () => {
  it.effect("needs a store with locks", () => {
    const { records } = Effect.runSync(Store.makeMemory)
    const { service, layer } = makeFixture({ store: Store.make({ ...records, flowsOnly: true }) })
    return Effect.gen(function* () {
      const error = yield* failing(order())
      assert.strictEqual(error._tag, "InvalidInput")
      assert.lengthOf(service.requests, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each(["signing", "write the key"])(
    "is claimed before the quote, and nothing is sent if the store fails at %s",
    (failed) => {
      const { service, store, process } = shared()
      const own = altered(store, (step, update) => (step === failed ? Effect.fail(lost) : update))
      return Effect.gen(function* () {
        assert.strictEqual((yield* failing(order()))._tag, "StoreError")
        assert.lengthOf(service.requests, 0)
        assert.isUndefined(yield* flowIn(store))
      }).pipe(Effect.provide(process({ store: own })))
    }
  )

  it.effect("has its budget reserved before the signature, and nothing is signed if that fails", () => {
    const { store, process, signed } = shared({ policy: { budgets } })
    const own = altered(store, (step, update) => (step === "reserve" ? Effect.fail(lost) : update))
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(order()))._tag, "StoreError")
      assert.strictEqual(signed.operations, 0)
    }).pipe(Effect.provide(process({ store: own })))
  })

  it.effect("is released by an abort before anything is sent", () => {
    const { service, process } = shared()
    service.next("build-geo-op", Fault.hang())
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(order())
      while (service.seen("build-geo-op").length < 1) yield* TestClock.adjust(50)
      yield* Fiber.interrupt(fiber)
      const at = service.requests.at(-1)?.at ?? 0
      assert.strictEqual((yield* succeeding(order())).status, "settled")
      assert.isAtMost((service.seen("quote")[1]?.at ?? Infinity) - at, 1_000)
    }).pipe(Effect.provide(process()))
  })

  it.effect("is kept with its budget after an abort while the store may have the signature", () => {
    const { store, process, service } = shared({ policy: { budgets } })
    const slow = slowStep(store, "signed 1", "2 seconds", "before")
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.provide(order(), process({ store: slow.store })))
      while (!slow.seen.step) yield* TestClock.adjust(50)
      yield* Effect.forkChild(Fiber.interrupt(fiber))
      const { amount, inputToken: token, originChain: chainId, walletAddress } = evmRequest
      const left = Store.left(store, walletAddress, { chainId, token }, { window: "total", amount })
      assert.strictEqual(yield* left, 0n)
      yield* TestClock.adjust("3 seconds")
      assert.isUndefined(yield* flowIn(store))
      assert.strictEqual(yield* left, amount)
      assert.strictEqual((yield* Effect.provide(succeeding(order()), process())).status, "settled")
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("belongs to one of the two if it is resumed while its owner aborts", () => {
    const { store, process, service, signed } = shared({ policy: { budgets } })
    const writer = slowStep(store, "signed 1", 500)
    const reader = slowStep(store, "read", "1 second")
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(order(), process({ store: writer.store })))
      while (!writer.seen.step) yield* TestClock.adjust(50)
      const follower = yield* Effect.forkChild(Effect.provide(order(), process({ store: reader.store })))
      while (!reader.seen.step) yield* TestClock.adjust(50)
      yield* Effect.forkChild(Fiber.interrupt(owner))
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* Fiber.await(follower))._tag, "Success")
      assert.isDefined((yield* keyIn(store, idempotencyKey))?.swapId)
      const again = yield* Effect.provide(succeeding(order()), process())
      assert.strictEqual(again.swapId, service.swaps[0]?.swapId)
      assert.lengthOf(service.swaps, 1)
      assert.isAtMost(signed.operations, 2)
    })
  })

  it.effect("leads to a withdrawn signature that could not be removed, which is resumed", () => {
    const { store, process, service, signed } = shared({ policy: { budgets } })
    const slow = slowStep(deadAt(store, "remove"), "signed 1", "2 seconds")
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.provide(order(), process({ store: slow.store })))
      while (!slow.seen.step) yield* TestClock.adjust(50)
      yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* TestClock.adjust("1 minute")
      const other = Effect.provide(Client.execute(evmRequest, { idempotencyKey: "order-18" }), process())
      assert.strictEqual((yield* failing(other))._tag, "UnfinishedSwap")
      assert.strictEqual((yield* Effect.provide(succeeding(order()), process())).status, "settled")
      assert.strictEqual(signed.operations, 1)
      assert.lengthOf(service.swaps, 1)
      assert.deepStrictEqual(yield* store.flows, [])
    })
  })

  it.effect.each(["remove", "write the key"])(
    "keeps its flow if the end could not be recorded at %s, and a resume records it",
    (failed) => {
      const { store, process, service } = shared()
      const disk = { full: false }
      const own = altered(store, (step, update) =>
        Effect.suspend(() => (disk.full && step === failed ? Effect.fail(lost) : update))
      )
      service.ends("settled", 2_000)
      return Effect.gen(function* () {
        const onProgress = ({ type }: { readonly type: string }) =>
          Effect.sync(() => void (disk.full ||= type === "submitted"))
        assert.strictEqual((yield* succeeding(order({ onProgress }))).status, "settled")
        assert.lengthOf(yield* Client.pending, 1)
        disk.full = false
        assert.strictEqual((yield* succeeding(order())).status, "settled")
        for (const { id } of yield* Client.pending) yield* succeeding(Client.resume(id))
        assert.deepStrictEqual(yield* Client.pending, [])
        assert.strictEqual((yield* keyIn(store, idempotencyKey))?.status, "settled")
        assert.lengthOf(service.swaps, 1)
      }).pipe(Effect.provide(process({ store: own })))
    }
  )

  /** Leaves a signed flow in the store, as a killed process does. */
  const killedInSubmit = Effect.fnUntraced(function* ({ store, process, service }: ReturnType<typeof shared>) {
    service.next("submit", Fault.hang())
    const fiber = yield* Effect.forkChild(Effect.provide(order(), process()))
    while (service.seen("submit").length < 1) yield* TestClock.adjust(50)
    yield* Fiber.interrupt(fiber)
    const [flow] = yield* store.flows
    return flow ?? (yield* Effect.die("no flow"))
  })

  it.effect("signs nothing if the store has lost its record, as long as its flow is open", () => {
    const all = shared()
    return Effect.gen(function* () {
      const flow = yield* killedInSubmit(all)
      yield* all.store.updateKey(idempotencyKey, () => [undefined, undefined])
      const error = yield* Effect.provide(failing(order()), all.process())
      if (error._tag !== "UnfinishedSwap") return assert.fail(error._tag)
      assert.strictEqual(error.flowId, flow.id)
      assert.strictEqual((yield* Effect.provide(succeeding(Client.resume(flow.id)), all.process())).status, "settled")
      assert.strictEqual(all.signed.operations, 1)
      assert.lengthOf(all.service.swaps, 1)
    })
  })

  it.effect("stays with its swap if a person forgets the accepted flow", () => {
    const { service, store, process } = shared()
    service.ends("never")
    return Effect.gen(function* () {
      yield* failing(order({ timeout: "1 minute" }))
      const [flow] = yield* store.flows
      yield* Client.forget(flow?.id ?? "")
      assert.deepStrictEqual(yield* store.flows, [])
      const pending = yield* succeeding(order())
      assert.deepStrictEqual([pending.swapId, pending.status], [flow?.swapId, "pending"])
      service.ends("settled", 0)
      const settled = yield* succeeding(order())
      assert.deepStrictEqual([settled.swapId, settled.status], [flow?.swapId, "settled"])
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(process()))
  })

  it.effect("blocks a resume while the store does not respond, with the retry hint `resume`", () => {
    const all = shared()
    return Effect.gen(function* () {
      const flow = yield* killedInSubmit(all)
      const silent = altered(all.store, (step, update) => (step === "resumed 1" ? Effect.fail(lost) : update))
      const error = yield* Effect.provide(failing(Client.resume(flow.id)), all.process({ store: silent }))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      assert.strictEqual(error.retry, "resume")
      assert.lengthOf(all.service.swaps, 0)
    })
  })

  it.effect("stays with a swap that was accepted and expired unused", () => {
    const { process, service } = shared({ readers: { evm: evmReader("expired") } })
    service.ends("never")
    service.always("status", Fault.refuse(401, "UNAUTHORIZED"))
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(order()))._tag, "OutcomeUnknown")
      yield* passDeadline
      assert.strictEqual((yield* failing(order()))._tag, "Expired")
      const swap = yield* succeeding(order())
      assert.deepStrictEqual(swap, { swapId: service.swaps[0]?.swapId ?? "", status: "failed", ...requested })
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(process()))
  })

  it.effect("is refused if it is not a well-formed string", () => {
    const { process, service } = shared()
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest, { idempotencyKey: "order-\ud800" }))
      assert.strictEqual(error._tag, "InvalidInput")
      assert.lengthOf(service.requests, 0)
    }).pipe(Effect.provide(process()))
  })

  it.effect("starts another swap if it is another key", () => {
    const { service, process } = shared()
    return Effect.gen(function* () {
      yield* succeeding(order())
      yield* succeeding(Client.execute(evmRequest, { idempotencyKey: "order-18" }))
      assert.lengthOf(service.swaps, 2)
    }).pipe(Effect.provide(process()))
  })
})
