/** What one call of a tool uses: a client with its rules, and the names of chains and tokens. */
import type { PinnedToken, PromiseStore, RuledClient, SwapError, TokenResolver } from "@geoswap/core/promise"
import type { Call } from "./Backend.js"
import type { Names } from "./names.js"
import type * as View from "./views.js"

/** The part of a client that the tools use. */
export interface ToolClient extends Pick<
  RuledClient,
  | "chains"
  | "delegation"
  | "execute"
  | "indicativeQuote"
  | "pending"
  | "quote"
  | "resume"
  | "status"
  | "undelegate"
  | "watch"
> {
  readonly rules: Pick<RuledClient["rules"], "canProve" | "network" | "policy" | "wallets"> & {
    readonly store: Pick<PromiseStore, "update">
  }
}

/** What a call uses. */
export interface Session {
  readonly client: ToolClient
  /** The chains, and the pinned tokens. Only these tokens can be swapped, and only their decimals are used. */
  readonly names: Names
  /** Further tokens that a search finds. They cannot be swapped. */
  readonly bundled?: ReadonlyArray<PinnedToken> | undefined
  /** Reads balances. Without it, `get_balances` has no result. */
  readonly resolver?: Pick<TokenResolver, "balances"> | undefined
  /**
   * Called if the policy asks for an approval, after the quote and before anything is signed. Return `true` once a person
   * has given it: the swap is then tried once more.
   */
  readonly approve?: ((refusal: SwapError) => Promise<boolean>) | undefined
}

/** What a call is about to do. */
export interface Use {
  /** The family of the wallet that pays. If this is missing, the call is about no wallet or about all wallets. */
  readonly family?: "evm" | "solana" | undefined
  /** Whether the call signs. A wallet whose policy cannot be used may still be read. */
  readonly signs: boolean
}

/** Opens the session of one call, for a program whose policy may change while it runs. */
export type OpenSession = (use: Use, call: Call) => Promise<Session>

/** The swaps that `list_swaps` lists. */
export interface SwapRecords {
  readonly find: (swapId: string) => Promise<View.Swap | undefined>
  readonly list: (limit: number) => Promise<ReadonlyArray<View.Swap>>
  /** Records what is known of a swap. Omit it if the client does that. */
  readonly put?: ((swap: View.Swap) => void) | undefined
}

/** The swaps that this process has seen. */
export const memorySwaps = (): SwapRecords => {
  // By flow, if it is known, and the newest last.
  const seen = new Map<string, View.Swap>()
  return {
    find: (swapId) => Promise.resolve([...seen.values()].findLast((swap) => swap.swapId === swapId)),
    list: (limit) => Promise.resolve([...seen.values()].toReversed().slice(0, limit)),
    put: (swap) => {
      const key = swap.flowId ?? swap.swapId
      seen.delete(key)
      seen.set(key, swap)
    }
  }
}
