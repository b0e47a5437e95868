/** A user of the scripted service whose wallet has a policy. */
import { Vectors } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import { setPolicy, toArgs } from "./mcpFixture.js"
import { open, usdc, weth } from "./scriptedServer.js"
import * as ServiceProxy from "./serviceProxy.js"

const rules = {
  chain: ["base", "arbitrum"],
  token: ["usdc@base", "weth@arbitrum"],
  recipient: [Vectors.evmKey.address],
  budget: ["1000 usdc@base/day"],
  "min-rate": ["usdc@base weth@arbitrum 0.5"],
  // The user has no nodes.
  "accept-claims": ["yes"]
}

/** A user without a policy. The service gives 1 WETH for 1 USDC. */
export const withoutPolicy = Effect.gen(function* () {
  const scripted = yield* open
  const proxy = yield* ServiceProxy.open(scripted.url)
  const token = (symbol: string, address: string) => ({ symbol, address, decimals: 6 })
  scripted.configure({
    service: { url: proxy.url },
    chains: {
      8453: { family: "evm", name: "Base", tokens: [token("USDC", usdc)] },
      42161: { family: "evm", name: "Arbitrum", tokens: [token("WETH", weth)] }
    }
  })
  return { ...scripted, proxy, flags: [], order: { amount: "100", from: "usdc@base", to: "weth@arbitrum" } }
})

/** A user whose wallet has a policy: 1,000 USDC per day, for WETH, to the same wallet. */
export const makeAgent = Effect.fnUntraced(function* (more: Readonly<Record<string, ReadonlyArray<string>>> = {}) {
  const agent = yield* withoutPolicy
  yield* setPolicy(agent, toArgs({ ...rules, ...more }))
  return agent
})
