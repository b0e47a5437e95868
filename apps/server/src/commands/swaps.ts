/** Defines `geoswap-server swaps`. */
import type { SwapRecord } from "@geoswap/service"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { booleanFlag, json, matching, nonEmpty, period, requiredArgument, requiredFlag, valueFlag } from "./flags.js"
import { lazyHandler } from "./lazyHandler.js"
import { UsageError } from "./UsageError.js"

// The states are listed here because `--help` must not load the service package. A state that is missing here causes a
// compile error.
const states: Readonly<Record<SwapRecord.State, true>> = {
  accepted: true,
  origin_prepared: true,
  origin_sent: true,
  origin_final: true,
  delivery_prepared: true,
  delivery_sent: true,
  settled: true,
  failed: true,
  refund_prepared: true,
  refund_sent: true,
  refunded: true
}

const isState = (text: string): text is SwapRecord.State => Object.hasOwn(states, text)

const maxListed = 10_000

/** The flags for `swaps list`. */
export const listFlags = {
  state: valueFlag("state", {
    metavar: "state",
    description: `Only swaps in this state: ${Object.keys(states).join(", ")}`,
    expected: Object.keys(states).join(", "),
    parse: (text) => (isState(text) ? text : undefined)
  }),
  open: booleanFlag("open", "Only swaps in progress"),
  ended: booleanFlag("ended", "Only swaps that settled, failed or were refunded"),
  account: valueFlag("account", {
    metavar: "name",
    description: "Only swaps that belong to this account",
    expected: "an account name shown by keys list",
    parse: nonEmpty
  }),
  wallet: valueFlag("wallet", {
    metavar: "address",
    description: "Only swaps from this wallet",
    expected: "an address",
    parse: matching(/^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/)
  }),
  ...period,
  limit: Flag.String("limit").pipe(
    Flag.withMetavar("count"),
    Flag.withDescription("Maximum number of rows (default: 50); for all swaps, use export"),
    Flag.withDefault("50"),
    Flag.filterMap(
      (text) => (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= maxListed ? Option.some(Number(text)) : Option.none()),
      () => `a number from 1 to ${maxListed}`
    )
  ),
  json
}

const list = Command.make("list", listFlags, (flags) =>
  Effect.andThen(
    [flags.state !== undefined, flags.open, flags.ended].filter(Boolean).length > 1
      ? Effect.fail(new UsageError({ message: "Pass only one of --state, --open and --ended." }))
      : validatePeriod(flags),
    listSwaps(flags)
  )
).pipe(Command.withDescription("List swaps, newest first, and show what each is waiting for"))

const listSwaps = lazyHandler(async () => (await import("./swapsHandler.js")).list)

/** Fails if the period is empty. */
export const validatePeriod = ({
  since = -Infinity,
  until = Infinity
}: {
  since: number | undefined
  until: number | undefined
}) => (since < until ? Effect.void : Effect.fail(new UsageError({ message: "--since must be before --until." })))

/** Parses a swap id, an order id or an EVM hash (converted to lowercase), or a Solana signature. */
const parseSwap = (text: string) => {
  if (/^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]{64})$/i.test(text)) return text.toLowerCase()
  return /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text) ? text : undefined
}

const swap = requiredArgument("swap", {
  description: "Swap id, order id, or the hash of one of the swap's transactions",
  expected: "a swap id as shown by swaps list, an order id, or the hash of one of the swap's transactions",
  parse: parseSwap
})

const showSwap = lazyHandler(async () => (await import("./swapsHandler.js")).show)

const show = Command.make(
  "show",
  { swap, raw: booleanFlag("raw", "With --json, include the signed transactions"), json },
  (flags) =>
    Effect.andThen(
      flags.raw && !flags.json ? Effect.fail(new UsageError({ message: "--raw requires --json." })) : Effect.void,
      showSwap(flags)
    )
).pipe(Command.withDescription("Show a swap's terms, history and transactions, and what to do if the swap is stuck"))

const fail = Command.make(
  "fail",
  { swap, json },
  lazyHandler(async () => (await import("./failSwapHandler.js")).failSwap)
).pipe(Command.withDescription("End a swap whose input provably never arrived, and print the proof"))

const maxReason = 500

const close = Command.make(
  "close",
  {
    swap,
    transaction: requiredFlag("transaction", {
      metavar: "hash",
      description: "Finalized transaction with the vault's Delivered or Refunded event for the order",
      expected: "an EVM transaction hash: 0x followed by 64 hexadecimal digits",
      parse: (text) => matching(/^0x[0-9a-f]{64}$/)(text.toLowerCase())
    }),
    reason: valueFlag("reason", {
      metavar: "text",
      description: "Required if the payment differs from what was owed; stored in the swap's history",
      expected: `how the remainder was paid, in 1 to ${maxReason} characters`,
      parse: (text) => (text.trim() === "" || text.length > maxReason ? undefined : text)
    }),
    json
  },
  lazyHandler(async () => (await import("./closeSwapHandler.js")).closeSwap)
).pipe(Command.withDescription("End a swap whose order a vault paid in a transaction that the service did not send"))

/** Lists and shows swaps, and ends stuck swaps. */
export const swaps = Command.make("swaps").pipe(
  Command.withDescription("List and show swaps, and end stuck ones"),
  Command.withSubcommands([list, show, fail, close])
)
