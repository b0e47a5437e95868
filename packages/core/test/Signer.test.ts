import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { Signer, SwapError } from "../src/index.js"
import { TestSigner, Vectors } from "../src/testing.js"

const [operation] = Vectors.operations
const [transaction] = Vectors.transactions
if (operation === undefined || transaction === undefined) throw new Error("There are no vectors.")
const toAuthorize: Signer.AuthorizationToSign = { chainId: 8453, address: `0x${"9a".repeat(20)}`, nonce: 3 }
const authorization = { ...toAuthorize, yParity: 0, r: `0x${"01".repeat(32)}`, s: `0x${"02".repeat(32)}` } as const

const capabilities = { authorization: true }
const base: Signer.PromiseEvmSigner = {
  address: operation.request.walletAddress,
  capabilities,
  signOperation: async () => "0x01"
}
const solanaBase: Signer.PromiseSolanaSigner = {
  address: transaction.request.walletAddress,
  signTransaction: async () => "AQID"
}

describe("an EVM signer from promises", () => {
  it.effect("does what the functions do, with what they are given", () =>
    Effect.gen(function* () {
      const given: Array<unknown> = []
      const signer = Signer.evmFromPromise({
        ...base,
        verifyOperation: async (payload) => void given.push(payload),
        signOperation: async (payload) => {
          given.push(payload)
          return "0x02"
        },
        signAuthorization: async (payload) => {
          given.push(payload)
          return authorization
        }
      })
      expect(signer).toMatchObject({ address: base.address, capabilities })
      yield* signer.verifyOperation?.(operation) ?? Effect.die("blind")
      expect(yield* signer.signOperation(operation)).toBe("0x02")
      expect(yield* signer.signAuthorization?.(toAuthorize) ?? Effect.die("incapable")).toBe(authorization)
      expect(given).toStrictEqual([operation, operation, toAuthorize])
      expect(given[0]).toBe(operation)
    })
  )

  it("has no method that the functions do not have: it stays blind and incapable", () => {
    expect(Object.keys(Signer.evmFromPromise(base)).toSorted()).toStrictEqual([
      "address",
      "capabilities",
      "signOperation"
    ])
    expect(Object.keys(Signer.solanaFromPromise(solanaBase)).toSorted()).toStrictEqual(["address", "signTransaction"])
  })

  it.effect("may be an instance of a class, with methods on its prototype and getters", () =>
    Effect.gen(function* () {
      class Vault implements Signer.PromiseEvmSigner {
        readonly #key: string = "0x03"
        get address() {
          return operation?.request.walletAddress ?? ""
        }
        get capabilities() {
          return { authorization: this.#key !== "" }
        }
        verifyOperation({ geoOpHash }: Signer.OperationToSign) {
          if (geoOpHash !== operation?.geoOpHash || this.#key === "") throw new Error("Another operation.")
        }
        async signOperation() {
          return this.#key as "0x03"
        }
        async signAuthorization() {
          return { ...authorization, nonce: this.#key.length }
        }
      }
      const signer = Signer.evmFromPromise(new Vault())
      expect(signer).toMatchObject({ address: base.address, capabilities: { authorization: true } })
      yield* signer.verifyOperation?.(operation) ?? Effect.die("blind")
      expect(yield* signer.signOperation(operation)).toBe("0x03")
      expect((yield* signer.signAuthorization?.(toAuthorize) ?? Effect.die("incapable")).nonce).toBe(4)
    })
  )

  it.effect("may verify without a promise, and refuse by throwing", () =>
    Effect.gen(function* () {
      const refusing = Signer.evmFromPromise({
        ...base,
        verifyOperation: () => {
          throw new Error("Not mine.")
        }
      })
      const error = yield* Effect.flip(refusing.verifyOperation?.(operation) ?? Effect.void)
      expect(error).toMatchObject({ _tag: "SignerError", reason: "failed" })
      expect(error.message).toContain("Not mine.")
    })
  )
})

describe("a Solana signer from promises", () => {
  it.effect("does what the functions do, also in an instance of a class", () =>
    Effect.gen(function* () {
      class Ledger implements Signer.PromiseSolanaSigner {
        readonly seen: Array<unknown> = []
        get address() {
          return solanaBase.address
        }
        async verifyTransaction(payload: Signer.TransactionToSign) {
          this.seen.push(payload)
        }
        async signTransaction(payload: Signer.TransactionToSign) {
          this.seen.push(payload)
          return `signed ${payload.unsignedTransaction.length}`
        }
      }
      const ledger = new Ledger()
      const signer = Signer.solanaFromPromise(ledger)
      expect(signer.address).toBe(solanaBase.address)
      yield* signer.verifyTransaction?.(transaction) ?? Effect.die("blind")
      expect(yield* signer.signTransaction(transaction)).toBe(`signed ${transaction.unsignedTransaction.length}`)
      expect(ledger.seen).toStrictEqual([transaction, transaction])
    })
  )
})

/** Every way in which a function can fail, in every method. */
const failing = (cause: unknown, how: "thrown" | "rejected") => {
  const fail = (): Promise<never> => {
    if (how === "thrown") throw cause
    return Promise.reject(cause)
  }
  const evm = Signer.evmFromPromise({ ...base, verifyOperation: fail, signOperation: fail, signAuthorization: fail })
  const solana = Signer.solanaFromPromise({ ...solanaBase, verifyTransaction: fail, signTransaction: fail })
  return [
    evm.verifyOperation?.(operation),
    evm.signOperation(operation),
    evm.signAuthorization?.(toAuthorize),
    solana.verifyTransaction?.(transaction),
    solana.signTransaction(transaction)
  ].map((effect) => Effect.flip(Effect.asVoid(effect ?? Effect.void)))
}

describe.each(["thrown", "rejected"] as const)("a failure that is %s", (how) => {
  it.effect("becomes a SignerError with its words, and without what else it holds", () =>
    Effect.gen(function* () {
      const cause = Object.assign(new Error("The key service is down"), { config: { token: "canary" } })
      for (const failure of failing(cause, how)) {
        const error = yield* failure
        expect(error).toBeInstanceOf(SwapError.SignerError)
        expect(error).toMatchObject({ reason: "failed", retry: "never" })
        expect(inspect(error, { depth: null, showHidden: true })).not.toContain("canary")
        expect(error.message).toContain("The key service is down")
      }
    })
  )

  it.effect.each([
    ["a text", "no"],
    ["nothing", undefined],
    ["an object", { code: 4001 }],
    ["an empty error", new Error("")]
  ] as const)("becomes a SignerError where it is %s", ([, cause]) =>
    Effect.gen(function* () {
      for (const failure of failing(cause, how)) {
        const error = yield* failure
        expect(error).toMatchObject({ _tag: "SignerError", reason: "failed" })
        expect(error.message).toMatch(/failed: \S/)
      }
    })
  )

  it.effect.each([
    ["SignerError", new SwapError.SignerError({ reason: "rejected", message: "The person said no." })],
    ["UnsafeOperation", new SwapError.UnsafeOperation({ field: "f", expected: "e", found: "x", message: "m" })]
  ] as const)("passes as it is where it is a %s", ([, own]) =>
    Effect.gen(function* () {
      for (const failure of failing(own, how)) expect(yield* failure).toBe(own)
    })
  )

  it.effect("becomes a SignerError where it is an error of ours that no signer fails with", () =>
    Effect.gen(function* () {
      const cause = new SwapError.Expired({ what: "quote", message: "m" })
      for (const failure of failing(cause, how)) {
        const error = yield* failure
        expect(error._tag).toBe("SignerError")
      }
    })
  )
})

describe("a signer that nobody waits for any more", () => {
  it.effect.each([["evm"], ["solana"]] as const)("hears of it on %s", ([family]) =>
    Effect.gen(function* () {
      const signals: Array<AbortSignal> = []
      const never = (_: unknown, { signal }: Signer.Abort) => {
        signals.push(signal)
        return new Promise<never>(() => {})
      }
      const signing =
        family === "evm"
          ? Signer.evmFromPromise({ ...base, signOperation: never }).signOperation(operation)
          : Signer.solanaFromPromise({ ...solanaBase, signTransaction: never }).signTransaction(transaction)
      const fiber = yield* Effect.forkChild(signing, { startImmediately: true })
      expect(signals.map(({ aborted }) => aborted)).toStrictEqual([false])
      yield* Fiber.interrupt(fiber)
      expect(signals.map(({ aborted }) => aborted)).toStrictEqual([true])
    })
  )

  it.effect("hears nothing while it is waited for", () =>
    Effect.gen(function* () {
      const signals: Array<AbortSignal> = []
      const signer = Signer.evmFromPromise({
        ...base,
        signOperation: async (_, { signal }) => {
          signals.push(signal)
          return "0x01"
        }
      })
      yield* signer.signOperation(operation)
      expect(signals.map(({ aborted }) => aborted)).toStrictEqual([false])
    })
  )
})

describe("the signers of a client", () => {
  const evm = TestSigner.evm()
  const solana = TestSigner.solana()
  const signersOf = <E>(layer: Layer.Layer<Signer.Signers, E>) => Signer.Signers.pipe(Effect.provide(layer))

  it.effect("come as a layer", () =>
    Effect.gen(function* () {
      expect(yield* signersOf(Signer.layer({ evm }))).toStrictEqual({ evm })
    })
  )

  it.effect("are joined from two layers that each bring one family, in either order", () =>
    Effect.gen(function* () {
      const joined = yield* signersOf(Signer.merge(Signer.layer({ evm }), Signer.layer({ solana })))
      expect(joined.evm).toBe(evm)
      expect(joined.solana).toBe(solana)
      const turned = yield* signersOf(Signer.merge(Signer.layer({ solana }), Signer.layer({ evm })))
      expect([turned.evm, turned.solana]).toStrictEqual([evm, solana])
    })
  )

  it.effect("are the second's where both bring the same family", () =>
    Effect.gen(function* () {
      const other = TestSigner.evm({ capabilities: { authorization: false } })
      const joined = yield* signersOf(Signer.merge(Signer.layer({ evm, solana }), Signer.layer({ evm: other })))
      expect(joined.evm).toBe(other)
      expect(joined.solana).toBe(solana)
    })
  )

  it.effect("fail to be joined with what either layer fails with", () =>
    Effect.gen(function* () {
      const broken = Layer.effect(Signer.Signers, Effect.fail("no device" as const))
      expect(yield* Effect.flip(signersOf(Signer.merge(broken, Signer.layer({ solana }))))).toBe("no device")
      expect(yield* Effect.flip(signersOf(Signer.merge(Signer.layer({ solana }), broken)))).toBe("no device")
    })
  )

  it.effect("live as long as whoever uses them", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const device = Layer.effect(
        Signer.Signers,
        Effect.acquireRelease(
          Effect.sync(() => {
            events.push("opened")
            return { evm }
          }),
          () => Effect.sync(() => events.push("closed"))
        )
      )
      const used = Effect.flatMap(Signer.Signers, () => Effect.sync(() => events.push("used")))
      yield* Effect.provide(used, Signer.merge(device, Signer.layer({ solana })))
      expect(events).toStrictEqual(["opened", "used", "closed"])
    })
  )
})

describe("a signer in effects, for promise users", () => {
  const whole: Required<Signer.EvmSigner> = {
    address: base.address,
    capabilities,
    verifyOperation: () => Effect.void,
    signOperation: () => Effect.succeed("0x02"),
    signAuthorization: () => Effect.succeed(authorization)
  }
  const patience = { signal: new AbortController().signal }

  it("does the same in promises", async () => {
    const signer = Signer.evmToPromise(whole)
    expect(signer).toMatchObject({ address: base.address, capabilities })
    await signer.verifyOperation?.(operation, patience)
    expect(await signer.signOperation(operation, patience)).toBe("0x02")
    expect(await signer.signAuthorization?.(toAuthorize, patience)).toBe(authorization)
    const solana = Signer.solanaToPromise({ address: "a", signTransaction: () => Effect.succeed("AQID") })
    expect(await solana.signTransaction(transaction, patience)).toBe("AQID")
  })

  it("has no method that the effects do not have", () => {
    const { address, signOperation } = whole
    expect(Object.keys(Signer.evmToPromise({ address, capabilities, signOperation })).toSorted()).toStrictEqual([
      "address",
      "capabilities",
      "signOperation"
    ])
    const solana = Signer.solanaToPromise({ address: "a", signTransaction: () => Effect.succeed("AQID") })
    expect(Object.keys(solana).toSorted()).toStrictEqual(["address", "signTransaction"])
  })

  it("can be called by hand, without a signal", async () => {
    const signOperation: (...given: ReadonlyArray<never>) => Promise<unknown> = Signer.evmToPromise(whole).signOperation
    expect(await signOperation(operation as never)).toBe("0x02")
  })

  it("rejects with the error itself", async () => {
    const error = new SwapError.SignerError({ reason: "rejected", message: "No." })
    const signer = Signer.evmToPromise({ ...whole, signOperation: () => Effect.fail(error) })
    await expect(signer.signOperation(operation, patience)).rejects.toBe(error)
  })

  it("stops when aborted, with the signal's reason, and does not start afterwards", async () => {
    const controller = new AbortController()
    let started = 0
    const signOperation = () =>
      Effect.andThen(
        Effect.sync(() => void started++),
        Effect.never
      )
    const signer = Signer.evmToPromise({ ...whole, signOperation })
    const signing = signer.signOperation(operation, controller)
    const reason = new Error("changed my mind")
    controller.abort(reason)
    await expect(signing).rejects.toBe(reason)
    await expect(signer.signOperation(operation, controller)).rejects.toBe(reason)
    expect(started).toBe(1)
  })
})

describe("what a wallet throws", () => {
  const key = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
  const failed = (thrown: unknown) => Signer.failure("The wallet", thrown)

  it("is told in its own words, and those of its causes", () => {
    const { message, reason } = failed(new Error("No connection", { cause: { message: "port closed" } }))
    expect(message).toBe("The wallet failed: No connection port closed")
    expect(reason).toBe("failed")
    expect(failed("gone").message).toBe("The wallet failed: gone")
    expect(failed({ message: "long", shortMessage: "short" }).message).toBe("The wallet failed: short")
  })

  it.each([undefined, null, 5, {}, { message: 5 }, new Error("")])("may say nothing: %s", (thrown) => {
    expect(failed(thrown).message).toBe("The wallet failed: no reason given")
  })

  it.each([
    ["the code of EIP-1193", { code: 4001, message: "x" }],
    ["the code inside of another error", new Error("x", { cause: new Error("y", { cause: { code: 4001 } }) })],
    ["words of a Solana wallet", new Error("User rejected the request.")],
    ["words of another", "Transaction was declined by the user"]
  ])("is a refusal of its user by %s", (_, thrown) => {
    expect(failed(thrown)).toMatchObject({ reason: "rejected", message: "The wallet: the user declined to sign." })
  })

  it("is no refusal of a user where a machine rejects", () => {
    expect(failed(new Error("Request rejected: rate limit of the user pool")).reason).toBe("failed")
  })

  it("keeps its reason where it is an error of ours, and nothing that it may hold besides", () => {
    const incapable = new SwapError.SignerError({ reason: "incapable", message: "No key.", cause: { key } })
    expect(failed(incapable)).toMatchObject({ reason: "incapable", message: "The wallet: No key." })
    expect(failed(incapable).cause).toBeUndefined()
    const unsafe = new SwapError.UnsafeOperation({ message: "no", field: "a", expected: "b", found: key })
    expect(failed(unsafe)).toMatchObject({ _tag: "SignerError", reason: "failed", message: "The wallet failed: no" })
  })

  it("is an error of ours even where it cannot be looked at", () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error(key)
        }
      }
    )
    expect(failed(hostile).message).toBe("The wallet failed: no reason given")
  })

  it.each([
    ["hex", key],
    ["hex with its prefix", `0x${key}`],
    ["base58 of 64 bytes", Vectors.solanaKey.secretKey],
    ["base58 of 32 bytes", Vectors.solanaKey.address],
    ["base64", Buffer.from(key, "hex").toString("base64")],
    ["base64 for addresses of the web", Buffer.from(key, "hex").toString("base64url")],
    ["a list of bytes", [...Buffer.from(key, "hex")].join(", ")],
    ["a list of bytes without spaces", [...Buffer.from(key, "hex")].join(",")],
    ["bytes as JSON writes them", JSON.stringify(new Uint8Array(Buffer.from(key, "hex"))).slice(1, -1)],
    ["bytes apart", key.replaceAll(/..(?=.)/g, "$&:")],
    ["bytes in lines", key.replaceAll(/..(?=.)/g, "0x$&, ")],
    ["an address that holds a key", "https://rpc.example/v2/abcdef"],
    ["a phrase", "test test test test test test test test test test test junk"],
    ["a signature", operation.signature]
  ])("is told without what may be a key: %s", (_, secret) => {
    const thrown = Object.assign(new Error(`Bad key: ${secret} - go.`, { cause: secret }), {
      secret,
      inner: { secret }
    })
    const error = failed(thrown)
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(secret)
    expect(JSON.stringify(error)).not.toContain(secret)
    expect(error.message).toMatch(/^The wallet failed: Bad key: \(hidden\) ?- go\. \(hidden\)$/)
  })

  it("is told with what is no secret: addresses of EVM chains, numbers, a few of them", () => {
    const words = `${operation.request.walletAddress} has 12 of 100, 3 4 5`
    expect(failed(new Error(words)).message).toBe(`The wallet failed: ${words}`)
  })

  it("is not told at any length, nor slow to tell", () => {
    expect(failed(new Error("ab ".repeat(100_000))).message.length).toBeLessThan(400)
    expect(failed(new Error("1, ".repeat(100_000))).message.length).toBeLessThan(400)
  })
})
