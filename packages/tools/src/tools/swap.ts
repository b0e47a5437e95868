/** The tools that quote, execute, watch and resume swaps. */
import { nextAction } from "@geoswap/core/promise"
import * as Json from "../JsonSchema.js"
import { defineTool, reads, signs } from "../Tool.js"
import * as View from "../views.js"
import {
  amount,
  formatSide,
  formatSource,
  formatSwap,
  idPattern,
  nameOfSwap,
  nextStepOf,
  order,
  swapId
} from "./fields.js"

/** The longest time that a call waits, in seconds. Clients stop waiting for a call after about a minute. */
const defaultWait = 45
const seconds = (what: string) =>
  Json.optional(Json.integer(`${what} (default: ${defaultWait})`, { minimum: 0, maximum: 600 }))

/** `get_quote` */
export const getQuote = defineTool({
  name: "get_quote",
  title: "Quote a swap",
  description:
    "Prices a swap. Nothing is signed or reserved. The fee, the network cost and the price impact are claims of the service; the minimum is what a signature enforces. Show the user the amount, the minimum and the recipient before you execute.",
  input: Json.object({
    ...order,
    indicative: Json.optional(Json.boolean("Only a price, without a wallet (default: false)"))
  }),
  output: View.Quote,
  annotations: reads,
  call: (backend, { indicative = false, ...input }, call) => backend.quote({ ...input, indicative }, call),
  text: ({ costs, feeBps, from, highCost, indicative, minOutput: minimum, recipient, to }) =>
    [
      `${indicative ? "Indicative: " : ""}${formatSide(from)} for ${formatSide(to)}, at least ${minimum}.`,
      `Fee (claimed): ${feeBps} bps.`,
      ...(recipient === undefined ? [] : [`Recipient: ${recipient}`]),
      ...(highCost
        ? [
            `The total cost is ${costs.total === undefined ? "unknown" : `high: ${costs.total.bps} bps`}. Ask the user before you execute.`
          ]
        : [])
    ].join("\n")
})

/** `execute_swap` */
export const executeSwap = defineTool({
  name: "execute_swap",
  title: "Execute a swap",
  description:
    "Swaps tokens: quotes, checks the policy, signs, submits, and waits. It spends real tokens. Pass an idempotencyKey that you choose once per swap that the user wants, and pass the same key in every retry: one key is one swap, also after a timeout or a crash. Without a key, the same arguments within 10 minutes are the same swap. Refuses what the policy does not allow; some swaps need a person's approval first (APPROVAL_NEEDED).",
  input: Json.object({
    ...order,
    minOutput: Json.optional(amount("The least to receive. Take it from a quote that the user accepted")),
    idempotencyKey: Json.optional(
      Json.string("Your id for this swap, for example a UUID. The same key never swaps twice", {
        pattern: "^[A-Za-z0-9_.:\\-]{1,128}$"
      })
    ),
    waitSeconds: seconds(
      "How long to wait for the swap to finish, in seconds. If it is still pending, call wait_for_swap"
    )
  }),
  output: Json.object({
    swap: View.Swap,
    idempotencyKey: Json.string("Pass this key to repeat this call without a second swap"),
    repeated: Json.boolean(
      "Whether this is a swap that an earlier call started. For another swap, pass a new idempotencyKey"
    ),
    nextStep: Json.optional(Json.string())
  }),
  annotations: signs,
  call: async (backend, { waitSeconds = defaultWait, ...input }, call) => {
    const { idempotencyKey, repeated, swap } = await backend.execute({ ...input, waitSeconds }, call)
    const isOver = ["none", "retry"].includes(nextAction(swap))
    const steps = [
      repeated && "This is the swap of an earlier call.",
      repeated && isOver && "For another swap, pass a new idempotencyKey.",
      nextStepOf(swap)
    ].filter((step) => step !== undefined && step !== false)
    return {
      swap,
      idempotencyKey,
      repeated,
      ...(steps.length > 0 && { nextStep: steps.join(" ") })
    }
  },
  text: ({ idempotencyKey, nextStep, swap }) =>
    [
      formatSwap(swap),
      `idempotencyKey ${idempotencyKey}`,
      ...(nextStep === undefined ? [] : [`Next: ${nextStep}`])
    ].join("\n")
})

const output = Json.object({ swap: View.Swap, nextStep: Json.optional(Json.string()) })

const toOutput = (swap: View.Swap): Json.TypeOf<typeof output> => {
  const nextStep = nextStepOf(swap)
  return { swap, ...(nextStep !== undefined && { nextStep }) }
}

const text = ({ nextStep, swap }: Json.TypeOf<typeof output>): string =>
  [formatSwap(swap), ...(nextStep === undefined ? [] : [`Next: ${nextStep}`])].join("\n")

/** `get_swap` */
export const getSwap = defineTool({
  name: "get_swap",
  title: "Read a swap",
  description: "Reads the status of one swap, its transactions, and when each step happened.",
  input: Json.object({ swapId }),
  output,
  annotations: reads,
  call: async (backend, input, call) => toOutput(await backend.swap(input.swapId, call)),
  text
})

/** `wait_for_swap` */
export const waitForSwap = defineTool({
  name: "wait_for_swap",
  title: "Wait for a swap",
  description:
    "Waits until a swap has settled, failed or been refunded. If it is still pending at the end, call this again. Waiting changes nothing.",
  input: Json.object({ swapId, timeoutSeconds: seconds("How long to wait, in seconds") }),
  output,
  annotations: reads,
  call: async (backend, { swapId: id, timeoutSeconds = defaultWait }, call) =>
    toOutput(await backend.wait(id, timeoutSeconds, call)),
  text
})

/** `list_swaps` */
export const listSwaps = defineTool({
  name: "list_swaps",
  title: "List swaps",
  description:
    "Lists the swaps of this wallet, newest first, and the signed flows whose outcome is not known yet. Call this after a crash or a lost answer, before you start another swap.",
  input: Json.object({
    limit: Json.optional(Json.integer("The maximum number of swaps (default: 20)", { minimum: 1, maximum: 100 }))
  }),
  output: Json.object({
    swaps: Json.array(View.Swap),
    unfinished: Json.array(View.Unfinished, "Signed flows to resume with resume_swap")
  }),
  annotations: { ...reads, openWorldHint: false },
  call: (backend, { limit = 20 }, call) => backend.swaps(limit, call),
  text: ({ swaps, unfinished }) =>
    [
      ...(swaps.length === 0 ? ["There are no swaps."] : []),
      ...swaps.map((swap) => {
        const pair = swap.from && swap.to ? `: ${formatSide(swap.from)} for ${formatSide(swap.to)}` : ""
        return `${nameOfSwap(swap.swapId)} is ${swap.status}${formatSource(swap)}${pair}`
      }),
      ...unfinished.map(({ flowId }) => `Unfinished: flowId ${flowId}. Next: resume_swap`)
    ].join("\n")
})

/** `resume_swap` */
export const resumeSwap = defineTool({
  name: "resume_swap",
  title: "Resume a swap",
  description:
    "Continues a swap that was signed before a crash, a timeout or a cancellation, by sending the same signature again. Never signs again, and never makes a second swap. Pass the flowId or the swapId from an error or from list_swaps.",
  input: Json.object({
    id: Json.string("A flowId or a swapId", { pattern: idPattern }),
    waitSeconds: seconds("How long to wait for the swap to finish, in seconds")
  }),
  output,
  annotations: { ...signs, destructiveHint: false },
  call: async (backend, { id, waitSeconds = defaultWait }, call) =>
    toOutput(await backend.resume(id, waitSeconds, call)),
  text,
  cancelled: {
    message: "You stopped waiting. The swap was signed before, and the service may have the signature.",
    nextStep: "Call resume_swap with the same id again. Do not start the swap again."
  }
})
