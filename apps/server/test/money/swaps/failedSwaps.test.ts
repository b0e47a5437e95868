import { describe, layer } from "@effect/vitest"
import { PausableToken, TestToken } from "@geoswap/contracts/testing"
import { type Devnet, Proxy } from "@geoswap/devnet"
import { type Address, encodeFunctionData, type PrivateKeyAccount, zeroAddress } from "viem"
import { expect } from "vitest"
import { clientOf, outputOf, swap } from "../../stack/client.js"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import {
  make,
  play,
  separately,
  startSwap,
  timeout,
  type Setup,
  until,
  usdcToWeth,
  withToken
} from "../../stack/fixture.js"
import { entriesOf, open } from "../../stack/ledger.js"
import { expectEnd, expectNothingLeft } from "../../stack/outcome.js"
import { ownDevnetLayer } from "../../stack/stack.js"

const usdc = 1_000_000n

/** An account that took over the wallet's delegation. */
const otherProvider = "0x00000000000000000000000000000000deadbeef"

/** Four wallets, each with a swap that becomes impossible on chain. */
interface Cast {
  /** Signs its first delegation with the swap, then uses the same nonce for another transaction. */
  readonly fresh: PrivateKeyAccount
  /** Spends its tokens. */
  readonly spender: PrivateKeyAccount
  /** Delegates to another contract. */
  readonly changer: PrivateKeyAccount
  /** Holds a token that is stopped. */
  readonly holder: PrivateKeyAccount
  readonly pausable: Address
}

const cast = async (devnet: Devnet.Devnet) => {
  const { evmA } = devnet
  const pausable = await evm.deployPausable(devnet, evmA, 1_000n * usdc)
  const { account: fresh } = await evm.newWallet(devnet, evmA, { USDC: 10n * usdc })
  const spender = await evm.newDelegated(devnet, evmA, { USDC: 10n * usdc })
  const changer = await evm.newDelegated(devnet, evmA, { USDC: 10n * usdc })
  const holder = await evm.newDelegated(devnet, evmA, {})
  await evm.asOwner(devnet, evmA, {
    address: pausable,
    abi: PausableToken.abi,
    functionName: "mint",
    args: [holder.address, 10n * usdc]
  })
  await evm.fund(devnet, evmA, fresh.address)
  await evm.fund(devnet, evmA, spender.address)
  const withPausable = withToken(evmA.id, { symbol: "PSE", address: pausable, decimals: 6, asset: "USDC" })
  return {
    change: (file: Parameters<typeof withPausable>[0]) => separately(withPausable(file)),
    props: { fresh, spender, changer, holder, pausable } satisfies Cast
  }
}

/** Makes all four swaps impossible at once, before every pending transaction of the relayer. */
const takeGround = async (devnet: Devnet.Devnet, { changer, fresh, pausable, spender }: Cast, sink: Address) => {
  const { evmA } = devnet
  await evm.sender(evmA, fresh).sendTransaction({ to: fresh.address, gas: 50_000n, ...evm.firstInBlock })
  const data = encodeFunctionData({ abi: TestToken.abi, functionName: "transfer", args: [sink, 1n] })
  const token = evm.tokenOf(evmA, "USDC") as Address
  await evm.sender(evmA, spender).sendTransaction({ to: token, data, gas: 200_000n, ...evm.firstInBlock })
  await evm.delegate(devnet, evmA, changer, otherProvider)
  await evm.firstAsOwner(devnet, evmA, {
    address: pausable,
    abi: PausableToken.abi,
    functionName: "setPaused",
    args: [true]
  })
}

/** The balances before; afterwards, only what the spender spent may be missing. */
const books = async (
  devnet: Devnet.Devnet,
  { changer, fresh, holder, pausable, spender }: Cast,
  recipient: Address
) => {
  const { evmA, evmB } = devnet
  const tokens = [...evmA.tokens, { symbol: "PSE", address: pausable, decimals: 6 }]
  const payers = { fresh: fresh.address, changer: changer.address, holder: holder.address, spender: spender.address }
  const all = await open([
    ...entriesOf({ ...evmA, tokens }, { ...payers, vault: evmA.contracts.vault }, zeroAddress),
    ...entriesOf(evmB, { recipient, vault: evmB.contracts.vault }, zeroAddress)
  ])
  // The wallets' own transactions cost them gas.
  const isGas = (name: string) => name.includes(" native@") && !name.startsWith("vault")
  return async () => Object.fromEntries(Object.entries(await all()).filter(([name]) => !isGas(name)))
}

const startAll = async (
  { devnet, running }: Setup,
  { changer, fresh, holder, pausable, spender }: Cast,
  to: Address
) => {
  const startOf = async (account: PrivateKeyAccount, inputToken = evm.tokenOf(devnet.evmA, "USDC")) =>
    startSwap({ devnet, running }, account, { recipient: to, inputToken })
  return Promise.all([startOf(fresh), startOf(spender), startOf(changer), startOf(holder, pausable)])
}

type Four = Awaited<ReturnType<typeof startAll>>

const expectFailures = async (setup: Setup, [stale, spent, changed, stopped]: Four) => {
  await expectEnd(setup, stale, "failed", "INVALID_AUTHORIZATION")
  await expectEnd(setup, spent, "failed", "INSUFFICIENT_BALANCE")
  await expectEnd(setup, changed, "failed", "INVALID_AUTHORIZATION")
  await expectEnd(setup, stopped, "failed", "REVERTED")
}

describe("swaps that fail before their input moves", () => {
  layer(ownDevnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "fail if a sent transaction reverts, and the relayer's next swap works",
      () =>
        play(cast, async (setup, props) => {
          const { devnet, running } = setup
          const { evmA } = devnet
          const [recipient, sink] = [evm.newAddress(), evm.newAddress()]
          const relayer = evm.operator(devnet, "relayer").address
          const ledger = await books(devnet, props, recipient)
          await make(evmA.hold)
          const started = await startAll(setup, props, recipient)
          await until(async () => (await evm.poolOf(evmA, relayer)).length === 4)
          await takeGround(devnet, props, sink)
          await make(evmA.release)
          await expectFailures(setup, started)
          for (const { swapId } of started) {
            const [attempt] = database.attemptsOf(running.database, swapId, "collect")
            const receipt = await evm.reader(evmA).getTransactionReceipt({ hash: attempt?.hash as Address })
            expect(receipt.status).toBe("reverted")
          }
          expect(await ledger()).toEqual({ [`spender USDC@${evmA.id}`]: -1n })
          await expectNothingLeft(setup)

          const { account } = await evm.newWallet(devnet, evmA, { USDC: 10n * usdc })
          const client = await clientOf(devnet, running, { evm: account })
          const next = await swap(client, usdcToWeth(devnet, account.address, recipient))
          expect(next.swap.status).toBe("settled")
          await expectNothingLeft(setup)
        }),
      timeout
    )

    it.effect(
      "fail after the deadline by a revert or a cancellation, without a gap in the relayer's nonces",
      () =>
        play(
          async (devnet) => ({
            props: {
              early: (await evm.newWallet(devnet, devnet.evmA, { USDC: 10n * usdc })).account,
              late: (await evm.newWallet(devnet, devnet.evmA, { USDC: 10n * usdc })).account,
              next: (await evm.newWallet(devnet, devnet.evmB, { USDC: 10n * usdc })).account
            }
          }),
          async (setup, { early, late, next }) => {
            const { devnet, nodes, running } = setup
            const { evmA, evmB } = devnet
            const [relayer, recipient] = [evm.operator(devnet, "relayer").address, evm.newAddress()]
            const ledger = await open([
              ...entriesOf(
                evmA,
                { early: early.address, late: late.address, recipient, vault: evmA.contracts.vault },
                zeroAddress
              ),
              ...entriesOf(evmB, { next: next.address, recipient, vault: evmB.contracts.vault }, zeroAddress)
            ])
            const startOf = (account: PrivateKeyAccount) => startSwap({ devnet, running }, account, { recipient })
            await make(evmA.hold)
            const first = await startOf(early)
            await until(async () => (await evm.poolOf(evmA, relayer)).length === 1)
            // The second transaction never gets into the pool.
            await make(nodes.evmA.set("eth_sendRawTransaction", Proxy.rpcError(-32000, "txpool is full")))
            const second = await startOf(late)
            await until(() => database.attemptsOf(running.database, second.swapId, "collect").length > 0)
            await make(evmA.setTime(Math.floor(Date.now() / 1000) + 200))
            await make(evmA.mine(2))
            await until(() => database.attemptsOf(running.database, second.swapId, "collect").at(-1)?.cancels)
            await make(nodes.evmA.clear())
            await make(evmA.release)

            await expectEnd(setup, first, "failed", "OPERATION_EXPIRED")
            await expectEnd(setup, second, "failed", "OPERATION_EXPIRED")
            const receiptOf = (hash = "") => evm.reader(evmA).getTransactionReceipt({ hash: hash as Address })
            const [reverted] = database.attemptsOf(running.database, first.swapId, "collect")
            expect(await receiptOf(reverted?.hash)).toMatchObject({ status: "reverted" })
            const calledOff = database.attemptsOf(running.database, second.swapId, "collect").at(-1)
            expect(await receiptOf(calledOff?.hash)).toMatchObject({ status: "success", to: relayer.toLowerCase() })
            expect(await ledger()).toEqual({})
            await expectNothingLeft(setup)

            // The chain's clock stays ahead of the service's, so that swaps can end there but not start.
            const back = await swap(await clientOf(devnet, running, { evm: next }), {
              ...usdcToWeth(devnet, next.address, recipient),
              originChain: evmB.id,
              destinationChain: evmA.id
            })
            expect(back.swap.status).toBe("settled")
            expect(await ledger()).toEqual({
              [`next USDC@${evmB.id}`]: -10n * usdc,
              [`vault USDC@${evmB.id}`]: 10n * usdc,
              [`vault WETH@${evmA.id}`]: -outputOf(back.events),
              [`recipient WETH@${evmA.id}`]: outputOf(back.events)
            })
            await expectNothingLeft(setup)
          }
        ),
      timeout
    )
  })
})
