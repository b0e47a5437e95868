/** What an open swap is waiting for, what an operator can do about it, and why a swap did not settle. */
import type { SwapRecord } from "@geoswap/service"
import type { Names } from "../output/displayNames.js"

type Open = Exclude<SwapRecord.State, "settled" | "failed" | "refunded">
type Describe = (swap: SwapRecord.SwapRecord, names: Names) => string

const origin: Describe = ({ originChain }, names) => names.chain(originChain)
const destination: Describe = ({ destinationChain }, names) => names.chain(destinationChain)

const waits: Readonly<Record<Open, Describe>> = {
  accepted: (swap, names) => `a transaction on ${origin(swap, names)} that collects the input`,
  origin_prepared: (swap, names) => `the collection transaction to be sent to ${origin(swap, names)}`,
  origin_sent: (swap, names) => `the input to be final on ${origin(swap, names)}`,
  origin_final: (swap, names) => `a price, and a delivery that ${destination(swap, names)} accepts`,
  delivery_prepared: (swap, names) => `the delivery to be sent to ${destination(swap, names)}`,
  delivery_sent: (swap, names) => `the delivery to be final on ${destination(swap, names)}`,
  refund_prepared: (swap, names) => `a refund that ${origin(swap, names)} accepts; nothing will be delivered`,
  refund_sent: (swap, names) => `the refund to be final on ${origin(swap, names)}`
}

/** Describes what a swap is waiting for. For a finished swap, returns its failure code. */
export const waitsFor: Describe = (swap, names) =>
  swap.state === "settled" || swap.state === "failed" || swap.state === "refunded"
    ? (swap.failureCode ?? "")
    : waits[swap.state](swap, names)

const byHand = ({ amount, id, refundAmount = amount }: SwapRecord.SwapRecord) =>
  `The vault's owner can refund the swap manually by calling refund on the vault with this order id and at least ${refundAmount}. A running server detects the refund and ends the swap. If the vault paid the order in another transaction, run: geoswap-server swaps close ${id} --transaction <hash>`

const notByHand =
  "Do not refund the swap manually: on Solana, a manual transfer would be a second payment. Fix the problem and let a server send the refund."

const chainAdvice = (chain: string) =>
  `Run geoswap-server check. A server must be running, the nodes for ${chain} must respond, and its relayer must have gas. Servers resend pending transactions, with a higher fee if the chain supports it.`

/** What an operator can do if a swap has been waiting too long. */
export const adviceFor = (swap: SwapRecord.SwapRecord, names: Names): ReadonlyArray<string> => {
  const hand = swap.operation._tag === "evm" ? byHand(swap) : notByHand
  switch (swap.state) {
    case "accepted":
    case "origin_prepared":
    case "origin_sent":
      return [
        chainAdvice(origin(swap, names)),
        "No transfer is final yet. After the deadline, the swap fails automatically and the wallet keeps its input.",
        `If it does not fail, run geoswap-server swaps fail ${swap.id}, which ends the swap if the chain proves that the input was never collected.`
      ]
    case "origin_final":
      return [
        "Check that the venue responds, that the vault holds enough of the output token (run geoswap-server inventory), and that the vault's hourly cap has not been reached.",
        "After the retry period (see `execution` in the configuration), the input is refunded automatically."
      ]
    case "delivery_prepared":
    case "delivery_sent":
      return [
        chainAdvice(destination(swap, names)),
        "Do not pay the recipient manually while a delivery may still be included in a block, because the recipient could be paid twice."
      ]
    case "refund_prepared":
    case "refund_sent":
      return [chainAdvice(origin(swap, names)), hand]
    case "settled":
    case "failed":
    case "refunded":
      return []
  }
}

const reasons: Readonly<Record<string, string>> = {
  INVALID_AUTHORIZATION: "the wallet's delegation did not match the signed delegation, or no longer matched it",
  OPERATION_EXPIRED: "the signed operation was past its deadline",
  INSUFFICIENT_BALANCE: "the wallet no longer held the input",
  INSUFFICIENT_INVENTORY: "the vault did not hold enough of the output token",
  CAP_EXCEEDED: "the vault's hourly cap was reached",
  VAULT_PAUSED: "the vault was paused",
  ALREADY_DONE: "the order had already been used",
  REVERTED: "the chain rejected the transaction",
  SLIPPAGE: "the price fell below the minimum output",
  PRICE_UNAVAILABLE: "the venue's prices were unavailable for too long",
  NO_ROUTE: "the venue had no price for this pair",
  DESTINATION_UNAVAILABLE: "the destination chain's nodes were unavailable for too long",
  DELIVERY_TOO_LATE: "the quote was too old for the output to be delivered",
  REFUNDED_BY_OWNER: "the vault's owner refunded the input"
}

/** Describes why a swap did not settle. */
export const describeFailure = (code: string | undefined) =>
  code === undefined ? "no reason was stored" : `${reasons[code] ?? "see the history above"} (${code})`
