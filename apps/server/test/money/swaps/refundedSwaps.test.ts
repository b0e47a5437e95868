import { describe, layer } from "@effect/vitest"
import { GeoVault } from "@geoswap/contracts"
import { PausableToken } from "@geoswap/contracts/testing"
import type { Devnet } from "@geoswap/devnet"
import { type Address, type Hex, type PrivateKeyAccount, zeroAddress } from "viem"
import { expect } from "vitest"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import {
  looked,
  make,
  outlasted,
  play,
  separately,
  startSwap,
  timeout,
  type Setup,
  type Started,
  until,
  withToken
} from "../../stack/fixture.js"
import { entriesOf, open } from "../../stack/ledger.js"
import { expectEnd, expectNothingLeft, proofsOf } from "../../stack/outcome.js"
import { devnetLayer } from "../../stack/stack.js"

const usdc = 1_000_000n
const inVault = 1_000n * usdc

const token = (symbol: string, address: string) => ({ symbol, address, decimals: 6, asset: "USDC" })

const call = (address: string, functionName: string, ...args: ReadonlyArray<unknown>): evm.Call => ({
  address: address as Address,
  abi: [...GeoVault.abi, ...PausableToken.abi],
  functionName,
  args
})

/** The owner refunds an input manually. */
const refundByHand = ({ devnet, running }: Setup, { amount, swapId }: Started, inputToken: string, wallet: string) =>
  call(devnet.evmA.contracts.vault, "refund", database.orderOf(running.database, swapId), inputToken, wallet, amount)

const collected = ({ devnet, running }: Setup, { swapId }: Started) =>
  until(async () => {
    const { collected } = await proofsOf(devnet, database.orderOf(running.database, swapId))
    return collected.length === 1
  })

/** Waits until that many transactions of the relayer are pending on a chain (default: the first one), which is held. */
const pooled = ({ devnet }: Setup, count: number, chain = devnet.evmA) => {
  const relayer = evm.operator(devnet, "relayer").address
  return until(async () => (await evm.poolOf(chain, relayer)).length === count)
}

const reaches = ({ running }: Setup, { swapId }: Started, state: string) =>
  until(() => database.stateOf(running.database, swapId) === state)

/**
 * On a held chain: waits for the collects of swaps, and includes them in a block. `before` runs before they are final,
 * and so before the service can react.
 */
const collectHeld = async (setup: Setup, swaps: ReadonlyArray<Started>, before = () => Promise.resolve<unknown>(0)) => {
  const { evmA } = setup.devnet
  await pooled(setup, swaps.length)
  await make(evmA.mine())
  for (const one of swaps) await collected(setup, one)
  await before()
  await make(evmA.mine(3))
  for (const one of swaps) await reaches(setup, one, "origin_final")
}

/** An output on the second chain that its owner can stop, an input on the first one, and wallets that hold it. */
const stoppable = (count: number) => async (devnet: Devnet.Devnet) => {
  const { evmA, evmB } = devnet
  const input = await evm.deployPausable(devnet, evmA, inVault)
  const output = await evm.deployPausable(devnet, evmB, inVault)
  const wallets: Array<PrivateKeyAccount> = []
  for (let made = 0; made < count; made += 1) {
    const { account } = await evm.newWallet(devnet, evmA, {})
    await evm.asOwner(devnet, evmA, call(input, "mint", account.address, 10n * usdc))
    wallets.push(account)
  }
  const recipient = evm.newAddress()
  const entries = [
    ...entriesOf(
      { ...evmA, tokens: [token("IN", input)] },
      { ...Object.fromEntries(wallets.map(({ address }) => [address, address])), vault: evmA.contracts.vault },
      zeroAddress
    ),
    ...entriesOf({ ...evmB, tokens: [token("OUT", output)] }, { recipient, vault: evmB.contracts.vault }, zeroAddress)
  ]
  return {
    change: (file: Parameters<ReturnType<typeof withToken>>[0]) =>
      separately(withToken(evmB.id, token("OUT", output))(withToken(evmA.id, token("IN", input))(file))),
    props: { input, output, wallets, recipient, ledger: await open(entries) }
  }
}

type Stoppable = Awaited<ReturnType<ReturnType<typeof stoppable>>>["props"]

const startOf = (setup: Setup, { input, output, recipient }: Stoppable, wallet: PrivateKeyAccount) =>
  startSwap(setup, wallet, { inputToken: input, outputToken: output, recipient })

const walletAt = ({ wallets }: Stoppable, index: number): PrivateKeyAccount => {
  const wallet = wallets[index]
  if (wallet === undefined) throw new Error(`There is no wallet ${index}.`)
  return wallet
}

describe("swaps that cannot be delivered", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "show the delivery that reverted in a final block",
      () =>
        play(stoppable(1), async (setup, props) => {
          const { devnet, running } = setup
          const { evmB } = devnet
          await make(evmB.hold)
          const started = await startOf(setup, props, walletAt(props, 0))
          await pooled(setup, 1, evmB)
          await evm.firstAsOwner(devnet, evmB, call(props.output, "setPaused", true))
          await make(evmB.release)
          await expectEnd(setup, started, "refunded", "REVERTED")
          const [delivery] = database.attemptsOf(running.database, started.swapId, "deliver")
          expect(delivery).toBeDefined()
          expect((await started.ended).deliveryTxHash).toBe(delivery?.hash)
          expect(await props.ledger()).toEqual({})
          await expectNothingLeft(setup)
        }),
      timeout
    )

    it.effect(
      "are refunded later if the refund fails at first",
      () =>
        play(stoppable(1), async (setup, props) => {
          const { devnet, nodes, running } = setup
          const { evmA, evmB } = devnet
          await evm.asOwner(devnet, evmB, call(props.output, "setPaused", true))
          await make(evmA.hold)
          const started = await startOf(setup, props, walletAt(props, 0))
          await collectHeld(setup, [started])
          await pooled(setup, 1)
          await evm.firstAsOwner(devnet, evmA, call(props.input, "setPaused", true))
          await make(evmA.release)
          const [first] = database.attemptsOf(running.database, started.swapId, "refund")
          const { status } = await evm.reader(evmA).waitForTransactionReceipt({ hash: first?.hash as Hex })
          expect(status).toBe("reverted")
          // The recipient could receive it now, but the refund is decided.
          await evm.asOwner(devnet, evmB, call(props.output, "setPaused", false))
          await outlasted(setup, started)
          await looked(nodes.evmA, "eth_call")
          expect(database.stateOf(running.database, started.swapId)).toBe("refund_sent")
          await evm.asOwner(devnet, evmA, call(props.input, "setPaused", false))
          await expectEnd(setup, started, "refunded", "REVERTED")
          expect(await props.ledger()).toEqual({})
          await expectNothingLeft(setup)
        }),
      timeout
    )

    it.effect(
      "are refunded once by the vault's owner although the service's refunds are pending",
      () =>
        play(stoppable(2), async (setup, props) => {
          const { devnet, running } = setup
          const { evmA, evmB } = devnet
          const { vault } = evmA.contracts
          const { input } = props
          const [first, second] = [walletAt(props, 0), walletAt(props, 1)]
          await evm.asOwner(devnet, evmB, call(props.output, "setPaused", true))

          // The owner is faster with the first, and pauses the vault for both.
          await make(evmA.hold)
          const [overtaken, stopped] = await Promise.all([startOf(setup, props, first), startOf(setup, props, second)])
          await collectHeld(setup, [overtaken, stopped])
          await pooled(setup, 2)
          const faster = await evm.firstAsOwner(devnet, evmA, refundByHand(setup, overtaken, input, first.address))
          await evm.firstAsOwner(devnet, evmA, call(vault, "pause"))
          await make(evmA.release)
          expect(await expectEnd(setup, overtaken, "refunded", "REVERTED")).toMatchObject({ refunded: [faster] })
          expect(database.stateOf(running.database, stopped.swapId)).toBe("refund_sent")
          const last = await evm.asOwner(devnet, evmA, refundByHand(setup, stopped, input, second.address))
          expect(await expectEnd(setup, stopped, "refunded", "REVERTED")).toMatchObject({ refunded: [last] })
          await evm.asOwner(devnet, evmA, call(vault, "unpause"))
          expect(await props.ledger()).toEqual({})
          await expectNothingLeft(setup)
        }),
      timeout
    )
  })
})
