/** The chain port for Solana, built on @solana/kit. */
import {
  type Base64EncodedWireTransaction,
  isSolanaError,
  type Rpc,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  type SolanaRpcApi
} from "@solana/kit"
import * as Effect from "effect/Effect"
import type * as Config from "../../config/Config.js"
import type { Holding } from "../../domain/Claim.js"
import type { Attempt } from "../../domain/SwapRecord.js"
import type { SolanaChain } from "../Chains.js"
import type { CostQuery, MostCostQuery } from "../Draft.js"
import type { SolanaKey } from "../Keys.js"
import { sendToAll } from "../quorum.js"
import * as RelayerFunds from "./accounts/relayerFunds.js"
import * as Rent from "./accounts/rent.js"
import { amountIn, makeTokenAccounts, readAccountAt, readAccounts, tokenAccount } from "./accounts/tokenAccounts.js"
import { inspect } from "./accounts/inspect.js"
import { verify } from "./accounts/verifyConfig.js"
import { type ChainContext, isNative } from "./context.js"
import { agreement } from "./nodes/agreeingNodes.js"
import * as Pace from "./nodes/pace.js"
import { makeNodes } from "./nodes/rpcNodes.js"
import { Slot, Text } from "./nodes/rpcSchemas.js"
import { recipientAtFault } from "./proof/recipientFault.js"
import { combine, isBatch, mostPayments } from "./transactions/batches.js"
import { collectInstructions, compileWire, mostCostOfSends, unitsFor } from "./transactions/instructions.js"
import * as Observe from "./transactions/observe.js"
import { prepare } from "./transactions/prepare.js"
import * as PriorityFee from "./transactions/priorityFee.js"
import { feeOf, unitsOf } from "./transactions/programs.js"
import { latestBlockhash, type Plan, sign } from "./transactions/sign.js"
import { write } from "./transactions/wireTransaction.js"

/** Options for a Solana chain. */
export interface Options {
  readonly config: Config.SolanaChain
  /** The key that pays for every transaction. */
  readonly relayer: SolanaKey
  /** The key that owns the token accounts that hold the inventory. */
  readonly vault: SolanaKey
}

/** The largest amount that an SPL token account can hold. */
const largestAmount = 2n ** 64n - 1n

/** A limit that is never reached, at every block. */
const uncapped = { amount: 2n ** 256n, block: 2n ** 62n }

const account = (context: ChainContext, address: string) =>
  context.nodes.use((node) => Effect.map(readAccounts(node, [address]), ([found]) => found))

const balanceAt = Effect.fnUntraced(function* (context: ChainContext, token: string, owner: string, since: bigint) {
  const address = isNative(token) ? owner : yield* context.tokenAccountOf(owner, token)
  const { account, slot } = yield* context.nodes.use((node) => readAccountAt(node, address, since))
  return { amount: isNative(token) ? (account?.lamports ?? 0n) : amountIn(account, owner, token), block: slot }
})

const heldAt = Effect.fnUntraced(function* (context: ChainContext, token: string, since: bigint) {
  const { amount, block } = yield* balanceAt(context, token, context.vault.address, since)
  // Set aside the amount that the vault's account needs to stay rent-exempt.
  const kept = isNative(token) ? yield* context.rentOf(Rent.sizes.wallet) : 0n
  return { amount: amount > kept ? amount - kept : 0n, block }
})

const amountOf = ({ amount }: Holding) => amount

const lacksAccount = Effect.fnUntraced(function* (context: ChainContext, token: string, owner: string) {
  if (isNative(token)) return false
  // An address that holds only lamports is not a token account yet.
  return tokenAccount(yield* account(context, yield* context.tokenAccountOf(owner, token))) === undefined
})

/** What a transaction costs at a price per compute unit. The relayer pays the fees of its whole limit. */
const costAt = (context: ChainContext, { kind, opensAccount, token }: CostQuery | MostCostQuery, price: bigint) =>
  kind === "collect"
    ? Effect.succeed(feeOf(unitsOf.collect, price))
    : mostCostOfSends(context, [{ opensAccount, token }], unitsFor([{ opensAccount, token }]), price)

/** What a transaction costs now. The price is the one for the accounts that the transaction writes. */
const costOf = Effect.fnUntraced(function* (context: ChainContext, query: CostQuery) {
  const { party, token } = query
  const owners = [context.vault.address, ...(party === undefined ? [] : [party])]
  const accounts = isNative(token)
    ? owners
    : yield* Effect.forEach(owners, (owner) => context.tokenAccountOf(owner, token))
  const price = yield* context.priceFor([context.relayer.address, ...accounts])
  return yield* costAt(context, query, price)
})

const buildCollect = Effect.fnUntraced(function* (
  context: ChainContext,
  input: Parameters<SolanaChain["buildCollect"]>[0]
) {
  const owners = [input.wallet, context.vault.address]
  const accounts = yield* Effect.forEach(owners, (owner) => context.tokenAccountOf(owner, input.token))
  const price = yield* context.priceFor([context.relayer.address, ...accounts])
  const instructions = yield* collectInstructions(context, input, { units: unitsOf.collect, price })
  const { blockhash, lastValidBlockHeight } = yield* latestBlockhash(context)
  const wire = yield* compileWire(context, blockhash, instructions)
  return { transaction: write(wire, new Map()), lastValidBlockHeight }
})

const isProcessed = (cause: unknown) =>
  isSolanaError(cause, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE) &&
  isSolanaError(cause.cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)

/**
 * Broadcasts an attempt. The nodes are asked not to retry, because the service rebroadcasts the transaction for as long
 * as it can land.
 */
const broadcast = ({ config, nodes }: ChainContext, { hash, raw }: Attempt) => {
  const options = { encoding: "base64", skipPreflight: true, maxRetries: 0n } as const
  const call = (rpc: Rpc<SolanaRpcApi>) => ({
    send: async (how: { readonly abortSignal: AbortSignal }) => {
      try {
        return await rpc.sendTransaction(raw as Base64EncodedWireTransaction, options).send(how)
      } catch (cause) {
        if (isProcessed(cause)) return hash
        throw cause
      }
    }
  })
  return Effect.asVoid(sendToAll(config.id, nodes.senders, (node) => node.ask("sendTransaction", Text, call)))
}

/**
 * Creates a Solana chain. No requests are sent until the chain is used.
 *
 * @example
 * ```ts
 * const chain = yield* SolanaChain.make({ config, relayer, vault })
 * yield* chain.verify
 * ```
 */
export const make = ({ config, relayer, vault }: Options): Effect.Effect<SolanaChain> =>
  Effect.sync(() => {
    const nodes = makeNodes(config)
    const context = {
      config,
      relayer,
      vault,
      nodes,
      tokenAccountOf: makeTokenAccounts(),
      priceFor: PriorityFee.make(config, nodes),
      rentOf: Rent.make(config, nodes)
    }
    const pace = Pace.make(config.pollMillis)
    return {
      family: "solana",
      id: config.id,
      name: config.name,
      tokens: config.tokens.map(({ address, decimals, symbol }) => ({ address, decimals, symbol })),
      vault: config.vault,
      vaults: [config.vault],
      relayer: relayer.address,
      relayers: [relayer.address],
      hasOneFinality: true,
      pollMillis: config.pollMillis,
      maxBatch: Math.min(config.maxBatch, mostPayments),
      nextLook: pace.next,
      verify: verify(context),
      inspect: inspect(context),
      balanceOf: (token, owner) => Effect.map(balanceAt(context, token, owner, 0n), amountOf),
      inventoryOf: (token) => Effect.map(heldAt(context, token, 0n), amountOf),
      balanceAt: (token, owner, since) => balanceAt(context, token, owner, since),
      heldAt: (token, since) => heldAt(context, token, since),
      // There are no caps.
      deliverableAt: () => Effect.succeed(uncapped),
      refundableAt: () => Effect.succeed(uncapped),
      largestInput: () => Effect.succeed(largestAmount),
      height: context.nodes.use((node) => node.ask("getSlot", Slot, (rpc) => rpc.getSlot({ commitment: "confirmed" }))),
      costOf: (query) => costOf(context, query),
      mostCostOf: (query) => costAt(context, query, config.computeUnitPrice.cap),
      fundsAt: RelayerFunds.make(context),
      lacksAccount: (token, owner) => lacksAccount(context, token, owner),
      prepare: (job) => prepare(context, job),
      combine: (drafts) => combine(context, drafts),
      sign: ({ plan }) => sign(context, plan as Plan),
      isBatch,
      signerOf: () => Effect.succeed(relayer.address),
      broadcast: (attempt) => broadcast(context, attempt),
      observe: Observe.make(context, pace),
      // A pending transaction is signed again only after its blockhash has expired.
      replace: () => Effect.undefined,
      // The chain does not record orders, so an external transfer looks like any other transfer.
      externalSettlement: () => Effect.succeed({ _tag: "Unused" }),
      recipientAtFault: (job) => recipientAtFault(context, job),
      agreement: agreement(context),
      buildCollect: (input) => buildCollect(context, input)
    }
  })
