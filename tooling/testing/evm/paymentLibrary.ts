/** The typed data of payments and operations, written from docs/contracts.md, and their hashes by ox. */
import { Chain, type Operation, type Payment } from "@geoswap/core"
import type { ChainLibrary } from "@geoswap/core/testing"
import * as Hash from "ox/Hash"
import * as Hex from "ox/Hex"
import * as Secp256k1 from "ox/Secp256k1"
import * as Signature from "ox/Signature"
import * as TypedData from "ox/TypedData"

type Terms = ChainLibrary.Terms

const permit2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3"
const field = (type: string) => (name: string) => ({ name, type })
const uint = field("uint256")
const addr = field("address")
const word = field("bytes32")

const Terms = [uint("destinationChain"), word("outputToken"), word("recipient"), uint("minOutput")]
const GeoOrder = [addr("wallet"), uint("chainId"), word("orderId"), field("Terms")("terms")]

const padded = (address: string): Hex.Hex => Hex.fromNumber(Chain.toWord(address), { size: 32 })

const termsMessage = ({ destinationChain, minOutput, outputToken, recipient }: Terms) => ({
  destinationChain: BigInt(destinationChain),
  outputToken: padded(outputToken),
  recipient: padded(recipient),
  minOutput
})

const typeHash = (type: string) => Hash.keccak256(Hex.fromString(type))
const termsType = "Terms(uint256 destinationChain,bytes32 outputToken,bytes32 recipient,uint256 minOutput)"

export const hashTerms = (terms: Terms): Hex.Hex =>
  TypedData.hashStruct({ types: { Terms }, primaryType: "Terms", data: termsMessage(terms) })

/** The hash of the order, from the hash of its terms. */
const hashOrder = ({
  chainId,
  orderId,
  terms,
  wallet
}: Pick<Payment.Payment, "chainId" | "orderId" | "terms" | "wallet">): Hex.Hex =>
  Hash.keccak256(
    Hex.concat(
      typeHash(`GeoOrder(address wallet,uint256 chainId,bytes32 orderId,Terms terms)${termsType}`),
      Hex.padLeft(wallet, 32),
      Hex.fromNumber(chainId, { size: 32 }),
      orderId,
      terms
    )
  )

/** What a wallet is shown. `terms` are the ones behind `payment.terms`. */
export const paymentData = (payment: Payment.Payment, terms: Terms) => {
  const { amount, chainId, deadline, orderId, token, vault, wallet } = payment
  return payment.method === "eip3009"
    ? {
        domain: { ...payment.domain, chainId, verifyingContract: token },
        types: {
          ReceiveWithAuthorization: [
            addr("from"),
            addr("to"),
            uint("value"),
            uint("validAfter"),
            uint("validBefore"),
            word("nonce")
          ]
        },
        primaryType: "ReceiveWithAuthorization",
        message: {
          from: wallet,
          to: vault,
          value: amount,
          validAfter: 0n,
          validBefore: BigInt(deadline),
          nonce: hashOrder(payment)
        }
      }
    : {
        domain: { name: "Permit2", chainId, verifyingContract: permit2 },
        types: {
          PermitWitnessTransferFrom: [
            field("TokenPermissions")("permitted"),
            addr("spender"),
            uint("nonce"),
            uint("deadline"),
            field("GeoOrder")("witness")
          ],
          GeoOrder,
          Terms,
          TokenPermissions: [addr("token"), uint("amount")]
        },
        primaryType: "PermitWitnessTransferFrom",
        message: {
          permitted: { token, amount },
          spender: vault,
          nonce: payment.nonce,
          deadline: BigInt(deadline),
          witness: { wallet, chainId: BigInt(chainId), orderId, terms: termsMessage(terms) }
        }
      }
}

export const permitData = ({ amount, chainId, deadline, domain, permitNonce, token, wallet }: Payment.Erc2612) => ({
  domain: { ...domain, chainId, verifyingContract: token },
  types: { Permit: [addr("owner"), addr("spender"), uint("value"), uint("nonce"), uint("deadline")] },
  primaryType: "Permit",
  message: { owner: wallet, spender: permit2, value: amount, nonce: permitNonce, deadline: BigInt(deadline) }
})

/** An operation, as a wallet displays it. */
export const operationData = (geoOp: Operation.GeoOp, terms: Terms) => {
  const { amount, chainId, deadline, delegate, nonce, orderId, token, vault, wallet } = geoOp
  return {
    domain: { name: "GeoSwap", version: "1", chainId, verifyingContract: delegate },
    types: {
      GeoOp: [
        addr("wallet"),
        addr("token"),
        uint("amount"),
        addr("vault"),
        word("orderId"),
        field("Terms")("terms"),
        uint("nonce"),
        uint("deadline")
      ],
      Terms
    },
    primaryType: "GeoOp",
    message: { wallet, token, amount, vault, orderId, terms: termsMessage(terms), nonce, deadline: BigInt(deadline) }
  }
}

/** The digest of typed data. */
export const digestOfData = (data: object): Hex.Hex => TypedData.getSignPayload(data as never)

/** The digest of a payment whose `terms` may be any hash. */
export const hashPayment = (payment: Payment.Payment): Hex.Hex => {
  if (payment.method === "eip3009") return digestOfData(paymentData(payment, {} as never))
  const { amount, chainId, deadline, nonce, token, vault } = payment
  const types =
    "TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,GeoOrder witness)GeoOrder(address wallet,uint256 chainId,bytes32 orderId,Terms terms)"
  const number = (value: bigint | number) => Hex.fromNumber(value, { size: 32 })
  const permissions = "TokenPermissions(address token,uint256 amount)"
  const struct = Hash.keccak256(
    Hex.concat(
      typeHash(`PermitWitnessTransferFrom(${types}${termsType}${permissions}`),
      Hash.keccak256(Hex.concat(typeHash(permissions), Hex.padLeft(token, 32), number(amount))),
      Hex.padLeft(vault, 32),
      number(nonce),
      number(deadline),
      hashOrder(payment)
    )
  )
  const domain = TypedData.domainSeparator({ name: "Permit2", chainId, verifyingContract: permit2 })
  return Hash.keccak256(Hex.concat("0x1901", domain, struct))
}

export const hashPermit = (payment: Payment.Erc2612): Hex.Hex => digestOfData(permitData(payment))

/** Recovers the signer of typed data. */
export const typedDataSigner = (digest: Hex.Hex, signature: string): string =>
  Secp256k1.recoverAddress({ payload: digest, signature: Signature.fromHex(signature as Hex.Hex) })

/** The payments of the scripted service. */
export const payments: ChainLibrary.PaymentLibrary = {
  hashOrder,
  hashPayment,
  hashPermit,
  recoverTypedData: typedDataSigner
}
