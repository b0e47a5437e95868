/** The backend of the tools: the user's settings, keys, policy, journal and history. */
import { Amount, Chain, Client, type Journal, Quote, type Transport } from "@geoswap/core"
import {
  type Backend,
  type Call,
  type ExecuteOrder,
  keyFor,
  type Names,
  type Order,
  progressOf,
  quoteView,
  recordName,
  resolveChain,
  resolveToken,
  sideView,
  tokenAt,
  tokenView,
  ToolError,
  type View
} from "@geoswap/tools"
import { randomUUID } from "node:crypto"
import type * as Context from "effect/Context"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { AgentPolicy, type ApprovalNeeded, type WalletPolicy } from "../agent/AgentPolicy.js"
import type { AgentRules } from "../agent/PolicyFile.js"
import * as Balances from "../chains/Balances.js"
import { readDelegation } from "../chains/delegation.js"
import { type ChainToken, Directory } from "../chains/Directory.js"
import type { Settings } from "../config/Settings.js"
import * as Keys from "../keys/Keys.js"
import type { OpenEnvironment } from "../keys/openWallet.js"
import * as Session from "../service/Session.js"
import { withAmountsInTokens } from "../swap/amountsInErrors.js"
import * as History from "../swap/History.js"
import { FileJournal } from "../swap/stateFiles.js"
import { closeIfFinal } from "../swap/unfinished/resume.js"
import { allNames, policyNames } from "./names.js"
import { policyView, withoutPolicy } from "./policyView.js"
import { searchTokens } from "./searchTokens.js"
import { entryView } from "./swapView.js"
import { toToolError } from "./toolError.js"

/** What the server keeps for all calls. The journal knows which flows this process is working on. */
export type Services = AgentPolicy | OpenEnvironment | Settings | Transport.Transport | FileJournal | Journal.Journal

type Online = Services | Directory

/** Asks a person to approve a swap in the client, if the client and the policy allow that. */
export type Elicit = (needed: ApprovalNeeded, names: Names) => Effect.Effect<boolean>

const families = ["evm", "solana"] as const

const fail = (code: string, message: string, nextStep: string) =>
  Effect.fail(new ToolError({ code, message, nextStep }))

/** Runs a function of the tools that throws a `ToolError`. */
const attempt = <A>(run: () => A): Effect.Effect<A, ToolError> =>
  Effect.try({
    try: run,
    catch: (error) =>
      error instanceof ToolError
        ? error
        : new ToolError({ code: "INTERNAL", message: "An unexpected error occurred.", nextStep: "Report this error." })
  })

/** The verified rules of all policies that can be used. */
const usableRules = Effect.fnUntraced(function* () {
  const policies = yield* AgentPolicy
  const found = yield* Effect.forEach(families, (family) =>
    Effect.gen(function* () {
      if ((yield* Keys.sourceOf(family)) === undefined) return []
      return [yield* (yield* policies.wallet(family)).rules]
    }).pipe(Effect.catch(() => Effect.succeed([])))
  )
  return found.flat()
})

/** The names of all chains and tokens. */
const names = Effect.gen(function* () {
  return allNames(yield* Directory, yield* usableRules())
})

const parse = (text: string, decimals: number, what: string): Effect.Effect<bigint, ToolError> => {
  const amount = Amount.parse(text, decimals)
  return amount !== undefined && amount > 0n
    ? Effect.succeed(amount)
    : fail(
        "INVALID_ARGUMENTS",
        `${what} is invalid: expected more than zero, with at most ${decimals} decimal places.`,
        "Nothing was sent. Correct the amount. It is in whole tokens."
      )
}

/** Resolves the tokens, the amount and the recipient of an order. `known` are the tokens that may be named. */
const resolveOrder = Effect.fnUntraced(function* (order: Order, known: Names) {
  const [from, to] = yield* attempt(() => [resolveToken(known, order.from), resolveToken(known, order.to)] as const)
  const amount = yield* parse(order.amount, from.token.decimals, "amount")
  const { recipient } = order
  if (recipient !== undefined && !Chain.isAddress(to.chain.kind, recipient)) {
    return yield* fail(
      "INVALID_ARGUMENTS",
      `recipient is not an address on ${to.chain.name}.`,
      "Nothing was sent. Use an address that the user gave you, exactly as it was written."
    )
  }
  const own = recipient ?? (from.chain.kind === to.chain.kind ? undefined : yield* ownAddress(to.chain.kind))
  return { from, to, amount, recipient: own }
})

/** The address of the user's wallet on the other kind of chain, for the default recipient. */
const ownAddress = Effect.fnUntraced(function* (family: Chain.Family) {
  const address = yield* Effect.catch(Keys.addressWithoutPassword(family), () => Effect.succeed(undefined))
  return (
    address ??
    (yield* fail(
      "INVALID_ARGUMENTS",
      "recipient is missing: the two chains are of different kinds.",
      "Ask the user for the address that receives the output."
    ))
  )
})

type Resolved = Effect.Success<ReturnType<typeof resolveOrder>>

/** The slippage of an order that names none: the default, or less if the policy allows less. */
const slippageOf = ({ slippageBps }: Order, rules: AgentRules | undefined): number | undefined =>
  slippageBps ?? (rules && Math.min(Quote.defaultSlippageBps, rules.maxSlippageBps))

const inputOf = ({ amount, from, recipient, to }: Resolved, slippageBps: number | undefined) => ({
  originChain: from.chain.id,
  destinationChain: to.chain.id,
  inputToken: from.token.address,
  outputToken: to.token.address,
  amount,
  recipient,
  slippageBps
})

const quote = Effect.fnUntraced(function* (order: Order & { readonly indicative: boolean }) {
  const known = yield* names
  const resolved = yield* resolveOrder(order, known)
  const { kind } = resolved.from.chain
  const rules = (yield* usableRules()).find(({ wallet }) => wallet.kind === kind)
  const input = inputOf(resolved, slippageOf(order, rules))
  if (order.indicative) return quoteView(known, resolved, yield* Client.indicativeQuote(input))
  const wallet = yield* Keys.addressWithoutPassword(kind)
  if (wallet === undefined) {
    return yield* fail(
      "NO_WALLET",
      `There is no ${Keys.familyName[kind]} wallet.`,
      "Pass indicative: true for a price."
    )
  }
  const quoted = yield* Client.quote({ ...input, walletAddress: wallet })
  return quoteView(known, { ...resolved, recipient: resolved.recipient ?? wallet }, quoted)
})

/** A signed flow without a swap id may have been accepted, so nothing else is signed for the wallet until it is resumed. */
const checkUnfinished = Effect.fnUntraced(function* (family: Chain.Family, wallet: string, key: string) {
  const journal = yield* FileJournal
  const own = new Set((yield* journal.own).map(({ id }) => id))
  const { unfinished } = yield* journal.contents
  const open = unfinished.find(
    ({ busy, flow }) =>
      !busy &&
      !own.has(flow.id) &&
      flow.swapId === undefined &&
      flow.idempotencyKey !== key &&
      Chain.sameAddress(family, flow.request.walletAddress, wallet)
  )
  if (open === undefined) return
  return yield* Effect.fail(
    new ToolError({
      code: "UNFINISHED_SWAP",
      message: "An earlier swap of this wallet was signed, and its outcome is not known. Nothing else was signed.",
      nextStep: "Call resume_swap with the flowId first.",
      flowId: open.flow.id
    })
  )
})

/** The key of a call without one: the same order within the window has the same key, in all processes. */
const automaticKey = Effect.fnUntraced(function* (wallet: WalletPolicy, parts: ReadonlyArray<string>) {
  const journal = yield* FileJournal
  const store = yield* wallet.store
  const { unfinished } = yield* journal.contents
  const keys = new Set(unfinished.flatMap(({ flow }) => flow.idempotencyKey ?? []))
  const change = keyFor({
    fresh: randomUUID(),
    now: yield* Clock.currentTimeMillis,
    unfinished: (key) => keys.has(key)
  })
  return yield* store.update(recordName(parts), (before) => [...change(before)])
})

/** Records a swap in the history. If the history cannot be written, the swap continues. */
const record = (entry: History.Entry) => Effect.ignore(History.write(entry))

/** A swap that has not finished, with what is known of it. */
const pendingEntry = Effect.fnUntraced(function* (swapId: string) {
  const known = yield* Effect.catch(History.find(swapId), () => Effect.succeed(undefined))
  return yield* History.entryOf({ swapId, status: "pending" }, known)
})

const seconds = (count: number): number => Math.max(1, count * 1000)

const execute = Effect.fnUntraced(function* (order: ExecuteOrder, call: Call, elicit: Elicit) {
  const directory = yield* Directory
  const everything = yield* names
  const origin = yield* attempt(() => resolveChain(everything, order.from.slice(order.from.lastIndexOf("@") + 1)))
  const wallet = yield* (yield* AgentPolicy).wallet(origin.kind)
  const rules = yield* wallet.rules
  const known = policyNames(directory, rules)
  const resolved = yield* resolveOrder(order, known)
  const least =
    order.minOutput === undefined ? undefined : yield* parse(order.minOutput, resolved.to.token.decimals, "minOutput")
  const recipient = resolved.recipient ?? wallet.address
  const input = { ...inputOf({ ...resolved, recipient }, slippageOf(order, rules)), walletAddress: wallet.address }
  const parts = Object.values({ ...input, least }).map(String)
  const idempotencyKey = order.idempotencyKey ?? (yield* automaticKey(wallet, parts))
  yield* checkUnfinished(origin.kind, wallet.address, idempotencyKey)

  const context = yield* Effect.context<Directory | Settings>()
  const startedAt = yield* Clock.currentTimeMillis
  let [started, signed] = [false, false]
  let flow: History.Origin | undefined
  let quoted: { readonly request: Quote.QuoteRequest; readonly output: bigint } | undefined
  const program = Client.execute(input, {
    idempotencyKey,
    minOutput: least,
    timeout: seconds(order.waitSeconds),
    onProgress: (event) =>
      Effect.gen(function* () {
        started = true
        if (event.type === "quoted") quoted = { request: event.request, output: event.quote.output }
        if (event.type === "requoted" && quoted) quoted = { ...quoted, output: event.quote.output }
        if (event.type === "signed") signed = true
        if ("flowId" in event && quoted) flow = { ...quoted, flowId: event.flowId, createdAt: startedAt }
        if (event.type === "submitted" || event.type === "done") {
          const earlier = yield* Effect.catch(History.find(event.swap.swapId), () => Effect.succeed(undefined))
          yield* record(yield* History.entryOf(event.swap, flow ?? earlier))
        }
        call.onProgress(progressOf(event))
      }).pipe(Effect.provideContext(context))
  }).pipe(Effect.provide(wallet.layer({ originChain: origin.id })))
  // A server that was killed holds the key for up to a minute. Nothing has happened in this call until its first event.
  const stalled = Effect.flatMap(Effect.sleep(seconds(Math.max(30, order.waitSeconds))), () =>
    started
      ? Effect.never
      : fail(
          "IN_PROGRESS",
          "Another call, or a server that stopped, is working on the same swap. This call did nothing.",
          "Wait a minute, and then call execute_swap again with the same arguments and the same idempotencyKey."
        )
  )
  const entryOf = (swapId: string, run: Effect.Effect<History.Entry, never, Directory>) =>
    Effect.map(run, (entry) => ({ swap: entryView(known, { ...entry, swapId }), idempotencyKey, repeated: !signed }))
  const attemptSwap = Effect.gen(function* () {
    const swap = yield* Effect.raceFirst(program, stalled)
    const earlier = yield* Effect.catch(History.find(swap.swapId), () => Effect.succeed(undefined))
    return yield* entryOf(swap.swapId, History.entryOf(swap, flow ?? earlier))
  }).pipe(
    Effect.catchTag("WaitTimeout", ({ swapId }) =>
      Effect.flatMap(pendingEntry(swapId), (entry) => entryOf(swapId, Effect.succeed(entry)))
    )
  )
  const approved = Effect.catch(attemptSwap, (error) =>
    Effect.gen(function* () {
      const needed = yield* wallet.approvalNeeded(error)
      if (needed === undefined) return yield* Effect.fail(error)
      if (!rules.elicitation || !(yield* elicit(needed, known))) return yield* Effect.fail(needed)
      yield* wallet.approveByElicitation(needed.approvalId)
      return yield* attemptSwap
    })
  )
  const tokens = { origin: listedToken(directory, resolved.from), destination: listedToken(directory, resolved.to) }
  return yield* Effect.mapError(approved, withAmountsInTokens(tokens, resolved.amount))
})

/** A token of the policy, in the form that other commands use. */
const listedToken = ({ chains: listed }: Directory, { chain, token }: Resolved["from"]): ChainToken => {
  const found = listed.find(({ id }) => id === chain.id)
  // Names are resolved only among the chains of the directory.
  if (found === undefined) throw new Error(`Chain ${chain.id} is unknown.`)
  const { address, decimals, symbol } = token
  return { chain: found, token: { pinned: true, symbol, address, decimals, native: false } }
}

const showSwap = Effect.fnUntraced(function* (swap: Effect.Success<ReturnType<typeof Client.status>>) {
  const known = yield* Effect.catch(History.find(swap.swapId), () => Effect.succeed(undefined))
  const entry = yield* History.entryOf(swap, known)
  if (known !== undefined) yield* record(entry)
  return entryView(yield* names, entry)
})

/** Closes the flow of a finished swap, which confirms its status. */
const closeFlow = Effect.fnUntraced(function* (swapId: string) {
  const journal = yield* FileJournal
  const { unfinished } = yield* journal.contents
  const open = unfinished.find(({ flow }) => flow.swapId === swapId)
  if (open === undefined) return
  const wallet = yield* walletOf(open.flow)
  yield* Effect.provide(closeIfFinal(open.flow), wallet.layer({ originChain: open.flow.request.originChain }))
})

const walletOf = (flow: Journal.Flow) =>
  Effect.gen(function* () {
    const { familyOf } = yield* Directory
    return yield* (yield* AgentPolicy).wallet(familyOf(flow.request.originChain))
  })

const readSwap = Effect.fnUntraced(function* (swapId: string) {
  const swap = yield* Client.status(swapId)
  if (swap.status !== "pending") yield* Effect.ignore(closeFlow(swapId))
  return yield* showSwap(swap)
})

const wait = Effect.fnUntraced(function* (swapId: string, duration: number, { onProgress }: Call) {
  const last = yield* Client.watch(swapId, { timeout: seconds(duration) }).pipe(
    Stream.tap((swap) => Effect.sync(() => onProgress({ stage: "status", swapId, status: swap.status }))),
    Stream.runLast,
    Effect.catchTag("WaitTimeout", () => Effect.succeed(Option.none()))
  )
  if (Option.isNone(last)) return entryView(yield* names, yield* pendingEntry(swapId))
  yield* Effect.ignore(closeFlow(swapId))
  return yield* showSwap(last.value)
})

const swaps = Effect.fnUntraced(function* (limit: number) {
  const known = yield* names
  const { entries } = yield* History.read
  const { unfinished } = yield* (yield* FileJournal).contents
  return {
    swaps: entries.slice(0, limit).map((entry) => entryView(known, entry)),
    unfinished: unfinished.map(({ flow: { createdAt, id, request, swapId } }) => ({
      flowId: id,
      swapId,
      startedAt: new Date(createdAt).toISOString(),
      from: sideView(known, { chainId: request.originChain, token: request.inputToken, amount: request.amount })
    }))
  }
})

const resume = Effect.fnUntraced(function* (id: string, duration: number, { onProgress }: Call) {
  const journal = yield* FileJournal
  const { unfinished } = yield* journal.contents
  const found = unfinished.find(({ flow }) => flow.id === id || flow.swapId === id)
  if (found === undefined) {
    const known = yield* History.find(id)
    if (known !== undefined) return yield* readSwap(known.swapId)
    return yield* fail(
      "NOTHING_TO_RESUME",
      "There is no unfinished swap with this id.",
      "Call list_swaps for the swaps of this wallet."
    )
  }
  const { flow } = found
  if (!(yield* journal.claim(flow.id))) {
    return yield* fail(
      "BUSY",
      "Another process is working on this swap.",
      "Wait a minute, and then call get_swap or list_swaps."
    )
  }
  const context = yield* Effect.context<Directory | Settings>()
  const origin: History.Origin = {
    flowId: flow.id,
    createdAt: flow.createdAt,
    output: flow.output,
    request: flow.request
  }
  const wallet = yield* walletOf(flow)
  const known = yield* names
  return yield* Client.resume(flow.id, {
    timeout: seconds(duration),
    onProgress: (event) =>
      Effect.gen(function* () {
        if (event.type === "submitted" || event.type === "done") {
          yield* record(yield* History.entryOf(event.swap, origin))
        }
        onProgress(progressOf(event))
      }).pipe(Effect.provideContext(context))
  }).pipe(
    Effect.provide(wallet.layer({ originChain: flow.request.originChain })),
    Effect.flatMap((swap) => History.entryOf(swap, origin)),
    Effect.catchTag("WaitTimeout", ({ swapId }) => pendingEntry(swapId)),
    Effect.map((entry) => entryView(known, entry))
  )
})

const evmChain = Effect.fnUntraced(function* (name: string) {
  const known = yield* names
  const { id, kind } = yield* attempt(() => resolveChain(known, name))
  const chain = (yield* Directory).chains.find((one) => one.id === id)
  return kind === "evm" && chain !== undefined
    ? chain
    : yield* fail("NO_DELEGATION", "Wallets on Solana have no delegation.", "Choose an EVM chain.")
})

const delegation = Effect.fnUntraced(function* (name: string) {
  const chain = yield* evmChain(name)
  const address = yield* Keys.addressWithoutPassword("evm")
  if (address === undefined) {
    return yield* fail("NO_WALLET", "There is no EVM wallet.", "Ask the user to add a key with geoswap keys add.")
  }
  const { contract, delegated, pinned } = yield* readDelegation(chain, address)
  const view: View.Delegation = {
    chain: chain.name,
    chainId: chain.id,
    wallet: address,
    delegated,
    delegate: contract,
    pinned
  }
  return view
})

const revoke = Effect.fnUntraced(function* (name: string) {
  const chain = yield* evmChain(name)
  const wallet = yield* (yield* AgentPolicy).wallet("evm")
  const { changed, delegatedTo, txHash } = yield* Effect.provide(
    Client.undelegate({ chainId: chain.id, walletAddress: wallet.address }),
    wallet.layer({ originChain: chain.id })
  )
  const view: View.Delegation = {
    chain: chain.name,
    chainId: chain.id,
    wallet: wallet.address,
    delegated: delegatedTo !== undefined,
    changed,
    txHash: /^[0-9A-Za-z]{1,128}$/.test(txHash ?? "") ? txHash : undefined
  }
  return view
})

const policies = Effect.fnUntraced(function* () {
  const all = yield* AgentPolicy
  const known = yield* names
  const found = yield* Effect.forEach(families, (family) =>
    Effect.gen(function* () {
      if ((yield* Keys.sourceOf(family)) === undefined) return []
      const wallet = yield* all.wallet(family)
      return [policyView(known, yield* wallet.view)]
    }).pipe(Effect.catch((error) => Effect.succeed([withoutPolicy(family, error)])))
  )
  return found.flat()
})

const chains = Effect.gen(function* () {
  const known = yield* names
  const directory = yield* Directory
  return directory.chains.map((chain): View.Chain => ({
    id: chain.id,
    name: chain.name,
    kind: chain.kind,
    served: chain.served,
    tokens: known.tokens.flatMap((token) =>
      token.chain === chain.id
        ? [tokenView({ chain: { id: chain.id, name: chain.name, kind: chain.kind }, token })]
        : []
    )
  }))
})

const balances = Effect.fnUntraced(function* (name: string | undefined) {
  const known = yield* names
  const rules = yield* usableRules()
  const only = name === undefined ? undefined : yield* attempt(() => resolveChain(known, name))
  const directory = yield* Directory
  const reads = yield* Effect.forEach(
    directory.chains.filter(({ id }) => only === undefined || id === only.id),
    (chain) =>
      Effect.gen(function* () {
        const wallet = yield* Keys.addressWithoutPassword(chain.kind)
        if (wallet === undefined) return { balances: [], unread: [] }
        const node = rules.map(({ nodes }) => nodes[`${chain.id}`]).find((url) => url !== undefined) ?? chain.rpcUrl
        if (node === undefined) return { balances: [], unread: [chain.name] }
        const tokens = known.tokens
          .filter((token) => token.chain === chain.id)
          .map(({ address, decimals, symbol }) => ({
            pinned: true as const,
            address,
            decimals,
            symbol,
            native: Chain.sameAddress(chain.kind, address, Chain.nativeToken[chain.kind])
          }))
        const read = yield* Balances.read(chain, node, wallet, tokens)
        return {
          balances: read.flatMap(({ amount, token }) => {
            const found = tokenAt(known, chain.id, token.address)
            return found === undefined
              ? []
              : [{ token: tokenView(found).token, wallet, amount: Amount.format(amount, token.decimals) }]
          }),
          unread: []
        }
      }).pipe(Effect.catch(() => Effect.succeed({ balances: [], unread: [chain.name] }))),
    { concurrency: 4 }
  )
  return { balances: reads.flatMap((one) => one.balances), unread: reads.flatMap((one) => one.unread) }
})

/** Creates the backend. */
export const makeBackend = (services: Context.Context<Services>, elicit: Elicit): Backend => {
  const run = <A, E>(effect: Effect.Effect<A, E, Services>, { signal }: Call): Promise<A> =>
    Effect.runPromiseWith(services)(Effect.mapError(effect, toToolError), { signal })
  const online = <A, E>(effect: Effect.Effect<A, E, Online>, call: Call): Promise<A> =>
    run(Effect.provide(effect, Session.directory), call)
  const offline = <A, E>(effect: Effect.Effect<A, E, Online>, call: Call): Promise<A> =>
    run(Effect.provide(effect, Session.directoryConfigured), call)
  return {
    chains: (call) => online(chains, call),
    searchTokens: (query, chain, call) =>
      online(
        Effect.gen(function* () {
          return searchTokens(yield* Directory, yield* names, query, chain)
        }),
        call
      ),
    balances: (chain, call) => offline(balances(chain), call),
    quote: (order, call) => online(quote(order), call),
    execute: (order, call) => online(execute(order, call, elicit), call),
    swap: (swapId, call) => offline(readSwap(swapId), call),
    wait: (swapId, duration, call) => offline(wait(swapId, duration, call), call),
    swaps: (limit, call) => offline(swaps(limit), call),
    resume: (id, duration, call) => offline(resume(id, duration, call), call),
    delegation: (chain, call) => offline(delegation(chain), call),
    revoke: (chain, call) => offline(revoke(chain), call),
    policies: (call) => offline(policies(), call)
  }
}
