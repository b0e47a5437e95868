/** How many signatures a dishonest service can collect with refusals. */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type ChainReader, Client, Network, type Signer, Store, SwapError } from "../src/index.js"
import { Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import { evmReader, failing, type FixtureOptions, forgetAll, makeFixture, patient, succeeding } from "./fixture.js"
import { deafTo } from "./processes.js"

const { evmRequest, solanaRequest } = ScriptedTransport
const { originChain: chainId, inputToken: token, amount } = evmRequest

/** A fixture that records everything that is signed. */
const watched = (options: FixtureOptions = {}) => {
  const nonces: Array<bigint | undefined> = []
  const transactions: Array<string> = []
  const [evm, solana] = [TestSigner.evm(), TestSigner.solana()]
  const signers: Signer.Signers["Service"] = {
    evm: {
      ...evm,
      signOperation: (operation) => {
        nonces.push(operation.geoOp?.nonce)
        return evm.signOperation(operation)
      }
    },
    solana: {
      ...solana,
      signTransaction: (transaction) => {
        transactions.push(transaction.unsignedTransaction)
        return solana.signTransaction(transaction)
      }
    }
  }
  const service = options.service ?? ScriptedTransport.make()
  service.delegate(chainId, evmRequest.walletAddress)
  const world = makeFixture({ signers, ...options, service })
  return { ...world, nonces, transactions }
}

/** A service that ignores the refused operation and builds with a new nonce each time. */
const withNewNonces = () => {
  const service = ScriptedTransport.make()
  const { transport } = service
  const ignoring: ScriptedTransport.ScriptedTransport = {
    ...service,
    get swaps() {
      return service.swaps
    },
    transport: {
      ...transport,
      buildGeoOp: ({ geoQuoteToken }) => transport.buildGeoOp({ geoQuoteToken })
    }
  }
  return ignoring
}

const refusals = [
  ["410", Fault.refuse(410, "OPERATION_EXPIRED")],
  ["409 INVALID_AUTHORIZATION", Fault.refuse(409, "INVALID_AUTHORIZATION")],
  ["409 NEEDS_DELEGATION", Fault.refuse(409, "NEEDS_DELEGATION")],
  ["422 SLIPPAGE", Fault.refuse(422, "SLIPPAGE")]
] as const

describe("a service that collects signatures and refuses them", () => {
  it.effect.each(refusals)("with %s gets only one that can be executed, regardless of its nonces", ([, refusal]) => {
    const { service, layer, nonces } = watched({ service: withNewNonces() })
    service.always("submit", refusal)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
      assert.strictEqual(error.retry, "resume")
      assert.lengthOf(nonces, 1)
      const [flow] = yield* Client.pending
      assert.strictEqual(flow?.id, error.flowId)
      assert.isDefined(flow?.submission)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each(refusals)("with %s gets several only if at most one can be executed", ([, refusal]) => {
    const { service, layer, nonces } = watched()
    service.always("submit", refusal)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      assert.isAtLeast(nonces.length, 2)
      assert.strictEqual(new Set(nonces).size, 1)
      const [flow, ...others] = yield* Client.pending
      assert.lengthOf(others, 0)
      assert.lengthOf(flow?.earlier ?? [], nonces.length - 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("gets only one on Solana, where transactions do not exclude each other", () => {
    const { service, layer, transactions } = watched()
    service.always("submit-solana", Fault.refuse(410, "OPERATION_EXPIRED"))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(solanaRequest))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      assert.lengthOf(transactions, 1)
      assert.lengthOf(service.seen("quote"), 1)
      assert.lengthOf(yield* Client.pending, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("gets only one if it shows the right nonce with an unverified hash", () => {
    const { verifyOperation: _, ...blind } = TestSigner.evm()
    let signed = 0
    const signer: Signer.Evm = {
      ...blind,
      signOperation: (operation) => {
        signed++
        return blind.signOperation(operation)
      }
    }
    const service = ScriptedTransport.make()
    service.always("submit", Fault.refuse(410))
    const { layer } = watched({ service, signers: { evm: signer }, policy: { verification: "when-possible" } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      assert.strictEqual(signed, 1)
      assert.isUndefined((yield* Client.pending)[0]?.operation)
    }).pipe(Effect.provide(layer))
  })

  it.effect("gets only one if it uses another delegate with the same nonce", () => {
    const other = `0x${"1d".repeat(20)}`
    const service = ScriptedTransport.make()
    const deployment = Network.find(service.network, chainId)?.deployment
    const pinned = {
      ...deployment,
      vault: deployment?.vault ?? "",
      delegates: [...(deployment?.delegates ?? []), other]
    }
    const { layer, nonces } = watched({
      service,
      policy: { network: { chains: [{ id: chainId, name: "base", family: "evm", deployment: pinned }] } }
    })
    service.next("submit", Fault.refuse(410))
    service.next("build-geo-op", Fault.pass, Fault.swapOperation({ delegate: other }))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      assert.lengthOf(nonces, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("keeps the budget of its signatures spent", () => {
    const { service, layer, nonces } = watched({
      service: withNewNonces(),
      policy: { budgets: [{ chainId, token, amount: amount + amount / 2n }] }
    })
    service.always("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      yield* failing(Client.execute(evmRequest))
      yield* forgetAll
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "PolicyViolation")
      assert.lengthOf(nonces, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("gets OutcomeUnknown for every failure after the first signature", () => {
    const faults = [Fault.refuse(401), Fault.unavailable(), Fault.rateLimited(3_600), Fault.garbage()]
    return Effect.forEach(["quote", "build-geo-op"] as const, (endpoint) =>
      Effect.forEach(faults, (fault) => {
        const { service, layer } = watched()
        service.next("submit", Fault.refuse(410))
        return Effect.gen(function* () {
          const error = yield* failing(
            Client.execute(evmRequest, {
              onProgress: ({ type }) => Effect.sync(() => type === "signed" && service.always(endpoint, fault))
            })
          )
          assert.strictEqual(error.retry, "resume")
          assert.lengthOf(yield* Client.pending, 1)
        }).pipe(Effect.provide(layer))
      })
    )
  })
})

describe("a refusal that the caller's own node confirms", () => {
  it.effect("as expired allows another signature once the deadline has also passed on the local clock", () => {
    const asked: Array<ChainReader.OperationQuery> = []
    const { service, layer, nonces } = watched({
      service: withNewNonces(),
      readers: { evm: evmReader("expired", asked) }
    })
    service.next("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
      assert.lengthOf(nonces, 2)
      const [query] = asked
      assert.isAtLeast(yield* Clock.currentTimeMillis, (query?.deadline ?? Infinity) * 1000)
      assert.deepStrictEqual(
        [query?.chainId, query?.wallet, query?.nonce],
        [chainId, evmRequest.walletAddress, nonces[0]]
      )
      assert.lengthOf(service.swaps, 1)
      assert.deepStrictEqual(yield* Client.pending, [])
    }).pipe(Effect.provide(layer), Effect.provide(patient))
  })

  it.effect("as expired before the deadline on the local clock does not allow another signature", () => {
    const { service, layer, nonces } = watched({ service: withNewNonces(), readers: { evm: evmReader("expired") } })
    service.next("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(Client.execute(evmRequest)))._tag, "OutcomeUnknown")
      assert.lengthOf(nonces, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("on Solana allows another transaction once the expiry is proven", () => {
    const states: Array<ChainReader.SignedState> = ["open", "open", "expired"]
    const asked: Array<ChainReader.TransactionQuery> = []
    const solana: ChainReader.Solana = {
      transactionState: (query) =>
        Effect.sync(() => {
          asked.push(query)
          return states.shift() ?? "expired"
        }),
      token: () => Effect.succeed({ decimals: 6 })
    }
    const { service, layer, transactions } = watched({ readers: { solana } })
    service.next("submit-solana", Fault.refuse(410))
    return Effect.gen(function* () {
      const signedAt = yield* Clock.currentTimeMillis
      assert.strictEqual((yield* succeeding(Client.execute(solanaRequest))).status, "settled")
      assert.deepStrictEqual(
        asked.map((query) => query.signedAt),
        [signedAt, signedAt, signedAt]
      )
      assert.lengthOf(transactions, 2)
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each(["used", "open"] as const)("as %s allows no other signature", (state) => {
    const { service, layer, nonces } = watched({ service: withNewNonces(), readers: { evm: evmReader(state) } })
    service.always("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      assert.lengthOf(nonces, 1)
      assert.lengthOf(yield* Client.pending, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("cannot confirm, because it does not answer, allows no other signature", () => {
    const evm: ChainReader.Evm = {
      ...evmReader("expired"),
      operationState: () => Effect.fail(new SwapError.ReaderError({ message: "No answer." }))
    }
    const { service, layer, nonces } = watched({ service: withNewNonces(), readers: { evm } })
    service.always("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      assert.lengthOf(nonces, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("does not reserve the budget twice", () => {
    const { service, layer } = watched({
      service: withNewNonces(),
      readers: { evm: evmReader("expired") },
      policy: { budgets: [{ chainId, token, amount }] }
    })
    service.next("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
    }).pipe(Effect.provide(layer), Effect.provide(patient))
  })
})

describe("an earlier signature that the service did accept", () => {
  /** Accepts the first submit, but responds with a refusal. */
  const accepted = Fault.garbage(JSON.stringify({ code: "OPERATION_EXPIRED", message: "Too late." }), {
    status: 410,
    after: true
  })

  it.effect("is found when the build with its nonce is refused, and there is one swap", () => {
    const { service, layer, nonces } = watched()
    service.next("submit", accepted)
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(evmRequest))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(nonces, 1)
      assert.lengthOf(service.swaps, 1)
      assert.deepStrictEqual(yield* Client.pending, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is found by a resume, which submits all signatures", () => {
    const { service, layer, nonces } = watched()
    service.next("submit", Fault.refuse(410), Fault.refuse(401))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
      assert.lengthOf(nonces, 2)
      const [flow] = yield* Client.pending
      // From here on, the newest signature is refused and the one before is accepted.
      service.next("submit", Fault.refuse(401))
      assert.strictEqual((yield* succeeding(Client.resume(error.flowId))).status, "settled")
      const tokens = service.seen("submit").map(({ body }) => body["geoOpToken"])
      assert.strictEqual(tokens.at(-1), flow?.earlier?.[0]?.submission.geoOpToken)
      assert.lengthOf(service.swaps, 1)
      assert.deepStrictEqual(yield* Client.pending, [])
    }).pipe(Effect.provide(layer))
  })
})

describe("a policy that trusts the service", () => {
  const policy = { afterRefusal: "trust-service" } as const

  it.effect("signs again after a refusal, with a new nonce and a new reservation each time", () => {
    const { service, layer, nonces } = watched({
      service: withNewNonces(),
      policy: { ...policy, budgets: [{ chainId, token, amount: 3n * amount }] }
    })
    service.always("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "PolicyViolation")
      assert.strictEqual(new Set(nonces).size, 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("passes on the refusal and removes the flow", () => {
    const { service, layer } = watched({ policy })
    service.always("submit", Fault.refuse(422, "INSUFFICIENT_BALANCE"))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "InsufficientBalance")
      assert.deepStrictEqual(yield* Client.pending, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("still signs nothing after an attempt without a clear answer", () => {
    const { service, layer, nonces } = watched({ policy })
    service.next("submit", Fault.disconnect({ after: true }), Fault.refuse(410))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      assert.lengthOf(nonces, 1)
    }).pipe(Effect.provide(layer))
  })
})

describe("the store", () => {
  it.effect("keeps the id of an accepted swap and no signature", () => {
    const { service, layer } = watched()
    service.next("submit", Fault.refuse(410))
    service.ends("never")
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest, { timeout: "1 minute" }))
      assert.strictEqual(error._tag, "WaitTimeout")
      const [flow] = yield* Client.pending
      assert.strictEqual(flow?.swapId, service.swaps[0]?.swapId)
      assert.notProperty(flow, "submission")
      assert.notProperty(flow, "earlier")
      assert.notProperty(flow, "operation")
    }).pipe(Effect.provide(layer))
  })

  it.effect("keeps the first signature if it fails before the second one is sent", () => {
    const store = deafTo(Effect.runSync(Store.makeMemory), "signed 2")
    const { service, layer, nonces } = watched({ store })
    service.next("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      assert.lengthOf(nonces, 2)
      assert.lengthOf(service.seen("submit"), 1)
      const [flow] = yield* Client.pending
      assert.deepStrictEqual(
        flow?.submission?.geoOpToken,
        service.seen("submit").map(({ body }) => body["geoOpToken"])[0]
      )
      assert.isUndefined(flow?.earlier)
    }).pipe(Effect.provide(layer))
  })
})
