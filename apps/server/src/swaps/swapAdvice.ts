/** What an open swap waits for, what an operator can do about it, and why a swap ended as it did. */
import type { SwapRecord } from "@geoswap/service"
import type { Names } from "../output/displayNames.js"

type Open = Exclude<SwapRecord.State, "settled" | "failed" | "refunded">
type Describe = (swap: SwapRecord.SwapRecord, names: Names) => string

const origin: Describe = ({ originChain }, names) => names.chain(originChain)
const destination: Describe = ({ destinationChain }, names) => names.chain(destinationChain)

const waits: Readonly<Record<Open, Describe>> = {
  accepted: (swap, names) => `a transaction on ${origin(swap, names)} that takes the input`,
  origin_prepared: (swap, names) => `the input's transaction to be sent to ${origin(swap, names)}`,
  origin_sent: (swap, names) => `the input to be final on ${origin(swap, names)}`,
  origin_final: (swap, names) => `a price, and a delivery that ${destination(swap, names)} takes`,
  delivery_prepared: (swap, names) => `the delivery to be sent to ${destination(swap, names)}`,
  delivery_sent: (swap, names) => `the delivery to be final on ${destination(swap, names)}`,
  refund_prepared: (swap, names) => `a refund that ${origin(swap, names)} takes; nothing is delivered any more`,
  refund_sent: (swap, names) => `the refund to be final on ${origin(swap, names)}`
}

/** What a swap waits for; of one that has ended, why it did not settle. */
export const waitsFor: Describe = (swap, names) =>
  swap.state === "settled" || swap.state === "failed" || swap.state === "refunded"
    ? (swap.failureCode ?? "")
    : waits[swap.state](swap, names)

const byHand = ({ amount, id, refundAmount = amount }: SwapRecord.SwapRecord) =>
  `The vault's owner can refund it by hand, with the vault's refund, this order id and at least ${refundAmount}: a server finds it and ends the swap. If the vault has paid the order otherwise: geoswap-server swaps close ${id} --transaction <hash>`

const notByHand =
  "On Solana nothing knows orders: a transfer by hand would be a second one. Mend what is in the way, and let a server do it."

const chainAdvice = (chain: string) =>
  `See that a server runs, that the nodes of ${chain} answer and that its relayer has gas: geoswap-server check. A transaction that waits is sent again, with a higher fee where the chain has fees to raise.`

/** What an operator can do for a swap that waits too long. */
export const adviceFor = (swap: SwapRecord.SwapRecord, names: Names): ReadonlyArray<string> => {
  const hand = swap.operation._tag === "evm" ? byHand(swap) : notByHand
  switch (swap.state) {
    case "accepted":
    case "origin_prepared":
    case "origin_sent":
      return [
        chainAdvice(origin(swap, names)),
        "Nothing has moved for good yet. Past its deadline the swap fails automatically, and the wallet keeps its input.",
        `If it does not: geoswap-server swaps fail ${swap.id} ends it, if the chain proves that the input was never collected.`
      ]
    case "origin_final":
      return [
        "See that the venue answers, and that the vault has the output and its cap for the hour leaves room: geoswap-server inventory.",
        "When the retry time has ended (execution in the configuration), the input is refunded automatically."
      ]
    case "delivery_prepared":
    case "delivery_sent":
      return [
        chainAdvice(destination(swap, names)),
        "Do not pay by hand while a delivery may still land: the recipient would be paid twice."
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
  INVALID_AUTHORIZATION: "the wallet's delegation was not, or not any more, as it was signed",
  OPERATION_EXPIRED: "what the wallet signed was past its deadline",
  INSUFFICIENT_BALANCE: "the wallet did not have the input any more",
  INSUFFICIENT_INVENTORY: "the vault did not have the output",
  CAP_EXCEEDED: "the vault's cap for the hour left no room",
  VAULT_PAUSED: "the vault was paused",
  ALREADY_DONE: "the order was used before",
  REVERTED: "the chain refused the transaction",
  SLIPPAGE: "the price had fallen below what was agreed to",
  PRICE_UNAVAILABLE: "the venue gave no price for too long",
  NO_ROUTE: "the venue had no price for this pair",
  DESTINATION_UNAVAILABLE: "the destination's nodes did not answer for too long",
  DELIVERY_TOO_LATE: "the quote was older than the service delivers",
  REFUNDED_BY_OWNER: "the vault's owner sent the input back"
}

/** Why a swap did not settle, in words. */
export const describeFailure = (code: string | undefined): string =>
  code === undefined ? "no reason was stored" : `${code}: ${reasons[code] ?? "see the history above"}`
