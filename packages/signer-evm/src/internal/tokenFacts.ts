/** Reads an ERC-20 token's decimals and symbol. */
import type { ChainReader } from "@geoswap/core"
import { NodeError, type RpcCall } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"

/** The maximum number of decimals at which one whole token fits in 256 bits. */
const maxDecimals = 77n

const selectors = { decimals: "0x313ce567", symbol: "0x95d89b41" } as const

/**
 * The form of a symbol: letters, digits, punctuation, symbols and spaces, but no line breaks, direction marks or
 * invisible characters.
 */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,32}$/u

/**
 * Calls a view function and returns the resulting bytes, or `undefined` if the call reverts or there is no contract.
 */
const callView = (
  call: RpcCall,
  address: string,
  view: keyof typeof selectors
): Effect.Effect<Uint8Array | undefined, NodeError> =>
  call("eth_call", [{ to: address, data: selectors[view] }, "latest"]).pipe(
    Effect.catch((error) =>
      error.code === 3 || /revert/i.test(error.details) ? Effect.succeed("0x") : Effect.fail(error)
    ),
    Effect.flatMap((answer) => {
      if (typeof answer !== "string" || answer.length > 2 ** 16 || !/^0x([0-9a-f]{2})*$/i.test(answer)) {
        return Effect.fail(new NodeError(`returned something other than bytes for ${view}()`))
      }
      const pairs = answer.slice(2).match(/../g)
      return Effect.succeed(pairs === null ? undefined : Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)))
    })
  )

const valueOf = (bytes: Uint8Array): bigint => bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n)

const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Decodes an ABI string, or the bytes32 that early tokens return. */
const symbolOf = (bytes: Uint8Array): string | undefined => {
  if (bytes.length === 32) return textOf(bytes.slice(0, bytes.findLastIndex((byte) => byte !== 0) + 1))
  const length = Number(valueOf(bytes.slice(32, 64)))
  const isString = bytes.length >= 64 && valueOf(bytes.slice(0, 32)) === 32n && length <= bytes.length - 64
  return isString ? textOf(bytes.slice(64, 64 + length)) : undefined
}

/** Reads token metadata from one node. `symbol()` is optional; invalid values are rejected. */
export const readTokenFacts = Effect.fnUntraced(function* (
  call: RpcCall,
  { address }: ChainReader.TokenQuery
): Effect.fn.Return<ChainReader.TokenFacts, NodeError> {
  const [decimals, symbol] = yield* Effect.all([callView(call, address, "decimals"), callView(call, address, "symbol")])
  if (decimals === undefined)
    return yield* Effect.fail(new NodeError(`has no token at ${address}: decimals() returned nothing`))
  if (decimals.length !== 32 || valueOf(decimals) > maxDecimals) {
    return yield* Effect.fail(new NodeError(`returned more than ${maxDecimals} decimals for token ${address}`))
  }
  const facts = { decimals: Number(valueOf(decimals)) }
  if (symbol === undefined) return facts
  const text = symbolOf(symbol)
  if (text === undefined || !printable.test(text) || text.trim() !== text) {
    return yield* Effect.fail(
      new NodeError(`returned a symbol that is empty, too long or not printable for token ${address}`)
    )
  }
  return { ...facts, symbol: text }
})

export const describeFacts = ({ decimals, symbol }: ChainReader.TokenFacts): string =>
  `${decimals} decimals and ${symbol === undefined ? "no symbol" : `the symbol ${symbol}`}`
