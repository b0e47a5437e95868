/** Token balances, read from the chain rather than from the service. */
import { address, createSolanaRpc } from "@solana/kit"
import { type Address, createPublicClient, erc20Abi, http } from "viem"
import type { StackDescription } from "../Stack.js"

/** A chain as the devnet describes it. */
export type Chain = StackDescription["chains"][number]

const onEvm = (rpcUrl: string, token: string, owner: string): Promise<bigint> =>
  createPublicClient({ transport: http(rpcUrl) }).readContract({
    abi: erc20Abi,
    address: token as Address,
    functionName: "balanceOf",
    args: [owner as Address]
  })

const onSolana = async (rpcUrl: string, token: string, owner: string): Promise<bigint> => {
  const { value } = await createSolanaRpc(rpcUrl)
    .getTokenAccountsByOwner(
      address(owner),
      { mint: address(token) },
      { commitment: "finalized", encoding: "jsonParsed" }
    )
    .send()
  return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n)
}

/** A balance in the token's smallest unit. */
export const balanceOf = ({ family, rpcUrl }: Chain, token: string, owner: string): Promise<bigint> =>
  family === "evm" ? onEvm(rpcUrl, token, owner) : onSolana(rpcUrl, token, owner)
