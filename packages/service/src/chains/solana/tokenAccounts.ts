/** Token accounts: where they are, and what is in them. */
import {
  AccountState,
  findAssociatedTokenPda,
  getMintDecoder,
  getMintSize,
  getTokenDecoder
} from "@solana-program/token"
import type { Address } from "@solana/kit"
import * as Effect from "effect/Effect"
import type { ChainUnavailable } from "../Chains.js"
import { Accounts } from "./rpcSchemas.js"
import type { Node } from "./rpcNodes.js"
import { tokenProgram } from "./programs.js"
import { fromBase64 } from "./wireTransaction.js"

/** The associated token account of an owner for a mint. */
export type TokenAccountOf = (owner: string, mint: string) => Effect.Effect<Address>

/** Derivations to remember: each takes milliseconds, and quotes ask for the same again. */
const maxDerivations = 1_000

/** Derives token accounts, and remembers the last ones. */
export const makeTokenAccounts = (): TokenAccountOf => {
  const known = new Map<string, Address>()
  return (owner, mint) =>
    Effect.suspend(() => {
      const name = `${owner} ${mint}`
      const found = known.get(name)
      if (found !== undefined) return Effect.succeed(found)
      return Effect.promise(async () => {
        const seeds = { owner: owner as Address, mint: mint as Address, tokenProgram }
        const [account] = await findAssociatedTokenPda(seeds)
        for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - maxDerivations + 1)))
          known.delete(oldest)
        known.set(name, account)
        return account
      })
    })
}

/** An account as a node shows it. */
export interface Account {
  readonly owner: string
  readonly lamports: bigint
  readonly data: Uint8Array
}

/** The most accounts that a node shows at once. */
const maxAccounts = 100

/** As many accounts as a node shows at once, with the slot that they are of. */
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
    if (account !== null && data === undefined) return yield* node.invalidAnswer("showed an account that is no base64")
    accounts.push(account === null || data === undefined ? undefined : { ...account, data })
  }
  return { accounts, slot: context.slot }
})

/** Reads accounts as they are when confirmed; `undefined` for one that is not there. */
export const readAccounts = Effect.fnUntraced(function* (
  node: Node,
  addresses: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<Account | undefined>, ChainUnavailable> {
  const accounts: Array<Account | undefined> = []
  for (let from = 0; from < addresses.length; from += maxAccounts) {
    accounts.push(...(yield* readSome(node, addresses.slice(from, from + maxAccounts))).accounts)
  }
  return accounts
})

/** Reads an account as it is when confirmed, with the slot that it is of, which is not older than `since`. */
export const readAccountAt = Effect.fnUntraced(function* (
  node: Node,
  address: string,
  since: bigint
): Effect.fn.Return<{ readonly account: Account | undefined; readonly slot: bigint }, ChainUnavailable> {
  const { accounts, slot } = yield* readSome(node, [address])
  return slot < since ? yield* node.behind(slot, since) : { account: accounts[0], slot }
})

const tokenAccountSize = 165

/** What is in a token account of the classic token program; `undefined` where it is none. */
export const tokenAccount = (account: Account | undefined) =>
  account?.owner === tokenProgram && account.data.length === tokenAccountSize
    ? getTokenDecoder().decode(account.data)
    : undefined

/** What is in a mint of the classic token program; `undefined` where it is none. */
export const mint = (account: Account | undefined) =>
  account?.owner === tokenProgram && account.data.length === getMintSize()
    ? getMintDecoder().decode(account.data)
    : undefined

/** What an owner can spend out of a token account that should be theirs. */
export const amountIn = (account: Account | undefined, owner: string, ofMint: string): bigint => {
  const held = tokenAccount(account)
  return held?.state !== undefined &&
    held.state !== AccountState.Uninitialized &&
    held.owner === owner &&
    held.mint === ofMint
    ? held.amount
    : 0n
}
