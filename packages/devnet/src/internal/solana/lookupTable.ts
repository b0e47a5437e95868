/** Address lookup tables. */
import { type Address, getAddressDecoder } from "@solana/kit"
import type { State } from "./accountHistory.js"

const program = "AddressLookupTab1e1111111111111111111111111"
const headerSize = 56

/** A decoded lookup table. */
export interface LookupTable {
  readonly deactivationSlot: bigint
  readonly lastExtendedSlot: bigint
  readonly lastExtendedSlotStartIndex: number
  readonly authority: Address | undefined
  readonly addresses: ReadonlyArray<Address>
}

/** Reads a lookup table. Returns undefined if the account is not a lookup table. */
export const read = (account: State): LookupTable | undefined => {
  if (account === undefined || account.programAddress !== program || account.data.length < headerSize) return undefined
  const data = new Uint8Array(account.data)
  const view = new DataView(data.buffer)
  if (view.getUint32(0, true) !== 1) return undefined
  const addressAt = (offset: number) => getAddressDecoder().decode(data.subarray(offset, offset + 32))
  const count = Math.floor((data.length - headerSize) / 32)
  return {
    deactivationSlot: view.getBigUint64(4, true),
    lastExtendedSlot: view.getBigUint64(12, true),
    lastExtendedSlotStartIndex: view.getUint8(20),
    authority: view.getUint8(21) === 1 ? addressAt(22) : undefined,
    addresses: Array.from({ length: count }, (_, index) => addressAt(headerSize + 32 * index))
  }
}
