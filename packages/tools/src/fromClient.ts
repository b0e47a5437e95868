/** A backend on the promise client of `@geoswap/core`, for programs that do not use the command line. */
import {
  formatAmount,
  isSwapError,
  parseAmount,
  type RuledClient,
  type Swap,
  type SwapEvent,
  type TokenResolver
} from "@geoswap/core/promise"
import { keyFor, ordersRecord } from "./automaticKey.js"
import type { Backend, Call, ExecuteOrder, Order } from "./Backend.js"
import * as Names from "./names.js"
import { progressOf } from "./progressOf.js"
import { quoteView, sideView, swapView } from "./swapView.js"
import { ToolError } from "./ToolError.js"
import type * as View from "./views.js"

/** What a backend needs besides the client. */
export interface ClientBackendOptions {
  /** The chains and their names. */
  readonly chains: ReadonlyArray<Names.NamedChain>
  /** The pinned tokens. Only these can be swapped, and their decimals are the only ones that are used. */
  readonly tokens: ReadonlyArray<Names.PinnedToken>
  /** Reads balances, for example `tokenResolver({ list: tokens, readers })`. Without it, `get_balances` has no result. */
  readonly resolver?: Pick<TokenResolver, "balances"> | undefined
}

/** What an order means. */
interface Resolved {
  readonly from: Names.ChainToken
  readonly to: Names.ChainToken
  readonly amount: bigint
  readonly wallet: string
  readonly recipient: string
}

const kinds = ["evm", "solana"] as const

/** How long a call that only reads a swap checks what the service says about its end. */
const checkSeconds = 5

/** How much longer than the time to wait a call may take until it gives up on a service that does not answer. */
const graceMillis = 2_000

const tooSlow = ({ flowId, signed }: { readonly signed: boolean; readonly flowId?: string }): ToolError =>
  signed
    ? new ToolError({
        code: "OUTCOME_UNKNOWN",
        message: "The swap was signed, and the service is slow: it has not answered yet whether it accepted the swap.",
        nextStep: "Do not start the swap again. Call resume_swap with the flowId.",
        flowId
      })
    : new ToolError({
        code: "SERVICE_SLOW",
        message: "The service is slow: it did not answer in time. Nothing was signed.",
        nextStep: "Wait, and then call execute_swap again with the same arguments and the same idempotencyKey."
      })

/** A status in an error, which may be any text. */
const statusOf = (text: string): View.Swap["status"] =>
  (["settled", "failed", "refunded"] as const).find((status) => status === text) ?? "pending"

/** The keys of calls without an `idempotencyKey`, for a client without a ledger. */
const memoryRecords = (): NonNullable<RuledClient["rules"]["ledger"]> => {
  const records = new Map<string, string>()
  return {
    update: async (name, change) => {
      const [next, answer] = change(records.get(name))
      if (next === undefined) records.delete(name)
      else records.set(name, next)
      return answer
    }
  }
}

/**
 * Creates a backend on a client. The client's policy is the boundary: the tools add no permission, and have no limits
 * besides it. Without budgets and recipients in the policy, `execute_swap` refuses. The client's ledger also stores the
 * keys of calls without an `idempotencyKey`.
 *
 * @example
 * ```ts
 * const client = createClient({ transport, signers: { evm: signer }, readers, policy, ledger, journal })
 * const tools = createTools(fromClient(client, { chains, tokens }))
 * ```
 */
export const fromClient = (client: RuledClient, options: ClientBackendOptions): Backend => {
  const { chains, resolver, tokens } = options
  const { canProve, ledger = memoryRecords(), policy, remaining, wallets } = client.rules
  const names: Names.Names = { chains, tokens }
  /** The swaps that this backend has seen, newest last. */
  const seen = new Map<string, View.Swap>()
  const remember = (swap: View.Swap): View.Swap => {
    seen.delete(swap.swapId)
    seen.set(swap.swapId, swap)
    return swap
  }

  const resolve = ({ amount, from, recipient, to }: Order): Resolved => {
    const [input, output] = [Names.resolveToken(names, from), Names.resolveToken(names, to)]
    const wallet = wallets[input.chain.kind]
    const receiver = recipient ?? wallets[output.chain.kind]
    if (wallet === undefined || receiver === undefined) {
      throw new ToolError({
        code: "NO_WALLET",
        message: `There is no wallet for ${wallet === undefined ? input.chain.name : output.chain.name}.`,
        nextStep: wallet === undefined ? "Pay on another chain." : "Pass a recipient."
      })
    }
    return { from: input, to: output, amount: parseAmount(amount, input.token), wallet, recipient: receiver }
  }

  const requestOf = ({ amount, from, recipient, to, wallet }: Resolved, slippageBps: number | undefined) => ({
    originChain: from.chain.id,
    destinationChain: to.chain.id,
    inputToken: from.token.address,
    outputToken: to.token.address,
    amount,
    walletAddress: wallet,
    recipient,
    slippageBps
  })

  /** The keys of the flows whose outcome is not known yet. */
  const unfinishedKeys = async (): Promise<ReadonlySet<string>> =>
    new Set((await client.pending()).flatMap(({ idempotencyKey }) => idempotencyKey ?? []))

  const execute = async (order: ExecuteOrder, { onProgress, signal }: Call) => {
    if (policy.budgets === undefined || policy.allowedRecipients === undefined) {
      throw new ToolError({
        code: "NO_POLICY",
        message: "There is no policy with budgets and recipients, so nothing is signed.",
        nextStep: "A person has to set a policy. Do not try to swap in another way."
      })
    }
    const { minOutput, slippageBps, waitSeconds } = order
    const resolved = resolve(order)
    const unread = [resolved.from.chain, resolved.to.chain].find(({ id }) => !canProve(id))
    if (unread !== undefined && policy.acceptClaims !== true) {
      throw new ToolError({
        code: "NO_NODES",
        message: `The client has no reader for ${unread.name}, so the outcome of a swap could not be proved. Nothing was signed.`,
        nextStep: "Use other chains, or ask the person who runs this wallet to add a node."
      })
    }
    const request = requestOf(resolved, slippageBps)
    const least = minOutput === undefined ? undefined : parseAmount(minOutput, resolved.to.token)
    const parts = Object.values({ ...request, least }).map(String)
    const unfinished = order.idempotencyKey === undefined ? await unfinishedKeys() : new Set<string>()
    const idempotencyKey =
      order.idempotencyKey ??
      (await ledger.update(ordersRecord, (before) => [
        ...keyFor({ parts, fresh: crypto.randomUUID(), now: Date.now(), unfinished: (key) => unfinished.has(key) })(
          before
        )
      ]))
    const state: { signed: boolean; flowId?: string } = { signed: false }
    const listen = (event: SwapEvent) => {
      if (event.type === "signed") Object.assign(state, { signed: true, flowId: event.flowId })
      onProgress(progressOf(event))
    }
    const known = { wallet: resolved.wallet }
    const wait = Math.max(1, waitSeconds * 1000)
    const late = AbortSignal.timeout(wait + graceMillis)
    try {
      const swap = await client.execute(request, {
        idempotencyKey,
        minOutput: least,
        signal: AbortSignal.any([signal, late]),
        timeout: wait,
        onProgress: listen
      })
      return {
        swap: remember(swapView(names, swap, { ...known, flowId: state.flowId })),
        idempotencyKey,
        repeated: !state.signed
      }
    } catch (error) {
      if (late.aborted && !signal.aborted) throw tooSlow(state)
      if (!isSwapError(error) || error._tag !== "WaitTimeout") throw error
      const last = { swapId: error.swapId, status: statusOf(error.status) }
      const pending = swapView(names, last, { ...known, flowId: error.flowId })
      return {
        swap: remember({
          ...pending,
          from: sideView(names, { chainId: request.originChain, token: request.inputToken, amount: request.amount }),
          recipient: request.recipient
        }),
        idempotencyKey,
        repeated: !state.signed
      }
    }
  }

  /**
   * Adds what is known of a swap from an earlier call, for which the service's report is not needed. What was proved stays,
   * whatever the service says later.
   */
  const merge = (swap: View.Swap): View.Swap => {
    const before = seen.get(swap.swapId)
    if (before?.evidence === "proved" && swap.evidence !== "proved") return remember(before)
    const { flowId, from, recipient, to, wallet } = before ?? {}
    return remember({
      ...swap,
      flowId: flowId ?? swap.flowId,
      from: from ?? swap.from,
      to: to ?? swap.to,
      wallet: wallet ?? swap.wallet,
      recipient: recipient ?? swap.recipient
    })
  }

  const orPending = async (swapId: string, waiting: Promise<View.Swap>): Promise<View.Swap> => {
    try {
      return await waiting
    } catch (error) {
      if (!isSwapError(error) || error._tag !== "WaitTimeout") throw error
      const id = error.swapId === "" ? swapId : error.swapId
      return merge({ swapId: id, status: statusOf(error.status), evidence: "claimed" })
    }
  }

  /**
   * Checks what the service says about the end of a swap with the wallet's own nodes, for at most this many seconds.
   * Without a flow, there is nothing to check it with.
   */
  const checked = async (swap: Swap, seconds: number, signal: AbortSignal): Promise<View.Swap> => {
    const flow =
      swap.status === "pending" ? undefined : (await client.pending()).find((one) => one.swapId === swap.swapId)
    if (flow === undefined) return merge(swapView(names, swap))
    try {
      const resumed = await client.resume(flow.id, { signal, timeout: Math.max(1, seconds * 1000) })
      return merge(swapView(names, resumed, { flowId: flow.id }))
    } catch (error) {
      if (!isSwapError(error) || (error._tag !== "WaitTimeout" && error._tag !== "OutcomeUnknown")) throw error
      return merge(swapView(names, swap, { flowId: flow.id }))
    }
  }

  const evmWallet = (chain: Names.NamedChain): string => {
    if (chain.kind === "evm" && wallets.evm !== undefined) return wallets.evm
    throw new ToolError({
      code: "NO_DELEGATION",
      message: `There is no EVM wallet on ${chain.name}.`,
      nextStep: "Only wallets on EVM chains have a delegation. Choose an EVM chain."
    })
  }

  return {
    chains: async ({ signal }) => {
      const served = await client.chains({ signal })
      return chains.map((chain) => ({
        id: chain.id,
        name: chain.name,
        kind: chain.kind,
        served: served.some(({ id }) => id === chain.id),
        tokens: tokens.flatMap((token) => (token.chain === chain.id ? [Names.tokenView({ chain, token })] : []))
      }))
    },
    searchTokens: async (query, chainName, { signal }) => {
      const only = chainName === undefined ? undefined : Names.resolveChain(names, chainName)
      const wanted = query.toLowerCase()
      const matches = (texts: ReadonlyArray<string>) => texts.some((text) => text.toLowerCase().includes(wanted))
      const here = chains.filter(({ id }) => only === undefined || id === only.id)
      const pinned = here.flatMap((chain) =>
        tokens
          .filter((token) => token.chain === chain.id && matches([token.symbol, token.address]))
          .map((token): View.FoundToken => ({
            token: Names.formatToken({ chain, token }),
            symbol: token.symbol,
            chain: chain.name,
            chainId: chain.id,
            address: token.address,
            source: "pinned"
          }))
      )
      const served = await client.chains({ signal })
      const listed = here.flatMap((chain) =>
        (served.find(({ id }) => id === chain.id)?.tokens ?? [])
          .filter(({ address }) => Names.tokenAt(names, chain.id, address) === undefined)
          .filter(({ address, symbol }) => /^[0-9A-Za-z]{1,128}$/.test(address) && matches([symbol, address]))
          .map(({ address, symbol }): View.FoundToken => ({
            untrustedSymbol: symbol,
            chain: chain.name,
            chainId: chain.id,
            address,
            source: "service"
          }))
      )
      return [...pinned, ...listed]
    },
    balances: async (chainName) => {
      const only = chainName === undefined ? undefined : Names.resolveChain(names, chainName)
      const read = resolver === undefined ? [] : await resolver.balances(wallets)
      const wanted = read.filter(({ token }) => only === undefined || token.chain === only.id)
      const unread = chains.filter(
        ({ id }) => (only === undefined || id === only.id) && wanted.every(({ token }) => token.chain !== id)
      )
      return {
        balances: wanted.flatMap(({ amount, owner, token }) => {
          const found = Names.tokenAt(names, token.chain, token.address)
          return found === undefined
            ? []
            : [{ token: Names.formatToken(found), wallet: owner, amount: formatAmount(amount, found.token) }]
        }),
        unread: unread.map(({ name }) => name)
      }
    },
    quote: async ({ indicative, slippageBps, ...order }, { signal }) => {
      if (indicative) {
        const [from, to] = [Names.resolveToken(names, order.from), Names.resolveToken(names, order.to)]
        const amount = parseAmount(order.amount, from.token)
        const { recipient } = order
        const request = requestOf({ from, to, amount, wallet: "", recipient: recipient ?? "" }, slippageBps)
        const quote = await client.indicativeQuote({ ...request, walletAddress: undefined, recipient }, { signal })
        return quoteView(names, { from, to, amount, recipient }, quote)
      }
      const resolved = resolve(order)
      return quoteView(names, resolved, await client.quote(requestOf(resolved, slippageBps), { signal }))
    },
    execute,
    swap: async (swapId, { signal }) => checked(await client.status(swapId, { signal }), checkSeconds, signal),
    wait: (swapId, seconds, { onProgress, signal }) =>
      orPending(
        swapId,
        (async () => {
          const until = Date.now() + seconds * 1000
          let last: Swap = { swapId, status: "pending" }
          for await (const swap of client.watch(swapId, { signal, timeout: Math.max(1, seconds * 1000) })) {
            onProgress({ stage: "status", swapId: swap.swapId, status: swap.status })
            last = swap
          }
          return checked(last, (until - Date.now()) / 1000, signal)
        })()
      ),
    swaps: async (limit) => {
      const unfinished = await client.pending()
      return {
        swaps: [...seen.values()].toReversed().slice(0, limit),
        unfinished: unfinished.map(({ createdAt, id, request, swapId }) => ({
          flowId: id,
          swapId,
          startedAt: new Date(createdAt).toISOString(),
          from: sideView(names, { chainId: request.originChain, token: request.inputToken, amount: request.amount })
        }))
      }
    },
    resume: async (id, seconds, { onProgress, signal }) => {
      const flow = (await client.pending()).find((one) => one.id === id || one.swapId === id)
      if (flow === undefined) {
        throw new ToolError({
          code: "NOTHING_TO_RESUME",
          message: "There is no unfinished swap with this id.",
          nextStep: "Call get_swap with the swapId, or list_swaps."
        })
      }
      const timeout = Math.max(1, seconds * 1000)
      const resumed = client.resume(flow.id, { signal, timeout, onProgress: (event) => onProgress(progressOf(event)) })
      return orPending(
        flow.swapId ?? "",
        resumed.then((swap) => merge(swapView(names, swap, { flowId: flow.id })))
      )
    },
    delegation: async (chainName, { signal }) => {
      const chain = Names.resolveChain(names, chainName)
      const wallet = evmWallet(chain)
      const { delegated, delegatedTo, delegationTarget } = await client.delegation(
        { chainId: chain.id, walletAddress: wallet },
        { signal }
      )
      const delegate = delegated ? (delegatedTo ?? delegationTarget) : delegationTarget
      const pinned = policy.deployments?.[chain.id]?.delegates
      return {
        chain: chain.name,
        chainId: chain.id,
        wallet,
        delegated,
        ...(delegate !== undefined && {
          delegate,
          pinned: pinned?.some((one) => one.toLowerCase() === delegate.toLowerCase()) ?? false
        })
      }
    },
    revoke: async (chainName, { signal }) => {
      const chain = Names.resolveChain(names, chainName)
      const wallet = evmWallet(chain)
      const { changed, delegatedTo, txHash } = await client.undelegate({ chainId: chain.id }, { signal })
      return {
        chain: chain.name,
        chainId: chain.id,
        wallet,
        delegated: delegatedTo !== undefined,
        changed,
        ...(txHash !== undefined && /^[0-9A-Za-z]{1,128}$/.test(txHash) && { txHash })
      }
    },
    policies: () =>
      Promise.all(
        kinds.flatMap((kind) => {
          const wallet = wallets[kind]
          return wallet === undefined ? [] : [policyView(kind, wallet)]
        })
      )
  }

  async function policyView(kind: "evm" | "solana", wallet: string): Promise<View.Policy> {
    const left = await remaining(wallet)
    const tokenName = (chain: number, token: string) => {
      const found = Names.tokenAt(names, chain, token)
      return found === undefined ? `${token}@${chain}` : Names.formatToken(found)
    }
    const complete = policy.budgets !== undefined && policy.allowedRecipients !== undefined
    const idsOf = policy.allowedChains ?? chains.map(({ id }) => id)
    return {
      wallet,
      kind,
      boundary: complete ? "advisory" : "none",
      chains: chains.flatMap(({ id, name }) => (idsOf.includes(id) ? [name] : [])),
      tokens: tokens
        .filter(
          ({ address, chain }) =>
            policy.allowedTokens?.some(
              (ref) => ref.chain === chain && ref.token.toLowerCase() === address.toLowerCase()
            ) ?? true
        )
        .map(({ address, chain }) => tokenName(chain, address)),
      recipients: policy.allowedRecipients ?? [],
      budgets: (policy.budgets ?? []).flatMap(({ amount, chain, token, window = "total" }, index) => {
        const found = Names.tokenAt(names, chain, token)
        if (found === undefined || found.chain.kind !== kind) return []
        const rest = left.budgets[index] ?? 0n
        return [
          {
            token: Names.formatToken(found),
            window,
            amount: formatAmount(amount, found.token),
            spent: formatAmount(amount - rest, found.token),
            left: formatAmount(rest, found.token)
          }
        ]
      }),
      approveAbove: [],
      maxSlippageBps: policy.maxSlippageBps,
      maxFeeBps: policy.maxFeeBps,
      maxPriceImpactBps: policy.maxPriceImpactBps,
      maxSwapsPerHour: policy.maxSwapsPerHour,
      swapsLeftThisHour: left.swaps === undefined ? undefined : Number(left.swaps),
      ...(complete ? {} : { problem: "Set budgets and allowedRecipients in the client's policy." })
    }
  }
}
