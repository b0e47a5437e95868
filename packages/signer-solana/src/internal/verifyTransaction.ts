/** Verifies that a transaction is what the caller agreed to, before it is signed. */
import { Chain, Operation, type Signer, SwapError } from "@geoswap/core"
import { hashTerms as hash, keccak256 } from "@geoswap/core/adapters"
import type { GetMultipleAccountsApi, Rpc } from "@solana/kit"
import * as Effect from "effect/Effect"
import { describeValue } from "./describeValue.js"
import { noLoadedAddresses, resolveLookupTables } from "./lookupTables.js"
import { type MessageV0, type ParsedTransaction, parseTransaction } from "./parseTransaction.js"
import { resolveMessage } from "./resolvedMessage.js"
import type { TokenAccountOf } from "./tokenAccounts.js"
import { findViolation } from "./transactionAllowList.js"
import { snapshotTransaction, type TransactionSnapshot } from "./transactionSnapshot.js"

export interface VerificationContext {
  readonly wallet: string
  readonly lookupTables: Rpc<GetMultipleAccountsApi> | undefined
  readonly tokenAccountOf: TokenAccountOf
}

/** A version 0 transaction that matches what the caller agreed to. Its signers are the fee payer and the wallet. */
export interface VerifiedTransaction extends ParsedTransaction {
  readonly message: MessageV0
  readonly originChain: number
}

const hashTerms = (agreement: Operation.Agreement): Effect.Effect<string, SwapError.UnsafeOperation> =>
  Effect.try({
    try: () => hash(Operation.encodeTerms(agreement), keccak256),
    catch: () =>
      Operation.unsafe("terms", "a destination, a token, a recipient and a minimum", "values that cannot be encoded")
  })

const maxAmount = 2n ** 64n - 1n

type Requirement = readonly [field: string, fits: boolean, expected: string, found: unknown]

/** Validates the caller's request and deployment for this wallet. */
const validateAgreement = (
  wallet: string,
  { deployment, request }: TransactionSnapshot
): SwapError.UnsafeOperation | undefined => {
  const { amount, inputToken, outputToken, recipient, walletAddress } = request
  const { relayer, vault } = deployment
  const address = (field: string, value: unknown): Requirement => [
    field,
    Chain.isAddress("solana", value),
    "a Solana address",
    value
  ]
  /**
   * An invalid EIP-55 checksum is a sign of a typo. It must be caught here, because the terms contain only the
   * address's bytes.
   */
  const destination = (field: string, value: string): Requirement => [
    field,
    !/^0x[0-9a-fA-F]{40}$/.test(value) || Chain.isAddress("evm", value),
    "an address with a valid EIP-55 checksum",
    value
  ]
  const isAmount = typeof amount === "bigint" && amount > 0n && amount <= maxAmount
  const requirements: ReadonlyArray<Requirement> = [
    address("inputToken", inputToken),
    address("vault", vault),
    ...(relayer === undefined ? [] : [address("relayer", relayer)]),
    ["relayer", relayer !== wallet, "an account other than the wallet, because the relayer pays", "the wallet"],
    ["amount", isAmount, `a bigint from 1 to ${maxAmount}`, amount],
    ["walletAddress", walletAddress === wallet, wallet, walletAddress],
    ...(typeof outputToken === "string" ? [destination("outputToken", outputToken)] : []),
    ...(typeof recipient === "string" ? [destination("recipient", recipient)] : [])
  ]
  const broken = requirements.find(([, fits]) => !fits)
  return broken && Operation.unsafe(broken[0], broken[2], describeValue(broken[3]))
}

/** Returns the transaction if it matches what the caller agreed to. Fails otherwise. */
export const verifyTransaction = Effect.fnUntraced(function* (
  { lookupTables, tokenAccountOf, wallet }: VerificationContext,
  transaction: Signer.TransactionToSign
): Effect.fn.Return<VerifiedTransaction, SwapError.SignError> {
  const snapshot = yield* snapshotTransaction(transaction)
  if (snapshot instanceof SwapError.UnsafeOperation) return yield* snapshot
  const { deployment, request, unsignedTransaction } = snapshot
  const broken = validateAgreement(wallet, snapshot)
  if (broken !== undefined) return yield* broken
  const parsed = yield* parseTransaction(unsignedTransaction)
  const { message } = parsed
  if (message.version !== 0) return yield* Operation.unsafe("version", "0", `${message.version}`)
  const expected = {
    wallet,
    relayer: deployment.relayer,
    mint: request.inputToken,
    source: yield* tokenAccountOf(wallet, request.inputToken),
    destination: yield* tokenAccountOf(deployment.vault, request.inputToken),
    amount: request.amount,
    terms: yield* hashTerms(snapshot)
  }
  // Check the rest of the transaction first, because the service chooses the lookup tables. The tables are read only
  // for an otherwise valid transaction.
  const violation = findViolation(resolveMessage(message, noLoadedAddresses), expected, "before the tables")
  if (violation !== undefined) return yield* violation
  const resolvedViolation = findViolation(
    resolveMessage(message, yield* resolveLookupTables(lookupTables, message)),
    expected,
    "whole"
  )
  return resolvedViolation === undefined
    ? { ...parsed, message, originChain: request.originChain }
    : yield* resolvedViolation
})
