import { describe, it } from "@effect/vitest"
import { signAsync } from "@noble/secp256k1"
import * as Effect from "effect/Effect"
import { bytesToBigInt, type Hex, hexToBytes } from "viem"
import { Signer } from "../src/index.js"
import { type EvmSignerOptions, signerContract, type SolanaSignerOptions } from "../src/testing.js"
import { fromPrivateKey, type KeyService, KmsSigner } from "./reference/evmSigner.js"
import { isChosen } from "../../../tooling/testing/matrix.ts"
import { payingTools } from "./reference/brokenPayments.js"
import { evmTools, solanaTools } from "./reference/contractFailures.js"
import { payingSigner } from "./reference/paymentSigner.js"
import { fromSeed } from "./reference/solanaSigner.js"

/** A key service with random signatures, every other one with a high s. */
const keyService = (privateKey: Hex): KeyService => {
  const key = hexToBytes(privateKey)
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  let calls = 0
  return {
    sign: async (hash) => {
      const signature = await signAsync(hexToBytes(hash), key, { prehash: false, extraEntropy: true })
      const [r, s] = [signature.subarray(0, 32), signature.subarray(32)].map((part) => bytesToBigInt(part))
      if (r === undefined || s === undefined) throw new Error("The signature is too short.")
      calls += 1
      return { r, s: calls % 2 === 1 ? order - s : s }
    }
  }
}

/** Signers that are converted share the code of the original: by default, they pass every fifth case. */
const isTried = (index: number, converted: boolean) => !converted || isChosen(0, index, 5)

const evm = (options: Partial<EvmSignerOptions> & Pick<EvmSignerOptions, "make">, converted = false) => {
  const cases = signerContract({ ...evmTools, ...options }).filter((_, index) => isTried(index, converted))
  for (const { name, run } of cases) it.effect(name, () => Effect.promise(run))
}

const solana = (make: SolanaSignerOptions["make"]) => {
  for (const { name, run } of signerContract({ ...solanaTools, make })) it.effect(name, () => Effect.promise(run))
}

describe("a viem signer with effects passes the contract", () => {
  evm({ make: ({ privateKey }) => fromPrivateKey(privateKey) })
})

describe("a key-service signer with promises and random signatures passes the contract", () => {
  evm({ make: ({ address, privateKey }) => new KmsSigner(address, keyService(privateKey)) })
})

describe("the same signer converted with evmFromPromise passes the contract", () => {
  evm(
    { make: ({ address, privateKey }) => Signer.evmFromPromise(new KmsSigner(address, keyService(privateKey))) },
    true
  )
})

describe("a signer that cannot sign a delegation passes the contract", () => {
  evm({
    recoverAuthorization: undefined,
    make: ({ privateKey }) => {
      const { signAuthorization: _, ...signer } = fromPrivateKey(privateKey)
      return { ...signer, capabilities: { authorization: false } }
    }
  })
})

describe("a viem signer that signs typed data passes the contract", () => {
  evm({ ...payingTools, make: ({ privateKey }) => payingSigner(privateKey) })
})

describe("the same signer converted with evmToPromise passes the contract", () => {
  evm({ ...payingTools, make: ({ privateKey }) => Signer.evmToPromise(payingSigner(privateKey)) }, true)
})

describe("a kit signer with promises passes the contract", () => {
  solana(({ seed }) => fromSeed(hexToBytes(seed)))
})

describe("a kit signer with effects passes the contract", () => {
  solana(async ({ seed }) => Signer.solanaFromPromise(await fromSeed(hexToBytes(seed))))
})
