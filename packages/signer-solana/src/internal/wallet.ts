/** What every kind of wallet comes down to. */
import { SwapError } from "@geoswap/core"
import type { GetMultipleAccountsApi, Rpc } from "@solana/kit"
import * as Effect from "effect/Effect"
import { kindOf, printable } from "./words.js"

/** What a signer takes besides the wallet. */
export interface Options {
  /**
   * The application's own RPC, as `createSolanaRpc` gives it, to read address lookup tables through. Where absent,
   * transactions with lookup tables are refused.
   */
  readonly lookupTables?: Rpc<GetMultipleAccountsApi> | undefined
  /** What errors call the wallet, such as "The treasury key". */
  readonly name?: string | undefined
}

/** A transaction for a wallet to sign. The bytes are copies: whatever a wallet does to them, ours stay as they are. */
export interface Asked {
  readonly text: string
  readonly bytes: Uint8Array
  readonly messageBytes: Uint8Array
  readonly originChain: number
  readonly signal: AbortSignal
}

/** What a wallet gave back, not looked at yet: its signature, or the whole transaction in the form of the wire. */
export type Answer = ({ readonly signature: unknown } | { readonly transaction: unknown }) & {
  /** The accounts that it could have signed with by mistake. */
  readonly others?: ReadonlyArray<string>
}

export interface Wallet {
  /** What errors call it. */
  readonly name: string
  readonly address: string
  readonly sign: (asked: Asked) => Promise<Answer>
}

export const invalidInput = (field: string, message: string) => new SwapError.InvalidInput({ field, message })

/** A member of something that may be anything. */
export const member = (value: unknown, name: string): unknown =>
  (typeof value === "object" && value !== null) || typeof value === "function"
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

/** Whether something has a method of that name, own or inherited. */
export const hasMethod = (value: unknown, name: string): boolean => typeof member(value, name) === "function"

/** The name that errors use, and whether the options make sense. */
export const nameOf = (
  options: Options | undefined,
  otherwise: string
): Effect.Effect<string, SwapError.InvalidInput> =>
  Effect.suspend(() => {
    const { lookupTables, name = otherwise } = options ?? {}
    if (typeof name !== "string" || name.trim() === "") {
      return Effect.fail(invalidInput("name", `name: should be what errors call the wallet, and is ${kindOf(name)}.`))
    }
    if (lookupTables !== undefined && !hasMethod(lookupTables, "getMultipleAccounts")) {
      const found = kindOf(lookupTables)
      return Effect.fail(
        invalidInput("lookupTables", `lookupTables: should be an RPC as createSolanaRpc gives it, and is ${found}.`)
      )
    }
    return Effect.succeed(printable(name.trim(), 64))
  })

/** Looking at something that somebody else made can throw; that is a wrong input too, not a crash. */
export const guarded = <A>(
  field: string,
  wallet: Effect.Effect<A, SwapError.InvalidInput>
): Effect.Effect<A, SwapError.InvalidInput> =>
  Effect.catchDefect(wallet, () => Effect.fail(invalidInput(field, `${field}: throws when it is looked at.`)))
