/** The same initial accounts on both nodes. */
import { solanaWallet, solanaWallets, tokens } from "../../src/Wallets.js"
import { tokenAccountOf } from "../../src/internal/solana/genesis.js"
import { stringify } from "../../src/internal/stringify.js"

const vault = solanaWallet("vault").address
const relayer = solanaWallet("relayer").address
const mints = tokens.map((plan) => ({ plan, mint: solanaWallet(`mint ${plan.symbol}`).address }))

/** The initial accounts of the devnet's SVM. */
export const genesis = {
  funded: [
    [relayer, 1_000_000_000_000n],
    [vault, 1_000_000_000_000n]
  ] as const,
  tokens: mints,
  vault,
  wallets: solanaWallets()
}

const rentEpoch = 18_446_744_073_709_551_615n

const call = async (url: string, method: string, params: ReadonlyArray<unknown>): Promise<unknown> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: stringify({ jsonrpc: "2.0", id: 1, method, params })
  })
  const { error, result } = (await response.json()) as { readonly error?: unknown; readonly result?: unknown }
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
  return result
}

interface Info {
  readonly value: { readonly data: [string, string]; readonly lamports: number; readonly owner: string } | null
}

/** Copies the accounts of one node to Surfpool. */
export const imprint = async (from: string, to: string): Promise<void> => {
  const holders = [vault, ...genesis.wallets.map(({ address }) => address)]
  const accounts = await Promise.all(mints.flatMap(({ mint }) => holders.map((owner) => tokenAccountOf(owner, mint))))
  for (const address of [relayer, vault, ...mints.map(({ mint }) => mint), ...accounts]) {
    const { value } = (await call(from, "getAccountInfo", [address, { encoding: "base64" }])) as Info
    if (value === null) throw new Error(`${address} is not there.`)
    const { data, lamports, owner } = value
    const hex = Buffer.from(data[0], "base64").toString("hex")
    await call(to, "surfnet_setAccount", [address, { lamports, owner, data: hex, executable: false, rentEpoch }])
  }
}
