/** Token accounts: addresses and contents. */
import {
  AccountState,
  findAssociatedTokenPda,
  getMintDecoder,
  getMintSize,
  getTokenDecoder
} from "@solana-program/token"
import type { Address } from "@solana/kit"
import * as Effect from "effect/Effect"
import { remember } from "../../../concurrency/boundedMap.js"
import type { Node } from "../nodes/rpcNodes.js"
import { Accounts } from "../nodes/rpcSchemas.js"
import { tokenProgram } from "../transactions/programs.js"
import { fromBase64 } from "../transactions/wireTransaction.js"

/**
 * How many derived addresses to cache. Each derivation takes milliseconds, and quotes need the same addresses
 * repeatedly.
 */
const maxDerivations = 1_000

/** Creates a function that derives an owner's associated token account for a mint, and caches it. */
export const makeTokenAccounts = () => {
  const known = new Map<string, Address>()
  return (owner: string, mint: string) =>
    Effect.suspend(() => {
      const name = `${owner} ${mint}`
      const found = known.get(name)
      if (found !== undefined) return Effect.succeed(found)
      return Effect.promise(async () => {
        const seeds = { owner: owner as Address, mint: mint as Address, tokenProgram }
        const [account] = await findAssociatedTokenPda(seeds)
        remember(known, name, account, maxDerivations)
        return account
      })
    })
}

/** An account as a node returns it. */
export interface Account {
  readonly owner: string
  readonly lamports: bigint
  readonly data: Uint8Array
}

/** The maximum number of accounts per request. */
const maxAccounts = 100

/** Reads accounts in one request, and returns them with the slot at which they were read. */
const readSome = Effect.fnUntraced(function* (node: Node, addresses: ReadonlyArray<string>) {
  const requested = addresses.map((each) => each as Address)
  const { context, value } = yield* node.ask("getMultipleAccounts", Accounts, (rpc) =>
    rpc.getMultipleAccounts(requested, { commitment: "confirmed", encoding: "base64" })
  )
  if (value.length !== requested.length)
    return yield* node.invalidAnswer("returned a different number of accounts than requested")
  const accounts: Array<Account | undefined> = []
  for (const account of value) {
    const data = account === null ? undefined : fromBase64(account.data[0])
    if (account !== null && data === undefined)
      return yield* node.invalidAnswer("returned an account whose data is not valid base64")
    accounts.push(account === null || data === undefined ? undefined : { ...account, data })
  }
  return { accounts, slot: context.slot }
})

/** Reads confirmed accounts. Returns `undefined` for an account that does not exist. */
export const readAccounts = Effect.fnUntraced(function* (node: Node, addresses: ReadonlyArray<string>) {
  const accounts: Array<Account | undefined> = []
  for (let from = 0; from < addresses.length; from += maxAccounts) {
    accounts.push(...(yield* readSome(node, addresses.slice(from, from + maxAccounts))).accounts)
  }
  return accounts
})

/** Reads a confirmed account, and returns it with the slot at which it was read, which is `since` or later. */
export const readAccountAt = Effect.fnUntraced(function* (node: Node, address: string, since: bigint) {
  const { accounts, slot } = yield* readSome(node, [address])
  return slot < since ? yield* node.behind(slot, since) : { account: accounts[0], slot }
})

const tokenAccountSize = 165

/** Decodes a token account owned by the classic token program. Returns `undefined` for any other account. */
export const tokenAccount = (account: Account | undefined) =>
  account?.owner === tokenProgram && account.data.length === tokenAccountSize
    ? getTokenDecoder().decode(account.data)
    : undefined

/** Decodes a mint owned by the classic token program. Returns `undefined` for any other account. */
export const mint = (account: Account | undefined) =>
  account?.owner === tokenProgram && account.data.length === getMintSize()
    ? getMintDecoder().decode(account.data)
    : undefined

/** The amount that an owner can spend from a token account. */
export const amountIn = (account: Account | undefined, owner: string, ofMint: string) => {
  const held = tokenAccount(account)
  return held?.state !== undefined &&
    held.state !== AccountState.Uninitialized &&
    held.owner === owner &&
    held.mint === ofMint
    ? held.amount
    : 0n
}
