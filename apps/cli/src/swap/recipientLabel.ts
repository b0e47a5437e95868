/** Resolves the names of recipients, and says whose wallet a recipient is. Names never come from the service. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { addressProblem } from "../chains/addressProblem.js"
import { type ChainToken, formatChain } from "../chains/Directory.js"
import { isName, isSameName } from "../config/names.js"
import { Settings } from "../config/Settings.js"
import * as Keys from "../keys/Keys.js"
import { namedKey, type UserKey, userKeys } from "../keys/KeySource.js"
import { usage } from "../output/Exit.js"
import { stripControls } from "../output/sanitize.js"

/** Whose wallet a recipient is. */
export interface RecipientLabel {
  readonly text: string
  /** Whether the wallet belongs to the user. */
  readonly own: boolean
}

/** Returns the name of a key, or `undefined` if it only has that of its environment variable. */
const nameOf = ({ family, name }: UserKey) => (name === Keys.variables[family] ? undefined : name)

/** Returns the name of the user's key with an address, or `undefined` if there is no such key or it has no name. */
export const walletName = (family: Chain.Family, wallet: string) =>
  Effect.map(Keys.keyWithAddress(family, wallet), (own) => own && nameOf(own))

/** Returns whose wallet the recipient is, according to the user's keys and contacts. */
export const recipientLabel = Effect.fnUntraced(function* (
  { chain: { family } }: ChainToken,
  recipient: string,
  payer: string
) {
  const { contacts, devnetFile } = yield* Settings
  const is = (address: string) => Chain.sameAddress(family, address, recipient)
  if (is(payer)) return { text: "the same wallet", own: true }
  const own = yield* Keys.keyWithAddress(family, recipient)
  if (own !== undefined) {
    const [name, whose] = [nameOf(own), devnetFile === undefined ? "your" : "the devnet"]
    return {
      text: name === undefined ? `your ${Keys.familyName[family]} wallet` : `${whose} wallet ${name}`,
      own: true
    }
  }
  const [contact] = Object.entries(contacts).find(([, address]) => is(address)) ?? []
  return { text: contact === undefined ? "a different wallet" : `${contact}, in your contacts`, own: false }
})

/** Returns the address of one of the user's keys. */
const addressOfKey = Effect.fnUntraced(function* (key: UserKey, chain: ChainToken["chain"]) {
  if (key.family !== chain.family) {
    return yield* usage(
      `${key.name} is a key for ${Keys.familyName[key.family]} chains, but the recipient is on ${formatChain(chain)}.`,
      "Pass another --recipient. To list your keys, run 'geoswap keys list'."
    )
  }
  const address = yield* Keys.addressOfSource(key.family, key.source)
  return (
    address ??
    (yield* usage(
      `The address of the key ${key.name} is unknown, because its keystore does not contain it.`,
      "Pass the address with --recipient."
    ))
  )
})

/** Resolves `--recipient`: an address, the name of one of the user's keys, or a contact. */
export const resolveRecipient = Effect.fnUntraced(function* (text: string, { chain }: ChainToken) {
  const { family, name } = chain
  const problem = addressProblem(family, text)
  if (problem === undefined) return text
  if (!isName(text)) return yield* usage(`--recipient is not an address on ${name}: ${problem.what}`, problem.next)
  const { contacts } = yield* Settings
  const own = yield* namedKey(text)
  if (own !== undefined) return yield* addressOfKey(own, chain)
  const [, contact] = Object.entries(contacts).find(([one]) => isSameName(one, text)) ?? []
  if (contact === undefined) {
    const known = [
      ...(yield* userKeys).filter((key) => key.family === family).map((key) => key.name),
      ...Object.keys(contacts)
    ]
    return yield* usage(
      `--recipient is neither an address on ${formatChain(chain)} nor a name that you know: "${stripControls(text)}".`,
      `${known.length === 0 ? "" : `Names: ${known.join(", ")}. `}Add one: geoswap contacts add <name> <address>`
    )
  }
  const fits: boolean = Chain.isAddress(family, contact)
  if (fits) return contact
  return yield* usage(
    `${stripControls(text)} is not a ${Keys.familyName[family]} address: ${contact}.`,
    `Pass an address on ${formatChain(chain)}, or another contact.`
  )
})
