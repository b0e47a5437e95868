/** Defines `geoswap policy`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import { wholeFlag } from "../../flags/parameters.js"
import { requestParams } from "../../flags/swapFlags.js"
import { lazyCommand } from "../lazyCommand.js"

const load = () => import("./handler.js")

const list = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.atLeast(0),
    Flag.map((values) => (values.length === 0 ? undefined : values))
  )

const yesOrNo = (name: string, description: string) =>
  Flag.Literals(name, ["yes", "no"]).pipe(
    Flag.withDescription(description),
    Flag.optional,
    Flag.map(Option.match({ onNone: () => undefined, onSome: (answer) => answer === "yes" }))
  )

const bps = (name: string, description: string) => wholeFlag(name, "bps", [0, 10_000], description)

const rules = {
  chains: list("chain", "chain", "A chain that may be used. Repeat the flag for several"),
  tokens: list("token", "token@chain", "A token that may be paid or received. Repeat the flag for several"),
  recipients: list("recipient", "address", "An address that may receive the output. Repeat the flag for several"),
  budgets: list(
    "budget",
    "budget",
    "How much may be spent, such as '100 usdc@base/day'. The window is hour, day or total"
  ),
  approveAbove: list(
    "approve-above",
    "amount",
    "A larger swap needs an approval, such as '50 usdc@base'. With a window (hour or day), such as '50 usdc@base/day', swaps without an approval are added up"
  ),
  minRates: list("min-rate", "rate", "The minimum rate of a pair, such as 'usdc@base weth@arbitrum 0.0002'"),
  prices: list("price", "price", "A price in dollars, such as usdc@base=1, or a feed: weth@base=feed:base:0x…:3600"),
  maxLossBps: wholeFlag(
    "max-loss-bps",
    "bps",
    [0, 9_999],
    "The maximum loss against the prices of --price (default: 100)"
  ),
  maxSlippageBps: bps("max-slippage-bps", "The maximum slippage of a request (default of a new policy: 500)"),
  maxFeeBps: bps("max-fee-bps", "The maximum fee that the service may report (default of a new policy: 50)"),
  maxTotalCostBps: bps(
    "max-total-cost-bps",
    "The maximum total cost that the service may report (default of a new policy: 300)"
  ),
  maxSwapsPerHour: wholeFlag(
    "max-swaps-per-hour",
    "number",
    [1, 10_000],
    "The maximum number of swaps (default of a new policy: 10)"
  ),
  approvalSeconds: wholeFlag(
    "approval-seconds",
    "seconds",
    [30, 86_400],
    "How long an approval, and a request for one, is valid (default of a new policy: 900)"
  ),
  elicitation: yesOrNo(
    "elicitation",
    "Whether an answer in the agent's program is an approval (default of a new policy: no)"
  ),
  acceptClaims: yesOrNo(
    "accept-claims",
    "Whether an agent may swap on chains without a node of yours, where nothing proves how a swap ended (default of a new policy: no)"
  )
} as const

/** The rules in a command line. A field that is `undefined` keeps its value, or its default. */
export type RuleFlags = Command.Command.Config.Infer<typeof rules>

/** Manages the limits for agents. */
export const policy = Command.make("policy").pipe(
  Command.withDescription("Set the limits within which an agent may use a wallet"),
  Command.withSubcommands([
    lazyCommand(
      "init",
      "Create the policy of a wallet. Asks for what the flags omit, and for the wallet's password",
      rules,
      load,
      "init",
      [
        {
          command: "geoswap policy init --budget '100 usdc@base/day' --min-rate 'usdc@base weth@arbitrum 0.0002'",
          description: "Let an agent spend 100 USDC per day, at no less than this rate"
        }
      ]
    ),
    lazyCommand("show", "Show the policy of a wallet, and what is left of its budgets", {}, load, "show"),
    lazyCommand("edit", "Change the policy of a wallet. A flag replaces all values of its rule", rules, load, "edit", [
      { command: "geoswap policy edit --budget '50 usdc@base/day'" }
    ]),
    lazyCommand(
      "check",
      "Check whether the policy allows a swap, without a quote",
      requestParams,
      () => import("./check.js"),
      "run",
      [{ command: "geoswap policy check 10 usdc@base weth@arbitrum" }]
    ),
    lazyCommand(
      "remove",
      "Remove the policy of a wallet and its store. Agents can then sign nothing",
      {},
      load,
      "remove"
    )
  ])
)
