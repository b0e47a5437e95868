/**
 * The arguments and flags for `geoswap quote` and `geoswap swap`. This module loads no handler, which keeps help fast.
 */
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import { booleanFlag, optional, optionalFlag, wholeFlag } from "./parameters.js"

const basisPoints = (name: string, description: string) => wholeFlag(name, "bps", [0, 10_000], description)

/** Parses a percentage such as `0.5%` or `0.5` into basis points. Returns `undefined` if it is invalid. */
export const parsePercent = (text: string) => {
  const [, whole = "", fraction = ""] = /^(\d{1,3})(?:\.(\d{1,2}))?\s*%?$/.exec(text.trim()) ?? []
  const points = whole === "" ? Number.NaN : Number(whole + fraction.padEnd(2, "0"))
  return points <= 10_000 ? points : undefined
}

/** A flag with a percentage, in basis points. */
const percentage = (name: string, most: number, description: string) =>
  optional(
    Flag.filterMap(
      Flag.String(name),
      (text) => Option.filter(Option.fromUndefinedOr(parsePercent(text)), (points) => points <= most),
      () => `Expected a percentage from 0% to ${most / 100}% with at most two decimal places, such as 0.5%`
    ),
    "percent",
    description
  )

/** The arguments and flags that describe a swap. */
export const requestParams = {
  positionals: Argument.String("amount-and-tokens").pipe(
    Argument.withDescription("The amount and tokens. With --max, omit the amount. Example: 10 usdc@base weth@arbitrum"),
    Argument.variadic({ max: 3 })
  ),
  tokenIn: optionalFlag("token-in", "symbol|address", "The token to pay with"),
  chainIn: optionalFlag("chain-in", "chain", "The origin chain: a name, alias or id"),
  amountIn: optionalFlag(
    "amount-in",
    "amount",
    "The amount to pay, in tokens (for example, 10 or 0.5). The token must be pinned"
  ),
  amountRaw: optionalFlag("amount-raw", "units", "The amount to pay, in the token's smallest unit"),
  max: booleanFlag("max", "Pay the wallet's entire balance, as read from your node"),
  tokenOut: optionalFlag("token-out", "symbol|address", "The token to receive"),
  chainOut: optionalFlag("chain-out", "chain", "The destination chain: a name, alias or id"),
  recipient: optionalFlag(
    "recipient",
    "address|name",
    "The recipient: an address, one of your keys, or a contact (default: the wallet that pays)"
  ),
  slippage: percentage(
    "slippage",
    10_000,
    "The maximum slippage, such as 0.5%. Values above 5% require a separate confirmation"
  ),
  slippageBps: basisPoints("slippage-bps", "The same in basis points: 50 is 0.5%")
} as const

/** The parsed arguments and flags that describe a swap. */
export type RequestArgs = Command.Command.Config.Infer<typeof requestParams>

/** Rules for one swap, in addition to the configured policy. */
const ruleParams = {
  maxTotalCostBps: basisPoints(
    "max-total-cost-bps",
    "The maximum total cost in basis points: price impact, fee and network cost"
  ),
  maxFeeBps: basisPoints("max-fee-bps", "The maximum fee in basis points"),
  minOutput: optionalFlag(
    "min-output",
    "amount",
    "The minimum output, in tokens. --yes requires a minimum of your own: this, --max-loss or a policy"
  ),
  minOutputRaw: optionalFlag("min-output-raw", "units", "The minimum output, in the token's smallest unit"),
  maxLoss: percentage(
    "max-loss",
    9_999,
    "How much less than the input the minimum output may be worth, at your own prices (policy.prices in the configuration)"
  ),
  paymentMethod: Flag.Literals("payment-method", ["auto", "delegation", "eip3009", "permit2", "erc2612"]).pipe(
    Flag.withDescription(
      "How a wallet on an EVM chain pays: auto (default) chooses from what the quote offers, with a delegation first"
    ),
    Flag.withDefault("auto" as const)
  )
} as const

/** The parsed rules for one swap. */
export type RuleArgs = Command.Command.Config.Infer<typeof ruleParams>

/** The arguments and flags for `quote`. */
export const quoteParams = {
  ...requestParams,
  walletAddress: optionalFlag(
    "wallet-address",
    "address",
    "The wallet that would pay (default: the wallet for your configured key; without either, the price is indicative)"
  ),
  indicative: booleanFlag("indicative", "Show an indicative price, without a wallet, even if you have one")
} as const

/** The parsed arguments for `quote`. */
export type QuoteArgs = Command.Command.Config.Infer<typeof quoteParams>

/** The arguments and flags for `swap`. */
export const swapParams = {
  ...requestParams,
  ...ruleParams,
  acceptCost: booleanFlag("accept-cost", "Accept a high total cost: price impact, fee and network cost"),
  acceptSlippage: percentage("accept-slippage", 10_000, "Accept slippage above 5%, up to this percentage"),
  idempotencyKey: optionalFlag(
    "idempotency-key",
    "key",
    "A unique key for this swap. Running the command again with the same key resumes the swap and never repeats it"
  ),
  dryRun: booleanFlag("dry-run", "Show what would be signed, without signing it")
} as const

/** The parsed arguments for `swap`. */
export type SwapArgs = Command.Command.Config.Infer<typeof swapParams>
