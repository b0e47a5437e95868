/** Lookup tables behind a real kit RPC client with a scripted transport. */
import {
  type Address,
  address,
  createSolanaRpcFromTransport,
  getAddressEncoder,
  type GetMultipleAccountsApi,
  type Rpc
} from "@solana/kit"
import { otherKey } from "./keys.js"

export const tableProgram = address("AddressLookupTab1e1111111111111111111111111")
export const tableName = address(otherKey(21).address)
export const secondTableName = address(otherKey(22).address)

/** An account on the chain. */
export interface Stored {
  readonly owner: string
  readonly data: Uint8Array
}

/** The data of a table: its type, 52 bytes of metadata, and its addresses. */
export const tableData = (addresses: ReadonlyArray<Address>, kind = 1): Uint8Array =>
  Uint8Array.from([
    kind,
    0,
    0,
    0,
    ...new Uint8Array(8).fill(255),
    ...new Uint8Array(44),
    ...addresses.flatMap((entry) => [...getAddressEncoder().encode(entry)])
  ])

export const table = (addresses: ReadonlyArray<Address>, owner: string = tableProgram): Stored => ({
  owner,
  data: tableData(addresses)
})

/** An RPC request. */
interface Call {
  readonly method: string
  readonly params: readonly [addresses: ReadonlyArray<string>, config: Readonly<Record<string, unknown>>]
}

/** An RPC with these accounts. `answer` changes or breaks its responses. */
export const rpcOf = (
  accounts: Readonly<Record<string, Stored>>,
  answer: (value: ReadonlyArray<unknown>, signal: AbortSignal | undefined) => unknown = (value) => value
) => {
  const calls: Array<Call> = []
  const transport = async ({ payload, signal }: { payload: unknown; signal?: AbortSignal }) => {
    const call = payload as Call & { readonly id: string }
    calls.push(call)
    const value = call.params[0].map((name) => {
      const found = accounts[name]
      return found === undefined
        ? null
        : {
            data: [Buffer.from(found.data).toString("base64"), "base64"],
            executable: false,
            lamports: 1,
            owner: found.owner,
            rentEpoch: 0,
            space: found.data.length
          }
    })
    return { jsonrpc: "2.0", id: call.id, result: { context: { slot: 1 }, value: await answer(value, signal) } }
  }
  const rpc = createSolanaRpcFromTransport(transport as never) as unknown as Rpc<GetMultipleAccountsApi>
  return { rpc, calls }
}
