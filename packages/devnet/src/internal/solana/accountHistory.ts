/** Account states at slots that are not final yet, so that each commitment level reads its own state. */
import type { Address, EncodedAccount, MaybeEncodedAccount } from "@solana/kit"

/** An account, or undefined if it does not exist. */
export type State = EncodedAccount | undefined

/** Returns an account's state. An account without lamports does not exist. */
export const stateOf = (account: MaybeEncodedAccount): State =>
  account.exists && account.lamports > 0n ? account : undefined

const same = (a: State, b: State): boolean =>
  a === undefined || b === undefined
    ? a === b
    : a.lamports === b.lamports &&
      a.programAddress === b.programAddress &&
      a.executable === b.executable &&
      Buffer.compare(a.data as Uint8Array, b.data as Uint8Array) === 0

interface Version {
  /** The first slot with this state. */
  readonly slot: number
  readonly state: State
}

/** The history of recently changed accounts. */
export interface AccountHistory {
  /** Records an account's change in a slot. Returns whether the account changed. */
  readonly record: (slot: number, address: Address, before: State, after: State) => boolean
  /**
   * The account as of a slot, or undefined if the account has not changed recently. In that case, its current state
   * applies.
   */
  readonly at: (slot: number, address: Address) => { readonly state: State } | undefined
  /** The accounts that changed after a slot, with their states as of that slot. */
  readonly since: (slot: number) => ReadonlyArray<{ readonly address: Address; readonly state: State }>
  /** Removes the states that were recorded after a slot. */
  readonly rewind: (slot: number) => void
  /** Removes the states that are visible only at slots before the given one. */
  readonly prune: (slot: number) => void
  readonly addresses: () => Iterable<Address>
}

export const make = (): AccountHistory => {
  const histories = new Map<Address, ReadonlyArray<Version>>()
  const at = (slot: number, address: Address) => histories.get(address)?.findLast((version) => version.slot <= slot)
  return {
    at,
    record: (slot, address, before, after) => {
      if (same(before, after)) return false
      const history = histories.get(address) ?? [{ slot: -1, state: before }]
      histories.set(address, [...history.filter((version) => version.slot !== slot), { slot, state: after }])
      return true
    },
    since: (slot) =>
      [...histories].flatMap(([address, history]) =>
        (history.at(-1)?.slot ?? -1) > slot ? [{ address, state: at(slot, address)?.state }] : []
      ),
    rewind: (slot) => {
      for (const [address, history] of histories) {
        histories.set(
          address,
          history.filter((version) => version.slot <= slot)
        )
      }
    },
    prune: (slot) => {
      for (const [address, history] of histories) {
        const first = history.findLastIndex((version) => version.slot <= slot)
        if (first === history.length - 1) histories.delete(address)
        else if (first > 0) histories.set(address, history.slice(first))
      }
    },
    addresses: () => histories.keys()
  }
}
