/**
 * Test vectors from docs/contracts.md: payments without a delegation. Their deadline has passed, so a signer refuses to
 * sign them as they are.
 */
import type { Hex } from "../Hex.js"
import type { Agreement, Deployment } from "../Operation.js"
import { type Payment, permit2Nonces } from "../Payment.js"
import { evmDeployment, evmKey } from "./vectors.js"

/** A payment that matches the accepted terms. */
export interface PaymentVector extends Agreement {
  readonly name: string
  readonly deployment: Deployment
  readonly payment: Payment
  readonly geoOpHash: Hex
  /** The wallet's signature over the typed data, with an RFC 6979 nonce. */
  readonly signature: Hex
  /** Only with `erc2612`: the digest of the permit, and the wallet's signature over it. */
  readonly permit?: { readonly digest: Hex; readonly signature: Hex }
}

const minOutput = 2_400_000_000_000_000n

const agreement = {
  request: {
    originChain: 8453,
    destinationChain: 1,
    inputToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    outputToken: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
    amount: 10_000_000n,
    walletAddress: evmKey.address
  },
  quote: {
    output: 2_500_000_000_000_000n,
    minOutput,
    feeBps: 10,
    costs: { fee: { bps: 10 } },
    expiresAt: new Date("2026-01-01T00:00:30.000Z")
  },
  deployment: evmDeployment
}

const order = {
  chainId: 8453,
  wallet: evmKey.address,
  token: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
  amount: 10_000_000n,
  vault: "0x5aa2e2b6b1c9d7e1c1f0a87f6d4b3c2d1e0f9a8b",
  orderId: `0x${"a1".repeat(32)}`,
  terms: "0x0dd15b5d4e53324d826748f214b2573fca26a492048f6177270f58137e67d317",
  deadline: 1_767_225_690
} as const

const domain = { name: "USD Coin", version: "2" }

/** Payments without a delegation. */
export const payments: ReadonlyArray<PaymentVector> = [
  {
    ...agreement,
    name: "with EIP-3009",
    payment: { method: "eip3009", ...order, domain },
    geoOpHash: "0x56d5c42d3b66b07fb8e53e14c210ac55fa6bf536a8b7b66fd35a79ad1f48e056",
    signature:
      "0x1b414648ab98e4aaea734d405acac4ab66364ac8d45e144f4ef033631a46121264bc655f069ce9b4d987be06cfa234ddcceae5b40f752719548cad4237d2f8691c"
  },
  {
    ...agreement,
    name: "with Permit2",
    payment: { method: "permit2", ...order, nonce: permit2Nonces },
    geoOpHash: "0x4641ba1f5ee7b2715343b89082f4ff89c0f79af239d5f040797f7bff8bc20535",
    signature:
      "0xb142f1af30b7017f9928f5dc5817fe881591b130139d0c253c8d21235beeb3641dd25c79de0fa68d24ac3675a64d00c110d02827cdda125ffba3d60773aafe4f1b"
  },
  {
    ...agreement,
    name: "with ERC-2612",
    payment: { method: "erc2612", ...order, nonce: permit2Nonces + 256n, domain, permitNonce: 0n },
    geoOpHash: "0x4a6db1894a0369f09b4222e75674eef1f02b77c1b3ffaf6aa5bd29d54a0c7ab0",
    signature:
      "0x4f9dde05f9724bf34f804ef75af7066201514349a030b71b409e1a41563403680fce3ad3cc7bc13ebadfe4768d70619c4ea5418c0a96532ae9ecf33d7e974a791c",
    permit: {
      digest: "0x8bfd18fa63aeaf0f77e00c200018b405911c9ca48cf3a2fa0ce965c5e5619311",
      signature:
        "0xb38c9789e302e85bf22dfad437bf68522aaa3c10881c8548e4af049ee77de2dc0ce2d55a6e0f0060f8506bdced61fbe9f540de6097a001d43a2f13edebd480081c"
    }
  }
]
