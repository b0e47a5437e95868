import { describe, layer } from "@effect/vitest"
import { type Devnet, Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { zeroAddress } from "viem"
import { expect } from "vitest"
import { clientOf } from "../stack/client.js"
import * as database from "../stack/database.js"
import * as evm from "../stack/evm.js"
import { away, back, eachChain, make, play, type Setup, start, type Started, timeout, until } from "../stack/fixture.js"
import { entriesOf, open } from "../stack/ledger.js"
import { expectEnd, expectNothingLeft, proofsOf } from "../stack/outcome.js"
import * as solana from "../stack/solana.js"
import { ownDevnetLayer, type File } from "../stack/stack.js"

const usdc = 1_000_000n
const sol = "11111111111111111111111111111111"

type Wallet = Awaited<ReturnType<typeof solana.newWallet>>

/** Wallets with 10 USDC each, an empty one, and balances. */
const cast =
  (count: number, change: (file: File) => File = (file) => file) =>
  async (devnet: Devnet.Devnet) => {
    const { evmA, solana: svm } = devnet
    const wallets: Array<Wallet> = []
    for (let made = 0; made < count; made += 1) wallets.push(await solana.newWallet(devnet, { USDC: 10n * usdc }))
    const { address: recipient } = await solana.newWallet(devnet, {})
    const payers = Object.fromEntries(wallets.map(({ address }, index) => [`payer${index}`, address]))
    const ledger = await open([
      ...entriesOf(svm, { ...payers, recipient, vault: svm.contracts.vault }, sol),
      ...entriesOf(evmA, { vault: evmA.contracts.vault }, zeroAddress)
    ])
    return { change, props: { wallets, recipient, ledger } }
  }

type Cast = Awaited<ReturnType<ReturnType<typeof cast>>>["props"]

const walletAt = ({ wallets }: Cast, index: number): Wallet => {
  const wallet = wallets[index]
  if (wallet === undefined) throw new Error(`There is no wallet ${index}.`)
  return wallet
}

/** Starts a swap of 10 USDC into WETH, on the same chain by default. */
const startOf = async (
  { devnet, running }: Setup,
  { recipient }: Cast,
  { address, keyPair }: Wallet,
  over: { readonly destinationChain?: number; readonly outputToken?: string; readonly recipient?: string } = {}
) =>
  start(await clientOf(devnet, running, { solana: keyPair }), {
    originChain: devnet.solana.id,
    destinationChain: devnet.solana.id,
    inputToken: evm.tokenOf(devnet.solana, "USDC"),
    outputToken: evm.tokenOf(devnet.solana, "WETH"),
    amount: 10n * usdc,
    walletAddress: address,
    recipient,
    ...over
  })

const reaches = ({ running }: Setup, { swapId }: Started, state: string) =>
  until(() => database.stateOf(running.database, swapId) === state)

/** All pending transactions are dropped and too old to be sent again. */
const forget = ({ devnet, running }: Setup, { swapId }: Started, kind: "collect" | "deliver") => {
  const { drop, expireBlockhashes } = devnet.solana
  const [attempt] = database.attemptsOf(running.database, swapId, kind)
  return make(Effect.tap(drop(attempt?.hash ?? ""), () => expireBlockhashes))
}

/** Simulations fail while this is set. */
const busy = Proxy.rpcError(-32005, "Node is busy")

describe("swaps on Solana", () => {
  layer(ownDevnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "settle once although transactions are dropped and the node fails",
      () =>
        play(
          cast(
            1,
            eachChain((chain) => ({ ...chain, timeoutMillis: 2_000 }))
          ),
          async (setup, props) => {
            const { devnet, nodes, running } = setup
            const { solana: svm } = devnet
            // Every response to a transaction is lost.
            await make(nodes.solana.set("sendTransaction", Proxy.loseAnswer))
            await make(svm.hold)
            const started = await startOf(setup, props, walletAt(props, 0))
            const orderId = database.orderOf(running.database, started.swapId)
            await reaches(setup, started, "origin_sent")
            await away(nodes.solana)
            await back(nodes.solana)
            // In a block of an abandoned fork.
            await make(svm.mine())
            const collect = database.attemptsOf(running.database, started.swapId, "collect")[0]?.hash
            await until(() => database.hashesOf(running.database, started.swapId).originTxHash === collect)
            await make(svm.reorg(1))
            // No delivery can be signed until the chain is held again.
            await make(nodes.solana.set("getLatestBlockhash", busy))
            await make(svm.release)
            await reaches(setup, started, "origin_final")
            await make(svm.hold)
            await make(nodes.solana.clear("getLatestBlockhash"))
            await reaches(setup, started, "delivery_sent")
            await away(nodes.solana)
            expect(await forget(setup, started, "deliver")).toBe(true)
            await back(nodes.solana)
            await make(svm.release)

            const { delivered } = await expectEnd(setup, started, "settled")
            const deliveries = database.attemptsOf(running.database, started.swapId, "deliver")
            expect(deliveries.length).toBeGreaterThanOrEqual(2)
            expect(delivered).not.toContain(deliveries[0]?.hash)
            // Each of them offers more than the one before.
            const prices = deliveries.map(({ raw }) => solana.priceIn(raw))
            expect(prices[0]).toBe(1_000n)
            for (const [index, price] of prices.slice(1).entries()) {
              expect(price).toBeGreaterThan(prices[index] ?? 0n)
            }
            expect((await proofsOf(devnet, orderId)).collected).toEqual([collect])
            expect(await props.ledger()).toEqual({
              [`payer0 USDC@${svm.id}`]: -10n * usdc,
              [`vault USDC@${svm.id}`]: 10n * usdc,
              [`vault WETH@${svm.id}`]: -started.output,
              [`recipient WETH@${svm.id}`]: started.output
            })
            await expectNothingLeft(setup)
          }
        ),
      timeout
    )
  })
})
