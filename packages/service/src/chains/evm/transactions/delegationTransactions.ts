/**
 * Transactions that change a wallet's delegation without a swap: the relayer sends nothing to its own address, and the
 * transaction carries the wallet's authorization.
 *
 * A receipt's status proves nothing about an authorization, because the chain skips an invalid one without reverting.
 * The outcome is therefore read from the account: its nonce shows that the authorization was used, and its code shows
 * what the account is delegated to. An outcome is final only once every relayer nonce that the attempts use has been
 * used as well. Otherwise, a dropped attempt would leave a gap that blocks the relayer's later transactions.
 */
import { Delegation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { formatTransactionRequest, type Hex } from "viem"
import { together } from "../../../concurrency/together.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import type { DelegationTransactions } from "../../Chains.js"
import { nothingPending } from "../../Draft.js"
import { askQuorum, quorumOf, unavailable } from "../../quorum.js"
import type { EvmContext } from "../context.js"
import { estimate } from "../fees/estimateGas.js"
import { offer } from "../fees/gasFees.js"
import { relayerFor } from "../fees/relayerFunds.js"
import { type Node, nonceAt } from "../nodes/nodeQuorum.js"
import { finalHeight, leastDepth } from "../proof/finality.js"
import type { SignedAttempt } from "./attemptSigner.js"
import * as Replace from "./replaceTransaction.js"
import { isRevert } from "./reverts.js"
import { sign, type Transaction } from "./transactions.js"
import { addressOf } from "./vaultCalls.js"

/** 21,000 for the transaction and 25,000 for the authorization, plus a margin. Some nodes estimate less. */
const leastGas = 60_000n

/** The code of an account that an authorization has been applied to. */
const codeAfter = ({ address }: Delegation.Authorization): string =>
  Delegation.isZeroAddress(address) ? "0x" : `0xef0100${address.slice(2).toLowerCase()}`

/** Describes what one node reports about an authorization and the attempts that carry it. */
const observeNode = Effect.fnUntraced(function* (
  { config }: EvmContext,
  node: Node,
  wallet: string,
  authorization: Delegation.Authorization,
  attempts: ReadonlyArray<SignedAttempt>
) {
  const final = yield* finalHeight(node, leastDepth(config), yield* node.feed.head)
  // All attempts of a change are signed by the same relayer.
  const [newest] = attempts
  // A nonce that is unused at the latest block is also unused at an earlier one.
  for (const at of ["latest", final] as const) {
    if (newest === undefined) break
    const next = yield* nonceAt(node, newest.signer, at)
    if (attempts.some(({ nonce = Infinity }) => nonce >= next)) return "Waiting"
  }
  const address = addressOf(wallet)
  const [nonce, code] = yield* together([node.nonceOf(address, final), node.codeOf(address, final)])
  if (nonce <= authorization.nonce) return "Unused"
  return code === codeAfter(authorization) ? "Applied" : "Stale"
})

/** The attempt that was included, if a node shows its receipt. A canceled attempt carries no authorization. */
const includedHash = ({ quorum }: EvmContext, attempts: ReadonlyArray<Attempt>) =>
  Effect.map(
    together(attempts.flatMap(({ cancels, hash }) => (cancels ? [] : [quorum.first.receiptOf(hash)]))),
    (receipts) => receipts.find((receipt) => receipt !== undefined)?.hash
  )

export const make = (context: EvmContext): DelegationTransactions => {
  const { config, market, quorum, relayers, signers } = context
  const replace = Replace.make(context)
  return {
    prepare: Effect.fn("EvmChain.prepareDelegation")(function* (
      authorization,
      from = relayers,
      pending = nothingPending
    ) {
      const [first] = from
      const callFrom = (relayer: string) => ({
        to: addressOf(relayer),
        data: "0x" as Hex,
        authorizationList: [{ ...authorization, address: addressOf(authorization.address) }] as const
      })
      const request = formatTransactionRequest({ ...callFrom(first), from: addressOf(first) })
      const [gas, fees] = yield* together([estimate(quorum.ask, request), offer(market, config.maxFeePerGas)])
      if (isRevert(gas)) {
        return yield* unavailable(config, "The node reports that the delegation transaction would revert.")
      }
      const ample = (gas * 125n) / 100n
      const limit = ample > leastGas ? ample : leastGas
      const relayer = yield* relayerFor(context, from, "delegation", limit * fees.maxFeePerGas, pending)
      return { relayer, gas: limit, plan: { ...callFrom(relayer), ...fees, gas: limit } satisfies Transaction }
    }),
    sign: Effect.fn("EvmChain.signDelegation")(({ plan, relayer }, nonce) =>
      sign(context, relayer, plan as Transaction, nonce, false)
    ),
    observe: Effect.fn("EvmChain.observeDelegation")(function* (wallet, authorization, attempts) {
      const signed = yield* signers.withSigners(attempts)
      const observe = (node: Node) => observeNode(context, node, wallet, authorization, signed)
      const [first] = yield* quorum.head
      const outcome = yield* observe(first)
      if (outcome === "Waiting") return { _tag: outcome }
      if (quorum.nodes.length > 1) {
        const answers = yield* askQuorum(config, quorum.nodes, observe)
        // Nodes that are behind report another outcome until they catch up.
        if (answers.filter(({ value }) => value === outcome).length < quorumOf(config)) return { _tag: "Waiting" }
      }
      if (outcome !== "Applied") return { _tag: outcome }
      const hash = yield* includedHash(context, attempts)
      return { _tag: outcome, ...(hash !== undefined && { hash }) }
    }),
    replace: Effect.fn("EvmChain.replaceDelegation")(function* (attempts) {
      const signed = yield* Effect.option(signers.withSigners(attempts))
      return signed._tag === "None" ? undefined : yield* replace(signed.value, false)
    })
  }
}
