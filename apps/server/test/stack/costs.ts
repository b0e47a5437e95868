/** What an attack costs the operator and the attacker. */
import type { Devnet } from "@geoswap/devnet"
import type { Hash, PrivateKeyAccount } from "viem"
import * as database from "./database.js"
import * as evm from "./evm.js"

/** The height of the first chain. */
export const heightOf = ({ devnet }: { readonly devnet: Devnet.Devnet }): Promise<bigint> =>
  evm.reader(devnet.evmA).getBlockNumber()

/** The gas of the transactions that an address has sent since a block. */
export const gasOf = async ({ evmA }: Devnet.Devnet, sender: string, since: bigint): Promise<bigint> => {
  const client = evm.reader(evmA)
  let gas = 0n
  for (let number = since + 1n; number <= (await client.getBlockNumber()); number += 1n) {
    const { transactions } = await client.getBlock({ blockNumber: number, includeTransactions: true })
    for (const { from, hash } of transactions) {
      if (from.toLowerCase() === sender.toLowerCase()) gas += (await client.getTransactionReceipt({ hash })).gasUsed
    }
  }
  return gas
}

/** Prints what an attack cost since a block. */
export const costsOf = async (
  devnet: Devnet.Devnet,
  attack: string,
  attackers: ReadonlyArray<PrivateKeyAccount>,
  since: bigint
) => {
  const spent = await Promise.all(attackers.map(({ address }) => gasOf(devnet, address, since)))
  const costs = {
    operator: await gasOf(devnet, evm.operator(devnet, "relayer").address, since),
    attacker: spent.reduce((sum, gas) => sum + gas, 0n)
  }
  process.stdout.write(`${attack}: operator ${costs.operator} gas, attacker ${costs.attacker} gas\n`)
  return costs
}

/**
 * The gas that the relayer has spent on the first chain since a block for swaps whose input was not collected: by
 * transactions that reverted, the shares of batches that left swaps out, and cancellations.
 */
export const lostGasOf = async ({ evmA }: Devnet.Devnet, file: string, since: bigint): Promise<bigint> => {
  const collected = new Map<string, number>()
  for (const { eventName, transactionHash } of await evm.vaultEvents(evmA)) {
    if (eventName === "Collected") collected.set(transactionHash, (collected.get(transactionHash) ?? 0) + 1)
  }
  let lost = 0n
  for (const { cancels, hash, swaps } of database.collectionsOf(file)) {
    const receipt = await evm
      .reader(evmA)
      .getTransactionReceipt({ hash: hash as Hash })
      .catch(() => undefined)
    if (receipt === undefined || receipt.blockNumber <= since) continue
    const missing = cancels ? swaps : swaps - (collected.get(receipt.transactionHash) ?? 0)
    lost += (receipt.gasUsed * BigInt(missing)) / BigInt(swaps)
  }
  return lost
}
