/** `eth_createAccessList` for EDR, from a trace of the call. */

type Call = (method: string, ...params: ReadonlyArray<unknown>) => Promise<unknown>

type Prestate = Readonly<Record<string, { readonly storage?: Readonly<Record<string, string>> }>>

const isPrecompile = (address: string): boolean => {
  const number = BigInt(address)
  return number <= 0x11n || number === 0x100n
}

/** The accounts and slots that a call accesses, and the gas that it uses with them in its access list. */
export const createAccessList = async (call: Call, transaction: unknown, block: unknown) => {
  const request = transaction as { readonly from?: string; readonly to?: string }
  const touched = (await call("debug_traceCall", request, block, { tracer: "prestateTracer" })) as Prestate
  const { miner } = (await call("eth_getBlockByNumber", block, false)) as { readonly miner: string }
  // These are accessed in any case. The recipient is listed only with its slots.
  const implied = [request.from, miner].map((address) => address?.toLowerCase())
  const accessList = Object.entries(touched)
    .map(([address, { storage = {} }]) => ({ address, storageKeys: Object.keys(storage) }))
    .filter(({ address, storageKeys }) => {
      if (implied.includes(address) || isPrecompile(address)) return storageKeys.length > 0
      return address !== request.to?.toLowerCase() || storageKeys.length > 0
    })
  const trace = await call("debug_traceCall", { ...request, accessList }, block, { tracer: "callTracer" })
  const { error, gasUsed } = trace as { readonly error?: string; readonly gasUsed: string }
  return { accessList, gasUsed, ...(error !== undefined && { error }) }
}
