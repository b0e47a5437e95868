import { describe, expect, it } from "@effect/vitest"
import {
  parseSetComputeUnitLimitInstruction,
  parseSetComputeUnitPriceInstruction
} from "@solana-program/compute-budget"
import { parseAddMemoInstruction } from "@solana-program/memo"
import { findAssociatedTokenPda, parseTransferCheckedInstruction, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token"
import {
  address,
  assertIsInstructionWithAccounts,
  assertIsInstructionWithData,
  compileTransaction,
  createKeyPairFromBytes,
  createKeyPairFromPrivateKeyBytes,
  decompileTransactionMessage,
  getAddressFromPublicKey,
  getBase58Encoder,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageCodec,
  getTransactionCodec,
  type Instruction,
  partiallySignTransaction
} from "@solana/kit"
import { hexToBytes, recoverAddress, recoverMessageAddress } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { recoverAuthorizationAddress } from "viem/utils"
import { Operation, Quote } from "../src/index.js"
import { Vectors } from "../src/testing.js"
import { digestOf, termsOf } from "./reference/evmSigner.js"
import { hashGeoOp, hashTerms } from "./reference/operations.js"
import { build, hostile, memoProgram } from "./reference/transactions.js"

const { authorizations, evmKey, hostileOperations, hostileTransactions, operations, solanaKey, transactions } = Vectors

const account = privateKeyToAccount(evmKey.privateKey)

describe("operations", () => {
  it("belong to the wallet of the key", () => {
    expect(account.address.toLowerCase()).toBe(evmKey.address)
  })

  it.each([...operations, ...hostileOperations])(
    "$name: viem and the steps of the contract compute the hash",
    (vector) => {
      const { geoOp, geoOpHash, quote, request } = vector
      expect(hashTerms(request, Quote.minOutputOf(quote))).toBe(geoOp.terms)
      expect(termsOf({ request, quote })).toBe(geoOp.terms)
      expect(hashGeoOp(geoOp)).toBe(geoOpHash)
      expect(digestOf(geoOp, { request, quote })).toBe(geoOpHash)
    }
  )

  it.each(operations)("$name: matches the agreement at its deadline and long after", ({ geoOp, ...agreement }) => {
    expect(Operation.compare(geoOp, agreement, geoOp.deadline * 1000)).toBeUndefined()
    expect(Operation.compare(geoOp, agreement, geoOp.deadline * 2000)).toBeUndefined()
  })

  it.each(operations)("$name: the signatures are those of viem and recover", async (vector) => {
    const { geoOpHash, signature, typedSignature } = vector
    expect(await account.signMessage({ message: { raw: geoOpHash } })).toBe(signature)
    expect(await account.sign({ hash: geoOpHash })).toBe(typedSignature)
    expect(await recoverAddress({ hash: geoOpHash, signature: typedSignature })).toBe(account.address)
    expect(await recoverMessageAddress({ message: { raw: geoOpHash }, signature })).toBe(account.address)
  })

  it("have signatures with both parities, and with leading zeros in r and s, in both forms", () => {
    for (const form of ["signature", "typedSignature"] as const) {
      const signatures = operations.map(({ [form]: signature }) => signature)
      expect(new Set(signatures.map((signature) => signature.slice(-2)))).toEqual(new Set(["1b", "1c"]))
      expect(signatures.some((signature) => signature.startsWith("0x00"))).toBe(true)
      expect(signatures.some((signature) => signature.startsWith("00", 66))).toBe(true)
    }
  })
})

describe("authorizations", () => {
  it.each(authorizations)("at nonce $nonce: viem signs the same and recovers the wallet", async (authorization) => {
    const { address, chainId, nonce, r, s, yParity } = authorization
    expect(await account.signAuthorization({ address, chainId, nonce })).toMatchObject({ r, s, yParity })
    expect(await recoverAuthorizationAddress({ authorization })).toBe(account.address)
  })

  it("have both parities, the first nonce, and leading zeros in r and s", () => {
    expect(new Set(authorizations.map(({ yParity }) => yParity))).toEqual(new Set([0, 1]))
    expect(authorizations.map(({ nonce }) => nonce)).toContain(0)
    expect(authorizations.some(({ r }) => r.startsWith("0x00"))).toBe(true)
    expect(authorizations.some(({ s }) => s.startsWith("0x00"))).toBe(true)
  })
})

const partsOf = ({ deployment, orderId, request, terms }: Vectors.TransactionVector) => ({
  wallet: request.walletAddress,
  vault: deployment.vault,
  relayer: deployment.relayer ?? "",
  mint: request.inputToken,
  amount: request.amount,
  orderId,
  terms
})

const decode = (wire: string) => getTransactionCodec().decode(getBase64Encoder().encode(wire))

/** A transaction that kit has decoded and encoded again, from the message bytes to base64. */
const reencode = (wire: string): string => {
  const { messageBytes, signatures } = decode(wire)
  const codec = getCompiledTransactionMessageCodec()
  const again = codec.encode(codec.decode(messageBytes)) as typeof messageBytes
  return getBase64Decoder().decode(getTransactionCodec().encode({ messageBytes: again, signatures }))
}

const whole = (instruction: Instruction | undefined) => {
  const { accounts = [], data = new Uint8Array(), programAddress } = instruction ?? { programAddress: address("") }
  const filled = { accounts, data, programAddress }
  assertIsInstructionWithAccounts(filled)
  assertIsInstructionWithData(filled)
  return filled
}

describe("transactions", () => {
  it("belong to the wallet of the key, in both formats", async () => {
    const fromSecret = await createKeyPairFromBytes(getBase58Encoder().encode(solanaKey.secretKey))
    const fromSeed = await createKeyPairFromPrivateKeyBytes(hexToBytes(solanaKey.seed))
    expect(await getAddressFromPublicKey(fromSecret.publicKey)).toBe(solanaKey.address)
    expect(await getAddressFromPublicKey(fromSeed.publicKey)).toBe(solanaKey.address)
  })

  it.each(transactions)("$name: kit builds the same bytes from the agreement", async (vector) => {
    expect(hashTerms(vector.request, Quote.minOutputOf(vector.quote))).toBe(vector.terms)
    expect(await build(partsOf(vector))).toBe(vector.unsignedTransaction)
  })

  it.each(transactions)("$name: kit decodes the agreement, and encodes the same bytes again", async (vector) => {
    const { deployment, orderId, request, terms, unsignedTransaction } = vector
    expect(reencode(unsignedTransaction)).toBe(unsignedTransaction)

    const { messageBytes, signatures } = decode(unsignedTransaction)
    expect(signatures).toEqual({ [deployment.relayer ?? ""]: null, [solanaKey.address]: null })
    const compiled = getCompiledTransactionMessageCodec().decode(messageBytes)
    const message = decompileTransactionMessage(compiled, { lastValidBlockHeight: 1000n })
    expect(message.version).toBe(0)
    expect(message.feePayer.address).toBe(deployment.relayer)
    expect(getBase64EncodedWireTransaction(compileTransaction(message))).toBe(unsignedTransaction)

    const [limit, price, transfer, memo, ...rest] = message.instructions
    expect(rest).toEqual([])
    expect(parseSetComputeUnitLimitInstruction(whole(limit)).data.units).toBe(60_000)
    expect(parseSetComputeUnitPriceInstruction(whole(price)).data.microLamports).toBe(1000n)
    const accountOf = async (owner: string) => {
      const seeds = { owner: address(owner), mint: address(request.inputToken), tokenProgram: TOKEN_PROGRAM_ADDRESS }
      return (await findAssociatedTokenPda(seeds))[0]
    }
    const parsed = parseTransferCheckedInstruction(whole(transfer))
    expect(parsed.programAddress).toBe(TOKEN_PROGRAM_ADDRESS)
    expect(parsed.data).toMatchObject({ amount: request.amount, decimals: 6 })
    expect(parsed.accounts.source.address).toBe(await accountOf(request.walletAddress))
    expect(parsed.accounts.mint.address).toBe(request.inputToken)
    expect(parsed.accounts.destination.address).toBe(await accountOf(deployment.vault))
    expect(parsed.accounts.authority.address).toBe(request.walletAddress)
    expect(memo?.programAddress).toBe(memoProgram)
    expect(parseAddMemoInstruction(whole(memo)).data.memo).toBe(`geoswap:${orderId}:${terms}`)
  })

  it.each(transactions)(
    "$name: the signed transaction is that of kit",
    async ({ signedTransaction, unsignedTransaction }) => {
      const keyPair = await createKeyPairFromPrivateKeyBytes(hexToBytes(solanaKey.seed))
      const signed = await partiallySignTransaction([keyPair], decode(unsignedTransaction))
      expect(getBase64EncodedWireTransaction(signed)).toBe(signedTransaction)
      expect(reencode(signedTransaction)).toBe(signedTransaction)
    }
  )

  it("that are hostile are built by kit, and all differ", async () => {
    const built = await hostile(partsOf(transactions[0]))
    expect(Object.fromEntries(hostileTransactions.map((each) => [each.name, each.unsignedTransaction]))).toEqual(built)
    const wires = [...Object.values(built), transactions[0].unsignedTransaction]
    expect(new Set(wires).size).toBe(wires.length)
  })

  it.each(hostileTransactions)(
    "with $name: is well-formed, so that the verification is tested",
    ({ unsignedTransaction }) => {
      expect(reencode(unsignedTransaction)).toBe(unsignedTransaction)
    }
  )
})
