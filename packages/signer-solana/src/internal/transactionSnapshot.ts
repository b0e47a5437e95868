/** A copy of a transaction to sign: every property is read once, so that what is verified is what is signed. */
import { Operation, type Signer, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { describeKind } from "./describeValue.js"
import { readProperty } from "./properties.js"

/** What is to be signed, with the pinned accounts. */
export interface TransactionSnapshot extends Signer.TransactionToSign {
  readonly deployment: Operation.Deployment
}

/** The members of one part of what is to be signed, each read once. */
const copy = <A extends object>(part: A, names: ReadonlyArray<keyof A & string>): A =>
  Object.fromEntries(
    names.map((name) => [name, readProperty(part, name)] as const).filter(([, value]) => value !== undefined)
  ) as A

/**
 * What is to be signed as values: what is judged here is what is signed, whatever getters the caller's objects have.
 * Throws where one of those does.
 */
const copyTransaction = (transaction: Signer.TransactionToSign): TransactionSnapshot | SwapError.UnsafeOperation => {
  const { deployment, quote, request, unsignedTransaction } = transaction
  if (deployment === undefined || deployment === null) {
    return Operation.unsafe("deployment", "pinned in the policy", "absent")
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

/** Reads a transaction to sign; refuses it if a property throws or a part is not an object. */
export const snapshotTransaction = (transaction: Signer.TransactionToSign) =>
  Effect.try({
    try: () => copyTransaction(transaction),
    catch: () => Operation.unsafe("transaction", "what was agreed and what to sign", "something that cannot be read")
  })
