/**
 * The program of one EVM chain on EDR: `node edrProgram.js --chain-id 31337 --port 0 --profile base --tags latest`. It mines
 * only on request.
 */
import { parseArgs } from "node:util"
import { start } from "../rpcServer.js"
import { makeEdrChain } from "./edrChain.js"
import { type FinalityTags, type ProfileName, profiles } from "./profiles.js"

/** Large enough for the batch that deploys the contracts. */
const maxBody = 32 * 1024 * 1024

const { values } = parseArgs({
  options: {
    "chain-id": { type: "string" },
    port: { type: "string" },
    profile: { type: "string" },
    tags: { type: "string" }
  }
})
const subscribers = new Map<string, (message: string) => void>()
const chain = await makeEdrChain({
  chainId: Number(values["chain-id"]),
  automine: false,
  profile: values.profile === undefined ? undefined : profiles[values.profile as ProfileName],
  tags: values.tags as FinalityTags | undefined,
  onEvent: (subscription, result) =>
    subscribers.get(subscription)?.(
      JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params: { subscription, result } })
    )
})
try {
  const { port } = await start({
    port: Number(values.port ?? 0),
    maxBody,
    connect: (notify) => {
      const own = new Set<string>()
      return {
        respond: async ({ method, params }) => {
          if (method !== "eth_subscribe" || notify === undefined) return chain.respond(method, params)
          const subscription = (await chain.request(method, params)) as string
          own.add(subscription)
          subscribers.set(subscription, notify)
          return `"result":"${subscription}"`
        },
        close: () => {
          for (const subscription of own) {
            subscribers.delete(subscription)
            void chain.request("eth_unsubscribe", [subscription]).catch(() => undefined)
          }
        }
      }
    }
  })
  process.stdout.write(`Listening on 127.0.0.1:${port}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
