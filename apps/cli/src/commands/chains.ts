/** Handles `geoswap chains`: lists the known chains. */
import * as Effect from "effect/Effect"
import { Directory, type KnownChain } from "../chains/Directory.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import { Settings } from "../config/Settings.js"

const list = Effect.gen(function* () {
  const { chains } = yield* Directory
  const { deployments } = yield* Settings
  const isPinned = ({ id }: KnownChain) => deployments[id] !== undefined
  const isNamed = ({ id, name }: KnownChain) => name !== `chain ${id}`
  yield* Output.result(
    {
      chains: chains.map((chain) => ({
        id: chain.id,
        name: chain.name,
        aliases: chain.aliases,
        family: chain.family,
        served: chain.served,
        hasRpcUrl: chain.rpcUrl !== undefined,
        deploymentPinned: isPinned(chain),
        listedName: chain.listedName,
        tokens: [...chain.tokens, ...chain.listed.map((token) => ({ ...token, native: false, pinned: false }))]
      }))
    },
    ({ dim }) =>
      Output.table(
        chains.map((chain) => [
          String(chain.id),
          chain.name,
          chain.family,
          chain.tokens.map(({ symbol }) => symbol).join(" "),
          [
            ...(chain.served ? [] : ["not supported by the service"]),
            ...(chain.listedName !== undefined && !isNamed(chain)
              ? [`the service calls it "${chain.listedName}"`]
              : []),
            ...(chain.listed.length === 0 ? [] : [`${chain.listed.length} tokens not pinned`]),
            ...(isPinned(chain) ? [] : ["no deployment pinned"]),
            ...(chain.rpcUrl === undefined ? ["no rpcUrl"] : [])
          ].join(", ")
        ]),
        { head: ["id", "name", "family", "pinned tokens", ""], style: dim }
      )
  )
})

/** Lists the chains. */
export const run = () => Effect.provide(list, Session.reads)
