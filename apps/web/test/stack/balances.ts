/** The balances on both sides of a swap, read from the chains. */
import { formatAmount } from "@geoswap/core/promise"
import type { Leg, Route } from "../browser/swapPage.js"
import { balanceOf, tokenOf } from "./chains.js"
import type { Stack } from "./stack.js"

/** The names of the chains on the page. */
export const [chainA, chainB, chainS] = ["devnet-a", "devnet-b", "devnet-solana"] as const

/** Creates one side of a swap. */
export const on = (chain: string, token: string): Leg => ({ chain, token })

/** The wallets of a swap. */
export interface Participants {
  readonly payer: string
  readonly receiver: string
}

/** Returns a test wallet by its name. */
export const walletOf = ({ devnet }: Pick<Stack, "devnet">, name: string) => {
  const wallet = devnet.description.wallets.find((one) => one.name === name)
  if (wallet === undefined) throw new Error(`There is no ${name}.`)
  return wallet
}

/** Reads a wallet's balance on one side, in smallest units. */
export const balanceOn = async (stack: Stack, { chain: name, token: symbol }: Leg, who: string) => {
  const { evmA, evmB, solana } = stack.devnet
  const chain = [evmA, evmB, solana].find((one) => one.name === name)
  if (chain === undefined) throw new Error(`There is no chain ${name}.`)
  const { address, decimals } = symbol === stack.pausable.token.symbol ? stack.pausable.token : tokenOf(chain, symbol)
  return { decimals, units: await balanceOf(chain, address, walletOf(stack, who).address) }
}

/** Reads both balances. */
export const balancesOn = async (stack: Stack, { from, to }: Route, { payer, receiver }: Participants) => ({
  input: await balanceOn(stack, from, payer),
  output: await balanceOn(stack, to, receiver)
})

/** Formats an amount with eight significant digits, as the page does. */
export const digits = ({ decimals, units }: { readonly units: bigint; readonly decimals: number }): string => {
  const [whole = "", fraction = ""] = formatAmount(units, decimals).split(".")
  const kept = fraction.slice(0, Math.max(0, 8 - whole.length)).replace(/0+$/, "")
  return kept === "" ? whole : `${whole}.${kept}`
}

/** Removes the thin spaces between digit groups. */
export const plain = (text: string): string => text.replaceAll(/\u2009/g, "")
