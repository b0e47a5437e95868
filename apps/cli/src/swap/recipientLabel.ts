/** Says whose wallet a recipient is, according to the user's keys. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { ChainToken } from "../chains/Directory.js"
import { Settings } from "../config/Settings.js"
import * as Keys from "../keys/Keys.js"

/** Whose wallet a recipient is. */
export interface RecipientLabel {
  readonly text: string
  /** Whether the wallet belongs to the user. */
  readonly own: boolean
}

/**
 * Returns whose wallet the recipient is. The label never comes from the service. A key that cannot be read is not
 * compared.
 */
export const recipientLabel = (
  { chain: { kind } }: ChainToken,
  recipient: string,
  payer: string
): Effect.Effect<RecipientLabel, never, Settings> =>
  Effect.gen(function* () {
    const { wallets } = yield* Settings
    const is = (address: string | undefined) => address !== undefined && Chain.sameAddress(kind, address, recipient)
    if (is(payer)) return { text: "the same wallet", own: true }
    const devnet = wallets.find((wallet) => wallet.kind === kind && is(wallet.address))
    if (devnet !== undefined) return { text: `the devnet wallet ${devnet.name}`, own: true }
    const own = yield* Effect.orElseSucceed(Keys.ownAddress(kind), () => undefined)
    return is(own)
      ? { text: `your ${Keys.familyName[kind]} wallet`, own: true }
      : { text: "a different wallet", own: false }
  })
