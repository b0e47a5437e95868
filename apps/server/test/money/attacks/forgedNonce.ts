import { describe, layer } from "@effect/vitest"
import { GeoVault } from "@geoswap/contracts"
import { Devnet, Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import {
  type Address,
  encodeFunctionData,
  type Hex,
  parseSignature,
  signatureToCompactSignature,
  zeroAddress
} from "viem"
import { expect } from "vitest"
import { isWhole } from "../../../../../tooling/testing/matrix.js"
import { clientOf, swap } from "../../stack/client.js"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import {
  eachChain,
  looked,
  make,
  play,
  type Setup,
  startSwap,
  type Started,
  timeout,
  until,
  usdcToWeth
} from "../../stack/fixture.js"
import { deployWriter, forge } from "../../stack/forgery.js"
import { entriesOf, open } from "../../stack/ledger.js"
import { expectEnd, expectNothingLeft } from "../../stack/outcome.js"
import { run } from "../../stack/program.js"
import { devnetLayer, ownDevnetLayer, serve, workspaceFor } from "../../stack/stack.js"

const usdc = 1_000_000n

/** A delegated wallet with 10 USDC, the contract of the attack, and balances. */
const cast = async (devnet: Devnet.Devnet) => {
  const { evmA, evmB } = devnet
  const wallet = await evm.newDelegated(devnet, evmA, { USDC: 10n * usdc })
  const next = await evm.newDelegated(devnet, evmA, { USDC: 10n * usdc })
  const writer = await deployWriter(devnet, evmA)
  const recipient = evm.newAddress()
  const ledger = await open([
    ...entriesOf(evmA, { wallet: wallet.address, vault: evmA.contracts.vault }, zeroAddress),
    ...entriesOf(evmB, { recipient, vault: evmB.contracts.vault }, zeroAddress)
  ])
  return { props: { wallet, next, writer, recipient, ledger } }
}

type Cast = Awaited<ReturnType<typeof cast>>["props"]

const startOf = (setup: Pick<Setup, "devnet" | "running">, { recipient, wallet }: Cast) =>
  startSwap(setup, wallet, { recipient })

const isReleased = ({ running }: Setup) =>
  until(() => {
    const { open, reserved } = database.leftOf(running.database)
    return open === 1 && reserved === 0
  })

/** Gas estimation fails, so that the service can sign nothing. */
const noEstimates = Proxy.rpcError(-32_601, "the method does not exist")

/** Collects the input of a swap with the relayer's key, like a process whose database was lost. */
const collectByHand = async ({ devnet, running }: Setup, { swapId }: Started, { wallet }: Cast) => {
  const { evmA } = devnet
  const { deadline, nonce, signature } = database.operationOf(running.database, swapId) as {
    readonly deadline: number
    readonly nonce: string
    readonly signature: Hex
  }
  const { r, yParityAndS } = signatureToCompactSignature(parseSignature(signature))
  const op = {
    token: evm.tokenOf(evmA, "USDC") as Address,
    amount: 10n * usdc,
    orderId: database.orderOf(running.database, swapId) as Hex,
    terms: database.termsOf(running.database, swapId) as Hex,
    nonce: BigInt(nonce),
    deadline: BigInt(deadline)
  }
  const data = encodeFunctionData({
    abi: GeoVault.abi,
    functionName: "collect",
    args: [wallet.address, op, r, yParityAndS]
  })
  return evm
    .sender(evmA, evm.operator(devnet, "relayer"))
    .sendTransaction({ to: evmA.contracts.vault as Address, data, gas: 400_000n, ...evm.firstInBlock })
}

export const forgedNonce = (): void => {
  describe("wallet that marks its own nonces as used", () => {
    layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
      it.effect(
        "fails its swap and locks no inventory if it does so in the block of the collect",
        () =>
          play(cast, async (setup, props) => {
            const { devnet, running } = setup
            const { evmA } = devnet
            const relayer = evm.operator(devnet, "relayer").address
            await make(evmA.hold)
            const started = await startOf(setup, props)
            await until(async () => (await evm.poolOf(evmA, relayer)).length === 1)
            await forge(devnet, props.wallet, props.writer)
            await make(evmA.release)
            await expectEnd(setup, started, "failed", "INVALID_AUTHORIZATION")
            expect(await props.ledger()).toEqual({})
            await expectNothingLeft(setup)

            const client = await clientOf(devnet, running, { evm: props.next })
            const other = await swap(client, usdcToWeth(devnet, props.next.address, props.recipient))
            expect(other.swap.status).toBe("settled")
          }),
        timeout
      )

      if (isWhole) {
        it.effect(
          "reserves nothing while the vault's events are awaited, and the swap continues if they show the payment",
          () =>
            play(cast, async (setup, props) => {
              const { devnet, nodes, running } = setup
              const { evmA, evmB } = devnet
              await make(nodes.evmA.set("eth_estimateGas", noEstimates))
              await make(evmA.hold)
              const started = await startOf(setup, props)
              await until(async () => (await make(nodes.evmA.calls("eth_estimateGas"))) > 0)
              await collectByHand(setup, started, props)
              await make(evmA.mine())
              await make(nodes.evmA.clear())
              // Included but not final: the nonce is used, and nothing is proven.
              await isReleased(setup)
              await looked(nodes.evmA, "eth_getLogs")
              expect(database.stateOf(running.database, started.swapId)).toBe("accepted")
              await make(evmA.release)
              await expectEnd(setup, started, "settled")
              expect(await props.ledger()).toEqual({
                [`wallet USDC@${evmA.id}`]: -10n * usdc,
                [`vault USDC@${evmA.id}`]: 10n * usdc,
                [`recipient WETH@${evmB.id}`]: started.output,
                [`vault WETH@${evmB.id}`]: -started.output
              })
              expect(database.leftOf(running.database)).toEqual({ open: 0, reserved: 0 })
            }),
          timeout
        )
      }

      if (isWhole) {
        it.effect(
          "is refunded if the payment appears after its reservation was released",
          () =>
            play(cast, async (setup, props) => {
              const { devnet, nodes, running } = setup
              const { evmA, evmB } = devnet
              const weth = evm.tokenOf(evmB, "WETH")
              await make(nodes.evmA.set("eth_estimateGas", noEstimates))
              await make(evmA.hold)
              const started = await startOf(setup, props)
              await until(async () => (await make(nodes.evmA.calls("eth_estimateGas"))) > 0)
              await collectByHand(setup, started, props)
              await make(evmA.mine())
              await make(nodes.evmA.clear())
              await isReleased(setup)
              const inventory = await evm.balanceOf(evmB, weth, evmB.contracts.vault)
              const withdraw = (functionName: string, args: ReadonlyArray<unknown>): evm.Call => ({
                address: evmB.contracts.vault as Address,
                abi: GeoVault.abi,
                functionName,
                args
              })
              const owner = evm.operator(devnet, "owner").address
              await evm.asOwner(devnet, evmB, withdraw("withdraw", [weth, owner, inventory]))
              await make(evmA.release)
              await expectEnd(setup, started, "refunded", "INSUFFICIENT_INVENTORY")
              expect(await props.ledger()).toEqual({ [`vault WETH@${evmB.id}`]: -inventory })
              expect(database.leftOf(running.database)).toEqual({ open: 0, reserved: 0 })
              // For the following tests on this devnet.
              await evm.mint(devnet, evmB, "WETH", evmB.contracts.vault, inventory)
            }),
          timeout
        )
      }
    })
  })

  describe("swap whose input never arrived", () => {
    layer(ownDevnetLayer, { timeout, excludeTestServices: true })((it) => {
      it.effect(
        "is ended by swaps fail, which requires and prints the proof",
        () =>
          Effect.gen(function* () {
            const devnet = yield* Devnet.Devnet
            const { evmA } = devnet
            const place = yield* workspaceFor(devnet)
            const { database: path } = place
            const { props } = yield* Effect.promise(() => cast(devnet))
            // A server that cannot sign, and exits.
            const swapId = yield* Effect.gen(function* () {
              const node = yield* Proxy.make({ target: evmA.rpcUrl })
              yield* node.set("eth_estimateGas", noEstimates)
              const blocked = eachChain((chain) =>
                chain.id === evmA.id ? { ...chain, rpcUrls: [node.rpcUrl] } : chain
              )
              const running = yield* serve(devnet, blocked, place)
              return (yield* Effect.promise(() => startOf({ devnet, running }, props))).swapId
            }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None"))

            const early = yield* run(place, "swaps", "fail", swapId)
            expect(early).toMatchObject({ code: 1, stdout: "" })
            expect(early.stderr).toContain("It is not yet certain whether the payment was made")
            expect(database.stateOf(path, swapId)).toBe("accepted")

            yield* evmA.setTime(Math.floor(Date.now() / 1000) + 300)
            yield* evmA.mine(3)
            const { code, stdout } = yield* run(place, "swaps", "fail", swapId, "--json")
            expect({ code, ...(JSON.parse(stdout) as object) }).toEqual({
              code: 0,
              id: swapId,
              state: "failed",
              proof: {
                block: expect.stringMatching(/^\d+$/) as string,
                time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
                nodes: [new URL(evmA.rpcUrl).host]
              }
            })
            expect(database.leftOf(path)).toEqual({ open: 0, reserved: 0 })
            const again = yield* run(place, "swaps", "fail", swapId)
            expect(again.stderr).toContain(
              "The swap's state is failed. Only a swap whose input has not arrived can be marked as failed."
            )
            expect(yield* Effect.promise(props.ledger)).toEqual({})
          }),
        timeout
      )
    })
  })
}

/** On its own devnet, because the chain's clock stays ahead of the service's. */
export const expiredForgery = (): void => {
  describe("wallet that marks its own nonces as used, and whose operation expires", () => {
    layer(ownDevnetLayer, { timeout, excludeTestServices: true })((it) => {
      it.effect(
        "fails its swap once a finalized block is past the deadline, with nothing reserved until then",
        () =>
          play(cast, async (setup, props) => {
            const { devnet, nodes, running } = setup
            const { evmA } = devnet
            await make(nodes.evmA.set("eth_estimateGas", noEstimates))
            await make(evmA.hold)
            const started = await startOf(setup, props)
            await until(async () => (await make(nodes.evmA.calls("eth_estimateGas"))) > 0)
            // In one block, so that the wallet is never seen without our delegate.
            await forge(devnet, props.wallet, props.writer)
            await evm.delegate(devnet, evmA, props.wallet, evmA.contracts.account, 1)
            await make(evmA.release)
            await make(nodes.evmA.clear())
            await isReleased(setup)
            await looked(nodes.evmA, "eth_getLogs")
            expect(database.stateOf(running.database, started.swapId)).toBe("accepted")
            await make(evmA.setTime(Math.floor(Date.now() / 1000) + 300))
            await expectEnd(setup, started, "failed", "OPERATION_EXPIRED")
            expect(await props.ledger()).toEqual({})
            expect(database.leftOf(running.database)).toEqual({ open: 0, reserved: 0 })
          }),
        timeout
      )
    })
  })
}
