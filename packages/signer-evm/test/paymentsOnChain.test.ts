/** With a client for the chain, a payment is compared with the token, Permit2 and the wallet's delegation. */
import { describe, expect, it } from "@effect/vitest"
import { type Operation, Payment, type Signer } from "@geoswap/core"
import { Vectors } from "@geoswap/core/testing"
import * as AbiParameters from "ox/AbiParameters"
import * as TypedData from "ox/TypedData"
import * as library from "../../../tooling/testing/evm/paymentLibrary.js"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { EvmSigner } from "../src/index.js"
import { alive } from "./fixture.js"
import { agreement, paid, termsOf } from "./payments.js"
import { address, BrowserWallet, digestService, RemoteSigner } from "./wallets.js"

type Hex = `0x${string}`

const chainId = 8453
const token = agreement.request.inputToken
const word = (value: bigint | number) => `0x${value.toString(16).padStart(64, "0")}` as const
const tokenDomain = { name: "USD Coin", version: "2", chainId, verifyingContract: token as Hex }
const permit2Domain = { name: "Permit2", chainId, verifyingContract: Payment.permit2Address as Hex }
const padded = (hex: string) => hex.slice(2).toLowerCase().padStart(64, "0")

/** The result of `eip712Domain()`. */
const erc5267 = (fields: Hex, name: string, version: string, chain: bigint, contract: Hex) =>
  AbiParameters.encode(AbiParameters.from("bytes1, string, string, uint256, address, bytes32, uint256[]"), [
    fields,
    name,
    version,
    chain,
    contract,
    word(0),
    []
  ])

const reverted = Object.assign(new Error("execution reverted"), { code: 3 })

/** What an honest chain returns for each call. */
const honest: Readonly<Record<string, unknown>> = {
  eth_chainId: "0x2105",
  [`code ${Payment.permit2Address}`]: "0x60806040",
  [`code ${address}`]: "0x",
  [`${token} 0x3644e515`]: TypedData.domainSeparator(tokenDomain),
  [`${token} 0x84b0196e`]: reverted,
  [`${token} 0x7ecebe00${padded(address)}`]: word(3),
  [`${token} 0xdd62ed3e${padded(address)}${padded(Payment.permit2Address)}`]: word(0),
  [`${Payment.permit2Address} 0x3644e515`]: TypedData.domainSeparator(permit2Domain),
  [`${Payment.permit2Address} 0x4fe02b44${padded(address)}${((Payment.permit2Nonces + 7n) >> 8n).toString(16).padStart(64, "0")}`]:
    word(0xff00n)
}

const node = (changes: Readonly<Record<string, unknown>> = {}) => {
  const requested: Array<string> = []
  const answers = { ...honest, ...changes }
  return {
    requested,
    request: async ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
      const [first] = params as ReadonlyArray<{ readonly to: string; readonly data: string } & string>
      const name =
        method === "eth_chainId"
          ? method
          : method === "eth_getCode"
            ? `code ${String(first).toLowerCase()}`
            : `${first?.to} ${first?.data}`
      requested.push(name)
      const answer = Object.hasOwn(answers, name) ? answers[name] : expect.fail(`unexpected call: ${name}`)
      if (answer instanceof Error) throw answer
      return answer
    }
  }
}

const keys = Object.keys(honest)
const key = (part: string) => keys.find((name) => name.includes(part)) ?? expect.fail(part)

/** The errors of verifying and signing, and the number of signatures. */
const outcome = async (input: Signer.PaymentToSign, client: EvmSigner.Requester) => {
  const service = digestService()
  const signer = EvmSigner.fromKeyService(service, { rpc: { 8453: client } })
  const errors = await Promise.all(
    [signer.verifyPayment, signer.signPayment].map((check) => rejection(Promise.resolve(check?.(input, alive()))))
  )
  return { errors, signed: service.requested.length }
}

describe("a payment on a chain with a client", () => {
  it.each(Payment.methods)("with %s is signed if everything matches", async (method) => {
    const client = node()
    const signer = EvmSigner.fromKeyService(digestService(), { rpc: { 8453: client } })
    await signer.verifyPayment?.(paid(method), alive())
    expect(await signer.signPayment?.(paid(method), alive())).toHaveProperty("signature")
    const read = new Set(client.requested)
    const expected = {
      eip3009: ["eth_chainId", key("0x3644e515")],
      permit2: keys.filter(
        (name) => name === "eth_chainId" || (name.includes(Payment.permit2Address) && !name.includes("0xdd62"))
      ),
      erc2612: keys.filter((name) => !name.includes("0x84b0196e") && name !== `code ${address}`)
    }[method]
    expect([...read].toSorted()).toStrictEqual(expected.toSorted())
  })

  it("is signed if the token has no separator, but the fields of ERC-5267", async () => {
    const fields = erc5267("0x0f", "USD Coin", "2", 8453n, token as Hex)
    for (const missing of [reverted, "0x"]) {
      const client = node({ [key("0x3644e515")]: missing, [key("0x84b0196e")]: fields })
      const signer = EvmSigner.fromKeyService(digestService(), { rpc: { 8453: client } })
      expect(await signer.signPayment?.(paid("eip3009"), alive())).toHaveProperty("signature")
    }
  })

  it("is signed if Permit2 may spend less than the amount", async () => {
    const client = node({ [key("0xdd62ed3e")]: word(paid("erc2612").request.amount - 1n) })
    const signer = EvmSigner.fromKeyService(digestService(), { rpc: { 8453: client } })
    expect(await signer.signPayment?.(paid("erc2612"), alive())).toHaveProperty("permitSignature")
  })

  const separator = key("0x3644e515")
  const fields = key("0x84b0196e")
  const without = (answer: unknown) => ({ [separator]: reverted, [fields]: answer })
  it.each<[string, ReadonlyArray<Payment.Payment["method"]>, string, Readonly<Record<string, unknown>>]>([
    ["another separator of the token", ["eip3009", "erc2612"], "domain", { [separator]: word(1) }],
    ["no separator and no fields", ["eip3009", "erc2612"], "domain", without(reverted)],
    ["no token", ["eip3009", "erc2612"], "domain", { [separator]: "0x", [fields]: "0x" }],
    ["another name", ["eip3009"], "domain", without(erc5267("0x0f", "USDC", "2", 8453n, token as Hex))],
    ["another version", ["eip3009"], "domain", without(erc5267("0x0f", "USD Coin", "1", 8453n, token as Hex))],
    ["another chain in the fields", ["eip3009"], "domain", without(erc5267("0x0f", "USD Coin", "2", 1n, token as Hex))],
    [
      "another contract in the fields",
      ["eip3009"],
      "domain",
      without(erc5267("0x0f", "USD Coin", "2", 8453n, address))
    ],
    ["a salt in the fields", ["eip3009"], "domain", without(erc5267("0x1f", "USD Coin", "2", 8453n, token as Hex))],
    [
      "truncated fields",
      ["eip3009"],
      "domain",
      without(erc5267("0x0f", "USD Coin", "2", 8453n, token as Hex).slice(0, 130))
    ],
    ["no Permit2", ["permit2", "erc2612"], "permit2", { [key("code 0x0000")]: "0x" }],
    [
      "another separator of Permit2",
      ["permit2", "erc2612"],
      "permit2",
      { [`${Payment.permit2Address} 0x3644e515`]: word(1) }
    ],
    ["a used nonce", ["permit2", "erc2612"], "nonce", { [key("0x4fe02b44")]: word(1n << 7n) }],
    ["no bitmap", ["permit2", "erc2612"], "nonce", { [key("0x4fe02b44")]: "0x" }],
    ["another permit nonce", ["erc2612"], "permitNonce", { [key("0x7ecebe00")]: word(4) }],
    ["no permit nonce", ["erc2612"], "permitNonce", { [key("0x7ecebe00")]: reverted }],
    [
      "an allowance for Permit2",
      ["erc2612"],
      "allowance",
      { [key("0xdd62ed3e")]: word(paid("erc2612").request.amount) }
    ],
    ["no allowance", ["erc2612"], "allowance", { [key("0xdd62ed3e")]: reverted }]
  ])("is not signed with %s", async (_, methods, field, changes) => {
    for (const method of methods) {
      const { errors, signed } = await outcome(paid(method), node(changes))
      for (const error of errors) expect(error).toMatchObject({ _tag: "UnsafeOperation", field })
      expect(signed).toBe(0)
    }
  })

  const failure = new Error("https://secret@node.example: 502")
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["a failed request", { [separator]: failure }, "a request to options.rpc[8453] failed"],
    ["another chain", { eth_chainId: "0x1" }, "is connected to chain 1"],
    ["no chain", { eth_chainId: {} }, "for eth_chainId"],
    ["something other than bytes", { [separator]: 7 }, "for eth_call"],
    ["too many bytes", { [separator]: `0x${"00".repeat(200_000)}` }, "more than 128 KiB"]
  ])("is not signed if the client returns %s", async (_, changes, why) => {
    const { errors, signed } = await outcome(paid("eip3009"), node(changes))
    for (const error of errors) {
      expect(error).toMatchObject({ _tag: "SignerError", reason: "failed" })
      expect((error as Error).message).toContain(why)
      expect((error as Error).message).not.toContain("secret")
    }
    expect(signed).toBe(0)
  })
})

const [vector] = Vectors.operations
const delegate = Vectors.evmDeployment.delegates?.[0] as Hex
const agreed = { request: vector.request, quote: vector.quote, deployment: Vectors.evmDeployment }

/** An operation, with claims of the service. */
const operation = (claim: Partial<Operation.GeoOp> = {}) => {
  const terms = termsOf(agreed)
  const geoOp: Operation.GeoOp = {
    ...vector.geoOp,
    terms: library.hashTerms(terms),
    deadline: Math.floor(Date.now() / 1000) + 90,
    ...claim
  }
  return { ...agreed, geoOp, geoOpHash: library.digestOfData(library.operationData(geoOp, terms)) }
}

describe("an operation", () => {
  it("is signed as typed data by a wallet that shows it", async () => {
    const wallet = new BrowserWallet(1)
    const input = operation()
    const signer = EvmSigner.fromProvider(wallet, address)
    await signer.verifyOperation?.(input, alive())
    const signature = await signer.signOperation(input, alive())
    expect(library.typedDataSigner(input.geoOpHash, signature).toLowerCase()).toBe(address)
    const asked = wallet.requested.find(({ method }) => method === "eth_signTypedData_v4")
    const [, text = ""] = (asked?.params ?? []) as ReadonlyArray<string>
    const data = JSON.parse(text) as object
    expect(data).toMatchObject({ primaryType: "GeoOp", domain: { verifyingContract: delegate } })
    expect(library.digestOfData(data)).toBe(input.geoOpHash)
  })

  it("is signed with personal_sign by a wallet without typed data", async () => {
    const input = operation()
    const signature = await EvmSigner.fromKeyService(new RemoteSigner()).signOperation(input, alive())
    const { messageSigner } = await import("../../../tooling/testing/evm/chainLibrary.js")
    expect(messageSigner(input.geoOpHash, signature).toLowerCase()).toBe(address)
  })

  it.each<[string, string, Partial<Operation.GeoOp>]>([
    ["wallet", "wallet", { wallet: delegate }],
    ["vault", "vault", { vault: delegate }],
    ["delegate", "delegate", { delegate: address }],
    ["amount", "amount", { amount: 1n }],
    ["terms", "terms", { terms: word(1) }]
  ])("is not signed with another %s", async (_, field, claim) => {
    const service = digestService()
    const error = await rejection(EvmSigner.fromKeyService(service).signOperation(operation(claim), alive()))
    expect(error).toMatchObject({ _tag: "UnsafeOperation", field })
    expect(service.requested).toHaveLength(0)
  })

  it.each<[string, string, boolean]>([
    ["is delegated to the pinned contract", `0xef0100${delegate.slice(2)}`, true],
    ["is not delegated yet", "0x", true],
    ["is delegated to another contract", `0xef0100${"ab".repeat(20)}`, false],
    ["is a contract", "0x60806040", false]
  ])("of a wallet that %s is signed only if that fits", async (_, code, isSigned) => {
    const service = digestService()
    const client = node({ [`code ${address}`]: code })
    const { signOperation } = EvmSigner.fromKeyService(service, { rpc: { 8453: client } })
    const end = await signOperation(operation(), alive()).then(
      () => undefined,
      (error: { readonly field: string }) => error.field
    )
    expect(end).toBe(isSigned ? undefined : "wallet")
    expect(service.requested).toHaveLength(isSigned ? 1 : 0)
  })
})
