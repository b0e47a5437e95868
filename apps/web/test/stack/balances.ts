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

/** Returns the chain and the token of one side. */
const legOf = (stack: Stack, { chain: name, token: symbol }: Leg) => {
  const { evmA, evmB, solana } = stack.devnet
  const chain = [evmA, evmB, solana].find((one) => one.name === name)
  if (chain === undefined) throw new Error(`There is no chain ${name}.`)
  return { chain, token: symbol === stack.pausable.token.symbol ? stack.pausable.token : tokenOf(chain, symbol) }
}

/** Reads a wallet's balance on one side, in smallest units. */
export const balanceOn = async (stack: Stack, leg: Leg, who: string) => {
  const { chain, token } = legOf(stack, leg)
  return { decimals: token.decimals, units: await balanceOf(chain, token.address, walletOf(stack, who).address) }
}

/** Returns the query of a link to a form. */
export const linkTo = (stack: Stack, { amount, from, to }: Route): string => {
  const side = (leg: Leg) => {
    const { chain, token } = legOf(stack, leg)
    return `${chain.id}:${token.address}`
  }
  return `?from=${side(from)}&to=${side(to)}&amount=${amount}`
}

/** Reads both balances. */
export const balancesOn = async (stack: Stack, { from, to }: Route, { payer, receiver }: Participants) => ({
  input: await balanceOn(stack, from, payer),
  output: await balanceOn(stack, to, receiver)
})

/** Formats an amount with significant digits (default: 9, as in a balance) and at least two decimal places, as the page does. */
export const digits = (
  { decimals, units }: { readonly units: bigint; readonly decimals: number },
  significant = 9
): string => {
  const [whole = "", fraction = ""] = formatAmount(units, decimals).split(".")
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0
  const places = whole === "0" ? Math.min(8, zeros + significant) : Math.max(2, significant - whole.length)
  const kept = fraction.slice(0, places).replace(/0+$/, "")
  return kept === "" ? whole : `${whole}.${kept}`
}

/** Removes the commas between digit groups, and replaces spaces at which a line cannot break. */
export const plain = (text: string): string => text.replaceAll(/(?<=\d),(?=\d{3})/g, "").replaceAll("\u00a0", " ")
