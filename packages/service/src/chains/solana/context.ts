/** The context that all functions of a Solana chain share. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { SolanaChain } from "../../config/Config.js"
import { ChainUnavailable } from "../Chains.js"
import type { SolanaKey } from "../Keys.js"
import type { Token } from "./messages.js"
import type { Nodes } from "./rpcNodes.js"
import type { TokenAccountOf } from "./tokenAccounts.js"

export interface ChainContext {
  readonly config: SolanaChain
  readonly nodes: Nodes
  readonly relayer: SolanaKey
  readonly vault: SolanaKey
  readonly tokenAccountOf: TokenAccountOf
}

/** Whether a token is the native token, which has no token accounts. */
export const isNative = (token: string): boolean => token === Chain.nativeToken.solana

/** Makes the error that nothing is known, or nothing can be done now. */
export const unavailable = ({ config }: ChainContext, message: string): ChainUnavailable =>
  new ChainUnavailable({ chainId: config.id, message, timeout: false })

/** Returns a configured token. A removed token is only unavailable, because it may be added again. */
export const tokenOf = (context: ChainContext, mint: string): Effect.Effect<Token, ChainUnavailable> => {
  const token = context.config.tokens.find(({ address }) => address === mint)
  return token === undefined
    ? Effect.fail(unavailable(context, `${mint} is not a configured token of ${context.config.name}.`))
    : Effect.succeed({ mint, decimals: token.decimals })
}
