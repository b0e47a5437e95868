import { describe, layer } from "@effect/vitest"
import { PausableToken } from "@geoswap/contracts/testing"
import type { Devnet } from "@geoswap/devnet"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Address, zeroAddress } from "viem"
import { expect } from "vitest"
import { isWhole } from "../../../../../tooling/testing/matrix.js"
import { clientOf } from "../../stack/client.js"
import { movableClock } from "../../stack/clock.js"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import {
  looked,
  make,
  outlasted,
  play,
  type Setup,
  start,
  type Started,
  timeout,
  until,
  withToken,
  startSwap
} from "../../stack/fixture.js"
import { entriesOf, open } from "../../stack/ledger.js"
import { expectEnd, expectNothingLeft } from "../../stack/outcome.js"
import * as solana from "../../stack/solana.js"
import { devnetLayer, type File } from "../../stack/stack.js"

const usdc = 1_000_000n
const sol = "11111111111111111111111111111111"

const reaches = ({ running }: Setup, { swapId }: Started, state: string) =>
  until(() => database.stateOf(running.database, swapId) === state)

const setPaused = (address: Address, paused: boolean): evm.Call => ({
  address,
  abi: PausableToken.abi,
  functionName: "setPaused",
  args: [paused]
})

/** A pausable token on each EVM chain, and a wallet with 10 of the first. */
const pausables = async (devnet: Devnet.Devnet) => {
  const { evmA, evmB } = devnet
  const [input, output] = [
    await evm.deployPausable(devnet, evmA, 1_000n * usdc),
    await evm.deployPausable(devnet, evmB, 1_000n * usdc)
  ]
  const { account } = await evm.newWallet(devnet, evmA, {})
  await evm.asOwner(devnet, evmA, {
    address: input,
    abi: PausableToken.abi,
    functionName: "mint",
    args: [account.address, 10n * usdc]
  })
  const recipient = evm.newAddress()
  const token = { decimals: 6, asset: "USDC" }
  const listed = (file: File) =>
    withToken(evmB.id, { ...token, symbol: "OUT", address: output })(
      withToken(evmA.id, { ...token, symbol: "IN", address: input })(file)
    )
  const ledger = await open([
    ...entriesOf(
      { ...evmA, tokens: [{ ...token, symbol: "IN", address: input }] },
      { payer: account.address, vault: evmA.contracts.vault },
      zeroAddress
    ),
    ...entriesOf(
      { ...evmB, tokens: [{ ...token, symbol: "OUT", address: output }] },
      { recipient, vault: evmB.contracts.vault },
      zeroAddress
    )
  ])
  return { listed, props: { account, input, output, recipient, ledger } }
}

type Pausables = Awaited<ReturnType<typeof pausables>>["props"]

const startPausable = async ({ devnet, running }: Setup, { account, input, output, recipient }: Pausables) =>
  startSwap({ devnet, running }, account, { recipient, inputToken: input, outputToken: output })

export const decidedRefunds = (): void => {
  describe("swap that can temporarily neither be delivered nor refunded", () => {
    layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
      it.effect(
        "is only refunded, even if its caller reopens the account for the output first",
        () =>
          play(
            async (devnet) => {
              const { solana: svm } = devnet
              // An account for the output that is open at quote time, so that no account fee is charged.
              const wallet = await solana.newWallet(devnet, { USDC: 10n * usdc, WETH: 0n })
              const ledger = await open(
                entriesOf(svm, { wallet: wallet.address, vault: svm.contracts.vault }, sol).filter(
                  ({ token }) => token !== sol
                )
              )
              return { props: { wallet, ledger } }
            },
            async (setup, { ledger, wallet }) => {
              const { devnet, nodes, running } = setup
              const { solana: svm } = devnet
              const client = await clientOf(devnet, running, { solana: wallet.keyPair })
              await make(svm.hold)
              const started = await start(client, {
                originChain: svm.id,
                destinationChain: svm.id,
                inputToken: evm.tokenOf(svm, "USDC"),
                outputToken: evm.tokenOf(svm, "WETH"),
                amount: 10n * usdc,
                walletAddress: wallet.address,
                slippageBps: 10_000
              })
              await reaches(setup, started, "origin_sent")
              // After the collect in the same block: the input account is empty then.
              await solana.send(devnet, solana.closeOf(devnet, wallet.keyPair, "WETH"))
              await solana.send(devnet, solana.closeOf(devnet, wallet.keyPair, "USDC"), true)
              await make(svm.release)
              await reaches(setup, started, "refund_prepared")
              await outlasted(setup, started)
              await looked(nodes.solana, "getMultipleAccounts")
              expect(database.stateOf(running.database, started.swapId)).toBe("refund_prepared")
              expect(database.leftOf(running.database)).toEqual({ open: 1, reserved: 0 })

              // The output would be worth more now: the delivery becomes possible, and must not happen.
              await solana.asVault(devnet, solana.openOf(devnet, wallet.address, "WETH"))
              await looked(nodes.solana, "getMultipleAccounts")
              expect(database.stateOf(running.database, started.swapId)).toBe("refund_prepared")
              expect(database.attemptsOf(running.database, started.swapId, "deliver")).toEqual([])

              await solana.asVault(devnet, solana.openOf(devnet, wallet.address, "USDC"))
              const kept = database.networkCostOf(running.database, started.swapId)
              await expectEnd(setup, started, "refunded", "REVERTED", 10n * usdc - kept)
              expect(await ledger()).toEqual({
                [`wallet USDC@${svm.id}`]: -kept,
                [`vault USDC@${svm.id}`]: kept
              })
              await expectNothingLeft(setup)
            }
          ),
        timeout
      )

      it.effect(
        "is only refunded from an EVM origin too, in full if the recipient was not at fault",
        () =>
          play(
            async (devnet) => {
              const { listed, props } = await pausables(devnet)
              return { change: listed, props }
            },
            async (setup, props) => {
              const { devnet, nodes, running } = setup
              const { evmA, evmB } = devnet
              await make(evmA.hold)
              const started = await startPausable(setup, props)
              await reaches(setup, started, "origin_sent")
              await evm.asOwner(devnet, evmB, setPaused(props.output, true))
              await make(evmA.mine())
              await evm.firstAsOwner(devnet, evmA, setPaused(props.input, true))
              await make(evmA.release)
              await reaches(setup, started, "refund_prepared")
              await outlasted(setup, started)
              await looked(nodes.evmA, "eth_call")
              expect(database.stateOf(running.database, started.swapId)).toBe("refund_prepared")
              expect(database.leftOf(running.database)).toEqual({ open: 1, reserved: 0 })

              await evm.asOwner(devnet, evmB, setPaused(props.output, false))
              await looked(nodes.evmA, "eth_call")
              expect(database.stateOf(running.database, started.swapId)).toBe("refund_prepared")
              expect(database.attemptsOf(running.database, started.swapId, "deliver")).toEqual([])

              await evm.asOwner(devnet, evmA, setPaused(props.input, false))
              await expectEnd(setup, started, "refunded", "REVERTED")
              expect(await props.ledger()).toEqual({})
              await expectNothingLeft(setup)
            }
          ),
        timeout
      )
    })
  })
}

export const oldQuotes = (): void => {
  describe("quote that is too old", () => {
    layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
      /** A service that retries a delivery for a day, with a clock that the test sets. */
      const patient = (body: (setup: Setup, props: Pausables, move: (millis: number) => void) => Promise<void>) =>
        Effect.gen(function* () {
          const { clock, move } = yield* movableClock
          yield* play(
            async (devnet) => {
              const { listed, props } = await pausables(devnet)
              const execution = { deliveryRetryMillis: 86_400_000, maxQuoteAgeMillis: 600_000 }
              return { change: (file: File): File => ({ ...listed(file), execution }), props }
            },
            (setup, props) => body(setup, props, move)
          ).pipe(Effect.provideService(Clock.Clock, clock))
        })

      if (isWhole) {
        it.effect(
          "is not delivered, even if the delivery becomes possible at the same time",
          () =>
            patient(async (setup, props, move) => {
              const { devnet, nodes } = setup
              const { evmA, evmB } = devnet
              await make(evmA.hold)
              const started = await startPausable(setup, props)
              await evm.asOwner(devnet, evmB, setPaused(props.output, true))
              await make(evmA.release)
              await reaches(setup, started, "origin_final")
              await looked(nodes.evmB, "eth_call")
              move(600_001)
              await evm.asOwner(devnet, evmB, setPaused(props.output, false))
              await expectEnd(setup, started, "refunded", "DELIVERY_TOO_LATE")
              expect(await props.ledger()).toEqual({})
              await expectNothingLeft(setup)
            }),
          timeout
        )
      }

      it.effect(
        "has its pending delivery cancelled",
        () =>
          patient(async (setup, props, move) => {
            const { devnet, running } = setup
            const { evmB } = devnet
            const relayer = evm.operator(devnet, "relayer").address
            await make(evmB.hold)
            const started = await startPausable(setup, props)
            await reaches(setup, started, "delivery_sent")
            await until(async () => (await evm.poolOf(evmB, relayer)).length === 1)
            move(600_001)
            await until(async () => {
              const newest = database.attemptsOf(running.database, started.swapId, "deliver").at(-1)
              const [waiting] = await evm.poolOf(evmB, relayer)
              return newest?.cancels === true && waiting?.hash === newest.hash
            })
            await make(evmB.release)
            await expectEnd(setup, started, "refunded", "DELIVERY_TOO_LATE")
            expect(await props.ledger()).toEqual({})
            await expectNothingLeft(setup)
          }),
        timeout
      )
    })
  })
}
