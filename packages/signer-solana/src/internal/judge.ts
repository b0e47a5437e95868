/** Comparing what the service wants signed with what was agreed. */
import { Chain, Operation, type Signer, type SwapError } from "@geoswap/core"
import { keccak_256 } from "@noble/hashes/sha3"
import { getBase16Decoder, type GetMultipleAccountsApi, type Rpc } from "@solana/kit"
import * as Effect from "effect/Effect"
import { resolve } from "./lookupTables.js"
import type { TokenAccountOf } from "./programs.js"
import { judge } from "./rules.js"
import { viewOf } from "./view.js"
import { type MessageV0, read, type Wire } from "./wire.js"
import { kindOf, printable } from "./words.js"

/** What a signer judges with. */
export interface Bench {
  readonly wallet: string
  readonly lookupTables: Rpc<GetMultipleAccountsApi> | undefined
  readonly tokenAccountOf: TokenAccountOf
}

/** A transaction that fits what was agreed: of version 0, with the fee payer and the wallet as its signers. */
export interface Fitting extends Wire {
  readonly message: MessageV0
}

const termsOf = (agreement: Operation.Agreement): Effect.Effect<string, SwapError.UnsafeOperation> =>
  Effect.try({
    try: () => `0x${getBase16Decoder().decode(keccak_256(Operation.encodeTerms(agreement)))}`,
    catch: () => Operation.unsafe("terms", "a destination, a token, a recipient and a minimum", "something else")
  })

const written = (value: unknown): string => (typeof value === "string" ? printable(value, 64) : kindOf(value))

/** The addresses of the agreement, which are the caller's own and have to be some. */
const checkAddresses = ({ request, deployment }: Operation.Agreement): SwapError.UnsafeOperation | undefined => {
  const addresses: ReadonlyArray<readonly [field: string, value: unknown]> = [
    ["inputToken", request.inputToken],
    ["vault", deployment?.vault],
    ...(deployment?.relayer === undefined ? [] : [["relayer", deployment.relayer] as const])
  ]
  const broken = addresses.find(([, value]) => !Chain.isAddress("solana", value))
  return broken && Operation.unsafe(broken[0], "an address on Solana", written(broken[1]))
}

/** Gives the transaction where it fits. */
export const fitting = Effect.fnUntraced(function* (
  { lookupTables, tokenAccountOf, wallet }: Bench,
  transaction: Signer.TransactionToSign
): Effect.fn.Return<Fitting, SwapError.SignError> {
  const { deployment, request, unsignedTransaction } = transaction
  if (deployment === undefined) return yield* Operation.unsafe("deployment", "pinned in the policy", "absent")
  const broken = checkAddresses(transaction)
  if (broken !== undefined) return yield* broken
  if (request.walletAddress !== wallet) {
    return yield* Operation.unsafe("walletAddress", wallet, written(request.walletAddress))
  }
  const wire = yield* read(unsignedTransaction)
  const { message } = wire
  if (message.version !== 0) return yield* Operation.unsafe("version", "0", `${message.version}`)
  const view = viewOf(message, yield* resolve(lookupTables, message))
  const problem = judge(view, {
    wallet,
    relayer: deployment.relayer,
    mint: request.inputToken,
    source: yield* tokenAccountOf(wallet, request.inputToken),
    destination: yield* tokenAccountOf(deployment.vault, request.inputToken),
    amount: request.amount,
    terms: yield* termsOf(transaction)
  })
  return problem === undefined ? { ...wire, message } : yield* problem
})
