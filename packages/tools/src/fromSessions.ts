/** The backend of the tools, with a session for every call. */
import {
  type ChainInfo,
  type Deployment,
  formatAmount,
  isSwapError,
  parseAmount,
  type Swap,
  type SwapError,
  type SwapEvent
} from "@geoswap/core/promise"
import { keyFor, ordersRecord } from "./automaticKey.js"
import type { Backend, Call, ExecuteOrder, Order } from "./Backend.js"
import { failWithClaim } from "./claimedAmounts.js"
import * as Names from "./names.js"
import { parseOrder, resolveOrder } from "./order.js"
import { searchTokens } from "./searchTokens.js"
import { memorySwaps, type OpenSession, type Session, type SwapRecords, type Use } from "./session.js"
import { quoteView, sideView, swapView } from "./swapView.js"
import { ToolError } from "./ToolError.js"
import { identifierOf } from "./untrusted.js"
import type * as View from "./views.js"

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

/** What a call has signed. */
interface Progress {
  readonly signed: boolean
  readonly flowId?: string | undefined
}

const tooSlow = ({ flowId, signed }: Progress): ToolError =>
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

/** Makes a call that waits for this many seconds, and gives up on a service that does not answer. */
const inTime = async (
  seconds: number,
  signal: AbortSignal,
  progress: () => Progress,
  call: (options: { readonly signal: AbortSignal; readonly timeout: number }) => Promise<View.Swap>
): Promise<View.Swap> => {
  const timeout = millis(seconds)
  const late = AbortSignal.timeout(timeout + graceMillis)
  try {
    return await call({ signal: AbortSignal.any([signal, late]), timeout })
  } catch (error) {
    throw late.aborted && !signal.aborted ? tooSlow(progress()) : error
  }
}

/** Whether the policy refused a swap until a person approves it. */
const needsApproval = (error: unknown): error is SwapError =>
  isSwapError(error) && error._tag === "PolicyViolation" && error.approvalId !== undefined

/** A status in an error, which may be any text. */
const statusOf = (text: string): View.Swap["status"] =>
  (["settled", "failed", "refunded"] as const).find((status) => status === text) ?? "pending"

/** Whether a person has pinned a contract. A wallet may stay delegated to an older one, but it never delegates to it. */
const isPinned = ({ delegates = [], older = [] }: Partial<Deployment>, address: string, delegated: boolean) =>
  [...delegates, ...(delegated ? older.map(({ delegate }) => delegate) : [])].some(
    (one) => one.toLowerCase() === address.toLowerCase()
  )

/** The key of an order without one: the same order within the window has the same key. */
const automaticKey = async ({ client }: Session, parts: ReadonlyArray<string>): Promise<string> => {
  const flows = await client.pending()
  const change = keyFor({
    parts,
    fresh: crypto.randomUUID(),
    now: Date.now(),
    unfinished: (key) => flows.some(({ idempotencyKey }) => idempotencyKey === key)
  })
  return client.rules.store.update(ordersRecord, (before) => [...change(before)])
}

/**
 * Creates a backend that opens a session for every call. `fromClient` uses one client for all calls. `swaps` are the swaps
 * to list (default: those that this process has seen), and `policies` reads the limits of all wallets.
 *
 * @example
 * ```ts
 * const tools = createTools(fromSessions(({ family, signs }) => openSession(family, signs), { policies }))
 * ```
 */
export const fromSessions = (
  open: OpenSession,
  {
    policies,
    swaps: records = memorySwaps()
  }: { readonly policies: Backend["policies"]; readonly swaps?: SwapRecords | undefined }
): Backend => {
  const read = (call: Call, family?: Use["family"]): Promise<Session> => open({ family, signs: false }, call)

  /** The family of the wallet that pays for an order. */
  const kindOf = async ({ from }: Pick<Order, "from">, call: Call) => {
    const { names } = await read(call)
    return Names.resolveChain(names, from.slice(from.lastIndexOf("@") + 1)).family
  }

  const remember = (swap: View.Swap): View.Swap => {
    records.put?.(swap)
    return swap
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

  /** Returns a swap that has not ended in time as pending. `known` is what is known of it besides its ids. */
  const orPending = async (
    waiting: Promise<View.Swap>,
    known: Partial<View.Swap> & Pick<View.Swap, "swapId">
  ): Promise<View.Swap> => {
    try {
      return await waiting
    } catch (error) {
      if (!isSwapError(error) || error._tag !== "WaitTimeout") throw error
      return merge({
        evidence: "claimed",
        ...known,
        swapId: error.swapId || known.swapId,
        status: statusOf(error.status),
        flowId: error.flowId || known.flowId
      })
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

  const readStatus = async (session: Session, swapId: string, { signal }: Call) =>
    checked(session, await session.client.status(swapId, { signal }), checkSeconds, signal)

  const execute = async (order: ExecuteOrder, call: Call) => {
    const session = await open({ family: await kindOf(order, call), signs: true }, call)
    const { approve, client, names } = session
    const { canProve, policy } = client.rules
    if (policy.budgets === undefined || policy.allowedRecipients === undefined) {
      throw new ToolError({
        code: "NO_POLICY",
        message: "There is no policy with budgets and recipients, so nothing is signed.",
        nextStep: "A person has to set a policy. Do not try to swap in another way."
      })
    }
    const { from, request, to } = resolveOrder(session, order)
    const unread = [from.chain, to.chain].find(({ id }) => !canProve(id))
    if (unread !== undefined && policy.acceptClaims !== true) {
      throw new ToolError({
        code: "NO_NODES",
        message: `The wallet has no reader for ${unread.name}, so the outcome of a swap could not be proved. Nothing was signed.`,
        nextStep: "Use other chains, or ask the person who runs this wallet to add a node."
      })
    }
    const minOutput = order.minOutput === undefined ? undefined : parseAmount(order.minOutput, to.token)
    const parts = Object.values({ ...request, minOutput }).map(String)
    const idempotencyKey = order.idempotencyKey ?? (await automaticKey(session, parts))
    const { recipient, walletAddress: wallet } = request
    const input = { chainId: request.originChain, token: request.inputToken, amount: request.amount }
    let progress: Progress = { signed: false }
    const onProgress = (event: SwapEvent) => {
      if (event.type === "signed") progress = { signed: true, flowId: event.flowId }
      call.onProgress(event)
    }
    const attempt = () =>
      orPending(
        inTime(
          order.waitSeconds,
          call.signal,
          () => progress,
          async (options) => {
            const swap = await client.execute(request, { ...options, idempotencyKey, minOutput, onProgress })
            return merge(swapView(names, swap, { wallet, flowId: progress.flowId }))
          }
        ),
        { swapId: "", wallet, from: sideView(names, input), recipient }
      )
    const swap = await attempt()
      .catch(async (error: unknown) => {
        if (approve === undefined || !needsApproval(error) || !(await approve(error))) throw error
        return attempt()
      })
      .catch(failWithClaim(from))
    return { swap, idempotencyKey, repeated: !progress.signed }
  }

  const evmSession = async (chainName: string, signs: boolean, call: Call) => {
    const session = await open({ family: "evm", signs }, call)
    const chain = Names.resolveChain(session.names, chainName)
    const wallet = session.client.rules.wallets.evm
    if (chain.family === "evm" && wallet !== undefined) {
      return { client: session.client, shared: { chain: chain.name, chainId: chain.id, wallet } }
    }
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
        family: chain.family,
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
      const chains = chainName === undefined ? names.chains : [Names.resolveChain(names, chainName)]
      const all = resolver === undefined ? [] : await resolver.balances(client.rules.wallets)
      return {
        balances: all.flatMap(({ amount, wallet, token }) => {
          const found = Names.tokenAt({ chains, tokens: names.tokens }, token.chainId, token.address)
          return found === undefined
            ? []
            : [{ token: Names.formatToken(found), wallet, amount: formatAmount(amount, found.token) }]
        }),
        unread: chains.flatMap(({ id, name }) => (all.some(({ token }) => token.chainId === id) ? [] : [name]))
      }
    },
    quote: async ({ indicative, ...order }, call) => {
      const session = await read(call, await kindOf(order, call))
      const { client, names } = session
      const { signal } = call
      if (!indicative) {
        const resolved = resolveOrder(session, order)
        return quoteView(
          names,
          resolved,
          await client.quote(resolved.request, { signal }).catch(failWithClaim(resolved.from))
        )
      }
      const parsed = parseOrder(session, order)
      const asked = client.indicativeQuote(parsed.request, { signal })
      return quoteView(names, parsed, await asked.catch(failWithClaim(parsed.from)))
    },
    execute,
    swap: async (swapId, call) => readStatus(await read(call), swapId, call),
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
      return orPending(follow(), { swapId })
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
      if (flow !== undefined) {
        const flowId = flow.id
        const resumed = inTime(
          seconds,
          signal,
          () => ({ signed: true, flowId }),
          async (options) => merge(swapView(names, await client.resume(flowId, { ...options, onProgress }), { flowId }))
        )
        return orPending(resumed, { swapId: flow.swapId ?? "" })
      }
      if ((await records.find(id)) !== undefined) return readStatus(session, id, call)
      throw new ToolError({
        code: "NOTHING_TO_RESUME",
        message: "There is no unfinished swap with this id.",
        nextStep: "Call get_swap with the swapId, or list_swaps."
      })
    },
    delegation: async (chainName, call) => {
      const { client, shared } = await evmSession(chainName, false, call)
      const { chainId, wallet: walletAddress } = shared
      const { delegated, delegatedTo, delegationTarget } = await client.delegation(
        { chainId, walletAddress },
        { signal: call.signal }
      )
      const named = delegated ? (delegatedTo ?? delegationTarget) : delegationTarget
      const delegate = named !== undefined && /^0x[0-9a-fA-F]{40}$/.test(named) ? named : undefined
      const deployment = client.rules.network.chains.find(({ id }) => id === chainId)?.deployment
      return {
        ...shared,
        delegated,
        ...(delegate !== undefined && { delegate, pinned: isPinned(deployment ?? {}, delegate, delegated) })
      }
    },
    revoke: async (chainName, call) => {
      const { client, shared } = await evmSession(chainName, true, call)
      const { chainId } = shared
      const { changed, delegatedTo, txHash } = await client.undelegate({ chainId }, { signal: call.signal })
      return { ...shared, delegated: delegatedTo !== undefined, changed, txHash: identifierOf(txHash) }
    },
    policies
  }
}
