/** The page: connects a wallet, shows a quote, and follows the swap. */
import {
  type Flow,
  formatAmount,
  isSwapError,
  type KnownToken,
  minOutputOf,
  type PromiseSolanaSigner,
  type Quote,
  type QuoteInput,
  type Swap,
  type SwapEvent
} from "@geoswap/core/promise"
import type { Wallet } from "@wallet-standard/base"
import { choices, clientFor, tokens } from "./geoswap.ts"
import { connect, findWallets, onAccountChange } from "./wallets.ts"

const find = <E extends HTMLElement>(selector: string): E => {
  const element = document.querySelector<E>(selector)
  if (element === null) throw new Error(`There is no ${selector}.`)
  return element
}

const [wallets, progress, unfinished] = [find("#wallets"), find("#progress"), find("#unfinished")]
const [status, failure, outcome] = [find("#status"), find("#error"), find("#outcome")]
const form = find<HTMLFormElement>("#form")
const swapButton = find<HTMLButtonElement>("#swap")

/** Shows one of the page's parts. */
const show = (part: HTMLElement) => {
  for (const one of [wallets, form, progress]) one.hidden = one !== part
}

/** The messages of the client's errors are made to be shown. */
const messageOf = (error: unknown): string => {
  if (isSwapError(error) && error._tag === "SignerError" && error.reason === "rejected") {
    return "You declined to sign. Nothing was paid."
  }
  return error instanceof Error ? error.message : String(error)
}

/** Shows what happens, or what went wrong. */
const report = (text: string, error?: unknown) => {
  status.textContent = text
  failure.textContent = error === undefined ? "" : messageOf(error)
}

/** The connected wallet. */
let signer: PromiseSolanaSigner | undefined
let client = clientFor()

/** What the user has seen, and agrees to by clicking "Swap". */
interface Offer {
  readonly request: QuoteInput
  readonly quote: Quote
  /** The token to receive. */
  readonly token: KnownToken
}
let offer: Offer | undefined

const textOf = (amount: bigint, token: KnownToken) => `${formatAmount(amount, token)} ${token.symbol}`

const field = (name: string) => String(new FormData(form).get(name)).trim()

const showBalance = async () => {
  const [symbol] = field("input").split("@")
  const balances = await tokens.balances({ solana: signer?.address })
  const found = balances.find(({ token }) => token.symbol === symbol)
  find("#balance").textContent = found ? `Balance: ${formatAmount(found.amount, found.token)}` : ""
}

// Quotes

let asked = new AbortController()
let timer: ReturnType<typeof setTimeout> | undefined

const showOffer = (next: Offer | undefined) => {
  offer = next
  find("#quote").hidden = next === undefined
  swapButton.disabled = next === undefined
  if (next === undefined) return
  const { quote, token } = next
  find("#output").textContent = textOf(quote.output, token)
  find("#minimum").textContent = textOf(minOutputOf(quote), token)
  find("#fee").textContent = `${quote.feeBps / 100}%`
}

/** Requests a quote for the form's values, and again before it expires. */
const requestQuote = async (signal: AbortSignal) => {
  const [amount, recipient] = [field("amount"), field("recipient")]
  if (signer === undefined || amount === "" || recipient === "") return report("")
  report("Requesting a quote…")
  const terms = { recipient, slippageBps: 50 }
  const parsed = await tokens.request(`${amount} ${field("input")}`, field("output"), terms)
  const request = { ...parsed, walletAddress: signer.address }
  const token = await tokens.find(request.destinationChain, request.outputToken)
  const quote = await client.quote(request, { signal })
  if (signal.aborted) return
  report("")
  showOffer({ request, quote, token })
  timer = setTimeout(refreshQuote, 25_000)
}

const stopQuotes = () => {
  asked.abort()
  clearTimeout(timer)
}

const refreshQuote = () => {
  stopQuotes()
  asked = new AbortController()
  const { signal } = asked
  requestQuote(signal).catch((error: unknown) => {
    if (signal.aborted) return
    showOffer(undefined)
    report("", error)
  })
}

form.addEventListener("input", () => {
  stopQuotes()
  showOffer(undefined)
  // Waits until the user stops typing.
  timer = setTimeout(refreshQuote, 300)
})
form.addEventListener("change", () => void showBalance().catch(() => undefined))

// Swaps

const showSteps = (done: number, running = true) =>
  progress.querySelectorAll("li").forEach((step, index) => {
    step.dataset["state"] = index < done ? "done" : index > done ? "waiting" : running ? "running" : "stopped"
    step.ariaCurrent = index === done && running ? "step" : null
  })

const stepsDone = ({ originTxHash, status: state }: Swap): number =>
  state === "settled" ? 3 : originTxHash === undefined ? 1 : 2

const outcomes = {
  settled: "Delivered",
  refunded: "The swap could not be delivered. Your payment was refunded.",
  failed: "The swap failed. Nothing was paid.",
  pending: ""
}

/** Shows the signed swaps whose outcome is unknown. Resuming a swap never leads to a second swap. */
const showUnfinished = async () => {
  const [flow]: ReadonlyArray<Flow | undefined> = await client.pending()
  unfinished.hidden = flow === undefined
  find("#resume").onclick = () => {
    unfinished.hidden = true
    if (flow) void follow((onProgress) => client.resume(flow.id, { onProgress }))
  }
}

/** Shows the progress of a swap until it ends. A resumed swap has no quote, so its output is not shown. */
const follow = async (run: (onProgress: (event: SwapEvent) => void) => Promise<Swap>, token?: KnownToken) => {
  stopQuotes()
  show(progress)
  report("")
  let done = 0
  let received = ""
  outcome.textContent = ""
  find("#again").hidden = true
  showSteps(done)
  try {
    const swap = await run((event) => {
      if ("quote" in event && token) received = textOf(event.quote.output, token)
      if (!("swap" in event)) return
      done = stepsDone(event.swap)
      showSteps(done)
    })
    showSteps(done, false)
    const [heading, text] = [document.createElement("strong"), document.createElement("p")]
    heading.textContent = outcomes[swap.status]
    text.textContent = swap.status === "settled" ? received : ""
    outcome.replaceChildren(heading, text)
  } catch (error) {
    showSteps(done, false)
    report("", error)
    await showUnfinished().catch(() => undefined)
  }
  find("#again").hidden = false
}

form.addEventListener("submit", (event) => {
  event.preventDefault()
  if (offer === undefined) return
  const { quote, request, token } = offer
  // If the quote has expired, the new quote must not be worse.
  void follow((onProgress) => client.execute(request, { quote, onProgress }), token)
})

/** Shows the form, with a new quote and the current balance. */
const showForm = () => {
  showOffer(undefined)
  report("")
  show(signer ? form : wallets)
  refreshQuote()
  void showBalance().catch(() => undefined)
}
find("#again").onclick = showForm

// Wallets

let stopWatching = () => {}

const use = async (wallet: Wallet) => {
  report(`Confirm the connection in ${wallet.name}.`)
  try {
    signer = await connect(wallet)
    client = clientFor(signer)
    stopWatching()
    stopWatching = onAccountChange(wallet, () => {
      // A running swap keeps its signer.
      if (!progress.hidden || wallet.accounts.some(({ address }) => address === signer?.address)) return
      signer = undefined
      showForm()
    })
    find("#name").textContent = wallet.name
    find("#address").textContent = `${signer.address.slice(0, 4)}…${signer.address.slice(-4)}`
    find("#address").title = signer.address
    showForm()
  } catch (error) {
    report("", error)
  }
}

findWallets((wallet) => {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "main"
  button.textContent = `Connect ${wallet.name}`
  button.onclick = () => void use(wallet)
  wallets.querySelector("p")?.remove()
  wallets.append(button)
})

for (const [name, listed] of Object.entries(choices)) {
  for (const { id, text } of listed) form.querySelector(`[name=${name}]`)?.append(new Option(text, id))
}
showUnfinished().catch((error: unknown) => report("", error))
