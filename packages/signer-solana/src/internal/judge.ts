/** Comparing what the service wants signed with what was agreed. */
import { Chain, Operation, type Signer, SwapError } from "@geoswap/core"
import { keccak_256 } from "@noble/hashes/sha3"
import { getBase16Decoder, type GetMultipleAccountsApi, type Rpc } from "@solana/kit"
import * as Effect from "effect/Effect"
import { member } from "./given.js"
import { nothingLoaded, resolve } from "./lookupTables.js"
import type { TokenAccountOf } from "./programs.js"
import { judge } from "./rules.js"
import { viewOf } from "./view.js"
import { type MessageV0, read, type Wire } from "./wire.js"
import { kindOf, written } from "./words.js"

/** What a signer judges with. */
export interface Bench {
  readonly wallet: string
  readonly lookupTables: Rpc<GetMultipleAccountsApi> | undefined
  readonly tokenAccountOf: TokenAccountOf
}

/** A transaction that fits what was agreed: of version 0, with the fee payer and the wallet as its signers. */
export interface Fitting extends Wire {
  readonly message: MessageV0
  readonly originChain: number
}

/** What is to be signed, with the pinned accounts. */
interface Agreed extends Signer.TransactionToSign {
  readonly deployment: Operation.Deployment
}

/** The members of one part of what is to be signed, each read once. */
const copy = <A extends object>(part: A, names: ReadonlyArray<keyof A & string>): A =>
  Object.fromEntries(
    names.map((name) => [name, member(part, name)] as const).filter(([, value]) => value !== undefined)
  ) as A

/**
 * What is to be signed as values: what is judged here is what is signed, whatever getters the caller's objects have.
 * Throws where one of those does.
 */
const copyOf = (transaction: Signer.TransactionToSign): Agreed | SwapError.UnsafeOperation => {
  const { deployment, quote, request, unsignedTransaction } = transaction
  if (deployment === undefined || deployment === null) {
    return Operation.unsafe("deployment", "pinned in the policy", "absent")
  }
  const broken = Object.entries({ request, quote, deployment }).find(([, part]) => Object(part) !== part)
  if (broken !== undefined) return Operation.unsafe(broken[0], "an object", kindOf(broken[1]))
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

const readOnce = (transaction: Signer.TransactionToSign) =>
  Effect.try({
    try: () => copyOf(transaction),
    catch: () => Operation.unsafe("transaction", "what was agreed and what to sign", "something that cannot be read")
  })

const termsOf = (agreement: Operation.Agreement): Effect.Effect<string, SwapError.UnsafeOperation> =>
  Effect.try({
    try: () => `0x${getBase16Decoder().decode(keccak_256(Operation.encodeTerms(agreement)))}`,
    catch: () => Operation.unsafe("terms", "a destination, a token, a recipient and a minimum", "something else")
  })

const largest = 2n ** 64n - 1n

type Requirement = readonly [field: string, fits: boolean, expected: string, found: unknown]

/** The caller's own side of the agreement, which has to make sense for this wallet. */
const checkAgreement = (wallet: string, { deployment, request }: Agreed): SwapError.UnsafeOperation | undefined => {
  const { amount, inputToken, outputToken, recipient, walletAddress } = request
  const { relayer, vault } = deployment
  const address = (field: string, value: unknown): Requirement => [
    field,
    Chain.isAddress("solana", value),
    "an address on Solana",
    value
  ]
  /** The terms hold the number alone: with a wrong checksum (EIP-55), that may be a stranger's. */
  const destination = (field: string, value: string): Requirement => [
    field,
    !/^0x[0-9a-fA-F]{40}$/.test(value) || Chain.isAddress("evm", value),
    "an address whose capital letters are its checksum (EIP-55)",
    value
  ]
  const isAmount = typeof amount === "bigint" && amount > 0n && amount <= largest
  const requirements: ReadonlyArray<Requirement> = [
    address("inputToken", inputToken),
    address("vault", vault),
    ...(relayer === undefined ? [] : [address("relayer", relayer)]),
    ["relayer", relayer !== wallet, "somebody else than the wallet, as the relayer pays", "the wallet"],
    ["amount", isAmount, `a bigint from 1 to ${largest}`, amount],
    ["walletAddress", walletAddress === wallet, wallet, walletAddress],
    ...(typeof outputToken === "string" ? [destination("outputToken", outputToken)] : []),
    ...(typeof recipient === "string" ? [destination("recipient", recipient)] : [])
  ]
  const broken = requirements.find(([, fits]) => !fits)
  return broken && Operation.unsafe(broken[0], broken[2], written(broken[3]))
}

/** Gives the transaction where it fits. */
export const fitting = Effect.fnUntraced(function* (
  { lookupTables, tokenAccountOf, wallet }: Bench,
  transaction: Signer.TransactionToSign
): Effect.fn.Return<Fitting, SwapError.SignError> {
  const agreed = yield* readOnce(transaction)
  if (agreed instanceof SwapError.UnsafeOperation) return yield* agreed
  const { deployment, request, unsignedTransaction } = agreed
  const broken = checkAgreement(wallet, agreed)
  if (broken !== undefined) return yield* broken
  const wire = yield* read(unsignedTransaction)
  const { message } = wire
  if (message.version !== 0) return yield* Operation.unsafe("version", "0", `${message.version}`)
  const expected = {
    wallet,
    relayer: deployment.relayer,
    mint: request.inputToken,
    source: yield* tokenAccountOf(wallet, request.inputToken),
    destination: yield* tokenAccountOf(deployment.vault, request.inputToken),
    amount: request.amount,
    terms: yield* termsOf(agreed)
  }
  // What is refused anyway is no reason to read accounts that the service chose.
  const early = judge(viewOf(message, nothingLoaded), expected, "before the tables")
  if (early !== undefined) return yield* early
  const problem = judge(viewOf(message, yield* resolve(lookupTables, message)), expected, "whole")
  return problem === undefined ? { ...wire, message, originChain: request.originChain } : yield* problem
})
