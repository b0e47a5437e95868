/** The second version of the account, beside the first. */
import { describe, layer } from "@effect/vitest"
import type { Devnet } from "@geoswap/devnet"
import type { PrivateKeyAccount } from "viem"
import { expect } from "vitest"
import * as evm from "../../stack/evm.js"
import { play, timeout } from "../../stack/fixture.js"
import { devnetLayer } from "../../stack/stack.js"
import { type Body, build, call, ok, refused, requestOf, signTyped } from "../payments/client.js"
import { expectSettled, onOrigin } from "../payments/setup.js"
import { delegateTo, payer, tokenOf } from "../payments/wallets.js"

/** Makes the second version the one that new wallets delegate to. */
const withV2 = async (devnet: Devnet.Devnet) => ({
  change: onOrigin(devnet, (chain) => ({ ...chain, accountV2: devnet.evmA.contracts.accountV2 })),
  props: undefined
})

const authorizationOf = async ({ evmA }: Devnet.Devnet, account: PrivateKeyAccount, address: string) => {
  const nonce = await evm.reader(evmA).getTransactionCount({ address: account.address })
  const signed = await account.signAuthorization({ address: address as `0x${string}`, chainId: evmA.id, nonce })
  const { r, s, yParity } = signed
  return { chainId: evmA.id, address, nonce, r, s, yParity }
}

const personal = (account: PrivateKeyAccount, { geoOpHash }: Body) =>
  account.signMessage({ message: { raw: geoOpHash } })

describe("account v2", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "is what new wallets delegate to, and its operations are signed as typed data or with personal_sign",
      () =>
        play(withV2, async (setup) => {
          const { devnet, running } = setup
          const { accountV2 } = devnet.evmA.contracts
          const account = await payer(devnet)
          const path = `/swap/delegation/${devnet.evmA.id}/${account.address}`
          expect(ok(await call(running, path)).delegationTarget?.toLowerCase()).toBe(accountV2.toLowerCase())
          const request = requestOf(devnet, account.address, tokenOf(devnet.evmA, "USDC"))

          const authorization = await authorizationOf(devnet, account, accountV2)
          const first = ok(await build(running, request, "delegation", { authorization }))
          expect(first.typedData?.primaryType).toBe("GeoOp")
          expect(first.typedData?.domain["verifyingContract"]).toBe(accountV2.toLowerCase())
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
            const signature = await (form === "typed" ? signTyped(account, built.typedData) : personal(account, built))
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
        }),
      timeout
    )

    it.effect(
      "leaves wallets that are delegated to v1 as they are",
      () =>
        play(withV2, async (setup) => {
          const { devnet, running } = setup
          const account = await payer(devnet)
          await delegateTo(devnet, account, devnet.evmA.contracts.account)
          const path = `/swap/delegation/${devnet.evmA.id}/${account.address}`
          const state = ok(await call(running, path))
          expect([state.delegated, state.delegationTarget]).toEqual([true, undefined])
          const request = requestOf(devnet, account.address, tokenOf(devnet.evmA, "USDC"))
          const built = ok(await build(running, request, "delegation"))
          expect(built.typedData).toBeUndefined()
          const raw = await account.sign({ hash: built.geoOpHash })
          refused(
            await call(running, "/swap/submit", { geoOpToken: built.geoOpToken, signature: raw }),
            422,
            "INVALID_SIGNATURE"
          )
          const signature = await personal(account, built)
          const { swapId } = ok(await call(running, "/swap/submit", { geoOpToken: built.geoOpToken, signature }))
          await expectSettled(setup, swapId)
          // A new wallet may still authorize the first version.
          const fresh = await payer(devnet)
          const authorization = await authorizationOf(devnet, fresh, devnet.evmA.contracts.account)
          const other = requestOf(devnet, fresh.address, tokenOf(devnet.evmA, "USDC"))
          const first = ok(await build(running, other, "delegation", { authorization }))
          expect(first.typedData).toBeUndefined()
          const signed = { geoOpToken: first.geoOpToken, signature: await personal(fresh, first) }
          await expectSettled(setup, ok(await call(running, "/swap/submit", signed)).swapId)
        }),
      timeout
    )

    it.effect(
      "works for a wallet that is delegated to it without any configuration, because the vault knows it",
      () =>
        play(
          async () => ({ props: undefined }),
          async (setup) => {
            const { devnet, running } = setup
            const account = await payer(devnet)
            await delegateTo(devnet, account, devnet.evmA.contracts.accountV2)
            const request = requestOf(devnet, account.address, tokenOf(devnet.evmA, "USDC"))
            const built = ok(await build(running, request, "delegation"))
            const signature = await signTyped(account, built.typedData)
            const { swapId } = ok(await call(running, "/swap/submit", { geoOpToken: built.geoOpToken, signature }))
            await expectSettled(setup, swapId)
          }
        ),
      timeout
    )
  })
})
