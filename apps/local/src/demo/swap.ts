/** Makes one swap through the SDK, and reads the balances before and after the swap. */
import { type Client, parseAmount, type QuotePreview, type Swap, type SwapEvent } from "@geoswap/core/promise"
import { balanceOf } from "./balances.js"
import { routeOf, type Scenario, type Side } from "./scenarios.js"

/** The balances of both wallets, each in the token's smallest unit. */
interface Balances {
  readonly input: bigint
  readonly output: bigint
}

/** The result of a swap. */
export interface Outcome {
  readonly scenario: Scenario
  readonly swap: Swap
  readonly amount: bigint
  readonly quote: QuotePreview
  readonly ms: number
  readonly before: Balances
  readonly after: Balances
  /** Differences from the expected result. */
  readonly problems: ReadonlyArray<string>
}

const holdings = async ({ from, to }: Scenario): Promise<Balances> => {
  const has = ({ chain, token, wallet }: Side) => balanceOf(chain, token.address, wallet.address)
  const [input, output] = await Promise.all([has(from), has(to)])
  return { input, output }
}

/** The swap request for the SDK. */
const requestOf = ({ amount, from, to }: Scenario) => ({
  originChain: from.chain.id,
  destinationChain: to.chain.id,
  inputToken: from.token.address,
  outputToken: to.token.address,
  amount: parseAmount(amount, from.token),
  walletAddress: from.wallet.address,
  recipient: to.wallet.address
})

/** Checks that a settled swap moved exactly the quoted amounts, and that any other swap moved no tokens. */
export const findProblems = (
  { after, amount, before, quote, scenario, swap }: Omit<Outcome, "problems">,
  delegated: boolean
) => {
  const settled = scenario.ends === "settled"
  const facts = [
    ["status", scenario.ends, swap.status],
    ["change in the wallet's input balance", settled ? -amount : 0n, after.input - before.input],
    ["change in the recipient's output balance", settled ? quote.output : 0n, after.output - before.output],
    ["delegation signed", scenario.delegates, delegated]
  ] as const
  return facts
    .filter(([, expected, found]) => expected !== found)
    .map(([what, expected, found]) => `${routeOf(scenario)}: ${what}: expected ${expected}, got ${found}.`)
}

/** Makes a swap and reports each step. */
export const runSwap = async (
  client: Client,
  scenario: Scenario,
  report: (event: SwapEvent) => void,
  signal: AbortSignal
): Promise<Outcome> => {
  const request = requestOf(scenario)
  const before = await holdings(scenario)
  await scenario.interfere?.before()

  const began = performance.now()
  let quote: QuotePreview | undefined
  let swap: Swap | undefined
  let delegated = false
  // `client.execute(request)` does the same without events.
  for await (const event of client.executeStream(request, { signal })) {
    report(event)
    if (event.type === "quoted" || event.type === "requoted") quote = event.quote
    if (event.type === "authorizing") delegated = true
    if (event.type === "submitted") await scenario.interfere?.onSubmitted()
    if (event.type === "done") swap = event.swap
  }
  if (quote === undefined || swap === undefined) throw new Error(`${routeOf(scenario)}: the swap did not finish.`)
  const ms = Math.round(performance.now() - began)

  const after = await holdings(scenario)
  const outcome = { scenario, swap, amount: request.amount, quote, ms, before, after }
  return { ...outcome, problems: findProblems(outcome, delegated) }
}
