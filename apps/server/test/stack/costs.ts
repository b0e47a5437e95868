/** What an attack costs the operator and the attacker. */
import type { Devnet } from "@geoswap/devnet"
import type { PrivateKeyAccount } from "viem"
import * as evm from "./evm.js"

/** The height of the first chain. */
export const heightOf = ({ devnet }: { readonly devnet: Devnet.Devnet }): Promise<bigint> =>
  evm.reader(devnet.evmA).getBlockNumber()

/** The gas of the transactions that an address has sent since a block. */
const gasOf = async ({ evmA }: Devnet.Devnet, sender: string, since: bigint): Promise<bigint> => {
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
