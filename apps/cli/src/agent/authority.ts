/** What only a person at a terminal may do: change a policy, approve a swap, export a key. */
import type { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Keys from "../keys/Keys.js"
import { openWallet } from "../keys/Keys.js"
import { declined, Failure } from "../output/Exit.js"
import { Output } from "../output/Output.js"
import * as Prompts from "../terminal/Prompts.js"

/** Fails without a terminal. Nothing in the environment replaces it. */
export const requireTerminal = Effect.fnUntraced(function* (what: string) {
  const { interactive } = yield* Output
  if (interactive) return
  return yield* new Failure({
    message: `${what} requires a person at a terminal, and no interactive terminal is available. Nothing was changed.`,
    next: "Run the command in a terminal. --yes and GEOSWAP_KEYSTORE_PASSWORD are not accepted here.",
    exitCode: 3
  })
})

/** Returns the chain family of the wallet in `--wallet`, or of the only wallet. An EVM wallet is preferred. */
export const walletFamily = Effect.gen(function* () {
  if (yield* Keys.isOtherFamily("evm")) return "solana" as const
  if (yield* Keys.isOtherFamily("solana")) return "evm" as const
  const evm = yield* Effect.orElseSucceed(Keys.sourceOf("evm"), () => undefined)
  const solana = yield* Effect.orElseSucceed(Keys.sourceOf("solana"), () => undefined)
  return evm === undefined && solana !== undefined ? ("solana" as const) : ("evm" as const)
})

/**
 * Opens a wallet with the authority of a person: the password of its keystore is typed at a terminal. A key without a
 * password, in the environment or a plain file, is only confirmed.
 */
export const openAsPerson = Effect.fnUntraced(function* (what: string, family?: Chain.Family) {
  yield* requireTerminal(what)
  const opening = openWallet(family ?? (yield* walletFamily))
  const opened = yield* Effect.provideService(opening, Keys.PasswordSource, "typed")
  if (opened.source.kind === "keystore") return opened
  if (yield* Prompts.confirm(`${what} for ${opened.address}?`)) return opened
  return yield* declined("Cancelled. Nothing was changed.", "Run the command again.")
})
