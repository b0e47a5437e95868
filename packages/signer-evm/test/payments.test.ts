/** Payments without a delegation: every field is verified, and the wallet gets exactly the specified typed data. */
import { describe, expect, it, vi } from "@effect/vitest"
import { type Operation, Payment, type Signer } from "@geoswap/core"
import { Vectors } from "@geoswap/core/testing"
import { createWalletClient, custom } from "viem"
import { toAccount } from "viem/accounts"
import * as library from "../../../tooling/testing/evm/paymentLibrary.js"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { EvmSigner } from "../src/index.js"
import { account, alive } from "./fixture.js"
import { agreement, paid, type PaymentClaim, termsOf } from "./payments.js"
import { address, BrowserWallet, digestService, forms, sign, stranger } from "./wallets.js"

type Hex = `0x${string}`
type Method = Payment.Payment["method"]

const { methods } = Payment
const other: Hex = "0x00000000000000000000000000000000000000aa"
const now = () => Math.floor(Date.now() / 1000)

const erc2612Of = (input: Signer.PaymentToSign): Payment.Erc2612 =>
  input.payment.method === "erc2612" ? input.payment : expect.fail("not a payment with a permit")

/** Fails unless these are the wallet's signatures over the payment and its permit. */
const expectSigned = (input: Signer.PaymentToSign, signed: Signer.SignedPayment | undefined) => {
  const digests = [input.geoOpHash, ...(input.payment.method === "erc2612" ? [library.hashPermit(input.payment)] : [])]
  const signatures = [signed?.signature, signed?.permitSignature].filter((signature) => signature !== undefined)
  expect(signatures).toHaveLength(digests.length)
  for (const [index, signature] of signatures.entries()) {
    expect(signature).toMatch(/^0x[0-9a-f]{128}1[bc]$/)
    expect(library.typedDataSigner(digests[index] as Hex, signature).toLowerCase()).toBe(address)
  }
}

describe("a wallet that signs typed data", () => {
  const { signMessage, signTransaction, signTypedData } = account
  const signers: ReadonlyArray<readonly [string, () => Signer.PromiseEvmSigner]> = [
    ["an account", () => EvmSigner.fromAccount(account)],
    [
      "a custom account",
      () => EvmSigner.fromAccount(toAccount({ address, signMessage, signTransaction, signTypedData }))
    ],
    ["a browser wallet", () => EvmSigner.fromProvider(new BrowserWallet(), address)],
    [
      "a wallet client",
      () => EvmSigner.fromWalletClient(createWalletClient({ account: address, transport: custom(new BrowserWallet()) }))
    ],
    ["a key service that signs digests", () => EvmSigner.fromKeyService(digestService())],
    [
      "a key service that signs typed data",
      () =>
        EvmSigner.fromKeyService({
          address,
          signMessage: () => "0x",
          signTypedData: (data) => account.signTypedData(data)
        })
    ]
  ]

  describe.each(signers)("as %s", (_, make) => {
    it.each(methods)("pays with %s", async (method) => {
      const input = paid(method)
      const signer = make()
      await signer.verifyPayment?.(input, alive())
      expectSigned(input, await signer.signPayment?.(input, alive()))
    })

    it("pays for an output on Solana with Permit2", async () => {
      const request = {
        ...agreement.request,
        destinationChain: 792703809,
        outputToken: "11111111111111111111111111111111",
        recipient: Vectors.solanaKey.address
      }
      const input = paid("permit2", { ...agreement, request })
      expectSigned(input, await make().signPayment?.(input, alive()))
    })
  })

  it.each(Object.entries(forms))("may return %s", async (_, form) => {
    const input = paid("erc2612")
    expectSigned(input, await EvmSigner.fromKeyService(digestService(form)).signPayment?.(input, alive()))
  })
})

describe("a browser wallet", () => {
  const dataOf = (wallet: BrowserWallet) =>
    wallet.requested
      .filter(({ method }) => method === "eth_signTypedData_v4")
      .map(({ params }) => JSON.parse((params as ReadonlyArray<string>)[1] ?? "") as object)

  /** JSON without the domain's type, which ox and viem derive from the domain. */
  const shown = (data: object) => {
    const { types, ...rest } = JSON.parse(
      JSON.stringify(data, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value)).toLowerCase()
    ) as { readonly types: Readonly<Record<string, unknown>> }
    const { eip712domain: _, ...structs } = types
    return { types: structs, ...rest }
  }

  it.each(methods)("is shown exactly the specified typed data for %s", async (method) => {
    const wallet = new BrowserWallet()
    const input = paid(method)
    await EvmSigner.fromProvider(wallet, address).signPayment?.(input, alive())
    const { payment } = input
    const expected = library.paymentData(payment, termsOf(input))
    const data = dataOf(wallet)
    expect(data.map(shown)).toStrictEqual(
      [...(payment.method === "erc2612" ? [library.permitData(payment)] : []), expected].map(shown)
    )
    // A wallet that hashes what it shows gets the same digest.
    expect(library.digestOfData(data.at(-1) ?? {})).toBe(input.geoOpHash)
  })

  it("is asked for the permit first, and for nothing more if the user declines the payment", async () => {
    const inner = new BrowserWallet()
    let asked = 0
    const provider = {
      request: (args: { readonly method: string }) =>
        args.method === "eth_signTypedData_v4" && ++asked === 2
          ? Promise.reject(Object.assign(new Error("User rejected the request."), { code: 4001 }))
          : inner.request(args)
    }
    const { signPayment } = EvmSigner.fromProvider(provider, address)
    const error = await rejection(signPayment?.(paid("erc2612"), alive()) ?? Promise.resolve())
    expect(error).toMatchObject({ _tag: "SignerError", reason: "rejected" })
    expect(dataOf(inner)).toMatchObject([{ primaryType: "Permit" }])
    expect(JSON.stringify(error)).not.toMatch(/[0-9a-f]{64}/i)
  })

  it("does not get the second prompt if the deadline passes during the first", async () => {
    const inner = new BrowserWallet()
    const input = paid("erc2612")
    const start = Date.now()
    const provider = {
      request: async (args: { readonly method: string }) => {
        const answer = await inner.request(args)
        if (args.method === "eth_signTypedData_v4") vi.setSystemTime(start + 91_000)
        return answer
      }
    }
    try {
      const error = await rejection(
        EvmSigner.fromProvider(provider, address).signPayment?.(input, alive()) ?? Promise.resolve()
      )
      expect(error).toMatchObject({ _tag: "UnsafeOperation", field: "deadline" })
      expect(dataOf(inner)).toHaveLength(1)
    } finally {
      vi.setSystemTime(start)
    }
  })

  it("is switched to the origin chain first", async () => {
    const wallet = new BrowserWallet(1)
    const input = paid("permit2")
    expectSigned(input, await EvmSigner.fromProvider(wallet, address).signPayment?.(input, alive()))
    expect(wallet.requested.map(({ method }) => method)).toStrictEqual([
      "eth_chainId",
      "wallet_switchEthereumChain",
      "eth_chainId",
      "eth_signTypedData_v4",
      "eth_chainId"
    ])
    expect(wallet.requested[1]?.params).toStrictEqual([{ chainId: "0x2105" }])
  })

  /** A wallet that answers some methods differently. */
  const changed = (answers: Readonly<Record<string, (calls: number) => unknown>>) => {
    const inner = new BrowserWallet()
    const calls = new Map<string, number>()
    return {
      inner,
      request: async (args: { readonly method: string; readonly params?: unknown }) => {
        const count = (calls.get(args.method) ?? 0) + 1
        calls.set(args.method, count)
        const answer = answers[args.method]
        if (answer === undefined) return inner.request(args)
        const value = answer(count)
        if (value instanceof Error) throw value
        return value
      }
    }
  }
  const thrown = (code: number, message = "Refused.") => Object.assign(new Error(message), { code })

  it.each<[string, Readonly<Record<string, (calls: number) => unknown>>, string, RegExp, signed: number]>([
    [
      "stays on another chain",
      { eth_chainId: () => "0x1", wallet_switchEthereumChain: () => null },
      "failed",
      /connected to chain 1, but the swap starts on chain 8453\. Nothing was signed/,
      0
    ],
    [
      "changes the chain while it signs",
      { eth_chainId: (calls) => (calls === 1 ? "0x2105" : "0x1") },
      "failed",
      /The signature was discarded/,
      1
    ],
    [
      "does not return its chain",
      { eth_chainId: () => ({}) },
      "failed",
      /did not return the id of its active chain/,
      0
    ],
    ["returns chain 0", { eth_chainId: () => "0x0" }, "failed", /did not return the id of its active chain/, 0],
    [
      "does not know the chain",
      { eth_chainId: () => "0x1", wallet_switchEthereumChain: () => thrown(4902) },
      "failed",
      /does not know the chain/,
      0
    ],
    [
      "has a user who declines the switch",
      { eth_chainId: () => "0x1", wallet_switchEthereumChain: () => thrown(4001) },
      "rejected",
      /declined/,
      0
    ],
    [
      "cannot switch",
      { eth_chainId: () => "0x1", wallet_switchEthereumChain: () => thrown(4200) },
      "incapable",
      /does not support/,
      0
    ],
    [
      "does not support typed data",
      { eth_signTypedData_v4: () => thrown(-32601) },
      "incapable",
      /does not support the method required for signing/,
      0
    ],
    [
      "refuses the typed data",
      { eth_signTypedData_v4: () => thrown(-32602, "Invalid typed data.") },
      "failed",
      /Invalid typed data/,
      0
    ],
    [
      "is not connected to the account",
      { eth_signTypedData_v4: () => thrown(4100) },
      "failed",
      /not connected to account/,
      0
    ],
    ["returns something else", { eth_signTypedData_v4: () => "0x1234" }, "invalid", /which is not a signature/, 0],
    [
      "signs with another key",
      {
        eth_signTypedData_v4: () =>
          forms["65 bytes in hex with v 27 or 28"]?.(sign(paid("permit2").geoOpHash, stranger.privateKey))
      },
      "invalid",
      /different key/,
      0
    ],
    [
      "signs with personal_sign",
      { eth_signTypedData_v4: async () => account.signMessage({ message: { raw: paid("permit2").geoOpHash } }) },
      "invalid",
      /personal_sign prefix/,
      0
    ]
  ])("that %s gets a clear error", async (_, answers, reason, message, signed) => {
    const wallet = changed(answers)
    const { signPayment } = EvmSigner.fromProvider(wallet, address)
    const error = await rejection(signPayment?.(paid("permit2"), alive()) ?? Promise.resolve())
    expect(error).toMatchObject({ _tag: "SignerError", reason })
    expect((error as Error).message).toMatch(message)
    expect(wallet.inner.requested.filter(({ method }) => method === "eth_signTypedData_v4")).toHaveLength(signed)
  })
})

const { quote, request } = agreement
const asked = (change: Partial<typeof request> & { readonly recipient?: string }): Operation.Agreement => ({
  ...agreement,
  request: { ...request, ...change }
})

/** What a service claims, or a caller agreed to, with recomputed hashes; and the field of the refusal. */
const lies = (method: Method): ReadonlyArray<readonly [name: string, field: string, input: () => unknown]> => {
  const claim = (lie: PaymentClaim) => () => paid(method, agreement, lie)
  const field = (name: string, value: unknown) => claim({ payment: { [name]: value } })
  const agreed = (change: Operation.Agreement) => () => ({ ...paid(method), ...change })
  const unhashed = (name: string, value: unknown) => () => {
    const input = paid(method)
    return { ...input, payment: { ...input.payment, [name]: value } }
  }
  const { deployment: _, ...unpinned } = agreement
  return [
    ["another chain", "chainId", field("chainId", 10)],
    ["another wallet", "wallet", field("wallet", other)],
    ["another token", "token", field("token", other)],
    ["a larger amount", "amount", field("amount", 10_000_001n)],
    ["a smaller amount", "amount", field("amount", 9_999_999n)],
    ["the largest amount", "amount", field("amount", 2n ** 256n - 1n)],
    ["another vault", "vault", field("vault", other)],
    ["the wallet as vault", "vault", field("vault", address)],
    ["Permit2 as vault", "vault", field("vault", Payment.permit2Address)],
    ["a delegate as vault", "vault", field("vault", agreement.deployment.delegates?.[0])],
    ["a deadline after 181 s", "deadline", () => paid(method, agreement, { payment: { deadline: now() + 181 } })],
    ["a deadline in decades", "deadline", field("deadline", 4_102_444_800)],
    ["a deadline that is now", "deadline", () => paid(method, agreement, { payment: { deadline: now() } })],
    ["a past deadline", "deadline", () => paid(method, agreement, { payment: { deadline: now() - 1 } })],
    ["deadline 0", "deadline", field("deadline", 0)],
    ["other terms", "terms", field("terms", `0x${"11".repeat(32)}`)],
    ["another destination", "terms", claim({ terms: { destinationChain: 10 } })],
    ["another output token", "terms", claim({ terms: { outputToken: other } })],
    ["another recipient", "terms", claim({ terms: { recipient: other } })],
    ["a lower minimum", "terms", claim({ terms: { minOutput: 1n } })],
    ["zero as the terms", "terms", field("terms", `0x${"0".repeat(64)}`)],
    ["another hash", "geoOpHash", claim({ geoOpHash: `0x${"22".repeat(32)}` })],
    ["an order that was not hashed", "geoOpHash", unhashed("orderId", `0x${"b2".repeat(32)}`)],
    ["another origin than agreed", "chainId", agreed(asked({ originChain: 10 }))],
    ["another wallet than agreed", "walletAddress", agreed(asked({ walletAddress: other }))],
    ["another token than agreed", "token", agreed(asked({ inputToken: other }))],
    ["another amount than agreed", "amount", agreed(asked({ amount: 1n }))],
    ["another destination than agreed", "terms", agreed(asked({ destinationChain: 10 }))],
    ["another output token than agreed", "terms", agreed(asked({ outputToken: other }))],
    [
      "another recipient than agreed",
      method === "eip3009" ? "recipient" : "terms",
      agreed(asked({ recipient: other }))
    ],
    ["a higher minimum than agreed", "terms", agreed({ ...agreement, quote: { ...quote, minOutput: 1n } })],
    ["a vault that is not pinned", "vault", agreed({ ...agreement, deployment: { vault: other } })],
    [
      "an older vault",
      "vault",
      () => {
        const { vault, delegates } = agreement.deployment
        const older = [{ delegate: delegates?.[0] ?? "", vault }]
        return { ...paid(method), deployment: { delegates: [other], vault: other, older } }
      }
    ],
    [
      "no pinned deployment",
      "deployment",
      () => {
        const { deployment: __, ...input } = paid(method)
        return { ...input, ...unpinned }
      }
    ],
    ["a shorter maximum lifetime", "deadline", () => ({ ...paid(method), maxLifetimeSeconds: 60 })],
    ["the zero recipient", "recipient", () => paid(method, asked({ recipient: `0x${"00".repeat(20)}` }))],
    ...(method === "eip3009"
      ? ([
          ["an output for another address", "recipient", () => paid(method, asked({ recipient: other }))],
          [
            "an output on Solana",
            "recipient",
            () =>
              paid(
                method,
                asked({
                  destinationChain: 792703809,
                  outputToken: "11111111111111111111111111111111",
                  recipient: Vectors.solanaKey.address
                })
              )
          ],
          [
            "an output on Solana for the wallet",
            "recipient",
            () => paid(method, asked({ destinationChain: 792703809 }))
          ],
          ["a domain that was not hashed", "geoOpHash", unhashed("domain", { name: "USD Coin", version: "1" })],
          ["no domain", "domain", unhashed("domain", undefined)]
        ] as const)
      : ([
          ["nonce 0", "nonce", field("nonce", 0n)],
          ["a nonce below the protocol's", "nonce", field("nonce", Payment.permit2Nonces - 1n)],
          ["a nonce above the protocol's", "nonce", field("nonce", Payment.permit2Nonces + 2n ** 64n)],
          ["the largest nonce", "nonce", field("nonce", 2n ** 256n - 1n)],
          ["a nonce that was not hashed", "geoOpHash", unhashed("nonce", Payment.permit2Nonces)],
          [
            "an EVM recipient on Solana",
            "recipient",
            () => paid(method, asked({ destinationChain: 792703809, recipient: other }))
          ],
          [
            "an EVM recipient for a Solana token",
            "recipient",
            () => paid(method, asked({ destinationChain: 792703809, outputToken: Vectors.solanaKey.address }))
          ],
          [
            "a padded EVM address as a Solana recipient",
            "recipient",
            () =>
              paid(
                method,
                asked({
                  destinationChain: 792703809,
                  outputToken: Vectors.solanaKey.address,
                  // 12 zero bytes and 20 bytes of 0x01.
                  recipient: "111111111111p3u5PhN9wrNpsGCwfkeedq6MYc"
                })
              )
          ],
          [
            "the system program as a Solana recipient",
            "recipient",
            () =>
              paid(
                method,
                asked({
                  destinationChain: 792703809,
                  outputToken: Vectors.solanaKey.address,
                  recipient: "11111111111111111111111111111111"
                })
              )
          ]
        ] as const)),
    ...(method === "erc2612"
      ? ([
          ["no domain", "domain", unhashed("domain", undefined)],
          ["a domain without a version", "domain", unhashed("domain", { name: "USD Coin" })],
          ["a permit nonce that is not a bigint", "permitNonce", unhashed("permitNonce", 3)],
          ["a negative permit nonce", "permitNonce", unhashed("permitNonce", -1n)],
          ["no permit nonce", "permitNonce", unhashed("permitNonce", undefined)]
        ] as const)
      : []),
    ["an unknown method", "method", unhashed("method", "transferWithAuthorization")],
    ["a delegation as method", "method", unhashed("method", "delegation")],
    ["a method from the prototype", "method", unhashed("method", "constructor")],
    ["a method that is an object", "method", unhashed("method", { toString: () => method })],
    ["no payment", "payment", () => ({ ...paid(method), payment: undefined })],
    ["an amount as text", "amount", unhashed("amount", "10000000")],
    ["an address as a number", "token", unhashed("token", BigInt(request.inputToken))],
    ["a wallet with a wrong checksum", "wallet", unhashed("wallet", `${address.slice(0, -1)}F`)],
    ["a fractional deadline", "deadline", unhashed("deadline", now() + 0.5)],
    ["a hash of 31 bytes", "geoOpHash", () => ({ ...paid(method), geoOpHash: `0x${"22".repeat(31)}` })]
  ]
}

describe.each(methods)("a payment with %s", (method) => {
  it.each(lies(method))("and %s is not signed", async (_, field, input) => {
    const service = digestService()
    const browser = new BrowserWallet()
    for (const signer of [EvmSigner.fromKeyService(service), EvmSigner.fromProvider(browser, address)]) {
      for (const check of [signer.verifyPayment, signer.signPayment]) {
        const error = await rejection(Promise.resolve(check?.(input() as never, alive())))
        expect(error).toMatchObject({ _tag: "UnsafeOperation", field })
      }
    }
    expect([service.requested, browser.requested]).toStrictEqual([[], []])
  })
})

describe("a payment that changes while it is verified", () => {
  /** An object whose property changes with every read. */
  const shifting = <A extends object>(target: A, property: string, values: ReadonlyArray<unknown>): A => {
    let reads = 0
    return new Proxy(target, {
      get: (from, name) => (name === property ? values[Math.min(reads++, values.length - 1)] : Reflect.get(from, name))
    })
  }

  const signedDigests = async (input: Signer.PaymentToSign) => {
    const service = digestService()
    await Promise.resolve(EvmSigner.fromKeyService(service).signPayment?.(input, alive())).catch(() => undefined)
    return service.requested
  }

  it.each(methods)("with %s is signed as it was verified, or not at all", async (method) => {
    const honest = paid(method)
    const { payment } = honest
    const allowed = [honest.geoOpHash, ...(method === "erc2612" ? [library.hashPermit(erc2612Of(honest))] : [])]
    const unexpected: Array<Hex> = []
    const others: Readonly<Record<string, unknown>> = {
      method: method === "permit2" ? "erc2612" : "permit2",
      vault: other,
      token: other,
      wallet: other,
      amount: 1n,
      deadline: 4_102_444_800,
      nonce: 0n,
      permitNonce: 99n,
      domain: { name: "Tether", version: "9" },
      orderId: `0x${"cc".repeat(32)}`,
      terms: `0x${"dd".repeat(32)}`,
      chainId: 1
    }
    for (const property of Object.keys(payment)) {
      const right = Reflect.get(payment, property) as unknown
      for (const values of [
        [right, others[property]],
        [others[property], right],
        [right, right, others[property]]
      ]) {
        // The permit has fields that only the chain can check: whatever was read first is signed.
        if (property === "permitNonce" || (property === "domain" && method === "erc2612")) continue
        const digests = await signedDigests({ ...honest, payment: shifting(payment, property, values) })
        unexpected.push(...digests.filter((digest) => !allowed.includes(digest)))
      }
    }
    expect(unexpected).toStrictEqual([])
  })

  it("is not signed if a property throws", async () => {
    const hostile = new Proxy(paid("permit2").payment, {
      get: () => {
        throw new Error("0x".padEnd(66, "ab"))
      }
    })
    const { signPayment } = EvmSigner.fromKeyService(digestService())
    const error = await rejection(signPayment?.({ ...paid("permit2"), payment: hostile }, alive()) ?? Promise.resolve())
    expect(error).toMatchObject({ _tag: "UnsafeOperation", field: "payment" })
    expect((error as Error).message).not.toContain("abab")
  })
})
