import { Signer, SwapError } from "@geoswap/core"
import { Vectors } from "@geoswap/core/testing"
import { assert, describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Hash from "ox/Hash"
import * as PersonalMessage from "ox/PersonalMessage"
import * as Signature from "ox/Signature"
import { createPublicClient, createWalletClient, custom } from "viem"
import { privateKeyToAccount, toAccount } from "viem/accounts"
import { EvmSigner } from "../src/index.js"
import { messageSigner } from "./chain.js"
import { rejection, thrown } from "../../../tooling/testing/failure.ts"
import { agreement, built } from "./operations.js"
import { address, BrowserWallet, digestService, forms, privateKey, sign, stranger } from "./wallets.js"

type Hex = `0x${string}`

const alive = () => ({ signal: new AbortController().signal })
const account = privateKeyToAccount(privateKey)
const { signMessage, signTransaction, signTypedData } = account
const operation = built(agreement)
const delegate = Vectors.evmDeployment.delegates?.[0] as Hex
const tuple = { chainId: 8453, address: delegate, nonce: 1, deployment: agreement.deployment }

const effectOf = (layer: Layer.Layer<Signer.Signers, SwapError.InvalidInput>): Signer.EvmSigner =>
  Effect.runSync(
    Effect.provide(
      Effect.map(Signer.Signers, ({ evm }) => evm as Signer.EvmSigner),
      layer
    )
  )

describe("a constructor refuses", () => {
  const refusal = (construct: () => unknown): string => {
    const error = thrown(construct)
    expect(error).toBeInstanceOf(SwapError.InvalidInput)
    const { field, message } = error as SwapError.InvalidInput
    expect(message.startsWith(`${field}: `)).toBe(true)
    return message
  }
  const any = (value: unknown) => value as never
  const throwing = new Proxy(
    {},
    {
      get: () => {
        throw new Error("locked")
      }
    }
  )

  it("what is no account, and names the constructor to use", () => {
    const from = (given: unknown) => refusal(() => EvmSigner.fromAccount(any(given)))
    expect(from(undefined)).toMatchInlineSnapshot(`"account: should be a viem account, and is undefined."`)
    expect(from(null)).toMatchInlineSnapshot(`"account: should be a viem account, and is null."`)
    expect(from(7)).toMatchInlineSnapshot(`"account: should be a viem account, and is a number."`)
    expect(from(privateKey)).toMatchInlineSnapshot(
      `"account: is a text of 66 characters. A private key becomes an account by privateKeyToAccount of viem/accounts; for an address whose key is in a wallet, use EvmSigner.fromProvider(provider, address)."`
    )
    expect(from({ address, type: "json-rpc" })).toMatchInlineSnapshot(
      `"account: is a json-rpc account, whose key is in a wallet. Use EvmSigner.fromWalletClient(client) or EvmSigner.fromProvider(provider, address)."`
    )
    expect(from({ ...account, type: "smart" })).toMatchInlineSnapshot(
      `"account: is a smart account, a contract that has no key of its own. GeoSwap needs the signature of the paying wallet's key: use EvmSigner.fromAccount with the account that owns it, as the paying wallet."`
    )
    expect(from(new BrowserWallet())).toMatchInlineSnapshot(
      `"account: is a client or a provider. Use EvmSigner.fromWalletClient(client) or EvmSigner.fromProvider(provider, address)."`
    )
    expect(from(digestService())).toMatchInlineSnapshot(
      `"account: is a key service. Use EvmSigner.fromPromise(keyService)."`
    )
    expect(from({ address, signMessage: () => "0x" })).toMatchInlineSnapshot(
      `"account: is no viem account of the type local. Make one by toAccount of viem/accounts, or use EvmSigner.fromPromise({ address, signMessage })."`
    )
    expect(from({ ...account, signMessage: undefined })).toMatchInlineSnapshot(
      `"account.signMessage: should be a function, and is undefined."`
    )
    expect(from({ ...account, sign: "0x" })).toMatchInlineSnapshot(
      `"account.sign: should be a function, and is a text of 2 characters."`
    )
    expect(from({ ...account, signAuthorization: {} })).toMatchInlineSnapshot(
      `"account.signAuthorization: should be a function, and is an object."`
    )
    expect(from({ ...account, address: "0x12" })).toMatchInlineSnapshot(
      `"account.address: should be an address, 0x and 40 hexadecimal digits, and is a text of 4 characters."`
    )
    expect(from({ ...account, address: account.address.replace("Fd", "fD") })).toMatchInlineSnapshot(
      `"account.address: 0xf39fD6e51aad88F6F4ce6aB8827279cffFb92266 is mistyped: its capital letters are not its checksum (EIP-55). Copy it again, or write it in lower case."`
    )
    expect(from(throwing)).toMatchInlineSnapshot(`"account: cannot be read: one of its members throws."`)
  })

  it("what is no wallet client, or one without an account", () => {
    const client = createWalletClient({ transport: custom(new BrowserWallet()) })
    const from = (given: unknown, options?: unknown) =>
      refusal(() => EvmSigner.fromWalletClient(any(given), any(options)))
    expect(from(undefined)).toMatchInlineSnapshot(
      `"client: should be a viem wallet client, and is undefined. With wagmi, wait until useWalletClient has data."`
    )
    expect(from({ account })).toMatchInlineSnapshot(
      `"client: should be a viem wallet client, with a request function, and is an object."`
    )
    expect(from(client)).toMatchInlineSnapshot(
      `"client.account: is absent. Create the client with an account, or pass one: EvmSigner.fromWalletClient(client, { account: address })."`
    )
    expect(from({ ...client, account: { ...account, type: "smart" } })).toMatchInlineSnapshot(
      `"client.account: is a smart account, a contract that has no key of its own. GeoSwap needs the signature of the paying wallet's key: use EvmSigner.fromAccount with the account that owns it, as the paying wallet."`
    )
    expect(from({ ...client, account: { type: "json-rpc" } })).toMatchInlineSnapshot(
      `"client.account.address: should be an address, 0x and 40 hexadecimal digits, and is undefined."`
    )
    expect(from(client, { account: "0x12" })).toMatchInlineSnapshot(
      `"options.account: should be an address, 0x and 40 hexadecimal digits, and is a text of 4 characters."`
    )
    expect(from(client, { account: 7 })).toMatchInlineSnapshot(
      `"options.account: should be a viem account, and is a number."`
    )
    expect(from(client, 7)).toMatchInlineSnapshot(
      `"client.account: is absent. Create the client with an account, or pass one: EvmSigner.fromWalletClient(client, { account: address })."`
    )
    expect(from(throwing)).toMatchInlineSnapshot(`"client: cannot be read: one of its members throws."`)
    expect(from(client, throwing)).toMatchInlineSnapshot(`"options: cannot be read: one of its members throws."`)
  })

  it("what is no provider, and addresses that are none", () => {
    const from = (provider: unknown, given: unknown) => refusal(() => EvmSigner.fromProvider(any(provider), any(given)))
    expect(from(undefined, address)).toMatchInlineSnapshot(
      `"provider: should be an EIP-1193 provider, with a request function, and is undefined."`
    )
    expect(from({ request: "personal_sign" }, address)).toMatchInlineSnapshot(
      `"provider: should be an EIP-1193 provider, with a request function, and is an object."`
    )
    expect(from(new BrowserWallet(), undefined)).toMatchInlineSnapshot(
      `"address: should be an address, 0x and 40 hexadecimal digits, and is undefined."`
    )
    expect(from(new BrowserWallet(), [address])).toMatchInlineSnapshot(
      `"address: should be an address, 0x and 40 hexadecimal digits, and is a list."`
    )
    expect(from(new BrowserWallet(), `${address}00`)).toMatchInlineSnapshot(
      `"address: should be an address, 0x and 40 hexadecimal digits, and is a text of 44 characters."`
    )
    expect(from(new BrowserWallet(), address.slice(2))).toMatchInlineSnapshot(
      `"address: should be an address, 0x and 40 hexadecimal digits, and is a text of 40 characters."`
    )
    expect(from(new BrowserWallet(), "0xF39fd6e51aad88f6f4ce6ab8827279cfffb92266")).toMatchInlineSnapshot(
      `"address: 0xF39fd6e51aad88f6f4ce6ab8827279cfffb92266 is mistyped: its capital letters are not its checksum (EIP-55). Copy it again, or write it in lower case."`
    )
    expect(from(throwing, address)).toMatchInlineSnapshot(`"provider: cannot be read: one of its members throws."`)
  })

  it("what is no key service", () => {
    const from = (given: unknown) => refusal(() => EvmSigner.fromPromise(any(given)))
    expect(from(undefined)).toMatchInlineSnapshot(
      `"keyService: should be { address, signDigest } or { address, signMessage }, and is undefined."`
    )
    expect(from({ address })).toMatchInlineSnapshot(
      `"keyService: has neither signDigest nor signMessage. Give it signDigest(digest) where it signs any 32 bytes, else signMessage(raw)."`
    )
    expect(from({ signDigest: () => "0x" })).toMatchInlineSnapshot(
      `"keyService.address: should be an address, 0x and 40 hexadecimal digits, and is undefined."`
    )
    expect(from({ address, signDigest: "0x" })).toMatchInlineSnapshot(
      `"keyService.signDigest: should be a function, and is a text of 2 characters."`
    )
    expect(from({ address, signMessage: 1 })).toMatchInlineSnapshot(
      `"keyService.signMessage: should be a function, and is a number."`
    )
    expect(from({ address, signMessage: () => "0x", signAuthorization: true })).toMatchInlineSnapshot(
      `"keyService.signAuthorization: should be a function, and is a boolean."`
    )
    expect(from(throwing)).toMatchInlineSnapshot(`"keyService: cannot be read: one of its members throws."`)
  })

  it("options that make no sense", () => {
    const from = (options: unknown) => refusal(() => EvmSigner.fromAccount(account, any(options)))
    expect(from(7)).toMatchInlineSnapshot(`"options: should be an object, and is a number."`)
    expect(from({ name: "" })).toMatchInlineSnapshot(
      `"options.name: should be a text of 1 to 60 characters, and is an empty text."`
    )
    expect(from({ name: 7 })).toMatchInlineSnapshot(
      `"options.name: should be a text of 1 to 60 characters, and is a number."`
    )
    expect(from({ name: "x".repeat(61) })).toMatchInlineSnapshot(
      `"options.name: should be a text of 1 to 60 characters, and is a text of 61 characters."`
    )
    expect(from({ rpc: "https://node.example" })).toMatchInlineSnapshot(
      `"options.rpc: should hold clients by chain id, such as { 8453: client }, and is a text of 20 characters."`
    )
    expect(from({ rpc: new Map([[8453, new BrowserWallet()]]) })).toMatchInlineSnapshot(
      `"options.rpc: should hold clients by chain id, such as { 8453: client }, and is a Map."`
    )
    expect(from({ rpc: { base: new BrowserWallet() } })).toMatchInlineSnapshot(
      `"options.rpc: should hold clients by chain id, such as { 8453: client }."`
    )
    expect(from({ rpc: { 0: new BrowserWallet() } })).toMatchInlineSnapshot(
      `"options.rpc: should hold clients by chain id, such as { 8453: client }."`
    )
    expect(from({ rpc: { 8453: "https://node.example" } })).toMatchInlineSnapshot(
      `"options.rpc[8453]: should be a viem client or an EIP-1193 provider, with a request function, and is a text of 20 characters."`
    )
    expect(from(throwing)).toMatchInlineSnapshot(`"options: cannot be read: one of its members throws."`)
  })

  it.effect.each([
    ["account", EvmSigner.layerAccount(any(undefined))],
    ["client", EvmSigner.layerWalletClient(any(undefined))],
    ["provider", EvmSigner.layerProvider(any(undefined), address)],
    ["keyService", EvmSigner.layerPromise(any(undefined))],
    ["options", EvmSigner.layerAccount(account, any(7))]
  ] as const)("the same as a layer, which fails about %s", ([field, layer]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.provide(Signer.Signers, layer))
      assert.instanceOf(error, SwapError.InvalidInput)
      assert.strictEqual(error.field, field)
    })
  )
})

describe("a constructor takes", () => {
  it.each([address, account.address, `0x${address.slice(2).toUpperCase()}`])("the address %s as it is", (given) => {
    expect(EvmSigner.fromProvider(new BrowserWallet(), given).address).toBe(given)
  })

  it("frozen objects, and gives signers that can be frozen", async () => {
    const service = Object.freeze(digestService())
    const signer = Object.freeze(
      EvmSigner.fromPromise(service, Object.freeze({ name: "My KMS", rpc: Object.freeze({}) }))
    )
    expect(messageSigner(operation.geoOpHash, await signer.signOperation(operation, alive())).toLowerCase()).toBe(
      address
    )
  })

  it("undefined options and members", () => {
    expect(EvmSigner.fromAccount(account, undefined).address).toBe(account.address)
    expect(EvmSigner.fromAccount(account, { name: undefined, rpc: undefined }).address).toBe(account.address)
  })

  it("a provider that is a function", async () => {
    const wallet = new BrowserWallet()
    const provider = Object.assign(() => undefined, { request: wallet.request.bind(wallet) })
    const { signOperation } = EvmSigner.fromProvider(provider, address)
    await signOperation(operation, alive())
    expect(wallet.asked).toHaveLength(1)
  })
})

describe("capabilities", () => {
  const client = (from: Hex | typeof account) =>
    createWalletClient({ account: from, transport: custom(new BrowserWallet()) })
  const plain = toAccount({ address, signMessage, signTransaction, signTypedData })

  it.each<[string, Signer.PromiseEvmSigner, boolean]>([
    ["an account of a key", EvmSigner.fromAccount(account), true],
    ["a custom account without sign", EvmSigner.fromAccount(plain), false],
    ["a wallet client with a local account", EvmSigner.fromWalletClient(client(account)), true],
    ["a wallet client with a json-rpc account", EvmSigner.fromWalletClient(client(address)), false],
    ["a wallet client told of a local account", EvmSigner.fromWalletClient(client(address), { account }), true],
    ["a wallet client told of an address", EvmSigner.fromWalletClient(client(account), { account: address }), false],
    ["a browser wallet", EvmSigner.fromProvider(new BrowserWallet(), address), false],
    ["a service of digests", EvmSigner.fromPromise(digestService()), true],
    ["a service of messages", EvmSigner.fromPromise({ address, signMessage: () => "0x" }), false],
    [
      "a service of messages and delegations",
      EvmSigner.fromPromise({ address, signMessage: () => "0x", signAuthorization: () => "0x" }),
      true
    ]
  ])("of %s are as they are", (_, signer, able) => {
    expect(signer.capabilities).toStrictEqual({ authorization: able })
    expect("signAuthorization" in signer).toBe(able)
  })
})

describe("what is asked of a wallet", () => {
  it("is personal_sign with the hash and the address, once", async () => {
    const wallet = new BrowserWallet()
    await EvmSigner.fromProvider(wallet, address).signOperation(operation, alive())
    expect(wallet.asked).toStrictEqual([{ method: "personal_sign", params: [operation.geoOpHash, address] }])
  })

  it("is asked once of a wallet client too, also where viem would ask again", async () => {
    let asked = 0
    const request = () => {
      asked++
      return Promise.reject(Object.assign(new Error("Internal error"), { code: -32603 }))
    }
    const client = createWalletClient({ account: address, transport: custom({ request }) })
    const error = await rejection(EvmSigner.fromWalletClient(client).signOperation(operation, alive()))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "failed" })
    expect(asked).toBe(1)
  })

  it("is a bare hash as well, where the caller has chosen to send one", async () => {
    const { geoOp: _, ...bare } = operation
    const signer = EvmSigner.fromPromise(digestService())
    expect(messageSigner(bare.geoOpHash, await signer.signOperation(bare, alive())).toLowerCase()).toBe(address)
    expect(await rejection(Promise.resolve(signer.verifyOperation?.(bare, alive())))).toMatchObject({ field: "geoOp" })
  })

  it("is not asked for a bare hash of another wallet, or one that is no hash", async () => {
    const { geoOp: _, ...bare } = operation
    const service = digestService()
    const signer = EvmSigner.fromPromise(service)
    const elsewhere = { ...bare, request: { ...bare.request, walletAddress: stranger.address } }
    expect(await rejection(signer.signOperation(elsewhere, alive()))).toMatchObject({ field: "walletAddress" })
    for (const geoOpHash of ["0x", "0x12", `${bare.geoOpHash}00`, bare.geoOpHash.slice(2), undefined, 7]) {
      const lie = { ...bare, geoOpHash: geoOpHash as Hex }
      expect(await rejection(signer.signOperation(lie, alive()))).toMatchObject({ field: "geoOpHash" })
    }
    expect(service.asked).toHaveLength(0)
  })

  it("does not depend on how the hash and the addresses are spelt", async () => {
    const { geoOp } = operation
    const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}` as const
    const spelt = {
      ...operation,
      geoOpHash: upper(operation.geoOpHash),
      geoOp: { ...geoOp, terms: upper(geoOp.terms), vault: upper(geoOp.vault), delegate: upper(geoOp.delegate) }
    }
    const signer = EvmSigner.fromPromise(digestService())
    await signer.verifyOperation?.(spelt, alive())
    expect(messageSigner(operation.geoOpHash, await signer.signOperation(spelt, alive())).toLowerCase()).toBe(address)
  })
})

describe("time", () => {
  it.effect("is the program's own: a deadline is judged by the clock of the effect", () =>
    Effect.gen(function* () {
      const { signOperation, verifyOperation } = effectOf(EvmSigner.layerAccount(account))
      const early = built(agreement, {}, 5_000_000)
      yield* TestClock.setTime(5_000_000 - 811_000)
      const error = yield* Effect.flip(signOperation(early))
      assert.deepInclude(error, { _tag: "UnsafeOperation", field: "deadline" })
      yield* TestClock.adjust(1_000)
      yield* verifyOperation?.(early) ?? Effect.void
      yield* signOperation(early)
    })
  )
})

describe("an aborted call", () => {
  const hanging = () => {
    const signals: Array<AbortSignal> = []
    const hang = (_: unknown, { signal }: Signer.Abort) => {
      signals.push(signal)
      return new Promise<never>(() => undefined)
    }
    return { signals, service: { address, signMessage: hang, signAuthorization: hang } }
  }

  it("rejects with the reason, and tells the key service", async () => {
    for (const ask of [
      (signer: Signer.PromiseEvmSigner, abort: Signer.Abort) => signer.signOperation(operation, abort),
      (signer: Signer.PromiseEvmSigner, abort: Signer.Abort) => signer.signAuthorization?.(tuple, abort)
    ]) {
      const { service, signals } = hanging()
      const controller = new AbortController()
      const answer = Promise.resolve(ask(EvmSigner.fromPromise(service), controller))
      const ended = rejection(answer)
      await new Promise((resolve) => setTimeout(resolve, 5))
      expect(signals.map(({ aborted }) => aborted)).toStrictEqual([false])
      const reason = new Error("closed")
      controller.abort(reason)
      expect(await ended).toBe(reason)
      expect(signals.map(({ aborted }) => aborted)).toStrictEqual([true])
    }
  })

  it("asks nothing where it was aborted before", async () => {
    const service = digestService()
    const abort = { signal: AbortSignal.abort(new Error("closed")) }
    expect(await rejection(EvmSigner.fromPromise(service).signOperation(operation, abort))).toBe(abort.signal.reason)
    expect(service.asked).toHaveLength(0)
  })

  it.effect("is interrupted in effects", () =>
    Effect.gen(function* () {
      const { service, signals } = hanging()
      const { signOperation } = effectOf(EvmSigner.layerPromise(service))
      yield* TestClock.setTime(Date.now())
      const fiber = yield* Effect.forkChild(signOperation(operation))
      while (signals.length === 0) yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      assert.isTrue(signals[0]?.aborted)
      assert.isTrue(Exit.isFailure(yield* Fiber.await(fiber)))
    })
  )
})

describe("the code of a delegate", () => {
  const code = "0x6080604052"
  const codeHash = Hash.keccak256(code)
  const deployment = { ...agreement.deployment, codeHash }
  const pinned = { ...operation, deployment }
  const node = (answer: unknown) => {
    const asked: Array<unknown> = []
    return {
      asked,
      request: (args: { readonly method: string; readonly params?: unknown }) => {
        asked.push(args)
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
      }
    }
  }
  /** What comes of verifying an operation and of signing a delegation, and how often the wallet was asked. */
  const outcome = async (rpc: EvmSigner.Options["rpc"], pinnedBy: typeof agreement.deployment = deployment) => {
    const service = digestService()
    const { signAuthorization, verifyOperation } = EvmSigner.fromPromise(service, { rpc })
    const ends = await Promise.allSettled([
      verifyOperation?.({ ...operation, deployment: pinnedBy }, alive()),
      signAuthorization?.({ ...tuple, deployment: pinnedBy }, alive())
    ])
    return { ends, asked: service.asked.length }
  }
  const reasons = (ends: ReadonlyArray<PromiseSettledResult<unknown>>) =>
    ends.map((end) => (end.status === "rejected" ? (end.reason as unknown) : end.status))

  it("is read before anything is signed, and accepted where it is the pinned one", async () => {
    const client = node(code)
    const question = { method: "eth_getCode", params: [delegate, "latest"] }
    const { asked, ends } = await outcome({ 8453: client })
    expect(reasons(ends)).toStrictEqual(["fulfilled", "fulfilled"])
    expect(client.asked).toStrictEqual([question, question])
    expect(asked).toBe(1)
  })

  it("may be read by a viem client, and its hash spelt in capitals", async () => {
    const client = createPublicClient({ transport: custom(node(code)) })
    const spelt = `0x${codeHash.slice(2).toUpperCase()}` as const
    const { ends } = await outcome({ 8453: client }, { ...deployment, codeHash: spelt })
    expect(reasons(ends)).toStrictEqual(["fulfilled", "fulfilled"])
  })

  it.each([
    ["another code", "0x6080604053", Hash.keccak256("0x6080604053")],
    ["no code", "0x", `no code at ${delegate} on chain 8453`]
  ])("is refused where the chain has %s", async (_, answer, found) => {
    const { asked, ends } = await outcome({ 8453: node(answer) })
    const refusal = expect.objectContaining({
      _tag: "UnsafeOperation",
      field: "codeHash",
      expected: codeHash,
      found
    }) as unknown
    expect(reasons(ends)).toStrictEqual([refusal, refusal])
    expect(asked).toBe(0)
  })

  it.each([
    ["fails", new Error("429"), "the request of options.rpc[8453] failed"],
    ["answers with nothing", undefined, "options.rpc[8453] answered with undefined"],
    ["answers with null", null, "options.rpc[8453] answered with null"],
    ["answers with what is no code", "0x123", "options.rpc[8453] answered with a text of 5 characters"],
    ["answers with a page", "<html>", "options.rpc[8453] answered with a text of 6 characters"]
  ])("stays unread where the node %s, and nothing is signed then", async (_, answer, why) => {
    const { asked, ends } = await outcome({ 8453: node(answer) })
    const message = `Nothing was signed: the code of ${delegate} on chain 8453 could not be read: ${why}.`
    const failure = expect.objectContaining({ _tag: "SignerError", reason: "failed", message }) as unknown
    expect(reasons(ends)).toStrictEqual([failure, failure])
    expect(asked).toBe(0)
  })

  it.effect("stays unread where the node never answers", () =>
    Effect.gen(function* () {
      const rpc = { 8453: { request: () => new Promise<never>(() => undefined) } }
      const { verifyOperation } = effectOf(EvmSigner.layerAccount(account, { rpc }))
      yield* TestClock.setTime(Date.now())
      const fiber = yield* Effect.forkChild(Effect.flip(verifyOperation?.(pinned) ?? Effect.void))
      yield* TestClock.adjust(10_000)
      const error = yield* Fiber.join(fiber)
      assert.deepInclude(error, { _tag: "SignerError", reason: "failed" })
      assert.include(String(error), "did not answer within 10 s")
    })
  )

  it.each([
    ["no node is given", undefined, deployment],
    ["no node of that chain is given", { 1: node(new Error("not asked")) }, deployment],
    ["no hash is pinned", { 8453: node(new Error("not asked")) }, agreement.deployment]
  ])("is not looked at where %s", async (_, rpc, pinnedBy) => {
    const { asked, ends } = await outcome(rpc, pinnedBy)
    expect(reasons(ends)).toStrictEqual(["fulfilled", "fulfilled"])
    expect(asked).toBe(1)
  })

  it("is not asked for where the operation does not fit anyway", async () => {
    const client = node(code)
    const { verifyOperation } = EvmSigner.fromAccount(account, { rpc: { 8453: client } })
    const lie = { ...built(agreement, { geoOp: { amount: 1n } }), deployment }
    expect(await rejection(Promise.resolve(verifyOperation?.(lie, alive())))).toMatchObject({ field: "amount" })
    expect(client.asked).toHaveLength(0)
  })
})

describe("what a wallet throws", () => {
  const failure = async (error: unknown, options: EvmSigner.Options = {}) => {
    const provider = { request: () => Promise.reject(error) }
    const { message, reason } = (await rejection(
      EvmSigner.fromProvider(provider, address, options).signOperation(operation, alive())
    )) as SwapError.SignerError
    return `${reason}: ${message}`
  }
  const coded = (code: number, message = "Something.") => Object.assign(new Error(message), { code })

  it("is said in words", async () => {
    expect(await failure(coded(4001))).toMatchInlineSnapshot(`"rejected: The wallet: the user declined to sign."`)
    expect(await failure(coded(5000))).toMatchInlineSnapshot(`"rejected: The wallet: the user declined to sign."`)
    expect(await failure(new Error("MetaMask: User denied message signature."))).toMatchInlineSnapshot(
      `"rejected: The wallet: the user declined to sign."`
    )
    expect(await failure(coded(4100))).toMatchInlineSnapshot(
      `"failed: The wallet has not connected the account 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266. Connect it there, then try again."`
    )
    expect(await failure(coded(4200))).toMatchInlineSnapshot(
      `"incapable: The wallet does not offer what is needed to sign this. Use another wallet."`
    )
    expect(await failure(coded(-32601))).toMatchInlineSnapshot(
      `"incapable: The wallet does not offer what is needed to sign this. Use another wallet."`
    )
    expect(await failure(coded(4900))).toMatchInlineSnapshot(
      `"failed: The wallet is disconnected. Connect it again, then try again."`
    )
    expect(await failure(coded(-32002))).toMatchInlineSnapshot(
      `"failed: The wallet has a request open already. Answer it there, then try again."`
    )
    expect(await failure({ code: -32603, data: { originalError: { code: 4001 } } })).toMatchInlineSnapshot(
      `"rejected: The wallet: the user declined to sign."`
    )
    expect(await failure(new Error("Outer.", { cause: coded(4100) }))).toMatchInlineSnapshot(
      `"failed: The wallet has not connected the account 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266. Connect it there, then try again."`
    )
    expect(await failure(new Error("The device is locked."))).toMatchInlineSnapshot(
      `"failed: The wallet failed: The device is locked."`
    )
    expect(await failure(undefined)).toMatchInlineSnapshot(`"failed: The wallet failed: no reason given"`)
    expect(await failure(new Error("Gone."), { name: "My wallet" })).toMatchInlineSnapshot(
      `"failed: My wallet failed: Gone."`
    )
    expect(
      await failure(new SwapError.SignerError({ reason: "rejected", message: "Not today." }), { name: "My wallet" })
    ).toMatchInlineSnapshot(`"rejected: My wallet: Not today."`)
  })

  it("is read out of viem's errors too", async () => {
    for (const [code, reason] of [
      [4001, "rejected"],
      [4100, "failed"],
      [4200, "incapable"],
      [-32601, "incapable"]
    ] as const) {
      const client = createWalletClient({
        account: address,
        transport: custom({ request: () => Promise.reject(coded(code)) })
      })
      const error = await rejection(EvmSigner.fromWalletClient(client).signOperation(operation, alive()))
      expect(error).toMatchObject({ _tag: "SignerError", reason })
    }
  })

  it("never stays as a cause, and never crashes the program", async () => {
    const cyclic = Object.assign(new Error("round"), { code: 1 })
    cyclic.cause = cyclic
    for (const error of [
      coded(4001),
      cyclic,
      null,
      7,
      Symbol("no"),
      [],
      () => undefined,
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("no")
          }
        }
      )
    ]) {
      const service = { address, signDigest: () => Promise.reject(error) }
      const exit = await Effect.runPromiseExit(effectOf(EvmSigner.layerPromise(service)).signOperation(operation))
      if (!Exit.isFailure(exit)) throw new Error("signed")
      expect(Cause.hasDies(exit.cause)).toBe(false)
      expect(Cause.squash(exit.cause)).toMatchObject({ _tag: "SignerError" })
      expect(Cause.squash(exit.cause)).not.toHaveProperty("cause.code")
    }
  })

  it("is caught where it is thrown at once", async () => {
    const service = {
      address,
      signDigest: (): never => {
        throw new Error("At once.")
      }
    }
    const error = await rejection(EvmSigner.fromPromise(service).signOperation(operation, alive()))
    expect(error).toMatchObject({ reason: "failed", message: "The key service failed: At once." })
  })
})

describe("what a wallet answers", () => {
  const whole = (payload: Hex, key?: Hex) => Signature.toHex(sign(payload, key))
  const answer = async (answers: unknown, options: EvmSigner.Options = {}) => {
    const service = { address, signMessage: () => answers as string }
    const error = await rejection(EvmSigner.fromPromise(service, options).signOperation(operation, alive()))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    return (error as SwapError.SignerError).message
  }
  const { geoOpHash } = operation
  const message = PersonalMessage.getSignPayload(geoOpHash)
  const text = (words: string) => PersonalMessage.getSignPayload(new TextEncoder().encode(words))

  it("is named where it is a common mistake", async () => {
    expect(await answer(whole(message, stranger.privateKey), { name: "MetaMask" })).toMatchInlineSnapshot(
      `"MetaMask signed with another key than that of 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266: the signature is by 0x70997970C51812dc3A010C7d01b50e0d17dc79C8. Select the account 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 there, or make the signer with the address that the key belongs to."`
    )
    expect(await answer(forms["DER in hex"]?.(sign(message, stranger.privateKey)))).toMatchInlineSnapshot(
      `"The key service signed with another key than that of 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266. Select the account 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 there, or make the signer with the address that the key belongs to."`
    )
    expect(await answer(whole(text(geoOpHash)))).toMatchInlineSnapshot(
      `"The key service signed the hexadecimal text of the hash instead of its 32 bytes. It has to take the message as raw bytes: with viem that is { message: { raw } }."`
    )
    expect(await answer(whole(text(geoOpHash.slice(2))))).toMatchInlineSnapshot(
      `"The key service signed the hexadecimal text of the hash instead of its 32 bytes. It has to take the message as raw bytes: with viem that is { message: { raw } }."`
    )
    expect(await answer(whole(geoOpHash))).toMatchInlineSnapshot(
      `"The key service signed the bare hash, as eth_sign does. It has to sign with personal_sign, which puts a prefix ahead (EIP-191)."`
    )
    expect(await answer(whole(PersonalMessage.getSignPayload(message)))).toMatchInlineSnapshot(
      `"The key service put the prefix of personal_sign around the digest. signDigest has to sign the 32 bytes as they are."`
    )
    expect(await answer(whole(Hash.keccak256(message)))).toMatchInlineSnapshot(
      `"The key service hashed the digest once more with keccak256. signDigest has to sign the 32 bytes as they are."`
    )
    expect(await answer(whole(Hash.sha256(message)))).toMatchInlineSnapshot(
      `"The key service hashed the digest once more with SHA-256. signDigest has to sign the 32 bytes as they are: with AWS KMS that is MessageType DIGEST."`
    )
    expect(await answer(`0x${"ab".repeat(130)}`)).toMatchInlineSnapshot(
      `"The key service gave back 130 bytes, which is how contract wallets sign. GeoSwap needs the signature of a key: use a wallet that is no contract."`
    )
  })

  it("is named with the account that made it, also where its s is high", async () => {
    const high = forms["65 bytes with a high s"]?.(sign(message, stranger.privateKey))
    expect(await answer(high)).toContain(`the signature is by ${stranger.address}.`)
  })

  it("is named where it is garbage", async () => {
    expect(await answer(undefined)).toMatchInlineSnapshot(
      `"The key service gave back undefined, which is no signature."`
    )
    expect(await answer(null)).toMatchInlineSnapshot(`"The key service gave back null, which is no signature."`)
    expect(await answer(7)).toMatchInlineSnapshot(`"The key service gave back a number, which is no signature."`)
    expect(await answer(true)).toMatchInlineSnapshot(`"The key service gave back a boolean, which is no signature."`)
    expect(await answer("")).toMatchInlineSnapshot(`"The key service gave back an empty text, which is no signature."`)
    expect(await answer("0x")).toMatchInlineSnapshot(
      `"The key service gave back a text of 2 characters, which is no signature."`
    )
    expect(await answer("0x123")).toMatchInlineSnapshot(
      `"The key service gave back a text of 5 characters, which is no signature."`
    )
    expect(await answer("signed")).toMatchInlineSnapshot(
      `"The key service gave back a text of 6 characters, which is no signature."`
    )
    expect(await answer(`0x${"ab".repeat(1_000_000)}`)).toMatchInlineSnapshot(
      `"The key service gave back 1000000 bytes, which is how contract wallets sign. GeoSwap needs the signature of a key: use a wallet that is no contract."`
    )
    expect(await answer(new Uint8Array(1_000_000))).toMatchInlineSnapshot(
      `"The key service gave back 1000000 bytes, which is how contract wallets sign. GeoSwap needs the signature of a key: use a wallet that is no contract."`
    )
    expect(await answer(new Uint8Array(0))).toMatchInlineSnapshot(
      `"The key service gave back 0 bytes, which are no signature."`
    )
    expect(await answer(`0x${"ab".repeat(63)}`)).toMatchInlineSnapshot(
      `"The key service gave back 63 bytes, which are no signature."`
    )
    expect(await answer(`0x${"00".repeat(65)}`)).toMatchInlineSnapshot(
      `"The key service gave back a signature whose r or s no key can make."`
    )
    expect(await answer(`0x${"ff".repeat(64)}1b`)).toMatchInlineSnapshot(
      `"The key service gave back a signature whose r or s no key can make."`
    )
    expect(await answer({})).toMatchInlineSnapshot(
      `"The key service gave back an object without an r and an s of up to 32 bytes."`
    )
    expect(await answer({ r: 1n })).toMatchInlineSnapshot(
      `"The key service gave back an object without an r and an s of up to 32 bytes."`
    )
    expect(await answer({ r: "0x", s: "0x" })).toMatchInlineSnapshot(
      `"The key service gave back an object without an r and an s of up to 32 bytes."`
    )
    expect(await answer({ r: -1n, s: 2n ** 300n })).toMatchInlineSnapshot(
      `"The key service gave back a signature whose r or s no key can make."`
    )
    expect(await answer({ r: `0x${"1".repeat(66)}`, s: "0x1" })).toMatchInlineSnapshot(
      `"The key service gave back an object without an r and an s of up to 32 bytes."`
    )
    expect(await answer([1, 2, 3])).toMatchInlineSnapshot(
      `"The key service gave back a list without an r and an s of up to 32 bytes."`
    )
    expect(await answer(() => "0x")).toMatchInlineSnapshot(
      `"The key service gave back a function, which is no signature."`
    )
    expect(
      await answer({
        get r() {
          throw new Error("no")
        }
      })
    ).toMatchInlineSnapshot(`"The key service gave back something that cannot be read."`)
  })

  it("is named where it is another delegation", async () => {
    const answering = async (answers: unknown) => {
      const service = { address, signMessage: () => "0x", signAuthorization: () => answers as string }
      const error = await rejection(Promise.resolve(EvmSigner.fromPromise(service).signAuthorization?.(tuple, alive())))
      expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
      return (error as SwapError.SignerError).message
    }
    const signed = { r: 1n, s: 1n }
    expect(await answering({ ...signed, chainId: 0 })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for chain 0 instead of 8453. Do not use it."`
    )
    expect(await answering({ ...signed, chainId: "0x1" })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for chain 1 instead of 8453. Do not use it."`
    )
    expect(await answering({ ...signed, nonce: 2n })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for nonce 2 instead of 1. Do not use it."`
    )
    expect(await answering({ ...signed, address: stranger.address })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for another contract than 0x9a1fc8c0369d49f3040bf49c1490e7006657ea56. Do not use it."`
    )
    expect(await answering({ ...signed, contractAddress: 7 })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for another contract than 0x9a1fc8c0369d49f3040bf49c1490e7006657ea56. Do not use it."`
    )
    expect(await answering({ ...signed, chainId: Symbol("no") })).toMatchInlineSnapshot(
      `"The key service gave back a delegation for something that cannot be read. Do not use it."`
    )
    expect(await answering(undefined)).toMatchInlineSnapshot(
      `"The key service gave back undefined, which is no signature."`
    )
    expect(await answering("0x")).toMatchInlineSnapshot(
      `"The key service gave back a text of 2 characters, which is no signature."`
    )
  })

  it("gives exactly the six members of a delegation, with the address as it was asked for", async () => {
    const spelt = "0x9a1fc8C0369D49f3040bF49c1490E7006657ea56"
    for (const signer of [EvmSigner.fromAccount(account), EvmSigner.fromPromise(digestService())]) {
      const signed = await signer.signAuthorization?.({ ...tuple, address: spelt }, alive())
      expect(Object.keys(signed ?? {}).toSorted()).toStrictEqual(["address", "chainId", "nonce", "r", "s", "yParity"])
      expect(signed?.address).toBe(spelt)
    }
  })

  it("may name the delegation in viem's words, with numbers in any form", async () => {
    const named = { chainId: "0x2105", contractAddress: delegate.toUpperCase().replace("0X", "0x"), nonce: 1n }
    const service = {
      address,
      signMessage: () => "0x",
      signAuthorization: async (asked: { chainId: number; address: Hex; nonce: number }) => {
        const { r, s, yParity = 0 } = await account.signAuthorization(asked)
        return { ...named, r, s, v: 27 + yParity }
      }
    }
    const signed = await EvmSigner.fromPromise(service).signAuthorization?.(tuple, alive())
    expect(signed).toMatchObject({ chainId: 8453, address: delegate, nonce: 1 })
  })
})
