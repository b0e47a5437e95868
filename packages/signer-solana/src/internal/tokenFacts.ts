/** The decimals of a mint. */
import type { ChainReader } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { fromBase64 } from "./base64.js"
import { NodeError, type RpcCall } from "./jsonRpc.js"
import { token2022Program, tokenProgram } from "./programs.js"
import { getAccount } from "./rpcMethods.js"

/** A mint has 82 bytes: its decimals, and whether it is initialized, follow its authority and its supply. */
const mintBytes = 82
const decimalsAt = 44
const initializedAt = 45
/** Token-2022 pads a mint with extensions to the size of a token account, and then says what it is. */
const kindAt = 165
const mintKind = 1

/** The most decimals with which one whole token fits in 256 bits, as on EVM chains. */
const maxDecimals = 77

const isMint = (owner: string, data: Uint8Array): boolean =>
  (data.length === mintBytes || (owner === token2022Program && data[kindAt] === mintKind)) && data[initializedAt] === 1

/** The facts of a token as one node has them. Its symbol is not in the mint. */
export const readTokenFacts = Effect.fnUntraced(function* (
  call: RpcCall,
  { address }: ChainReader.TokenQuery
): Effect.fn.Return<ChainReader.TokenFacts, NodeError> {
  const none = new NodeError(`shows no mint of a token at ${address}`)
  const account = yield* getAccount(call, address)
  if (account === null || (account.owner !== tokenProgram && account.owner !== token2022Program)) {
    return yield* Effect.fail(none)
  }
  const data = yield* Effect.try({ try: () => fromBase64(account.text), catch: () => none })
  const decimals = data[decimalsAt]
  if (!isMint(account.owner, data) || decimals === undefined) return yield* Effect.fail(none)
  return decimals > maxDecimals
    ? yield* Effect.fail(new NodeError(`shows more than ${maxDecimals} decimals for the token ${address}`))
    : { decimals }
})

export const describeFacts = ({ decimals }: ChainReader.TokenFacts): string => `${decimals} decimals`
