/** The outcome of running a transaction, read from LiteSVM. */
import { type Address, getBase58Decoder } from "@solana/kit"
import type { TransactionMetadata } from "litesvm"
import type * as Token from "./token.js"
import type { TransactionErrorJson } from "./transactionError.js"
import type * as AccountHistory from "./accountHistory.js"
import type { Key, loadedAddresses } from "./decodeTransaction.js"

/** An account's token balance before or after a transaction. */
export interface TokenBalance {
  readonly accountIndex: number
  readonly mint: Address
  readonly owner: Address
  readonly programId: Address
  readonly uiTokenAmount: ReturnType<typeof Token.uiAmount>
}

/** An inner instruction. */
export interface Inner {
  readonly programIdIndex: number
  readonly accounts: ReadonlyArray<number>
  readonly data: Uint8Array
  readonly stackHeight: number
}

/** The outcome of running a transaction. */
export interface Outcome {
  readonly err: TransactionErrorJson | null
  /** Whether any part of the transaction ran. If so, the transaction is included in a block and a fee is charged. */
  readonly executed: boolean
  readonly logs: ReadonlyArray<string>
  readonly units: bigint
  readonly inner: ReadonlyArray<{ readonly index: number; readonly instructions: ReadonlyArray<Inner> }>
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | undefined
  readonly keys: ReadonlyArray<Key>
  readonly loaded: ReturnType<typeof loadedAddresses>
  readonly fee: bigint
  readonly pre: ReadonlyArray<AccountHistory.State>
  readonly post: ReadonlyArray<AccountHistory.State>
  readonly preTokens: ReadonlyArray<TokenBalance>
  readonly postTokens: ReadonlyArray<TokenBalance>
}

/** The metadata of a transaction that did not run. */
export const noMetadata = { executed: false, logs: [], units: 0n, inner: [], returnData: undefined }

/** Reads LiteSVM's metadata. */
export const read = (metadata: TransactionMetadata) => {
  const returned = metadata.returnData()
  const data = new Uint8Array(returned.data())
  return {
    // LiteSVM sets a signature if the transaction ran.
    executed: metadata.signature().some((byte) => byte !== 0),
    logs: metadata.logs(),
    units: metadata.computeUnitsConsumed(),
    inner: metadata.innerInstructions().flatMap((instructions, index) =>
      instructions.length === 0
        ? []
        : [
            {
              index,
              instructions: instructions.map((inner) => {
                const instruction = inner.instruction()
                return {
                  programIdIndex: instruction.programIdIndex(),
                  accounts: [...instruction.accounts()],
                  data: new Uint8Array(instruction.data()),
                  stackHeight: inner.stackHeight()
                }
              })
            }
          ]
    ),
    returnData:
      data.length === 0 ? undefined : { programId: getBase58Decoder().decode(returned.programId()) as Address, data }
  }
}
