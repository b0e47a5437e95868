/** Payments without a delegation on a devnet, from the quote to the delivery. */

import { TestToken } from "@geoswap/contracts/testing"
import { layer } from "@effect/vitest"
import type { Devnet } from "@geoswap/devnet"
import { type Address, encodeFunctionData, type PrivateKeyAccount } from "viem"
import { expect } from "vitest"
import { build, call, ended, ok, pay, refused, requestOf, signTyped, submissionOf } from "./payments/client.js"
import * as evm from "./stack/evm.js"
import { play, timeout } from "./stack/fixture.js"
import { describeOnAnvil } from "./stack/onAnvil.js"
import { proofsOf } from "./stack/outcome.js"
import * as database from "./stack/database.js"
import { devnetLayer } from "./stack/stack.js"

const amount = 10_000_000n

/** A new wallet with 100 USDC and no gas. */
const payer = async (devnet: Devnet.Devnet): Promise<PrivateKeyAccount> =>
  (await evm.newWallet(devnet, devnet.evmA, { USDC: 10n * amount })).account

const usdcOf = (devnet: Devnet.Devnet) => evm.tokenOf(devnet.evmA, "USDC")

const nothing = async () => ({ props: undefined })

describeOnAnvil("a payment without a delegation", () =>
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "settles with eip3009, and the wallet stays without a delegation",
      () =>
        play(nothing, async ({ devnet, running }) => {
          const account = await payer(devnet)
          const request = requestOf(devnet, account.address, usdcOf(devnet))
          const quoted = ok(await call(running, "/swap/quote", request))
          expect(quoted.paymentMethods).toEqual(["delegation", "eip3009", "erc2612"])
          expect(quoted.paymentProblem).toBeUndefined()
          const { swapId } = ok(await pay(running, account, request, "eip3009"))
          const swap = await ended(running, swapId)
          expect([swap.status, swap.failureCode]).toEqual(["settled", undefined])
          const proofs = await proofsOf(devnet, database.orderOf(running.database, swapId))
          expect(proofs).toMatchObject({ collected: [swap.originTxHash], refunded: [] })
          expect(await evm.reader(devnet.evmA).getCode({ address: account.address })).toBeUndefined()
          expect(await evm.balanceOf(devnet.evmA, usdcOf(devnet), account.address)).toBe(9n * amount)
        }),
      timeout
    )
  })
)

