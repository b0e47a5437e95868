import { describe, layer } from "@effect/vitest"
import { GeoVault } from "@geoswap/contracts"
import { Chain, Operation } from "@geoswap/core"
import { hashTerms } from "@geoswap/core/adapters"
import { EvmSigner } from "@geoswap/signer-evm"
import { SolanaSigner } from "@geoswap/signer-solana"
import {
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createKeyPairFromBytes,
  createNoopSigner,
  createTransactionMessage,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash
} from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Address, keccak256, parseEventLogs, toHex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { expect } from "vitest"
import { eventually } from "../../../tooling/testing/processes.js"
import { Devnet, layer as devnetLayer } from "../src/Devnet.js"
import { digestOf, present, reader } from "./evm.js"
import { clients, lifetime, relayer, swap, tokenAccountOf, usdc, vault } from "./svm.js"

const { signal } = new AbortController()
const quote = { output: 5n, minOutput: 4n, feeBps: 10, costs: { fee: { bps: 10 } }, expiresAt: new Date() }
const orderId = keccak256(toHex("order"))
const termsOf = (agreement: Pick<Operation.Agreement, "request" | "quote">) =>
  hashTerms(Operation.encodeTerms(agreement), keccak256)

describe("chains and signers", () => {
  layer(Layer.fresh(devnetLayer({ ports: "free" })), { timeout: 120_000 })((it) => {
    it.effect("agree on an EVM operation and its delegation, down to the delegate's code", () =>
      Effect.gen(function* () {
        const { evmA: chain, evmWallets } = yield* Devnet
        const wallet = evmWallets[3]
        if (wallet === undefined) return yield* Effect.die("There is no such wallet.")
        const client = reader(chain)
        const { account, vault } = chain.contracts as { account: Address; vault: Address }
        yield* Effect.promise(async () => {
          const code = await client.getCode({ address: account })
          const deployment = { delegates: [account], vault, codeHash: keccak256(code ?? "0x") }
          const signer = EvmSigner.fromAccount(privateKeyToAccount(wallet.privateKey), { rpc: { [chain.id]: client } })
          const request = {
            originChain: chain.id,
            destinationChain: Chain.solanaMainnet,
            inputToken: `${chain.tokens[0]?.address}`,
            outputToken: Chain.nativeToken.solana,
            amount: 1_000_000n,
            walletAddress: wallet.address,
            recipient: usdc
          }
          const op = {
            token: request.inputToken as Address,
            amount: request.amount,
            orderId,
            terms: termsOf({ request, quote }),
            nonce: 7n,
            deadline: BigInt(Math.floor(Date.now() / 1000) + 90)
          }
          const geoOp = {
            ...op,
            chainId: chain.id,
            wallet: wallet.address,
            delegate: account,
            vault,
            deadline: Number(op.deadline)
          }
          const operation = { request, quote, deployment, geoOp, geoOpHash: digestOf(chain, wallet.address, op) }
          await signer.verifyOperation?.(operation, { signal })
          const signature = await signer.signOperation(operation, { signal })
          const delegation = { chainId: chain.id, address: account, nonce: 0, deployment }
          const authorization = await signer.signAuthorization?.(delegation, { signal })
          if (authorization === undefined) throw new Error("The signer cannot sign a delegation.")
          const hash = await present(chain, wallet.address, op, signature, authorization, "collectTyped")
          const { logs, status } = await client.waitForTransactionReceipt({ hash })
          expect(status).toBe("success")
          const [collected] = parseEventLogs({ abi: GeoVault.abi, eventName: "Collected", logs })
          expect(collected?.args).toMatchObject({ orderId, amount: op.amount, terms: op.terms })

          const otherCode = { ...operation, deployment: { ...deployment, codeHash: keccak256("0x00") } }
          await expect(signer.verifyOperation?.(otherCode, { signal })).rejects.toMatchObject({ field: "codeHash" })
        })
      })
    )

    it.effect("agree on a Solana transaction that the relayer pays for", () =>
      Effect.gen(function* () {
        const { solana, solanaWallets } = yield* Devnet
        const wallet = solanaWallets[3]
        if (wallet === undefined) return yield* Effect.die("There is no such wallet.")
        yield* Effect.promise(async () => {
          const app = clients(solana.rpcUrl, solana.wsUrl)
          const payer = await relayer()
          const signer = await SolanaSigner.fromKeyPair(
            await createKeyPairFromBytes(getBase58Encoder().encode(wallet.privateKey))
          )
          const request = {
            originChain: solana.id,
            destinationChain: 31337,
            inputToken: usdc,
            outputToken: Chain.nativeToken.evm,
            amount: 2_000_000n,
            walletAddress: wallet.address,
            recipient: "0x00000000000000000000000000000000000000aa"
          }
          const memo = `geoswap:${orderId}:${termsOf({ request, quote })}`
          const instructions = await swap(createNoopSigner(address(wallet.address)), request.amount, memo)
          const blockhash = await lifetime(app)
          const unsigned = pipe(
            createTransactionMessage({ version: 0 }),
            (message) => setTransactionMessageFeePayer(payer.address, message),
            (message) => setTransactionMessageLifetimeUsingBlockhash(blockhash, message),
            (message) => appendTransactionMessageInstructions(instructions, message),
            (message) => getBase64EncodedWireTransaction(compileTransaction(message))
          )
          const deployment = { vault, relayer: payer.address }
          const signed = await signer.signTransaction(
            { request, quote, deployment, unsignedTransaction: unsigned },
            { signal }
          )
          const before = await app.rpc.getTokenAccountBalance(await tokenAccountOf(vault)).send()
          const whole = await partiallySignTransaction(
            [payer.keyPair],
            getTransactionDecoder().decode(getBase64Encoder().encode(signed))
          )
          await app.rpc.sendTransaction(getBase64EncodedWireTransaction(whole), { encoding: "base64" }).send()
          await eventually(async () => {
            const inventory = await tokenAccountOf(vault)
            const after = await app.rpc.getTokenAccountBalance(inventory, { commitment: "confirmed" }).send()
            return BigInt(after.value.amount) - BigInt(before.value.amount) === request.amount
          })
        })
      })
    )
  })
})
