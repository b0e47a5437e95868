import { assert, describe, expect, it } from "@effect/vitest"
import type { Signer } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { createWalletClient, custom } from "viem"
import { toAccount } from "viem/accounts"
import { messageSigner } from "../../../tooling/testing/evm/chainLibrary.js"
import { typedDataSigner } from "../../../tooling/testing/evm/paymentLibrary.js"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { EvmSigner } from "../src/index.js"
import { account, alive, effectOf, type Hex, operation, tuple } from "./fixture.js"
import { agreement, built } from "./operations.js"
import { address, BrowserWallet, digestService, stranger } from "./wallets.js"

const { signMessage, signTransaction, signTypedData } = account

describe("capabilities", () => {
  const client = (from: Hex | typeof account) =>
    createWalletClient({ account: from, transport: custom(new BrowserWallet()) })
  const plain = toAccount({ address, signMessage, signTransaction, signTypedData })

  it.each<[string, Signer.PromiseEvmSigner, boolean, typedData?: boolean]>([
    ["a private key account", EvmSigner.fromAccount(account), true],
    ["a custom account without sign", EvmSigner.fromAccount(plain), false],
    ["a wallet client with a local account", EvmSigner.fromWalletClient(client(account)), true],
    ["a wallet client with a json-rpc account", EvmSigner.fromWalletClient(client(address)), false],
    ["a wallet client with a local account as option", EvmSigner.fromWalletClient(client(address), { account }), true],
    [
      "a wallet client with an address as option",
      EvmSigner.fromWalletClient(client(account), { account: address }),
      false
    ],
    ["a browser wallet", EvmSigner.fromProvider(new BrowserWallet(), address), false],
    ["a key service that signs digests", EvmSigner.fromKeyService(digestService()), true],
    ["a key service that signs messages", EvmSigner.fromKeyService({ address, signMessage: () => "0x" }), false, false],
    [
      "a key service that signs messages and delegations",
      EvmSigner.fromKeyService({ address, signMessage: () => "0x", signAuthorization: () => "0x" }),
      true,
      false
    ],
    [
      "a key service that signs messages and typed data",
      EvmSigner.fromKeyService({ address, signMessage: () => "0x", signTypedData: () => "0x" }),
      false
    ]
  ])("of %s say whether it can sign delegations and typed data", (_, signer, able, typedData = true) => {
    expect(signer.capabilities).toStrictEqual({ authorization: able, typedData })
    expect("signAuthorization" in signer).toBe(able)
    expect(["verifyPayment" in signer, "signPayment" in signer]).toStrictEqual([typedData, typedData])
    const methods = Object.keys(signer).filter((name) => name.startsWith("sign"))
    expect(methods).not.toContain("signTypedData")
    expect(methods.some((name) => /digest|hash|raw/i.test(name))).toBe(false)
  })
})

describe("a wallet", () => {
  it("gets one personal_sign request with a bare hash and the address", async () => {
    const wallet = new BrowserWallet()
    const { geoOp: _, ...bare } = operation
    await EvmSigner.fromProvider(wallet, address).signOperation(bare, alive())
    expect(wallet.requested).toStrictEqual([{ method: "personal_sign", params: [operation.geoOpHash, address] }])
  })

  it("gets one request through a wallet client, even if viem would retry", async () => {
    let requested = 0
    const request = () => {
      requested++
      return Promise.reject(Object.assign(new Error("Internal error"), { code: -32603 }))
    }
    const client = createWalletClient({ account: address, transport: custom({ request }) })
    const error = await rejection(EvmSigner.fromWalletClient(client).signOperation(operation, alive()))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "failed" })
    expect(requested).toBe(1)
  })

  it("gets one request if a viem client is passed as a provider; other providers get no extra argument", async () => {
    let requested = 0
    const request = () => {
      requested++
      return Promise.reject(Object.assign(new Error("Internal error"), { code: -32603 }))
    }
    const client = createWalletClient({ transport: custom({ request }) })
    await rejection(EvmSigner.fromProvider(client, address).signOperation(operation, alive()))
    expect(requested).toBe(1)
    // As in WalletConnect, whose second argument is a chain.
    const wallet = new BrowserWallet()
    const strict = {
      account: { address, type: "json-rpc" },
      request: (...args: Parameters<BrowserWallet["request"]>) =>
        args.length === 1 ? wallet.request(...args) : Promise.reject(new TypeError("chain.split is not a function"))
    }
    await EvmSigner.fromProvider(strict, address).signOperation(operation, alive())
    await EvmSigner.fromWalletClient(strict).signOperation(operation, alive())
    const signed = wallet.requested.filter(({ method }) => method === "eth_signTypedData_v4")
    expect(signed).toHaveLength(2)
  })

  it("is called through methods of the account, with signAuthorization preferred to sign", async () => {
    class Vault {
      readonly address = account.address
      readonly type = "local"
      readonly #account = account
      readonly requested: Array<string> = []
      signMessage(args: Parameters<typeof account.signMessage>[0]) {
        this.requested.push("signMessage")
        return this.#account.signMessage(args)
      }
      sign(args: Parameters<typeof account.sign>[0]) {
        this.requested.push("sign")
        return this.#account.sign(args)
      }
      signAuthorization(args: Parameters<typeof account.signAuthorization>[0]) {
        this.requested.push("signAuthorization")
        return this.#account.signAuthorization(args)
      }
    }
    const both = new Vault()
    const hashing = new Vault()
    Object.assign(hashing, { signAuthorization: undefined })
    for (const vault of [both, hashing]) {
      const signer = EvmSigner.fromAccount(vault)
      await signer.signOperation(operation, alive())
      await signer.signAuthorization?.(tuple, alive())
    }
    expect(both.requested).toStrictEqual(["signMessage", "signAuthorization"])
    expect(hashing.requested).toStrictEqual(["signMessage", "sign"])
  })

  it("signs a bare hash if the caller sends one", async () => {
    const { geoOp: _, ...bare } = operation
    const signer = EvmSigner.fromKeyService(digestService())
    expect(messageSigner(bare.geoOpHash, await signer.signOperation(bare, alive())).toLowerCase()).toBe(address)
    expect(await rejection(Promise.resolve(signer.verifyOperation?.(bare, alive())))).toMatchObject({ field: "geoOp" })
  })

  it("is not called for a bare hash of another wallet or an invalid hash", async () => {
    const { geoOp: _, ...bare } = operation
    const service = digestService()
    const signer = EvmSigner.fromKeyService(service)
    const elsewhere = { ...bare, request: { ...bare.request, walletAddress: stranger.address } }
    expect(await rejection(signer.signOperation(elsewhere, alive()))).toMatchObject({ field: "walletAddress" })
    for (const geoOpHash of ["0x", "0x12", `${bare.geoOpHash}00`, bare.geoOpHash.slice(2), undefined, 7]) {
      const lie = { ...bare, geoOpHash: geoOpHash as Hex }
      expect(await rejection(signer.signOperation(lie, alive()))).toMatchObject({ field: "geoOpHash" })
    }
    expect(service.requested).toHaveLength(0)
  })

  it("signs the same whatever the case of the hash and the addresses", async () => {
    const { geoOp } = operation
    const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}` as const
    const spelt = {
      ...operation,
      geoOpHash: upper(operation.geoOpHash),
      geoOp: { ...geoOp, terms: upper(geoOp.terms), vault: upper(geoOp.vault), delegate: upper(geoOp.delegate) }
    }
    const signer = EvmSigner.fromKeyService(digestService())
    await signer.verifyOperation?.(spelt, alive())
    expect(typedDataSigner(operation.geoOpHash, await signer.signOperation(spelt, alive())).toLowerCase()).toBe(address)
  })
})

describe("the deadline", () => {
  it.effect("is compared with the Effect clock", () =>
    Effect.gen(function* () {
      const { signOperation, verifyOperation } = effectOf(EvmSigner.layerAccount(account))
      const early = built(agreement, {}, 5_000_000)
      yield* TestClock.setTime(5_000_000 - 91_000)
      const error = yield* Effect.flip(signOperation(early))
      assert.deepInclude(error, { _tag: "UnsafeOperation", field: "deadline" })
      yield* TestClock.adjust(1_000)
      yield* verifyOperation?.(early) ?? Effect.void
      yield* signOperation(early)
    })
  )
})

describe("the lifetime of an operation", () => {
  it.effect("is limited by the policy", () =>
    Effect.gen(function* () {
      const { signOperation } = effectOf(EvmSigner.layerAccount(account))
      const operation = built(agreement, {}, 5_000_000)
      yield* TestClock.setTime((operation.geoOp?.deadline ?? 0) * 1000 - 600_000)
      const error = yield* Effect.flip(signOperation({ ...operation, maxLifetimeSeconds: 599 }))
      assert.deepInclude(error, { _tag: "UnsafeOperation", field: "deadline" })
      yield* signOperation({ ...operation, maxLifetimeSeconds: 600 })
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
    const services: ReadonlyArray<EvmSigner.KeyService> = [
      { address, signMessage: hang, signAuthorization: hang },
      { address, signDigest: hang }
    ]
    return { signals, services, service: { address, signMessage: hang } }
  }

  it("rejects with the reason and aborts the key service", async () => {
    for (const ask of [
      (signer: Signer.PromiseEvmSigner, abort: Signer.Abort) => signer.signOperation(operation, abort),
      (signer: Signer.PromiseEvmSigner, abort: Signer.Abort) => signer.signAuthorization?.(tuple, abort)
    ]) {
      const { services, signals } = hanging()
      for (const service of services) {
        signals.length = 0
        const controller = new AbortController()
        const answer = Promise.resolve(ask(EvmSigner.fromKeyService(service), controller))
        const ended = rejection(answer)
        await expect.poll(() => signals.map(({ aborted }) => aborted)).toStrictEqual([false])
        const reason = new Error("closed")
        controller.abort(reason)
        expect(await ended).toBe(reason)
        expect(signals.map(({ aborted }) => aborted)).toStrictEqual([true])
      }
    }
  })

  it("does not call the wallet if it was aborted before", async () => {
    const service = digestService()
    const abort = { signal: AbortSignal.abort(new Error("closed")) }
    expect(await rejection(EvmSigner.fromKeyService(service).signOperation(operation, abort))).toBe(abort.signal.reason)
    expect(service.requested).toHaveLength(0)
  })

  it.effect("interrupts the effect", () =>
    Effect.gen(function* () {
      const { service, signals } = hanging()
      const { signOperation } = effectOf(EvmSigner.layerKeyService(service))
      yield* TestClock.setTime(Date.now())
      const fiber = yield* Effect.forkChild(signOperation(operation))
      while (signals.length === 0) yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      assert.isTrue(signals[0]?.aborted)
      assert.isTrue(Exit.isFailure(yield* Fiber.await(fiber)))
    })
  )
})
