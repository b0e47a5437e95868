/** Compares the pinned versions of a chain's account contracts with the vaults on that chain. */
import { Chain, type Operation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Balances from "../../chains/Balances.js"
import type { KnownChain } from "../../chains/Directory.js"
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

/**
 * Compares the pins. The first two account contracts of a vault are its versions 1 and 2. A vault from before version 2
 * does not report them, and neither version can be checked then.
 */
export const checkAccounts = Effect.fnUntraced(function* (
  chain: KnownChain,
  rpcUrl: string,
  deployment: Operation.Deployment
): Effect.fn.Return<ReadonlyArray<Finding>, Balances.NodeError> {
  const about = `${chain.name}: accounts`
  const pins = pinsOf(deployment)
  const accounts = yield* Effect.forEach([...new Set(pins.map(({ vault }) => vault))], (vault) =>
    Effect.map(Balances.readAccounts(chain, rpcUrl, vault), (found) => ({ vault, ...found }))
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
