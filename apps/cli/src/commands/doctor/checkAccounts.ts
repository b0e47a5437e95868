/** Checks that the pinned account contracts of a chain pay into the pinned vaults. */
import type { Operation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { KnownChain } from "../../chains/Directory.js"
import { evmClient, nodeFailure } from "../../chains/nodes.js"
import { findingsOn } from "./finding.js"

/** Asks a vault whether wallets that delegate to a contract can pay into it. */
const isAccepted = ({ id, name }: KnownChain, rpcUrl: string, vault: string, delegate: string) =>
  Effect.tryPromise({
    try: async () => {
      const { parseAbi } = await import("viem")
      const abi = parseAbi(["function isDelegate(address account) view returns (bool)"])
      const client = await evmClient(rpcUrl)
      const [address, account] = [vault as `0x${string}`, delegate as `0x${string}`]
      return client.readContract({ abi, address, functionName: "isDelegate", args: [account] })
    },
    catch: () => nodeFailure(id, `The node for ${name} did not return a valid response.`)
  })

/** Asks every pinned vault whether it accepts its pinned account contracts. */
export const checkAccounts = Effect.fnUntraced(function* (
  chain: KnownChain,
  rpcUrl: string,
  { delegates = [], older = [], vault }: Operation.Deployment
) {
  const { fail, ok } = findingsOn(`${chain.name}: accounts`)
  const pins = [...delegates.map((delegate) => ({ delegate, vault })), ...older]
  const wrong = yield* Effect.filter(
    pins,
    (pin) => Effect.map(isAccepted(chain, rpcUrl, pin.vault, pin.delegate), (accepted) => !accepted),
    { concurrency: "unbounded" }
  )
  return wrong.length === 0
    ? ok("the vault accepts the pinned account contracts")
    : fail(
        wrong.map((pin) => `the vault ${pin.vault} does not accept wallets delegated to ${pin.delegate}`).join("; "),
        `Correct deployments.${chain.id}. Swaps fail until then.`
      )
})
