import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Amount, Chain, Hex, Operation, Quote } from "../src/index.js"
import { ChainLibrary, TestSigner, Vectors } from "../src/testing.js"
import * as PaymentVectors from "../src/testing/paymentVectors.js"
import { decoded, refuses, survivesTheWire } from "./roundTrip.js"

const word = `0x${"ab".repeat(32)}`

/** Some transactions: the generator of the schema starts with empty strings only. */
const Transactions = Schema.StructWithRest(
  Schema.Struct({
    unsignedTransaction: Schema.String.check(
      Schema.isPattern(/^(?:[A-Za-z0-9+/]{4}){1,9}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)
    ),
    geoOpToken: Schema.NonEmptyString
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

describe("the models of an operation", () => {
  survivesTheWire("geoOp", Operation.GeoOp)
  survivesTheWire("built operation", Operation.BuiltOperation)
  survivesTheWire("built transaction", Operation.BuiltTransaction, 200, Transactions)
})

describe("a built operation", () => {
  it("may have only the hash, as the protocol requires", () => {
    const wire = { geoOpHash: word, geoOpToken: "go1" }
    expect(decoded(Operation.BuiltOperation, wire)).toStrictEqual(wire)
    expect(decoded(Operation.BuiltOperation, { ...wire, geoOp: null })).toStrictEqual(wire)
  })

  it.each([
    ["geoOpHash", `0x${"ab".repeat(31)}`],
    ["geoOpHash", `0x${"ab".repeat(33)}`],
    ["geoOpHash", null],
    ["geoOpToken", ""],
    ["geoOpToken", null],
    ["geoOp", "0x"],
    ["geoOp", {}]
  ])("is invalid with %s %j", (field, value) => {
    expect(refuses(Operation.BuiltOperation, { geoOpHash: word, geoOpToken: "go1", [field]: value })).toBe(true)
  })

  it("keeps unknown fields when it is decoded and encoded", () => {
    const wire = { geoOpHash: word, geoOpToken: "go1", simulated: { gas: "61000" } }
    expect(Schema.encodeSync(Operation.BuiltOperation)(decoded(Operation.BuiltOperation, wire))).toStrictEqual(wire)
  })
})

describe("a built transaction", () => {
  it.each([["AQID"], ["AQI="], ["AQ=="], ["+/+/"], ["A".repeat(4000)]])("is base64 such as %s", (text) => {
    const wire = { unsignedTransaction: text, geoOpToken: "go1", blockhash: "b" }
    expect(Schema.encodeSync(Operation.BuiltTransaction)(decoded(Operation.BuiltTransaction, wire))).toStrictEqual(wire)
  })

  it.each([[""], ["AQI"], ["AQID="], ["A"], ["===="], ["AQ=D"], ["AQ-_"], ["AQ ID"], ["AQID\n"], [null], [5]])(
    "is not %j",
    (unsignedTransaction) => {
      expect(refuses(Operation.BuiltTransaction, { unsignedTransaction, geoOpToken: "go1" })).toBe(true)
    }
  )

  it("is accepted or refused even if it is far too long", () => {
    const unsignedTransaction = "A".repeat(12_000_000)
    expect(() => refuses(Operation.BuiltTransaction, { unsignedTransaction, geoOpToken: "go1" })).not.toThrow()
  })
})

const now = Date.UTC(2026, 0, 1)
const seconds = now / 1000
const Deadline = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: seconds + Operation.maxLifetimeSeconds }))

/** The inputs of an operation, which determine all its fields. */
const Agreed = Schema.Struct({
  chainId: Chain.ChainId,
  wallet: Schema.toType(Hex.Address),
  delegate: Schema.toType(Hex.Address),
  otherDelegate: Schema.toType(Hex.Address),
  token: Schema.toType(Hex.Address),
  amount: Schema.toType(Amount.Amount),
  vault: Schema.toType(Hex.Address),
  orderId: Schema.toType(Hex.Bytes32),
  nonce: Schema.toType(Amount.Amount),
  deadline: Deadline
})

const quote: Quote.Quote = {
  geoQuoteToken: "q",
  output: 5n,
  minOutput: 4n,
  feeBps: 1,
  costs: { fee: { bps: 1 } },
  expiresAt: new Date(now)
}

/** An agreement with its operation. */
const fitting = ({ otherDelegate, ...fields }: typeof Agreed.Type) => {
  const agreement: Operation.Agreement = {
    request: {
      originChain: fields.chainId,
      destinationChain: 42161,
      inputToken: fields.token,
      outputToken: Chain.nativeToken.evm,
      amount: fields.amount,
      walletAddress: fields.wallet
    },
    quote,
    deployment: { delegates: [otherDelegate, fields.delegate], vault: fields.vault }
  }
  const geoOp: Operation.GeoOp = { ...fields, terms: ChainLibrary.standIn.hashTerms(TestSigner.termsOf(agreement)) }
  return { agreement, geoOp }
}

/** Another value of the same kind. */
const flipped = (hex: Hex.Hex): Hex.Hex => `${hex.slice(0, -1)}${hex.endsWith("0") ? "1" : "0"}` as Hex.Hex

/** One changed field each. */
const changes: ReadonlyArray<readonly [field: string, change: (geoOp: Operation.GeoOp) => Partial<Operation.GeoOp>]> = [
  ["chainId", ({ chainId }) => ({ chainId: chainId - 1 })],
  ["chainId", () => ({ chainId: 0 })],
  ["wallet", ({ wallet }) => ({ wallet: flipped(wallet) })],
  ["token", ({ token }) => ({ token: flipped(token) })],
  ["amount", ({ amount }) => ({ amount: amount + 1n })],
  ["amount", ({ amount }) => ({ amount: amount - 1n })],
  ["vault", ({ vault }) => ({ vault: flipped(vault) })],
  ["delegate", ({ delegate }) => ({ delegate: flipped(delegate) })],
  ["deadline", () => ({ deadline: 0 })],
  ["deadline", () => ({ deadline: seconds + Operation.maxLifetimeSeconds + 1 })]
]

describe("comparing an operation with the agreement", () => {
  it.prop("accepts every agreed operation", [Agreed], ([agreed]) => {
    const { geoOp, agreement } = fitting(agreed)
    expect(Operation.compare(geoOp, agreement, now)).toBeUndefined()
  })

  it.prop("rejects a change of any single field, and names the field", [Agreed], ([agreed]) => {
    const { geoOp, agreement } = fitting(agreed)
    for (const [field, change] of changes) {
      const changed = { ...geoOp, ...change(geoOp) }
      if (field === "delegate" && agreement.deployment?.delegates?.includes(changed.delegate)) continue
      const error = Operation.compare(changed, agreement, now)
      expect(error).toMatchObject({ _tag: "UnsafeOperation", field, retry: "never" })
      expect(error?.expected).not.toBe(error?.found)
    }
  })

  it.effect.prop("leaves order, terms, nonce and hash to the signer, which rejects changes", [Agreed], ([agreed]) =>
    Effect.gen(function* () {
      const { geoOp, agreement } = fitting(agreed)
      const signer = TestSigner.evm({ address: geoOp.wallet })
      const check = (op: Operation.GeoOp, geoOpHash = ChainLibrary.standIn.hashOperation(geoOp)) =>
        signer.verifyOperation?.({ ...agreement, geoOp: op, geoOpHash }) ?? Effect.die("a blind signer")
      yield* check(geoOp)
      const { orderId, terms, nonce } = geoOp
      for (const change of [{ orderId: flipped(orderId) }, { nonce: nonce + 1n }, { deadline: geoOp.deadline + 1 }]) {
        expect(yield* Effect.flip(check({ ...geoOp, ...change }))).toMatchObject({ field: "geoOpHash" })
      }
      expect(yield* Effect.flip(check({ ...geoOp, terms: flipped(terms) }))).toMatchObject({ field: "terms" })
      expect(yield* Effect.flip(check(geoOp, flipped(terms)))).toMatchObject({ field: "geoOpHash" })
    })
  )

  const example = fitting({
    chainId: 8453,
    wallet: `0x${"a1".repeat(20)}`,
    delegate: `0x${"a2".repeat(20)}`,
    otherDelegate: `0x${"a3".repeat(20)}`,
    token: `0x${"a4".repeat(20)}`,
    amount: 10n,
    vault: `0x${"a5".repeat(20)}`,
    orderId: `0x${"a6".repeat(32)}`,
    nonce: 0n,
    deadline: seconds + 90
  })
  const compare = (op: Partial<Operation.GeoOp>, agreement: Partial<Operation.Agreement> = {}) =>
    Operation.compare({ ...example.geoOp, ...op }, { ...example.agreement, ...agreement }, now)?.field

  it("ignores the case of addresses", () => {
    const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`
    const { request } = example.agreement
    const deployment = { delegates: [upper(example.geoOp.delegate)], vault: upper(example.geoOp.vault) }
    const walletAddress = upper(request.walletAddress)
    expect(
      compare({}, { request: { ...request, walletAddress, inputToken: upper(request.inputToken) }, deployment })
    ).toBe(undefined)
  })

  it("accepts only pinned delegates", () => {
    expect(compare({ delegate: `0x${"a3".repeat(20)}` })).toBeUndefined()
    expect(compare({}, { deployment: { delegates: [], vault: example.geoOp.vault } })).toBe("delegate")
    expect(compare({}, { deployment: { vault: example.geoOp.vault } })).toBe("delegate")
  })

  it("accepts an older delegate only with its own vault", () => {
    const { delegate, vault } = example.geoOp
    const other = `0x${"e7".repeat(20)}` as const
    const upper = `0x${vault.slice(2).toUpperCase()}`
    const deployment = { delegates: [other], vault: other, older: [{ delegate, vault: upper }] }
    expect(compare({}, { deployment })).toBeUndefined()
    expect(compare({ delegate: other, vault: other }, { deployment })).toBeUndefined()
    expect(compare({ vault: other }, { deployment })).toBe("vault")
    expect(compare({ delegate: other }, { deployment })).toBe("vault")
    expect(compare({ delegate: `0x${"e8".repeat(20)}`, vault: other }, { deployment })).toBe("delegate")
    expect(compare({}, { deployment: { ...deployment, older: [] } })).toBe("delegate")
  })

  it("accepts a deadline up to three minutes ahead", () => {
    expect(Operation.maxLifetimeSeconds).toBe(180)
    expect(compare({ deadline: seconds + 180 })).toBeUndefined()
    expect(compare({ deadline: seconds + 181 })).toBe("deadline")
    expect(compare({ deadline: 1 })).toBeUndefined()
    expect(compare({ deadline: 0 })).toBe("deadline")
  })

  it("accepts a deadline up to the limit of the policy", () => {
    expect(compare({ deadline: seconds + 60 }, { maxLifetimeSeconds: 60 })).toBeUndefined()
    expect(compare({ deadline: seconds + 61 }, { maxLifetimeSeconds: 60 })).toBe("deadline")
    expect(compare({ deadline: seconds + 900 }, { maxLifetimeSeconds: 900 })).toBeUndefined()
  })

  it("mentions the clock if a deadline is too far ahead", () => {
    const late = { ...example.geoOp, deadline: seconds + 240 }
    expect(Operation.compare(late, example.agreement, now)?.message).toMatch(/240 s after that: check your clock/)
  })

  it("checks only the other fields if no deployment is pinned", () => {
    const { request } = example.agreement
    const blind = (op: Partial<Operation.GeoOp>) =>
      Operation.compare({ ...example.geoOp, ...op }, { request, quote }, now)?.field
    expect(blind({ vault: `0x${"ff".repeat(20)}`, delegate: `0x${"ff".repeat(20)}` })).toBeUndefined()
    expect(blind({ token: `0x${"ff".repeat(20)}` })).toBe("token")
  })
})

describe("comparing a payment with the agreement", () => {
  const signedAt = 1_767_225_600_000

  it.each(PaymentVectors.payments)("refuses an unlimited permit, and only that: $name", ({ payment, ...agreement }) => {
    const unlimited = Amount.max("evm")
    const asked = { ...agreement, request: { ...agreement.request, amount: unlimited } }
    const refused = Operation.comparePayment({ ...payment, amount: unlimited }, asked, signedAt)
    expect(refused?.field).toBe(payment.method === "erc2612" ? "amount" : undefined)
    expect(Operation.comparePayment(payment, agreement, signedAt)).toBeUndefined()
  })
})

describe("the encoded terms", () => {
  const { quote, request } = Vectors.operations[0]
  const wordsOf = (agreement: Parameters<typeof Operation.encodeTerms>[0]) => {
    const bytes = Operation.encodeTerms(agreement)
    expect(bytes.length).toBe(128)
    return [0, 32, 64, 96].map((at) => BigInt(`0x${Buffer.from(bytes.slice(at, at + 32)).toString("hex")}`))
  }

  it("contain the destination, output token, recipient and minimum", () => {
    const agreement = { request: { ...request, recipient: "0x00000000000000000000000000000000000000AA" }, quote }
    expect(wordsOf(agreement)).toStrictEqual([
      BigInt(request.destinationChain),
      BigInt(request.outputToken),
      0xaan,
      Quote.minOutputOf(quote)
    ])
  })

  it("default to the wallet as recipient and to the output as minimum", () => {
    const { recipient: _, ...own } = request
    const { minOutput: __, ...open } = quote
    const [, , recipient, minimum] = wordsOf({ request: own, quote: open })
    expect(recipient).toBe(BigInt(request.walletAddress))
    expect(minimum).toBe(quote.output)
  })

  it.each([
    ["a minimum beyond 32 bytes", request, { ...quote, minOutput: 2n ** 256n }],
    ["a minimum below zero", request, { ...quote, minOutput: -1n }],
    ["a recipient beyond 32 bytes", { ...request, recipient: `0x1${"0".repeat(64)}` }, quote],
    ["an invalid recipient", { ...request, recipient: "0OIl" }, quote]
  ])("cannot be encoded from %s", (_, request, quote) => {
    expect(() => Operation.encodeTerms({ request, quote })).toThrow(RangeError)
  })
})

describe("the refusal to sign", () => {
  it("names the field, the expected value and the actual value", () => {
    const error = Operation.unsafe("vault", "0xaa", "0xbb")
    expect(error).toMatchObject({ _tag: "UnsafeOperation", field: "vault", expected: "0xaa", found: "0xbb" })
    for (const part of ["vault", "0xaa", "0xbb"]) expect(error.message).toContain(part)
  })
})
