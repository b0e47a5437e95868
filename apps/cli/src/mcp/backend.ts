/** The backend of the tools: sessions with the user's settings, keys, policy, store and history. */
import { Chain, type Store, type Transport } from "@geoswap/core"
import {
  fromSessions,
  type Names,
  type OpenSession,
  type Session as ToolSession,
  type SwapRecords,
  type ToolClient
} from "@geoswap/tools"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { AgentPolicy, approveByElicitation, viewOf, type WalletPolicy } from "../agent/AgentPolicy.js"
import * as Approvals from "../agent/Approvals.js"
import type { AgentRules } from "../agent/PolicyFile.js"
import { bundledChains } from "../chains/bundledChains.js"
import { Directory } from "../chains/Directory.js"
import { networkOf } from "../chains/networkOf.js"
import { readBalances } from "../chains/nodes.js"
import { Settings } from "../config/Settings.js"
import * as Keys from "../keys/Keys.js"
import { families } from "../keys/KeySource.js"
import type { OpenEnvironment } from "../keys/Keys.js"
import { Output } from "../output/Output.js"
import * as Session from "../service/Session.js"
import * as History from "../swap/History.js"
import type { LocalStore } from "../swap/stateFiles.js"
import { clientOf, required } from "./client.js"
import type { Elicit } from "./elicitApproval.js"
import { allNames, names, ofWallets, policyNames, usableRules } from "./names.js"
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

/** What the tools show of a policy's rules. The wallet enforces them. */
const rulesOf = (rules: AgentRules) => ({
  budgets: rules.budgets.map(({ amount, ...budget }) => ({ ...budget, amount: BigInt(amount) })),
  allowedRecipients: rules.recipients,
  maxSlippageBps: rules.maxSlippageBps,
  acceptClaims: rules.acceptClaims
})

/** The policies of all wallets. */
const policies = Effect.gen(function* () {
  const { repeatFlags } = yield* Output
  const known = yield* names
  return yield* ofWallets(
    (wallet) => Effect.map(viewOf(wallet), (view) => policyView(known, view)),
    (family, error) => [withoutPolicy(family, error, repeatFlags)]
  )
})

/** Returns whether an address is one of this server's wallets. Other wallets of the user are no concern of the agent. */
const ownWallets = Effect.gen(function* () {
  const { wallet } = yield* AgentPolicy
  const [wallets] = yield* Effect.partition(families, wallet)
  return (address: string) => wallets.some((one) => Chain.sameAddress(one.family, one.address, address))
})

/** Returns what reads the balances of the pinned tokens. A chain whose node does not answer has none. */
const resolverOf = (
  { chains }: Directory,
  { tokens }: Names,
  policies: ReadonlyArray<AgentRules>
): NonNullable<ToolSession["resolver"]> => ({
  balances: async (wallets) => {
    const reads = chains.map((chain) => {
      const wallet = wallets[chain.family]
      // The nodes of a policy take precedence over the configuration.
      const [node] = [...policies.map(({ nodes }) => nodes[String(chain.id)]), chain.rpcUrl].filter(
        (url) => url !== undefined
      )
      if (wallet === undefined || node === undefined) return Effect.succeed([])
      const here = tokens.filter(({ chainId }) => chainId === chain.id)
      return readBalances(chain, node, wallet, here).pipe(
        Effect.map((read) => read.map(({ amount, token }) => ({ token, wallet, amount }))),
        Effect.orElseSucceed(() => [])
      )
    })
    return (await Effect.runPromise(Effect.all(reads, { concurrency: 4 }))).flat()
  }
})

/** Creates the backend. */
export const makeBackend = (services: Context.Context<Services>, elicit: Elicit) => {
  const run = <A, E>(effect: Effect.Effect<A, E, Services | Directory>, signal?: AbortSignal) =>
    Effect.runPromiseWith(services)(
      Effect.flatMap(Output, ({ repeatFlags }) =>
        Effect.mapError(Effect.provide(effect, Session.directoryConfigured), (error) => toToolError(error, repeatFlags))
      ),
      { signal }
    )

  const openSession = Effect.fnUntraced(function* (family: Chain.Family | undefined, signs: boolean) {
    const directory = yield* Directory
    const { deployments } = yield* Settings
    const policies = yield* usableRules
    const everything = yield* allNames(policies)
    const wallet = family !== undefined && signs ? yield* (yield* AgentPolicy).wallet(family) : undefined
    const rules = wallet && (yield* wallet.verified).rules
    const shown = rules ?? policies.find((one) => one.wallet.family === family)
    const own = yield* walletAddresses
    return {
      // A wallet that signs uses only the tokens of its policy.
      names: rules === undefined ? everything : yield* policyNames([rules]),
      bundled,
      resolver: resolverOf(directory, everything, policies),
      wallet,
      client: {
        ...clientOf(run, wallet),
        rules: {
          network: networkOf(deployments),
          policy: { ...(shown && rulesOf(shown)) },
          wallets: wallet === undefined ? own : { ...own, [wallet.family]: wallet.address },
          store: storeOf(wallet),
          canProve: (chainId: number) => shown?.nodes[`${chainId}`] !== undefined
        }
      }
    }
  })

  /** The policy's store, for the keys of calls without one. */
  const storeOf = (wallet: WalletPolicy | undefined): ToolClient["rules"]["store"] => ({
    update: (name, change) =>
      run(
        Effect.flatMap(required(wallet), ({ verified }) =>
          Effect.flatMap(verified, ({ store }) => store.records.update(name, change))
        )
      )
  })

  const open: OpenSession = async ({ family, signs }, { signal }) => {
    const { wallet, ...session } = await run(openSession(family, signs), signal)
    return {
      ...session,
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
