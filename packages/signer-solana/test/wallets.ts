/** Every kind of wallet that this package supports, for one key. */
import { Signer, type SwapError } from "@geoswap/core"
import {
  type Address,
  createKeyPairFromPrivateKeyBytes,
  createKeyPairSignerFromPrivateKeyBytes,
  getTransactionDecoder,
  type SignatureBytes,
  type TransactionModifyingSigner,
  type TransactionPartialSigner
} from "@solana/kit"
import {
  type SolanaSignTransactionFeature,
  type SolanaSignTransactionInput,
  type SolanaSignTransactionOutput
} from "@solana/wallet-standard-features"
import { PublicKey } from "@solana/web3.js"
import type { Wallet, WalletAccount } from "@wallet-standard/base"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SolanaSigner } from "../src/index.js"
import { signWire, type TestKey } from "./keys.js"

export const partialSigner = (key: TestKey): TransactionPartialSigner => ({
  address: key.address as Address,
  signTransactions: async (transactions) =>
    transactions.map(({ messageBytes }) => ({
      [key.address as Address]: key.sign(Uint8Array.from(messageBytes)) as SignatureBytes
    }))
})

export const modifyingSigner = (key: TestKey): TransactionModifyingSigner => ({
  address: key.address as Address,
  modifyAndSignTransactions: async (transactions) =>
    transactions.map((transaction) => ({
      ...transaction,
      // In a different order than in the message.
      signatures: {
        [key.address as Address]: key.sign(Uint8Array.from(transaction.messageBytes)) as SignatureBytes,
        ...Object.fromEntries(Object.entries(transaction.signatures).filter(([signer]) => signer !== key.address))
      }
    })) as never
})

export const accountOf = (address: string, features: WalletAccount["features"] = ["solana:signTransaction"]) => ({
  address,
  publicKey: new PublicKey(address).toBytes(),
  chains: ["solana:mainnet", "solana:devnet"] as const,
  features
})

export type StandardWallet = Wallet & {
  readonly features: SolanaSignTransactionFeature
  accounts: ReadonlyArray<WalletAccount>
  /** Every call so far. */
  readonly inputs: ReadonlyArray<SolanaSignTransactionInput>
}

/** A Wallet Standard wallet that really signs, unless `sign` does something else. */
export const standardWallet = (
  key: TestKey,
  sign: (bytes: Uint8Array) => unknown = (bytes) => signWire(key, bytes)
): StandardWallet => {
  const inputs: Array<SolanaSignTransactionInput> = []
  return {
    version: "1.0.0",
    name: "Test Wallet",
    icon: "data:image/png;base64,AA==",
    chains: ["solana:mainnet", "solana:devnet"],
    features: {
      "solana:signTransaction": {
        version: "1.0.0",
        supportedTransactionVersions: ["legacy", 0],
        signTransaction: async (...requested) => {
          inputs.push(...requested)
          return requested.map(
            ({ transaction }) => ({ signedTransaction: sign(transaction) }) as SolanaSignTransactionOutput
          )
        }
      }
    },
    accounts: [accountOf(key.address)],
    inputs
  }
}

/** A key service as a class with a private key field. */
class Hsm {
  readonly address: string
  readonly #key: TestKey
  constructor(key: TestKey) {
    this.address = key.address
    this.#key = key
  }
  async signMessage(message: Uint8Array): Promise<Uint8Array> {
    return this.#key.sign(message)
  }
}

/** A remote signer as a class. */
class RemoteSigner {
  readonly address: string
  readonly #key: TestKey
  readonly #form: (bytes: Uint8Array) => Uint8Array | string
  constructor(key: TestKey, form: (bytes: Uint8Array) => Uint8Array | string) {
    this.address = key.address
    this.#key = key
    this.#form = form
  }
  signTransaction(transaction: string) {
    return Promise.resolve(this.#form(signWire(this.#key, Buffer.from(transaction, "base64"))))
  }
}

/** The formats in which services return a signature. */
const signatureForms: Readonly<Record<string, (signature: Uint8Array) => Uint8Array | string>> = {
  bytes: (signature) => signature,
  "a Buffer": (signature) => Buffer.from(signature),
  "hex with 0x": (signature) => `0x${Buffer.from(signature).toString("hex")}`,
  hex: (signature) => Buffer.from(signature).toString("hex"),
  base58: (signature) => base58(signature),
  base64: (signature) => Buffer.from(signature).toString("base64")
}

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** Base58 by long division, independent of the code under test. */
export const base58 = (bytes: Uint8Array): string => {
  let value = BigInt(`0x00${Buffer.from(bytes).toString("hex")}`)
  let text = ""
  for (; value > 0n; value /= 58n) text = `${alphabet[Number(value % 58n)]}${text}`
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return "1".repeat(zeros === -1 ? bytes.length : zeros) + text
}

type Layered = Layer.Layer<Signer.Signers, SwapError.InvalidInput>

/** One way to make a signer, as a promise signer and as a layer. */
export interface Kind {
  readonly name: string
  readonly make: (key: TestKey, options?: SolanaSigner.Options) => Promise<Signer.PromiseSolanaSigner>
  readonly layer: (key: TestKey, options?: SolanaSigner.Options) => Promise<Layered>
}

const kind = <W>(
  name: string,
  wallet: (key: TestKey) => W | Promise<W>,
  make: (wallet: W, options?: SolanaSigner.Options) => Signer.PromiseSolanaSigner | Promise<Signer.PromiseSolanaSigner>,
  layer: (wallet: W, options?: SolanaSigner.Options) => Layered
): Kind => ({
  name,
  make: async (key, options) => make(await wallet(key), options),
  layer: async (key, options) => layer(await wallet(key), options)
})

const { fromKeyPair, fromKitSigner, fromKeyService, fromWalletStandard } = SolanaSigner
const { layerKeyPair, layerKitSigner, layerKeyService, layerWalletStandard } = SolanaSigner

export const kinds: ReadonlyArray<Kind> = [
  kind("a key pair", ({ seed }) => createKeyPairFromPrivateKeyBytes(seed), fromKeyPair, layerKeyPair),
  kind(
    "a kit key pair signer",
    ({ seed }) => createKeyPairSignerFromPrivateKeyBytes(seed),
    fromKitSigner,
    layerKitSigner
  ),
  kind("a partial kit signer", partialSigner, fromKitSigner, layerKitSigner),
  kind("a modifying kit signer", modifyingSigner, fromKitSigner, layerKitSigner),
  kind("a Wallet Standard wallet", standardWallet, fromWalletStandard, layerWalletStandard),
  ...Object.entries(signatureForms).map(([form, write]) =>
    kind(
      `a key service that signs bytes and returns ${form}`,
      ({ address, sign }) => ({ address, signMessage: async (message: Uint8Array) => write(sign(message)) }),
      fromKeyService,
      layerKeyService
    )
  ),
  kind("a key service that is a class", (key) => new Hsm(key), fromKeyService, layerKeyService),
  kind(
    "a remote signer that returns base64",
    (key) => new RemoteSigner(key, (bytes) => Buffer.from(bytes).toString("base64")),
    fromKeyService,
    layerKeyService
  ),
  kind(
    "a remote signer that returns bytes",
    (key) => new RemoteSigner(key, (bytes) => bytes),
    fromKeyService,
    layerKeyService
  )
]

/** The signer of a layer. */
export const signerOf = (layer: Layered): Promise<Signer.Solana> =>
  Effect.runPromise(
    Effect.flatMap(Effect.scoped(Layer.build(layer)), (context) =>
      Effect.fromNullishOr(Context.get(context, Signer.Signers).solana)
    )
  )

/** Whether kit decodes these bytes as a transaction. */
export const isTransaction = (bytes: Uint8Array): boolean => {
  try {
    getTransactionDecoder().decode(bytes)
    return true
  } catch {
    return false
  }
}
