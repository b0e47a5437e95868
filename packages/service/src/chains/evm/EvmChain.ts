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
import type { Relayers, Draft } from "../Draft.js"
import type { EvmKey } from "../Keys.js"
import { reachedBy } from "../quorum.js"
import * as Wallets from "./accounts/delegationState.js"
import { usedNonces } from "./accounts/usedNonces.js"
import * as Vaults from "./accounts/vaults.js"
import * as Verify from "./accounts/verifyConfig.js"
import * as NetworkCosts from "./fees/costEstimates.js"
import * as DeliveryGas from "./fees/deliveryGas.js"
import * as Fees from "./fees/gasFees.js"
import * as RelayerFunds from "./fees/relayerFunds.js"
import * as SharedGas from "./fees/sharedGas.js"
import * as Agreement from "./nodes/agreeingNodes.js"
import * as Balances from "./nodes/balanceReads.js"
import * as NodeQuorum from "./nodes/nodeQuorum.js"
import * as Node from "./nodes/rpcNodes.js"
import * as Payments from "./payments/payments.js"
import * as Collection from "./proof/collection.js"
import * as Failure from "./proof/collectionFailure.js"
import * as ExternalSettlement from "./proof/externalSettlement.js"
import { finalOf } from "./proof/finality.js"
import * as Payment from "./proof/paymentProof.js"
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
  const nodes = Node.make(config)
  const quorum = NodeQuorum.make(nodes, config, scope)
  const reads = quorum.first
  const relayer = addressOf(key.address)
  const relayers: Relayers = [key.address, ...moreKeys.map(({ address }) => address)]
  const keys = new Map([key, ...moreKeys].map((one) => [addressOf(one.address), one]))
  const vaults = yield* Vaults.make(reads, config)
  const [{ address: vault, delegate }] = config.vaults
  const { delegationOf, walletState } = Wallets.make(quorum, vaults, config)
  const market = Fees.make(quorum)
  const signers = AttemptSigners.make(config.id, [...keys.keys()], vaults)
  const balances = Balances.make(quorum, config)
  const relayerFor = Prepare.makeRelayerFor(quorum, config)
  const { combine, keyOf } = Batches.make({ reads, quorum, market, config, relayerFor })
  const prepare = Prepare.make({ ask: nodes.ask, quorum, market, config, relayers, relayerFor, vaults, keyOf })
  const payments = yield* Payments.make({
    balances,
    ask: nodes.ask,
    reads,
    config,
    price: Fees.price(market, config.maxFeePerGas)
  })
  const replace = Replace.make(quorum, market, config, keys, signers, signers.describeForeign)

  const signWith = (from: string, transaction: Transaction, nonce: number) => {
    const own = keys.get(addressOf(from))
    return own === undefined
      ? Effect.die(new TypeError(`${from} is not a relayer of chain ${config.id}.`))
      : sign({ chainId: config.id, key: own }, transaction, { cancels: false, nonce })
  }

  const delegations = DelegationTransactions.make({
    nodes,
    quorum,
    market,
    config,
    keys,
    relayerFor,
    relayers,
    signers,
    signWith
  })

  const observe = Observe.make(quorum, config, signers, vaults)
  const deliveryGas = DeliveryGas.make(nodes.ask, reads, config, relayer)

  const sharedGas = SharedGas.make()
  const costs = NetworkCosts.make({ config, delegationOf, deliveryGas, market, payments, sharedGas })

  /**
   * Returns the largest refund that can be issued by the vault that the wallet pays. A wallet that is unknown or not
   * delegated to one of our contracts would pay the first vault.
   */
  const largestInput = Effect.fnUntraced(function* (token: string, wallet?: string) {
    const paid = vaults.all.length === 1 || wallet === undefined ? undefined : (yield* delegationOf(wallet)).vault
    return yield* balances.largestRefund(token, addressOf(paid ?? vault))
  })

  /**
   * Broadcasts an attempt to every node, because a single node could withhold the transaction. Succeeds once one node
   * accepts the transaction.
   */
  const broadcast = Effect.fnUntraced(function* ({ raw }: { readonly raw: string }) {
    const refusing = new Set<string>()
    const sending = nodes.all.map(({ ask, host }, index) =>
      ask("eth_sendRawTransaction", async ({ request }) => {
        await request({ method: "eth_sendRawTransaction", params: [raw as Hex] }).catch((cause: unknown) => {
          const { details = "" } = Node.rpcErrorOf(cause) ?? {}
          if (known.test(details)) return
          if (walletRefused.test(details)) refusing.add(`${index} ${host}`)
          throw cause
        })
      })
    )
    yield* Effect.mapError(NodeQuorum.race(config.id, sending), (error) =>
      refusing.size < sending.length ? error : new Refused({ chainId: config.id, message: error.message })
    )
    yield* Effect.forEach(quorum.nodes, ({ feed }) => feed.expectHead, { discard: true })
  })

  /**
   * Reads a value from each node at that node's latest finalized block, and returns the highest value that a quorum of
   * nodes has reached. A single lying or lagging node cannot change the result.
   */
  const reached = (
    name: string,
    question: (node: NodeQuorum.Node, final: bigint) => Effect.Effect<number, ChainUnavailable>
  ) =>
    Effect.map(
      quorum.askQuorum((node) =>
        Effect.flatMap(node.feed.recent, ({ number }) => {
          const final = finalOf(config, number)
          return node.feed.perHead(`${name} at ${final}`, question(node, final))
        })
      ),
      (answers) =>
        reachedBy(
          quorum.quorum,
          answers.map(({ value }) => value)
        ) ?? 0
    )

  /**
   * Returns a relayer's next nonce on the chain. The store assigns nonces starting at this value. If this value were too
   * high, it would leave a permanent gap in the nonces.
   */
  const relayerNonce = (address: string) =>
    reached(`nonce of ${addressOf(address)}`, (node, final) => node.nonceOf(addressOf(address), final))

  const finalTime = reached("time", (node, final) => Effect.map(node.blockAt(final), ({ timestamp }) => timestamp))

  /** Blocks have increasing times, so a finalized block is not after a time that the latest block has not reached. */
  const isPast = Effect.fnUntraced(function* (time: number) {
    const [, { timestamp }] = yield* quorum.head
    return timestamp > time && (yield* finalTime) > time
  })

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
    pollMillis: config.pollMillis,
    stuckAfterMillis: config.stuckAfterMillis,
    maxBatch: config.maxBatch,
    combine: withSpanIfTraced("EvmChain.combine", combine),
    isBatch: Batches.isBatch,
    verify: Effect.withSpan(Verify.make(quorum, config, relayers), "EvmChain.verify"),
    balanceOf: withSpanIfTraced("EvmChain.balanceOf", (token: string, owner: string) => reads.balanceOf(token, owner)),
    inventoryOf: withSpanIfTraced("EvmChain.inventoryOf", balances.inventoryOf),
    balanceAt: withSpanIfTraced("EvmChain.balanceAt", balances.balanceAt),
    heldAt: withSpanIfTraced("EvmChain.heldAt", balances.heldAt),
    deliverableAt: withSpanIfTraced("EvmChain.deliverableAt", balances.deliverableAt),
    refundableAt: withSpanIfTraced("EvmChain.refundableAt", balances.refundableAt),
    largestInput: withSpanIfTraced("EvmChain.largestInput", largestInput),
    height: Effect.map(quorum.recent, ([, { number }]) => number),
    knownHeight: () => quorum.known()?.[1].number,
    costOf: withSpanIfTraced("EvmChain.costOf", costs.costOf),
    mostCostOf: withSpanIfTraced("EvmChain.mostCostOf", costs.mostCostOf),
    fundsAt: withSpanIfTraced("EvmChain.fundsAt", RelayerFunds.make(balances, relayers)),
    deliveryGas: withSpanIfTraced("EvmChain.deliveryGas", deliveryGas),
    usedNonces: withSpanIfTraced("EvmChain.usedNonces", usedNonces(reads)),
    delegationOf: withSpanIfTraced("EvmChain.delegationOf", delegationOf),
    walletState: withSpanIfTraced("EvmChain.walletState", walletState),
    delegations,
    relayerNonce: withSpanIfTraced("EvmChain.relayerNonce", relayerNonce),
    finalTime: Effect.withSpan(finalTime, "EvmChain.finalTime"),
    isPast: withSpanIfTraced("EvmChain.isPast", isPast),
    nextLook: quorum.nextHead,
    prepare: withSpanIfTraced("EvmChain.prepare", prepare),
    sign: withSpanIfTraced(
      "EvmChain.sign",
      Effect.fnUntraced(function* (
        { plan, relayer: from }: Pick<Draft, "plan" | "relayer">,
        nonce: number | undefined
      ) {
        if (nonce === undefined)
          return yield* Effect.die(new TypeError("A transaction on an EVM chain requires a nonce."))
        return yield* signWith(from, plan as Transaction, nonce)
      })
    ),
    signerOf: withSpanIfTraced("EvmChain.signerOf", signers.signerOf),
    broadcast: withSpanIfTraced("EvmChain.broadcast", broadcast),
    observe: withSpanIfTraced(
      "EvmChain.observe",
      Effect.fnUntraced(function* (job: Job, attempts: ReadonlyArray<Attempt>) {
        const outcome = yield* observe(job, attempts)
        const { kind, orderId } = job
        if (outcome._tag === "Done" && kind !== "refund") {
          sharedGas.record(kind, { orderId, hash: outcome.hash, at: yield* Clock.currentTimeMillis })
        }
        return outcome
      })
    ),
    replace: withSpanIfTraced("EvmChain.replace", replace),
    externalSettlement: withSpanIfTraced(
      "EvmChain.externalSettlement",
      ExternalSettlement.make(quorum, config, vaults)
    ),
    failureAt: withSpanIfTraced("EvmChain.failureAt", Failure.make(nodes, config, relayer, vaults)),
    collection: withSpanIfTraced("EvmChain.collection", Collection.make(quorum, config, vaults)),
    paymentIn: withSpanIfTraced("EvmChain.paymentIn", Payment.make(quorum, config, vaults)),
    recipientAtFault: withSpanIfTraced(
      "EvmChain.recipientAtFault",
      RecipientFault.make(nodes, config, relayer, vaults)
    ),
    vaultOf: Vaults.vaultOf,
    agreement: Effect.withSpan(Agreement.make(quorum, config), "EvmChain.agreement")
  }
})
