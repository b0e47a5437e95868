/** Retries, restarts and concurrent processes lead to one swap. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, type Signer, SwapError, Transport } from "../src/index.js"
import * as Journal from "./views/Journal.js"
import * as Ledger from "./views/Ledger.js"
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

const { evmRequest } = ScriptedTransport
const idempotencyKey = "order-17"
const budgets = [{ chain: evmRequest.originChain, token: evmRequest.inputToken, amount: evmRequest.amount }]

/** What a result says about the request if the service says nothing. */
const requested = {
  input: { chainId: evmRequest.originChain, token: evmRequest.inputToken, amount: evmRequest.amount },
  recipient: evmRequest.walletAddress
}

/** Processes that share a service, a journal and a ledger; each has its own client. */
const shared = (options: FixtureOptions = {}) => {
  const service = options.service ?? ScriptedTransport.make()
  service.delegate(evmRequest.originChain, evmRequest.walletAddress)
  const journal = options.journal ?? Effect.runSync(Journal.makeMemory)
  const ledger = options.ledger ?? Effect.runSync(Ledger.makeMemory)
  const { signer, signed } = countingSigner()
  const process = (other: FixtureOptions = {}) =>
    makeFixture({ service, journal, ledger, signers: { evm: signer }, ...options, ...other }).layer
  return { service, journal, ledger, signed, process }
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

  it.effect("returns the swap after it ended, even from another process without its journal", () => {
    const { service, process, signed } = shared()
    return Effect.gen(function* () {
      const swap = yield* Effect.provide(succeeding(order()), process())
      const journal = yield* Journal.makeMemory
      const again = yield* Effect.provide(succeeding(order()), process({ journal }))
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

  it.effect("is resumed by its swap id after a crash while waiting, even without the journal", () => {
    const { service, process, signed } = shared()
    service.ends("settled", 20_000)
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.provide(order(), process()))
      while (service.seen("status").length < 1) yield* TestClock.adjust(50)
      yield* Fiber.interrupt(fiber)
      const journal = yield* Journal.makeMemory
      const swap = yield* Effect.provide(succeeding(order()), process({ journal }))
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

  it.effect("takes over from a process that died before it signed, once its claim has expired", () => {
    const { service, process, ledger } = shared()
    return Effect.gen(function* () {
      yield* claimedBy(ledger)
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

  it.effect("discards what a process has signed and not sent, once its claim has expired", () => {
    const all = shared({ policy: { budgets } })
    const { journal, process, service } = all
    const hung: Journal.Journal = { ...journal, put: (flow) => Effect.delay(journal.put(flow), "2 minutes") }
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.provide(order(), process({ journal: hung })))
      yield* TestClock.adjust("5 seconds")
      // The budget is still reserved for the first process.
      const error = yield* Effect.provide(failing(order()), process())
      assert.strictEqual(error._tag, "PolicyViolation")
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("3 minutes")
      const swap = yield* Effect.provide(succeeding(order()), process())
      assert.strictEqual(swap.status, "settled")
      assert.deepStrictEqual(yield* journal.list, [])
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("never takes over from a process that may have sent a signature, and names its flow", () => {
    const { service, process, ledger, signed } = shared()
    return Effect.gen(function* () {
      yield* claimedBy(ledger)
      const sent = { state: "signing", flowId: "flow-9", signatures: 1, resumed: false, sent: true } as const
      yield* ledger.advance(idempotencyKey, { state: "claimed" }, sent)
      yield* TestClock.adjust("10 days")
      const error = yield* failing(order())
      if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
      assert.strictEqual(error.flowId, "flow-9")
      assert.strictEqual(error.retry, "resume")
      assert.strictEqual(signed.operations, 0)
      assert.lengthOf(service.requests, 0)
    }).pipe(Effect.provide(process()))
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
    ["with its key", () => order()],
    ["by its flow", (flowId: string) => Client.resume(flowId)]
  ] as const)("keeps its new signature while another process resumes %s", ([, resuming]) => {
    const { service, process, nonces, journal, ledger } = contested()
    // The second process submits what it read, and is delayed until the first one has signed again.
    service.next("submit", Fault.refuse(410), Fault.delay(20_000), Fault.hang())
    service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.rateLimited(40))
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.provide(order(), process()))
      yield* TestClock.adjust("95 seconds")
      const [read] = yield* journal.list
      const error = yield* Effect.provide(failing(resuming(read?.id ?? "")), process())
      if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
      assert.strictEqual(error.retry, "resume")
      assert.strictEqual(error.flowId, read?.id)
      assert.lengthOf(nonces, 2)
      yield* Fiber.interrupt(first)
      const [kept] = yield* journal.list
      assert.strictEqual(kept?.signatures, 2)
      assert.deepStrictEqual(kept?.earlier?.[0]?.submission, read?.submission)
      assert.strictEqual((yield* ledger.get(idempotencyKey))?.signatures, 2)
      const swap = yield* Effect.provide(succeeding(order()), process())
      assert.strictEqual(swap.swapId, service.swaps[0]?.swapId)
      assert.lengthOf(nonces, 2)
    })
  })

  it.effect("keeps its new signature without a key during a concurrent resume", () => {
    const { service, process, nonces, journal } = contested()
    service.next("submit", Fault.refuse(410), Fault.delay(20_000), Fault.hang())
    service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.rateLimited(40))
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.provide(Client.execute(evmRequest), process()))
      yield* TestClock.adjust("95 seconds")
      const [read] = yield* journal.list
      const error = yield* Effect.provide(failing(Client.resume(read?.id ?? "")), process())
      assert.strictEqual(error._tag, "OutcomeUnknown")
      yield* Fiber.interrupt(first)
      assert.lengthOf(nonces, 2)
      assert.strictEqual((yield* journal.list)[0]?.signatures, 2)
    })
  })

  it.effect("signs nothing more without a key once a concurrent resume has closed its flow", () => {
    const { service, process, nonces, journal } = contested()
    service.next("submit", Fault.refuse(410))
    service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.rateLimited(60))
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.provide(Effect.flip(Client.execute(evmRequest)), process()))
      yield* TestClock.adjust("95 seconds")
      const [read] = yield* journal.list
      const closed = yield* Effect.provide(failing(Client.resume(read?.id ?? "")), process())
      assert.strictEqual(closed._tag, "Expired")
      assert.strictEqual((yield* succeeding(Fiber.join(first)))._tag, "Expired")
      assert.lengthOf(nonces, 1)
      assert.deepStrictEqual(yield* journal.list, [])
    })
  })

  it.effect("signs nothing more without a key once a concurrent resume was accepted, and follows that swap", () => {
    const { service, process, nonces, journal } = contested()
    service.next("submit", Fault.refuse(410))
    service.next("quote", Fault.pass, Fault.rateLimited(60))
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.provide(Client.execute(evmRequest), process()))
      yield* TestClock.adjust("59 seconds")
      service.ends("settled", 30_000)
      const [read] = yield* journal.list
      const resuming = yield* Effect.forkChild(Effect.provide(Client.resume(read?.id ?? ""), process()))
      const one = yield* succeeding(Fiber.join(first))
      assert.strictEqual(one.swapId, (yield* succeeding(Fiber.join(resuming))).swapId)
      assert.lengthOf(nonces, 1)
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("keeps its newer signature if the service accepts a concurrent resume", () => {
    const { service, process, nonces, journal } = contested()
    const accepted = JSON.stringify({ swapId: "lie", status: "settled" })
    service.next("submit", Fault.refuse(410), Fault.delay(20_000), Fault.hang())
    service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.rateLimited(40))
    const lying = Transport.make((request) =>
      Effect.map(service.send(request), (answer) =>
        request.endpoint === "submit" ? { ...answer, status: 200, body: accepted } : answer
      )
    )
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.provide(order(), process()))
      yield* TestClock.adjust("95 seconds")
      const error = yield* failing(order()).pipe(
        Effect.provideService(Transport.Transport, lying),
        Effect.provide(process())
      )
      assert.strictEqual(error._tag, "OutcomeUnknown")
      yield* Fiber.interrupt(first)
      assert.lengthOf(nonces, 2)
      const [kept] = yield* journal.list
      assert.strictEqual(kept?.signatures, 2)
      assert.isDefined(kept?.submission)
    })
  })

  it.effect("keeps the count of the first signature if the second fails, so that the flow can be closed", () => {
    const { service, process, ledger } = contested()
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
      assert.strictEqual((yield* ledger.get(idempotencyKey))?.signatures, 1)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* failing(order()))._tag, "Expired")
      assert.strictEqual((yield* succeeding(order())).status, "settled")
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(process({ signers: { evm } })))
  })
})

/** Claims the key like another process with the same request. */
const claimedBy = (ledger: Ledger.Ledger) =>
  Effect.gen(function* () {
    const spy: Array<Ledger.Claim> = []
    const watching: Ledger.Ledger = {
      ...ledger,
      claim: (claim) => Effect.suspend(() => (spy.push(claim), Effect.fail(new SwapError.StoreError({ message: "x" }))))
    }
    yield* Effect.flip(order()).pipe(Effect.provide(makeFixture({ ledger: watching }).layer))
    const [claim] = spy
    return yield* claim === undefined ? Effect.die("no claim") : ledger.claim({ ...claim, owner: "dead" })
  })

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
    const { service, layer } = makeFixture({ journal: Effect.runSync(Journal.makeMemory) })
    return Effect.gen(function* () {
      const error = yield* failing(order())
      assert.strictEqual(error._tag, "InvalidInput")
      assert.lengthOf(service.requests, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is claimed before the quote, and nothing is sent if the ledger fails", () => {
    const ledger = Ledger.failing
    const { service, process } = shared({ ledger })
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(order()))._tag, "StoreError")
      assert.lengthOf(service.requests, 0)
    }).pipe(Effect.provide(process()))
  })

  it.effect("is marked as signing before the signature, and nothing is signed if that fails", () => {
    const memory = Effect.runSync(Ledger.makeMemory)
    const ledger: Ledger.Ledger = {
      ...memory,
      advance: (key, from, to) =>
        to?.state === "signing"
          ? Effect.fail(new SwapError.StoreError({ message: "The disk is full." }))
          : memory.advance(key, from, to)
    }
    const { process, signed } = shared({ ledger })
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(order()))._tag, "StoreError")
      assert.strictEqual(signed.operations, 0)
    }).pipe(Effect.provide(process()))
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

  /** A journal that writes for two seconds, and may fail to remove. */
  const slowly = (removes: boolean) => {
    const memory = Effect.runSync(Journal.makeMemory)
    const writing = { flow: false, removes }
    const journal: Journal.Journal = {
      ...memory,
      put: (flow) =>
        Effect.suspend(() => {
          writing.flow = true
          return Effect.delay(memory.put(flow), "2 seconds")
        }),
      remove: (id) =>
        Effect.suspend(() =>
          writing.removes
            ? memory.remove(id)
            : Effect.fail(new SwapError.StoreError({ message: "The disk is read-only." }))
        )
    }
    return { journal, writing }
  }
  it.effect("is kept with its budget after an abort while the journal may hold the flow", () => {
    const { journal, writing } = slowly(true)
    const { ledger, process, service } = shared({ journal, policy: { budgets } })
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(order())
      while (!writing.flow) yield* TestClock.adjust(50)
      yield* Fiber.interrupt(fiber)
      // If the process exits now, another one resumes its flow: nothing else may be signed.
      assert.strictEqual((yield* ledger.get(idempotencyKey))?.state, "signing")
      yield* TestClock.adjust("3 seconds")
      assert.deepInclude(yield* ledger.get(idempotencyKey), { state: "claimed", until: 0 })
      assert.deepStrictEqual(yield* Client.pending, [])
      assert.strictEqual((yield* succeeding(order())).status, "settled")
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(process()))
  })

  /** Aborts an `execute` that is about to submit, while another process has read its flow and has not submitted it. */
  const abortedBesideResume = (journal: Journal.Journal) => {
    const reading = { flow: false }
    const writing = { flow: false }
    const slowWriter: Journal.Journal = {
      ...journal,
      put: (flow) =>
        Effect.andThen(
          journal.put(flow),
          Effect.suspend(() => ((writing.flow = true), Effect.sleep(500)))
        )
    }
    const slowReader: Journal.Journal = {
      ...journal,
      get: (id) =>
        Effect.tap(journal.get(id), () => Effect.suspend(() => ((reading.flow = true), Effect.sleep("1 second"))))
    }
    return { reading, writing, slowWriter, slowReader }
  }

  it.effect("belongs to one of the two if it is resumed while its owner aborts", () => {
    const { journal, ledger, process, service, signed } = shared({ policy: { budgets } })
    const { reading, writing, slowReader, slowWriter } = abortedBesideResume(journal)
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(order(), process({ journal: slowWriter })))
      while (!writing.flow) yield* TestClock.adjust(50)
      const follower = yield* Effect.forkChild(Effect.provide(order(), process({ journal: slowReader })))
      while (!reading.flow) yield* TestClock.adjust(50)
      yield* Fiber.interrupt(owner)
      yield* TestClock.adjust("30 seconds")
      const exit = yield* Fiber.await(follower)
      assert.strictEqual(exit._tag, "Success")
      assert.strictEqual((yield* ledger.get(idempotencyKey))?.state, "ended")
      const again = yield* Effect.provide(succeeding(order()), process())
      assert.strictEqual(again.swapId, service.swaps[0]?.swapId)
      assert.lengthOf(service.swaps, 1)
      assert.isAtMost(signed.operations, 2)
    })
  })

  it.effect("is kept with its budget until a flow that was not removed is discarded", () => {
    const { journal, writing } = slowly(false)
    const { process, service } = shared({ journal, policy: { budgets } })
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(order())
      while (!writing.flow) yield* TestClock.adjust(50)
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("3 seconds")
      const [flow] = yield* Client.pending
      const other = yield* failing(Client.execute(evmRequest, { idempotencyKey: "order-18" }))
      assert.strictEqual(other._tag, "PolicyViolation")
      // Nothing was sent. Once the claim has expired, the next call discards the flow and starts over.
      writing.removes = true
      assert.strictEqual((yield* succeeding(order())).status, "settled")
      assert.lengthOf(service.swaps, 1)
      assert.deepStrictEqual(yield* Client.pending, [])
      assert.strictEqual((yield* failing(Client.resume(flow?.id ?? "")))._tag, "InvalidInput")
    }).pipe(Effect.provide(process()))
  })

  it.effect("keeps its flow if the ledger could not record the end, and a resume records it", () => {
    const memory = Effect.runSync(Ledger.makeMemory)
    const disk = { full: true }
    const ledger: Ledger.Ledger = {
      ...memory,
      finish: (key, end) =>
        disk.full ? Effect.fail(new SwapError.StoreError({ message: "The disk is full." })) : memory.finish(key, end)
    }
    const { process, service } = shared({ ledger })
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(order())).status, "settled")
      assert.lengthOf(yield* Client.pending, 1)
      disk.full = false
      assert.strictEqual((yield* succeeding(order())).status, "settled")
      assert.deepStrictEqual(yield* Client.pending, [])
      assert.strictEqual((yield* ledger.get(idempotencyKey))?.state, "ended")
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(process()))
  })

  /** Leaves a flow in the journal, and a key that is being signed for, as a killed process does. */
  const killedInSubmit = Effect.fnUntraced(function* ({ journal, process, service }: ReturnType<typeof shared>) {
    service.next("submit", Fault.hang())
    const fiber = yield* Effect.forkChild(Effect.provide(order(), process()))
    while (service.seen("submit").length < 1) yield* TestClock.adjust(50)
    yield* Fiber.interrupt(fiber)
    const [flow] = yield* journal.list
    return flow ?? (yield* Effect.die("no flow"))
  })

  it.effect("belongs to the resumed flow if the ledger has lost it", () => {
    const all = shared()
    return Effect.gen(function* () {
      const flow = yield* killedInSubmit(all)
      const ledger = yield* Ledger.makeMemory
      const lost = { ledger }
      const swap = yield* Effect.provide(succeeding(Client.resume(flow.id)), all.process(lost))
      assert.strictEqual((yield* ledger.get(idempotencyKey))?.swapId, swap.swapId)
      const again = yield* Effect.provide(succeeding(order()), all.process(lost))
      const { minOutput: _, ...known } = swap
      assert.deepStrictEqual(again, known)
      assert.lengthOf(all.service.swaps, 1)
    })
  })

  it.effect("keeps an earlier flow from being submitted after it was used for another flow", () => {
    const all = shared()
    return Effect.gen(function* () {
      const flow = yield* killedInSubmit(all)
      const ledger = yield* Ledger.makeMemory
      const journal = yield* Journal.makeMemory
      yield* Effect.provide(succeeding(order()), all.process({ ledger, journal }))
      const sent = all.service.seen("submit").length
      const error = yield* Effect.provide(failing(Client.resume(flow.id)), all.process({ ledger }))
      if (error._tag !== "Expired") return assert.fail(error._tag)
      assert.lengthOf(all.service.seen("submit"), sent)
      assert.lengthOf(all.service.swaps, 1)
    })
  })

  it.effect("blocks a resume while the ledger does not respond, with the retry hint `resume`", () => {
    const all = shared()
    return Effect.gen(function* () {
      const flow = yield* killedInSubmit(all)
      const ledger = Ledger.failing
      const error = yield* Effect.provide(failing(Client.resume(flow.id)), all.process({ ledger }))
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
