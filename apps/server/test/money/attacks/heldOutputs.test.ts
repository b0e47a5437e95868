/** Attacks that hold more of the operator's money than the attacker has, or make it wait for the operator. */
import { describe, layer } from "@effect/vitest"
import { TestToken } from "@geoswap/contracts/testing"
import type { Devnet } from "@geoswap/devnet"
import { Proxy } from "@geoswap/devnet"
import type { Address, PrivateKeyAccount } from "viem"
import { expect } from "vitest"
import { clientOf } from "../../stack/client.js"
import { costsOf, heightOf } from "../../stack/costs.js"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import {
  make,
  play,
  type Setup,
  type Started,
  start,
  timeout,
  until,
  usdcToWeth,
  withToken,
  startSwap
} from "../../stack/fixture.js"
import { expectEnd, expectNothingLeft } from "../../stack/outcome.js"
import { devnetLayer } from "../../stack/stack.js"
import { call, ok, quoteWith, requestOf } from "../payments/client.js"
import { pooled } from "../payments/setup.js"

const usdc = 1_000_000n
/** What the attacker has, and what each of its swaps pays. */
const capital = 40n * usdc
const each = 10n * usdc
const rounds = 4

/** Sends all of the wallet's USDC to another wallet, before every pending transaction. */
const empty = (devnet: Devnet.Devnet, account: PrivateKeyAccount, to: Address) =>
  evm.sender(devnet.evmA, account).writeContract({
    abi: TestToken.abi,
    address: evm.tokenOf(devnet.evmA, "USDC") as Address,
    functionName: "transfer",
    args: [to, capital],
    ...evm.firstInBlock,
    gas: 100_000n
  })

/** Submits as many swaps as the wallet can pay for. */
const submitAll = async ({ devnet, running }: Setup, account: PrivateKeyAccount) => {
  const client = await clientOf(devnet, running, { evm: account })
  const outputToken = evm.tokenOf(devnet.evmB, "USDC")
  const request = { ...usdcToWeth(devnet, account.address, account.address), amount: each, outputToken }
  return Promise.all(Array.from({ length: Number(capital / each) }, () => start(client, request)))
}

describe("outputs that are held", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "are worth no more than what the attackers have, if they move it from wallet to wallet before their swaps",
      () =>
        play(
          async (devnet) => {
            const wallets: Array<PrivateKeyAccount> = []
            for (let round = 0; round <= rounds; round++) {
              wallets.push(await evm.newDelegated(devnet, devnet.evmA, round === 0 ? { USDC: capital } : {}))
            }
            for (const { address } of wallets) await evm.fund(devnet, devnet.evmA, address)
            return { props: wallets }
          },
          async (setup, wallets) => {
            const { devnet, running } = setup
            const since = await heightOf(setup)
            const all: Array<Started> = []
            let most = 0n
            for (const [round, account] of wallets.slice(0, rounds).entries()) {
              await make(devnet.evmA.hold)
              const swaps = await submitAll(setup, account)
              all.push(...swaps)
              const held = database.heldOutputsOf(running.database)
              most = held > most ? held : most
              await pooled(setup)
              await until(() =>
                swaps.every(({ swapId }) => database.stateOf(running.database, swapId) === "origin_sent")
              )
              await empty(devnet, account, wallets[round + 1]?.address ?? account.address)
              // The block is not final before the next one.
              await make(devnet.evmA.mine())
              await until(() => database.heldOutputsOf(running.database) === 0n)
              for (const { swapId } of swaps) expect(database.stateOf(running.database, swapId)).toBe("origin_sent")
            }
            await make(devnet.evmA.release)
            for (const one of all) await expectEnd(setup, one, "failed", "INSUFFICIENT_BALANCE")
            await expectNothingLeft(setup)
            await costsOf(devnet, `${all.length} swaps of wallets that move their balance`, wallets, since)
            process.stdout.write(`held outputs: at most ${most} units of USDC, attacker ${capital}\n`)
            expect(most * 2n).toBeLessThanOrEqual(capital * 3n)
            // The wallets are struck, and other wallets can pay.
            const innocent = await evm.newDelegated(devnet, devnet.evmA, {})
            const requestFor = async ({ address }: PrivateKeyAccount) => {
              await evm.mint(devnet, devnet.evmA, "USDC", address, each)
              return requestOf(devnet, address, evm.tokenOf(devnet.evmA, "USDC"))
            }
            for (const account of wallets.slice(0, rounds)) {
              const { paymentProblem } = await quoteWith(running, await requestFor(account), [])
              expect(paymentProblem?.message).toMatch(/too many payments from this wallet/)
            }
            const methods = ok(await call(running, "/swap/quote", await requestFor(innocent))).paymentMethods
            expect(methods).toContain("delegation")
          }
        ),
      timeout
    )

    it.effect(
      "are never the input of a swap that is not settled, which may have to be refunded",
      () =>
        play(
          async (devnet) => {
            const { evmA, evmB } = devnet
            const token = await evm.deployPausable(devnet, evmA, 0n)
            const change = withToken(evmA.id, { symbol: "IN", address: token, decimals: 6, asset: "USDC" })
            const [payer, other] = [
              await evm.newDelegated(devnet, evmA, {}),
              await evm.newDelegated(devnet, evmB, { USDC: each })
            ]
            await evm.asOwner(devnet, evmA, {
              address: token,
              abi: TestToken.abi,
              functionName: "mint",
              args: [payer.address, each]
            })
            return { change, props: { other, payer, token } }
          },
          async (setup, { other, payer, token }) => {
            const { devnet, running } = setup
            const { evmA, evmB } = devnet
            // The delivery cannot be included, but the input has arrived and is all that the vault holds of its token.
            await make(evmB.hold)
            const first = await startSwap({ devnet, running }, payer, { inputToken: token })
            await until(() => database.stateOf(running.database, first.swapId) === "delivery_sent")
            const taking = startSwap({ devnet, running }, other, {
              originChain: evmB.id,
              destinationChain: evmA.id,
              inputToken: evm.tokenOf(evmB, "USDC"),
              outputToken: token,
              amount: each / 2n
            })
            await expect(taking).rejects.toMatchObject({ cause: { code: "NO_ROUTE" } })
            await make(evmB.release)
            await expectEnd(setup, first, "settled")
          }
        ),
      timeout
    )
  })
})

describe("a first collection that all nodes refuse", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "is canceled at once, which is a strike against its wallet",
      () =>
        play(
          async (devnet) => ({ props: (await evm.newWallet(devnet, devnet.evmA, { USDC: each })).account }),
          async (setup, account) => {
            const { devnet, nodes, running } = setup
            const since = await heightOf(setup)
            const refusal = Proxy.rpcError(-32_000, "gapped-nonce tx from delegated accounts")
            await make(nodes.evmA.set("eth_sendRawTransaction", refusal, 1))
            const known = await make(nodes.evmA.calls("eth_getTransactionByHash"))
            const started = await startSwap({ devnet, running }, account)
            await until(() => database.attemptsOf(running.database, started.swapId, "collect").length > 1)
            const [refused, cancellation] = database.attemptsOf(running.database, started.swapId, "collect")
            expect(cancellation).toMatchObject({ cancels: true, nonce: refused?.nonce })
            // No node was asked whether it has lost the transaction.
            expect(await make(nodes.evmA.calls("eth_getTransactionByHash"))).toBe(known)
            await expectEnd(setup, started, "settled")
            expect(database.lossesOf(running.database)).toEqual({ lost: 1, strikes: 1 })
            await costsOf(devnet, "a refused authorization", [account], since)
          }
        ),
      timeout
    )
  })
})
