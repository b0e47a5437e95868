/** Attacks that cost the operator or other callers more than the attacker, without any theft. */
import { describe, layer } from "@effect/vitest"
import { Permit2 } from "@geoswap/contracts"
import { TestToken } from "@geoswap/contracts/testing"
import type { Devnet } from "@geoswap/devnet"
import { type Hash, type PrivateKeyAccount, zeroAddress } from "viem"
import { expect } from "vitest"
import { costsOf, heightOf } from "../../stack/costs.js"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import { make, play, timeout, startSwap } from "../../stack/fixture.js"
import { entriesOf, open } from "../../stack/ledger.js"
import { expectEnd } from "../../stack/outcome.js"
import { devnetLayer } from "../../stack/stack.js"
import { build, call, ok, pay, quoteWith, requestOf } from "../payments/client.js"
import { expectFailed, expectSettled, pooled, withLimits } from "../payments/setup.js"
import { amount, approve, delegateTo, deployAccepting, payer, targetOf, tokenOf } from "../payments/wallets.js"

/** Cancels the wallet's approval of Permit2 before every pending transaction. */
const cancelApproval = ({ evmA }: Devnet.Devnet, account: PrivateKeyAccount): Promise<Hash> =>
  evm.sender(evmA, account).writeContract({
    abi: TestToken.abi,
    address: tokenOf(evmA, "USDC"),
    functionName: "approve",
    args: [Permit2.address, 0n],
    gas: 100_000n,
    ...evm.firstInBlock
  })

describe("griefing", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "an approval for one payment lets only one of many concurrent payments be sent",
      () =>
        play(
          async () => ({ props: undefined }),
          async (setup) => {
            const { devnet, running } = setup
            const account = await payer(devnet)
            const token = tokenOf(devnet.evmA, "USDC")
            await approve(devnet, account, token, amount)
            const request = requestOf(devnet, account.address, token)
            await quoteWith(running, request, ["delegation", "eip3009", "permit2"])
            const since = await heightOf(setup)
            await make(devnet.evmA.hold)
            const answers = await Promise.all(
              Array.from({ length: 8 }, () => pay(running, account, request, "permit2"))
            )
            await make(devnet.evmA.release)
            const accepted = answers.flatMap(({ body, status }) => (status === 200 ? [body.swapId] : []))
            const others = answers.filter(({ status }) => status !== 200)
            expect(accepted).toHaveLength(1)
            expect(new Set(others.map(({ body }) => body.code))).toEqual(new Set(["PAYMENT_METHOD_UNAVAILABLE"]))
            for (const swapId of accepted) await expectSettled(setup, swapId)
            const { operator } = await costsOf(devnet, "one approval, eight payments", [account], since)
            expect(operator).toBeLessThan(150_000n)
            // The approval is used up. Another one allows another payment.
            await approve(devnet, account, token, amount)
            await quoteWith(running, request, ["delegation", "eip3009", "permit2"])
            await expectSettled(setup, ok(await pay(running, account, request, "permit2")).swapId)
          }
        ),
      timeout
    )

    it.effect(
      "a wallet that cancels its approval takes no method away from others with the same delegate",
      () =>
        play(
          async (devnet) => {
            const accepting = await deployAccepting(devnet)
            const targets = [await targetOf(devnet, accepting)]
            return { change: withLimits(devnet, { targets, strikesPerTarget: 2 }), props: accepting }
          },
          async (setup, accepting) => {
            const { devnet, running } = setup
            const token = tokenOf(devnet.evmA, "USDC")
            const innocent = await payer(devnet)
            await delegateTo(devnet, innocent, accepting)
            const wanted = requestOf(devnet, innocent.address, token)
            await quoteWith(running, wanted, ["eip3009", "erc2612"])
            const attacker = await payer(devnet)
            await approve(devnet, attacker, token, 100n * amount)
            await delegateTo(devnet, attacker, accepting)
            const request = requestOf(devnet, attacker.address, token)
            await quoteWith(running, request, ["eip3009", "permit2"])
            const since = await heightOf(setup)
            await make(devnet.evmA.hold)
            const swaps = await Promise.all(Array.from({ length: 4 }, () => pay(running, attacker, request, "permit2")))
            await pooled(setup)
            await cancelApproval(devnet, attacker)
            await make(devnet.evmA.release)
            for (const answer of swaps) await expectFailed(setup, ok(answer).swapId, "REVERTED")
            await costsOf(devnet, "a canceled approval, four payments", [attacker], since)
            // The attacker is struck, and no other wallet.
            const { paymentProblem } = await quoteWith(running, request, [])
            expect(paymentProblem?.message).toMatch(/too many payments from this wallet have failed/)
            ok(await build(running, wanted, "eip3009"))
            expect(ok(await call(running, "/swap/quote", wanted)).paymentMethods).toEqual(["eip3009", "erc2612"])
          }
        ),
      timeout
    )

    it.effect(
      "a recipient that rejects its output only in a block pays the quoted network cost",
      () =>
        play(
          async (devnet) => {
            const { evmA, evmB } = devnet
            const { account } = await evm.newWallet(devnet, evmA, { USDC: amount })
            return { props: { account, pretender: await evm.deployPretender(devnet, evmB) } }
          },
          async (setup, { account, pretender }) => {
            const { devnet, running } = setup
            const { evmA, evmB } = devnet
            const ledger = await open([
              ...entriesOf(evmA, { payer: account.address, vault: evmA.contracts.vault }, zeroAddress),
              ...entriesOf(evmB, { pretender, vault: evmB.contracts.vault }, zeroAddress)
            ])
            const started = await startSwap({ devnet, running }, account, {
              recipient: pretender,
              outputToken: zeroAddress
            })
            await started.ended
            const kept = database.networkCostOf(running.database, started.swapId)
            await expectEnd(setup, started, "refunded", "REVERTED", started.amount - kept)
            const deliveries = database.attemptsOf(running.database, started.swapId, "deliver")
            expect(new Set(deliveries.map(({ nonce }) => nonce)).size).toBe(3)
            expect(await ledger()).toEqual({
              [`payer USDC@${evmA.id}`]: -kept,
              [`vault USDC@${evmA.id}`]: kept
            })
            process.stdout.write(`a rejecting recipient: three reverted deliveries, attacker ${kept} units of USDC\n`)
          }
        ),
      timeout
    )
  })
})
