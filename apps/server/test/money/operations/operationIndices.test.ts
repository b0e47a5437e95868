/** Builds for another's wallet, which need no proof of the wallet, and what its next collection costs the operator. */
import { describe, layer } from "@effect/vitest"
import { Permit2 } from "@geoswap/contracts"
import type { Devnet } from "@geoswap/devnet"
import type { PrivateKeyAccount } from "viem"
import { expect } from "vitest"
import * as evm from "../../stack/evm.js"
import { play, type Setup, timeout } from "../../stack/fixture.js"
import { devnetLayer } from "../../stack/stack.js"
import { type Body, build, call, ok, requestOf, submissionOf } from "../payments/client.js"
import { expectSettled } from "../payments/setup.js"
import { amount, approve, payer, tokenOf } from "../payments/wallets.js"

/**
 * For each method: a wallet that can pay with it, the index of an operation, and the number of builds of the attack. All
 * builds exceed the indices of a word, so a counter of builds would leave the word.
 */
const methods = {
  delegation: {
    builds: 1_000,
    wallet: (devnet: Devnet.Devnet) => evm.newDelegated(devnet, devnet.evmA, { USDC: 10n * amount }),
    indexOf: ({ geoOp }: Body) => Number(geoOp?.["nonce"])
  },
  permit2: {
    builds: 300,
    wallet: async (devnet: Devnet.Devnet) => {
      const account = await payer(devnet)
      await approve(devnet, account, tokenOf(devnet.evmA, "USDC"), 10n * amount)
      return account
    },
    indexOf: ({ payment }: Body) => Number(BigInt(String(payment?.["nonce"])) - Permit2.firstNonce)
  }
} as const

type Method = keyof typeof methods

/** The builds that share a quote, which expires after 30 seconds. */
const buildsPerQuote = 50

/** A request for a quote that needs only the wallet's address. */
const requestFor = (devnet: Devnet.Devnet, wallet: string) => requestOf(devnet, wallet, tokenOf(devnet.evmA, "USDC"))

/** Settles a swap, and returns the index of its operation and the gas of its collection. */
const swap = async (setup: Setup, account: PrivateKeyAccount, method: Method) => {
  const { devnet, running } = setup
  const built = ok(await build(running, requestFor(devnet, account.address), method))
  const submission =
    method === "delegation"
      ? {
          geoOpToken: built.geoOpToken,
          signature: await account.signMessage({ message: { raw: built.geoOpHash } })
        }
      : await submissionOf(account, built)
  const { swapId } = ok(await call(running, "/swap/submit", submission))
  const { originTxHash: hash = "0x" } = await expectSettled(setup, swapId)
  const { gasUsed } = await evm.reader(devnet.evmA).getTransactionReceipt({ hash })
  return { index: methods[method].indexOf(built), gas: gasUsed }
}

/** Builds for the wallet with another account's API key, and submits nothing. Returns the indices. */
const attack = async ({ devnet, running }: Setup, wallet: string, method: Method): Promise<ReadonlyArray<number>> => {
  const [own, other] = running.apiKeys
  const attacker = { url: running.url, apiKeys: [other, own] } as const
  const { builds, indexOf } = methods[method]
  const indices: Array<number> = []
  while (indices.length < builds) {
    const { geoQuoteToken } = ok(await call(attacker, "/swap/quote", requestFor(devnet, wallet)))
    const answers = await Promise.all(
      Array.from({ length: buildsPerQuote }, () =>
        call(attacker, "/swap/build-geo-op", { geoQuoteToken, paymentMethod: method })
      )
    )
    indices.push(...answers.map((answer) => indexOf(ok(answer))))
  }
  return indices
}

describe("builds for another's wallet", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect.each(["delegation", "permit2"] as const)(
      "do not move its operations to a new word of its bitmap, with the method %s",
      (method) =>
        play(
          async (devnet) => ({ props: await methods[method].wallet(devnet) }),
          async (setup, account) => {
            const first = await swap(setup, account, method)
            const before = await swap(setup, account, method)
            const indices = await attack(setup, account.address, method)
            const after = await swap(setup, account, method)
            process.stdout.write(
              `${indices.length} builds for another's wallet (${method}): its first collection costs ${first.gas} gas (index ${first.index}), the second one ${before.gas} (index ${before.index}), the one after the attack ${after.gas} (index ${after.index})\n`
            )
            expect([first.index, before.index]).toEqual([0, 1])
            // A word's first collection sets a storage slot from zero, which costs 17,100 gas more than changing it.
            expect(first.gas - before.gas).toBeGreaterThan(16_000n)
            expect(after.gas - before.gas).toBeLessThan(1_000n)
            // The attack repeats the indices that are free, each as often as the others.
            const counts = new Map<number, number>()
            for (const index of indices) counts.set(index, (counts.get(index) ?? 0) + 1)
            expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 254 }, (_, of) => of + 2))
            const turns = Math.floor(indices.length / counts.size)
            for (const count of counts.values()) expect([turns, turns + 1]).toContain(count)
            expect(after.index).toBeLessThan(256)
          }
        ),
      timeout
    )
  })
})
