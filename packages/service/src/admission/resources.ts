/**
 * The resources that swaps use up together, in the order in which a refusal names them. A new resource is one entry here
 * and one row in `docs/architecture.md`. An entry reads how much the swap uses and the limit, at a block that is not older
 * than `since`.
 */
import * as Effect from "effect/Effect"
import type { ChainUnavailable } from "../chains/ChainError.js"
import type { Chain } from "../chains/Chains.js"
import type { MostCostQuery, Relayers } from "../chains/Draft.js"
import type * as Config from "../config/Config.js"
import { type Holding, type Kind, nameOf, type Phase } from "../domain/Claim.js"
import type { Accepted } from "../domain/SwapRecord.js"
import type { StoreUnavailable } from "../store/StoreError.js"

/** A swap, and the chains that execute it. */
export interface Execution {
  readonly swap: Accepted
  readonly origin: Chain
  readonly destination: Chain
  /** Returns the relayers of a chain that are not retired. */
  readonly relayersOf: (chain: Chain) => Effect.Effect<Relayers, ChainUnavailable | StoreUnavailable>
  /** EVM: the gas that the quote pays for the delivery, if it is known. */
  readonly deliveryGas?: bigint | undefined
  /** What the input is worth in US dollars, if the venue has such a price. */
  readonly inputUsd?: number | undefined
}

/** How much a swap uses of a resource, and the limit of all swaps together. */
interface Use {
  readonly amount: bigint
  readonly limit: Holding
}

export interface Entry {
  readonly kind: Kind
  readonly phase: Phase
  /** The resource's name, or `undefined` if the swap does not use it. */
  readonly name: (execution: Execution) => string | undefined
  readonly use: (execution: Execution, since: bigint) => Effect.Effect<Use, ChainUnavailable | StoreUnavailable>
}

/** A swap's use of a balance. */
const useOf = (amount: bigint, limit: Effect.Effect<Holding, ChainUnavailable>) =>
  Effect.map(limit, (limit): Use => ({ amount, limit }))

/** The whole of an approval, and no limit. */
const whole = 2n ** 256n - 1n

/** A limit that is not read from a chain. */
const fixed = (amount: bigint): Holding => ({ amount, block: 0n })

const methodOf = ({ operation }: Accepted) => (operation._tag === "evm" ? operation.method : undefined)
const targetOf = ({ operation }: Accepted) => (operation._tag === "evm" ? operation.target : undefined)

/** The vault that the wallet pays, and that owes it the refund. */
const vaultOf = ({ origin, swap: { operation } }: Execution): string =>
  operation._tag === "evm" ? operation.vault : origin.vault

const outputOf = ({ destination, swap }: Execution): string =>
  nameOf(destination.id, destination.vault, swap.outputToken)

const input: Entry = {
  kind: "input",
  phase: "collection",
  name: ({ origin, swap }) => nameOf(origin.id, swap.inputToken, swap.wallet),
  use: ({ origin, swap }, since) => useOf(swap.amount, origin.balanceAt(swap.inputToken, swap.wallet, since))
}

/** A permit replaces the approval that other payments need, so it uses all of it. */
const approval: Entry = {
  kind: "approval",
  phase: "collection",
  name: ({ origin, swap }) =>
    methodOf(swap) === "permit2" || methodOf(swap) === "erc2612"
      ? nameOf(origin.id, swap.inputToken, swap.wallet)
      : undefined,
  use: ({ origin, swap }, since) => {
    if (methodOf(swap) === "erc2612") return Effect.succeed({ amount: whole, limit: { amount: whole, block: since } })
    if (origin.family !== "evm") return Effect.die(new Error("Only wallets on EVM chains approve Permit2."))
    return useOf(swap.amount, origin.payments.allowanceAt(swap.inputToken, swap.wallet, since))
  }
}

const target: Entry = {
  kind: "target",
  phase: "collection",
  name: ({ origin, swap }) => {
    const address = targetOf(swap)
    return address === undefined ? undefined : nameOf(origin.id, address)
  },
  use: ({ origin }) =>
    Effect.succeed({
      amount: 1n,
      limit: fixed(origin.family === "evm" ? BigInt(origin.payments.limits.inFlightPerTarget) : 0n)
    })
}

/** The gas of collections in flight, which is lost if they revert. */
const exposure = (
  kind: Extract<Kind, `${string} exposure`>,
  limit: keyof Config.Exposure,
  whose: (swap: Accepted) => ReadonlyArray<string> | undefined
): Entry => ({
  kind,
  phase: "collection",
  name: ({ origin, swap }) => {
    const owner = whose(swap)
    return origin.family !== "evm" || owner === undefined ? undefined : nameOf(origin.id, ...owner)
  },
  use: ({ origin, swap: { operation } }) =>
    Effect.succeed(
      origin.family === "evm" && operation._tag === "evm"
        ? { amount: origin.exposureOf(operation), limit: fixed(BigInt(origin.exposure[limit])) }
        : { amount: 0n, limit: fixed(0n) }
    )
})

/**
 * The value in flight, which has no limit. Chains on which all amounts are final at the same depth need no sum. Without a
 * value, a swap is as final as the largest ones.
 */
const value = (kind: Extract<Kind, `${string} value`>, whose: (swap: Accepted) => string): Entry => ({
  kind,
  phase: "refund",
  name: ({ destination, inputUsd, origin, swap }) =>
    inputUsd === undefined || (origin.hasOneFinality && destination.hasOneFinality)
      ? undefined
      : nameOf(origin.id, whose(swap)),
  use: ({ inputUsd = 0 }) => Effect.succeed({ amount: BigInt(Math.ceil(inputUsd * 100)), limit: fixed(whole) })
})

/** What the vault may deliver in this hour. */
const output: Entry = {
  kind: "output",
  phase: "delivery",
  name: outputOf,
  use: ({ destination, swap }, since) => useOf(swap.output, destination.deliverableAt(swap.outputToken, since))
}

/** What the vault holds, which must cover the refunds that it owes as well. */
const vault: Entry = {
  kind: "vault",
  phase: "delivery",
  name: outputOf,
  use: ({ destination, swap }, since) => useOf(swap.output, destination.heldAt(swap.outputToken, since))
}

/** What the vault may refund in this hour, as if all refunds were made in it. */
const refund: Entry = {
  kind: "refund",
  phase: "refund",
  name: (execution) => nameOf(execution.origin.id, vaultOf(execution), execution.swap.inputToken),
  use: (execution, since) => {
    const { origin, swap } = execution
    return useOf(swap.amount, origin.refundableAt(swap.inputToken, since, vaultOf(execution)))
  }
}

/**
 * What the relayers of a chain can pay. A swap claims the most that its transactions may cost at the fees that are offered
 * now. The relayers' balances are not one sum: each relayer may keep a rest that is too small for this transaction.
 */
const gas = (
  phase: Phase,
  payer: (execution: Execution) => Chain,
  query: (execution: Execution) => MostCostQuery
): Entry => ({
  kind: "gas",
  phase,
  name: (execution) => nameOf(payer(execution).id),
  use: Effect.fnUntraced(function* (execution, since) {
    const chain = payer(execution)
    const relayers = yield* execution.relayersOf(chain)
    const [amount, funds] = yield* Effect.all([chain.mostCostOf(query(execution)), chain.fundsAt(since, relayers)], {
      concurrency: "unbounded"
    })
    const rests = amount * BigInt(relayers.length - 1)
    return { amount, limit: { ...funds, amount: funds.amount > rests ? funds.amount - rests : 0n } }
  })
})

const collectGas = gas(
  "collection",
  ({ origin }) => origin,
  ({ origin, swap: { inputToken: token, operation } }) => ({
    kind: "collect",
    token,
    opensAccount: false,
    ...(origin.family === "evm" && operation._tag === "evm" && { gas: origin.exposureOf(operation) })
  })
)

/** A quote's gas may be exceeded by a quarter (see `admission/deliverable.ts`). */
const deliverGas = gas(
  "delivery",
  ({ destination }) => destination,
  ({ deliveryGas, swap: { opensAccount, outputToken: token, recipient: party } }) => ({
    kind: "deliver",
    token,
    party,
    opensAccount,
    ...(deliveryGas !== undefined && { gas: (deliveryGas * 5n) / 4n })
  })
)

const refundGas = gas(
  "refund",
  ({ origin }) => origin,
  ({ swap: { inputToken: token, wallet: party } }) => ({ kind: "refund", token, party, opensAccount: false })
)

export const resources: ReadonlyArray<Entry> = [
  input,
  approval,
  target,
  exposure("wallet exposure", "gasPerWallet", ({ wallet }) => [wallet]),
  exposure("visitor exposure", "gasPerVisitor", ({ visitor }) => (visitor === undefined ? undefined : [visitor])),
  exposure("account exposure", "gasPerAccount", ({ accountId }) => [accountId]),
  exposure("chain exposure", "gasPerChain", () => []),
  value("wallet value", ({ wallet }) => wallet),
  value("account value", ({ accountId }) => accountId),
  output,
  vault,
  refund,
  collectGas,
  deliverGas,
  refundGas
]
