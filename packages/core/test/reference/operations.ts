/** The hashes of the vectors, computed step by step like in the contract, without a library. */
import { concat, encodeAbiParameters, getAddress, type Hex, keccak256, pad, parseAbiParameters, toHex } from "viem"

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** An address of either family as 32 bytes. */
const wordOf = (address: string): Hex =>
  /^0x[0-9a-fA-F]{40}$/.test(address)
    ? pad(getAddress(address).toLowerCase() as Hex, { size: 32 })
    : toHex(
        address.split("").reduce((value, char) => value * 58n + BigInt(base58.indexOf(char)), 0n),
        { size: 32 }
      )

const typeHash = (type: string): Hex => keccak256(toHex(type))

const termsType = "Terms(uint256 destinationChain,bytes32 outputToken,bytes32 recipient,uint256 minOutput)"

/** The EIP-712 hash of the destination terms. */
export const hashTerms = (
  request: {
    readonly destinationChain: number
    readonly outputToken: string
    readonly walletAddress: string
    readonly recipient?: string
  },
  minOutput: bigint
): Hex =>
  keccak256(
    encodeAbiParameters(parseAbiParameters("bytes32, uint256, bytes32, bytes32, uint256"), [
      typeHash(termsType),
      BigInt(request.destinationChain),
      wordOf(request.outputToken),
      wordOf(request.recipient ?? request.walletAddress),
      minOutput
    ])
  )

export interface GeoOpFields {
  readonly chainId: number
  readonly wallet: Hex
  readonly delegate: Hex
  readonly token: Hex
  readonly amount: bigint
  readonly vault: Hex
  readonly orderId: Hex
  readonly terms: Hex
  readonly nonce: bigint
  readonly deadline: number
}

/** The EIP-712 digest, computed like in the contract. */
export const hashGeoOp = (geoOp: GeoOpFields): Hex => {
  const domain = keccak256(
    encodeAbiParameters(parseAbiParameters("bytes32, bytes32, bytes32, uint256, address"), [
      typeHash("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
      typeHash("GeoSwap"),
      typeHash("1"),
      BigInt(geoOp.chainId),
      geoOp.delegate
    ])
  )
  const struct = keccak256(
    encodeAbiParameters(
      parseAbiParameters("bytes32, address, address, uint256, address, bytes32, bytes32, uint256, uint256"),
      [
        typeHash(
          `GeoOp(address wallet,address token,uint256 amount,address vault,bytes32 orderId,Terms terms,uint256 nonce,uint256 deadline)${termsType}`
        ),
        geoOp.wallet,
        geoOp.token,
        geoOp.amount,
        geoOp.vault,
        geoOp.orderId,
        geoOp.terms,
        geoOp.nonce,
        BigInt(geoOp.deadline)
      ]
    )
  )
  return keccak256(concat(["0x1901", domain, struct]))
}
