/** Swaps 100 USDC on one chain for WETH on another, from a wallet that holds no gas token. */
import { formatAmount } from "@geoswap/core/promise"
import { createDevnetClient } from "@geoswap/deployments/devnet"

const { client, tokens, wallets } = await createDevnetClient()

const request = await tokens.request("100 USDC@devnet-a", "WETH@devnet-b")
const swap = await client.execute(request, { onProgress: ({ type }) => console.log(type) })
console.log(swap.status, swap.deliveryTxHash)

for (const { token, amount } of await tokens.balances(wallets)) {
  console.log(`${formatAmount(amount, token)} ${token.symbol} on chain ${token.chainId}`)
}
if (swap.status !== "settled") process.exitCode = 1
