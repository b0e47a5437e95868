import { describe, expect, it, vi } from "@effect/vitest"
import { type Signer, SwapError } from "@geoswap/core"
import {
  type Address,
  createKeyPairFromPrivateKeyBytes,
  createNoopSigner,
  generateKeyPair,
  type TransactionSendingSigner
} from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { SolanaSigner } from "../src/index.js"
import { isSignedBy, otherKey, signWire, walletKey } from "./keys.js"
import { patience, rejection, thrown } from "./settle.js"
import { rpcOf, secondTableName, table, tableName } from "./tables.js"
import {
  against,
  agreed,
  agreement,
  bytesOf,
  destination,
  mint,
  source,
  stranger,
  textOf,
  wireWithTables
} from "./transactions.js"
import { accountOf, modifyingSigner, partialSigner, signerOf, standardWallet } from "./wallets.js"

const { fromKeyPair, fromKitSigner, fromPromise, fromWalletStandard } = SolanaSigner
const { address } = walletKey()

/** The words of a refusal at construction. */
const words = (make: () => unknown): string => {
  const error = thrown(make)
  expect(error).toBeInstanceOf(SwapError.InvalidInput)
  return `${(error as SwapError.InvalidInput).field} | ${error.message}`
}

describe("a key pair", () => {
  const wordsOf = async (keyPair: unknown, options?: SolanaSigner.Options) => {
    const error = await rejection(fromKeyPair(keyPair as CryptoKeyPair, options))
    expect(error).toMatchObject({ _tag: "InvalidInput" })
    const built = Effect.scoped(Layer.build(SolanaSigner.layerKeyPair(keyPair as CryptoKeyPair, options)))
    const layered = await Effect.runPromise(Effect.flip(built))
    expect(layered.message).toBe(error.message)
    return error.message
  }

  it("is refused where there is none", async () => {
    expect(await wordsOf(undefined)).toMatchInlineSnapshot(
      `"keyPair: publicKey should be a CryptoKey, and is none. Make one with generateKeyPair or createKeyPairFromBytes of @solana/kit."`
    )
    expect(await wordsOf({ publicKey: "a", privateKey: "b" })).toMatchInlineSnapshot(
      `"keyPair: publicKey should be a CryptoKey, and is none. Make one with generateKeyPair or createKeyPairFromBytes of @solana/kit."`
    )
  })

  it("is refused where it is for something else than Ed25519", async () => {
    const ecdsa = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"])
    expect(await wordsOf(ecdsa)).toMatchInlineSnapshot(
      `"keyPair: publicKey should be a key for Ed25519, and is for ECDSA. Make one with generateKeyPair or createKeyPairFromBytes of @solana/kit."`
    )
  })

  it("is refused where its two keys do not belong together", async () => {
    const [one, other] = [await generateKeyPair(), await generateKeyPair()]
    expect(await wordsOf({ publicKey: one.publicKey, privateKey: other.privateKey })).toMatchInlineSnapshot(
      `"keyPair: the two keys do not belong together. Make one with generateKeyPair or createKeyPairFromBytes of @solana/kit."`
    )
  })

  it("is refused where it may not sign, or where its public key is kept", async () => {
    const { privateKey, publicKey } = await generateKeyPair()
    expect(await wordsOf({ publicKey, privateKey: publicKey })).toMatchInlineSnapshot(
      `"keyPair: privateKey is not allowed to sign. Make one with generateKeyPair or createKeyPairFromBytes of @solana/kit."`
    )
    const raw = await crypto.subtle.exportKey("raw", publicKey)
    const kept = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"])
    // Node exports a public key even so; a runtime that does not is told in words.
    const signer = await fromKeyPair({ publicKey: kept, privateKey }).catch((error: unknown) => error)
    expect(signer).toHaveProperty(signer instanceof Error ? "field" : "address")
  })

  it("needs no key that can be exported", async () => {
    const keyPair = await createKeyPairFromPrivateKeyBytes(walletKey().seed)
    expect(keyPair.privateKey.extractable).toBe(false)
    expect((await fromKeyPair(keyPair)).address).toBe(address)
  })
})

describe("a signer of kit", () => {
  const key = walletKey()

  it("is refused where it can only send", () => {
    const sending: TransactionSendingSigner = { address: address as Address, signAndSendTransactions: async () => [] }
    expect(words(() => fromKitSigner(sending as never))).toMatchInlineSnapshot(
      `"signer | signer: it can only send what it signs, and GeoSwap's relayer is the one to send. Use a signer with signTransactions."`
    )
  })

  it("is refused where it signs no transactions, has no address, or is none", () => {
    expect(words(() => fromKitSigner({ address } as never))).toMatchInlineSnapshot(
      `"signer | signer: it has no signTransactions and no modifyAndSignTransactions. Use a signer that signs transactions."`
    )
    expect(words(() => fromKitSigner({ ...partialSigner(key), address: "me" as Address }))).toMatchInlineSnapshot(
      `"signer | signer: its address is no address on Solana."`
    )
    expect(words(() => fromKitSigner(undefined as never))).toMatchInlineSnapshot(
      `"signer | signer: should be a signer, and is nothing."`
    )
    expect(words(() => fromKitSigner("key" as never))).toMatchInlineSnapshot(
      `"signer | signer: should be a signer, and is a text of 3 characters."`
    )
  })

  it("is used as a partial signer where it is a modifying one too", async () => {
    const { modifyAndSignTransactions } = modifyingSigner(otherKey())
    const signer = fromKitSigner({ ...partialSigner(key), modifyAndSignTransactions })
    expect(isSignedBy(await signer.signTransaction(agreed, patience()), address)).toBe(true)
  })

  it("is handed a transaction with a lifetime, and the signal", async () => {
    const seen: Array<unknown> = []
    const signer = fromKitSigner({
      ...partialSigner(key),
      signTransactions: async (transactions, config) => {
        seen.push(transactions[0]?.lifetimeConstraint, config?.abortSignal)
        return partialSigner(key).signTransactions(transactions)
      }
    })
    await signer.signTransaction(agreed, patience())
    expect(seen).toStrictEqual([
      { blockhash: "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N", lastValidBlockHeight: 2n ** 64n - 1n },
      expect.any(AbortSignal)
    ])
  })

  it("that signs nothing is told so", async () => {
    const error = await rejection(
      fromKitSigner(createNoopSigner(address as Address)).signTransaction(agreed, patience())
    )
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    expect(error.message).toMatchInlineSnapshot(`"The signer gave back nothing in place of a signature of 64 bytes."`)
  })

  it("that signs for another address is named with it", async () => {
    const other = otherKey()
    const signer = fromKitSigner({ ...partialSigner(other), address: address as Address })
    const error = await rejection(signer.signTransaction(agreed, patience()))
    expect(error).toMatchObject({ reason: "invalid", message: expect.stringContaining(other.address) as string })
  })
})

describe("a wallet of the wallet standard", () => {
  const key = walletKey()
  const wallet = standardWallet(key)

  it("is refused where it is not connected", () => {
    expect(words(() => fromWalletStandard({ ...wallet, accounts: [] }))).toMatchInlineSnapshot(
      `"wallet | wallet: Test Wallet is not connected. Call its feature standard:connect first."`
    )
  })

  it("is refused where it only signs and sends at once", () => {
    const features = { "solana:signAndSendTransaction": { signAndSendTransaction: async () => [] } }
    expect(words(() => fromWalletStandard({ ...wallet, features }))).toMatchInlineSnapshot(
      `"wallet | wallet: Test Wallet can only sign and send at once, and GeoSwap's relayer is the one to send. Use a wallet with solana:signTransaction."`
    )
  })

  it("is refused where it cannot sign for Solana at all", () => {
    expect(words(() => fromWalletStandard({ ...wallet, features: {} }))).toMatchInlineSnapshot(
      `"wallet | wallet: Test Wallet cannot sign Solana transactions. Use a wallet with the feature solana:signTransaction."`
    )
    const account = accountOf(key.address, ["solana:signMessage"])
    expect(words(() => fromWalletStandard({ ...wallet, accounts: [account] }))).toMatchInlineSnapshot(
      `"wallet | wallet: Test Wallet is connected, but with no account that can sign Solana transactions."`
    )
  })

  it("is refused where it does not know version 0", () => {
    const feature = { ...wallet.features["solana:signTransaction"], supportedTransactionVersions: ["legacy"] }
    const features = { "solana:signTransaction": feature }
    expect(words(() => fromWalletStandard({ ...wallet, features }))).toMatchInlineSnapshot(
      `"wallet | wallet: Test Wallet does not sign transactions of version 0. Update it, or use another."`
    )
  })

  it("is refused where the account is not one of its own", () => {
    const of = (account: unknown) => words(() => fromWalletStandard(wallet, { account: account as string }))
    expect(of(stranger)).toMatchInlineSnapshot(
      `"account | account: Test Wallet is not connected with AoVsGaj8MSJ6xwKxfFxo9iZWH3enC8RRTXKH2fx2F8os. Connect that account first."`
    )
    expect(of(accountOf(stranger))).toMatchInlineSnapshot(
      `"account | account: Test Wallet is not connected with AoVsGaj8MSJ6xwKxfFxo9iZWH3enC8RRTXKH2fx2F8os. Connect that account first."`
    )
    expect(of("me")).toMatchInlineSnapshot(
      `"account | account: should be an account or an address on Solana, and is a text of 2 characters."`
    )
    expect(of(5)).toMatchInlineSnapshot(
      `"account | account: should be an account or an address on Solana, and is a number."`
    )
  })

  it("is refused where the chain is none of Solana, or it is no wallet", () => {
    expect(words(() => fromWalletStandard(wallet, { chain: "eip155:1" }))).toMatchInlineSnapshot(
      `"chain | chain: should be one such as solana:mainnet, and is eip155:1."`
    )
    expect(words(() => fromWalletStandard(undefined as never))).toMatchInlineSnapshot(
      `"wallet | wallet: should be a wallet of the wallet standard, and is nothing."`
    )
    expect(words(() => fromWalletStandard({ name: "Old", publicKey: {} } as never))).toMatchInlineSnapshot(
      `"wallet | wallet: should be a wallet of the wallet standard, and is an object."`
    )
  })

  it("is refused in words where looking at it throws", () => {
    const broken = Object.defineProperty({ name: "Broken" }, "accounts", {
      get: () => {
        throw new Error("gone")
      }
    })
    expect(words(() => fromWalletStandard(broken as never))).toMatchInlineSnapshot(
      `"wallet | wallet: throws when it is looked at."`
    )
  })

  it("signs with the first account that can, or with the one that is chosen", () => {
    const other = otherKey()
    const accounts = [accountOf(stranger, []), accountOf(key.address), accountOf(other.address)]
    expect(fromWalletStandard({ ...wallet, accounts }).address).toBe(key.address)
    expect(fromWalletStandard({ ...wallet, accounts }, { account: other.address }).address).toBe(other.address)
    expect(fromWalletStandard({ ...wallet, accounts }, { account: accountOf(other.address) }).address).toBe(
      other.address
    )
  })

  it.each([
    ["solana:mainnet for the main network", agreed, {}, "solana:mainnet"],
    [
      "nothing for another network",
      against(agreed.unsignedTransaction, { request: { originChain: 5 } }),
      {},
      undefined
    ],
    ["what the application says", agreed, { chain: "solana:devnet" }, "solana:devnet"]
  ] as const)("is told %s", async (_, transaction, options, chain) => {
    const wallet = standardWallet(key)
    await fromWalletStandard(wallet, options).signTransaction(transaction, patience())
    expect(wallet.inputs).toHaveLength(1)
    expect(wallet.inputs[0]?.account).toBe(wallet.accounts[0])
    expect(wallet.inputs[0]?.chain).toBe(chain)
    expect("chain" in (wallet.inputs[0] ?? {})).toBe(chain !== undefined)
  })

  it("cannot change our transaction through the bytes that it is handed", async () => {
    const wallet = standardWallet(key, (bytes) => {
      const signed = signWire(key, bytes)
      bytes.fill(7)
      return signed
    })
    const signed = await fromWalletStandard(wallet).signTransaction(agreed, patience())
    expect(isSignedBy(signed, address)).toBe(true)
    expect(textOf(bytesOf(signed).fill(0, 65, 129))).toBe(agreed.unsignedTransaction)
  })

  it("whose account was switched is told which account signed", async () => {
    const other = otherKey()
    const switched = standardWallet(other, (bytes) => {
      const signed = Uint8Array.from(bytes)
      signed.set(other.sign(bytes.slice(129)), 65)
      return signed
    })
    const wallet = { ...standardWallet(key), features: switched.features }
    const signer = fromWalletStandard(wallet)
    wallet.accounts = [accountOf(other.address)]
    const error = await rejection(signer.signTransaction(agreed, patience()))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    expect(error.message).toMatchInlineSnapshot(
      `"Test Wallet signed with the account J2xccRtuG43drESLYznHhLhQkLTdfepcKYbiQ9BsJVaf instead of GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB. Switch the wallet back to that account."`
    )
  })
})

describe("a key service", () => {
  const key = walletKey()
  const signMessage = async (message: Uint8Array) => key.sign(message)

  it("is refused where something is missing", () => {
    expect(words(() => fromPromise({ address } as never))).toMatchInlineSnapshot(
      `"keyService | keyService: has no signMessage and no signTransaction. Give it one of the two."`
    )
    expect(words(() => fromPromise({ signMessage } as never))).toMatchInlineSnapshot(
      `"address | address: should be the key's address on Solana, and is nothing."`
    )
    expect(words(() => fromPromise({ address: "0x01", signMessage }))).toMatchInlineSnapshot(
      `"address | address: should be the key's address on Solana, and is a text of 4 characters."`
    )
    expect(words(() => fromPromise(undefined as never))).toMatchInlineSnapshot(
      `"keyService | keyService: should have an address and signMessage or signTransaction, and is nothing."`
    )
  })

  it("signs the message's bytes and nothing else, and cannot change ours", async () => {
    const signer = fromPromise({
      address,
      signMessage: async (message) => {
        const signature = key.sign(message)
        message.fill(0)
        return signature
      }
    })
    expect(isSignedBy(await signer.signTransaction(agreed, patience()), address)).toBe(true)
  })

  it("uses signMessage where it has both", async () => {
    const signTransaction = () => Promise.reject(new Error("not this one"))
    const signer = fromPromise({ address, signMessage, signTransaction })
    expect(isSignedBy(await signer.signTransaction(agreed, patience()), address)).toBe(true)
  })

  it("cannot change what it gave back afterwards", async () => {
    const kept: Array<Uint8Array> = []
    const signer = fromPromise({
      address,
      signMessage: async (message) => {
        const signature = key.sign(message)
        kept.push(signature)
        queueMicrotask(() => queueMicrotask(() => setImmediate(() => signature.fill(0))))
        return signature
      }
    })
    const signed = await signer.signTransaction(agreed, patience())
    await new Promise(setImmediate)
    expect(isSignedBy(signed, address)).toBe(true)
  })

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a number", 5],
    ["an object", { signature: "x" }],
    ["a list of numbers", [...new Uint8Array(64)]],
    ["63 bytes", new Uint8Array(63)],
    ["no such text", "signature"],
    ["hex that is too short", `0x${"ab".repeat(63)}`],
    ["base64 that is too short", Buffer.alloc(61).toString("base64")],
    ["a megabyte of text", "A".repeat(1_000_000)],
    ["zeros", new Uint8Array(64)],
    ["another key's signature", otherKey().sign(new Uint8Array(3))]
  ])("that gives back %s is told so in words", async (_, given) => {
    const signer = fromPromise({ address, signMessage: async () => given as string }, { name: "Our KMS" })
    const error = await rejection(signer.signTransaction(agreed, patience()))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    expect(error.message).toMatch(
      /^Our KMS gave back (.* in place of a signature of 64 bytes|a signature that is not .*)\.$/
    )
  })

  it("that refuses for its user is told from one that fails", async () => {
    const of = (thrown: unknown) =>
      rejection(fromPromise({ address, signMessage: () => Promise.reject(thrown) }).signTransaction(agreed, patience()))
    expect(await of(new Error("User rejected the request."))).toMatchObject({ reason: "rejected" })
    expect(await of({ code: 4001 })).toMatchObject({ reason: "rejected" })
    expect(await of(new Error("quota exceeded"))).toMatchObject({
      reason: "failed",
      message: "The key service failed: quota exceeded"
    })
    const own = new SwapError.SignerError({ reason: "incapable", message: "no Ed25519 here", cause: { key: 1 } })
    expect(await of(own)).toMatchObject({ reason: "incapable", message: "The key service: no Ed25519 here" })
    expect(await of(own)).not.toHaveProperty("cause")
  })

  it.each<[string, () => unknown]>([
    [
      "that throws when it is looked at",
      () =>
        new Proxy(
          {},
          {
            get: () => {
              throw new Error("no")
            },
            has: () => {
              throw new Error("no")
            }
          }
        )
    ],
    [
      "whose cause throws",
      () =>
        Object.defineProperty(new Error("no"), "cause", {
          get: () => {
            throw new Error("no")
          }
        })
    ],
    [
      "that pretends to be ours, with a reason of its own",
      () => Object.assign(new Error("no"), { _tag: "SignerError", retry: "x", reason: "because" })
    ],
    ["that is nothing", () => undefined],
    [
      "that is its own cause",
      () => {
        const error = new Error("no")
        error.cause = error
        return error
      }
    ]
  ])("that throws something %s has failed, and nothing has crashed", async (_, thrown) => {
    const signer = await signerOf(SolanaSigner.layerPromise({ address, signMessage: () => Promise.reject(thrown()) }))
    const exit = await Effect.runPromiseExit(signer.signTransaction(agreed))
    const error = await Effect.runPromise(Effect.flip(exit))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "failed" })
    expect(error.message).toMatch(/^The key service failed: /)
  })

  it.each<[string, () => unknown]>([
    [
      "that throws when it is looked at",
      () =>
        Object.defineProperty(new Uint8Array(64), "length", {
          get: () => {
            throw new Error("no")
          }
        })
    ],
    ["that is longer than it says", () => Object.defineProperty(new Uint8Array(500), "length", { value: 64 })]
  ])("that gives back bytes %s is told so", async (_, given) => {
    const signer = fromPromise({ address, signMessage: async () => given() as Uint8Array })
    expect(await rejection(signer.signTransaction(agreed, patience()))).toMatchObject({ reason: "invalid" })
  })

  it("that throws at once fails the same way", async () => {
    const signMessage = () => {
      throw new Error("not ready")
    }
    const error = await rejection(fromPromise({ address, signMessage }).signTransaction(agreed, patience()))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "failed", message: "The key service failed: not ready" })
  })
})

describe("options", () => {
  const service = { address, signMessage: async () => new Uint8Array(64) }
  it("are refused where they make no sense", () => {
    expect(words(() => fromPromise(service, { name: " " }))).toMatchInlineSnapshot(
      `"name | name: should be what errors call the wallet, and is a text of 1 characters."`
    )
    expect(words(() => fromPromise(service, { name: 5 as never }))).toMatchInlineSnapshot(
      `"name | name: should be what errors call the wallet, and is a number."`
    )
    expect(words(() => fromPromise(service, { lookupTables: "https://rpc.example" as never }))).toMatchInlineSnapshot(
      `"lookupTables | lookupTables: should be an RPC as createSolanaRpc gives it, and is a text of 19 characters."`
    )
  })

  it("name the wallet in errors, in a line that can be printed", async () => {
    const signer = fromPromise(service, { name: "The\u001b[31m treasury\nkey" })
    expect((await rejection(signer.signTransaction(agreed, patience()))).message).toMatch(
      /^The\?\[31m treasury\?key gave back/
    )
  })
})

describe("abort", () => {
  const forms: Readonly<
    Record<string, (wait: (signal: AbortSignal | undefined) => Promise<never>) => Signer.PromiseSolanaSigner>
  > = {
    "a key service that signs bytes": (wait) => fromPromise({ address, signMessage: (_, { signal }) => wait(signal) }),
    "a remote signer": (wait) => fromPromise({ address, signTransaction: (_, { signal }) => wait(signal) }),
    "a partial signer of kit": (wait) =>
      fromKitSigner({ address: address as Address, signTransactions: (_, config) => wait(config?.abortSignal) }),
    "a modifying signer of kit": (wait) =>
      fromKitSigner({
        address: address as Address,
        modifyAndSignTransactions: (_, config) => wait(config?.abortSignal)
      })
  }

  it.each(Object.entries(forms))("reaches %s, and the call rejects with its reason", async (_, form) => {
    const controller = new AbortController()
    const seen: Array<string> = []
    const signer = form(
      (signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => {
            seen.push("aborted")
            reject(new Error("cancelled"))
          })
          setImmediate(() => controller.abort(new Error("the page was left")))
        })
    )
    await expect(signer.signTransaction(agreed, controller)).rejects.toThrow("the page was left")
    expect(seen).toStrictEqual(["aborted"])
  })

  it.live("of an effect reaches the wallet too", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const layer = SolanaSigner.layerPromise({
        address,
        signMessage: (_, { signal }) =>
          new Promise(() => {
            seen.push("asked")
            signal.addEventListener("abort", () => seen.push("aborted"))
          })
      })
      const signer = yield* Effect.promise(() => signerOf(layer))
      const fiber = yield* Effect.forkChild(signer.signTransaction(agreed))
      yield* Effect.promise(async () => {
        while (seen.length === 0) await new Promise(setImmediate)
      })
      yield* Fiber.interrupt(fiber)
      expect(seen).toStrictEqual(["asked", "aborted"])
    })
  )
})

describe("lookup tables", () => {
  const key = walletKey()
  const service = { address, signMessage: async (message: Uint8Array) => key.sign(message) }
  const looked = against(wireWithTables({ [tableName]: [stranger, destination, mint] }))
  const tables = { [tableName]: table([stranger, destination, mint]) }

  it("are read through the application's RPC, and signed", async () => {
    const { calls, rpc } = rpcOf(tables)
    const signer = fromPromise(service, { lookupTables: rpc })
    expect(isSignedBy(await signer.signTransaction(looked, patience()), address)).toBe(true)
    // Kit leaves "finalized" out of a request: it is what an RPC does where nothing is said.
    expect(calls.map(({ method, params }) => [method, ...params])).toStrictEqual([
      ["getMultipleAccounts", [tableName], { encoding: "base64" }]
    ])
  })

  it("may be two, for all three accounts of the transfer", async () => {
    const transaction = against(
      wireWithTables({ [tableName]: [source, mint], [secondTableName]: [stranger, destination] })
    )
    const { rpc } = rpcOf({ [tableName]: table([source, mint]), [secondTableName]: table([stranger, destination]) })
    const signed = await fromPromise(service, { lookupTables: rpc }).signTransaction(transaction, patience())
    expect(isSignedBy(signed, address)).toBe(true)
  })

  it("are not asked for where a transaction has none", async () => {
    const { calls, rpc } = rpcOf({})
    await fromPromise(service, { lookupTables: rpc }).signTransaction(agreed, patience())
    expect(calls).toHaveLength(0)
  })

  it.each<[string, () => unknown]>([
    ["fails", () => Promise.reject(new Error("connect ECONNREFUSED https://rpc.example/?api-key=canary"))],
    ["answers with nothing", () => undefined],
    ["answers with fewer accounts", () => []],
    ["answers with something else", () => [{ data: 5 }]]
  ])("of an RPC that %s are no reason to sign, and its URL stays unsaid", async (_, answer) => {
    const { rpc } = rpcOf(tables, answer)
    const before = key.signed()
    const signer = fromPromise(service, { lookupTables: rpc })
    for (const call of [signer.verifyTransaction, signer.signTransaction]) {
      const error = await rejection(call?.(looked, patience()))
      expect(error).toMatchObject({ _tag: "SignerError", reason: "failed" })
      expect(error.message).toMatchInlineSnapshot(
        `"The address lookup tables could not be read: the RPC given as lookupTables failed. Try again."`
      )
      expect(JSON.stringify(error)).not.toContain("canary")
    }
    expect(key.signed()).toBe(before)
  })

  it("stop being read when nobody waits any more", async () => {
    const controller = new AbortController()
    const { rpc } = rpcOf(tables, (_, signal) => {
      setImmediate(() => controller.abort(new Error("the page was left")))
      return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("stopped"))))
    })
    const signer = fromPromise(service, { lookupTables: rpc })
    await expect(signer.signTransaction(looked, controller)).rejects.toThrow("the page was left")
  })
})

describe("the accounts that a signer derives", () => {
  const derivations = vi.spyOn(crypto.subtle, "digest")
  const signer = fromPromise({ address, signMessage: async () => "" })
  const derived = async (transaction: Signer.TransactionToSign) => {
    const before = derivations.mock.calls.length
    await Promise.resolve(signer.verifyTransaction?.(transaction, patience())).catch(() => undefined)
    return derivations.mock.calls.length - before
  }
  const withVault = (fill: number) =>
    against(agreed.unsignedTransaction, { deployment: { ...agreement.deployment, vault: otherKey(fill).address } })

  it("are derived once, as long as there are not too many of them to remember", async () => {
    expect(await derived(agreed)).toBeGreaterThan(0)
    expect(await derived(agreed)).toBe(0)
    for (let fill = 100; fill < 140; fill++) expect(await derived(withVault(fill))).toBeGreaterThan(0)
    expect(await derived(withVault(139))).toBe(0)
    expect(await derived(withVault(100))).toBeGreaterThan(0)
  })
})
