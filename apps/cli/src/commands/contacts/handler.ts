/** Handles `geoswap contacts`: manages the address book in the configuration. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { checksumProblem } from "../../chains/addressProblem.js"
import * as ConfigFile from "../../config/ConfigFile.js"
import { checkName, isSameName } from "../../config/names.js"
import * as Settings from "../../config/Settings.js"
import { usage } from "../../output/Exit.js"
import * as Output from "../../output/Output.js"

const kindOf = (address: string) => (Chain.isAddress("solana", address) ? "solana" : "evm")

/** Lists the contacts. */
export const list = Effect.fnUntraced(function* () {
  const { contacts } = yield* Settings.load
  const entries = Object.entries(contacts).map(([name, address]) => ({ name, family: kindOf(address), address }))
  yield* Output.result({ contacts: entries }, ({ dim }) =>
    entries.length === 0
      ? "You have no contacts. Add one: geoswap contacts add <name> <address>"
      : Output.table(
          entries.map(({ address, family, name }) => [name, family === "evm" ? "EVM" : "Solana", address]),
          { head: ["name", "family", "address"], style: dim }
        )
  )
})

/** Adds a contact. */
export const add = Effect.fnUntraced(function* (args: { readonly name: string; readonly address: string }) {
  const { address, name } = args
  const { config, path, save } = yield* ConfigFile.edit
  const { contacts = {} } = config
  yield* checkName(name, config)
  if (!Chain.isAddress("evm", address) && !Chain.isAddress("solana", address)) {
    const problem = checksumProblem(address)
    return yield* usage(
      problem?.what ?? `"${Output.stripControls(address)}" is not an address.`,
      problem?.next ?? "Expected 0x followed by 40 hex digits, or base58 of 32 bytes."
    )
  }
  yield* save({ ...config, contacts: { ...contacts, [name]: address } })
  yield* Output.result({ name, family: kindOf(address), address, path }, () => `Added ${name}: ${address}`)
})

/** Removes a contact. */
export const remove = Effect.fnUntraced(function* ({ name }: { readonly name: string }) {
  const { config, path, save } = yield* ConfigFile.edit
  const { contacts = {} } = config
  const known = Object.keys(contacts).find((one) => isSameName(one, name))
  if (known === undefined) {
    return yield* usage(
      `There is no contact "${Output.stripControls(name)}".`,
      "To list your contacts, run 'geoswap contacts list'."
    )
  }
  const { [known]: address = "", ...others } = contacts
  yield* save({ ...config, contacts: others })
  yield* Output.result({ name: known, family: kindOf(address), address, path }, () => `Removed ${known}: ${address}`)
})
