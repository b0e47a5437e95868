/** What a signer takes besides the wallet. */
import type { SwapError } from "@geoswap/core"
import type { GetMultipleAccountsApi, Rpc } from "@solana/kit"
import * as Effect from "effect/Effect"
import { guarded, hasMethod, invalidInput, member } from "./given.js"
import { kindOf, printable } from "./words.js"

export interface Options {
  /**
   * The application's own RPC, as `createSolanaRpc` gives it, to read address lookup tables through. Where absent,
   * transactions with lookup tables are refused.
   */
  readonly lookupTables?: Rpc<GetMultipleAccountsApi> | undefined
  /** What errors call the wallet, such as "The treasury key". */
  readonly name?: string | undefined
}

/** The options as values: each was read once, so that what was looked at is what is used. */
export interface Chosen {
  readonly lookupTables: Options["lookupTables"]
  /** In a line that can be printed. */
  readonly name: string | undefined
  readonly account: unknown
  readonly chain: unknown
}

/** A name that can be printed. */
export const nameOf = (name: string): string => printable(name.trim(), 64)

export const choose = (options: unknown): Effect.Effect<Chosen, SwapError.InvalidInput> =>
  guarded(
    "options",
    Effect.suspend(() => {
      if (options !== undefined && options !== null && typeof options !== "object") {
        return Effect.fail(invalidInput("options", `should be an object, and is ${kindOf(options)}`))
      }
      const [name, lookupTables] = [member(options, "name"), member(options, "lookupTables")]
      if (name !== undefined && (typeof name !== "string" || name.trim() === "")) {
        return Effect.fail(invalidInput("name", `should be what errors call the wallet, and is ${kindOf(name)}`))
      }
      if (lookupTables !== undefined && !hasMethod(lookupTables, "getMultipleAccounts")) {
        const found = kindOf(lookupTables)
        return Effect.fail(
          invalidInput("lookupTables", `should be an RPC as createSolanaRpc gives it, and is ${found}`)
        )
      }
      return Effect.succeed({
        lookupTables: lookupTables as Options["lookupTables"],
        name: name === undefined ? undefined : nameOf(name),
        account: member(options, "account"),
        chain: member(options, "chain")
      })
    })
  )
