/** The SVM's initial accounts. */
import {
  type Address,
  getAddressEncoder,
  getProgramDerivedAddress,
  getU64Encoder,
  lamports as toLamports
} from "@solana/kit"
import type { SolanaWallet, TokenPlan } from "../../Wallets.js"
import type { Ledger } from "./ledger.js"
import { accountSize } from "./token.js"

const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" as Address
const associatedProgram = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL" as Address
const systemProgram = "11111111111111111111111111111111" as Address
const mintSize = 82

const bytes = (address: Address) => getAddressEncoder().encode(address)

/** The address of a wallet's associated token account. */
export const tokenAccountOf = async (owner: Address, mint: Address): Promise<Address> => {
  const [address] = await getProgramDerivedAddress({
    programAddress: associatedProgram,
    seeds: [bytes(owner), bytes(tokenProgram), bytes(mint)]
  })
  return address
}

/** Encodes a mint. */
const mintData = (authority: Address, supply: bigint, decimals: number): Uint8Array => {
  const data = new Uint8Array(mintSize)
  data.set([1, 0, 0, 0, ...bytes(authority)], 0)
  data.set(getU64Encoder().encode(supply), 36)
  data.set([decimals, 1], 44)
  return data
}

/** Encodes a token account. */
const accountData = (mint: Address, owner: Address, amount: bigint): Uint8Array => {
  const data = new Uint8Array(accountSize)
  data.set(bytes(mint), 0)
  data.set(bytes(owner), 32)
  data.set(getU64Encoder().encode(amount), 64)
  data[108] = 1
  return data
}

/** The initial balances. */
export interface Genesis {
  /** The addresses that hold lamports, with their balances. */
  readonly funded: ReadonlyArray<readonly [Address, bigint]>
  readonly tokens: ReadonlyArray<{ readonly plan: TokenPlan; readonly mint: Address }>
  readonly vault: Address
  readonly wallets: ReadonlyArray<SolanaWallet>
}

/** Writes the initial accounts. The vault's key is the mint authority. */
export const write = async (ledger: Ledger, { funded, tokens, vault, wallets }: Genesis): Promise<void> => {
  const put = (address: Address, programAddress: Address, data: Uint8Array, lamports: bigint) =>
    ledger.setAccount({
      address,
      programAddress,
      data,
      executable: false,
      lamports: toLamports(lamports),
      space: BigInt(data.length)
    })
  const rent = (data: Uint8Array) => ledger.svm.minimumBalanceForRentExemption(BigInt(data.length))
  for (const [address, lamports] of funded) put(address, systemProgram, new Uint8Array(), lamports)
  for (const { mint, plan } of tokens) {
    const unit = 10n ** BigInt(plan.decimals.solana)
    const holders = [
      { owner: vault, amount: plan.inVault * unit },
      ...wallets.map(({ address }) => ({ owner: address, amount: plan.perWallet * unit }))
    ]
    const supply = holders.reduce((sum, { amount }) => sum + amount, 0n)
    const data = mintData(vault, supply, plan.decimals.solana)
    put(mint, tokenProgram, data, rent(data))
    const accounts = await Promise.all(holders.map(({ owner }) => tokenAccountOf(owner, mint)))
    for (const [index, { amount, owner }] of holders.entries()) {
      const held = accountData(mint, owner, amount)
      const address = accounts[index]
      if (address !== undefined) put(address, tokenProgram, held, rent(held))
    }
  }
}
