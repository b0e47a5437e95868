/** RPC methods for accounts, balances and tokens. */
import { getBase58Encoder } from "@solana/kit"
import { show, viewOf } from "./accountView.js"
import type { Block } from "./blocks.js"
import { inContext } from "./clusterMethods.js"
import type { Ledger } from "./ledger.js"
import { blockOf, type Config, config, flag, integer, type Method, pubkey, text, texts } from "./params.js"
import { invalidParams } from "../rpcError.js"
import * as Token from "./token.js"
import type { State } from "./accountHistory.js"

const maxAccounts = 100

/** Finds the mint of a token account as of a block. */
export const mintsAt =
  (ledger: Ledger, block: Block) =>
  (mint: Parameters<Ledger["account"]>[0]): Token.Mint | undefined =>
    Token.readMint(ledger.account(mint, block))

const matches = (account: NonNullable<State>, filter: Config): boolean => {
  if (filter["dataSize"] !== undefined) return account.data.length === integer(filter["dataSize"])
  const { bytes, encoding = "base58", offset } = config(filter["memcmp"])
  const wanted =
    encoding === "base64" ? Buffer.from(text(bytes), "base64") : new Uint8Array(getBase58Encoder().encode(text(bytes)))
  const start = integer(offset)
  const found = new Uint8Array(account.data).subarray(start, start + wanted.length)
  return Buffer.compare(found, wanted) === 0
}

/** The RPC methods for accounts. */
export const accountMethods = (ledger: Ledger): Readonly<Record<string, Method>> => {
  const keyed = (accounts: ReadonlyArray<NonNullable<State>>, block: Block, options: Config) =>
    accounts.map((account) => ({
      pubkey: account.address,
      account: show(account, viewOf(options), mintsAt(ledger, block))
    }))
  return {
    getAccountInfo: ([address, options]) => {
      const key = pubkey(address)
      const view = viewOf(config(options))
      const block = blockOf(ledger, config(options))
      return inContext(ledger, block, show(ledger.account(key, block), view, mintsAt(ledger, block)))
    },
    getMultipleAccounts: ([addresses, options]) => {
      const keys = texts(addresses)
      if (keys.length > maxAccounts) throw invalidParams(`Too many inputs provided; max ${maxAccounts}`)
      const view = viewOf(config(options), "base64")
      const block = blockOf(ledger, config(options))
      const shown = keys.map(pubkey).map((key) => show(ledger.account(key, block), view, mintsAt(ledger, block)))
      return inContext(ledger, block, shown)
    },
    getBalance: ([address, options]) => {
      const key = pubkey(address)
      const block = blockOf(ledger, config(options))
      return inContext(ledger, block, ledger.account(key, block)?.lamports ?? 0n)
    },
    getProgramAccounts: ([program, options]) => {
      const key = pubkey(program)
      const given = config(options)
      const block = blockOf(ledger, given)
      const filters = (given["filters"] ?? []) as ReadonlyArray<Config>
      const found = ledger
        .programAccounts(key, block)
        .filter((account) => filters.every((filter) => matches(account, filter)))
      const shown = keyed(found, block, given)
      return flag(given["withContext"]) ? inContext(ledger, block, shown) : shown
    },
    getTokenAccountBalance: ([address, options]) => {
      const key = pubkey(address)
      const block = blockOf(ledger, config(options))
      const account = ledger.account(key, block)
      if (account === undefined) throw invalidParams("Invalid param: could not find account")
      const held = Token.readAccount(account)
      if (held === undefined) throw invalidParams("Invalid param: not a Token account")
      const mint = mintsAt(ledger, block)(held.mint)
      if (mint === undefined) throw invalidParams("Invalid param: could not find mint")
      return inContext(ledger, block, Token.uiAmount(held.amount, mint.decimals))
    },
    getTokenSupply: ([address, options]) => {
      const key = pubkey(address)
      const block = blockOf(ledger, config(options))
      const account = ledger.account(key, block)
      if (account === undefined) throw invalidParams("Invalid param: could not find account")
      const mint = Token.readMint(account)
      if (mint === undefined) throw invalidParams("Invalid param: not a Token mint")
      return inContext(ledger, block, Token.uiAmount(mint.supply, mint.decimals))
    },
    getTokenAccountsByOwner: ([owner, filter, options]) => {
      const key = pubkey(owner)
      const { mint, programId } = config(filter)
      const block = blockOf(ledger, config(options))
      if (mint === undefined && programId === undefined) {
        throw invalidParams("Invalid params: invalid length 0, expected map with a single key.")
      }
      const wanted = mint === undefined ? undefined : pubkey(mint)
      if (wanted !== undefined && mintsAt(ledger, block)(wanted) === undefined) {
        throw invalidParams("Invalid param: could not find mint")
      }
      const program = wanted === undefined ? pubkey(programId) : ledger.account(wanted, block)?.programAddress
      if (program === undefined || !Token.programs.has(program)) {
        throw invalidParams("Invalid param: unrecognized Token program id")
      }
      const found = ledger.programAccounts(program, block).filter((account) => {
        const held = Token.readAccount(account)
        return held?.owner === key && (wanted === undefined || held.mint === wanted)
      })
      return inContext(ledger, block, keyed(found, block, config(options)))
    }
  }
}
