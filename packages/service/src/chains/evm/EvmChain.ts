/** The chain port for EVM chains, built on viem. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Hex } from "viem"
import type * as Config from "../../config/Config.js"
import type { Job } from "../../domain/Job.js"
import type { Attempt } from "../../domain/SwapRecord.js"
import { withSpanIfTraced } from "../../tracing/withSpanIfTraced.js"
import { type ChainUnavailable, Refused } from "../ChainError.js"
import type * as Chains from "../Chains.js"
import type { Draft, PendingCosts, Relayers } from "../Draft.js"
import type { EvmKey } from "../Keys.js"
import { askQuorum, quorumOf, reachedBy, sendToAll } from "../quorum.js"
import * as Wallets from "./accounts/delegationState.js"
import { usedNonces } from "./accounts/usedNonces.js"
import * as Inspect from "./accounts/inspect.js"
import * as Vaults from "./accounts/vaults.js"
import * as Verify from "./accounts/verifyConfig.js"
import type { EvmContext } from "./context.js"
import * as CollectGas from "./fees/collectGas.js"
import * as NetworkCosts from "./fees/costEstimates.js"
import * as DeliveryGas from "./fees/deliveryGas.js"
import * as FeeModels from "./fees/feeModels.js"
import * as Fees from "./fees/gasFees.js"
import * as RelayerFunds from "./fees/relayerFunds.js"
import * as Samples from "./fees/sampleTransactions.js"
import * as SharedGas from "./fees/sharedGas.js"
import * as Agreement from "./nodes/agreeingNodes.js"
import * as Balances from "./nodes/balanceReads.js"
import * as NodeQuorum from "./nodes/nodeQuorum.js"
import * as Node from "./nodes/rpcNodes.js"
import * as Payments from "./payments/payments.js"
import * as Collection from "./proof/collectionProof.js"
import * as Failure from "./proof/collectionFailure.js"
import * as ExternalSettlement from "./proof/externalSettlement.js"
import { depthFor, finalHeight, leastDepth } from "./proof/finality.js"
import * as Payment from "./proof/payoutProof.js"
import * as RecipientFault from "./proof/recipientFault.js"
import * as AttemptSigners from "./transactions/attemptSigner.js"
import * as Batches from "./transactions/batches.js"
import * as DelegationTransactions from "./transactions/delegationTransactions.js"
import * as Observe from "./transactions/observeQuorum.js"
import * as Prepare from "./transactions/prepare.js"
import * as Replace from "./transactions/replaceTransaction.js"
import { sign, type Transaction } from "./transactions/transactions.js"
import { addressOf } from "./transactions/vaultCalls.js"

/**
 * Matches the errors that nodes return for a transaction that they already have, or whose nonce has already been used.
 */
const known =
  /already ?known|known ?transaction|already (imported|exists|in the pool)|nonce (is )?too low|old ?nonce|nonce has already/i

/**
 * Matches the errors that nodes return for a transaction with an authorization of a wallet that has pending transactions, or
 * of which another transaction has an authorization. Other errors, such as a fee that is too low, are not the wallet's fault.
 */
const walletRefused = /authorit|delegat|in-?flight/i

type Functions = Readonly<Record<string, (...args: ReadonlyArray<never>) => Effect.Effect<unknown, unknown>>>

/** Wraps each function in a span with its name. */
const traced = <F extends Functions>(functions: F): F =>
  Object.fromEntries(
    Object.entries(functions).map(([name, body]) => [name, withSpanIfTraced(`EvmChain.${name}`, body)])
  ) as unknown as F

/** Creates an EVM chain with the keys of its relayers. No requests are sent until the chain is used. */
export const make: (options: {
  readonly config: Config.EvmChain
  readonly keys: readonly [EvmKey, ...ReadonlyArray<EvmKey>]
  /** The lifetime of subscriptions to new blocks. If it is omitted, blocks are polled even if there are `wsUrls`. */
  readonly scope?: Scope.Scope
}) => Effect.Effect<Chains.EvmChain> = Effect.fn("EvmChain.make")(function* ({
  config,
  keys: [key, ...moreKeys],
  scope
}) {
  const quorum = NodeQuorum.make(Node.make(config), config, scope)
  const { first: reads, nodes } = quorum
  const relayers: Relayers = [key.address, ...moreKeys.map(({ address }) => address)]
  const keys = new Map([key, ...moreKeys].map((one) => [addressOf(one.address), one]))
  const vaults = Vaults.make(config)
  const signers = AttemptSigners.make(config, keys, vaults)
  const feeModel = FeeModels.make(config, quorum)
  const context: EvmContext = {
    config,
    keys,
    market: Fees.make(quorum, config),
    feeModel,
    samples: Samples.make(config.id, vaults.all[0]),
    collectGas: yield* CollectGas.make({ feeModel, quorum, vaults }),
    quorum,
    relayers,
    signers,
    vaults
  }
  const [{ address: vault, delegate }] = config.vaults
  const { delegationOf, walletState } = yield* Wallets.make(context)
  const { allowanceAt, allowanceOf, largestRefund, ...balances } = Balances.make(context)
  const payments = yield* Payments.make(context, { allowanceAt, allowanceOf })
  const replaceSigned = Replace.make(context)
  const observe = Observe.make(context)
  const deliveryGas = DeliveryGas.make(context)
  const sharedGas = SharedGas.make()

  /**
   * Returns the largest refund that can be issued by the vault that the wallet pays. A wallet that is unknown or not
   * delegated to one of our contracts would pay the first vault.
   */
  const largestInput = Effect.fnUntraced(function* (token: string, wallet?: string) {
    const paid = vaults.all.length === 1 || wallet === undefined ? undefined : (yield* delegationOf(wallet)).vault
    return yield* largestRefund(token, paid ?? vault)
  })

  /** The nodes that receive transactions. */
  const senders = config.sendUrls === undefined ? nodes : Node.make({ ...config, rpcUrls: config.sendUrls }).all

  const broadcast = Effect.fnUntraced(function* ({ raw }: { readonly raw: string }) {
    const refusing = new Set<object>()
    const sending = sendToAll(config.id, senders, (node) =>
      node.ask("eth_sendRawTransaction", async ({ request }) => {
        await request({ method: "eth_sendRawTransaction", params: [raw as Hex] }).catch((cause: unknown) => {
          const { details = "" } = Node.rpcErrorOf(cause) ?? {}
          if (known.test(details)) return
          if (walletRefused.test(details)) refusing.add(node)
          throw cause
        })
      })
    )
    yield* Effect.mapError(sending, (error) =>
      refusing.size < senders.length ? error : new Refused({ chainId: config.id, message: error.message })
    )
    yield* Effect.forEach(nodes, ({ feed }) => feed.expectHead, { discard: true })
  })

  /**
   * Reads a value from each node at that node's latest finalized block, and returns the highest value that a quorum of
   * nodes has reached. A single lying or lagging node cannot change the result.
   */
  const reached = (
    name: string,
    depth: Config.Depth,
    question: (node: NodeQuorum.Node, final: bigint) => Effect.Effect<number, ChainUnavailable>
  ) =>
    Effect.map(
      askQuorum(config, nodes, (node) =>
        node.feed.recent.pipe(
          Effect.flatMap((latest) => finalHeight(node, depth, latest)),
          Effect.flatMap((final) => node.feed.perHead(`${name} at ${final}`, question(node, final)))
        )
      ),
      (answers) =>
        reachedBy(
          quorumOf(config),
          answers.map(({ value }) => value)
        ) ?? 0
    )

  const finalTime = reached("time", depthFor(config), (node, final) =>
    Effect.map(node.blockAt(final), ({ timestamp }) => timestamp)
  )

  return {
    family: "evm",
    id: config.id,
    name: config.name,
    tokens: config.tokens.map(({ address, decimals, symbol }) => ({ address, decimals, symbol })),
    vault,
    vaults: config.vaults.map(({ address }) => address),
    delegate,
    accounts: config.vaults.map((one) => ({ delegate: one.delegate, vault: one.address })),
    payments,
    exposure: config.exposure,
    exposureOf: NetworkCosts.mostCollectGas,
    losses: config.losses,
    relayer: key.address,
    relayers,
    hasOneFinality: config.finality.length === 1,
    pollMillis: config.pollMillis,
    stuckAfterMillis: config.stuckAfterMillis,
    maxBatch: config.maxBatch,
    isBatch: Batches.isBatch,
    verify: Effect.withSpan(Verify.make(context), "EvmChain.verify"),
    inspect: Effect.withSpan(Inspect.make(context), "EvmChain.inspect"),
    height: Effect.map(quorum.recent, ([, { number }]) => number),
    knownHeight: () => quorum.known()?.[1].number,
    delegations: DelegationTransactions.make(context),
    finalTime: Effect.withSpan(finalTime, "EvmChain.finalTime"),
    nextLook: quorum.nextHead,
    vaultOf: Vaults.vaultOf,
    agreement: Effect.withSpan(Agreement.make(context), "EvmChain.agreement"),
    ...traced({
      ...balances,
      ...NetworkCosts.make(context, { delegationOf, deliveryGas, payments }, sharedGas),
      balanceOf: (token: string, owner: string) => reads.balanceOf(token, owner),
      broadcast,
      collection: Collection.make(context),
      combine: (drafts: readonly [Draft, ...ReadonlyArray<Draft>], from: Relayers, pending?: PendingCosts) =>
        Batches.combine(context, drafts, from, pending),
      delegationOf,
      deliveryGas,
      externalSettlement: ExternalSettlement.make(context),
      failureAt: Failure.make(context),
      fundsAt: RelayerFunds.make(balances, relayers),
      /** Blocks have increasing times, so a finalized block is not after a time that the latest block has not reached. */
      isPast: Effect.fnUntraced(function* (time: number) {
        const [, { timestamp }] = yield* quorum.head
        return timestamp > time && (yield* finalTime) > time
      }),
      largestInput,
      observe: Effect.fnUntraced(function* (job: Job, attempts: ReadonlyArray<Attempt>) {
        const outcome = yield* observe(job, attempts)
        const { kind, orderId } = job
        if (outcome._tag === "Done" && kind !== "refund") {
          sharedGas.record(kind, { orderId, hash: outcome.hash, at: yield* Clock.currentTimeMillis })
        }
        return outcome
      }),
      paymentIn: Payment.make(context),
      prepare: Prepare.make(context),
      recipientAtFault: RecipientFault.make(context),
      /**
       * Returns a relayer's next nonce on the chain. The store assigns nonces starting at this value. If this value were
       * too high, it would leave a permanent gap in the nonces. It is read at the least depth, because most nodes have the
       * state of recent blocks only.
       */
      relayerNonce: (address: string) =>
        reached(`nonce of ${addressOf(address)}`, leastDepth(config), (node, final) =>
          node.nonceOf(addressOf(address), final)
        ),
      replace: Effect.fnUntraced(function* (job: Job, attempts: ReadonlyArray<Attempt>, cancel: boolean) {
        // An attempt that was not signed for the current configuration must not be replaced.
        const signed = yield* Effect.option(signers.withSignersFor(job, attempts))
        return signed._tag === "None" ? undefined : yield* replaceSigned(signed.value, cancel)
      }),
      sign: Effect.fnUntraced(function* (
        { plan, relayer }: Pick<Draft, "plan" | "relayer">,
        nonce: number | undefined
      ) {
        if (nonce === undefined)
          return yield* Effect.die(new TypeError("A transaction on an EVM chain requires a nonce."))
        return yield* sign(context, relayer, plan as Transaction, nonce, false)
      }),
      signerOf: signers.signerOf,
      usedNonces: usedNonces(reads),
      walletState
    })
  }
})
