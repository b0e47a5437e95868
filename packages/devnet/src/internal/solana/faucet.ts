/** Airdrops lamports. */
import { createPrivateKey, sign } from "node:crypto"
import {
  type Address,
  getBase58Encoder,
  getCompiledTransactionMessageEncoder,
  getU32Encoder,
  getU64Encoder
} from "@solana/kit"
import type { SolanaWallet } from "../../Wallets.js"
import { type DecodedTransaction, decodeTransaction } from "./decodeTransaction.js"

/** Builds an airdrop transaction. */
export type Faucet = (to: Address, lamports: bigint, blockhash: string) => DecodedTransaction

const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex")

/**
 * A faucet that pays from a wallet. Each airdrop is a different transaction, even if the recipient and the amount are
 * the same.
 */
export const faucet = ({ address, privateKey }: SolanaWallet): Faucet => {
  const seed = new Uint8Array(getBase58Encoder().encode(privateKey)).subarray(0, 32)
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" })
  let airdrops = 0
  return (to, lamports, blockhash) => {
    airdrops += 1
    const messageBytes = getCompiledTransactionMessageEncoder().encode({
      version: "legacy",
      header: { numSignerAccounts: 1, numReadonlySignerAccounts: 0, numReadonlyNonSignerAccounts: 2 },
      staticAccounts: [
        address,
        to,
        "11111111111111111111111111111111" as Address,
        "ComputeBudget111111111111111111111111111111" as Address
      ],
      lifetimeToken: blockhash,
      instructions: [
        { programAddressIndex: 3, data: new Uint8Array([2, ...getU32Encoder().encode(1_000 + airdrops)]) },
        {
          programAddressIndex: 2,
          accountIndices: [0, 1],
          data: new Uint8Array([2, 0, 0, 0, ...getU64Encoder().encode(lamports)])
        }
      ]
    })
    const signature = sign(null, new Uint8Array(messageBytes), key)
    return decodeTransaction(new Uint8Array([1, ...signature, ...messageBytes]))
  }
}
