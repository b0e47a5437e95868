/** Creates the tools for a backend. */
import type { Backend } from "./Backend.js"
import { type Tool, toTool } from "./Tool.js"
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
export const createTools = (backend: Backend): ReadonlyArray<Tool> => [
  toTool(Inspect.listChains, backend),
  toTool(Inspect.searchTokens, backend),
  toTool(Inspect.getBalances, backend),
  toTool(Swap.getQuote, backend),
  toTool(Swap.executeSwap, backend),
  toTool(Swap.getSwap, backend),
  toTool(Swap.waitForSwap, backend),
  toTool(Swap.listSwaps, backend),
  toTool(Swap.resumeSwap, backend),
  toTool(Inspect.getDelegation, backend),
  toTool(Inspect.revokeDelegation, backend),
  toTool(Inspect.getPolicy, backend)
]
