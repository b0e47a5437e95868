/** Copies a transaction request before it is verified, reading every property once. */
import { Operation, type Signer, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { describeKind } from "./describeValue.js"
import { readProperty } from "./properties.js"

/** A copied request with its pinned deployment. */
export interface TransactionSnapshot extends Signer.TransactionToSign {
  readonly deployment: Operation.Deployment
}

/** Copies the named properties, reading each property once. */
const copy = <A extends object>(part: A, names: ReadonlyArray<keyof A & string>): A =>
  Object.fromEntries(
    names.map((name) => [name, readProperty(part, name)] as const).filter(([, value]) => value !== undefined)
  ) as A

/**
 * Copies the request, so that what is verified is what is signed even if the caller's objects change. Throws if reading
 * a property throws.
 */
const copyTransaction = (transaction: Signer.TransactionToSign): TransactionSnapshot | SwapError.UnsafeOperation => {
  const { deployment, quote, request, unsignedTransaction } = transaction
  if (deployment === undefined || deployment === null) {
    return Operation.unsafe("deployment", "pinned in the policy", "nothing")
  }
  const broken = Object.entries({ request, quote, deployment }).find(([, part]) => Object(part) !== part)
  if (broken !== undefined) return Operation.unsafe(broken[0], "an object", describeKind(broken[1]))
  return {
    request: copy(request, [
      "originChain",
      "destinationChain",
      "inputToken",
      "outputToken",
      "amount",
      "walletAddress",
      "recipient"
    ]),
    quote: copy(quote, ["output", "minOutput"]),
    deployment: copy(deployment, ["vault", "relayer"]),
    unsignedTransaction
  }
}

/**
 * Returns a copy of the transaction request. Fails if reading a property throws, or if the request, quote or deployment
 * is not an object.
 */
export const snapshotTransaction = (transaction: Signer.TransactionToSign) =>
  Effect.try({
    try: () => copyTransaction(transaction),
    catch: () => Operation.unsafe("transaction", "a readable object", "an object whose properties throw")
  })
