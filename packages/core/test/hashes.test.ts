import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { hashTypedData } from "viem"
import {
  hashOperation,
  hashOrder,
  hashPayment,
  hashPermit,
  hashPermit2Domain,
  hashTerms,
  keccak256,
  operationTypedData,
  paymentTypedData,
  permitTypedData,
  type TypedData
} from "../src/adapters.js"
import type { Hex } from "../src/Hex.js"
import * as Operation from "../src/Operation.js"
import * as Payment from "../src/Payment.js"
import { Vectors } from "../src/testing.js"
import * as PaymentVectors from "../src/testing/paymentVectors.js"
import { hashOf, typedDataOf } from "./reference/evmSigner.js"

const [{ geoOp }] = Vectors.operations

// The test vector of the contract design, docs/contracts.md.
const wallet = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const outputToken = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
const token = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const minOutput = 2_400_000_000_000_000n
const encodedTerms = Operation.encodeTerms({
  request: {
    originChain: 8453,
    destinationChain: 1,
    inputToken: token,
    outputToken,
    amount: 10_000_000n,
    walletAddress: wallet
  },
  quote: { output: minOutput, minOutput, feeBps: 0 } as never
})
const order = {
  chainId: 8453,
  wallet,
  token,
  amount: 10_000_000n,
  vault: "0x5aa2e2b6b1c9d7e1c1f0a87f6d4b3c2d1e0f9a8b",
  orderId: `0x${"a1".repeat(32)}`,
  terms: hashTerms(encodedTerms, keccak256),
  deadline: 1_767_225_690
} as const
const domain = { name: "USD Coin", version: "2" }
const eip3009: Payment.Payment = { method: "eip3009", ...order, domain }
const permit2: Payment.Payment = { method: "permit2", ...order, nonce: Payment.permit2Nonces }
const erc2612: Payment.Erc2612 = {
  method: "erc2612",
  ...order,
  nonce: Payment.permit2Nonces + 256n,
  domain,
  permitNonce: 0n
}
const operation: Operation.GeoOp = { ...order, delegate: "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56", nonce: 0n }
const padded = (address: string): Hex => `0x${address.slice(2).padStart(64, "0")}`
const terms = { destinationChain: 1, outputToken: padded(outputToken), recipient: padded(wallet), minOutput }

/** The digest according to viem, which hashes the types that the wallet displays. */
const digestOf = (data: TypedData) => hashTypedData(data as never)

describe("hashPayment", () => {
  it("hashes the terms and the order as specified", () => {
    expect(order.terms).toBe("0x0dd15b5d4e53324d826748f214b2573fca26a492048f6177270f58137e67d317")
    expect(hashOrder(order, keccak256)).toBe("0xf80c2ec2b91ad0af4308eb618834ddb35dd5acc583c507d7a55154b3563b978f")
  })

  it.each([
    ["eip3009", eip3009, "0x56d5c42d3b66b07fb8e53e14c210ac55fa6bf536a8b7b66fd35a79ad1f48e056"],
    ["permit2", permit2, "0x4641ba1f5ee7b2715343b89082f4ff89c0f79af239d5f040797f7bff8bc20535"],
    ["erc2612", erc2612, "0x4a6db1894a0369f09b4222e75674eef1f02b77c1b3ffaf6aa5bd29d54a0c7ab0"]
  ] as const)("hashes a payment by %s, and a wallet that shows it hashes the same", (_, payment, expected) => {
    expect(hashPayment(payment, keccak256)).toBe(expected)
    expect(digestOf(paymentTypedData(payment, terms, keccak256))).toBe(expected)
  })

  it("hashes the permit for Permit2", () => {
    const expected = "0x8bfd18fa63aeaf0f77e00c200018b405911c9ca48cf3a2fa0ce965c5e5619311"
    expect(hashPermit(erc2612, keccak256)).toBe(expected)
    expect(digestOf(permitTypedData(erc2612))).toBe(expected)
  })

  it("hashes the domain that Permit2 has on Ethereum", () => {
    expect(hashPermit2Domain(1, keccak256)).toBe("0x866a5aba21966af95d6c7ab78eb2b2fc913915c28be3b9aa07cc04ff903e3f28")
  })
})

describe("the payment vectors", () => {
  it.each(PaymentVectors.payments)(
    "have the hashes of a payment $name",
    ({ geoOpHash, payment, permit, ...agreed }) => {
      expect(payment.terms).toBe(hashTerms(Operation.encodeTerms(agreed), keccak256))
      expect(hashPayment(payment, keccak256)).toBe(geoOpHash)
      expect(digestOf(paymentTypedData(payment, terms, keccak256))).toBe(geoOpHash)
      expect(payment.method === "erc2612" ? hashPermit(payment, keccak256) : undefined).toBe(permit?.digest)
    }
  )
})

describe("hashOperation", () => {
  it("hashes an operation as specified, and a wallet that shows it hashes the same", () => {
    const expected = "0xfb1c4ae4deb243f2adf982fb86232051620b6eec868f40dc7b5dc406d9963720"
    expect(hashOperation(operation, keccak256)).toBe(expected)
    expect(digestOf(operationTypedData(operation, terms))).toBe(expected)
  })

  it.each([...Vectors.operations, ...Vectors.hostileOperations])("$name: returns the hash of the vector", (vector) => {
    expect(hashTerms(Operation.encodeTerms(vector), keccak256)).toBe(vector.geoOp.terms)
    expect(hashOperation(vector.geoOp, keccak256)).toBe(vector.geoOpHash)
  })

  it.prop(
    "returns what viem computes from the EIP-712 types",
    [Schema.toType(Operation.GeoOp), Schema.toType(Operation.GeoOp)],
    ([random, other]) => {
      const of = {
        destinationChain: other.amount,
        outputToken: other.orderId,
        recipient: other.terms,
        minOutput: other.nonce
      }
      const geoOp = {
        ...random,
        chainId: Math.abs(random.chainId),
        deadline: Math.abs(random.deadline),
        terms: hashOf(of)
      }
      expect(hashOperation(geoOp, keccak256)).toBe(hashTypedData(typedDataOf(geoOp, of)))
    }
  )

  it("ignores the case of addresses", () => {
    const vault = `0x${geoOp.vault.slice(2).toUpperCase()}` as const
    expect(hashOperation({ ...geoOp, vault }, keccak256)).toBe(hashOperation(geoOp, keccak256))
  })

  it.each([
    { amount: 2n ** 256n },
    { amount: -1n },
    { nonce: 2n ** 256n },
    { deadline: -1 },
    { deadline: 0.5 },
    { chainId: -1 }
  ])("throws instead of truncating %o", (fields) => {
    expect(() => hashOperation({ ...geoOp, ...fields }, keccak256)).toThrow(RangeError)
  })
})
