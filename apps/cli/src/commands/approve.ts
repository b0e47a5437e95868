/** Handles `geoswap approve`: a person sees the exact terms of a swap, and approves or rejects them. */
import { Amount } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Approvals from "../agent/Approvals.js"
import * as AgentPolicy from "../agent/AgentPolicy.js"
import { openAsPerson, walletFamily } from "../agent/authority.js"
import { formatApproval } from "../agent/formatPolicy.js"
import type { AgentRules } from "../agent/PolicyFile.js"
import { pinnedAt } from "../agent/tokens.js"
import { families } from "../keys/KeySource.js"
import * as Settings from "../config/Settings.js"
import { declined, usage } from "../output/Exit.js"
import * as Output from "../output/Output.js"
import * as Prompts from "../terminal/Prompts.js"

const list = Effect.gen(function* () {
  const wallet = yield* AgentPolicy.open(yield* walletFamily)
  const { rules, store } = yield* wallet.verified
  const approvals = yield* Approvals.list(store)
  yield* Output.result({ approvals }, (style) =>
    approvals.length === 0
      ? "There are no requests."
      : approvals.map((approval) => formatApproval(approval, rules, style)).join("\n\n")
  )
})

/** Returns the minimum output of `--min-output` in the smallest unit. */
const minOutputOf = Effect.fnUntraced(function* (
  text: string | undefined,
  { terms }: Approvals.Approval,
  rules: AgentRules
) {
  if (text === undefined) return undefined
  const token = pinnedAt(rules, { chainId: terms.destinationChain, token: terms.outputToken })
  const amount = token && Amount.parse(text, token.decimals)
  return amount !== undefined && amount > 0n
    ? String(amount)
    : yield* usage("--min-output is not an amount of the token to receive.", "Write it in tokens, for example 0.5.")
})

const answer = Effect.fnUntraced(function* (id: string, reject: boolean, minOutput: string | undefined) {
  const output = yield* Output.Output
  const what = reject ? "Rejecting a swap" : "Approving a swap"
  // The family is part of an id, so that `--wallet` is not necessary.
  const family = families.find((one) => id.startsWith(`${one}-`))
  const opened = yield* openAsPerson(what, family)
  const wallet = yield* AgentPolicy.makeWallet(opened)
  const { rules, store } = yield* wallet.verified
  const asked = (yield* Approvals.list(store)).find((one) => one.id === id)
  const state = reject ? ("rejected" as const) : ("approved" as const)
  const lower = asked && (yield* minOutputOf(minOutput, asked, rules))
  if (asked !== undefined) {
    const terms = { ...asked.terms, minOutput: lower ?? asked.terms.minOutput }
    yield* Output.notice(formatApproval({ ...asked, terms }, rules, output.noticeStyle))
    if (!reject && asked.state === "pending" && !(yield* confirmed)) {
      return yield* declined("Not approved. Nothing was changed.", "Run the command again.")
    }
  }
  const answered = yield* Approvals.answer(store, id, {
    state,
    by: "terminal",
    seconds: rules.approvalSeconds,
    minOutput: lower
  })
  yield* Output.result({ approval: answered }, () =>
    reject
      ? `Rejected ${id}.`
      : `Approved ${id} once, until ${new Date(answered.expiresAt).toISOString()}. The agent can now start the same swap again.`
  )
})

/** Asks whether the terms are right. `--yes` does not answer it. */
const confirmed = Effect.map(
  Prompts.text("Type yes to approve these terms", "Run the command in a terminal."),
  (typed) => typed.trim().toLowerCase() === "yes"
)

/** Lists the requests, or answers one. */
export const run = (args: {
  readonly id: string | undefined
  readonly list: boolean
  readonly reject: boolean
  readonly minOutput: string | undefined
}) =>
  Effect.provide(
    Effect.gen(function* () {
      if (args.list || args.id === undefined) {
        return args.list && args.id === undefined
          ? yield* list
          : yield* usage("Expected either an id or --list.", "To list the requests, run 'geoswap approve --list'.")
      }
      return yield* answer(args.id, args.reject, args.minOutput)
    }),
    Settings.layer
  )
