/**
 * The policy that a person has set for a wallet that an agent uses. Everything that an agent signs goes through
 * `WalletPolicy.layer`.
 */
import { Amount, Chain, ChainReader, Store, Policy, type Signer, SwapError } from "@geoswap/core"
import { AuthenticatedStore } from "@geoswap/core/node"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Semaphore from "effect/Semaphore"
import { Settings } from "../config/Settings.js"
import { openWallet, type OpenedWallet, type OpenEnvironment, type OpenError } from "../keys/openWallet.js"
import * as Session from "../service/Session.js"
import * as Approvals from "./Approvals.js"
import { enforce, type Review } from "./enforce.js"
import { ApprovalNeeded, ApprovalRefused, NoPolicy, PolicyConflict, PolicyTampered } from "./PolicyError.js"
import * as PolicyFile from "./PolicyFile.js"
import { swapsLeft } from "./remaining.js"
import { LocalStore } from "../swap/stateFiles.js"
import { policyStore } from "./policyStore.js"
import { noteRevision } from "./revision.js"
import { familyOf } from "./tokens.js"
import * as Unapproved from "./Unapproved.js"

export { judge } from "./enforce.js"
export { ApprovalNeeded, ApprovalRefused, NoPolicy, PolicyConflict, PolicyTampered } from "./PolicyError.js"

/**
 * `enforced`: the key is in an encrypted keystore, so the limits cannot be changed without its password. `advisory`: the
 * key is in the environment or in a plain file, so any program that can read it can sign without the policy.
 */
export type Boundary = "enforced" | "advisory"

/** A budget, in whole tokens. */
interface BudgetView {
  readonly chain: number
  readonly token: string
  readonly symbol: string
  readonly window: Store.Window
  readonly amount: string
  readonly spent: string
  readonly left: string
}

/** How much may be signed without an approval, in whole tokens. */
interface ThresholdView {
  readonly chain: number
  readonly token: string
  readonly symbol: string
  readonly amount: string
  /** The window over which swaps without an approval are added. Absent: the amount applies to each swap. */
  readonly window?: "hour" | "day"
  /** What is left of the window. */
  readonly left?: string
}

/** The policy and what is left of it, as plain JSON. Amounts are in whole tokens of the policy's pinned tokens. */
export interface PolicyView {
  readonly boundary: Boundary
  readonly wallet: { readonly kind: Chain.Family; readonly address: string }
  readonly service: string
  readonly chains: ReadonlyArray<number>
  readonly tokens: ReadonlyArray<{
    readonly chain: number
    readonly address: string
    readonly symbol: string
    readonly decimals: number
  }>
  readonly recipients: ReadonlyArray<string>
  readonly delegates: ReadonlyArray<{ readonly chain: number; readonly delegates: ReadonlyArray<string> }>
  readonly budgets: ReadonlyArray<BudgetView>
  /** Above these amounts, a person has to approve. */
  readonly approveAbove: ReadonlyArray<ThresholdView>
  readonly maxSlippageBps: number
  readonly maxFeeBps: number
  readonly maxTotalCostBps: number
  readonly maxSwapsPerHour: number
  readonly swapsLeftThisHour: number
  /** The pairs with a price of the policy. Every other pair needs a person's approval. */
  readonly pairs: ReadonlyArray<{
    readonly input: { readonly chain: number; readonly token: string }
    readonly output: { readonly chain: number; readonly token: string }
    /** The least number of whole output tokens per whole input token. */
    readonly minRate?: string
    /** The largest loss against the policy's price feeds. */
    readonly maxLossBps?: number
  }>
  readonly approvalSeconds: number
  /** Whether an answer to an elicitation of the MCP server is an approval. */
  readonly elicitation: boolean
  /** Whether the tools may sign a swap whose outcome the policy's nodes cannot prove. */
  readonly acceptClaims: boolean
  readonly pendingApprovals: number
}

/** What a command is about to sign. */
interface Order {
  readonly originChain: number
  /** Further limits, for example from flags. They can only narrow the policy. */
  readonly limits?: Policy.Options | undefined
}

/** The errors that can occur when a policy and its store are read. */
export type RulesError = NoPolicy | PolicyTampered | SwapError.StoreError

/** The policy of one wallet, with its key open. The policy's file is read again, and verified, for every use. */
export interface WalletPolicy {
  readonly family: Chain.Family
  readonly address: string
  readonly boundary: Boundary
  readonly paths: PolicyFile.Paths
  /** The verified rules, or `undefined` if the wallet has no policy. */
  readonly find: Effect.Effect<PolicyFile.AgentRules | undefined, PolicyTampered | SwapError.StoreError>
  /** The verified rules: pinned tokens, nodes, deployments, limits. */
  readonly rules: Effect.Effect<PolicyFile.AgentRules, RulesError>
  readonly view: Effect.Effect<PolicyView, RulesError>
  /**
   * Provides core's policy, signers, store and chain readers for an order. Fails if the settings' service is not the
   * policy's service.
   */
  readonly layer: (
    order: Order
  ) => Layer.Layer<
    Policy.Policy | Signer.Signers | Store.Store,
    RulesError | PolicyConflict | SwapError.InvalidInput,
    Settings | LocalStore
  >
  /** Returns what `layer` would allow, for a dry run. Fails like `layer`. Signs and reserves nothing. */
  readonly review: (order: Order) => Effect.Effect<Review, RulesError | PolicyConflict, Settings>
  /**
   * The policy's store, for records besides core's, such as idempotency keys that were derived from arguments. Names of
   * such records start with `agent-`.
   */
  readonly store: Effect.Effect<Store.Store, RulesError>
  /** Returns the approval that an error of `Client.execute` asks for, or `undefined` for any other error. */
  readonly approvalNeeded: (error: unknown) => Effect.Effect<ApprovalNeeded | undefined, RulesError>
  /** The approvals that are pending or unused. */
  readonly approvals: Effect.Effect<ReadonlyArray<Approvals.Approval>, RulesError>
  /** Approves with a person's answer to an elicitation. Refused unless the policy allows elicitation. */
  readonly approveByElicitation: (approvalId: string) => Effect.Effect<void, ApprovalRefused | RulesError>
}

/** The policies of the user's wallets. */
export interface AgentPolicy {
  /** Opens the wallet of a chain family once, and returns its policy. A missing policy is reported on use. */
  readonly wallet: (family: Chain.Family) => Effect.Effect<WalletPolicy, OpenError>
}

/** The policies of the user's wallets. */
export const AgentPolicy: Context.Service<AgentPolicy, AgentPolicy> =
  /* @__PURE__ */ Context.Service<AgentPolicy>("@geoswap/cli/AgentPolicy")

const boundaryOf = ({ source }: OpenedWallet): Boundary => (source.kind === "keystore" ? "enforced" : "advisory")

const noPolicy = (wallet: string): NoPolicy =>
  new NoPolicy({
    wallet,
    message: `The wallet ${wallet} has no policy for agents, so nothing is signed for an agent.`,
    next: "A person can create one: geoswap policy init"
  })

/** Reports a store that cannot be trusted like a policy that cannot be trusted. */
const asTampered = (error: SwapError.StoreError, path: string): PolicyTampered | SwapError.StoreError =>
  error.code === AuthenticatedStore.alteredCode
    ? new PolicyTampered({
        path,
        message: error.message,
        next: "Find out who changed it. Restore the latest copy, or create the policy again with geoswap policy init."
      })
    : error

const normalizeUrl = (url: string): string => new URL(url).href.replace(/\/+$/, "")

/** Fails if the settings use another service than the policy, or other decimals for one of its tokens. */
export const checkSettings = Effect.fnUntraced(function* (
  rules: PolicyFile.AgentRules
): Effect.fn.Return<void, PolicyConflict, Settings> {
  const { chains, url } = yield* Settings
  if (url === undefined || normalizeUrl(url) !== normalizeUrl(rules.service)) {
    return yield* new PolicyConflict({
      message: `The policy of ${rules.wallet.address} allows only the service ${rules.service}, but the settings use ${url ?? "none"}. Nothing was signed.`,
      next: "Omit --url, or use the configuration that the policy was made with."
    })
  }
  for (const { address, chain, decimals, symbol } of rules.tokens) {
    const configured = chains
      .find(({ id }) => id === chain)
      ?.tokens.find((token) => Chain.sameAddress(familyOf(rules)(chain), token.address, address))
    if (configured !== undefined && configured.decimals !== decimals) {
      return yield* new PolicyConflict({
        message: `${symbol} on chain ${chain} has ${decimals} decimals in the policy, but ${configured.decimals} in the configuration. Nothing was signed.`,
        next: "Find out which is right, and correct the configuration or the policy."
      })
    }
  }
})

const viewOf = Effect.fnUntraced(function* (
  rules: PolicyFile.AgentRules,
  boundary: Boundary,
  store: Store.Store
): Effect.fn.Return<PolicyView, SwapError.StoreError> {
  const { wallet } = rules
  const tokenOf = (chain: number, address: string) =>
    rules.tokens.find(
      (token) => token.chain === chain && Chain.sameAddress(familyOf(rules)(chain), token.address, address)
    )
  const budgets = yield* Effect.forEach(rules.budgets, ({ amount, chain, token, window }) =>
    Effect.map(
      Store.left(store, { wallet: wallet.address, chain, token }, { window, amount: BigInt(amount) }),
      (left): BudgetView => {
        const { decimals = 0, symbol = token } = tokenOf(chain, token) ?? {}
        const whole = (units: bigint) => Amount.format(units, decimals)
        const most = BigInt(amount)
        return { chain, token, symbol, window, amount: whole(most), spent: whole(most - left), left: whole(left) }
      }
    )
  )
  const approveAbove = yield* Effect.forEach(
    rules.approveAbove,
    Effect.fnUntraced(function* ({
      amount,
      chain,
      token,
      window
    }): Effect.fn.Return<ThresholdView, SwapError.StoreError> {
      const { decimals = 0, symbol = token } = tokenOf(chain, token) ?? {}
      const whole = (units: bigint) => Amount.format(units, decimals)
      const threshold = { chain, token, symbol, amount: whole(BigInt(amount)) }
      if (window === undefined) return threshold
      const scope = Unapproved.scopeOf(wallet.address, { chain, token })
      return { ...threshold, window, left: whole(yield* Store.left(store, scope, { window, amount: BigInt(amount) })) }
    })
  )
  const swaps = yield* swapsLeft(store, rules)
  const now = yield* Clock.currentTimeMillis
  const pending = (yield* Approvals.list(store)).filter(
    ({ expiresAt, state }) => state === "pending" && expiresAt > now
  )
  return {
    boundary,
    wallet,
    service: rules.service,
    chains: rules.chains,
    tokens: rules.tokens.map(({ address, chain, decimals, symbol }) => ({ chain, address, symbol, decimals })),
    recipients: rules.recipients,
    delegates: Object.entries(rules.deployments).map(([chain, { delegates = [] }]) => ({
      chain: Number(chain),
      delegates
    })),
    budgets,
    approveAbove,
    maxSlippageBps: rules.maxSlippageBps,
    maxFeeBps: rules.maxFeeBps,
    maxTotalCostBps: rules.maxTotalCostBps,
    maxSwapsPerHour: rules.maxSwapsPerHour,
    swapsLeftThisHour: Number(swaps),
    pairs: rules.pairs.map((pair) => ({
      input: pair.input,
      output: pair.output,
      ...("minRate" in pair ? { minRate: pair.minRate } : { maxLossBps: pair.maxLossBps })
    })),
    approvalSeconds: rules.approvalSeconds,
    elicitation: rules.elicitation,
    acceptClaims: rules.acceptClaims,
    pendingApprovals: pending.length
  }
})

/** The chain readers, through the policy's nodes. Without a node for the origin chain, there is no reader. */
const readerOf = (rules: PolicyFile.AgentRules, originChain: number) => {
  const nodes = Object.entries(rules.nodes).map(([id, node]) => [Number(id), node] as const)
  const ofFamily = (family: Chain.Family) => nodes.filter(([id]) => familyOf(rules)(id) === family)
  return nodes.every(([id]) => id !== originChain)
    ? ChainReader.layer({})
    : Session.readersOf({ evm: ofFamily("evm"), solana: ofFamily("solana") })
}

/** Returns the policy of an opened wallet. */
export const makeWallet = Effect.fnUntraced(function* (
  opened: OpenedWallet
): Effect.fn.Return<WalletPolicy, never, Settings> {
  const { address, family, macKeys, source } = opened
  const paths = yield* PolicyFile.pathsOf(source, address)
  const boundary = boundaryOf(opened)
  const stores = new Map<string, Store.Store>()
  // One store per file, because a store notices an older copy of what it has seen.
  const storeOf = ({ store: { id, path } }: PolicyFile.AgentRules): Store.Store => {
    const name = JSON.stringify([path, id])
    const store = stores.get(name) ?? AuthenticatedStore.make(path, { id, key: Redacted.value(macKeys.store) })
    stores.set(name, store)
    return store
  }
  const find: WalletPolicy["find"] = Effect.gen(function* () {
    const rules = yield* PolicyFile.read(paths, macKeys)
    if (rules === undefined) return undefined
    if (!Chain.sameAddress(family, rules.wallet.address, address)) {
      return yield* PolicyFile.tampered(paths.policy, "belongs to another wallet")
    }
    const latest = yield* Effect.mapError(noteRevision(storeOf(rules), rules.revision), (error) =>
      asTampered(error, rules.store.path)
    )
    if (latest > rules.revision) return yield* PolicyFile.tampered(paths.policy, "is an older copy of the policy")
    return rules
  })
  const rules: WalletPolicy["rules"] = Effect.flatMap(find, (found) =>
    found === undefined ? Effect.fail(noPolicy(address)) : Effect.succeed(found)
  )
  const withStore = <A, E>(
    use: (store: Store.Store, rules: PolicyFile.AgentRules) => Effect.Effect<A, E>
  ): Effect.Effect<A, E | RulesError> => Effect.flatMap(rules, (found) => use(storeOf(found), found))
  return {
    family,
    address,
    boundary,
    paths,
    find,
    rules,
    view: withStore((store, found) => viewOf(found, boundary, store)),
    layer: ({ limits, originChain }) =>
      Layer.unwrap(
        Effect.gen(function* () {
          const found = yield* rules
          yield* checkSettings(found)
          const store = storeOf(found)
          const families = familyOf(found, yield* Chain.Families)
          const nodes = Object.entries(found.nodes).map(([id, url]) => [Number(id), url] as const)
          return Layer.mergeAll(
            Layer.effect(
              Policy.Policy,
              Effect.map(enforce(found, store, limits), ({ policy }) => policy)
            ),
            Layer.succeed(Chain.Families, families),
            Layer.effect(
              Store.Store,
              Effect.map(LocalStore, (local) => policyStore(local.store, store))
            ),
            Session.signersOf(opened, nodes),
            readerOf(found, originChain)
          )
        })
      ),
    review: ({ limits }) =>
      Effect.gen(function* () {
        const found = yield* rules
        yield* checkSettings(found)
        return yield* enforce(found, storeOf(found), limits)
      }),
    store: withStore((store) => Effect.succeed(store)),
    approvalNeeded: (error) =>
      withStore(
        Effect.fnUntraced(function* (store) {
          if (!SwapError.isSwapError(error) || error._tag !== "PolicyViolation") return undefined
          const found = (yield* Approvals.list(store)).find(({ id }) => id === error.approvalId)
          return (
            found &&
            new ApprovalNeeded({
              approvalId: found.id,
              terms: found.terms,
              reason: found.reason,
              expiresAt: found.expiresAt,
              message: `A person has to approve this swap. ${found.reason} Nothing was signed.`,
              next: `Ask a person to run geoswap approve ${found.id} in a terminal, then start the same swap again.`
            })
          )
        })
      ),
    approvals: withStore((store) => Approvals.list(store)),
    approveByElicitation: (approvalId) =>
      withStore((store, found) =>
        found.elicitation
          ? Effect.asVoid(
              Approvals.answer(store, approvalId, {
                state: "approved",
                by: "elicitation",
                seconds: found.approvalSeconds
              })
            )
          : Effect.fail(
              new ApprovalRefused({
                approvalId,
                message: "The policy does not accept an elicitation as an approval.",
                next: `Ask a person to run geoswap approve ${approvalId} in a terminal.`
              })
            )
      )
  }
})

/** Opens the wallet of a chain family, and returns its policy. */
export const open = (family: Chain.Family) => Effect.flatMap(openWallet(family), makeWallet)

/** Provides the policies of the user's wallets. Each key is opened once. */
export const layer: Layer.Layer<AgentPolicy, never, OpenEnvironment> = Layer.effect(
  AgentPolicy,
  Effect.gen(function* () {
    const context = yield* Effect.context<OpenEnvironment>()
    const once = (family: Chain.Family): Effect.Effect<WalletPolicy, OpenError> => {
      const permits = Semaphore.makeUnsafe(1)
      let opened: WalletPolicy | undefined
      // A failed or interrupted attempt is not remembered.
      const opening = Effect.tap(Effect.provideContext(open(family), context), (wallet) =>
        Effect.sync(() => {
          opened = wallet
        })
      )
      return permits.withPermits(1)(Effect.suspend(() => (opened ? Effect.succeed(opened) : opening)))
    }
    const wallets = { evm: once("evm"), solana: once("solana") }
    return { wallet: (family) => wallets[family] }
  })
)
