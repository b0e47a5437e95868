/** The examples of docs/protocol.md match the models. */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Chain, Delegation, Operation, Quote, Swap, SwapError, Transport } from "../src/index.js"
import { Vectors } from "../src/testing.js"

const text = readFileSync(new URL("../../../docs/protocol.md", import.meta.url), "utf8")
const examples = new Map(
  [...text.matchAll(/```json ([\w-]+)\n([\s\S]*?)```/g)].map(([, name = "", json = ""]): [string, unknown] => [
    name,
    JSON.parse(json)
  ])
)

const models = {
  "quote-request": Quote.QuoteRequest,
  "quote-response": Quote.QuoteResponse,
  "indicative-quote-request": Quote.IndicativeQuoteRequest,
  "indicative-quote-response": Quote.IndicativeQuoteResponse,
  "delegation-response": Delegation.Delegation,
  "change-delegation-response": Delegation.Change,
  "delegation-status-response": Delegation.Change,
  "build-response": Operation.BuiltOperation,
  "solana-build-response": Operation.BuiltTransaction,
  "submit-response": Swap.Swap,
  "status-response": Swap.Swap
}

describe("the examples of the protocol", () => {
  for (const [name, model] of Object.entries(models)) {
    it.effect(`${name} is decoded and encoded unchanged`, () =>
      Effect.gen(function* () {
        const example = examples.get(name)
        const decoded = yield* Schema.decodeUnknownEffect(model)(example)
        assert.deepStrictEqual(Schema.encodeSync(model as Schema.Codec<unknown, unknown>)(decoded), example)
      })
    )
  }

  it.effect("the chains are decoded and encoded unchanged", () =>
    Effect.gen(function* () {
      const { chains } = examples.get("chains-response") as { chains: unknown }
      const list = Schema.Array(Chain.Chain)
      assert.deepStrictEqual(Schema.encodeSync(list)(yield* Schema.decodeUnknownEffect(list)(chains)), chains)
    })
  )

  it.effect("the authorization is decoded and encoded unchanged", () =>
    Effect.gen(function* () {
      const { authorization } = examples.get("build-request") as { authorization: unknown }
      const decoded = yield* Schema.decodeUnknownEffect(Delegation.Authorization)(authorization)
      assert.deepStrictEqual(Schema.encodeSync(Delegation.Authorization)(decoded), authorization)
    })
  )

  it("the operation is the first vector, including its hash", () => {
    const { geoOpHash, geoOp } = Schema.decodeUnknownSync(Operation.BuiltOperation)(examples.get("build-response"))
    assert.deepStrictEqual(
      { geoOpHash, geoOp },
      {
        geoOpHash: Vectors.operations[0]?.geoOpHash,
        geoOp: Vectors.operations[0]?.geoOp
      }
    )
  })

  it.effect("the requests of submit, of build and of change-delegation are what the transport sends", () =>
    Effect.gen(function* () {
      const sent: Array<unknown> = []
      const transport = Transport.make((request) => {
        sent.push(JSON.parse(request.body ?? "null"))
        return Effect.succeed({ status: 200, headers: {}, body: JSON.stringify(examples.get("submit-response")) })
      })
      const names = ["submit-request", "solana-submit-request", "build-request", "change-delegation-request"] as const
      yield* transport.submit(examples.get(names[0]) as Transport.SubmitRequest)
      yield* transport.submitSolana(examples.get(names[1]) as Transport.SubmitSolanaRequest)
      yield* Effect.ignore(transport.buildGeoOp(examples.get(names[2]) as Transport.BuildRequest))
      yield* Effect.ignore(transport.changeDelegation(examples.get(names[3]) as Delegation.ChangeRequest))
      assert.deepStrictEqual(
        sent,
        names.map((name) => examples.get(name))
      )
    })
  )

  it.effect("the error is mapped with all its fields", () =>
    Effect.gen(function* () {
      const example = examples.get("error-response") as { code: string; message: string; requestId: string }
      const transport = Transport.make(() =>
        Effect.succeed({ status: 410, headers: {}, body: JSON.stringify(example) })
      )
      const error = yield* Effect.flip(transport.buildGeoOp({ geoQuoteToken: "x" }))
      assert.instanceOf(error, SwapError.Expired)
      const { code, message, requestId } = error
      assert.deepStrictEqual([code, requestId], [example.code, example.requestId])
      assert.include(message, example.message)
    })
  )

  it("every error of the table is one that the SDK has", () => {
    const table = text.slice(text.indexOf("## Errors"), text.indexOf("a 401 without a code"))
    const named = new Set([...table.matchAll(/`([A-Z][a-zA-Z]+)`/g)].map(([, name]) => name))
    for (const name of named) {
      if (/^[A-Z_]+$/.test(name ?? "") || name === "Retry") continue
      assert.property(SwapError, name ?? "")
    }
    assert.isAtLeast(named.size, 10)
  })
})
