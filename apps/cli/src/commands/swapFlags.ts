/** What can be said about a swap on the command line, by itself: help needs no more. */
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"

const text = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.optional)

const basisPoints = (name: string, description: string) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (points) => points >= 0 && points <= 10_000,
      () => "Expected basis points from 0 to 10000"
    ),
    Flag.withMetavar("bps"),
    Flag.withDescription(description),
    Flag.optional
  )

/** A flag that is there or not. */
export const toggle = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

/** What names a swap. */
const params = {
  words: Argument.String("words").pipe(
    Argument.withDescription("The short form: 10 usdc@base weth@arbitrum; without the amount beside --max"),
    Argument.variadic({ max: 3 })
  ),
  tokenIn: text("token-in", "symbol|address", "The token that is paid"),
  chainIn: text("chain-in", "chain", "The chain that it is paid on, by its name, alias or id"),
  amountIn: text("amount-in", "amount", "How much of it, in whole tokens, such as 10 or 0.5; needs a pinned token"),
  amountRaw: text("amount-raw", "units", "How much of it, in the token's smallest unit"),
  max: toggle("max", "All of it that the wallet holds, read from the chain's own node"),
  tokenOut: text("token-out", "symbol|address", "The token that is received"),
  chainOut: text("chain-out", "chain", "The chain that it is received on"),
  recipient: text("recipient", "address", "Who receives it; the wallet itself where absent"),
  slippageBps: basisPoints(
    "slippage-bps",
    "How far below the quote the least output may lie; above 500 needs a confirmation of its own"
  )
} as const

/** What names a swap, as it was given. */
export type Given = Command.Command.Config.Infer<typeof params>

/** Rules of one swap, on top of the configured policy. */
const ruleParams = {
  maxImpactBps: basisPoints("max-impact-bps", "Refuse a loss of value beyond this"),
  maxFeeBps: basisPoints("max-fee-bps", "Refuse a fee beyond this"),
  minOutput: text("min-output", "amount", "Refuse to sign for less of the output than this, in whole tokens"),
  minOutputRaw: text("min-output-raw", "units", "The same in the output token's smallest unit")
} as const

/** Rules of one swap, as they were given. */
export type GivenRules = Command.Command.Config.Infer<typeof ruleParams>

/** What `quote` takes. */
export const quoteParams = {
  ...params,
  walletAddress: text("wallet-address", "address", "The wallet that would pay; that of the key where absent")
} as const

/** What `quote` was given. */
export type GivenQuote = Command.Command.Config.Infer<typeof quoteParams>

/** What `swap` takes. */
export const swapParams = {
  ...params,
  ...ruleParams,
  acceptImpact: toggle("accept-impact", "Agree to a high price impact"),
  acceptSlippage: Flag.Finite("accept-slippage").pipe(
    Flag.filter(
      (percent) => percent > 0 && percent <= 100,
      () => "Expected a percentage above 0, at most 100"
    ),
    Flag.withMetavar("percent"),
    Flag.withDescription("Agree to a slippage above 5%, up to this percentage"),
    Flag.optional
  ),
  idempotencyKey: Flag.String("idempotency-key").pipe(
    Flag.filter(
      (key) => key !== "",
      () => "Expected a key that is not empty"
    ),
    Flag.withMetavar("key"),
    Flag.withDescription("Your own name for this swap: run again with the same key, it is resumed and never repeated"),
    Flag.optional
  ),
  dryRun: toggle("dry-run", "Show what would be signed, and sign nothing"),
  ignoreUnfinished: toggle("ignore-unfinished", "Start although an earlier swap of this wallet is unfinished")
} as const

/** What `swap` was given. */
export type GivenSwap = Command.Command.Config.Infer<typeof swapParams>
