/** Compares the pinned versions of a chain's account contracts with the vaults on that chain. */
import { Chain, type Operation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { KnownChain } from "../../chains/Directory.js"
import { evmClient, nodeFailure } from "../../chains/nodes.js"
import type { Failure } from "../../output/Exit.js"
import { fail, type Finding, ok, warn } from "./finding.js"

/** A pinned account contract. */
interface Pin {
  readonly delegate: string
  readonly vault: string
  readonly version: 1 | 2
}

/** All account contracts that a deployment pins. */
const pinsOf = ({
  accountVersion = 1,
  delegates = [],
  older = [],
  vault
}: Operation.Deployment): ReadonlyArray<Pin> => [
  ...delegates.map((delegate) => ({ delegate, vault, version: accountVersion })),
  ...older.map((one) => ({ delegate: one.delegate, vault: one.vault, version: one.accountVersion ?? 1 }))
]

const isSame = (one: string, other: string | undefined): boolean =>
  other !== undefined && Chain.sameAddress("evm", one, other)

const addressGetter = (name: string) =>
  ({ type: "function", name, stateMutability: "view", inputs: [], outputs: [{ type: "address" }] }) as const

const vaultAbi = [addressGetter("firstDelegate"), addressGetter("secondDelegate")] as const

/**
 * Reads a vault's two first account contracts: versions 1 and 2. They are `undefined` if the vault does not report them,
 * because it is older than version 2.
 */
const readAccounts = (
  { id, name }: KnownChain,
  rpcUrl: string,
  vault: string
): Effect.Effect<{ readonly first: string | undefined; readonly second: string | undefined }, Failure> =>
  Effect.tryPromise({
    try: async () => {
      const { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError } = await import("viem")
      const client = await evmClient(rpcUrl)
      const read = (functionName: "firstDelegate" | "secondDelegate") =>
        client
          .readContract({ abi: vaultAbi, address: vault as `0x${string}`, functionName })
          .catch((error: unknown) => {
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
      return { first: await read("firstDelegate"), second: await read("secondDelegate") }
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
  deployment: Operation.Deployment
): Effect.fn.Return<ReadonlyArray<Finding>, Failure> {
  const about = `${chain.name}: accounts`
  const pins = pinsOf(deployment)
  const accounts = yield* Effect.forEach([...new Set(pins.map(({ vault }) => vault))], (vault) =>
    Effect.map(readAccounts(chain, rpcUrl, vault), (found) => ({ vault, ...found }))
  )
  const wrong = pins.flatMap(({ delegate, vault, version }) => {
    const { first, second } = accounts.find((one) => one.vault === vault) ?? {}
    const found = isSame(delegate, first) ? 1 : isSame(delegate, second) ? 2 : version
    return found === version ? [] : [`${delegate} has version ${found}, but version ${version} is pinned`]
  })
  if (wrong.length > 0) {
    return [fail(about, wrong.join("; "), `Correct accountVersion in deployments.${chain.id}. Swaps fail until then.`)]
  }
  const own = accounts.find(({ vault }) => vault === deployment.vault)
  if (own?.second === undefined) {
    return [ok(about, "the vault collects only from delegated wallets")]
  }
  const { second } = own
  return [
    pins.some(({ delegate }) => isSame(delegate, second))
      ? ok(about, "versions 1 and 2 match the vault, which also collects payments without a delegation")
      : warn(
          about,
          `version 2 (${second}) is not pinned, so wallets that delegate to it cannot pay that way`,
          `Once you trust it, add it to deployments.${chain.id}.older with the same vault and "accountVersion": 2.`
        )
  ]
})
