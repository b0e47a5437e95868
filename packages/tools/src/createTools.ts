/** Creates the tools for a backend. */
import type { Backend } from "./Backend.js"
import type { Tool } from "./Tool.js"
import * as Inspect from "./tools/inspect.js"
import * as Swap from "./tools/swap.js"

/**
 * Creates the tools for a backend. Every other form (MCP, the AI SDK, function calling) is made from this list.
 *
 * @example
 * ```ts
 * const tools = createTools(fromClient(client, { tokens, wallets }))
 * const quote = tools.find(({ name }) => name === "get_quote")
 * const result = await quote?.run({ amount: "10", from: "usdc@base", to: "weth@arbitrum" })
 * ```
 */
export const createTools = (backend: Backend): ReadonlyArray<Tool> =>
  [
    Inspect.listChains,
    Inspect.searchTokens,
    Inspect.getBalances,
    Swap.getQuote,
    Swap.executeSwap,
    Swap.getSwap,
    Swap.waitForSwap,
    Swap.listSwaps,
    Swap.resumeSwap,
    Inspect.getDelegation,
    Inspect.revokeDelegation,
    Inspect.getPolicy
  ].map((create) => create(backend))
