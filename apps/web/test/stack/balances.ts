/** Who has what on both ends of a swap, asked of the chains and not of the page. */
import { formatAmount } from "@geoswap/core/promise"
import type { End, Route } from "../browser/swapPage.js"
import { balanceOf, tokenOf } from "./chains.js"
import type { Stack } from "./stack.js"

/** The names of the chains, as the page shows them. */
export const [chainA, chainB, chainS] = ["devnet-a", "devnet-b", "devnet-solana"] as const

/** An end of a swap. */
export const on = (chain: string, token: string): End => ({ chain, token })

/** Whose tokens move. */
export interface Participants {
  readonly payer: string
  readonly receiver: string
}

/** A play wallet by its name. */
export const walletOf = ({ devnet }: Pick<Stack, "devnet">, name: string) => {
  const wallet = devnet.description.wallets.find((one) => one.name === name)
  if (wallet === undefined) throw new Error(`There is no ${name}.`)
  return wallet
}

/** What somebody has of the token at one end, in smallest units. */
export const balanceOn = async (stack: Stack, { chain: name, token: symbol }: End, who: string) => {
  const { evmA, evmB, solana } = stack.devnet
  const chain = [evmA, evmB, solana].find((one) => one.name === name)
  if (chain === undefined) throw new Error(`There is no chain ${name}.`)
  const { address, decimals } = symbol === stack.pausable.token.symbol ? stack.pausable.token : tokenOf(chain, symbol)
  return { decimals, units: await balanceOf(chain, address, walletOf(stack, who).address) }
}

/** What both have. */
export const balancesOn = async (stack: Stack, { from, to }: Route, { payer, receiver }: Participants) => ({
  input: await balanceOn(stack, from, payer),
  output: await balanceOn(stack, to, receiver)
})

/** The first eight digits of an amount that are not leading zeros, as the page shows a balance. */
export const digits = ({ decimals, units }: { readonly units: bigint; readonly decimals: number }): string => {
  const [whole = "", fraction = ""] = formatAmount(units, decimals).split(".")
  const kept = fraction.slice(0, Math.max(0, 8 - whole.length)).replace(/0+$/, "")
  return kept === "" ? whole : `${whole}.${kept}`
}

/** An amount of the page without the spaces between groups of three. */
export const plain = (text: string): string => text.replaceAll(/\u2009/g, "")
