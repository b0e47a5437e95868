/** Compares the pinned versions of a chain's account contracts with the vaults on that chain. */
import { Chain, type Operation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { KnownChain } from "../../chains/Directory.js"
import { evmClient, nodeFailure } from "../../chains/nodes.js"
import { findingsOn } from "./finding.js"

const isSame = (one: string, other: string | undefined) => other !== undefined && Chain.sameAddress("evm", one, other)

/**
 * Reads a vault's two first account contracts: versions 1 and 2. They are `undefined` if the vault does not report them,
 * because it is older than version 2.
 */
const readAccounts = ({ id, name }: KnownChain, rpcUrl: string, vault: string) =>
  Effect.tryPromise({
    try: async () => {
      const { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError, parseAbi } = await import("viem")
      const abi = parseAbi([
        "function firstDelegate() view returns (address)",
        "function secondDelegate() view returns (address)"
      ])
      const client = await evmClient(rpcUrl)
      const read = (functionName: "firstDelegate" | "secondDelegate") =>
        client.readContract({ abi, address: vault as `0x${string}`, functionName }).catch((error: unknown) => {
          // The vault does not have the function.
          const isMissing =
            error instanceof BaseError &&
            error.walk(
              (cause) =>
                cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError
            ) !== null
          if (isMissing) return undefined
          throw error
        })
      return { vault, accounts: [await read("firstDelegate"), await read("secondDelegate")] }
    },
    catch: () => nodeFailure(id, `The node for ${name} did not return a valid response.`)
  })

/**
 * Compares the pins. The first two account contracts of a vault are its versions 1 and 2. A vault from before version 2
 * does not report them, and neither version can be checked then.
 */
export const checkAccounts = Effect.fnUntraced(function* (
  chain: KnownChain,
  rpcUrl: string,
  { accountVersion = 1, delegates = [], older = [], vault }: Operation.Deployment
) {
  const { fail, ok, warn } = findingsOn(`${chain.name}: accounts`)
  const pins = [...delegates.map((delegate) => ({ delegate, vault, accountVersion })), ...older]
  const vaults = yield* Effect.forEach([...new Set(pins.map((pin) => pin.vault))], (one) =>
    readAccounts(chain, rpcUrl, one)
  )
  const accountsOf = (one: string) => vaults.find((found) => found.vault === one)?.accounts ?? []
  const wrong = pins.flatMap((pin) => {
    const { accountVersion: version = 1, delegate } = pin
    const found = accountsOf(pin.vault).findIndex((account) => isSame(delegate, account)) + 1
    return found === 0 || found === version
      ? []
      : [`${delegate} has version ${found}, but version ${version} is pinned`]
  })
  if (wrong.length > 0) {
    return fail(wrong.join("; "), `Correct accountVersion in deployments.${chain.id}. Swaps fail until then.`)
  }
  const [, second] = accountsOf(vault)
  if (second === undefined) return ok("the vault collects only from delegated wallets")
  return pins.some(({ delegate }) => isSame(delegate, second))
    ? ok("versions 1 and 2 match the vault, which also collects payments without a delegation")
    : warn(
        `version 2 (${second}) is not pinned, so wallets that delegate to it cannot pay that way`,
        `Once you trust it, add it to deployments.${chain.id}.older with the same vault and "accountVersion": 2.`
      )
})
