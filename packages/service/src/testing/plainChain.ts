/** A chain with only costs and balances, which is all that pricing reads. */
import type { Chain as CoreChain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { ChainUnavailable } from "../chains/ChainError.js"
import type { Chain } from "../chains/Chains.js"
import type { CostQuery } from "../chains/Draft.js"

export interface Plain {
  readonly family: CoreChain.Family
  readonly id: number
  readonly name: string
  readonly tokens: ReadonlyArray<CoreChain.Token>
  readonly costOf: (query: CostQuery) => Effect.Effect<bigint, ChainUnavailable>
  readonly balanceOf: (token: string, owner: string) => Effect.Effect<bigint, ChainUnavailable>
}

const unasked = Effect.die("pricing asks no such thing")
const never = () => unasked

export const plainChain = ({ family, ...plain }: Plain): Chain => {
  const any = {
    ...plain,
    vault: "",
    vaults: [""],
    relayer: "",
    relayers: [""] as const,
    signerOf: never,
    hasOneFinality: true,
    pollMillis: 1,
    maxBatch: 1,
    combine: never,
    isBatch: () => false,
    verify: unasked,
    inspect: unasked,
    inventoryOf: never,
    balanceAt: never,
    heldAt: never,
    deliverableAt: never,
    refundableAt: never,
    largestInput: never,
    mostCostOf: never,
    fundsAt: never,
    height: unasked,
    nextLook: never,
    prepare: never,
    sign: never,
    broadcast: never,
    observe: never,
    replace: never,
    externalSettlement: never,
    recipientAtFault: never,
    agreement: unasked
  }
  return family === "evm"
    ? {
        ...any,
        family,
        delegate: "",
        exposure: { gasPerAccount: 1, gasPerChain: 1, gasPerVisitor: 1, gasPerWallet: 1 },
        exposureOf: () => 1n,
        losses: { gasPerHour: 1_000_000, strikes: 3 },
        failureAt: never,
        accounts: [],
        payments: {
          limits: { inFlightPerTarget: 1, strikesPerTarget: 1 },
          methodsOf: () => [],
          domainOf: () => undefined,
          allowanceOf: never,
          allowanceAt: never,
          permitNonceOf: never,
          usedIndices: never,
          askCode: never
        },
        walletState: never,
        delegationOf: never,
        delegations: { prepare: never, sign: never, observe: never, replace: never },
        relayerNonce: () => unasked,
        stuckAfterMillis: 30_000,
        finalTime: unasked,
        isPast: never,
        deliveryGas: never,
        collection: never,
        paymentIn: never,
        knownHeight: () => undefined,
        usedNonces: never,
        vaultOf: () => undefined
      }
    : { ...any, family, buildCollect: never, lacksAccount: never }
}
