/** The EIP-712 typed data that wallets display and sign. */
import type { Hex } from "../Hex.js"
import type { GeoOp } from "../Operation.js"
import * as Payment from "../Payment.js"
import { accountDomain, hashOrder } from "./hashes.js"

interface Field {
  readonly name: string
  readonly type: string
}

/** Typed data in the form of `eth_signTypedData_v4`. Integers are decimal strings. */
export interface TypedData {
  readonly types: Readonly<Record<string, ReadonlyArray<Field>>>
  readonly primaryType: string
  readonly domain: Readonly<Record<string, string | number>>
  readonly message: Readonly<Record<string, unknown>>
}

/** The fields of `Terms`, with addresses as 32 bytes. */
export interface TypedTerms {
  readonly destinationChain: number
  readonly outputToken: Hex
  readonly recipient: Hex
  readonly minOutput: bigint
}

/** Parses `type name` pairs. The result is frozen, because wallets get it, and later messages contain it too. */
const fields = (text: string): ReadonlyArray<Field> =>
  Object.freeze(
    text.split(",").map((field) => {
      const [type = "", name = ""] = field.split(" ")
      return Object.freeze({ name, type })
    })
  )

const domainFields = fields("string name,string version,uint256 chainId,address verifyingContract")
const Terms = fields("uint256 destinationChain,bytes32 outputToken,bytes32 recipient,uint256 minOutput")
const GeoOrder = fields("address wallet,uint256 chainId,bytes32 orderId,Terms terms")

const text = (amount: bigint | number): string => String(amount)

const messageOf = ({ destinationChain, minOutput, outputToken, recipient }: TypedTerms) => ({
  destinationChain: text(destinationChain),
  outputToken,
  recipient,
  minOutput: text(minOutput)
})

/** The typed data of an operation. */
export const operationTypedData = (geoOp: GeoOp, terms: TypedTerms): TypedData => {
  const { amount, chainId, deadline, delegate, nonce, orderId, token, vault, wallet } = geoOp
  return {
    types: {
      EIP712Domain: domainFields,
      GeoOp: fields(
        "address wallet,address token,uint256 amount,address vault,bytes32 orderId,Terms terms,uint256 nonce,uint256 deadline"
      ),
      Terms
    },
    primaryType: "GeoOp",
    domain: { ...accountDomain, chainId, verifyingContract: delegate },
    message: {
      wallet,
      token,
      amount: text(amount),
      vault,
      orderId,
      terms: messageOf(terms),
      nonce: text(nonce),
      deadline: text(deadline)
    }
  }
}

/**
 * The typed data that pays. With `eip3009`, the wallet cannot display the terms, because they are part of the nonce's
 * hash.
 */
export const paymentTypedData = (
  payment: Payment.Payment,
  terms: TypedTerms,
  keccak256: (bytes: Uint8Array) => Hex
): TypedData => {
  const { amount, chainId, deadline, orderId, token, vault, wallet } = payment
  if (payment.method === "eip3009") {
    return {
      types: {
        EIP712Domain: domainFields,
        ReceiveWithAuthorization: fields(
          "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce"
        )
      },
      primaryType: "ReceiveWithAuthorization",
      domain: { name: payment.domain.name, version: payment.domain.version, chainId, verifyingContract: token },
      message: {
        from: wallet,
        to: vault,
        value: text(amount),
        validAfter: "0",
        validBefore: text(deadline),
        nonce: hashOrder(payment, keccak256)
      }
    }
  }
  return {
    types: {
      EIP712Domain: fields("string name,uint256 chainId,address verifyingContract"),
      PermitWitnessTransferFrom: fields(
        "TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,GeoOrder witness"
      ),
      GeoOrder,
      Terms,
      TokenPermissions: fields("address token,uint256 amount")
    },
    primaryType: "PermitWitnessTransferFrom",
    domain: { name: "Permit2", chainId, verifyingContract: Payment.permit2Address },
    message: {
      permitted: { token, amount: text(amount) },
      spender: vault,
      nonce: text(payment.nonce),
      deadline: text(deadline),
      witness: { wallet, chainId: text(chainId), orderId, terms: messageOf(terms) }
    }
  }
}

/** The typed data of the permit that approves Permit2 for a payment's amount. */
export const permitTypedData = (payment: Payment.Erc2612): TypedData => {
  const { amount, chainId, deadline, domain, permitNonce, token, wallet } = payment
  return {
    types: {
      EIP712Domain: domainFields,
      Permit: fields("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline")
    },
    primaryType: "Permit",
    domain: { name: domain.name, version: domain.version, chainId, verifyingContract: token },
    message: {
      owner: wallet,
      spender: Payment.permit2Address,
      value: text(amount),
      nonce: text(permitNonce),
      deadline: text(deadline)
    }
  }
}
