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
import { type Address, formatTransactionRequest, type Hex } from "viem"
import type * as Config from "../../../config/Config.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import { ChainUnavailable } from "../../ChainError.js"
import type { DelegationTransactions } from "../../Chains.js"
import { nothingPending, type Relayers } from "../../Draft.js"
import type { EvmKey } from "../../Keys.js"
import type { DelegationResult } from "../../Outcome.js"
import { estimate } from "../fees/deliveryGas.js"
import { type Market, offer } from "../fees/gasFees.js"
import { type Node, type NodeQuorum, nonceAt } from "../nodes/nodeQuorum.js"
import type { Nodes } from "../nodes/rpcNodes.js"
import { finalOf } from "../proof/finality.js"
import type { AttemptSigners } from "./attemptSigner.js"
import type { RelayerFor } from "./prepare.js"
import * as Replace from "./replaceTransaction.js"
import { isRevert } from "./reverts.js"
import type { SignWith, Transaction } from "./transactions.js"
import { addressOf } from "./vaultCalls.js"

/** 21,000 for the transaction and 25,000 for the authorization, plus a margin. Some nodes estimate less. */
const leastGas = 60_000n

const together = { concurrency: "unbounded" } as const

/** The code of an account that an authorization has been applied to. */
const codeAfter = ({ address }: Delegation.Authorization): string =>
  Delegation.isZeroAddress(address) ? "0x" : `0xef0100${address.slice(2).toLowerCase()}`

export const make = ({
  config,
  keys,
  market,
  nodes,
  quorum,
  relayerFor,
  relayers,
  signers,
  signWith
}: {
  readonly nodes: Nodes
  readonly quorum: NodeQuorum
  readonly market: Market
  readonly config: Config.EvmChain
  readonly keys: ReadonlyMap<Address, EvmKey>
  readonly relayerFor: RelayerFor
  readonly relayers: Relayers
  readonly signers: AttemptSigners
  readonly signWith: SignWith
}): DelegationTransactions => {
  const chainId = config.id
  const unavailable = (message: string) => new ChainUnavailable({ chainId, message, timeout: false })
  const replace = Replace.make(quorum, market, config, keys, signers, (_: void, attempts) =>
    signers.describeOtherSigner(attempts)
  )

  const observeNode = Effect.fnUntraced(function* (
    node: Node,
    wallet: string,
    authorization: Delegation.Authorization,
    attempts: ReadonlyArray<Attempt>
  ): Effect.fn.Return<DelegationResult["_tag"], ChainUnavailable> {
    const { feed } = node
    const final = finalOf(config, (yield* feed.head).number)
    // All attempts of a change are signed by the same relayer.
    const [newest] = attempts
    if (newest !== undefined) {
      const relayer = yield* signers.signerOf(newest)
      const isOpen = (next: number) => attempts.some(({ nonce = Infinity }) => nonce >= next)
      // A nonce that is unused at the latest block is also unused at an earlier one.
      if (isOpen(yield* nonceAt(node, relayer, "latest"))) return "Waiting"
      if (isOpen(yield* nonceAt(node, relayer, final))) return "Waiting"
    }
    const address = addressOf(wallet)
    const [nonce, code] = yield* Effect.all([node.nonceOf(address, final), node.codeOf(address, final)], together)
    if (nonce <= authorization.nonce) return "Unused"
    return code === codeAfter(authorization) ? "Applied" : "Stale"
  })

  /** The attempt that was included, if a node shows its receipt. A canceled attempt carries no authorization. */
  const includedHash = Effect.fnUntraced(function* (attempts: ReadonlyArray<Attempt>) {
    const receipts = yield* Effect.forEach(
      attempts.filter(({ cancels }) => !cancels),
      ({ hash }) => quorum.first.receiptOf(hash),
      together
    )
    return receipts.find((receipt) => receipt !== undefined)?.hash
  })

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
      const [gas, fees] = yield* Effect.all(
        [estimate(nodes.ask, request), offer(market, config.maxFeePerGas)],
        together
      )
      if (isRevert(gas)) return yield* unavailable("The node reports that the delegation transaction would revert.")
      const ample = (gas * 125n) / 100n
      const limit = ample > leastGas ? ample : leastGas
      const relayer = yield* relayerFor(from, "delegation", limit * fees.maxFeePerGas, pending)
      return { relayer, gas: limit, plan: { ...callFrom(relayer), ...fees, gas: limit } satisfies Transaction }
    }),
    sign: Effect.fn("EvmChain.signDelegation")(({ plan, relayer }, nonce) =>
      signWith(relayer, plan as Transaction, nonce)
    ),
    observe: Effect.fn("EvmChain.observeDelegation")(function* (wallet, authorization, attempts) {
      const other = yield* signers.describeOtherSigner(attempts)
      if (other !== undefined) return yield* unavailable(other)
      const observe = (node: Node) => observeNode(node, wallet, authorization, attempts)
      const [first] = yield* quorum.head
      const outcome = yield* observe(first)
      if (outcome === "Waiting") return { _tag: outcome }
      if (quorum.count > 1) {
        const answers = yield* quorum.askQuorum(observe)
        // Nodes that are behind report another outcome until they catch up.
        if (answers.filter(({ value }) => value === outcome).length < quorum.quorum) return { _tag: "Waiting" }
      }
      if (outcome !== "Applied") return { _tag: outcome }
      const hash = yield* includedHash(attempts)
      return { _tag: outcome, ...(hash !== undefined && { hash }) }
    }),
    replace: Effect.fn("EvmChain.replaceDelegation")((attempts) => replace(undefined, attempts, false))
  }
}
