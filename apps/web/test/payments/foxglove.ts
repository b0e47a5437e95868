/** A wallet that behaves like MetaMask, with dave's key, and what it pays. */
import { formatAmount } from "@geoswap/core/promise"
import { expect } from "vitest"
import {
  injectedWallet,
  type InjectedOptions,
  type InjectedWallet
} from "../../../../tooling/testing/browser/injectedWallet.js"
import type { Visit, VisitOptions } from "../browser/fixture.js"
import type { Route } from "../browser/swapPage.js"
import { balancesOn, chainA, chainB, on, walletOf } from "../stack/balances.js"
import { delegate } from "../stack/chains.js"
import type { Stack } from "../stack/stack.js"

export const usdc: Route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }
export const weth: Route = { from: on(chainA, "WETH"), to: on(chainB, "USDC"), amount: "0.05" }
const self = { payer: "dave", receiver: "dave" }

/** Removes dave's delegations. */
export const undelegate = async (stack: Stack): Promise<void> => {
  const { evmA, evmB } = stack.devnet
  for (const chain of [evmA, evmB]) await delegate(chain, walletOf(stack, "dave").address, undefined)
}

/** Opens a form with dave's key in a wallet that is on another network, and connects it. */
export const visitWith = async (
  stack: Stack,
  visit: (options?: VisitOptions) => Promise<Visit>,
  form: Pick<VisitOptions, "clock" | "route">,
  options: InjectedOptions = { chains: [stack.devnet.evmA.id, stack.devnet.evmB.id] }
): Promise<Visit & { readonly wallet: InjectedWallet }> => {
  const { privateKey } = walletOf(stack, "dave")
  const installed: { wallet?: InjectedWallet } = {}
  const visitor = await visit({
    ...form,
    // No test wallet is connected.
    stored: { "geoswap.wallets": JSON.stringify({ evm: "none", solana: "none" }) },
    before: async ({ page }) =>
      (installed.wallet = await injectedWallet(page.context(), "Foxglove", [privateKey], options))
  })
  const { wallet } = installed
  if (wallet === undefined) throw new Error("The wallet was not installed.")
  await visitor.connect("Foxglove")
  return { ...visitor, wallet }
}

/** The kinds of the prompts, in order. */
export const kindsOf = (wallet: InjectedWallet): ReadonlyArray<string> => wallet.prompts().map(({ kind }) => kind)

/** How many firm quotes the page requested. An indicative quote reserves nothing. */
export const quoteCount = ({ monitor }: Visit): number =>
  monitor.sent.filter(({ body, path }) => path === "/web/api/swap/quote" && !body.includes('"indicative":true')).length

/** An address as 32 bytes. */
export const word = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`

/** The swap is over: what the wallet paid is what the route says, and the page shows the delivery. */
export const settles = async (stack: Stack, { step }: Visit, route: Route, run: () => Promise<void>) => {
  const before = await balancesOn(stack, route, self)
  await run()
  await step("delivery", "done").waitFor({ state: "attached" })
  const after = await balancesOn(stack, route, self)
  expect(formatAmount(before.input.units - after.input.units, before.input.decimals)).toBe(route.amount)
  expect(after.output.units).toBeGreaterThan(before.output.units)
}
