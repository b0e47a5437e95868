/** Wallets that really sign, with ox, in every signature format, and record their requests. */
import type { Hex } from "@geoswap/core"
import { Vectors } from "@geoswap/core/testing"
import * as Bytes from "ox/Bytes"
import * as Hexadecimal from "ox/Hex"
import * as PersonalMessage from "ox/PersonalMessage"
import * as Secp256k1 from "ox/Secp256k1"
import * as Signature from "ox/Signature"
import * as TypedData from "ox/TypedData"
import { tupleHash } from "../../../tooling/testing/evm/chainLibrary.js"
import type { EvmSigner } from "../src/index.js"

export const { address, privateKey } = Vectors.evmKey

/** Another wallet: the second account of the test mnemonic. */
export const stranger = {
  address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  privateKey: "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"
} as const

export const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

export const sign = (payload: Hex.Hex, key: Hex.Hex = privateKey): Signature.Signature =>
  Secp256k1.sign({ payload, privateKey: key })

/** The equivalent signature with the other s, which chains refuse if it is high. */
export const twin = ({ r, s, yParity }: Signature.Signature): Signature.Signature => ({
  r,
  s: order - s,
  yParity: 1 - yParity
})

const word = (value: bigint) => Hexadecimal.fromNumber(value, { size: 32 })
const whole = ({ r, s, yParity }: Signature.Signature, v = 27): Hex.Hex =>
  `${word(r)}${word(s).slice(2)}${(v + yParity).toString(16).padStart(2, "0")}` as Hex.Hex
const pair = ({ r, s }: Signature.Signature): Hex.Hex => `${word(r)}${word(s).slice(2)}` as Hex.Hex
const compact = ({ r, s, yParity }: Signature.Signature): Hex.Hex =>
  `${word(r)}${word(s + (yParity === 1 ? 1n << 255n : 0n)).slice(2)}` as Hex.Hex

/** Every signature format, with a high s in the formats that allow it. */
export const forms: Readonly<Record<string, (signature: Signature.Signature) => EvmSigner.SignatureForm>> = {
  "65 bytes in hex with v 27 or 28": (signature) => whole(signature),
  "65 bytes in hex with v 0 or 1": (signature) => whole(signature, 0),
  "65 bytes in capitals without 0x": (signature) => whole(signature).slice(2).toUpperCase(),
  "65 bytes": (signature) => Bytes.fromHex(whole(signature)),
  "65 bytes with a high s": (signature) => whole(twin(signature)),
  "65 bytes with v of the other key": (signature) => whole({ ...signature, yParity: 1 - signature.yParity }),
  "r and s in hex": (signature) => pair(signature),
  "r and s with a high s": (signature) => pair(twin(signature)),
  "r and s in bytes": (signature) => Bytes.fromHex(pair(signature)),
  "EIP-2098 in hex": (signature) => compact(signature),
  "EIP-2098 in bytes": (signature) => Bytes.fromHex(compact(signature)),
  "DER in hex": (signature) => Signature.toDerHex(signature),
  "DER in bytes with a high s": (signature) => Signature.toDerBytes(twin(signature)),
  "an object of numbers": ({ r, s }) => ({ r, s }),
  "an object of numbers with a high s and yParity": (signature) => twin(signature),
  "an object of hex with v": ({ r, s, yParity }) => ({ r: word(r), s: word(s), v: BigInt(27 + yParity) }),
  "an object of hex as short as can be": ({ r, s, yParity }) => ({
    r: `0x${r.toString(16)}`,
    s: `0x${s.toString(16)}`,
    v: `0x${(27 + yParity).toString(16)}`
  }),
  "an object of bytes": ({ r, s, yParity }) => ({ r: Bytes.fromHex(word(r)), s: Bytes.fromHex(word(s)), yParity })
}

/** A key service that signs digests and returns signatures in this format. */
export const digestService = (form = forms["DER in hex"], key: Hex.Hex = privateKey) => {
  const requested: Array<Hex.Hex> = []
  return {
    address,
    requested,
    signDigest: async (digest: Hex.Hex) => {
      requested.push(digest)
      return form?.(sign(digest, key)) ?? ""
    }
  }
}

/** A remote signer class with a private field. It signs messages and delegations, but not digests. */
export class RemoteSigner implements EvmSigner.MessageService {
  readonly address = address
  readonly #key = privateKey
  async signMessage(raw: Hex.Hex): Promise<Hex.Hex> {
    return whole(sign(PersonalMessage.getSignPayload(raw), this.#key))
  }
  async signAuthorization(tuple: { chainId: number; address: Hex.Hex; nonce: number }) {
    const { r, s, yParity } = sign(tupleHash(tuple), this.#key)
    return { ...tuple, chainId: Hexadecimal.fromNumber(tuple.chainId), r: word(r), s: word(s), yParity: `0x${yParity}` }
  }
}

const refused = (code: number, message: string) => Object.assign(new Error(message), { code })

/**
 * A browser wallet: an EIP-1193 provider that signs messages and typed data for its account and refuses everything
 * else. Like MetaMask, it refuses typed data for another chain than its active one, or with its own account as the
 * contract.
 */
export class BrowserWallet {
  readonly requested: Array<{ readonly method: string; readonly params?: unknown }> = []
  readonly #key = privateKey
  chainId: number
  constructor(chainId = 8453) {
    this.chainId = chainId
  }
  async request(args: { readonly method: string; readonly params?: unknown }): Promise<unknown> {
    this.requested.push(args)
    const [first, second] = Array.isArray(args.params) ? (args.params as ReadonlyArray<unknown>) : []
    switch (args.method) {
      case "personal_sign":
        this.checkAccount(second)
        return whole(sign(PersonalMessage.getSignPayload(first as Hex.Hex), this.#key))
      case "eth_signTypedData_v4":
        this.checkAccount(first)
        return this.signTypedData(String(second))
      case "eth_chainId":
        return `0x${this.chainId.toString(16)}`
      case "wallet_switchEthereumChain":
        this.chainId = Number((first as { readonly chainId: string }).chainId)
        return null
      default:
        throw refused(4200, "Unsupported method.")
    }
  }
  private checkAccount(from: unknown): void {
    if (String(from).toLowerCase() !== address) throw refused(4100, "Unknown account.")
  }
  private signTypedData(text: string): Hex.Hex {
    const data = JSON.parse(text) as { readonly domain: Readonly<Record<string, unknown>> }
    const { chainId, verifyingContract } = data.domain
    if (Number(chainId) !== this.chainId) {
      throw refused(-32603, `Provided chainId "${String(chainId)}" must match the active chainId "${this.chainId}"`)
    }
    if (String(verifyingContract).toLowerCase() === address) {
      throw refused(-32602, "External signature requests cannot use internal accounts as the verifying contract.")
    }
    return whole(sign(TypedData.getSignPayload(data as never), this.#key))
  }
}
