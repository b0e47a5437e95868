/** The two forms in which a delegated wallet signs an operation. */
import { describe, layer } from "@effect/vitest"
import type { Devnet } from "@geoswap/devnet"
import type { PrivateKeyAccount } from "viem"
import { expect } from "vitest"
import * as evm from "../../stack/evm.js"
import { play, timeout } from "../../stack/fixture.js"
import { devnetLayer } from "../../stack/stack.js"
import { type Body, build, call, ok, requestOf, signTyped } from "../payments/client.js"
import { expectSettled } from "../payments/setup.js"
import { payer, tokenOf } from "../payments/wallets.js"

const authorizationOf = async ({ evmA }: Devnet.Devnet, account: PrivateKeyAccount, address: string) => {
  const nonce = await evm.reader(evmA).getTransactionCount({ address: account.address })
  const signed = await account.signAuthorization({ address: address as `0x${string}`, chainId: evmA.id, nonce })
  const { r, s, yParity } = signed
  return { chainId: evmA.id, address, nonce, r, s, yParity }
}

const personal = (account: PrivateKeyAccount, { geoOpHash }: Body) =>
  account.signMessage({ message: { raw: geoOpHash } })

describe("an operation of a delegated wallet", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "is signed as typed data or with personal_sign, from the first swap on",
      () =>
        play(
          async () => ({ props: undefined }),
          async (setup) => {
            const { devnet, running } = setup
            const { account: delegate } = devnet.evmA.contracts
            const account = await payer(devnet)
            const path = `/swap/delegation/${devnet.evmA.id}/${account.address}`
            expect(ok(await call(running, path)).delegationTarget?.toLowerCase()).toBe(delegate.toLowerCase())
            const request = requestOf(devnet, account.address, tokenOf(devnet.evmA, "USDC"))

            const authorization = await authorizationOf(devnet, account, delegate)
            const first = ok(await build(running, request, "delegation", { authorization }))
            expect(first.typedData?.primaryType).toBe("GeoOp")
            expect(first.typedData?.domain["verifyingContract"]).toBe(delegate.toLowerCase())
            const { geoOpToken } = first
            const typed = { geoOpToken, signature: await signTyped(account, first.typedData) }
            const { swapId } = ok(await call(running, "/swap/submit", typed))
            // The same operation in its other form is the same swap.
            const other = { geoOpToken, signature: await personal(account, first) }
            expect(ok(await call(running, "/swap/submit", other)).swapId).toBe(swapId)
            await expectSettled(setup, swapId)
            expect(ok(await call(running, path)).delegated).toBe(true)

            for (const form of ["typed", "message"]) {
              const built = ok(await build(running, request, "delegation"))
              const signature = await (form === "typed"
                ? signTyped(account, built.typedData)
                : personal(account, built))
              const later = ok(await call(running, "/swap/submit", { geoOpToken: built.geoOpToken, signature }))
              await expectSettled(setup, later.swapId)
            }

            // A caller who does not name a method sees the document's response.
            const { geoQuoteToken } = ok(await call(running, "/swap/quote", request))
            const plain = ok(await call(running, "/swap/build-geo-op", { geoQuoteToken }))
            expect(Object.keys(plain).toSorted()).toEqual(["geoOp", "geoOpHash", "geoOpToken"])
            const signature = await personal(account, plain)
            const last = ok(await call(running, "/swap/submit", { geoOpToken: plain.geoOpToken, signature }))
            await expectSettled(setup, last.swapId)
          }
        ),
      timeout
    )
  })
})
