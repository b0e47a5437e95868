import { describe, layer } from "@effect/vitest"
import { Chain, type ChainReader, Operation } from "@geoswap/core"
import { hashTerms } from "@geoswap/core/adapters"
import { EvmReader, evmReader } from "@geoswap/signer-evm"
import { SolanaReader, SolanaSigner } from "@geoswap/signer-solana"
import { getTransferSolInstruction } from "@solana-program/system"
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
  type Instruction,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash
} from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { type Address, type Hash, keccak256, toHex, zeroAddress } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { expect } from "vitest"
import { eventually } from "../../../tooling/testing/processes.js"
import { Devnet, layer as devnetLayer } from "../src/Devnet.js"
import { collect, digestOf, payOut as payOutEvm, present, reader, redelegate } from "./evm.js"
import { clients, payOut, relayer, signed, swap, usdc, vault, vaultSigner, version1 } from "./svm.js"

const { signal } = new AbortController()

describe("readers on real chains", () => {
  // No timed blocks or slots: the test makes them.
  layer(Layer.fresh(devnetLayer({ ports: "free", blockTime: 0, slotTime: 3_600_000 })), { timeout: 120_000 })((it) => {
    it.effect("report the outcome of an EVM operation at the finalized block", () =>
      Effect.gen(function* () {
        const { evmA: chain, evmWallets } = yield* Devnet
        const wallet = evmWallets[3]
        if (wallet === undefined) return yield* Effect.die("There is no such wallet.")
        const client = reader(chain)
        /** Polls, because there is no next block to wait for. */
        const succeeds = (hash: Hash) =>
          eventually(async () => {
            const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
            return receipt?.status === "success"
          })
        const evm = evmReader({ rpcUrls: { [chain.id]: chain.rpcUrl } })
        const account = privateKeyToAccount(wallet.privateKey)
        const { timestamp } = yield* Effect.promise(() => client.getBlock())
        const deadline = Number(timestamp) + 90
        const stateOf = (nonce: bigint) =>
          Effect.promise(() =>
            evm.operationState({
              chainId: chain.id,
              wallet: wallet.address,
              delegate: chain.contracts.account,
              nonce,
              deadline
            })
          )
        const [paid, unpaid] = [7n, 8n]
        expect(yield* stateOf(paid)).toBe("open")

        const op = {
          token: chain.tokens[0]?.address as Address,
          amount: 1_000_000n,
          orderId: keccak256(toHex("order")),
          terms: keccak256(toHex("terms")),
          nonce: paid,
          deadline: BigInt(deadline)
        }
        yield* Effect.promise(async () => {
          expect(await evm.accountNonce({ chainId: chain.id, address: account.address })).toBe(0)
          const signature = await account.signMessage({ message: { raw: digestOf(chain, account.address, op) } })
          const delegation = { address: chain.contracts.account as Address, chainId: chain.id, nonce: 0 }
          const authorization = await account.signAuthorization(delegation)
          const hash = await present(chain, account.address, op, signature, authorization)
          await succeeds(hash)
          expect(await evm.accountNonce({ chainId: chain.id, address: account.address })).toBe(1)
        })
        // It is in the newest block, but not in a finalized one.
        expect(yield* stateOf(paid)).toBe("open")
        yield* chain.mine(4)
        expect(yield* stateOf(paid)).toBe("used")

        yield* chain.setTime(deadline + 1)
        // The deadline has passed in the newest block, which can still be replaced.
        expect(yield* stateOf(unpaid)).toBe("open")
        yield* chain.mine(4)
        expect(yield* stateOf(unpaid)).toBe("expired")
        expect(yield* stateOf(paid)).toBe("used")

        // A wallet without its delegation still has its used nonces.
        yield* Effect.promise(async () => {
          const leaving = await account.signAuthorization({ address: zeroAddress, chainId: chain.id, nonce: 1 })
          await succeeds(await redelegate(chain, leaving))
          expect(await client.getCode({ address: account.address })).toBeUndefined()
        })
        yield* chain.mine(4)
        expect(yield* stateOf(paid)).toBe("used")

        const [token] = chain.tokens
        const facts = yield* Effect.promise(() => evm.token({ chainId: chain.id, address: `${token?.address}` }))
        expect(facts).toEqual({ decimals: token?.decimals, symbol: token?.symbol })
      })
    )

    it.effect("report what an EVM vault paid, once it is finalized", () =>
      Effect.gen(function* () {
        const { evmB: chain, evmWallets } = yield* Devnet
        const wallet = evmWallets[1]
        if (wallet === undefined) return yield* Effect.die("There is no such wallet.")
        const client = reader(chain)
        const evm = yield* EvmReader.make({ rpcUrls: { [chain.id]: chain.rpcUrl } })
        const wait = (hash: Hash) => client.waitForTransactionReceipt({ hash })
        const [delivered, refunded] = [keccak256(toHex("delivered")), keccak256(toHex("refunded"))]
        const [since, delivery, refund] = yield* Effect.promise(async () => {
          const { timestamp } = await client.getBlock()
          await wait(await collect(chain, wallet, 1_000n))
          const paid = [
            await wait(await payOutEvm(chain, "deliver", delivered, wallet.address, 700n)),
            await wait(await payOutEvm(chain, "refund", refunded, wallet.address, 900n))
          ] as const
          expect(paid.map(({ status }) => status)).toEqual(["success", "success"])
          return [Number(timestamp) * 1000, ...paid] as const
        })
        const read = (kind: "delivery" | "refund", orderId: Hash, txHash: Hash) =>
          evm.payout?.({
            kind,
            orderId,
            txHash,
            chainId: chain.id,
            vaults: [chain.contracts.vault],
            recipient: wallet.address,
            token: `${chain.tokens[0]?.address}`,
            since
          }) ?? Effect.die("This reader reads no payouts.")
        const { transactionHash: first } = delivery
        const { transactionHash: second } = refund
        expect(yield* read("refund", refunded, second)).toBe(0n)
        yield* chain.mine(4)
        expect(yield* read("delivery", delivered, first)).toBe(700n)
        expect(yield* read("refund", refunded, second)).toBe(900n)
        expect(yield* read("refund", delivered, first)).toBe(0n)
        expect(yield* read("delivery", delivered, second)).toBe(0n)
        // The vault refuses to pay the same order twice, so this transaction is reverted.
        const again = yield* Effect.promise(async () =>
          wait(await payOutEvm(chain, "deliver", delivered, wallet.address, 700n))
        )
        yield* chain.mine(4)
        expect(again.status).toBe("reverted")
        expect(yield* read("delivery", delivered, again.transactionHash)).toBe(0n)
      })
    )

    it.effect("report what a Solana vault paid, once it is finalized", () =>
      Effect.gen(function* () {
        const { solana, solanaWallets } = yield* Devnet
        const to = address(solanaWallets[1]?.address ?? "")
        const { rpc } = clients(solana.rpcUrl, solana.wsUrl)
        const payer = yield* Effect.promise(relayer)
        const source = yield* Effect.promise(vaultSigner)
        const svm = yield* SolanaReader.make({ rpcUrls: { [solana.id]: solana.rpcUrl } })
        const orderId = keccak256(toHex("order"))
        const send = (instructions: ReadonlyArray<Instruction>) =>
          Effect.promise(async () => {
            const { value } = await rpc.getLatestBlockhash({ commitment: "processed" }).send()
            const wire = getBase64EncodedWireTransaction(await signed(payer, value, instructions))
            return rpc.sendTransaction(wire, { encoding: "base64", skipPreflight: true }).send()
          })
        const memoOf = (outcome: string) => `geoswap:${orderId}:${outcome}`
        const [delivery, refund] = yield* Effect.promise(() =>
          Promise.all([payOut(to, 700n, memoOf("delivered")), payOut(to, 900n, memoOf("refunded"))])
        )
        const [, memo] = delivery
        if (memo === undefined) return yield* Effect.die("There is no memo.")
        const lamports = getTransferSolInstruction({ source, destination: to, amount: 1_000_000_000n })
        yield* solana.mine(1)
        const hashes = {
          delivery: yield* send(delivery),
          refund: yield* send(refund),
          native: yield* send([lamports, memo]),
          // The vault does not hold this much.
          failed: yield* send([...(yield* Effect.promise(() => payOut(to, 2n ** 63n, memoOf("delivered"))))])
        }
        const read = (name: keyof typeof hashes, change: Partial<ChainReader.PayoutQuery> = {}) =>
          svm.payout?.({
            kind: "delivery",
            orderId,
            txHash: hashes[name],
            chainId: solana.id,
            vaults: [vault],
            recipient: to,
            token: usdc,
            since: 0,
            ...change
          }) ?? Effect.die("This reader reads no payouts.")
        yield* solana.mine(2)
        expect(yield* read("delivery")).toBe(0n)
        yield* solana.mine(40)
        expect(yield* read("delivery")).toBe(700n)
        expect(yield* read("refund", { kind: "refund" })).toBe(900n)
        expect(yield* read("native", { token: Chain.nativeToken.solana })).toBe(1_000_000_000n)
        expect(yield* read("refund")).toBe(0n)
        expect(yield* read("failed")).toBe(0n)
        expect(yield* read("delivery", { recipient: payer.address })).toBe(0n)
        expect(yield* read("delivery", { since: 2 ** 50 })).toBe(0n)
      })
    )

    it.effect("read the balances of wallets on both families", () =>
      Effect.gen(function* () {
        const { evmA, evmWallets, solana, solanaWallets } = yield* Devnet
        const evm = yield* EvmReader.make({ rpcUrls: { [evmA.id]: evmA.rpcUrl } })
        const svm = yield* SolanaReader.make({ rpcUrls: { [solana.id]: solana.rpcUrl } })
        const read = (chain: typeof evmA | typeof solana, wallet: string | undefined, token: string | undefined) => {
          const query = { chainId: chain.id, token: token ?? "", wallet: wallet ?? "" }
          return (chain.id === evmA.id ? evm : svm).balance?.(query) ?? Effect.die("This reader reads no balances.")
        }
        // Each wallet starts with 10,000 USDC and no gas. Other tests use other wallets.
        expect(yield* read(evmA, evmWallets[2]?.address, evmA.tokens[0]?.address)).toBe(10_000_000_000n)
        expect(yield* read(evmA, evmWallets[2]?.address, Chain.nativeToken.evm)).toBe(0n)
        expect(yield* read(solana, solanaWallets[2]?.address, solana.tokens[0]?.address)).toBe(10_000_000_000n)
        expect(yield* read(solana, solanaWallets[2]?.address, Chain.nativeToken.solana)).toBe(0n)
        const failure = yield* Effect.flip(read(evmA, evmWallets[2]?.address, evmWallets[2]?.address))
        expect(failure.message).toContain("balanceOf() returned no amount")
      })
    )

    it.effect("report the outcome of a Solana transaction at finalized commitment", () =>
      Effect.gen(function* () {
        const { solana, solanaWallets } = yield* Devnet
        const wallet = solanaWallets[3]
        if (wallet === undefined) return yield* Effect.die("There is no such wallet.")
        const app = clients(solana.rpcUrl, solana.wsUrl)
        const payer = yield* Effect.promise(relayer)
        const reading = yield* SolanaReader.make({ rpcUrls: { [solana.id]: solana.rpcUrl } })
        const signer = yield* Effect.promise(async () =>
          SolanaSigner.fromKeyPair(await createKeyPairFromBytes(getBase58Encoder().encode(wallet.privateKey)))
        )
        const quote = { output: 5n, minOutput: 4n, feeBps: 10, costs: { fee: { bps: 10 } }, expiresAt: new Date() }
        const sign = async (order: string) => {
          const request = {
            originChain: solana.id,
            destinationChain: 31337,
            inputToken: usdc,
            outputToken: Chain.nativeToken.evm,
            amount: 2_000_000n,
            walletAddress: wallet.address,
            recipient: "0x00000000000000000000000000000000000000aa"
          }
          const memo = `geoswap:${keccak256(toHex(order))}:${hashTerms(Operation.encodeTerms({ request, quote }), keccak256)}`
          const instructions = await swap(createNoopSigner(address(wallet.address)), request.amount, memo)
          const { value: lifetime } = await app.rpc.getLatestBlockhash({ commitment: "processed" }).send()
          const unsignedTransaction = pipe(
            createTransactionMessage({ version: 0 }),
            (message) => setTransactionMessageFeePayer(payer.address, message),
            (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
            (message) => appendTransactionMessageInstructions(instructions, message),
            (message) => getBase64EncodedWireTransaction(compileTransaction(message))
          )
          const deployment = { vault, relayer: payer.address }
          return signer.signTransaction({ request, quote, deployment, unsignedTransaction }, { signal })
        }
        yield* solana.mine(1)
        const slot = yield* Effect.promise(() => app.rpc.getSlot({ commitment: "processed" }).send())
        const seconds = Number(yield* Effect.promise(() => app.rpc.getBlockTime(slot).send()))
        yield* TestClock.setTime(seconds * 1000)
        const signedAt = seconds * 1000
        const [sent, kept] = yield* Effect.promise(async () => [await sign("sent"), await sign("kept")] as const)
        const stateOf = (signedTransaction: string) =>
          reading.transactionState({ chainId: solana.id, signedTransaction, signedAt })
        expect([yield* stateOf(sent), yield* stateOf(kept)]).toEqual(["open", "open"])
        // Other people use version 1, and nodes refuse clients that do not support it.
        yield* Effect.promise(async () => {
          for (let index = 0n; index < 50n; index += 1n) {
            const other = await version1(app, payer, address(wallet.address), [1_000_000n + index])
            await app.rpc.sendTransaction(getBase64EncodedWireTransaction(other), { encoding: "base64" }).send()
          }
        })

        // The relayer signs after the wallet, so the caller does not know the transaction's signature.
        yield* Effect.promise(async () => {
          const decoded = getTransactionDecoder().decode(getBase64Encoder().encode(sent))
          const whole = getBase64EncodedWireTransaction(await partiallySignTransaction([payer.keyPair], decoded))
          await app.rpc.sendTransaction(whole, { encoding: "base64", skipPreflight: true }).send()
        })
        yield* solana.mine(2)
        expect(yield* stateOf(sent)).toBe("open")
        yield* solana.mine(40)
        expect(yield* stateOf(sent)).toBe("used")

        // The blockhash has expired, but a slow node could still report the transaction.
        yield* solana.expireBlockhashes
        yield* solana.mine(40)
        expect(yield* stateOf(kept)).toBe("open")
        yield* solana.setTime(seconds + 400)
        yield* solana.mine(40)
        yield* TestClock.setTime((seconds + 400) * 1000)
        expect([yield* stateOf(sent), yield* stateOf(kept)]).toEqual(["used", "expired"])

        const [token] = solana.tokens
        expect(yield* reading.token({ chainId: solana.id, address: `${token?.address}` })).toEqual({
          decimals: token?.decimals
        })
      })
    )
  })
})
