/** Options for every signer constructor. */
import type { SwapError } from "@geoswap/core"
import type { OnFailure } from "@geoswap/core/adapters"
import type { GetMultipleAccountsApi, Rpc } from "@solana/kit"
import * as Effect from "effect/Effect"
import { invalidInput, readInput } from "./constructorInput.js"
import { describeKind, printable } from "./describeValue.js"
import { hasMethod, readProperty } from "./properties.js"

export interface Options {
  /**
   * The application's own RPC, from `createSolanaRpc`, for reading address lookup tables. If this is omitted,
   * transactions with lookup tables are rejected.
   */
  readonly lookupTables?: Rpc<GetMultipleAccountsApi> | undefined
  /** The wallet's name in error messages, for example "The treasury key". */
  readonly name?: string | undefined
  /**
   * Called with the original error if the wallet or the key service fails. The error may contain a key, a signature or
   * a URL with a secret, so do not log it as it is.
   */
  readonly onFailure?: OnFailure | undefined
}

/** The validated options, each read once. */
export interface ResolvedOptions {
  readonly lookupTables: Options["lookupTables"]
  /** The wallet's name in error messages, made printable. */
  readonly name: string | undefined
  readonly onFailure: OnFailure | undefined
  readonly account: unknown
  readonly chain: unknown
}

/** Makes a name printable. */
export const nameOf = (name: string): string => printable(name.trim(), 64)

export const resolveOptions = (options: unknown): Effect.Effect<ResolvedOptions, SwapError.InvalidInput> =>
  readInput(
    "options",
    Effect.suspend(() => {
      if (options !== undefined && options !== null && typeof options !== "object") {
        return Effect.fail(invalidInput("options", `expected an object, got ${describeKind(options)}.`))
      }
      const [name, lookupTables] = [readProperty(options, "name"), readProperty(options, "lookupTables")]
      if (name !== undefined && (typeof name !== "string" || name.trim() === "")) {
        return Effect.fail(
          invalidInput("name", `expected the wallet's name for error messages, got ${describeKind(name)}.`)
        )
      }
      if (lookupTables !== undefined && !hasMethod(lookupTables, "getMultipleAccounts")) {
        const found = describeKind(lookupTables)
        return Effect.fail(invalidInput("lookupTables", `expected an RPC from createSolanaRpc, got ${found}.`))
      }
      const onFailure = readProperty(options, "onFailure")
      if (onFailure !== undefined && typeof onFailure !== "function") {
        return Effect.fail(invalidInput("onFailure", `expected a function, got ${describeKind(onFailure)}.`))
      }
      return Effect.succeed({
        onFailure: onFailure as OnFailure | undefined,
        lookupTables: lookupTables as Options["lookupTables"],
        name: name === undefined ? undefined : nameOf(name),
        account: readProperty(options, "account"),
        chain: readProperty(options, "chain")
      })
    })
  )
