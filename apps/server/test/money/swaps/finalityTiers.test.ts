/** How long swaps wait for finality, by what their wallet has in flight. */
import { describe, layer } from "@effect/vitest"
import type { Devnet } from "@geoswap/devnet"
import { expect } from "vitest"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import { eachChain, looked, make, play, type Setup, startSwap, timeout, until } from "../../stack/fixture.js"
import { ownDevnetLayer } from "../../stack/stack.js"

/** Up to $15 are final after 2 blocks, more after 6. */
const tiers = eachChain((chain) =>
  chain.kind === "evm"
    ? {
        ...chain,
        stuckAfterMillis: 600_000,
        finality: [{ upToUsd: 15, after: { blocks: 2 } }, { after: { blocks: 6 } }]
      }
    : chain
)

/** A wallet with 20 USDC, for two swaps of 10. */
const prepare = async (devnet: Devnet.Devnet) => ({
  change: tiers,
  props: await evm.newDelegated(devnet, devnet.evmA, { USDC: 20_000_000n })
})

describe("two swaps of a wallet at once", () => {
  layer(ownDevnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "are final one after the other, because the second one adds to what is in flight",
      () =>
        play(prepare, async (setup: Setup, wallet) => {
          const { devnet, nodes, running } = setup
          const { evmA } = devnet
          const isFinal = ({ swapId }: { readonly swapId: string }) =>
            !["accepted", "origin_prepared", "origin_sent"].includes(database.stateOf(running.database, swapId))
          const isIncluded = ({ swapId }: { readonly swapId: string }) =>
            database.hashesOf(running.database, swapId).originTxHash !== null
          await make(evmA.hold)
          const first = await startSwap(setup, wallet)
          const second = await startSwap(setup, wallet)
          const relayer = evm.operator(devnet, "relayer").address
          for (let included = 0; included < 2;) {
            await until(async () => (await evm.poolOf(evmA, relayer)).length > 0 || isIncluded(second))
            await make(evmA.mine())
            await looked(nodes.evmA, "eth_getBlockByNumber")
            included = [first, second].filter(isIncluded).length
          }
          await make(evmA.mine())
          await until(() => isFinal(first))
          // The block of the second swap is deep enough for $10, but $20 are at risk.
          await make(evmA.mine())
          await looked(nodes.evmA, "eth_getBlockByNumber")
          expect(isFinal(second)).toBe(false)
          await make(evmA.mine(5))
          await until(() => isFinal(second))
          await make(evmA.release)
        }),
      timeout
    )
  })
})
