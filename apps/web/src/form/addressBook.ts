/** Names that the user gave to addresses, in this browser. The review always shows the address, too. */
import { Chain } from "@geoswap/core"
import * as Schema from "effect/Schema"
import { useState } from "react"
import type { Family } from "../config.js"
import * as storage from "../storage.js"

const Contact = Schema.Struct({
  name: Schema.NonEmptyString,
  address: Schema.NonEmptyString,
  family: Chain.Family
})

/** An address with a name. */
export type Contact = typeof Contact.Type

const key = "geoswap.addresses"

/** Parses the stored addresses. An address that is not valid is left out. */
export const parseContacts = (stored: unknown): ReadonlyArray<Contact> =>
  storage.itemsOf(Contact, stored).filter(({ address, family }) => Chain.isAddress(family, address))

const isSame = (one: Contact, family: Family, address: string) =>
  one.family === family && Chain.sameAddress(family, one.address, address)

/** Returns the saved addresses. */
export const savedContacts = (): ReadonlyArray<Contact> => parseContacts(storage.read(key))

/** Returns the name under which an address is saved. */
export const savedName = (family: Family, address: string) =>
  savedContacts().find((contact) => isSame(contact, family, address))?.name

/** The saved addresses, and how they change. */
export const useAddressBook = () => {
  const [contacts, setContacts] = useState(savedContacts)
  const keep = (next: ReadonlyArray<Contact>) => {
    storage.write(key, next)
    setContacts(next)
  }
  return {
    contacts,
    save: (contact: Contact) =>
      keep([...contacts.filter((one) => !isSame(one, contact.family, contact.address)), contact]),
    remove: (contact: Contact) => keep(contacts.filter((one) => one !== contact))
  }
}
