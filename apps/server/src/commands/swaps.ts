/** Lists and shows the stored swaps, even while servers are running, and ends stuck ones. */
import { Chain } from "@geoswap/core"
import { Executor, SwapRecord } from "@geoswap/service"
import * as Command from "effect/cli/Command"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Failure } from "../output/Failure.js"
import { formatJson, print, printJson, printNote, printText } from "../output/print.js"
import { table } from "../output/table.js"
import { formatAge, formatTime } from "../output/time.js"
import { accountNames } from "../swaps/accountNames.js"
import { findSwap } from "../swaps/findSwap.js"
import { waitsFor } from "../swaps/swapAdvice.js"
import { entryOf, routeOf } from "../swaps/swapEntry.js"
import { swapReport } from "../swaps/swapReport.js"
import {
  booleanFlag,
  json,
  matching,
  nonEmpty,
  period,
  requiredArgument,
  requiredFlag,
  validatePeriod,
  valueFlag
} from "./flags.js"
import { openChains, openStore } from "./openStore.js"
import { UsageError } from "./UsageError.js"

const states = SwapRecord.states.join(", ")

const maxListed = 10_000

const list = Command.make(
  "list",
  {
    state: valueFlag("state", {
      metavar: "state",
      description: `Only swaps in this state: ${states}`,
      expected: states,
      parse: (text) => SwapRecord.states.find((state) => state === text)
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
    limit: requiredFlag("limit", {
      metavar: "count",
      description: "Maximum number of rows (default: 50); for all swaps, use export",
      default: "50",
      expected: `a number from 1 to ${maxListed}`,
      parse: (text) => (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= maxListed ? Number(text) : undefined)
    }),
    json
  },
  Effect.fn("swaps list")(function* (flags) {
    const { account, ended, json, limit, open, since, state, until, wallet } = flags
    if ([state !== undefined, open, ended].filter(Boolean).length > 1) {
      return yield* new UsageError({ message: "Pass only one of --state, --open and --ended." })
    }
    yield* validatePeriod(flags)
    // A mistyped address must be rejected. Otherwise, it would look like a wallet that has no swaps.
    const isAddress = (["evm", "solana"] as const).some((family) => Chain.isAddress(family, wallet))
    if (wallet !== undefined && !isAddress) {
      return yield* new Failure({
        message: `--wallet ${wallet} has a typo: its checksum is invalid. Copy the address again.`
      })
    }
    const { names, store } = yield* openStore
    const accounts = yield* store.accounts
    const accountId = accounts.find(({ name }) => name === account?.normalize("NFC"))?.id
    if (account !== undefined && accountId === undefined) {
      return yield* new Failure({
        message: `No account is named "${account}". List the accounts: geoswap-server keys list`
      })
    }
    const found = yield* store.list({
      state,
      wallet,
      since,
      until,
      open: open ? true : ended ? false : undefined,
      accountId,
      // The list reads one extra row, to determine whether there are more swaps.
      limit: limit + 1
    })
    const swaps = found.slice(0, limit)
    const nameOf = yield* accountNames(store)
    const now = yield* Clock.currentTimeMillis
    if (json) {
      const entries = swaps.map((swap) => ({
        ...entryOf(names, nameOf(swap.accountId), swap),
        waitsFor: waitsFor(swap, names)
      }))
      yield* printJson({ swaps: entries, more: found.length > limit })
    } else if (swaps.length === 0) yield* print("No swaps found.")
    else {
      const rows = swaps.map((swap) => [
        swap.id,
        formatAge(now - swap.createdAt),
        swap.state,
        routeOf(names, swap),
        nameOf(swap.accountId),
        waitsFor(swap, names)
      ])
      yield* print(table([["id", "age", "state", "route", "account", "waiting for, or reason"], ...rows]))
    }
    if (found.length > limit)
      yield* printNote(`Showing the newest ${limit} swaps. Use --limit and --until to see more.`)
  }, Effect.scoped)
).pipe(Command.withDescription("List swaps, newest first, and show what each is waiting for"))

const swap = requiredArgument("swap", {
  description: "Swap id, order id, or the hash of one of the swap's transactions",
  expected: "a swap id as shown by swaps list, an order id, or the hash of one of the swap's transactions",
  // Ids and EVM hashes are converted to lowercase, but Solana signatures are not.
  parse: (text) => {
    if (/^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]{64})$/i.test(text)) return text.toLowerCase()
    return /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text) ? text : undefined
  }
})

const show = Command.make(
  "show",
  { swap, raw: booleanFlag("raw", "With --json, include the signed transactions"), json },
  Effect.fn("swaps show")(function* ({ json, raw, swap: named }) {
    if (raw && !json) return yield* new UsageError({ message: "--raw requires --json." })
    const { names, store } = yield* openStore
    const swap = yield* findSwap(store, named)
    const report = yield* swapReport(store, names, (yield* accountNames(store))(swap.accountId), swap)
    yield* json ? print(formatJson(report.json(raw), 2)) : printText(report.text)
  }, Effect.scoped)
).pipe(Command.withDescription("Show a swap's terms, history and transactions, and what to do if the swap is stuck"))

const fail = Command.make(
  "fail",
  { swap, json },
  Effect.fn("swaps fail")(function* ({ json, swap: named }) {
    const { chains, names, store } = yield* openChains
    const found = yield* findSwap(store, named)
    if (!chains.has(found.originChain)) {
      return yield* new Failure({
        message: `Chain ${found.originChain}, the origin of swap ${found.id}, is not configured. Add it to the configuration.`
      })
    }
    const { proof, swap } = yield* Executor.failUncollected(chains, store, found)
    const { block, nodes } = proof
    const time = formatTime(proof.time * 1_000)
    if (json) return yield* printJson({ id: swap.id, state: swap.state, proof: { block, time, nodes } })
    yield* print(
      [
        `Swap ${swap.id} has failed. No tokens moved, and none can.`,
        `Proof: block ${block} on ${names.chain(swap.originChain)} is final, its timestamp ${time} is past the operation's deadline,`,
        `and the vault emitted no Collected event for order ${swap.orderId}, according to ${nodes.join(", ")}.`
      ].join("\n")
    )
  }, Effect.scoped)
).pipe(Command.withDescription("End a swap whose input provably never arrived, and print the proof"))

const maxReason = 500

/** The swap gets the outcome that the vault's event shows. */
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
  Effect.fn("swaps close")(function* ({ json, reason, swap: named, transaction }) {
    const { chains, names, store } = yield* openChains
    const found = yield* findSwap(store, named)
    const { payment, swap } = yield* Executor.closePaid(chains, store, found, { hash: transaction, reason })
    const { amount, block, chainId, hash, inFull, kind, nodes, owed, to, token } = payment
    if (json) {
      const proof = { kind, chainId, to, token, amount, hash, block, nodes }
      return yield* printJson({ id: swap.id, state: swap.state, inFull, proof, owed })
    }
    yield* print(
      [
        `Swap ${swap.id} is ${swap.state}.`,
        `Proof: ${kind === "deliver" ? "delivery" : kind} of ${names.amount(chainId, token, amount)} from the vault to ${to} in ${hash},`,
        `in finalized block ${block} on ${names.chain(chainId)}, according to ${nodes.join(", ")}.`,
        ...(inFull
          ? []
          : [`The service owed ${owed.amount} of ${owed.token} to ${owed.to}. Pay the remainder yourself.`])
      ].join("\n")
    )
  }, Effect.scoped)
).pipe(Command.withDescription("End a swap whose order a vault paid in a transaction that the service did not send"))

/** Lists and shows swaps, and ends stuck swaps. */
export const command = Command.make("swaps").pipe(Command.withSubcommands([list, show, fail, close]))
