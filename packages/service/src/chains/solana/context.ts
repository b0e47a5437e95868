/** The context that all Solana chain functions share. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { SolanaChain } from "../../config/Config.js"
import { ChainUnavailable } from "../ChainError.js"
import type { SolanaKey } from "../Keys.js"
import type * as Rent from "./accounts/rent.js"
import type { makeTokenAccounts } from "./accounts/tokenAccounts.js"
import type { Nodes } from "./nodes/rpcNodes.js"
import type { Token } from "./transactions/messages.js"
import type * as PriorityFee from "./transactions/priorityFee.js"

export interface ChainContext {
  readonly config: SolanaChain
  readonly nodes: Nodes
  readonly relayer: SolanaKey
  readonly vault: SolanaKey
  readonly tokenAccountOf: ReturnType<typeof makeTokenAccounts>
  /** Returns the current price per compute unit for transactions that write these accounts. */
  readonly priceFor: ReturnType<typeof PriorityFee.make>
  /** Returns the rent of an account with this many bytes, in lamports. */
  readonly rentOf: ReturnType<typeof Rent.make>
}

/** Whether a token is the native token, which has no token accounts. */
export const isNative = (token: string) => token === Chain.nativeToken.solana

/** Creates the error for a chain that cannot be used at the moment or whose state is unknown. */
export const unavailable = ({ config }: ChainContext, message: string) =>
  new ChainUnavailable({ chainId: config.id, message, timeout: false })

/**
 * Returns a configured token. A token that was removed from the configuration is treated as unavailable, because it may
 * be added back.
 */
export const tokenOf = (context: ChainContext, mint: string): Effect.Effect<Token, ChainUnavailable> => {
  const token = context.config.tokens.find(({ address }) => address === mint)
  return token === undefined
    ? Effect.fail(unavailable(context, `${mint} is not configured as a token on ${context.config.name}.`))
    : Effect.succeed({ mint, decimals: token.decimals })
}
