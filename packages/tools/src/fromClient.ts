/** The backend of the tools, on the promise client of `@geoswap/core`. */
import {
  type ChainInfo,
  defaultSlippageBps,
  type Deployment,
  formatAmount,
  isSwapError,
  type Network,
  parseAmount,
  type PolicyOptions,
  type RuledClient,
  type Swap,
  type SwapError,
  type SwapEvent,
  tokenResolver
} from "@geoswap/core/promise"
import { keyFor, ordersRecord } from "./automaticKey.js"
import type { Backend, Call, ExecuteOrder, Order } from "./Backend.js"
import { failWithClaim } from "./claimedAmounts.js"
import * as Names from "./names.js"
import { policyView } from "./policyView.js"
import { searchTokens } from "./searchTokens.js"
import { memorySwaps, type OpenSession, type Session, type SwapRecords, type Use } from "./session.js"
import { quoteView, sideView, swapView } from "./swapView.js"
import { ToolError } from "./ToolError.js"
import type * as View from "./views.js"

/** What a backend needs besides the sessions of its calls. */
export interface SessionBackendOptions {
  /** The swaps to list (default: those that this process has seen). */
  readonly swaps?: SwapRecords | undefined
  /** Reads the limits of all wallets. */
  readonly policies: Backend["policies"]
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

/** The chains that the service lists. Some services list none. */
const servedBy = async (client: Session["client"], { signal }: Call): Promise<ReadonlyArray<ChainInfo>> => {
  try {
    return await client.chains({ signal })
  } catch (error) {
    if (isSwapError(error) && error._tag === "Rejected" && error.status === 404) return []
    throw error
  }
}

const millis = (seconds: number): number => Math.max(1, seconds * 1000)

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
        message:
          "There was no answer in time: the service is slow, or another call still works on the same swap. This call signed nothing.",
        nextStep: "Wait, and then call execute_swap again with the same arguments and the same idempotencyKey."
      })

const isTimeout = (error: unknown): error is Extract<SwapError, { readonly _tag: "WaitTimeout" }> =>
  isSwapError(error) && error._tag === "WaitTimeout"

/** Whether the policy refused a swap until a person approves it. */
const needsApproval = (error: unknown): error is SwapError =>
  isSwapError(error) && error._tag === "PolicyViolation" && error.approvalId !== undefined

/** A status in an error, which may be any text. */
const statusOf = (text: string): View.Swap["status"] =>
  (["settled", "failed", "refunded"] as const).find((status) => status === text) ?? "pending"

/** The slippage of an order that names none: the default, or less if the policy allows less. */
const slippageOf = ({ slippageBps }: Pick<Order, "slippageBps">, { maxSlippageBps }: PolicyOptions) =>
  slippageBps ?? (maxSlippageBps === undefined ? undefined : Math.min(defaultSlippageBps, maxSlippageBps))

const isContract = (deployment: Deployment | undefined, address: string) =>
  [...(deployment?.delegates ?? []), ...(deployment?.older ?? []).map(({ delegate }) => delegate)].some(
    (one) => one.toLowerCase() === address.toLowerCase()
  )

/** The names of a network's chains, and its tokens. */
const namesIn = ({ chains }: Network): Names.Names => ({
  chains: chains.map(({ family, id, name }) => ({ id, name, kind: family })),
  tokens: chains.flatMap(({ id, tokens = [] }) => tokens.map((token) => ({ chainId: id, ...token })))
})

/**
 * Creates a backend on a client. Only the pinned tokens of the client's network can be swapped, and only their decimals
 * are used. The client's readers read balances. The client's policy is the boundary: the tools add no permission, and have no limits
 * besides it. Without budgets and recipients in the policy, `execute_swap` refuses. The client's store also has the
 * keys of calls without an `idempotencyKey`.
 *
 * @example
 * ```ts
 * const client = createClient({ network, transport, signers: { evm: signer }, readers, policy, store })
 * const tools = createTools(fromClient(client))
 * ```
 */
export const fromClient = (client: RuledClient): Backend => {
  const { network, readers } = client.rules
  const session = { client, names: namesIn(network), resolver: tokenResolver({ network, readers }) }
  return fromSessions(() => Promise.resolve(session), {
    policies: () =>
      Promise.all(
        kinds.flatMap((kind) => {
          const wallet = client.rules.wallets[kind]
          return wallet === undefined ? [] : [policyView(session.names, client.rules, kind, wallet)]
        })
      )
  })
}

/**
 * Creates a backend that opens a session for every call. `fromClient` uses one client for all calls.
 *
 * @example
 * ```ts
 * const tools = createTools(fromSessions(({ kind, signs }) => openSession(kind, signs), { policies }))
 * ```
 */
export const fromSessions = (
  open: OpenSession,
  { policies, swaps: records = memorySwaps() }: SessionBackendOptions
): Backend => {
  const remember = (swap: View.Swap): View.Swap => {
    records.put?.(swap)
    return swap
  }
  const read = (call: Call, kind?: Use["kind"]): Promise<Session> => open({ kind, signs: false }, call)

  /** The kind of the wallet that pays for an order. */
  const kindOf = async ({ from }: Pick<Order, "from">, call: Call) => {
    const { names } = await read(call)
    return Names.resolveChain(names, from.slice(from.lastIndexOf("@") + 1)).kind
  }

  const resolve = ({ client, names }: Session, { amount, from, recipient, to }: Order): Resolved => {
    const { wallets } = client.rules
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

  /** The key of an order without one: the same order within the window has the same key. */
  const keyOf = async ({ client }: Session, parts: ReadonlyArray<string>): Promise<string> => {
    const flows = await client.pending()
    const unfinished = new Set(flows.flatMap(({ idempotencyKey }) => idempotencyKey ?? []))
    const change = keyFor({
      parts,
      fresh: crypto.randomUUID(),
      now: Date.now(),
      unfinished: (key) => unfinished.has(key)
    })
    return client.rules.store.update(ordersRecord, (before) => [...change(before)])
  }

  const execute = async (order: ExecuteOrder, call: Call) => {
    const session = await open({ kind: await kindOf(order, call), signs: true }, call)
    const { approve, client, names } = session
    const { canProve, policy } = client.rules
    if (policy.budgets === undefined || policy.allowedRecipients === undefined) {
      throw new ToolError({
        code: "NO_POLICY",
        message: "There is no policy with budgets and recipients, so nothing is signed.",
        nextStep: "A person has to set a policy. Do not try to swap in another way."
      })
    }
    const resolved = resolve(session, order)
    const unread = [resolved.from.chain, resolved.to.chain].find(({ id }) => !canProve(id))
    if (unread !== undefined && policy.acceptClaims !== true) {
      throw new ToolError({
        code: "NO_NODES",
        message: `The wallet has no reader for ${unread.name}, so the outcome of a swap could not be proved. Nothing was signed.`,
        nextStep: "Use other chains, or ask the person who runs this wallet to add a node."
      })
    }
    const request = requestOf(resolved, slippageOf(order, policy))
    const least = order.minOutput === undefined ? undefined : parseAmount(order.minOutput, resolved.to.token)
    const idempotencyKey =
      order.idempotencyKey ?? (await keyOf(session, Object.values({ ...request, least }).map(String)))
    const state: { signed: boolean; flowId?: string } = { signed: false }
    const wait = millis(order.waitSeconds)
    const { wallet } = resolved
    const attempt = async (): Promise<View.Swap> => {
      const late = AbortSignal.timeout(wait + graceMillis)
      try {
        const swap = await client.execute(request, {
          idempotencyKey,
          minOutput: least,
          signal: AbortSignal.any([call.signal, late]),
          timeout: wait,
          onProgress: (event: SwapEvent) => {
            if (event.type === "signed") Object.assign(state, { signed: true, flowId: event.flowId })
            call.onProgress(event)
          }
        })
        return swapView(names, swap, { wallet, flowId: state.flowId })
      } catch (error) {
        if (late.aborted && !call.signal.aborted) throw tooSlow(state)
        if (!isTimeout(error)) throw error
        const last = { swapId: error.swapId, status: statusOf(error.status) }
        return {
          ...swapView(names, last, { wallet, flowId: error.flowId }),
          from: sideView(names, { chainId: request.originChain, token: request.inputToken, amount: request.amount }),
          recipient: request.recipient
        }
      }
    }
    const swap = await attempt()
      .catch(async (error: unknown) => {
        if (approve === undefined || !needsApproval(error) || !(await approve(error))) throw error
        return attempt()
      })
      .catch(failWithClaim(resolved.from))
    return { swap: await merge(swap), idempotencyKey, repeated: !state.signed }
  }

  /**
   * Adds what is known of a swap from an earlier call, for which the service's report is not needed. What was proved stays,
   * whatever the service says later.
   */
  const merge = async (swap: View.Swap): Promise<View.Swap> => {
    const found = await records.find(swap.swapId)
    // A service may give two flows the same swap id. What one of them proves is not known of the other.
    const isSame = found?.flowId === undefined || swap.flowId === undefined || found.flowId === swap.flowId
    const before = isSame ? found : undefined
    if (before?.evidence === "proved" && swap.evidence !== "proved") return remember(before)
    const { flowId, from, recipient, startedAt, to, wallet } = before ?? {}
    return remember({
      ...swap,
      startedAt: startedAt ?? swap.startedAt,
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
      if (!isTimeout(error)) throw error
      const id = error.swapId === "" ? swapId : error.swapId
      const flowId = error.flowId === "" ? undefined : error.flowId
      return merge({ swapId: id, status: statusOf(error.status), evidence: "claimed", flowId })
    }
  }

  /**
   * Checks what the service says about the end of a swap with the wallet's own nodes, for at most this many seconds.
   * Without a flow, there is nothing to check it with.
   */
  const checked = async (
    { client, names }: Session,
    swap: Swap,
    seconds: number,
    signal: AbortSignal
  ): Promise<View.Swap> => {
    const flow =
      swap.status === "pending" ? undefined : (await client.pending()).find((one) => one.swapId === swap.swapId)
    if (flow === undefined) return merge(swapView(names, swap))
    try {
      const resumed = await client.resume(flow.id, { signal, timeout: millis(seconds) })
      return await merge(swapView(names, resumed, { flowId: flow.id }))
    } catch (error) {
      if (signal.aborted) throw error
      // What could not be checked is shown as the claim that it is.
      return merge(swapView(names, swap, { flowId: flow.id }))
    }
  }

  const evmSession = async (chainName: string, signs: boolean, call: Call) => {
    const session = await open({ kind: "evm", signs }, call)
    const chain = Names.resolveChain(session.names, chainName)
    const wallet = session.client.rules.wallets.evm
    if (chain.kind === "evm" && wallet !== undefined) return { ...session, chain, wallet }
    throw new ToolError({
      code: "NO_DELEGATION",
      message: `There is no EVM wallet on ${chain.name}.`,
      nextStep: "Only wallets on EVM chains have a delegation. Choose an EVM chain."
    })
  }

  return {
    chains: async (call) => {
      const { client, names } = await read(call)
      const served = await servedBy(client, call)
      return names.chains.map((chain) => ({
        id: chain.id,
        name: chain.name,
        kind: chain.kind,
        served: served.some(({ id }) => id === chain.id),
        tokens: names.tokens.flatMap((token) => (token.chainId === chain.id ? [Names.tokenView({ chain, token })] : []))
      }))
    },
    searchTokens: async (query, chainName, call) => {
      const session = await read(call)
      return searchTokens(session, await servedBy(session.client, call), query, chainName)
    },
    balances: async (chainName, call) => {
      const { client, names, resolver } = await read(call)
      const only = chainName === undefined ? undefined : Names.resolveChain(names, chainName)
      const all = resolver === undefined ? [] : await resolver.balances(client.rules.wallets)
      const wanted = all.filter(({ token }) => only === undefined || token.chainId === only.id)
      const unread = names.chains.filter(
        ({ id }) => (only === undefined || id === only.id) && wanted.every(({ token }) => token.chainId !== id)
      )
      return {
        balances: wanted.flatMap(({ amount, wallet, token }) => {
          const found = Names.tokenAt(names, token.chainId, token.address)
          return found === undefined
            ? []
            : [{ token: Names.formatToken(found), wallet, amount: formatAmount(amount, found.token) }]
        }),
        unread: unread.map(({ name }) => name)
      }
    },
    quote: async ({ indicative, slippageBps, ...order }, call) => {
      const session = await read(call, await kindOf(order, call))
      const { client, names } = session
      const slippage = slippageOf({ slippageBps }, client.rules.policy)
      if (indicative) {
        const [from, to] = [Names.resolveToken(names, order.from), Names.resolveToken(names, order.to)]
        const amount = parseAmount(order.amount, from.token)
        const { recipient } = order
        const request = requestOf({ from, to, amount, wallet: "", recipient: recipient ?? "" }, slippage)
        const asked = client.indicativeQuote({ ...request, walletAddress: undefined, recipient }, call)
        const quote = await asked.catch(failWithClaim(from))
        return quoteView(names, { from, to, amount, recipient }, quote)
      }
      const resolved = resolve(session, order)
      const asked = client.quote(requestOf(resolved, slippage), { signal: call.signal })
      return quoteView(names, resolved, await asked.catch(failWithClaim(resolved.from)))
    },
    execute,
    swap: async (swapId, call) => {
      const session = await read(call)
      const { signal } = call
      return checked(session, await session.client.status(swapId, { signal }), checkSeconds, signal)
    },
    wait: async (swapId, seconds, call) => {
      const session = await read(call)
      const { onProgress, signal } = call
      const until = Date.now() + millis(seconds)
      const follow = async () => {
        let last: Swap = { swapId, status: "pending" }
        for await (const swap of session.client.watch(swapId, { signal, timeout: millis(seconds) })) {
          onProgress({ type: "status", swap })
          last = swap
        }
        return checked(session, last, (until - Date.now()) / 1000, signal)
      }
      return orPending(swapId, follow())
    },
    swaps: async (limit, call) => {
      const { client, names } = await read(call)
      const wallets = Object.values(client.rules.wallets).map((wallet) => wallet?.toLowerCase())
      const flows = await client.pending()
      const unfinished = flows.filter(({ request }) => wallets.includes(request.walletAddress.toLowerCase()))
      return {
        swaps: await records.list(limit),
        unfinished: unfinished.map(({ createdAt, id, request, swapId }) => ({
          flowId: id,
          swapId,
          startedAt: new Date(createdAt).toISOString(),
          from: sideView(names, { chainId: request.originChain, token: request.inputToken, amount: request.amount })
        }))
      }
    },
    resume: async (id, seconds, call) => {
      const session = await read(call)
      const { client, names } = session
      const { onProgress, signal } = call
      const flow = (await client.pending()).find((one) => one.id === id || one.swapId === id)
      if (flow === undefined) {
        const known = await records.find(id)
        if (known !== undefined) return checked(session, await client.status(id, { signal }), checkSeconds, signal)
        throw new ToolError({
          code: "NOTHING_TO_RESUME",
          message: "There is no unfinished swap with this id.",
          nextStep: "Call get_swap with the swapId, or list_swaps."
        })
      }
      const late = AbortSignal.timeout(millis(seconds) + graceMillis)
      const resumed = client
        .resume(flow.id, {
          signal: AbortSignal.any([signal, late]),
          timeout: millis(seconds),
          onProgress
        })
        .catch((error: unknown) => {
          throw late.aborted && !signal.aborted ? tooSlow({ signed: true, flowId: flow.id }) : error
        })
      return orPending(
        flow.swapId ?? "",
        resumed.then((swap) => merge(swapView(names, swap, { flowId: flow.id })))
      )
    },
    delegation: async (chainName, call) => {
      const { chain, client, wallet } = await evmSession(chainName, false, call)
      const { delegated, delegatedTo, delegationTarget } = await client.delegation(
        { chainId: chain.id, walletAddress: wallet },
        { signal: call.signal }
      )
      const named = delegated ? (delegatedTo ?? delegationTarget) : delegationTarget
      const delegate = named !== undefined && /^0x[0-9a-fA-F]{40}$/.test(named) ? named : undefined
      const deployment = client.rules.network.chains.find(({ id }) => id === chain.id)?.deployment
      return {
        chain: chain.name,
        chainId: chain.id,
        wallet,
        delegated,
        ...(delegate !== undefined && {
          delegate,
          // A wallet may stay delegated to an older contract, but it never delegates to one.
          pinned: isContract(delegated ? deployment : deployment && { ...deployment, older: [] }, delegate)
        })
      }
    },
    revoke: async (chainName, call) => {
      const { chain, client, wallet } = await evmSession(chainName, true, call)
      const { changed, delegatedTo, txHash } = await client.undelegate({ chainId: chain.id }, { signal: call.signal })
      return {
        chain: chain.name,
        chainId: chain.id,
        wallet,
        delegated: delegatedTo !== undefined,
        changed,
        ...(txHash !== undefined && /^[0-9A-Za-z]{1,128}$/.test(txHash) && { txHash })
      }
    },
    policies
  }
}
