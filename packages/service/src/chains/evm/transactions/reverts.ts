/** Reverts that nodes report, and what those reverts mean for a job. */
import { GeoAccount, GeoVault, Permit2 } from "@geoswap/contracts"
import { type Abi, decodeErrorResult, type Hex, isHex, parseAbi } from "viem"
import type { Job } from "../../../domain/Job.js"
import { Impossible } from "../../ChainError.js"
import { rpcErrorOf } from "../nodes/rpcNodes.js"

/** The node ran a call, and the call reverted. */
export interface Revert {
  readonly _tag: "Revert"
  /** The data that the contract returned. Empty if the node does not report the data. */
  readonly data: Hex
}

/** Matches error messages that indicate a failed execution even if the error code does not. */
const ran =
  /revert|VM execution error|invalid opcode|bad instruction|invalid jump|out of gas|stack (under|over)flow|gas required exceeds/i

/**
 * Returns the revert in a node's error. Accepts only the codes that nodes use for contract errors, because an internal
 * error (-32603) or an exceeded limit (-32005) says nothing about the contract.
 */
const revertOf = (cause: unknown): Revert | undefined => {
  const error = rpcErrorOf(cause)
  if (error === undefined || ![3, -32000, -32015].includes(error.code)) return undefined
  if (error.code !== 3 && !ran.test(error.details)) return undefined
  const [data] = typeof error.data === "string" ? (/0x[0-9a-f]*$/i.exec(error.data) ?? []) : []
  return { _tag: "Revert", data: isHex(data) ? data : "0x" }
}

/** Handles a rejection: returns a revert as a value, and rethrows any other error. */
export const orRevert = (cause: unknown): Revert => {
  const revert = revertOf(cause)
  if (revert === undefined) throw cause
  return revert
}

export const isRevert = (answer: unknown): answer is Revert =>
  typeof answer === "object" && answer !== null && "_tag" in answer && answer._tag === "Revert"

const abi: Abi = [
  ...GeoVault.abi,
  ...GeoAccount.abi,
  // Permit2's `InvalidSignature` is the account's.
  ...Permit2.abi.filter((item) => item.type === "error" && item.name !== "InvalidSignature"),
  // Errors from OpenZeppelin's tokens, and from tokens with EIP-3009.
  ...parseAbi([
    "error ERC3009InvalidSignature()",
    "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
    "error ERC20InvalidReceiver(address receiver)",
    "error EnforcedPause()"
  ])
]

const decode = (data: Hex): { readonly name: string; readonly message: string } | undefined => {
  try {
    const { args, errorName } = decodeErrorResult({ abi, data })
    const [first] = errorName === "Error" ? (args ?? []) : []
    return { name: errorName, message: typeof first === "string" ? first : "" }
  } catch {
    return undefined
  }
}

const known: Readonly<Record<string, readonly [Impossible["code"], string]>> = {
  NotDelegated: [
    "INVALID_AUTHORIZATION",
    "The wallet is not delegated to our account contract, and the operation has no valid authorization."
  ],
  Expired: ["OPERATION_EXPIRED", "The operation's deadline has passed."],
  CapExceeded: [
    "CAP_EXCEEDED",
    "The payment exceeds the amount of this token that the vault may send in this clock hour."
  ],
  ExceedsCollected: [
    "CAP_EXCEEDED",
    "The refund exceeds the amount of this token that the vault collected in this clock hour and the two hours before it. The vault's owner can issue the refund."
  ],
  IsPaused: ["VAULT_PAUSED", "The vault is paused."],
  IdUsed: ["ALREADY_DONE", "The vault has already delivered or refunded this order."],
  NonceUsed: ["ALREADY_DONE", "The wallet has already executed an operation with this nonce."],
  InvalidNonce: ["ALREADY_DONE", "The payment's nonce in Permit2 has already been used."],
  SignatureExpired: ["OPERATION_EXPIRED", "The payment's deadline has passed."]
}

/**
 * Creates the error for an insufficient token balance: the wallet's balance for a collection, otherwise the vault's
 * balance.
 */
export const insufficientFunds = (chainId: number, { kind }: Job): Impossible =>
  kind === "collect"
    ? new Impossible({ chainId, code: "INSUFFICIENT_BALANCE", message: "The wallet's balance is too low." })
    : new Impossible({ chainId, code: "INSUFFICIENT_INVENTORY", message: "The vault's balance is too low." })

/** The errors of Permit2 and of tokens that reject a signature. The wallet's code may have been asked. */
const refusals = new Set(["InvalidContractSignature", "InvalidSignature", "InvalidSigner", "ERC3009InvalidSignature"])

/** Explains a revert. The error names are only hints, because a token can revert with any of these names. */
export const explain = (chainId: number, job: Job, { data }: Revert): Impossible => {
  const error = decode(data)
  const [code, message] = known[error?.name ?? ""] ?? []
  if (code !== undefined && message !== undefined) return new Impossible({ chainId, code, message })
  const isShort =
    error?.name.endsWith("InsufficientBalance") || /(exceeds|insufficient) balance/i.test(error?.message ?? "")
  if (isShort) return insufficientFunds(chainId, job)
  const name = error === undefined ? "an unknown error" : error.message.slice(0, 80) || error.name
  const tokenPaused = error?.name === "EnforcedPause" || /paused/i.test(error?.message ?? "")
  const signatureRefused = refusals.has(error?.name ?? "") || /invalid.signature/i.test(error?.message ?? "")
  return new Impossible({
    chainId,
    code: "REVERTED",
    message: `The ${job.kind} transaction would revert with ${name}.`,
    ...(tokenPaused && { tokenPaused }),
    ...(signatureRefused && { signatureRefused })
  })
}
