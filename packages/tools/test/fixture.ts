/** A client on the scripted service, and its tools. */
import {
  type ClientOptions,
  createClient,
  type Network,
  type PolicyOptions,
  type PromiseStore
} from "@geoswap/core/promise"
import { Vectors } from "@geoswap/core/testing"
import { createTestKit, evmRequest } from "@geoswap/core/testing/promise"
import { createTools, fromClient, type RunOptions, type ToolResult } from "../src/index.js"

const { destinationChain, inputToken, originChain, outputToken } = evmRequest

/** The chains that the tools know, with their names and pinned tokens. */
export const network: Network = {
  chains: [
    {
      id: originChain,
      name: "Base",
      family: "evm",
      deployment: Vectors.evmDeployment,
      tokens: [{ address: inputToken, symbol: "USDC", decimals: 6 }]
    },
    {
      id: destinationChain,
      name: "Arbitrum",
      family: "evm",
      deployment: Vectors.evmDeployment,
      tokens: [{ address: outputToken, symbol: "WETH", decimals: 6 }]
    }
  ]
}

/** A store in memory that answers later. */
const memoryStore = (): PromiseStore => {
  const records = new Map<string, string>()
  return {
    names: () => Promise.resolve([...records.keys()]),
    update: (name, change) =>
      Promise.resolve().then(() => {
        const [next, answer] = change(records.get(name))
        if (next === undefined) records.delete(name)
        else records.set(name, next)
        return answer
      })
  }
}

/** The tools of a client, and a function that calls them. `policy: null` stands for a client without a policy. */
export const makeKit = (policy: PolicyOptions | null = {}, more: Partial<ClientOptions> = {}) => {
  const kit = createTestKit()
  const wallet = kit.evm.address
  const store = memoryStore()
  const rules: PolicyOptions = {
    ...(policy && {
      allowedRecipients: [wallet],
      budgets: [{ chainId: originChain, token: inputToken, amount: 1_000_000_000n }],
      ...policy
    })
  }
  const clientOptions = { ...kit.options, network, readers: kit.service.readers, policy: rules, store, ...more }
  const toolsOf = () => createTools(fromClient(createClient(clientOptions)))
  const tools = toolsOf()
  const callWith =
    (all: ReturnType<typeof toolsOf>) =>
    (name: string, args: unknown = {}, run?: RunOptions): Promise<ToolResult> => {
      const tool = all.find((one) => one.name === name)
      if (tool === undefined) throw new Error(`There is no tool ${name}.`)
      return tool.run(args, run)
    }
  return {
    ...kit,
    wallet,
    tools,
    call: callWith(tools),
    /** The same wallet and store in another process, which knows nothing else. */
    anotherProcess: () => callWith(toolsOf()),
    order: { amount: "10", from: "usdc@base", to: "weth@arbitrum" }
  }
}

/** The error of a result. */
export const errorOf = ({ structured }: ToolResult): Record<string, unknown> | undefined =>
  structured["error"] as Record<string, unknown> | undefined

/** The swap of a result. */
export const swapOf = ({ structured }: ToolResult): Record<string, unknown> | undefined =>
  structured["swap"] as Record<string, unknown> | undefined
