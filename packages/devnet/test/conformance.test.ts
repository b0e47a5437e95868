/**
 * Makes the same calls through kit on our SVM and on Surfpool. A difference fails unless it is listed here with its
 * reason. `vitest.config.ts` leaves this file out on platforms for which Surfpool has no build.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as SolanaNode from "../src/SolanaNode.js"
import { ask, probes, underWay } from "./probes.js"
import { genesis, imprint } from "./surfpool/genesis.js"
import { start } from "./surfpool/surfpool.js"
import { clients } from "./svm.js"

/** A known difference between Surfpool and real nodes. We follow real nodes. */
interface Deviation {
  /** What Surfpool does differently. */
  readonly reason: string
  /** Fields that differ; all others must be equal. */
  readonly except?: ReadonlyArray<string>
  /** Our whole response, if no field is equal. */
  readonly ours?: unknown
}

const refused = (code: number, context: object = {}) => ({ refused: { code, context } })
const invalidParams = (__serverMessage: string) => refused(-32602, { __serverMessage })
const fees = "it omits the compute unit price that it charges"
const balances = ["fee", "loadedAddresses", "postBalances", "postTokenBalances", "preBalances", "preTokenBalances"]
const returnData = "it returns the last program without data if nothing was returned, and omits fees and balances"
const noSize = "it omits the size of the loaded data"
const preflight = ["loadedAccountsDataSize", "returnData"]
const noData = "its error has no data, which kit cannot read"

const deviations: Readonly<Record<string, Deviation>> = {
  "a blockhash is good for 150 blocks": {
    reason: "it computes the last valid height from a different height than it returns",
    except: ["left"]
  },
  "too many blocks": { reason: "different message", ours: invalidParams("Limit too large; max 500000") },
  "too much data for base58": {
    reason: "it returns an error message as the data",
    ours: refused(-32600, {
      __serverMessage: "Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding."
    })
  },
  "an invalid address": { reason: "different message", ours: invalidParams("Invalid param: Invalid") },
  "an address that is too short": { reason: "different message", ours: invalidParams("Invalid param: WrongSize") },
  "the token balance of no account": {
    reason: "different message",
    ours: invalidParams("Invalid param: could not find account")
  },
  "the token balance of a mint": {
    reason: "it answers with the code of a parse error",
    ours: invalidParams("Invalid param: not a Token account")
  },
  "the supply of a token": { reason: "its amount string has no decimal point", except: ["uiAmountString"] },
  "the supply of no token": {
    reason: "different message",
    ours: invalidParams("Invalid param: could not find account")
  },
  "the token accounts of an unknown mint": {
    reason: "it does not check the mint",
    ours: invalidParams("Invalid param: could not find mint")
  },
  "the fee of a message": { reason: fees, ours: { context: { slot: "a bigint" }, value: "10060n" } },
  "the fee of a message that is too old": {
    reason: "it does not check the blockhash",
    ours: { context: { slot: "a bigint" }, value: null }
  },
  "a swap as json": {
    reason: `${fees}, keeps zeros in amount strings, and returns data if there is none`,
    except: ["fee", "returnData", "uiAmountString"]
  },
  "a swap without the requested version": {
    reason: "it returns the transaction anyway",
    ours: refused(-32015, {
      __serverMessage:
        "Transaction version (0) is not supported by the requesting client. Please try the request again with the " +
        'following configuration parameter: "maxSupportedTransactionVersion": 0'
    })
  },
  "a transfer of more than there is": { reason: `${noSize}; ${returnData}`, except: preflight },
  "a payer without money": { reason: noSize, except: preflight },
  "a blockhash that is too old": { reason: noSize, except: preflight },
  "an account that would not pay its rent": { reason: noSize, except: preflight },
  "a wrong signature": { reason: noData, ours: refused(-32003) },
  "the same transaction twice": {
    reason: noData,
    ours: {
      refused: {
        code: -32002,
        // Kit's code for AlreadyProcessed.
        cause: { code: 7050007 },
        context: {
          ...Object.fromEntries(balances.map((field) => [field, null])),
          accounts: null,
          innerInstructions: null,
          replacementBlockhash: null,
          returnData: null,
          loadedAccountsDataSize: 0,
          logs: [],
          unitsConsumed: "0n"
        }
      }
    }
  },
  "text that is not a transaction": {
    reason: "the message of another library",
    ours: invalidParams(
      "failed to deserialize solana_transaction::versioned::VersionedTransaction: io error: failed to fill whole buffer"
    )
  },
  "a simulation": { reason: returnData, except: [...balances, "returnData"] },
  "a simulation with accounts": { reason: "it does not parse the accounts", except: ["data"] },
  "a simulation that fails": { reason: returnData, except: [...balances, "returnData"] },
  "a simulation with an old blockhash": {
    reason: "it counts the data of a transaction that was not loaded",
    except: ["loadedAccountsDataSize"]
  },
  "a simulation that checks a wrong signature": {
    reason: "it answers with an error as the result",
    ours: refused(-32003)
  },
  "a lookup table that is not there": {
    reason: noData,
    ours: invalidParams("invalid transaction: Transaction loads an address table account that doesn't exist")
  }
}

const without = (value: unknown, fields: ReadonlyArray<string>): unknown => {
  if (Array.isArray(value)) return value.map((inner: unknown) => without(inner, fields))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !fields.includes(key))
      .map(([key, inner]: [string, unknown]) => [key, without(inner, fields)])
  )
}

describe("our SVM compared with Surfpool", () => {
  const answers = new Map<string, { readonly ours: unknown; readonly theirs: unknown }>()
  const scope = Effect.runSync(Scope.make())

  beforeAll(async () => {
    const both = Effect.all(
      [
        SolanaNode.make({ port: 0, wsPort: 0, slotTime: 400, confirmationSlots: 1, finalitySlots: 32, genesis }),
        start()
      ],
      { concurrency: 2 }
    )
    const [front, other] = await Effect.runPromise(Scope.provide(both, scope))
    await imprint(front.rpcUrl, other.rpcUrl)
    const [ours, theirs] = [clients(front.rpcUrl, front.wsUrl), clients(other.rpcUrl, other.wsUrl)]
    await Promise.all([underWay(ours), underWay(theirs)])
    // In order, because calls depend on the effects of earlier ones.
    for (const [name, probe] of Object.entries(probes)) {
      const [a, b] = await Promise.all([ask(probe, ours), ask(probe, theirs)])
      answers.set(name, { ours: a, theirs: b })
    }
  }, 600_000)

  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  it.each(Object.keys(probes))("%s", (name) => {
    const { ours, theirs } = answers.get(name) ?? {}
    const deviation = deviations[name]
    const except = deviation?.except ?? []
    const expected = deviation?.ours ?? without(theirs, except)
    expect(deviation?.ours === undefined ? without(ours, except) : ours).toEqual(expected)
  })

  it.each(Object.keys(deviations))("still differs: %s", (name) => {
    const { ours, theirs } = answers.get(name) ?? {}
    expect(theirs, "Surfpool agrees now: remove the deviation").not.toEqual(ours)
  })

  it("lists only differences of calls that are made", () => {
    expect(Object.keys(deviations).filter((name) => !(name in probes))).toEqual([])
  })
})
