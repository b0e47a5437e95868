/** A wallet that marks its own account nonces as used, with code that it delegates to for one transaction. */
import type { Devnet } from "@geoswap/devnet"
import {
  type Address,
  concat,
  encodeAbiParameters,
  type Hash,
  keccak256,
  numberToHex,
  type PrivateKeyAccount
} from "viem"
import * as evm from "./evm.js"

/** ERC-7201 of `geoswap.account`. */
const accountStorage = "0x863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000"

/** The first word of the bitmap of used nonces, with all bits set. */
const forgery = concat([
  keccak256(encodeAbiParameters([{ type: "uint256" }, { type: "bytes32" }], [0n, accountStorage])),
  numberToHex(2n ** 256n - 1n, { size: 32 })
])

/** Deploys a contract that writes a storage slot: `sstore(data[0], data[32])`. */
export const deployWriter = (devnet: Devnet.Devnet, chain: Devnet.EvmChain): Promise<Address> =>
  evm.deploy(devnet, chain, "0x666020355f3555005f5260076019f3")

/** Delegates a wallet to the writer and marks its nonces as used; first in its block, and not awaited. */
export const forge = async (devnet: Devnet.Devnet, wallet: PrivateKeyAccount, writer: Address): Promise<Hash> => {
  const { evmA } = devnet
  const nonce = await evm.reader(evmA).getTransactionCount({ address: wallet.address })
  const authorization = await wallet.signAuthorization({ address: writer, chainId: evmA.id, nonce })
  return evm.sender(evmA, evm.operator(devnet, "owner")).sendTransaction({
    to: wallet.address,
    data: forgery,
    authorizationList: [authorization],
    gas: 300_000n,
    ...evm.firstInBlock
  })
}
