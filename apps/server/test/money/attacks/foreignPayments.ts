/** Payments of wallets that delegate to other providers' contracts, and what limits their cost. */
import { describe, layer } from "@effect/vitest"
import { TestToken } from "@geoswap/contracts/testing"
import type { Devnet } from "@geoswap/devnet"
import type { PrivateKeyAccount } from "viem"
import { expect } from "vitest"
import { isWhole } from "../../../../../tooling/testing/matrix.js"
import { gateAt } from "../../stack/checkpointGate.js"
import * as evm from "../../stack/evm.js"
import { make, play, type Setup, timeout } from "../../stack/fixture.js"
import { devnetLayer } from "../../stack/stack.js"
import { build, call, ok, pay, quoteWith, refused, requestOf } from "../payments/client.js"
import { withServers } from "../payments/restart.js"
import { expectFailed, expectSettled, pooled, withLimits, withPaymentToken } from "../payments/setup.js"
import {
  amount,
  approve,
  delegateTo,
  deployAccepting,
  deployFickle,
  deployForeign,
  deployPretender,
  payer,
  sendUnit,
  targetOf,
  tokenOf
} from "../payments/wallets.js"

const eurc = { methods: ["eip3009", "permit2", "erc2612"], name: "Euro Coin", version: "1" } as const

/** Moves the wallet's tokens before every pending transaction. */
const spendFirst = (devnet: Devnet.Devnet, account: PrivateKeyAccount) =>
  evm.sender(devnet.evmA, account).writeContract({
    abi: TestToken.abi,
    address: tokenOf(devnet.evmA, "USDC"),
    functionName: "transfer",
    args: [evm.newAddress(), 10n * amount],
    gas: 150_000n,
    ...evm.firstInBlock
  })

/** A collection that is sent and then reverts, because of what happens first. */
const lose = async (
  setup: Pick<Setup, "devnet" | "running">,
  account: PrivateKeyAccount,
  method: string,
  first: () => Promise<unknown> = () => spendFirst(setup.devnet, account),
  code = "INSUFFICIENT_BALANCE"
): Promise<void> => {
  const { devnet, running } = setup
  await make(devnet.evmA.hold)
  const request = requestOf(devnet, account.address, tokenOf(devnet.evmA, "USDC"))
  const { swapId } = ok(await pay(running, account, request, method))
  await pooled(setup)
  await first()
  await make(devnet.evmA.release)
  await expectFailed(setup, swapId, code)
}

export const foreignPayments = (): void => {
  describe("a wallet that delegates to another provider", () => {
    layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
      it.effect(
        "pays with a token that only recovers signers, and gets the reason why another token does not work",
        () =>
          play(
            async (devnet) => ({ change: withPaymentToken(devnet, "EURC", eurc), props: await deployForeign(devnet) }),
            async (setup, target) => {
              const { devnet, running } = setup
              const account = await payer(devnet, "EURC", "USDC")
              await delegateTo(devnet, account, target)
              const request = requestOf(devnet, account.address, tokenOf(devnet.evmA, "EURC"))
              const quoted = await quoteWith(running, request, ["eip3009"])
              refused(
                await call(running, "/swap/build-geo-op", { geoQuoteToken: quoted.geoQuoteToken }),
                422,
                "UNSUPPORTED_DELEGATION"
              )
              const { swapId } = ok(await pay(running, account, request, "eip3009"))
              await expectSettled(setup, swapId)

              const asking = { ...request, inputToken: tokenOf(devnet.evmA, "USDC") }
              const none = await quoteWith(running, asking, [])
              expect(none.paymentProblem?.code).toBe("UNSUPPORTED_DELEGATION")
              expect(none.paymentProblem?.message).toMatch(/eip3009: .* does not know that code/)
              expect(none.paymentProblem?.message).toMatch(/permit2: the wallet has not approved/)
              refused(await build(running, asking, "eip3009"), 422, "PAYMENT_METHOD_UNAVAILABLE", /does not know/)
            }
          ),
        timeout
      )

      it.effect(
        "pays with a token that asks its code if the operator lists the contract and a simulation succeeds",
        () =>
          play(
            async (devnet) => {
              const [accepting, rejecting, pretender] = [
                await deployAccepting(devnet),
                await deployForeign(devnet),
                await deployPretender(devnet)
              ]
              const targets = await Promise.all(
                [accepting, rejecting, pretender].map((address) => targetOf(devnet, address))
              )
              return { change: withLimits(devnet, { targets }), props: { accepting, rejecting, pretender } }
            },
            async (setup, { accepting, pretender, rejecting }) => {
              const { devnet, running } = setup
              const token = tokenOf(devnet.evmA, "USDC")
              const account = await payer(devnet)
              await approve(devnet, account, token, 5n * amount)
              await delegateTo(devnet, account, accepting)
              const request = requestOf(devnet, account.address, token)
              await quoteWith(running, request, ["eip3009", "permit2"])
              for (const method of ["eip3009", "permit2"]) {
                const { swapId } = ok(await pay(running, account, request, method))
                await expectSettled(setup, swapId)
              }
              const permitting = await payer(devnet)
              await delegateTo(devnet, permitting, accepting)
              const permitted = requestOf(devnet, permitting.address, token)
              await quoteWith(running, permitted, ["eip3009", "erc2612"])
              const { swapId } = ok(await pay(running, permitting, permitted, "erc2612"))
              await expectSettled(setup, swapId)

              // Both are listed, but one rejects plain signatures, and one accepts them only in a careless simulation.
              for (const target of [rejecting, pretender]) {
                const other = await payer(devnet)
                await delegateTo(devnet, other, target)
                const asked = requestOf(devnet, other.address, token)
                const { paymentProblem } = await quoteWith(running, asked, [])
                expect(paymentProblem?.message).toMatch(/eip3009: a simulation shows/)
                expect(paymentProblem?.message).toMatch(/erc2612: a simulation shows/)
              }
            }
          ),
        timeout
      )

      it.effect(
        "cannot pay if the wallet is a contract",
        () =>
          play(
            async (devnet) => ({ props: await deployForeign(devnet) }),
            async ({ devnet, running }, contract) => {
              const token = tokenOf(devnet.evmA, "USDC")
              const args = [contract, 10n * amount]
              await evm.asOwner(devnet, devnet.evmA, { address: token, abi: TestToken.abi, functionName: "mint", args })
              const quoted = await quoteWith(running, requestOf(devnet, contract, token), [])
              expect(quoted.paymentProblem?.message).toMatch(/the wallet is a contract/)
            }
          ),
        timeout
      )

      it.effect(
        "is struck if its collections revert, and so is the contract, also after a restart",
        () =>
          withServers(
            async (devnet) => {
              const switched = evm.newAddress()
              const fickle = await deployFickle(devnet, switched)
              const targets = [await targetOf(devnet, fickle)]
              const change = withLimits(devnet, { targets, strikesPerTarget: 1 }, { strikes: 1 })
              return { change, props: { fickle, switched } }
            },
            async (run, devnet, { fickle, switched }) => {
              const token = tokenOf(devnet.evmA, "USDC")
              const [poor, bad, innocent] = [await payer(devnet), await payer(devnet), await payer(devnet)]
              for (const account of [poor, bad, innocent]) await delegateTo(devnet, account, fickle)
              await evm.fund(devnet, devnet.evmA, poor.address)
              const request = requestOf(devnet, innocent.address, token)
              await run(async (setup) => {
                const { running } = setup
                await quoteWith(running, request, ["eip3009", "erc2612"])
                // The contract is not the reason why a wallet has moved its tokens.
                await lose(setup, poor, "eip3009")
                ok(await build(running, request, "erc2612"))
                await lose(setup, bad, "eip3009", () => sendUnit(devnet, switched), "REVERTED")
                await evm.reader(devnet.evmA).waitForTransactionReceipt({ hash: await sendUnit(devnet, switched) })
                refused(await build(running, request, "erc2612"), 422, "PAYMENT_METHOD_UNAVAILABLE", /that delegate to/)
              })
              await run(async ({ running }) => {
                const { paymentProblem } = await quoteWith(running, request, [])
                expect(paymentProblem?.message).toMatch(/that delegate to/)
                // A wallet without code has another target, but the struck wallet cannot pay even without its code.
                const clean = await payer(devnet)
                const other = requestOf(devnet, clean.address, token)
                expect(ok(await call(running, "/swap/quote", other)).paymentMethods).toContain("eip3009")
                await evm.mint(devnet, devnet.evmA, "USDC", bad.address, 10n * amount)
                await delegateTo(devnet, bad, "0x0000000000000000000000000000000000000000")
                const struck = requestOf(devnet, bad.address, token)
                await quoteWith(running, struck, [])
              })
            }
          ),
        timeout
      )

      it.effect(
        "is not collected if it delegates to a contract that is not listed after its payment was checked",
        () => {
          const gate = gateAt("before accepted")
          return play(
            async (devnet) => ({ given: { mark: gate.mark }, props: await deployAccepting(devnet) }),
            async (setup, accepting) => {
              const { devnet, running } = setup
              const account = await payer(devnet)
              const request = requestOf(devnet, account.address, tokenOf(devnet.evmA, "USDC"))
              await gate.close()
              const paying = pay(running, account, request, "eip3009")
              await gate.reached()
              await delegateTo(devnet, account, accepting)
              await gate.open()
              await expectFailed(setup, ok(await paying).swapId, "REVERTED")
            }
          )
        },
        timeout
      )

      if (isWhole) {
        it.effect(
          "has no more than the allowed number of orders in flight per contract",
          () =>
            play(
              async (devnet) => {
                const accepting = await deployAccepting(devnet)
                const targets = [await targetOf(devnet, accepting)]
                return { change: withLimits(devnet, { targets, inFlightPerTarget: 1 }), props: accepting }
              },
              async (setup, accepting) => {
                const { devnet, running } = setup
                const [one, other] = [await payer(devnet), await payer(devnet)]
                for (const account of [one, other]) await delegateTo(devnet, account, accepting)
                const requestFrom = ({ address }: PrivateKeyAccount) =>
                  requestOf(devnet, address, tokenOf(devnet.evmA, "USDC"))
                await make(devnet.evmA.hold)
                const { swapId } = ok(await pay(running, one, requestFrom(one), "eip3009"))
                refused(await pay(running, other, requestFrom(other), "eip3009"), 422, "PAYMENT_METHOD_UNAVAILABLE")
                await make(devnet.evmA.release)
                await expectSettled(setup, swapId)
                const later = ok(await pay(running, other, requestFrom(other), "eip3009"))
                await expectSettled(setup, later.swapId)
              }
            ),
          timeout
        )
      }
    })
  })
}

export const lostGasBudget = (): void => {
  describe("the budget for lost gas", () => {
    layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
      it.effect(
        "rules a method out on its chain once it is spent, also after a restart",
        () =>
          withServers(
            async (devnet) => ({ change: withLimits(devnet, {}, { gasPerHour: 1 }), props: undefined }),
            async (run, devnet) => {
              const [bad, innocent] = [await payer(devnet), await payer(devnet)]
              await evm.fund(devnet, devnet.evmA, bad.address)
              const request = requestOf(devnet, innocent.address, tokenOf(devnet.evmA, "USDC"))
              await run(async (setup) => {
                await lose(setup, bad, "eip3009")
              })
              await run(async (setup) => {
                const { running } = setup
                // The test may run across the end of an hour, when the budget starts again.
                const hour = new Date().getUTCHours()
                const { paymentMethods } = ok(await call(running, "/swap/quote", request))
                const answer = await build(running, request, "eip3009")
                const other = ok(await pay(running, innocent, request, "erc2612"))
                await expectSettled(setup, other.swapId)
                if (new Date().getUTCHours() !== hour) return
                expect(paymentMethods).toEqual(["delegation", "erc2612"])
                refused(answer, 422, "PAYMENT_METHOD_UNAVAILABLE", /next hour/)
              })
            }
          ),
        timeout
      )
    })
  })
}
