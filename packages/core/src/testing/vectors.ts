/**
 * Fixed operations and transactions with the hashes that chain libraries give for them, so that a signer can prove
 * itself right without trusting its own arithmetic. The keys are public: never send anything to them.
 */
import type { Hex } from "../Hex.js"
import type { Agreement, Deployment, GeoOp } from "../Operation.js"
import type { Quote } from "../Quote.js"

const quoted = (output: bigint, minOutput: bigint): Quote => ({
  geoQuoteToken: "vector",
  output,
  minOutput,
  feeBps: 10,
  expiresAt: new Date("2026-01-01T00:00:30.000Z")
})

/** The EVM wallet of the vectors. */
export const evmKey = {
  privateKey: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80" as Hex,
  address: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266" as Hex
}

/** The Solana wallet of the vectors: base58 of its 64 bytes, seed and public key. */
export const solanaKey = {
  secretKey: "99eUso3aSbE9tqGSTXzo3TLfKb9RkMTURrHKQ1K7Zh3StnzFNUx8FKCPPPPpR479qsw5zv2WNBKmgiz7WqgAJfM",
  address: "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB"
}

/** The contracts that the EVM vectors are for. */
export const evmDeployment: Deployment = {
  delegates: ["0x9a1fc8c0369d49f3040bf49c1490e7006657ea56"],
  vault: "0x5aa2e2b6b1c9d7e1c1f0a87f6d4b3c2d1e0f9a8b"
}

/** The accounts that the Solana vectors are for. */
export const solanaDeployment: Deployment = {
  vault: "7v54NWdBtkjuAFJrLGsS2SXnuk8nKam81mZJeeYxVFi9",
  relayer: "J2xccRtuG43drESLYznHhLhQkLTdfepcKYbiQ9BsJVaf"
}

/** An operation that fits what was agreed. */
export interface OperationVector extends Agreement {
  readonly name: string
  readonly deployment: Deployment
  readonly geoOp: GeoOp
  readonly geoOpHash: Hex
}

/** A transaction that fits what was agreed. */
export interface TransactionVector extends Agreement {
  readonly name: string
  readonly deployment: Deployment
  readonly orderId: Hex
  readonly terms: Hex
  readonly unsignedTransaction: string
}

/** Operations of an EVM origin. */
export const operations: ReadonlyArray<OperationVector> = [
  {
    name: "to a recipient on another EVM chain",
    request: {
      originChain: 8453,
      destinationChain: 42161,
      inputToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      outputToken: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
      amount: 10000000n,
      walletAddress: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
      recipient: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
      slippageBps: 50
    },
    quote: quoted(2500000000000000n, 2487500000000000n),
    deployment: evmDeployment,
    geoOp: {
      chainId: 8453,
      wallet: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
      delegate: "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56",
      token: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      amount: 10000000n,
      vault: "0x5aa2e2b6b1c9d7e1c1f0a87f6d4b3c2d1e0f9a8b",
      orderId: "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
      terms: "0xe8c39bbd99c7057fd8009e7618bb3b8c2743e254d44ab92c64735214a581784c",
      nonce: 0n,
      deadline: 1767225690
    },
    geoOpHash: "0x0fe89bb00793dc6945e4137ec6b71bcb5f17a769fd052a4c6cee31ee532c1f81"
  },
  {
    name: "to the wallet itself",
    request: {
      originChain: 8453,
      destinationChain: 42161,
      inputToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      outputToken: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
      amount: 115792089237316195423570985008687907853269984665640564039457584007913129639935n,
      walletAddress: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
    },
    quote: quoted(1n, 1n),
    deployment: evmDeployment,
    geoOp: {
      chainId: 8453,
      wallet: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
      delegate: "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56",
      token: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      amount: 115792089237316195423570985008687907853269984665640564039457584007913129639935n,
      vault: "0x5aa2e2b6b1c9d7e1c1f0a87f6d4b3c2d1e0f9a8b",
      orderId: "0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2",
      terms: "0x649fb9ede2a7ead718729c8fe46319174f0e9f85ad641939261d161cd0d86d1b",
      nonce: 115792089237316195423570985008687907853269984665640564039457584007913129639935n,
      deadline: 1767225690
    },
    geoOpHash: "0x76e0ffb4065be578ab072558382d588db86441f166a2617bd48c794d5e4ad100"
  },
  {
    name: "to Solana",
    request: {
      originChain: 8453,
      destinationChain: 792703809,
      inputToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      outputToken: "11111111111111111111111111111111",
      amount: 25000000n,
      walletAddress: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
      recipient: "AoVsGaj8MSJ6xwKxfFxo9iZWH3enC8RRTXKH2fx2F8os",
      slippageBps: 100
    },
    quote: quoted(150000000n, 148500000n),
    deployment: evmDeployment,
    geoOp: {
      chainId: 8453,
      wallet: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
      delegate: "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56",
      token: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      amount: 25000000n,
      vault: "0x5aa2e2b6b1c9d7e1c1f0a87f6d4b3c2d1e0f9a8b",
      orderId: "0xc3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3",
      terms: "0x11819af24943571363854b1a37743c8f2429ebc4e134e39869257436e863c6b8",
      nonce: 256n,
      deadline: 1767225690
    },
    geoOpHash: "0x3d8ccb5ee5ae3bf5eb4ec712a7e5a59f41781dde0b30ef35881033b200ac4fa7"
  }
]

/** Transactions of a Solana origin. */
export const transactions: ReadonlyArray<TransactionVector> = [
  {
    name: "to an EVM chain",
    request: {
      originChain: 792703809,
      destinationChain: 8453,
      inputToken: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
      outputToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      amount: 5000000n,
      walletAddress: "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB",
      recipient: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
      slippageBps: 50
    },
    quote: quoted(4990000n, 4965050n),
    deployment: solanaDeployment,
    orderId: "0xd4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4",
    terms: "0x6ea3fbafe50e44a17dc3f96501196b58c013d65351533e974006e5c0a09049b6",
    unsignedTransaction:
      "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAIBBAj9FyQ4WqDHW2T7eM1gL6HZkf3r92sTxY7XAurINen2GOpKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIsZzAuSRiU10kupr5PkU6k9F+hQuZFhnyRZKJ21d128HbECpgUOwVD43h07Vbmrh6IPGDCBx48xgi1LARoPpGTgQMGRm/lIRcy/+ytunLDm+e8jOW7xfcSayxDmzpAAAAAxvp6877brTo9ZfNqq8l0MbG75MLS9uDkfKYCA0UvXWEFSlNamSkhBk0k6HFg2jh8fDW13bySu4HkH6hAQQVEjQbd9uHXZaGT2cvhRs7reawctIXtX1s3kTqM9YV+/wCpzEkOkozS44c7s0P8ldozF5ymD02/RsLDbpEpnVXU5rkEBAAFAmDqAAAEAAkD6AMAAAAAAAAHBAIFAwEKDEBLTAAAAAAABgYAjQFnZW9zd2FwOjB4ZDRkNGQ0ZDRkNGQ0ZDRkNGQ0ZDRkNGQ0ZDRkNGQ0ZDRkNGQ0ZDRkNGQ0ZDRkNGQ0ZDRkNGQ0ZDRkNGQ0ZDRkNDoweDZlYTNmYmFmZTUwZTQ0YTE3ZGMzZjk2NTAxMTk2YjU4YzAxM2Q2NTM1MTUzM2U5NzQwMDZlNWMwYTA5MDQ5YjYA"
  },
  {
    name: "to the wallet itself",
    request: {
      originChain: 792703809,
      destinationChain: 792703809,
      inputToken: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
      outputToken: "11111111111111111111111111111111",
      amount: 18446744073709551615n,
      walletAddress: "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB"
    },
    quote: quoted(1000n, 990n),
    deployment: solanaDeployment,
    orderId: "0xe5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5",
    terms: "0x193ad51af51225e35d7d28bf09a5cf7594c0df70a4c6d934847ab0da8686e666",
    unsignedTransaction:
      "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAIBBAj9FyQ4WqDHW2T7eM1gL6HZkf3r92sTxY7XAurINen2GOpKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIsZzAuSRiU10kupr5PkU6k9F+hQuZFhnyRZKJ21d128HbECpgUOwVD43h07Vbmrh6IPGDCBx48xgi1LARoPpGTgQMGRm/lIRcy/+ytunLDm+e8jOW7xfcSayxDmzpAAAAAxvp6877brTo9ZfNqq8l0MbG75MLS9uDkfKYCA0UvXWEFSlNamSkhBk0k6HFg2jh8fDW13bySu4HkH6hAQQVEjQbd9uHXZaGT2cvhRs7reawctIXtX1s3kTqM9YV+/wCpzEkOkozS44c7s0P8ldozF5ymD02/RsLDbpEpnVXU5rkEBAAFAmDqAAAEAAkD6AMAAAAAAAAHBAIFAwEKDP//////////BgYAjQFnZW9zd2FwOjB4ZTVlNWU1ZTVlNWU1ZTVlNWU1ZTVlNWU1ZTVlNWU1ZTVlNWU1ZTVlNWU1ZTVlNWU1ZTVlNWU1ZTVlNWU1ZTVlNToweDE5M2FkNTFhZjUxMjI1ZTM1ZDdkMjhiZjA5YTVjZjc1OTRjMGRmNzBhNGM2ZDkzNDg0N2FiMGRhODY4NmU2NjYA"
  }
]
