/** No signer, error, log or trace shows a key or a signature, whatever a wallet throws or returns. */
import { describe, expect, it } from "@effect/vitest"
import { Signer, SwapError } from "@geoswap/core"
import { createClient } from "@geoswap/core/promise"
import { ScriptedTransport, Vectors } from "@geoswap/core/testing"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Tracer from "effect/Tracer"
import * as Base58 from "ox/Base58"
import * as Signature from "ox/Signature"
import { createWalletClient, custom } from "viem"
import { privateKeyToAccount, toAccount } from "viem/accounts"
import { library, tupleHash } from "../../../tooling/testing/evm/chainLibrary.js"
import { rejection, thrown } from "../../../tooling/testing/expectError.ts"
import { isChosen } from "../../../tooling/testing/matrix.ts"
import { EvmSigner } from "../src/index.js"
import { canaryOf, hexOf, shown, written } from "./findSecrets.js"
import { agreement, built } from "./operations.js"
import { address, BrowserWallet, digestService, forms, order, privateKey, sign, stranger } from "./wallets.js"

const alive = () => ({ signal: new AbortController().signal })
const operation = built(agreement)
const [delegate] = Vectors.evmDeployment.delegates ?? []
const deployment = { ...agreement.deployment, codeHash: `0x${"c0".repeat(32)}` } as const
const tuple = { chainId: 8453, address: delegate as `0x${string}`, nonce: 4, deployment: agreement.deployment }

const signatures = [operation.geoOpHash, tupleHash(tuple)].map((hash) => sign(hash))
const { leaksIn, secrets } = canaryOf([BigInt(privateKey), ...signatures.flatMap(({ r, s }) => [r, s, order - s])])

/** The places of a secret in the error of a wallet. */
const errors: Readonly<Record<string, (secret: string) => unknown>> = {
  "in its message": (secret) => new Error(`cannot sign with ${secret}`),
  "as its message": (secret) => new Error(secret),
  "by half": (secret) => new Error(`cannot sign with ${secret.slice(0, Math.ceil(secret.length / 2) + 1)}`),
  "in a long message": (secret) => new Error(`${"words ".repeat(40)}${secret}${" and more".repeat(40)}`),
  "in its cause": (secret) => new Error("failed", { cause: new Error(`with ${secret}`) }),
  "in a cause that is not an error": (secret) => new Error("failed", { cause: { secret, message: secret } }),
  "in its properties": (secret) => Object.assign(new Error("failed"), { config: { key: secret }, data: secret }),
  "in its short message": (secret) => Object.assign(new Error("failed"), { shortMessage: `with ${secret}` }),
  "in its name": (secret) => Object.assign(new Error("failed"), { name: secret }),
  "in a group of errors": (secret) => new AggregateError([new Error(secret)], `several: ${secret}`),
  "as a text": (secret) => `cannot sign with ${secret}`,
  "as a plain object": (secret) => ({ code: -32000, message: `with ${secret}`, data: { secret } }),
  "in the address of a service": (secret) => new Error(`POST https://kms.example/v1?key=${secret} failed`),
  "in an error of ours": (secret) =>
    new SwapError.SignerError({ reason: "failed", message: `with ${secret}`, cause: new Error(secret) }),
  "in a refusal that EIP-1193 knows": (secret) => Object.assign(new Error(secret), { code: 4100, data: { secret } }),
  "in a rejection": (secret) => Object.assign(new Error(`User rejected ${secret}`), { code: 4001 }),
  "in an object whose properties throw": (secret) => ({
    get message() {
      throw new Error(secret)
    }
  })
}

/** A signature in the most common format. */
const whole = (payload: `0x${string}`): string => Signature.toHex(sign(payload))

/** Invalid answers that contain a signature of the wallet. */
const answers: Readonly<Record<string, (payload: `0x${string}`) => unknown>> = {
  "the signature and trailing bytes": (payload) => `${whole(payload)}00ff`,
  "the signature in a contract wallet's envelope": (payload) =>
    `0x${"00".repeat(64)}${whole(payload).slice(2)}${"6492".repeat(16)}`,
  "the signature in a text": (payload) => `signature: ${whole(payload)}`,
  "the signature in an object": (payload) => ({ signature: whole(payload) }),
  "half of the signature": (payload) => ({ r: sign(payload).r }),
  "the signature with another r": (payload) => ({ ...sign(payload), r: sign(payload).s }),
  "the key itself": () => privateKey,
  "the key twice": () => `${privateKey}${privateKey.slice(2)}`
}

const account = privateKeyToAccount(privateKey)
const { signTransaction } = account
type Fail = (payload: `0x${string}`) => Promise<never>

/** A browser wallet on the right chain. */
const requestOf =
  (act: Fail) =>
  ({ method }: { readonly method: string }): Promise<unknown> =>
    method === "eth_chainId" ? Promise.resolve("0x2105") : act(operation.geoOpHash)

/** Every constructor, for a wallet that always does the same with a payload. */
const constructors: Readonly<
  Record<
    string,
    (
      act: Fail,
      options?: EvmSigner.Options
    ) => readonly [Signer.PromiseEvmSigner, Layer.Layer<Signer.Signers, SwapError.InvalidInput>]
  >
> = {
  account: (act, options) => {
    const given = toAccount({
      address,
      signMessage: () => Promise.reject(new Error("unused")),
      sign: ({ hash }) => act(hash),
      signTransaction,
      signTypedData: () => act(operation.geoOpHash)
    })
    return [EvmSigner.fromAccount(given, options), EvmSigner.layerAccount(given, options)]
  },
  walletClient: (act, options) => {
    const client = createWalletClient({
      account: address,
      transport: custom({ request: requestOf(act) }, { retryCount: 0 })
    })
    return [EvmSigner.fromWalletClient(client, options), EvmSigner.layerWalletClient(client, options)]
  },
  provider: (act, options) => {
    const provider = { request: requestOf(act) }
    return [EvmSigner.fromProvider(provider, address, options), EvmSigner.layerProvider(provider, address, options)]
  },
  promise: (act, options) => {
    const service = { address, signDigest: act }
    return [EvmSigner.fromKeyService(service, options), EvmSigner.layerKeyService(service, options)]
  }
}

/** The result of a call, with everything that was logged and traced meanwhile. */
const outcomes = async ([promise, layer]: readonly [
  Signer.PromiseEvmSigner,
  Layer.Layer<Signer.Signers, SwapError.InvalidInput>
]) => {
  const records: Array<unknown> = []
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const logger = Logger.layer([Logger.make((record) => records.push(record))])
  const requested = [
    await promise.signOperation(operation, alive()).then(
      () => "signed",
      (error: unknown) => error
    ),
    await promise.signAuthorization?.(tuple, alive()).then(
      () => "signed",
      (error: unknown) => error
    )
  ]
  const program = Effect.gen(function* () {
    const { evm } = yield* Signer.Signers
    const first = yield* Effect.exit(Effect.withSpan(evm?.signOperation(operation) ?? Effect.void, "sign"))
    const second = yield* Effect.exit(Effect.withSpan(evm?.signAuthorization?.(tuple) ?? Effect.void, "authorize"))
    for (const exit of [first, second]) {
      if (!Exit.isFailure(exit)) continue
      yield* Effect.logError("failed", exit.cause)
      requested.push(exit.cause, Cause.pretty(exit.cause), Cause.squash(exit.cause))
    }
    return evm
  })
  const evm = await Effect.runPromise(
    program.pipe(Effect.provide(layer), Effect.provide(logger), Effect.withTracer(tracer), Effect.orDie)
  )
  // What a tracer exports. The result of a span stays in the program.
  const traced = spans.map(({ attributes, name, status, ...more }) => ({
    name,
    attributes,
    events: (more as Partial<Tracer.NativeSpan>).events,
    failure: status._tag === "Ended" && Exit.isFailure(status.exit) && status.exit
  }))
  return { requested, records, spans: traced, signers: [promise, evm, layer] }
}

describe("the scanner for secrets", () => {
  it("finds a leaked secret", () => {
    expect(secrets.length).toBeGreaterThan(40)
    const { r } = signatures[0] ?? { r: 0n }
    for (const leak of [
      { deep: [{ privateKey }] },
      new Error("outer", { cause: new Error(privateKey) }),
      Object.defineProperty({}, "hidden", { value: privateKey }),
      { key: BigInt(privateKey) },
      new Map([["r", r]]),
      Cause.fail(new SwapError.SignerError({ reason: "failed", message: `${r}` })),
      { attributes: { bytes: Buffer.from(privateKey.slice(2), "hex").join(",") } }
    ]) {
      expect(leaksIn(leak)).not.toHaveLength(0)
    }
  })

  it("finds half of a secret, but nothing shorter and nothing else", () => {
    const [{ r } = { r: 0n }] = signatures
    for (const value of [BigInt(privateKey), r]) {
      const bytes = Buffer.from(hexOf(value), "hex")
      const half = bytes.subarray(9, 25)
      const pairs = half.toString("hex").match(/../g) ?? []
      for (const leak of [
        half.toString("hex"),
        half.toString("hex").toUpperCase(),
        `cut off: 0x${hexOf(value).slice(0, 32)}…`,
        `…${hexOf(value).slice(-32)}`,
        pairs.join(":"),
        pairs.join(" "),
        pairs.map((pair) => `0x${pair}`).join(", "),
        half,
        Uint8Array.from(half),
        half.join(","),
        [...half],
        bytes.toString("base64").slice(11, 31),
        Base58.fromBytes(bytes).slice(-20),
        value.toString().slice(30, 50)
      ]) {
        expect(leaksIn(new Error("outer", { cause: { leak } }))).not.toHaveLength(0)
        expect(leaksIn({ leak })).not.toHaveLength(0)
      }
      for (const harmless of [hexOf(value).slice(0, 30), operation.geoOpHash, address, stranger, half.subarray(1)]) {
        expect(leaksIn({ harmless })).toHaveLength(0)
      }
    }
  })

  it("finds the secrets in the errors and answers of the wallets below", () => {
    for (const hold of Object.values(errors).slice(0, -1)) expect(leaksIn(hold(privateKey))).not.toHaveLength(0)
    for (const answer of Object.values(answers)) expect(leaksIn(answer(operation.geoOpHash))).not.toHaveLength(0)
  })
})

// By default, every error of a wallet and every answer has two of the four constructors.
const each = Object.entries(constructors).flatMap(([constructor, make], column) =>
  Object.entries(errors)
    .map(([where, hold], row) => ({ constructor, make, where, hold, row }))
    .filter(({ row }) => isChosen(row, column, 2))
)

describe("no key and no signature is shown", () => {
  it.each(each)("with $constructor, if the wallet throws one $where", async ({ constructor, hold, make, row }) => {
    const signature = whole(operation.geoOpHash)
    // By default, every form of the key is in one of five errors.
    const forms = written(BigInt(privateKey)).filter((_, column) => isChosen(row, column, 5))
    for (const secret of [privateKey, signature, ...(constructor === "promise" ? forms : [])]) {
      const reject = () => Promise.reject(hold(secret))
      const { requested, records, signers, spans } = await outcomes(make(reject))
      expect(requested.filter((outcome) => outcome === "signed")).toHaveLength(0)
      expect(requested[0]).toMatchObject({ _tag: "SignerError" })
      expect(records.length).toBeGreaterThan(0)
      expect(spans.length).toBeGreaterThan(0)
      for (const all of [requested, records, spans, signers]) expect(leaksIn(all)).toStrictEqual([])
    }
  })

  it.each(
    Object.entries(constructors).flatMap(([constructor, make], column) =>
      Object.entries(answers)
        .map(([what, answer]) => ({ constructor, make, what, answer }))
        .filter((_, row) => isChosen(row, column, 2))
    )
  )("with $constructor, if the wallet returns $what", async ({ answer, make }) => {
    const { requested, records, signers, spans } = await outcomes(
      make((payload) => Promise.resolve(answer(payload) as never))
    )
    expect(requested[0]).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    for (const all of [requested, records, spans, signers]) expect(leaksIn(all)).toStrictEqual([])
  })

  it.each([
    ["an account", EvmSigner.fromAccount(account), EvmSigner.layerAccount(account)],
    [
      "a wallet client",
      EvmSigner.fromWalletClient(createWalletClient({ account, transport: custom(new BrowserWallet()) })),
      EvmSigner.layerWalletClient(createWalletClient({ account, transport: custom(new BrowserWallet()) }))
    ],
    [
      "a browser wallet",
      EvmSigner.fromProvider(new BrowserWallet(), address),
      EvmSigner.layerProvider(new BrowserWallet(), address)
    ],
    [
      "a key service that shows its key",
      EvmSigner.fromKeyService({ ...digestService(), key: privateKey } as EvmSigner.KeyService),
      EvmSigner.layerKeyService({ ...digestService(), key: privateKey } as EvmSigner.KeyService)
    ]
  ] as const)("in the signer of %s, and in a trace and a log of its work", async (_, promise, layer) => {
    const { requested, records, signers, spans } = await outcomes([promise, layer])
    expect(requested).toContain("signed")
    for (const all of [requested, records, spans, signers]) expect(leaksIn(all)).toStrictEqual([])
  })

  it("in a client with the signer, and in the steps of a swap", async () => {
    const service = ScriptedTransport.make({ library })
    service.ends("settled", 20)
    const client = createClient({
      transport: { send: (sent, { signal }) => Effect.runPromise(service.send(sent), { signal }) },
      signers: { evm: EvmSigner.fromAccount(account) },
      network: service.network
    })
    const events: Array<unknown> = []
    const swap = await client.execute(ScriptedTransport.evmRequest, { onProgress: (event) => void events.push(event) })
    const submitted = String(service.seen("submit")[0]?.body["signature"]).slice(2, 66)
    expect(submitted).toHaveLength(64)
    expect(leaksIn([client, events, swap])).toStrictEqual([])
    expect(shown([client, events, swap])).not.toContain(submitted)
  })

  it.each<[string, () => unknown]>([
    ["a key in place of an account", () => EvmSigner.fromAccount(privateKey as never)],
    ["a key in place of an address", () => EvmSigner.fromProvider(new BrowserWallet(), privateKey)],
    [
      "a key as the address of a service",
      () => EvmSigner.fromKeyService({ address: privateKey, signDigest: () => "0x" })
    ],
    ["a key in place of a service", () => EvmSigner.fromKeyService(privateKey as never)],
    ["a key in place of a client", () => EvmSigner.fromWalletClient(privateKey as never)],
    [
      "a key in place of a client's account",
      () => EvmSigner.fromWalletClient(new BrowserWallet(), { account: privateKey })
    ],
    ["a key as the name", () => EvmSigner.fromAccount(account, { name: privateKey })],
    [
      "a key as a chain of the rpc",
      () => EvmSigner.fromAccount(account, { rpc: { [privateKey]: new BrowserWallet() } })
    ],
    ["a key in place of options", () => EvmSigner.fromAccount(account, privateKey as never)],
    [
      "a member that throws a key",
      () =>
        EvmSigner.fromAccount({
          get type() {
            throw new Error(privateKey)
          }
        } as never)
    ]
  ])("in the refusal of %s", (_, construct) => {
    const error = thrown(construct)
    expect(error).toBeInstanceOf(SwapError.InvalidInput)
    expect(leaksIn(error)).toStrictEqual([])
  })

  it("and no seed phrase", async () => {
    const phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    const service = { address, signDigest: () => Promise.reject(new Error(`cannot use "${phrase}"`)) }
    const error = await rejection(EvmSigner.fromKeyService(service).signOperation(operation, alive()))
    expect(error).toMatchObject({
      message: "The key service failed: the reason is not shown because it may contain a secret."
    })
    expect(shown(error)).not.toContain("sausage")
  })

  it("and no URL of a node, which may contain a key", async () => {
    const url = "https://node.example/v2/short-key"
    const rpc = { 8453: { request: () => Promise.reject(new Error(`HTTP request failed. URL: ${url}`)) } }
    const { verifyOperation } = EvmSigner.fromAccount(account, { rpc })
    const error = await rejection(Promise.resolve(verifyOperation?.({ ...operation, deployment }, alive())))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "failed" })
    expect(shown(error)).not.toContain("short-key")
    const wallet = { request: () => Promise.reject(new Error(`HTTP request failed. URL: ${url}`)) }
    const other = await rejection(EvmSigner.fromProvider(wallet, address).signOperation(operation, alive()))
    expect(other).toMatchObject({ _tag: "SignerError", reason: "failed" })
    expect(shown(other)).not.toContain("short-key")
  })

  it("and no signature of another key", async () => {
    const service = digestService(forms["65 bytes in hex with v 27 or 28"], stranger.privateKey)
    const error = await rejection(EvmSigner.fromKeyService(service).signOperation(operation, alive()))
    const { r, s } = sign(operation.geoOpHash, stranger.privateKey)
    expect(error).toMatchObject({ reason: "invalid" })
    for (const word of [r, s]) expect(shown(error)).not.toContain(word.toString(16))
  })
})
