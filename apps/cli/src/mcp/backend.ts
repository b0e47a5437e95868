/** The backend of the tools: the user's settings, keys, policy, journal and history. */
import type { Journal, Transport } from "@geoswap/core"
import type { Backend, Call } from "@geoswap/tools"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AgentPolicy } from "../agent/AgentPolicy.js"
import { Directory } from "../chains/Directory.js"
import type { Settings } from "../config/Settings.js"
import type { OpenEnvironment } from "../keys/openWallet.js"
import { Output } from "../output/Output.js"
import * as Session from "../service/Session.js"
import type { FileJournal } from "../swap/stateFiles.js"
import { delegation, revoke } from "./delegations.js"
import { type Elicit, execute } from "./executeSwap.js"
import { names } from "./names.js"
import { quote } from "./quoteSwap.js"
import { readSwap, swaps, wait } from "./readSwaps.js"
import { balances, chains, policies } from "./readWallet.js"
import { resume } from "./resumeSwap.js"
import type { RunningKeys } from "./RunningKeys.js"
import { searchTokens } from "./searchTokens.js"
import { toToolError } from "./toolError.js"

/** What the server keeps for all calls. The journal knows which flows this process is working on. */
export type Services =
  | AgentPolicy
  | RunningKeys
  | OpenEnvironment
  | Output
  | Settings
  | Transport.Transport
  | FileJournal
  | Journal.Journal

type Online = Services | Directory

/** Creates the backend. */
export const makeBackend = (services: Context.Context<Services>, elicit: Elicit): Backend => {
  const run = <A, E>(effect: Effect.Effect<A, E, Services>, { signal }: Call): Promise<A> =>
    Effect.runPromiseWith(services)(
      Effect.flatMap(Output, ({ repeatFlags }) => Effect.mapError(effect, (error) => toToolError(error, repeatFlags))),
      { signal }
    )
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
