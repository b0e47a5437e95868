import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import {
  Chain,
  Client,
  type Operation,
  type Policy,
  type Signer,
  SwapError,
  type SwapEvent,
  Network
} from "../src/index.js"
import { ChainLibrary, Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import { countingSigner, failing, forgetAll, makeFixture, succeeding } from "./fixture.js"

const { evmRequest, solanaRequest } = ScriptedTransport

const stranger = "0x00000000000000000000000000000000000000aa"
const word = `0x${"5".repeat(64)}`

/** A signer that cannot verify what it signs. */
const blind = (): Signer.Evm => {
  const { verifyOperation: _, ...signer } = TestSigner.evm()
  return signer
}

/** What the events say about the check before signing, and about what the wallet shows. */
const checksOf = (events: ReadonlyArray<SwapEvent.SwapEvent>) =>
  events.flatMap((event) =>
    event.type === "verified" ? [{ checked: event.checked, shows: event.payment?.shows }] : []
  )

const without = (field: string) =>
  Fault.alter((answer) => Object.fromEntries(Object.entries(answer).filter(([name]) => name !== field)))
const onlyHash = without("geoOp")

const delegated = () => {
  const service = ScriptedTransport.make()
  service.delegate(evmRequest.originChain, evmRequest.walletAddress)
  return service
}

describe("the network", () => {
  it.effect("determines the family of a chain", () => {
    const { layer } = makeFixture({
      policy: { network: { chains: [{ id: 900, name: "solana-test", family: "solana" }] } }
    })
    return Effect.gen(function* () {
      const familyOf = yield* Chain.Families
      assert.deepStrictEqual([900, 8453, 792703809].map(familyOf), ["solana", "evm", "solana"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is named in the error that asks for contracts", () => {
    const { layer } = makeFixture({ policy: { network: Network.empty } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.include(
        error.message,
        'of the network, from a source that you trust: deployment: { delegates: ["0x…"], vault: "0x…" }'
      )
    }).pipe(Effect.provide(layer))
  })
})

describe('verification "required"', () => {
  it.effect.each([
    { name: "an EVM", request: evmRequest },
    { name: "a Solana", request: solanaRequest }
  ])("sends nothing for $name origin without a pinned deployment", ({ request }) => {
    const { service, layer } = makeFixture({ policy: { network: Network.empty } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(request))
      if (error._tag !== "PolicyViolation") return assert.fail(error._tag)
      assert.strictEqual(error.rule, "network")
      assert.include(error.message, String(request.originChain))
      assert.lengthOf(service.requests, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("sends nothing with a signer that cannot verify", () => {
    const { verifyTransaction: _, ...blindSolana } = TestSigner.solana()
    const { service, layer } = makeFixture({ signers: { evm: blind(), solana: blindSolana } })
    return Effect.gen(function* () {
      for (const request of [evmRequest, solanaRequest]) {
        const error = yield* failing(Client.execute(request))
        if (error._tag !== "PolicyViolation") return assert.fail(error._tag)
        assert.strictEqual(error.rule, "verification")
      }
      assert.lengthOf(service.requests, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("signs nothing for a service that sends only a hash, and says what is missing", () => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm: signer } })
    service.always("build-geo-op", onlyHash)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "UnsafeOperation") return assert.fail(error._tag)
      assert.strictEqual(error.field, "geoOp")
      assert.strictEqual(signed.operations, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("builds nothing for a quote without a minimum output", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.always("quote", without("minOutput"))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "UnsafeOperation") return assert.fail(error._tag)
      assert.strictEqual(error.field, "minOutput")
      assert.lengthOf(service.seen("build-geo-op"), 0)
    }).pipe(Effect.provide(layer))
  })
})

const swapped: ReadonlyArray<readonly [field: string, fields: object]> = [
  ["chainId", { chainId: 10 }],
  ["wallet", { wallet: stranger }],
  ["token", { token: stranger }],
  ["amount", { amount: "10000001" }],
  ["vault", { vault: stranger }],
  ["delegate", { delegate: stranger }],
  ["deadline", { deadline: 0 }],
  ["deadline", { deadline: 4_102_444_800 }],
  ["terms", { terms: word }],
  ["geoOpHash", { orderId: word }],
  ["geoOpHash", { nonce: "9" }]
]

for (const verification of ["required", "when-possible"] as const) {
  describe(`a swapped operation under "${verification}"`, () => {
    it.effect.each(swapped)("with another %s is not signed", ([field, fields]) => {
      const { signer, signed } = countingSigner()
      const { service, layer } = makeFixture({
        service: delegated(),
        signers: { evm: signer },
        policy: { verification }
      })
      service.always("build-geo-op", Fault.swapOperation({ ...fields }))
      return Effect.gen(function* () {
        const error = yield* failing(Client.execute(evmRequest))
        if (error._tag !== "UnsafeOperation") return assert.fail(`${error._tag}: ${error.message}`)
        assert.strictEqual(error.field, field)
        assert.strictEqual(signed.operations, 0)
        assert.lengthOf(service.seen("submit"), 0)
      }).pipe(Effect.provide(layer))
    })
  })
}

describe("an operation whose deadline is past", () => {
  /** An otherwise valid operation with its hash. */
  const expiring = (seconds: number) =>
    Fault.alter((answer) => {
      const geoOp = { ...(answer["geoOp"] as Operation.GeoOp), deadline: seconds }
      return { ...answer, geoOp, geoOpHash: ChainLibrary.standIn.hashOperation(geoOp) }
    })

  it.effect.each([1, 999, 1_000])("at %s s is not signed at 1,000 s, and the error names the clock", (deadline) => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm: signer } })
    service.always("build-geo-op", expiring(deadline))
    return Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "UnsafeOperation") return assert.fail(`${error._tag}: ${error.message}`)
      assert.strictEqual(error.field, "deadline")
      assert.match(error.message, /check your clock/)
      assert.strictEqual(signed.operations, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is signed while it has a second left", () => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm: signer } })
    service.always("build-geo-op", expiring(1_001))
    service.always("submit", Fault.refuse(422, "INVALID_SIGNATURE"))
    return Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      yield* failing(Client.execute(evmRequest))
      assert.strictEqual(signed.operations, 1)
    }).pipe(Effect.provide(layer))
  })
})

describe("unknown fields of a response", () => {
  const planted = { family: "solana", quote: {}, deployment: { vault: stranger, delegates: [] } }

  it.effect("do not replace the accepted terms for the signer", () => {
    const seen: Array<Signer.OperationToSign> = []
    const inner = TestSigner.evm()
    const evm: Signer.Evm = {
      ...inner,
      signOperation: (operation) => {
        seen.push(operation)
        return inner.signOperation(operation)
      }
    }
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm } })
    service.always(
      "build-geo-op",
      Fault.alter((answer) => ({ ...answer, ...planted, request: {} }))
    )
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(evmRequest))
      assert.strictEqual(swap.status, "settled")
      const [operation] = seen
      assert.deepStrictEqual(Object.keys(operation ?? {}).toSorted(), [
        "deployment",
        "geoOp",
        "geoOpHash",
        "quote",
        "request"
      ])
      assert.strictEqual(operation?.request.amount, evmRequest.amount)
      assert.notProperty(operation?.quote, "geoQuoteToken")
      assert.strictEqual(operation?.deployment, Network.find(service.network, evmRequest.originChain)?.deployment)
    }).pipe(Effect.provide(layer))
  })

  it.effect("do not replace a missing deployment", () => {
    const seen: Array<Signer.OperationToSign> = []
    const evm: Signer.Evm = {
      ...TestSigner.evm(),
      verifyOperation: (operation) => Effect.sync(() => void seen.push(operation))
    }
    const { service, layer } = makeFixture({
      service: delegated(),
      signers: { evm },
      policy: { verification: "when-possible", network: Network.empty }
    })
    service.always(
      "build-geo-op",
      Fault.alter((answer) => ({ ...answer, deployment: { vault: stranger } }))
    )
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      assert.lengthOf(seen, 1)
      assert.isUndefined(seen[0]?.deployment)
    }).pipe(Effect.provide(layer))
  })
})

describe("an invalid value of an option", () => {
  it.effect("selects the safe choice", () => {
    const { service, layer } = makeFixture({
      service: delegated(),
      policy: { verification: "strict" as never }
    })
    service.always("build-geo-op", onlyHash)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "UnsafeOperation")
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([{ maxFeeBps: Number.NaN }, { maxTotalCostBps: Number.NaN }])("refuses: %o", (policy) => {
    const { service, layer } = makeFixture({ policy })
    service.always(
      "quote",
      Fault.alter((quote) => ({ ...quote, priceImpactBps: -1 }))
    )
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(Client.execute(evmRequest)))._tag, "PolicyViolation")
    }).pipe(Effect.provide(layer))
  })
})

describe("a minimum", () => {
  it.effect.each([
    { minOutput: "0", name: "zero" },
    { minOutput: "9400000", name: "far below the output, though the request sets no slippage" },
    { minOutput: "10000001", name: "above the output" }
  ])("that is $name is refused before it is built", ({ minOutput }) => {
    const { service, layer } = makeFixture()
    service.always(
      "quote",
      Fault.alter((quote) => ({ ...quote, minOutput }))
    )
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(Client.execute(evmRequest)))._tag, "PolicyViolation")
      assert.lengthOf(service.seen("build-geo-op"), 0)
    }).pipe(Effect.provide(layer))
  })
})

describe("a swapped Solana transaction", () => {
  it.effect("that the signer returned is not submitted", () => {
    const inner = TestSigner.solana()
    const solana: Signer.Solana = {
      ...inner,
      signTransaction: (transaction) =>
        inner.signTransaction({
          ...transaction,
          unsignedTransaction: btoa(atob(transaction.unsignedTransaction).replace("5000000", "6000000"))
        })
    }
    const { service, layer } = makeFixture({ signers: { solana } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(solanaRequest))
      if (error._tag !== "SignerError") return assert.fail(error._tag)
      assert.strictEqual(error.reason, "invalid")
      assert.lengthOf(service.seen("submit-solana"), 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is not signed", () => {
    const { service, layer } = makeFixture()
    service.always(
      "build-solana-tx",
      Fault.alter((answer) => ({
        ...answer,
        unsignedTransaction: btoa(atob(String(answer["unsignedTransaction"])).replace("5000000", "6000000"))
      }))
    )
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(solanaRequest))
      if (error._tag !== "UnsafeOperation") return assert.fail(error._tag)
      assert.strictEqual(error.field, "amount")
      assert.lengthOf(service.seen("submit-solana"), 0)
    }).pipe(Effect.provide(layer))
  })
})

describe('verification "when-possible"', () => {
  it.effect("signs a bare hash with any signer and reports that nothing was checked", () => {
    const { service, layer } = makeFixture({
      service: delegated(),
      signers: { evm: blind() },
      policy: { verification: "when-possible", network: Network.empty }
    })
    service.always("build-geo-op", onlyHash)
    const events: Array<SwapEvent.SwapEvent> = []
    return Effect.gen(function* () {
      const swap = yield* succeeding(
        Client.execute(evmRequest, { onProgress: (event) => Effect.sync(() => void events.push(event)) })
      )
      assert.strictEqual(swap.status, "settled")
      assert.deepStrictEqual(checksOf(events), [{ checked: false, shows: "hash" }])
    }).pipe(Effect.provide(layer))
  })

  it.effect("reports that a wallet that cannot sign typed data shows only the hash", () => {
    const { layer } = makeFixture({
      service: delegated(),
      signers: { evm: TestSigner.evm({ capabilities: { authorization: true } }) },
      policy: { verification: "when-possible" }
    })
    const events: Array<SwapEvent.SwapEvent> = []
    return Effect.gen(function* () {
      yield* succeeding(
        Client.execute(evmRequest, { onProgress: (event) => Effect.sync(() => void events.push(event)) })
      )
      assert.deepStrictEqual(checksOf(events), [{ checked: true, shows: "hash" }])
    }).pipe(Effect.provide(layer))
  })

  it.effect("reports that the operation was checked", () => {
    const { layer } = makeFixture({ service: delegated(), policy: { verification: "when-possible" } })
    const events: Array<SwapEvent.SwapEvent> = []
    return Effect.gen(function* () {
      yield* succeeding(
        Client.execute(evmRequest, { onProgress: (event) => Effect.sync(() => void events.push(event)) })
      )
      assert.deepStrictEqual(checksOf(events), [{ checked: true, shows: "terms" }])
    }).pipe(Effect.provide(layer))
  })
})

describe("a delegation to sign", () => {
  const refusals: ReadonlyArray<readonly [name: string, field: string, state: object]> = [
    ["to a contract that is not pinned", "delegate", { delegationTarget: stranger }],
    ["for another chain", "chainId", { chainId: 10 }],
    ["for every chain", "chainId", { chainId: 0 }]
  ]
  for (const verification of ["required", "when-possible"] as const) {
    it.effect.each(refusals)(`%s is refused under "${verification}"`, ([, field, state]) => {
      const { signer, signed } = countingSigner()
      const { service, layer } = makeFixture({ signers: { evm: signer }, policy: { verification } })
      service.always(
        "delegation",
        Fault.alter((answer) => ({ ...answer, ...state }))
      )
      return Effect.gen(function* () {
        const error = yield* failing(Client.execute(evmRequest))
        if (error._tag !== "UnsafeOperation") return assert.fail(error._tag)
        assert.strictEqual(error.field, field)
        assert.strictEqual(signed.authorizations, 0)
      }).pipe(Effect.provide(layer))
    })
  }

  it.effect("needs a pinned delegate even if a bare hash is allowed", () => {
    const { signer, signed } = countingSigner()
    const { layer } = makeFixture({
      signers: { evm: signer },
      policy: { verification: "when-possible", network: Network.empty }
    })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "UnsafeOperation") return assert.fail(error._tag)
      assert.strictEqual(error.field, "delegate")
      assert.strictEqual(signed.authorizations, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each(["delegationTarget", "accountNonce"])("without %s is an error of the service", (field) => {
    const { service, layer } = makeFixture()
    service.always(
      "delegation",
      Fault.alter((answer) => ({ ...answer, [field]: undefined }))
    )
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "ProtocolError") return assert.fail(error._tag)
      assert.strictEqual(error.field, field)
    }).pipe(Effect.provide(layer))
  })
})

describe("a policy", () => {
  const costly = (priceImpactBps: number) =>
    Fault.alter((quote) => ({ ...quote, priceImpactBps, warnings: [{ code: "HIGH_PRICE_IMPACT" }] }))

  it.effect("checks a request before anything is sent", () => {
    const { service, layer } = makeFixture({ policy: { allowedRecipients: [stranger] } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "PolicyViolation") return assert.fail(error._tag)
      assert.strictEqual(error.rule, "allowedRecipients")
      assert.lengthOf(service.requests, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("checks a quote before it is built", () => {
    const { service, layer } = makeFixture({ policy: { maxTotalCostBps: 100 } })
    service.always("quote", costly(-101))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "PolicyViolation") return assert.fail(error._tag)
      assert.deepStrictEqual([error.rule, error.found], ["maxTotalCostBps", "101"])
      assert.lengthOf(service.seen("build-geo-op"), 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([true, false])("lets the caller decide about a high cost: %s", (consent) => {
    const { service, layer } = makeFixture({
      service: delegated(),
      policy: { onHighCost: () => Effect.succeed(consent) }
    })
    service.always("quote", costly(-900))
    return Effect.gen(function* () {
      const swap = yield* Effect.result(succeeding(Client.execute(evmRequest)))
      assert.strictEqual(swap._tag, consent ? "Success" : "Failure")
      assert.lengthOf(service.swaps, consent ? 1 : 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("compares the quote with the minimum of the swap", () => {
    const { service, layer } = makeFixture()
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest, { minOutput: 9_950_001n }))
      if (error._tag !== "PolicyViolation") return assert.fail(error._tag)
      assert.strictEqual(error.rule, "minOutput")
      assert.lengthOf(service.seen("build-geo-op"), 0)
      yield* succeeding(Client.execute(evmRequest, { minOutput: 9_950_000n }))
    }).pipe(Effect.provide(layer))
  })
})

describe("a budget", () => {
  const { originChain: chainId, inputToken: token, amount } = evmRequest
  const policy: Policy.Options = { budgets: [{ chainId, token, amount }] }

  it.effect("is spent by a swap that settles", () => {
    const { signer, signed } = countingSigner()
    const { layer } = makeFixture({ policy, signers: { evm: signer } })
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "PolicyViolation") return assert.fail(error._tag)
      assert.strictEqual(error.rule, "budgets")
      assert.strictEqual(signed.operations, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    { name: "failed", script: (service: ScriptedTransport.ScriptedTransport) => service.ends("failed") },
    { name: "refunded", script: (service: ScriptedTransport.ScriptedTransport) => service.ends("refunded") },
    {
      name: "refused",
      script: (service: ScriptedTransport.ScriptedTransport) =>
        service.next("submit", Fault.refuse(422, "INSUFFICIENT_BALANCE"))
    }
  ])("stays spent when the service says that the swap was $name", ({ script }) => {
    const { service, layer } = makeFixture({ policy })
    script(service)
    return Effect.gen(function* () {
      yield* Effect.result(succeeding(Client.execute(evmRequest)))
      yield* forgetAll
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "PolicyViolation")
    }).pipe(Effect.provide(layer))
  })

  it.effect("limits the signatures that a trusted service can collect by refusing them", () => {
    const { signer, signed } = countingSigner()
    const trusting = { ...policy, afterRefusal: "trust-service" } as const
    const { service, layer } = makeFixture({ policy: trusting, signers: { evm: signer } })
    service.always("submit", Fault.expire)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "PolicyViolation")
      assert.strictEqual(signed.operations, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is released by an abort before anything is sent", () => {
    const wallet = { hangs: true }
    const inner = TestSigner.evm()
    const evm: Signer.Evm = {
      ...inner,
      signOperation: (operation) => (wallet.hangs ? Effect.never : inner.signOperation(operation))
    }
    const { layer } = makeFixture({ policy, signers: { evm } })
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Client.execute(evmRequest))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.interrupt(fiber)
      wallet.hangs = false
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
    }).pipe(Effect.provide(layer))
  })

  it.effect("is released if the wallet does not sign", () => {
    const answers = [Effect.fail(new SwapError.SignerError({ reason: "rejected", message: "No." })), undefined]
    const inner = TestSigner.evm()
    const evm: Signer.Evm = {
      ...inner,
      signOperation: (operation) => answers.shift() ?? inner.signOperation(operation)
    }
    const { layer } = makeFixture({ policy, signers: { evm } })
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(Client.execute(evmRequest)))._tag, "SignerError")
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
    }).pipe(Effect.provide(layer))
  })

  it.effect("stays spent while the outcome is unknown", () => {
    const { service, layer } = makeFixture({ policy })
    service.next("submit", ...Array.from({ length: 8 }, () => Fault.disconnect()))
    return Effect.gen(function* () {
      const unknown = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(unknown._tag, "OutcomeUnknown")
      yield* forgetAll
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "PolicyViolation")
    }).pipe(Effect.provide(layer))
  })

  it.effect("is enforced for two concurrent swaps", () => {
    const { service, layer } = makeFixture({ policy })
    return Effect.gen(function* () {
      const results = yield* succeeding(
        Effect.all([Effect.result(Client.execute(evmRequest)), Effect.result(Client.execute(evmRequest))], {
          concurrency: 2
        })
      )
      assert.deepStrictEqual(results.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(layer))
  })
})
