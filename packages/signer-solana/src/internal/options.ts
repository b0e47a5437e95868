/** What a signer takes besides the wallet. */
import type { SwapError } from "@geoswap/core"
import type { GetMultipleAccountsApi, Rpc } from "@solana/kit"
import * as Effect from "effect/Effect"
import { invalidInput, readInput } from "./constructorInput.js"
import { describeKind, printable } from "./describeValue.js"
import { hasMethod, readProperty } from "./properties.js"

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
export interface ResolvedOptions {
  readonly lookupTables: Options["lookupTables"]
  /** In a line that can be printed. */
  readonly name: string | undefined
  readonly account: unknown
  readonly chain: unknown
}

/** A name that can be printed. */
export const nameOf = (name: string): string => printable(name.trim(), 64)

export const resolveOptions = (options: unknown): Effect.Effect<ResolvedOptions, SwapError.InvalidInput> =>
  readInput(
    "options",
    Effect.suspend(() => {
      if (options !== undefined && options !== null && typeof options !== "object") {
        return Effect.fail(invalidInput("options", `should be an object, and is ${describeKind(options)}`))
      }
      const [name, lookupTables] = [readProperty(options, "name"), readProperty(options, "lookupTables")]
      if (name !== undefined && (typeof name !== "string" || name.trim() === "")) {
        return Effect.fail(invalidInput("name", `should be what errors call the wallet, and is ${describeKind(name)}`))
      }
      if (lookupTables !== undefined && !hasMethod(lookupTables, "getMultipleAccounts")) {
        const found = describeKind(lookupTables)
        return Effect.fail(
          invalidInput("lookupTables", `should be an RPC as createSolanaRpc gives it, and is ${found}`)
        )
      }
      return Effect.succeed({
        lookupTables: lookupTables as Options["lookupTables"],
        name: name === undefined ? undefined : nameOf(name),
        account: readProperty(options, "account"),
        chain: readProperty(options, "chain")
      })
    })
  )
