/** The contracts of ENS on a chain of the devnet: the registry, and a public resolver with records. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { type Abi, type Address, createPublicClient, createWalletClient, type Hex, http, keccak256, toHex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { namehash, normalize } from "viem/ens"

interface Artifact {
  readonly abi: Abi
  readonly bytecode: Hex
}

/** Reads a contract as its package contains it. */
const artifact = (path: string): Artifact =>
  JSON.parse(readFileSync(createRequire(import.meta.url).resolve(path), "utf8")) as Artifact

/** The records of a name: the bytes of an address, by coin type. */
export type Records = Readonly<Record<string, Hex>>

/**
 * Deploys ENS with these names, each with one label under a top-level domain. Returns the address of the registry.
 */
export const deployEns = async (
  { id, rpcUrl }: { readonly id: number; readonly rpcUrl: string },
  privateKey: string,
  names: Readonly<Record<string, Records>>
): Promise<Address> => {
  const [transport, account] = [http(rpcUrl), privateKeyToAccount(privateKey as Hex)]
  const reader = createPublicClient({ transport, pollingInterval: 50 })
  const chain = {
    id,
    name: "",
    nativeCurrency: { name: "", symbol: "", decimals: 18 },
    rpcUrls: { default: { http: [] } }
  }
  const wallet = createWalletClient({ account, chain, transport })
  const done = async (sent: Promise<Hex>) => {
    const receipt = await reader.waitForTransactionReceipt({ hash: await sent })
    if (receipt.status !== "success") throw new Error("A transaction of ENS failed.")
    return receipt
  }
  const deploy = async (contract: Artifact, args: ReadonlyArray<unknown>): Promise<Address> => {
    const { contractAddress } = await done(wallet.deployContract({ ...contract, args }))
    if (contractAddress === null || contractAddress === undefined) throw new Error("A contract of ENS has no address.")
    return contractAddress
  }
  const [Registry, Resolver] = [
    artifact("@ensdomains/ens/build/contracts/ENSRegistry.json"),
    artifact("@ensdomains/resolver/build/contracts/PublicResolver.json")
  ]
  const registry = await deploy(Registry, [])
  const resolver = await deploy(Resolver, [registry])
  const write = (contract: Artifact, address: Address, functionName: string, ...args: ReadonlyArray<unknown>) =>
    done(wallet.writeContract({ abi: contract.abi, address, functionName, args }))
  const give = async (parent: string, label: string) => {
    const node = parent === "" ? `0x${"0".repeat(64)}` : namehash(parent)
    await write(Registry, registry, "setSubnodeOwner", node, keccak256(toHex(label)), account.address)
  }
  const domains = new Set<string>()
  for (const [entered, records] of Object.entries(names)) {
    const name = normalize(entered)
    const [label = "", domain = ""] = name.split(".")
    if (!domains.has(domain)) await give("", domain)
    domains.add(domain)
    await give(domain, label)
    await write(Registry, registry, "setResolver", namehash(name), resolver)
    for (const [coinType, bytes] of Object.entries(records)) {
      await write(Resolver, resolver, "setAddr", namehash(name), BigInt(coinType), bytes)
    }
  }
  return registry
}
