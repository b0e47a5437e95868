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
  it.effect("calls the functions with their input", () =>
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

  it("has only the methods that were passed", () => {
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

  it.effect("may verify synchronously, and refuse by throwing", () =>
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
  it.effect("calls the functions, including methods of a class instance", () =>
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

/** Every way a function can fail, in every method. */
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
  it.effect("becomes a SignerError with its message, and without its other fields", () =>
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
  ] as const)("becomes a SignerError if it is %s", ([, cause]) =>
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
  ] as const)("is passed on if it is a %s", ([, own]) =>
    Effect.gen(function* () {
      for (const failure of failing(own, how)) expect(yield* failure).toBe(own)
    })
  )

  it.effect("becomes a SignerError if it is an error of this package that signers do not fail with", () =>
    Effect.gen(function* () {
      const cause = new SwapError.Expired({ what: "quote", message: "m" })
      for (const failure of failing(cause, how)) {
        const error = yield* failure
        expect(error._tag).toBe("SignerError")
      }
    })
  )
})

describe("a signer whose result is no longer needed", () => {
  it.effect.each([["evm"], ["solana"]] as const)("is aborted on %s", ([family]) =>
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

  it.effect("is not aborted while its result is needed", () =>
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

  it.effect("can be provided as a layer", () =>
    Effect.gen(function* () {
      expect(yield* signersOf(Signer.layer({ evm }))).toStrictEqual({ evm })
    })
  )

  it.effect("are merged from two layers with one family each, in either order", () =>
    Effect.gen(function* () {
      const joined = yield* signersOf(Signer.merge(Signer.layer({ evm }), Signer.layer({ solana })))
      expect(joined.evm).toBe(evm)
      expect(joined.solana).toBe(solana)
      const turned = yield* signersOf(Signer.merge(Signer.layer({ solana }), Signer.layer({ evm })))
      expect([turned.evm, turned.solana]).toStrictEqual([evm, solana])
    })
  )

  it.effect("are those of the second layer if both have the same family", () =>
    Effect.gen(function* () {
      const other = TestSigner.evm({ capabilities: { authorization: false } })
      const joined = yield* signersOf(Signer.merge(Signer.layer({ evm, solana }), Signer.layer({ evm: other })))
      expect(joined.evm).toBe(other)
      expect(joined.solana).toBe(solana)
    })
  )

  it.effect("fail to merge with the error of either layer", () =>
    Effect.gen(function* () {
      const broken = Layer.effect(Signer.Signers, Effect.fail("no device" as const))
      expect(yield* Effect.flip(signersOf(Signer.merge(broken, Signer.layer({ solana }))))).toBe("no device")
      expect(yield* Effect.flip(signersOf(Signer.merge(Signer.layer({ solana }), broken)))).toBe("no device")
    })
  )

  it.effect("live as long as their scope", () =>
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

describe("a signer converted to promises", () => {
  const whole: Required<Signer.Evm> = {
    address: base.address,
    capabilities,
    verifyOperation: () => Effect.void,
    signOperation: () => Effect.succeed("0x02"),
    verifyPayment: () => Effect.void,
    signPayment: () => Effect.succeed({ signature: "0x03", permitSignature: "0x04" }),
    signAuthorization: () => Effect.succeed(authorization),
    signRevocation: () => Effect.succeed(authorization)
  }
  const notAborted = { signal: new AbortController().signal }

  it("returns the same results", async () => {
    const signer = Signer.evmToPromise(whole)
    expect(signer).toMatchObject({ address: base.address, capabilities })
    await signer.verifyOperation?.(operation, notAborted)
    expect(await signer.signOperation(operation, notAborted)).toBe("0x02")
    await signer.verifyPayment?.(operation as never, notAborted)
    expect(await signer.signPayment?.(operation as never, notAborted)).toStrictEqual({
      signature: "0x03",
      permitSignature: "0x04"
    })
    expect(await signer.signAuthorization?.(toAuthorize, notAborted)).toBe(authorization)
    expect(await signer.signRevocation?.({ chainId: 8453, nonce: 4 }, notAborted)).toBe(authorization)
    const solana = Signer.solanaToPromise({ address: "a", signTransaction: () => Effect.succeed("AQID") })
    expect(await solana.signTransaction(transaction, notAborted)).toBe("AQID")
  })

  it("has only the methods of the original signer", () => {
    const { address, signOperation } = whole
    expect(Object.keys(Signer.evmToPromise({ address, capabilities, signOperation })).toSorted()).toStrictEqual([
      "address",
      "capabilities",
      "signOperation"
    ])
    const solana = Signer.solanaToPromise({ address: "a", signTransaction: () => Effect.succeed("AQID") })
    expect(Object.keys(solana).toSorted()).toStrictEqual(["address", "signTransaction"])
  })

  it("can be called without a signal", async () => {
    const signOperation: (...given: ReadonlyArray<never>) => Promise<unknown> = Signer.evmToPromise(whole).signOperation
    expect(await signOperation(operation as never)).toBe("0x02")
  })

  it("rejects with the error itself", async () => {
    const error = new SwapError.SignerError({ reason: "rejected", message: "No." })
    const signer = Signer.evmToPromise({ ...whole, signOperation: () => Effect.fail(error) })
    await expect(signer.signOperation(operation, notAborted)).rejects.toBe(error)
  })

  it("stops with the reason of the signal when aborted, and does not start afterwards", async () => {
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

describe("an error that a wallet throws", () => {
  const key = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
  const failed = (thrown: unknown) => Signer.failure("The wallet", thrown)

  it("keeps its message and those of its causes", () => {
    const { message, reason } = failed(new Error("No connection", { cause: { message: "port closed" } }))
    expect(message).toBe("The wallet failed: No connection port closed")
    expect(reason).toBe("failed")
    expect(failed("gone").message).toBe("The wallet failed: gone")
    expect(failed({ message: "long", shortMessage: "short" }).message).toBe("The wallet failed: short")
  })

  it.each([undefined, null, 5, {}, { message: 5 }, new Error("")])("may have no message: %s", (thrown) => {
    expect(failed(thrown).message).toBe("The wallet failed: no reason given.")
  })

  it.each([
    ["the code of EIP-1193", { code: 4001, message: "x" }],
    ["its code as a text", { code: "4001" }],
    ["the code of ethers", { code: "ACTION_REJECTED", message: "x" }],
    ["an adapter's inner error", { name: "WalletSignTransactionError", error: { code: 4001 } }],
    ["words of a device", "-3/sign request declined"],
    ["words of a second device", new Error("UserRefusedOnDevice")],
    ["words of a third wallet", new Error("Approval Denied")],
    ["words of a fourth wallet", { message: "Transaction cancelled" }],
    ["the code inside of another error", new Error("x", { cause: new Error("y", { cause: { code: 4001 } }) })],
    ["words of a Solana wallet", new Error("User rejected the request.")],
    ["words of another", "Transaction was declined by the user"]
  ])("is a rejection by the user with %s", (_, thrown) => {
    expect(failed(thrown)).toMatchObject({ reason: "rejected", message: "The wallet: the user declined to sign." })
  })

  it("is not a rejection by the user if a machine rejects", () => {
    expect(failed(new Error("Request rejected: rate limit of the user pool")).reason).toBe("failed")
  })

  it("keeps the reason of a SignerError, and none of its other fields", () => {
    const incapable = new SwapError.SignerError({ reason: "incapable", message: "No key.", cause: { key } })
    expect(failed(incapable)).toMatchObject({ reason: "incapable", message: "The wallet: No key." })
    expect(failed(incapable).cause).toBeUndefined()
    const unsafe = new SwapError.UnsafeOperation({ message: "no", field: "a", expected: "b", found: key })
    expect(failed(unsafe)).toMatchObject({ _tag: "SignerError", reason: "failed", message: "The wallet failed: no" })
  })

  it("becomes a SignerError even if it cannot be inspected", () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error(key)
        }
      }
    )
    expect(failed(hostile).message).toBe("The wallet failed: no reason given.")
  })

  const bytes = Buffer.from(key, "hex")
  const apart = (size: number, by: string, ahead = "") =>
    key
      .match(new RegExp(`.{${size}}`, "g"))
      ?.map((part) => ahead + part)
      .join(by)
  const phrase = "test test test test test test test test test test test junk"
  it.each<readonly [string, string | undefined]>([
    ["hex", key],
    ["hex with its prefix", `0x${key}`],
    ...[2, 4, 8, 16].map((size) => [`hex in groups of ${size}`, apart(size, " ")] as const),
    ["hex with colons", apart(2, ":")],
    ["bytes of hex in a list", apart(2, ", ", "0x")],
    ["bytes of Python", apart(2, "", "\\x")],
    ["bytes of an address of the web", apart(2, "", "%")],
    ["bytes in JSON texts", JSON.stringify(key.match(/../g))],
    ["base58 of 64 bytes", Vectors.solanaKey.secretKey],
    ["base58 of 32 bytes", Vectors.solanaKey.address],
    ["base64", bytes.toString("base64")],
    ["base64 in lines", bytes.toString("base64").replaceAll(/.{16}/g, "$& ")],
    ["base64 for addresses of the web", bytes.toString("base64url")],
    ["half of it in pairs", apart(2, " ")?.slice(0, 47)],
    ["a list of bytes", [...bytes].join(", ")],
    ["a list of bytes with other separators", [...bytes].join(";")],
    [
      "a list of large numbers",
      apart(8, " ")
        ?.split(" ")
        .map((part) => Number.parseInt(part, 16))
        .join(" ")
    ],
    ["bytes as JSON writes them", JSON.stringify(new Uint8Array(bytes))],
    ["a phrase", phrase],
    ["a phrase in capitals", phrase.toUpperCase()],
    ["a phrase as a list", JSON.stringify(phrase.split(" "))],
    [
      "a phrase with numbers",
      phrase
        .split(" ")
        .map((word, index) => `${index + 1}. ${word}`)
        .join(" ")
    ],
    ["the key of an account", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
    ["an address that holds a key", "https://rpc.example/v2/abcdef"],
    ["an address with a password", "user:hunter@rpc.example"],
    ["a signature", operation.signature]
  ])("is not shown if it may contain a key: %s", (_, secret = "") => {
    const shown = "The wallet failed: the reason is not shown because it may contain a secret."
    for (const thrown of [`Bad key: ${secret}`, new Error(`Bad key ${secret} given`), { cause: { message: secret } }]) {
      const error = failed(Object.assign(new Error("", { cause: thrown }), { secret, inner: { secret } }))
      expect(inspect(error, { depth: null, showHidden: true })).not.toContain(secret)
      expect(error.message).toBe(shown)
    }
  })

  it.each([
    `${operation.request.walletAddress} has 12 of 100, 3 4 5`,
    "cannot sign since your wallet does not hold enough tokens for this swap",
    "Error 503 after 3 attempts of 30 s: the device is locked (0x6b0c)"
  ])("is shown if it is plain text: %s", (words) => {
    expect(failed(new Error(words)).message).toBe(`The wallet failed: ${words}`)
  })

  it("is shown without terminal control characters", () => {
    expect(failed(new Error("a\u001b[2J\u0007b\u202ec")).message).toBe("The wallet failed: a [2J b c")
  })

  it.each(["ab ", "1, ", "a.", "aa-", "1:1111", "word "])("is redacted quickly at any length: %s", (part) => {
    // Quadratic time at this length would exceed the timeout of the test.
    expect(failed(new Error(part.repeat(300_000))).message.length).toBeLessThan(1100)
  })
})
