/**
 * The policy that a person has set for a wallet that an agent uses. Everything that an agent signs goes through
 * `WalletPolicy.layer`.
 */
import { Amount, Chain, ChainReader, Store, Policy } from "@geoswap/core"
import { AuthenticatedStore } from "@geoswap/core/node"
import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Settings } from "../config/Settings.js"
import { openWallet, type OpenedWallet, type OpenError } from "../keys/Keys.js"
import * as Session from "../service/Session.js"
import * as Approvals from "./Approvals.js"
import { enforce } from "./enforce.js"
import { ApprovalRefused, NoPolicy, PolicyConflict } from "./PolicyError.js"
import * as PolicyFile from "./PolicyFile.js"
import * as Spending from "./spending.js"
import { familyOf, pinnedAt } from "./tokens.js"

/** What a command is about to sign. */
interface Order {
  readonly originChain: number
  /** Further limits, for example from flags. They can only narrow the policy. */
  readonly limits?: Policy.Options | undefined
}

/** The verified rules of a policy (pinned tokens, nodes, deployments, limits), and its store. */
interface Verified {
  readonly rules: PolicyFile.AgentRules
  /** Names of records besides core's start with `agent-`. */
  readonly store: Store.Store
}

/** The policies of the user's wallets. */
export interface AgentPolicy {
  /** Opens the wallet of a chain family once, and returns its policy. A missing policy is reported on use. */
  readonly wallet: (family: Chain.Family) => Effect.Effect<WalletPolicy, OpenError>
}

/** The policies of the user's wallets. */
export const AgentPolicy = /* @__PURE__ */ Context.Service<AgentPolicy>("@geoswap/cli/AgentPolicy")

const normalizeUrl = (url: string) => new URL(url).href.replace(/\/+$/, "")

/** Fails if the settings use another service than the policy, or other decimals for one of its tokens. */
export const checkSettings = Effect.fnUntraced(function* (rules: PolicyFile.AgentRules) {
  const { chains, url } = yield* Settings
  if (url === undefined || normalizeUrl(url) !== normalizeUrl(rules.service)) {
    return yield* new PolicyConflict({
      message: `The policy of ${rules.wallet.address} allows only the service ${rules.service}, but the settings use ${url ?? "none"}. Nothing was signed.`,
      next: "Omit --url, or use the configuration that the policy was made with."
    })
  }
  for (const { id, tokens } of chains) {
    for (const { address, decimals } of tokens ?? []) {
      const pinned = pinnedAt(rules, { chainId: id, token: address })
      if (pinned !== undefined && pinned.decimals !== decimals) {
        return yield* new PolicyConflict({
          message: `${pinned.symbol} on chain ${id} has ${pinned.decimals} decimals in the policy, but ${decimals} in the configuration. Nothing was signed.`,
          next: "Find out which is right, and correct the configuration or the policy."
        })
      }
    }
  }
})

/** Returns core's policy for the verified rules, if the settings agree with them. */
export const review = Effect.fnUntraced(function* ({ rules, store }: Verified, limits?: Policy.Options) {
  yield* checkSettings(rules)
  return yield* enforce(rules, store, limits)
})

/** Returns a policy and what is left of it, as plain JSON. Amounts are in whole tokens of the policy's pinned tokens. */
export const viewOf = Effect.fnUntraced(function* ({
  boundary,
  verified
}: Pick<WalletPolicy, "boundary" | "verified">) {
  const { rules, store } = yield* verified
  const {
    approveAbove,
    budgets,
    deployments,
    nodes: _,
    pairs,
    revision: __,
    store: ___,
    version: ____,
    ...others
  } = rules
  const { address: wallet } = rules.wallet
  const unitsOf = (ref: PolicyFile.TokenRef) => {
    const { decimals = 0, symbol = ref.token } = pinnedAt(rules, ref) ?? {}
    return { symbol, whole: (units: bigint) => Amount.format(units, decimals) }
  }
  const now = yield* Clock.currentTimeMillis
  const approvals = yield* Approvals.list(store)
  return {
    boundary,
    ...others,
    delegates: Object.entries(deployments).map(([chain, { delegates = [] }]) => ({
      chainId: Number(chain),
      delegates
    })),
    budgets: yield* Effect.forEach(budgets, ({ amount, window, ...ref }) =>
      Effect.map(Store.left(store, wallet, ref, { window, amount: BigInt(amount) }), (left) => {
        const { symbol, whole } = unitsOf(ref)
        const most = BigInt(amount)
        return { ...ref, symbol, window, amount: whole(most), spent: whole(most - left), left: whole(left) }
      })
    ),
    approveAbove: yield* Effect.forEach(
      approveAbove,
      Effect.fnUntraced(function* ({ amount, window, ...ref }) {
        const { symbol, whole } = unitsOf(ref)
        const most = BigInt(amount)
        const scope = Spending.unapproved(ref)
        const left = window && whole(yield* Store.left(store, wallet, scope, { window, amount: most }))
        return { ...ref, symbol, amount: whole(most), window, left }
      })
    ),
    swapsLeftThisHour: Number(yield* Spending.swapsLeft(store, rules)),
    /** The pairs with a price of the policy. Every other pair needs a person's approval. */
    pairs: pairs.map((pair) => ({
      input: pair.input,
      output: pair.output,
      minRate: "minRate" in pair ? pair.minRate : undefined,
      maxLossBps: "minRate" in pair ? undefined : pair.maxLossBps
    })),
    pendingApprovals: approvals.filter(({ expiresAt, state }) => state === "pending" && expiresAt > now).length
  }
})
export type PolicyView = Effect.Success<ReturnType<typeof viewOf>>

/** Approves with a person's answer to an elicitation. Refused unless the policy, which is read again, accepts it. */
export const approveByElicitation = Effect.fnUntraced(function* (
  { verified }: Pick<WalletPolicy, "verified">,
  approvalId: string
) {
  const { rules, store } = yield* verified
  if (rules.elicitation) {
    return yield* Approvals.answer(store, approvalId, {
      state: "approved",
      by: "elicitation",
      seconds: rules.approvalSeconds
    })
  }
  return yield* new ApprovalRefused({
    message: "The policy does not accept an elicitation as an approval.",
    next: `Ask a person to run geoswap approve ${approvalId} in a terminal.`
  })
})

/** Returns the policy of an opened wallet. The policy's file is read again, and verified, for every use. */
export const makeWallet = Effect.fnUntraced(function* (opened: OpenedWallet) {
  const { address, family, macKeys, source } = opened
  const paths = yield* PolicyFile.pathsOf(source, address)
  const stores = new Map<string, Store.Store>()
  // One store per file, because a store notices an older copy of what it has seen.
  const storeOf = ({ store: { id, path } }: PolicyFile.AgentRules) => {
    const name = JSON.stringify([path, id])
    const store = stores.get(name) ?? AuthenticatedStore.make(path, { id, key: Redacted.value(macKeys.store) })
    stores.set(name, store)
    return store
  }
  /** The verified policy, or `undefined` if the wallet has none. */
  const find = Effect.gen(function* () {
    const rules = yield* PolicyFile.read(paths, macKeys)
    if (rules === undefined) return undefined
    if (!Chain.sameAddress(family, rules.wallet.address, address)) {
      return yield* PolicyFile.untrusted(paths.policy, "belongs to another wallet")
    }
    const store = storeOf(rules)
    const latest = yield* Effect.mapError(PolicyFile.noteRevision(store, rules.revision), (error) =>
      // A store that cannot be trusted is reported like a policy that cannot be trusted.
      error.code === AuthenticatedStore.alteredCode ? PolicyFile.tampered(error.message) : error
    )
    if (latest > rules.revision) return yield* PolicyFile.untrusted(paths.policy, "is an older copy of the policy")
    return { rules, store }
  })
  const verified = Effect.flatMap(find, (found) =>
    found === undefined
      ? Effect.fail(
          new NoPolicy({
            message: `The wallet ${address} has no policy for agents, so nothing is signed for an agent.`,
            next: "A person can create one: geoswap policy init"
          })
        )
      : Effect.succeed(found)
  )
  return {
    family,
    address,
    /**
     * `enforced`: the key is in an encrypted keystore, so the limits cannot be changed without its password. `advisory`:
     * the key is in the environment or in a plain file, so any program that can read it can sign without the policy.
     */
    boundary: source.kind === "keystore" ? ("enforced" as const) : ("advisory" as const),
    paths,
    find,
    verified,
    /**
     * Provides core's policy, signers, store and chain readers for an order. Fails if the settings' service is not the
     * policy's service.
     */
    layer: ({ limits, originChain }: Order) =>
      Layer.unwrap(
        Effect.gen(function* () {
          const found = yield* verified
          const { policy } = yield* review(found, limits)
          const families = familyOf(found.rules, yield* Chain.Families)
          const nodes = Object.entries(found.rules.nodes).map(([id, url]) => [Number(id), url] as const)
          const ofFamily = (family: Chain.Family) => nodes.filter(([id]) => families(id) === family)
          return Layer.mergeAll(
            Layer.succeed(Policy.Policy, policy),
            Layer.succeed(Chain.Families, families),
            Layer.succeed(Store.Store, found.store),
            Session.signersOf(opened, nodes),
            // Without a node for the origin chain, there is no reader.
            found.rules.nodes[String(originChain)] === undefined
              ? ChainReader.layer({})
              : Session.readersOf({ evm: ofFamily("evm"), solana: ofFamily("solana") })
          )
        })
      )
  }
})

/** The policy of one wallet, with its key open. */
export type WalletPolicy = Effect.Success<ReturnType<typeof makeWallet>>

/** Opens the wallet of a chain family, and returns its policy. */
export const open = (family: Chain.Family) => Effect.flatMap(openWallet(family), makeWallet)

/** Provides the policies of the user's wallets. Each key is opened once. */
export const layer = Layer.effect(
  AgentPolicy,
  Effect.map(
    Cache.makeWith(open, {
      capacity: 2,
      // A failed attempt is not remembered.
      timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero)
    }),
    (wallets) => ({ wallet: (family) => Cache.get(wallets, family) })
  )
)
