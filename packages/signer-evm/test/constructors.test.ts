import { assert, describe, expect, it } from "@effect/vitest"
import { Signer, SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { createPublicClient, createWalletClient, custom } from "viem"
import { typedDataSigner } from "../../../tooling/testing/evm/paymentLibrary.js"
import { thrown } from "../../../tooling/testing/expectError.ts"
import { EvmSigner } from "../src/index.js"
import { account, alive, operation } from "./fixture.js"
import { address, BrowserWallet, digestService, privateKey } from "./wallets.js"

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

  it("a value that is not an account, and names the constructor to use", () => {
    const from = (given: unknown) => refusal(() => EvmSigner.fromAccount(any(given)))
    expect(from(undefined)).toMatchInlineSnapshot(`"account: expected a viem account, got undefined."`)
    expect(from(null)).toMatchInlineSnapshot(`"account: expected a viem account, got null."`)
    expect(from(7)).toMatchInlineSnapshot(`"account: expected a viem account, got a number."`)
    expect(from(privateKey)).toMatchInlineSnapshot(
      `"account: expected a viem account, got a string of 66 characters. For a private key, use privateKeyToAccount from viem/accounts. For an address whose key is in a wallet, use EvmSigner.fromProvider(provider, address)."`
    )
    expect(from({ address, type: "json-rpc" })).toMatchInlineSnapshot(
      `"account: this is a json-rpc account, whose key is in a wallet. Use EvmSigner.fromWalletClient(client) or EvmSigner.fromProvider(provider, address)."`
    )
    expect(from({ ...account, type: "smart" })).toMatchInlineSnapshot(
      `"account: this is a smart account, a contract without a key. GeoSwap needs a signature by the paying wallet's key. Pay from the owner's account and pass that account to EvmSigner.fromAccount."`
    )
    expect(from(new BrowserWallet())).toMatchInlineSnapshot(
      `"account: this is a client or a provider. Use EvmSigner.fromWalletClient(client) or EvmSigner.fromProvider(provider, address)."`
    )
    expect(from(digestService())).toMatchInlineSnapshot(
      `"account: this is a key service. Use EvmSigner.fromKeyService(keyService)."`
    )
    expect(from({ address, signMessage: () => "0x" })).toMatchInlineSnapshot(
      `"account: this is not a local viem account. Create one with toAccount from viem/accounts, or use EvmSigner.fromKeyService({ address, signMessage })."`
    )
    expect(from({ ...account, signMessage: undefined })).toMatchInlineSnapshot(
      `"account.signMessage: expected a function, got undefined."`
    )
    expect(from({ ...account, sign: "0x" })).toMatchInlineSnapshot(
      `"account.sign: expected a function, got a string of 2 characters."`
    )
    expect(from({ ...account, signAuthorization: {} })).toMatchInlineSnapshot(
      `"account.signAuthorization: expected a function, got an object."`
    )
    expect(from({ ...account, address: "0x12" })).toMatchInlineSnapshot(
      `"account.address: expected an address (0x followed by 40 hexadecimal digits), got a string of 4 characters."`
    )
    expect(from({ ...account, address: account.address.replace("Fd", "fD") })).toMatchInlineSnapshot(
      `"account.address: 0xf39fD6e51aad88F6F4ce6aB8827279cffFb92266 has an invalid EIP-55 checksum, so it may be mistyped. Copy it again, or write it in lowercase."`
    )
    expect(from(throwing)).toMatchInlineSnapshot(`"account: cannot be read: one of its properties throws."`)
  })

  it("a value that is not a wallet client, or a client without an account", () => {
    const client = createWalletClient({ transport: custom(new BrowserWallet()) })
    const from = (given: unknown, options?: unknown) =>
      refusal(() => EvmSigner.fromWalletClient(any(given), any(options)))
    expect(from(undefined)).toMatchInlineSnapshot(
      `"client: expected a viem wallet client, got undefined. With wagmi, wait until useWalletClient has data."`
    )
    expect(from({ account })).toMatchInlineSnapshot(
      `"client: expected a viem wallet client with a request function, got an object."`
    )
    expect(from(client)).toMatchInlineSnapshot(
      `"client.account: is missing. Create the client with an account, or pass one: EvmSigner.fromWalletClient(client, { account: address })."`
    )
    expect(from({ ...client, account: { ...account, type: "smart" } })).toMatchInlineSnapshot(
      `"client.account: this is a smart account, a contract without a key. GeoSwap needs a signature by the paying wallet's key. Pay from the owner's account and pass that account to EvmSigner.fromAccount."`
    )
    expect(from({ ...client, account: { type: "json-rpc" } })).toMatchInlineSnapshot(
      `"client.account.address: expected an address (0x followed by 40 hexadecimal digits), got undefined."`
    )
    expect(from(client, { account: "0x12" })).toMatchInlineSnapshot(
      `"options.account: expected an address (0x followed by 40 hexadecimal digits), got a string of 4 characters."`
    )
    expect(from(client, { account: 7 })).toMatchInlineSnapshot(
      `"options.account: expected a viem account, got a number."`
    )
    expect(from(client, 7)).toMatchInlineSnapshot(
      `"client.account: is missing. Create the client with an account, or pass one: EvmSigner.fromWalletClient(client, { account: address })."`
    )
    expect(from(throwing)).toMatchInlineSnapshot(`"client: cannot be read: one of its properties throws."`)
    expect(from({ ...client, account }, { account: null })).toContain("options.account: is missing.")
    expect(from(client, throwing)).toMatchInlineSnapshot(`"options: cannot be read: one of its properties throws."`)
  })

  it("a value that is not a provider, and an invalid address", () => {
    const from = (provider: unknown, given: unknown) => refusal(() => EvmSigner.fromProvider(any(provider), any(given)))
    expect(from(undefined, address)).toMatchInlineSnapshot(
      `"provider: expected an EIP-1193 provider with a request function, got undefined."`
    )
    expect(from({ request: "personal_sign" }, address)).toMatchInlineSnapshot(
      `"provider: expected an EIP-1193 provider with a request function, got an object."`
    )
    expect(from(new BrowserWallet(), undefined)).toMatchInlineSnapshot(
      `"address: expected an address (0x followed by 40 hexadecimal digits), got undefined."`
    )
    expect(from(new BrowserWallet(), [address])).toMatchInlineSnapshot(
      `"address: expected an address (0x followed by 40 hexadecimal digits), got an array."`
    )
    expect(from(new BrowserWallet(), `${address}00`)).toMatchInlineSnapshot(
      `"address: expected an address (0x followed by 40 hexadecimal digits), got a string of 44 characters."`
    )
    expect(from(new BrowserWallet(), address.slice(2))).toMatchInlineSnapshot(
      `"address: expected an address (0x followed by 40 hexadecimal digits), got a string of 40 characters."`
    )
    expect(from(new BrowserWallet(), "0xF39fd6e51aad88f6f4ce6ab8827279cfffb92266")).toMatchInlineSnapshot(
      `"address: 0xF39fd6e51aad88f6f4ce6ab8827279cfffb92266 has an invalid EIP-55 checksum, so it may be mistyped. Copy it again, or write it in lowercase."`
    )
    expect(from(throwing, address)).toMatchInlineSnapshot(`"provider: cannot be read: one of its properties throws."`)
  })

  it("a value that is not a key service", () => {
    const from = (given: unknown) => refusal(() => EvmSigner.fromKeyService(any(given)))
    expect(from(undefined)).toMatchInlineSnapshot(
      `"keyService: expected { address, signDigest } or { address, signMessage }, got undefined."`
    )
    expect(from({ address })).toMatchInlineSnapshot(
      `"keyService: expected signDigest or signMessage. Add signDigest(digest) if the service can sign any 32 bytes. Otherwise, add signMessage(raw)."`
    )
    expect(from({ signDigest: () => "0x" })).toMatchInlineSnapshot(
      `"keyService.address: expected an address (0x followed by 40 hexadecimal digits), got undefined."`
    )
    expect(from(account)).toMatchInlineSnapshot(
      `"keyService: this is a viem account. Use EvmSigner.fromAccount(account)."`
    )
    expect(from({ address, type: "json-rpc" })).toMatchInlineSnapshot(
      `"keyService: this is a json-rpc account, whose key is in a wallet. Use EvmSigner.fromWalletClient(client) or EvmSigner.fromProvider(provider, address)."`
    )
    expect(from({ ...account, type: "smart" })).toMatchInlineSnapshot(
      `"keyService: this is a smart account, a contract without a key. GeoSwap needs a signature by the paying wallet's key. Pay from the owner's account and pass that account to EvmSigner.fromAccount."`
    )
    expect(from(createWalletClient({ account, transport: custom(new BrowserWallet()) }))).toMatchInlineSnapshot(
      `"keyService: this is a viem client. Use EvmSigner.fromWalletClient(client)."`
    )
    expect(from(createPublicClient({ transport: custom(new BrowserWallet()) }))).toMatchInlineSnapshot(
      `"keyService: this is a viem client. Use EvmSigner.fromWalletClient(client)."`
    )
    expect(from(new BrowserWallet())).toMatchInlineSnapshot(
      `"keyService: this is a provider. Use EvmSigner.fromProvider(provider, address)."`
    )
    expect(from({ address, signDigest: "0x" })).toMatchInlineSnapshot(
      `"keyService.signDigest: expected a function, got a string of 2 characters."`
    )
    expect(from({ address, signMessage: 1 })).toMatchInlineSnapshot(
      `"keyService.signMessage: expected a function, got a number."`
    )
    expect(from({ address, signMessage: () => "0x", signAuthorization: true })).toMatchInlineSnapshot(
      `"keyService.signAuthorization: expected a function, got a boolean."`
    )
    expect(from(throwing)).toMatchInlineSnapshot(`"keyService: cannot be read: one of its properties throws."`)
  })

  it("invalid options", () => {
    const from = (options: unknown) => refusal(() => EvmSigner.fromAccount(account, any(options)))
    expect(from(7)).toMatchInlineSnapshot(`"options: expected an object, got a number."`)
    expect(from({ name: "" })).toMatchInlineSnapshot(
      `"options.name: expected 1 to 60 printable characters, got an empty string."`
    )
    expect(from({ name: 7 })).toMatchInlineSnapshot(
      `"options.name: expected 1 to 60 printable characters, got a number."`
    )
    expect(from({ name: "x".repeat(61) })).toMatchInlineSnapshot(
      `"options.name: expected 1 to 60 printable characters, got a string of 61 characters."`
    )
    for (const name of [
      "My\nwallet",
      "My\u0000wallet",
      "My\u202ewallet",
      "My\u2028wallet",
      "\u200b",
      "\ud800",
      "My\twallet",
      "   "
    ]) {
      expect(from({ name })).toContain("options.name: expected 1 to 60 printable characters")
    }
    const others: ReadonlyArray<unknown> = [
      new WeakMap(),
      new Set(),
      [new BrowserWallet()],
      () => undefined,
      Object.create({ 8453: new BrowserWallet() }),
      Object.create(Object.create(null, { 8453: { value: new BrowserWallet(), enumerable: true } }) as object),
      new (class {
        readonly 8453 = new BrowserWallet()
      })(),
      new (class {
        get 8453() {
          return new BrowserWallet()
        }
      })(),
      null,
      false,
      0,
      ""
    ]
    for (const rpc of others) {
      expect(from({ rpc })).toContain("options.rpc: expected clients by chain id, such as { 8453: client }, got")
    }
    expect(from({ rpc: "https://node.example" })).toMatchInlineSnapshot(
      `"options.rpc: expected clients by chain id, such as { 8453: client }, got a string of 20 characters."`
    )
    expect(from({ rpc: new Map([[8453, new BrowserWallet()]]) })).toMatchInlineSnapshot(
      `"options.rpc: expected clients by chain id, such as { 8453: client }, got a Map, a function or a class instance."`
    )
    expect(from({ rpc: { base: new BrowserWallet() } })).toMatchInlineSnapshot(
      `"options.rpc: expected clients by chain id, such as { 8453: client }."`
    )
    expect(from({ rpc: { 0: new BrowserWallet() } })).toMatchInlineSnapshot(
      `"options.rpc: expected clients by chain id, such as { 8453: client }."`
    )
    expect(from({ rpc: { 8453: "https://node.example" } })).toMatchInlineSnapshot(
      `"options.rpc[8453]: expected a viem client or an EIP-1193 provider with a request function, got a string of 20 characters."`
    )
    expect(from(throwing)).toMatchInlineSnapshot(`"options: cannot be read: one of its properties throws."`)
  })

  it.effect.each([
    ["account", EvmSigner.layerAccount(any(undefined))],
    ["client", EvmSigner.layerWalletClient(any(undefined))],
    ["provider", EvmSigner.layerProvider(any(undefined), address)],
    ["keyService", EvmSigner.layerKeyService(any(undefined))],
    ["options", EvmSigner.layerAccount(account, any(7))]
  ] as const)("the same as a layer, which fails about %s", ([field, layer]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.provide(Signer.Signers, layer))
      assert.instanceOf(error, SwapError.InvalidInput)
      assert.strictEqual(error.field, field)
    })
  )
})

describe("a constructor accepts", () => {
  it.each([address, account.address, `0x${address.slice(2).toUpperCase()}`])("the address %s unchanged", (given) => {
    expect(EvmSigner.fromProvider(new BrowserWallet(), given).address).toBe(given)
  })

  it("frozen objects, and returns signers that can be frozen", async () => {
    const service = Object.freeze(digestService())
    const signer = Object.freeze(
      EvmSigner.fromKeyService(service, Object.freeze({ name: "My KMS", rpc: Object.freeze({}) }))
    )
    expect(typedDataSigner(operation.geoOpHash, await signer.signOperation(operation, alive())).toLowerCase()).toBe(
      address
    )
  })

  it("clients in an object without a prototype, and names in any script", () => {
    const rpc = Object.assign(Object.create(null) as object, { 8453: new BrowserWallet() })
    for (const name of ["Rabby", "Café №5 (東京) 🦊", "קופה", "x".repeat(60)]) {
      expect(EvmSigner.fromAccount(account, { rpc, name }).address).toBe(account.address)
    }
  })

  it("key services with properties of a client or an account", () => {
    const service = { ...digestService(), type: "local", request: () => undefined, transport: {} }
    expect(EvmSigner.fromKeyService(service).address).toBe(address)
    const remote = { address, signMessage: () => "0x", request: () => undefined, type: "remote" }
    expect(EvmSigner.fromKeyService(remote).address).toBe(address)
  })

  it("undefined options and properties", () => {
    expect(EvmSigner.fromAccount(account, undefined).address).toBe(account.address)
    expect(EvmSigner.fromAccount(account, { name: undefined, rpc: undefined }).address).toBe(account.address)
  })

  it("a provider that is a function", async () => {
    const wallet = new BrowserWallet()
    const provider = Object.assign(() => undefined, { request: wallet.request.bind(wallet) })
    const { signOperation } = EvmSigner.fromProvider(provider, address)
    await signOperation(operation, alive())
    expect(wallet.requested.map(({ method }) => method)).toContain("eth_signTypedData_v4")
  })
})
