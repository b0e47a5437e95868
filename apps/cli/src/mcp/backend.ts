/** The backend of the tools: sessions with the user's settings, keys, policy, store and history. */
import { Chain, type Store, type Transport } from "@geoswap/core"
import { type Backend, fromSessions, type OpenSession, type SwapRecords, type ToolClient } from "@geoswap/tools"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AgentPolicy, approveByElicitation, viewOf, type WalletPolicy } from "../agent/AgentPolicy.js"
import * as Approvals from "../agent/Approvals.js"
import type { AgentRules } from "../agent/PolicyFile.js"
import { bundledChains } from "../chains/bundledChains.js"
import { Directory } from "../chains/Directory.js"
import { networkOf } from "../chains/networkOf.js"
import { Settings } from "../config/Settings.js"
import * as Keys from "../keys/Keys.js"
import type { OpenEnvironment } from "../keys/Keys.js"
import { Output } from "../output/Output.js"
import * as Session from "../service/Session.js"
import * as History from "../swap/History.js"
import type { LocalStore } from "../swap/stateFiles.js"
import { resolverOf } from "./balances.js"
import { clientOf } from "./client.js"
import type { Elicit } from "./elicitApproval.js"
import { families, names, policyNames, usableRules } from "./names.js"
import { approvalNeeded, toToolError } from "./toolError.js"
import { entryView, policyView, withoutPolicy } from "./views.js"

/** What the server keeps for all calls. The store knows which flows this process is working on. */
export type Services =
  | AgentPolicy
  | OpenEnvironment
  | Output
  | Settings
  | Transport.Transport
  | LocalStore
  | Store.Store

/** The bundled tokens, which can be found but not swapped. */
const bundled = bundledChains.flatMap(({ id, tokens }) => tokens.map((token) => ({ chainId: id, ...token })))

/** The addresses of the user's wallets. No key is opened. */
const walletAddresses = Effect.gen(function* () {
  const [evm, solana] = yield* Effect.forEach(families, (family) =>
    Effect.orElseSucceed(Keys.addressWithoutPassword(family), () => undefined)
  )
  return { evm, solana }
})

/** The policy of a wallet that signs, and only its tokens. */
const signing = Effect.fnUntraced(function* (kind: Chain.Family) {
  const wallet = yield* (yield* AgentPolicy).wallet(kind)
  return { wallet, rules: (yield* wallet.verified).rules }
})

/** What the tools show of a policy's rules. The wallet enforces them. */
const rulesOf = (rules: AgentRules) => ({
  budgets: rules.budgets.map(({ amount, ...budget }) => ({ ...budget, amount: BigInt(amount) })),
  allowedRecipients: rules.recipients,
  maxSlippageBps: rules.maxSlippageBps,
  acceptClaims: rules.acceptClaims
})

/** The policies of all wallets. */
const policies = Effect.gen(function* () {
  const all = yield* AgentPolicy
  const { repeatFlags } = yield* Output
  const known = yield* names
  const found = yield* Effect.forEach(families, (family) =>
    Effect.gen(function* () {
      if ((yield* Keys.sourceOf(family)) === undefined) return []
      const wallet = yield* all.wallet(family)
      return [policyView(known, yield* viewOf(wallet))]
    }).pipe(Effect.catch((error) => Effect.succeed([withoutPolicy(family, error, repeatFlags)])))
  )
  return found.flat()
})

/** Returns whether an address is one of this server's wallets. Other wallets of the user are no concern of the agent. */
const ownWallets = Effect.gen(function* () {
  const { wallet } = yield* AgentPolicy
  const opened = yield* Effect.forEach(families, (family) => Effect.option(wallet(family)))
  const wallets = opened.flatMap((one) => Option.toArray(one))
  return (address: string) => wallets.some((one) => Chain.sameAddress(one.family, one.address, address))
})

/** Creates the backend. */
export const makeBackend = (services: Context.Context<Services>, elicit: Elicit): Backend => {
  const run = <A, E>(effect: Effect.Effect<A, E, Services | Directory>, signal?: AbortSignal): Promise<A> =>
    Effect.runPromiseWith(services)(
      Effect.flatMap(Output, ({ repeatFlags }) =>
        Effect.mapError(Effect.provide(effect, Session.directoryConfigured), (error) => toToolError(error, repeatFlags))
      ),
      { signal }
    )

  const openSession = Effect.fnUntraced(function* (kind: Chain.Family | undefined, signs: boolean) {
    const directory = yield* Directory
    const { deployments } = yield* Settings
    const everything = yield* names
    const { rules, wallet } = kind !== undefined && signs ? yield* signing(kind) : {}
    const shown = rules ?? (yield* usableRules()).find((one) => one.wallet.kind === kind)
    const own = yield* walletAddresses
    const wallets = wallet === undefined ? own : { ...own, [wallet.family]: wallet.address }
    const known = rules === undefined ? everything : policyNames(directory, rules)
    return {
      names: known,
      bundled,
      resolver: yield* resolverOf(everything),
      rules: {
        network: networkOf(deployments),
        policy: { ...(shown && rulesOf(shown)) },
        wallets,
        store: storeOf(wallet),
        canProve: (chainId: number) => shown?.nodes[`${chainId}`] !== undefined
      },
      wallet
    }
  })

  /** The policy's store, for the keys of calls without one. */
  const storeOf = (wallet: WalletPolicy | undefined): ToolClient["rules"]["store"] => ({
    update: async (name, change) => {
      if (wallet === undefined) throw new Error("This client signs nothing.")
      return run(Effect.flatMap(wallet.verified, ({ store }) => store.records.update(name, change)))
    }
  })

  const open: OpenSession = async ({ kind, signs }, { signal }) => {
    const { rules, wallet, ...session } = await run(openSession(kind, signs), signal)
    return {
      ...session,
      client: { ...clientOf(run, wallet), rules },
      approve: async (refusal) =>
        run(
          Effect.gen(function* () {
            if (wallet === undefined || refusal._tag !== "PolicyViolation") return false
            const { rules: policy, store } = yield* wallet.verified
            const asked = (yield* Approvals.list(store)).find(({ id }) => id === refusal.approvalId)
            if (asked === undefined) return false
            if (!policy.elicitation || !(yield* elicit(asked, session.names))) {
              const { repeatFlags } = yield* Output
              return yield* Effect.fail(approvalNeeded(asked, repeatFlags))
            }
            yield* approveByElicitation(wallet, asked.id)
            return true
          }),
          signal
        )
    }
  }

  /** The history of this machine. The client writes it. */
  const swaps: SwapRecords = {
    find: (swapId) =>
      run(
        Effect.gen(function* () {
          const entry = yield* History.find(swapId)
          return entry && entryView(yield* names, entry)
        })
      ),
    list: (limit) =>
      run(
        Effect.gen(function* () {
          const known = yield* names
          const isOwn = yield* ownWallets
          const { entries } = yield* History.read
          return entries
            .filter(({ wallet }) => wallet !== undefined && isOwn(wallet))
            .slice(0, limit)
            .map((entry) => entryView(known, entry))
        })
      )
  }

  return fromSessions(open, { swaps, policies: ({ signal }) => run(policies, signal) })
}
