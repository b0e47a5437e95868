/** What a public chain's node refuses before a transaction reaches its pool, and EDR does not. */
import { RpcError } from "../rpcError.js"
import type { Arbitrum } from "./arbitrum.js"
import type { EdrProvider } from "./edrProvider.js"
import { opFee } from "./opStack.js"
import type { Profile } from "./profiles.js"

type Call = EdrProvider["call"]

/** Refuses a signed transaction, or returns. Gas and fees are checked here only as far as the profile requires. */
export const admit = async (
  call: Call,
  { leastTip, rollup }: Pick<Profile, "leastTip" | "rollup">,
  arbitrum: Arbitrum | undefined,
  raw: string
): Promise<void> => {
  if (leastTip === 0n && rollup === undefined) return
  // Loaded only for such a chain, because it takes longer than starting the chain.
  const { parseTransaction, recoverTransactionAddress } = await import("viem")
  const parse = () => {
    try {
      return parseTransaction(raw as `0x${string}`)
    } catch {
      // EDR refuses it.
      return undefined
    }
  }
  const transaction = parse()
  if (transaction === undefined) return
  const { gas = 0n, gasPrice = 0n, maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice, value = 0n } = transaction
  if (maxPriorityFeePerGas < leastTip) {
    const facts = `gas tip cap ${maxPriorityFeePerGas}, minimum needed ${leastTip}`
    throw new RpcError(-32000, `transaction gas price below minimum: ${facts}`)
  }
  await arbitrum?.check(raw, gas)
  if (rollup !== "op") return
  const from = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
  const cost = gas * maxFeePerGas + value + (await opFee(call, raw, gas))
  const balance = BigInt(String(await call("eth_getBalance", from, "latest")))
  if (balance >= cost) return
  const facts = `balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`
  throw new RpcError(-32000, `insufficient funds for gas * price + value: ${facts}`)
}
