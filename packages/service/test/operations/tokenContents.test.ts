import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Seal from "../../src/accounts/Seal.js"
import { encode, EvmContext, open, QuoteContext, seal, SolanaContext } from "../../src/operations/tokenContents.js"

const binding = { family: "evm", account: "account-1" } as const
const sealer = Seal.make({ environment: "test", keys: [{ kid: "k1", key: Redacted.make(new Uint8Array(32).fill(1)) }] })

/** A quote for a delivery on Solana. */
const sample = {
  orderId: `0x${"1".repeat(64)}`,
  expiresAt: 1_767_225_600_000,
  originChain: 31_337,
  destinationChain: 31_338,
  inputToken: "0xa",
  outputToken: "0xb",
  wallet: "0xc",
  recipient: "0xd",
  amount: 10n,
  output: 4n,
  minOutput: 3n,
  feeBps: 12.5,
  networkCost: 1n,
  opensAccount: false
}

const texts = { ...sample, amount: "10", output: "4", minOutput: "3", networkCost: "1" }

describe("the contents of a token", () => {
  it("are encoded as their schemas encode them", () => {
    const quote = { ...sample, amount: 2n ** 256n - 1n, output: 0n, deliveryGas: 123_456n }
    const common = {
      quote,
      until: 1_767_225_690_000,
      operationHash: `0x${"2".repeat(64)}`,
      terms: `0x${"3".repeat(64)}`
    }
    const authorization = {
      chainId: 31_337,
      address: `0x${"e".repeat(40)}`,
      nonce: 7,
      yParity: 1,
      r: `0x${"1".repeat(64)}`,
      s: `0x${"2".repeat(64)}`
    } as const
    const deadline = 1_767_225_720
    const evm = { _tag: "evm", delegate: "0xf", nonce: "12", deadline, vault: "0x9", method: "message" } as const
    const cases = [
      [QuoteContext, sample],
      [QuoteContext, quote],
      [EvmContext, { ...common, operation: evm }],
      [EvmContext, { ...common, operation: { ...evm, authorization } }],
      [SolanaContext, { ...common, operation: { _tag: "solana", transaction: "AgAA", lastValidBlockHeight: "5" } }]
    ] as const
    for (const [schema, contents] of cases) {
      const wire = Schema.encodeUnknownSync(schema as typeof QuoteContext)(contents)
      expect(JSON.parse(encode(contents))).toStrictEqual(wire)
    }
  })
})

describe("a sealed quote", () => {
  it.effect("keeps the gas of the delivery", () =>
    Effect.gen(function* () {
      const quote = { ...sample, deliveryGas: 123_456n }
      const token = yield* seal(yield* sealer, "quote", binding, quote)
      expect(yield* open(yield* sealer, "quote", binding, token)).toStrictEqual(quote)
    })
  )

  it.effect("opens with a field of a newer version, which is ignored", () =>
    Effect.gen(function* () {
      const token = yield* (yield* sealer).seal("quote", binding, JSON.stringify({ ...texts, ofTomorrow: "7" }))
      expect(yield* open(yield* sealer, "quote", binding, token)).toStrictEqual(sample)
    })
  )
})
