/** Resolves the names of recipients, and says whose wallet a recipient is. Names never come from the service. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { addressProblem } from "../chains/addressProblem.js"
import { type ChainToken, formatChain } from "../chains/Directory.js"
import { isName, isSameName } from "../config/names.js"
import { Settings } from "../config/Settings.js"
import * as Keys from "../keys/Keys.js"
import { namedKey, type UserKey, userKeys } from "../keys/KeySource.js"
import { UsageError } from "../output/Exit.js"
import { stripControls } from "../output/sanitize.js"

/** Whose wallet a recipient is. */
export interface RecipientLabel {
  readonly text: string
  /** Whether the wallet belongs to the user. */
  readonly own: boolean
}

/** Returns the addresses of the user's keys for a chain family. A key that cannot be read is left out. */
const ownAddresses = (family: Chain.Family) =>
  Effect.gen(function* () {
    const keys = (yield* userKeys).filter(({ kind }) => kind === family)
    const addresses = yield* Effect.forEach(keys, ({ source }) =>
      Effect.orElseSucceed(Keys.addressOfSource(family, source), () => undefined)
    )
    return keys.flatMap((key, at) => {
      const address = addresses[at]
      return address === undefined ? [] : [{ ...key, address }]
    })
  })

const unnamedKeys: ReadonlySet<string> = new Set(["evm", "solana", ...Object.values(Keys.variables)])

/** Returns the name of the user's key with an address, or `undefined` if there is no such key or it has no name. */
export const walletName = Effect.fnUntraced(function* (family: Chain.Family, wallet: string) {
  const own = (yield* ownAddresses(family)).find(({ address }) => Chain.sameAddress(family, address, wallet))
  return own === undefined || unnamedKeys.has(own.name) ? undefined : own.name
})

/** Returns whose wallet the recipient is, according to the user's keys and contacts. */
export const recipientLabel = Effect.fnUntraced(function* (
  { chain: { kind } }: ChainToken,
  recipient: string,
  payer: string
) {
  const { contacts, devnetFile } = yield* Settings
  const is = (address: string) => Chain.sameAddress(kind, address, recipient)
  const labelled = (text: string, own: boolean): RecipientLabel => ({ text, own })
  if (is(payer)) return labelled("the same wallet", true)
  const own = (yield* ownAddresses(kind)).find(({ address }) => is(address))
  if (own !== undefined) {
    const unnamed = unnamedKeys.has(own.name)
    const whose = devnetFile === undefined ? "your" : "the devnet"
    return labelled(unnamed ? `your ${Keys.familyName[kind]} wallet` : `${whose} wallet ${own.name}`, true)
  }
  const [contact] = Object.entries(contacts).find(([, address]) => is(address)) ?? []
  return labelled(contact === undefined ? "a different wallet" : `${contact}, in your contacts`, false)
})

const usage = (message: string, next: string) => new UsageError({ message, next })

/** Returns the address of one of the user's keys. */
const addressOfKey = Effect.fnUntraced(function* (key: UserKey, chain: ChainToken["chain"]) {
  if (key.kind !== chain.kind) {
    return yield* usage(
      `${key.name} is a key for ${Keys.familyName[key.kind]} chains, but the recipient is on ${formatChain(chain)}.`,
      "Pass another --recipient. To list your keys, run 'geoswap keys list'."
    )
  }
  const address = yield* Keys.addressOfSource(key.kind, key.source)
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
  const { kind, name } = chain
  const problem = addressProblem(kind, text)
  if (problem === undefined) return text
  if (!isName(text)) return yield* usage(`--recipient is not an address on ${name}: ${problem.what}`, problem.next)
  const { contacts } = yield* Settings
  const own = yield* namedKey(text)
  if (own !== undefined) return yield* addressOfKey(own, chain)
  const [, contact] = Object.entries(contacts).find(([one]) => isSameName(one, text)) ?? []
  if (contact === undefined) {
    const known = [
      ...(yield* userKeys).filter((key) => key.kind === kind).map((key) => key.name),
      ...Object.keys(contacts)
    ]
    return yield* usage(
      `--recipient is neither an address on ${formatChain(chain)} nor a name that you know: "${stripControls(text)}".`,
      `${known.length === 0 ? "" : `Names: ${known.join(", ")}. `}Add one: geoswap contacts add <name> <address>`
    )
  }
  const fits: boolean = Chain.isAddress(kind, contact)
  if (fits) return contact
  return yield* usage(
    `${stripControls(text)} is not a ${Keys.familyName[kind]} address: ${contact}.`,
    `Pass an address on ${formatChain(chain)}, or another contact.`
  )
})
