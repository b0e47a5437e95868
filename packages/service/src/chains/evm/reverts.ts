/** What a chain says when a transaction would revert, and what that means for a job. */
import { GeoAccount, GeoVault } from "@geoswap/contracts"
import { type Abi, decodeErrorResult, type Hex, isHex, parseAbi } from "viem"
import { Impossible, type Job } from "../Chains.js"
import { rpcErrorOf } from "./rpcNodes.js"

/** The node ran a call, and it reverted. */
export interface Revert {
  readonly _tag: "Revert"
  /** What the contract gave back; empty where the node does not say. */
  readonly data: Hex
}

/** What nodes say of a run that failed, where the code does not. */
const ran =
  /revert|VM execution error|invalid opcode|bad instruction|invalid jump|out of gas|stack (under|over)flow|gas required exceeds/i

/**
 * The revert in an error of a node. Only the codes that nodes give to what a contract did: an internal error or a limit
 * (-32603, -32005) may say anything, and says nothing of the contract.
 */
const revertOf = (cause: unknown): Revert | undefined => {
  const error = rpcErrorOf(cause)
  if (error === undefined || ![3, -32000, -32015].includes(error.code)) return undefined
  if (error.code !== 3 && !ran.test(error.details)) return undefined
  const [data] = typeof error.data === "string" ? (/0x[0-9a-f]*$/i.exec(error.data) ?? []) : []
  return { _tag: "Revert", data: isHex(data) ? data : "0x" }
}

/** A handler for rejections that makes an answer of a revert, and leaves every other failure as it is. */
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
  // Of OpenZeppelin's tokens.
  ...parseAbi([
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
  NotDelegated: ["INVALID_AUTHORIZATION", "The wallet is not delegated to our account, and no valid authorization is."],
  Expired: ["OPERATION_EXPIRED", "The operation is past its deadline."],
  CapExceeded: ["CAP_EXCEEDED", "The vault may not send that much of this token in this hour."],
  ExceedsCollected: [
    "CAP_EXCEEDED",
    "The refund is more than the vault collected of this token in this hour and the two before. Its owner can make it."
  ],
  IsPaused: ["VAULT_PAUSED", "The vault is paused."],
  IdUsed: ["ALREADY_DONE", "The vault has delivered or refunded this order already."],
  NonceUsed: ["ALREADY_DONE", "The wallet has paid an operation with this nonce already."]
}

/** For a job whose token is short: of the wallet where it comes in, of the vault where it goes out. */
export const insufficientFunds = (chainId: number, { kind }: Job): Impossible =>
  kind === "collect"
    ? new Impossible({ chainId, code: "INSUFFICIENT_BALANCE", message: "The wallet has less than it is to pay." })
    : new Impossible({ chainId, code: "INSUFFICIENT_INVENTORY", message: "The vault has less than it is to send." })

/** What a revert means. The names are hints: a token can revert with any of them. */
export const explain = (chainId: number, job: Job, { data }: Revert): Impossible => {
  const error = decode(data)
  const [code, message] = known[error?.name ?? ""] ?? []
  if (code !== undefined && message !== undefined) return new Impossible({ chainId, code, message })
  const isShort =
    error?.name.endsWith("InsufficientBalance") || /(exceeds|insufficient) balance/i.test(error?.message ?? "")
  if (isShort) return insufficientFunds(chainId, job)
  const name = error === undefined ? "an error that nobody knows" : error.message.slice(0, 80) || error.name
  return new Impossible({ chainId, code: "REVERTED", message: `The ${job.kind} would revert with ${name}.` })
}
