/** What a first swap does to an EVM wallet, known before anything is signed. */
import * as Effect from "effect/Effect"
import { delegationOn } from "../commands/delegationHandler.js"
import type { KnownChain } from "../chains/Directory.js"
import type { Delegated } from "./terms.js"

/** Whether a wallet still has to be delegated on a chain, and to which contract. */
export const delegatedOn = (chain: KnownChain, wallet: string) =>
  Effect.map(delegationOn(chain, wallet), ({ contract, delegated, pinned }): Delegated => ({
    needed: !delegated,
    contract,
    pinned
  }))
