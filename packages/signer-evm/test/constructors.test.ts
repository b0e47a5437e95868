import { Signer, SwapError } from "@geoswap/core"
import { assert, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createPublicClient, createWalletClient, custom } from "viem"
import { EvmSigner } from "../src/index.js"
import { thrown } from "../../../tooling/testing/failure.ts"
import { account, alive, operation } from "./fixture.js"
import { messageSigner } from "./chainLibrary.js"
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
    expect(from({ ...client, account }, { account: null })).toContain("options.account: is absent.")
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
    expect(from(account)).toMatchInlineSnapshot(`"keyService: is a viem account. Use EvmSigner.fromAccount(account)."`)
    expect(from({ address, type: "json-rpc" })).toMatchInlineSnapshot(
      `"keyService: is a json-rpc account, whose key is in a wallet. Use EvmSigner.fromWalletClient(client) or EvmSigner.fromProvider(provider, address)."`
    )
    expect(from({ ...account, type: "smart" })).toMatchInlineSnapshot(
      `"keyService: is a smart account, a contract that has no key of its own. GeoSwap needs the signature of the paying wallet's key: use EvmSigner.fromAccount with the account that owns it, as the paying wallet."`
    )
    expect(from(createWalletClient({ account, transport: custom(new BrowserWallet()) }))).toMatchInlineSnapshot(
      `"keyService: is a viem client. Use EvmSigner.fromWalletClient(client)."`
    )
    expect(from(createPublicClient({ transport: custom(new BrowserWallet()) }))).toMatchInlineSnapshot(
      `"keyService: is a viem client. Use EvmSigner.fromWalletClient(client)."`
    )
    expect(from(new BrowserWallet())).toMatchInlineSnapshot(
      `"keyService: is a provider. Use EvmSigner.fromProvider(provider, address)."`
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
      `"options.name: should be a text of 1 to 60 printable characters, and is an empty text."`
    )
    expect(from({ name: 7 })).toMatchInlineSnapshot(
      `"options.name: should be a text of 1 to 60 printable characters, and is a number."`
    )
    expect(from({ name: "x".repeat(61) })).toMatchInlineSnapshot(
      `"options.name: should be a text of 1 to 60 printable characters, and is a text of 61 characters."`
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
      expect(from({ name })).toContain("options.name: should be a text of 1 to 60 printable characters")
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
      expect(from({ rpc })).toContain("options.rpc: should hold clients by chain id, such as { 8453: client }, and is")
    }
    expect(from({ rpc: "https://node.example" })).toMatchInlineSnapshot(
      `"options.rpc: should hold clients by chain id, such as { 8453: client }, and is a text of 20 characters."`
    )
    expect(from({ rpc: new Map([[8453, new BrowserWallet()]]) })).toMatchInlineSnapshot(
      `"options.rpc: should hold clients by chain id, such as { 8453: client }, and is a Map, a function or an object of a class."`
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

  it("clients in an object without a prototype, and names in any script", () => {
    const rpc = Object.assign(Object.create(null) as object, { 8453: new BrowserWallet() })
    for (const name of ["Rabby", "Café №5 (東京) 🦊", "קופה", "x".repeat(60)]) {
      expect(EvmSigner.fromAccount(account, { rpc, name }).address).toBe(account.address)
    }
  })

  it("key services with members that a client or an account may have", () => {
    const service = { ...digestService(), type: "local", request: () => undefined, transport: {} }
    expect(EvmSigner.fromPromise(service).address).toBe(address)
    const remote = { address, signMessage: () => "0x", request: () => undefined, type: "remote" }
    expect(EvmSigner.fromPromise(remote).address).toBe(address)
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
