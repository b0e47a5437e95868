/** Operations for tests: signed but not submitted, modified, or followed on the chains to their end. */
import type { Devnet } from "@geoswap/devnet"
import {
  createSolanaRpc,
  getBase64Decoder,
  getBase64Encoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type ReadonlyUint8Array,
  type Signature,
  signBytes,
  type SignatureBytes,
  type TransactionMessageBytes
} from "@solana/kit"
import { type Hash, type Hex, type PrivateKeyAccount, zeroAddress } from "viem"
import { expect } from "vitest"
import * as evm from "../stack/evm.js"
import { entriesOf, open } from "../stack/ledger.js"
import * as solana from "../stack/solana.js"
import * as protocol from "./client.js"
import { deploymentOf, newAddress, sol, type Fixture } from "./fixture.js"

type AnyChain = Devnet.EvmChain | Devnet.SolanaChain

export interface SolanaWallet {
  readonly address: string
  readonly keyPair: CryptoKeyPair
}

/** An operation that is built and signed, but not submitted. */
export const signed = async (
  { devnet, first }: Fixture,
  account: PrivateKeyAccount,
  request: protocol.QuoteRequest
) => {
  const deployment = deploymentOf(devnet, request.originChain)
  const authorization = await protocol.authorize(first, account, request.originChain, deployment)
  const quoted = await protocol.quote(first, request)
  const build = async () => {
    const built = await protocol.buildOperation(first, request, quoted, deployment, authorization)
    const sign = () => account.signMessage({ message: { raw: built.geoOpHash } })
    const { geoOpToken } = built
    return { ...built, sign, submission: { geoOpToken, signature: await sign() } }
  }
  return { quoted, authorization, build, ...(await build()) }
}

/** A transaction that is built and signed, but not submitted. */
export const signedTransaction = async (
  { devnet, first }: Fixture,
  wallet: SolanaWallet,
  request: protocol.QuoteRequest
) => {
  const quoted = await protocol.quote(first, request)
  const build = () =>
    protocol.buildTransaction(first, wallet.keyPair, request, quoted, deploymentOf(devnet, request.originChain))
  return { quoted, build, submission: await build() }
}

export const submit = ({ first }: Fixture, submission: object) =>
  protocol.call<protocol.Swap>(first, "/swap/submit", submission)

export const submitSolana = ({ first }: Fixture, submission: object) =>
  protocol.call<protocol.Swap>(first, "/swap/submit-solana", submission)

const secp256k1Order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The same signature with high s: it recovers to the same signer, and chains reject it. */
export const highS = <S extends { readonly s: Hex }>(
  signature: S,
  yParity: number
): S & { readonly yParity: number } => ({
  ...signature,
  s: `0x${(secp256k1Order - BigInt(signature.s)).toString(16).padStart(64, "0")}`,
  yParity: 1 - yParity
})

/** A signed Solana transaction with another message or other signatures. */
export const resigned = async (
  signedTransaction: string,
  wallet: string,
  change: {
    readonly message?: (bytes: Uint8Array) => Uint8Array
    readonly signature?: (message: Uint8Array) => Promise<SignatureBytes | null>
  }
): Promise<string> => {
  const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(signedTransaction))
  const message = change.message?.(Uint8Array.from(messageBytes)) ?? Uint8Array.from(messageBytes)
  const signature = change.signature === undefined ? signatures[wallet as never] : await change.signature(message)
  const bytes = getTransactionEncoder().encode({
    messageBytes: message as ReadonlyUint8Array as TransactionMessageBytes,
    signatures: { ...signatures, [wallet]: signature ?? null }
  })
  return getBase64Decoder().decode(bytes)
}

/** Signs bytes with a Solana key. */
export const signedBy =
  ({ keyPair }: SolanaWallet) =>
  (message: Uint8Array): Promise<SignatureBytes> =>
    signBytes(keyPair.privateKey, message)

/** How often the vault collected from a wallet. */
export const collectedFrom = async (chain: Devnet.EvmChain, wallet: string): Promise<number> =>
  (await evm.vaultEvents(chain)).filter(
    (event) => event.eventName === "Collected" && event.args.account.toLowerCase() === wallet.toLowerCase()
  ).length

const nativeOf = (chain: AnyChain) => (chain.family === "evm" ? zeroAddress : sol)

/** Every balance of the service and of both ends of a swap. */
const ledgerOf = async (devnet: Devnet.Devnet, ends: ReadonlyArray<readonly [AnyChain, string, string]>) => {
  const relayers = {
    evm: evm.operator(devnet, "relayer").address,
    solana: (await solana.operator(devnet, "relayer")).address
  }
  return open(
    ends.flatMap(([chain, name, owner]) =>
      entriesOf(
        chain,
        { [name]: owner, vault: chain.contracts.vault, relayer: relayers[chain.family] },
        nativeOf(chain)
      )
    )
  )
}

/** Verifies on chain that a transaction exists and succeeded. */
const succeeded = async (chain: AnyChain, hash: string): Promise<boolean> => {
  if (chain.family === "evm") {
    return (await evm.reader(chain).getTransactionReceipt({ hash: hash as Hash })).status === "success"
  }
  const { value } = await createSolanaRpc(chain.rpcUrl)
    .getSignatureStatuses([hash as Signature])
    .send()
  return value[0]?.confirmationStatus === "finalized" && value[0].err === null
}

/** A chain and one of its tokens, by symbol or `native`. */
export type Side = readonly [AnyChain, string]

/**
 * A whole swap to a new recipient, checked to the smallest unit: the payer pays only the amount, the vaults receive and
 * pay, the recipient gets the output, and the relayers pay gas and no tokens.
 */
export const settle = async (
  fixture: Fixture,
  wallet: PrivateKeyAccount | SolanaWallet,
  [origin, input]: Side,
  amount: bigint,
  [destination, output]: Side
) => {
  const { devnet, first } = fixture
  const tokenOf = (chain: AnyChain, symbol: string) =>
    symbol === "native" ? nativeOf(chain) : evm.tokenOf(chain, symbol)
  const recipient = await newAddress(destination.family)
  const request: protocol.QuoteRequest = {
    originChain: origin.id,
    destinationChain: destination.id,
    inputToken: tokenOf(origin, input),
    outputToken: tokenOf(destination, output),
    amount: `${amount}`,
    walletAddress: wallet.address,
    recipient
  }
  const ledger = await ledgerOf(devnet, [
    [origin, "payer", wallet.address],
    [destination, "recipient", recipient]
  ])
  const deployment = deploymentOf(devnet, origin.id)
  const done =
    "keyPair" in wallet
      ? { ...(await protocol.swapFromSolana(first, wallet.keyPair, request, deployment)), authorization: undefined }
      : await protocol.swapFromEvm(first, wallet, request, deployment)
  const { promised, report } = protocol.splitReport(done.swap)
  const { deliveryTxHash = "", originTxHash = "", ...rest } = promised
  expect(rest).toEqual({ swapId: expect.any(String) as string, status: "settled" })
  expect(await succeeded(origin, originTxHash)).toBe(true)
  expect(await succeeded(destination, deliveryTxHash)).toBe(true)

  const deltas = await ledger()
  const gas = new Set([`relayer native@${origin.id}`, `relayer native@${destination.id}`])
  for (const name of gas) expect(deltas[name]).toBeLessThan(0n)
  expect(Object.fromEntries(Object.entries(deltas).filter(([name]) => !gas.has(name)))).toEqual({
    [`payer ${input}@${origin.id}`]: -amount,
    [`vault ${input}@${origin.id}`]: amount,
    [`vault ${output}@${destination.id}`]: -BigInt(done.quoted.output),
    [`recipient ${output}@${destination.id}`]: BigInt(done.quoted.output)
  })
  const addressed = (address: string) => expect.stringMatching(new RegExp(`^${address}$`, "i")) as string
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
  const received = { chainId: destination.id, token: addressed(request.outputToken) }
  expect(report).toEqual({
    input: { chainId: origin.id, token: addressed(request.inputToken), amount: request.amount },
    quotedOutput: { ...received, amount: done.quoted.output },
    output: { ...received, amount: `${deltas[`recipient ${output}@${destination.id}`]}` },
    feeBps: expect.any(Number) as number,
    networkCost: done.quoted.networkCost,
    recipient: addressed(recipient),
    acceptedAt: time,
    collectedAt: time,
    finishedAt: time
  })
  const gasOf =
    origin.family === "evm"
      ? evm.balanceOf(origin, zeroAddress, wallet.address)
      : solana.balanceOf(origin, sol, wallet.address)
  expect(await gasOf).toBe(0n)
  return done
}
