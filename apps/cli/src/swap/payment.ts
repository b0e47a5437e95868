/** How a wallet on an EVM chain pays: what a quote offers, and which of it the client uses. */
import { type Chain, Operation, Payment, Policy, type Quote, SwapError } from "@geoswap/core"
import { sanitize } from "../output/Output.js"

/** The ways to pay. */
const methods: ReadonlyArray<Payment.Method> = ["delegation", ...Payment.methods]

/** Chooses the way to pay as the client does, or returns `undefined` for a chain that has only one. */
export const paymentTerms = (
  family: Chain.Family,
  { quote, request }: { readonly quote: Pick<Quote.Quote, "paymentMethods">; readonly request: Quote.QuoteRequest },
  { deploymentOf, paymentMethods: allowed }: Partial<Pick<Policy.Policy, "deploymentOf" | "paymentMethods">> = {}
) => {
  if (family !== "evm") return undefined
  const offered = Payment.offeredBy(quote.paymentMethods)
  const ordered = allowed ?? Payment.inOrder(offered)
  const returns = Operation.canPayByAuthorization(request)
  return {
    /** What the quote offers, with the service's preference first. */
    offered,
    /** The way that the client uses, unless the service can no longer build it. Absent if there is none. */
    method: ordered.find((method) => offered.includes(method) && (method !== "eip3009" || returns)),
    /** The pinned vault that collects the payment. */
    vault: deploymentOf?.(request.originChain)?.vault
  }
}

/** What the user needs to know about the payment before signing. */
export type PaymentTerms = NonNullable<ReturnType<typeof paymentTerms>>

/** The service's explanation of why the wallet cannot pay. */
export const problemOf = ({ paymentMethods, paymentProblem }: Pick<Quote.Quote, "paymentMethods" | "paymentProblem">) =>
  paymentMethods?.length === 0 ? sanitize(paymentProblem?.message ?? "the service does not say why", 600) : undefined

/** Creates the error for a quote that cannot be paid, which is the client's error. */
export const unpayable = (
  quote: Pick<Quote.Quote, "paymentMethods" | "paymentProblem">,
  { offered }: PaymentTerms,
  allowed: ReadonlyArray<Payment.Method> = methods
) => {
  const { code } = quote.paymentProblem ?? {}
  return offered.length > 0
    ? Policy.violation("paymentMethods", allowed.join(", "), `that the wallet can only pay with ${offered.join(", ")}`)
    : new SwapError.Unsupported({
        ...(code !== undefined && { code }),
        message: `This wallet cannot pay for this swap. The service says: ${problemOf(quote)}`
      })
}

/** Describes each way to pay in a few words. */
export const summaries = {
  delegation: "an operation of the delegated wallet",
  eip3009: "an authorization of the token; without a delegation and without gas",
  permit2: "through Permit2, which the wallet has approved; without a delegation and without gas",
  erc2612: "through Permit2, which a permit approves for exactly this amount; without a delegation and without gas"
}

/** Describes each signature in one sentence. `what`: what the payment commits to. `amount`: what it pays. */
export const paymentSignatures = (
  method: Exclude<Payment.Method, "delegation">,
  what: string,
  amount: string,
  vault = "that is pinned"
) => {
  const collector = `Only the vault ${vault} can collect it, once.`
  const payment = `A payment through Permit2 (typed data PermitWitnessTransferFrom) that ${what}. ${collector}`
  return {
    eip3009: [
      `A payment authorization (typed data ReceiveWithAuthorization, EIP-3009) that ${what}. ${collector} The output and the recipient are part of its nonce, so a wallet that displays typed data cannot show them; geoswap computes the nonce from these terms.`
    ],
    permit2: [payment],
    erc2612: [
      `A permit (typed data Permit, ERC-2612) that lets Permit2 (${Payment.permit2Address}) transfer exactly ${amount}. It pays nothing without the second signature.`,
      payment
    ]
  }[method]
}
