import { describe, layer } from "@effect/vitest"
import { type Devnet, Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { zeroAddress } from "viem"
import { expect } from "vitest"
import { isWhole } from "../../../../tooling/testing/matrix.js"
import { clientOf } from "../stack/client.js"
import * as database from "../stack/database.js"
import * as evm from "../stack/evm.js"
import {
  away,
  back,
  eachChain,
  looked,
  make,
  outlasted,
  play,
  type Setup,
  start,
  type Started,
  timeout,
  until,
  withToken
} from "../stack/fixture.js"
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

export const solanaFaults = (): void => {
  describe("swaps on Solana", () => {
    layer(ownDevnetLayer, { timeout, excludeTestServices: true })((it) => {
      if (isWhole) {
        it.effect(
          "fail before anything is sent if the wallet is empty or the blockhash too old, without a transfer",
          () =>
            play(cast(2), async (setup, props) => {
              const { devnet, nodes, running } = setup
              const [spender, sleeper] = [walletAt(props, 0), walletAt(props, 1)]
              const sink = (await solana.newWallet(devnet, {})).address
              // The service simulates the delivery at submit, which is on another chain here.
              const { evmA } = devnet
              const toEvm = {
                destinationChain: evmA.id,
                outputToken: evm.tokenOf(evmA, "WETH"),
                recipient: evm.newAddress()
              }
              await make(nodes.solana.set("simulateTransaction", busy))
              const spent = await startOf(setup, props, spender, toEvm)
              await solana.asVault(devnet, (_, payer) =>
                solana.transferOf(devnet, payer, spender.keyPair, "USDC", sink, 1n)
              )
              await make(nodes.solana.clear())
              await expectEnd(setup, spent, "failed", "INSUFFICIENT_BALANCE")

              await make(nodes.solana.set("simulateTransaction", busy))
              const late = await startOf(setup, props, sleeper, toEvm)
              await make(devnet.solana.expireBlockhashes)
              await make(nodes.solana.clear())
              await expectEnd(setup, late, "failed", "OPERATION_EXPIRED")
              for (const { swapId } of [spent, late]) {
                expect(database.attemptsOf(running.database, swapId, "collect")).toEqual([])
              }
              expect(await props.ledger()).toEqual({ [`payer0 USDC@${devnet.solana.id}`]: -1n })
              await expectNothingLeft(setup)
            }),
          timeout
        )
      }

      if (isWhole) {
        it.effect(
          "fail if the wallet is emptied or the blockhash expires while the transaction is pending",
          () =>
            play(cast(2), async (setup, props) => {
              const { devnet, running } = setup
              const { solana: svm } = devnet
              const [spender, sleeper] = [walletAt(props, 0), walletAt(props, 1)]
              const sink = (await solana.newWallet(devnet, {})).address
              await make(svm.hold)
              // Sent first, so that it is in an earlier position of the block.
              await solana.send(devnet, (_, payer) =>
                solana.transferOf(devnet, payer, spender.keyPair, "USDC", sink, 1n)
              )
              const spent = await startOf(setup, props, spender)
              await reaches(setup, spent, "origin_sent")
              await make(svm.release)
              await expectEnd(setup, spent, "failed", "INSUFFICIENT_BALANCE")

              await make(svm.hold)
              const late = await startOf(setup, props, sleeper)
              await reaches(setup, late, "origin_sent")
              expect(await forget(setup, late, "collect")).toBe(true)
              await make(svm.release)
              await expectEnd(setup, late, "failed", "OPERATION_EXPIRED")
              for (const { swapId } of [spent, late]) {
                expect(database.attemptsOf(running.database, swapId, "collect")).toHaveLength(1)
              }
              expect(await props.ledger()).toEqual({ [`payer0 USDC@${svm.id}`]: -1n })
              await expectNothingLeft(setup)
            }),
          timeout
        )
      }

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

      if (isWhole) {
        it.effect(
          "that share a delivery transaction are each delivered once with separate ones if it expires",
          () =>
            play(
              cast(
                5,
                // The relayer is busy with the first delivery until all others are ready.
                eachChain((chain) => (chain.kind === "solana" ? { ...chain, pollMillis: 2_000 } : chain))
              ),
              async (setup, props) => {
                const { devnet, nodes, running } = setup
                const { solana: svm } = devnet
                await make(svm.hold)
                const started = await Promise.all(props.wallets.map((wallet) => startOf(setup, props, wallet)))
                // No delivery can be signed until the chain is held again.
                await make(nodes.solana.set("getLatestBlockhash", busy))
                await make(svm.release)
                for (const each of started) await reaches(setup, each, "origin_final")
                await make(svm.hold)
                await make(nodes.solana.clear("getLatestBlockhash"))
                for (const each of started) await reaches(setup, each, "delivery_sent")
                const deliveriesOf = ({ swapId }: Started) =>
                  database.attemptsOf(running.database, swapId, "deliver").map(({ hash }) => hash)
                const first = new Set(started.flatMap(deliveriesOf))
                expect(first.size).toBeLessThan(started.length)
                for (const hash of first) await make(svm.drop(hash))
                await make(svm.expireBlockhashes)
                await make(svm.release)

                for (const each of started) {
                  const { delivered } = await expectEnd(setup, each, "settled")
                  const [batch, alone] = deliveriesOf(each)
                  expect(first.has(batch ?? "")).toBe(true)
                  expect(delivered).toEqual([alone])
                }
                expect(new Set(started.flatMap((each) => deliveriesOf(each).slice(1))).size).toBe(started.length)
                const output = started.reduce((sum, each) => sum + each.output, 0n)
                expect(await props.ledger()).toMatchObject({
                  [`vault WETH@${svm.id}`]: -output,
                  [`recipient WETH@${svm.id}`]: output
                })
                await expectNothingLeft(setup)
              }
            ),
          timeout
        )
      }

      if (isWhole) {
        it.effect(
          "are refunded if the vault's account is emptied or the recipient's is frozen",
          () =>
            play(
              async (devnet) => {
                const { evmA, solana: svm } = devnet
                const frozen = await solana.newFreezable(devnet, 6, 1_000n * usdc)
                const { account } = await evm.newWallet(devnet, evmA, { USDC: 20n * usdc })
                const listed = withToken(svm.id, { symbol: "FRZ", address: frozen, decimals: 6, asset: "USDC" })
                const { props } = await cast(1)(devnet)
                await solana.give(devnet, frozen, walletAt(props, 0).address, 10n * usdc)
                const payer = entriesOf(evmA, { payer: account.address }, zeroAddress)
                const others = entriesOf(
                  { ...svm, tokens: [{ symbol: "FRZ", address: frozen, decimals: 6 }] },
                  { wallet: walletAt(props, 0).address, recipient: props.recipient, vault: svm.contracts.vault },
                  sol
                )
                return { change: listed, props: { ...props, account, frozen, more: await open([...payer, ...others]) } }
              },
              async (setup, props) => {
                const { devnet, nodes, running } = setup
                const { evmA, solana: svm } = devnet
                const { account, frozen, ledger, more, recipient } = props
                const { address: wallet, keyPair } = walletAt(props, 0)
                const client = await clientOf(devnet, running, { evm: account, solana: keyPair })
                const weth = evm.tokenOf(svm, "WETH")
                const inventory = await solana.balanceOf(svm, weth, svm.contracts.vault)
                const fromEvm = {
                  originChain: evmA.id,
                  destinationChain: svm.id,
                  inputToken: evm.tokenOf(evmA, "USDC"),
                  amount: 10n * usdc,
                  walletAddress: account.address,
                  recipient
                }
                await make(evmA.hold)
                const [emptied, stopped] = await Promise.all([
                  start(client, { ...fromEvm, outputToken: weth }),
                  start(client, { ...fromEvm, outputToken: frozen })
                ])
                await solana.asVault(devnet, solana.freezeOf(frozen, recipient))
                const sink = (await solana.newWallet(devnet, {})).address
                await make(svm.hold)
                const beside = await startOf(setup, props, walletAt(props, 0))
                await reaches(setup, beside, "origin_sent")
                await solana.send(devnet, (vault, payer) =>
                  solana.transferOf(devnet, payer, vault, "WETH", sink, inventory)
                )
                await make(svm.release)
                await make(evmA.release)
                await expectEnd(setup, emptied, "refunded", "INSUFFICIENT_INVENTORY")
                // Others could receive it, so the recipient pays for the network.
                const kept = database.networkCostOf(running.database, stopped.swapId)
                await expectEnd(setup, stopped, "refunded", "REVERTED", 10n * usdc - kept)
                await expectEnd(setup, beside, "refunded", "INSUFFICIENT_INVENTORY")

                // If the payer's account is frozen in the block of the collect, the input waits for it.
                const geo = await solana.balanceOf(svm, evm.tokenOf(svm, "GEO"), svm.contracts.vault)
                await make(svm.hold)
                const waiting = await start(client, {
                  ...fromEvm,
                  originChain: svm.id,
                  inputToken: frozen,
                  outputToken: evm.tokenOf(svm, "GEO"),
                  walletAddress: wallet
                })
                await reaches(setup, waiting, "origin_sent")
                await solana.send(devnet, (vault, payer) => solana.transferOf(devnet, payer, vault, "GEO", sink, geo))
                await solana.send(devnet, solana.freezeOf(frozen, wallet))
                await make(svm.release)
                await reaches(setup, waiting, "refund_prepared")
                await outlasted(setup, waiting)
                await looked(nodes.solana, "simulateTransaction")
                expect(database.stateOf(running.database, waiting.swapId)).toBe("refund_prepared")
                await solana.asVault(devnet, solana.freezeOf(frozen, wallet, false))
                await expectEnd(setup, waiting, "refunded", "INSUFFICIENT_INVENTORY")
                expect(await more()).toEqual({ [`payer USDC@${evmA.id}`]: -kept })
                expect(await ledger()).toEqual({
                  [`vault WETH@${svm.id}`]: -inventory,
                  [`vault GEO@${svm.id}`]: -geo,
                  [`vault USDC@${evmA.id}`]: kept
                })
                await expectNothingLeft(setup)
              }
            ),
          timeout
        )
      }
    })
  })
}
