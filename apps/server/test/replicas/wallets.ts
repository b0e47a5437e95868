/** A few wallets with many swaps at once. How a new wallet starts is tested elsewhere. */
import type { Devnet } from "@geoswap/devnet"
import { makeWallets, type Wallets } from "../faults/crash/wallets.js"
import * as evm from "../stack/evm.js"

/** How many wallets the pools create at a time. */
const count = 8

const several = async (pool: Wallets["evmA"]) => {
  const wallets: Array<Awaited<ReturnType<typeof pool.take>>> = []
  while (wallets.length < count) wallets.push(await pool.take())
  return wallets
}

/** In turn, whether or not a wallet was returned. */
const turning = (wallets: Awaited<ReturnType<typeof several>>): Wallets["evmA"] => {
  let turn = 0
  return {
    take: () => {
      const wallet = wallets[turn++ % wallets.length]
      return wallet === undefined ? Promise.reject(new Error("There is no wallet.")) : Promise.resolve(wallet)
    },
    free: () => undefined
  }
}

/** Already delegated: of an authorization in several concurrent swaps, all but one are stale. */
const delegated = async (devnet: Devnet.Devnet, chain: Devnet.EvmChain, pool: Wallets["evmA"]) => {
  const wallets = await several(pool)
  for (const wallet of wallets) {
    if (wallet.family !== "evm") continue
    const hash = await evm.delegate(devnet, chain, wallet.account, chain.contracts.account)
    await evm.reader(chain).waitForTransactionReceipt({ hash })
  }
  return turning(wallets)
}

export const makeFew = async (devnet: Devnet.Devnet): Promise<Wallets> => {
  const { evmA, evmB, holders, solana } = await makeWallets(devnet, [])
  const [onA, onB, onSolana] = await Promise.all([
    delegated(devnet, devnet.evmA, evmA),
    delegated(devnet, devnet.evmB, evmB),
    several(solana)
  ])
  return { evmA: onA, evmB: onB, solana: turning(onSolana), holders }
}
