/** Reads a mint's decimals. */
import type { ChainReader } from "@geoswap/core"
import { NodeError, type RpcCall } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { fromBase64 } from "./base64.js"
import { token2022Program, tokenProgram } from "./programs.js"
import { getAccount } from "./rpcMethods.js"

/** A mint is 82 bytes long: the authority and supply, then the decimals and the initialized flag. */
const mintBytes = 82
const decimalsAt = 44
const initializedAt = 45
/**
 * If a mint has extensions, Token-2022 pads it to the size of a token account. The account type follows the padding.
 */
const kindAt = 165
const mintKind = 1

/** The maximum number of decimals at which one whole token fits in 256 bits, as on EVM chains. */
const maxDecimals = 77

const isMint = (owner: string, data: Uint8Array): boolean =>
  (data.length === mintBytes || (owner === token2022Program && data[kindAt] === mintKind)) && data[initializedAt] === 1

/** Reads token metadata from one node. The mint does not contain a symbol. */
export const readTokenFacts = Effect.fnUntraced(function* (
  call: RpcCall,
  { address }: ChainReader.TokenQuery
): Effect.fn.Return<ChainReader.TokenFacts, NodeError> {
  const none = new NodeError(`has no token mint at ${address}`)
  const account = yield* getAccount(call, address)
  if (account === null || (account.owner !== tokenProgram && account.owner !== token2022Program)) {
    return yield* Effect.fail(none)
  }
  const data = yield* Effect.try({ try: () => fromBase64(account.text), catch: () => none })
  const decimals = data[decimalsAt]
  if (!isMint(account.owner, data) || decimals === undefined) return yield* Effect.fail(none)
  return decimals > maxDecimals
    ? yield* Effect.fail(new NodeError(`returned more than ${maxDecimals} decimals for token ${address}`))
    : { decimals }
})

export const describeFacts = ({ decimals }: ChainReader.TokenFacts): string => `${decimals} decimals`
