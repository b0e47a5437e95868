/** Builds for wallets with many used nonces. */
import { layer } from "@effect/vitest"
import type { Devnet } from "@geoswap/devnet"
import { createTestClient, encodeAbiParameters, type Hex, http, keccak256, toHex } from "viem"
import { describe, expect } from "vitest"
import { clientOf } from "../../stack/client.js"
import * as evm from "../../stack/evm.js"
import { make, play, type Setup, start, timeout, usdcToWeth } from "../../stack/fixture.js"
import { answersOf } from "../../stack/requests.js"
import { devnetLayer } from "../../stack/stack.js"

const usdc = 1_000_000n
/** ERC-7201 of `geoswap.account`. */
const base = "0x863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000"
const full = 2n ** 256n - 1n

/** Writes words of a wallet's bitmap, as code of an earlier delegation could have done. */
const fill = async (chain: Devnet.EvmChain, address: Hex, words: ReadonlyArray<bigint>) => {
  const client = createTestClient({ mode: "anvil", transport: http(chain.rpcUrl) })
  for (const [word, bits] of words.entries()) {
    const index = keccak256(encodeAbiParameters([{ type: "uint256" }, { type: "bytes32" }], [BigInt(word), base]))
    await client.setStorageAt({ address, index, value: toHex(bits, { size: 32 }) })
  }
}

/** Builds an operation for a new quote of the wallet. */
const builder = async ({ devnet, running }: Setup, wallet: string) => {
  const client = await clientOf(devnet, running, {})
  const calls = answersOf(running.url, running.apiKeys[0])
  return async () => {
    const { geoQuoteToken } = await client.quote({
      ...usdcToWeth(devnet, wallet, wallet),
      walletAddress: wallet,
      amount: 10n * usdc
    })
    const { body, retryAfter, status } = await calls.post("/swap/build-geo-op", { geoQuoteToken })
    const { code, geoOp } = body as { readonly code?: string; readonly geoOp?: { readonly nonce: string } }
    return { status, code, retryAfter, nonce: geoOp?.nonce }
  }
}

const withWallet = (words: ReadonlyArray<bigint>) => async (devnet: Devnet.Devnet) => {
  const account = await evm.newDelegated(devnet, devnet.evmA, { USDC: 100n * usdc })
  await fill(devnet.evmA, account.address, words)
  return { props: account }
}

describe("build for a wallet with a full nonce bitmap", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "reads at most four bitmap words and answers 503, and the next build continues after them",
      () =>
        play(withWallet([full, full, full, full, full, full ^ (1n << 9n), 0n]), async (setup, account) => {
          const build = await builder(setup, account.address)
          const { evmA } = setup.nodes
          /** A build, and its requests to the chain. */
          const counted = async () => {
            const before = await make(evmA.calls("eth_getStorageAt"))
            const answer = await build()
            return { answer, words: (await make(evmA.calls("eth_getStorageAt"))) - before }
          }
          const first = await counted()
          expect(first.answer).toMatchObject({ status: 503, code: "UNAVAILABLE" })
          expect(Number(first.answer.retryAfter)).toBeGreaterThan(0)
          expect(first.words).toBe(4)
          const second = await counted()
          expect(second.answer).toMatchObject({ status: 200, nonce: `${5 * 256 + 9}` })
          expect(second.words).toBe(2)
          // No swap has the nonce, so the next build gets it too, and reads only one word.
          expect(await counted()).toMatchObject({ answer: { nonce: `${5 * 256 + 9}` }, words: 1 })
          await fill(setup.devnet.evmA, account.address, [full, full, full, full, full, full])
          const third = await counted()
          expect(third.answer).toMatchObject({ status: 200, nonce: `${6 * 256}` })
          expect(third.words).toBe(2)
          expect(await counted()).toMatchObject({ answer: { nonce: `${6 * 256 + 1}` }, words: 1 })
        }),
      timeout
    )

    it.effect(
      "gives parallel builds different nonces from separate bitmap words, and a swap with such a nonce settles",
      () =>
        play(withWallet([2n ** 250n - 1n]), async (setup, account) => {
          const build = await builder(setup, account.address)
          const before = await make(setup.nodes.evmA.calls("eth_getStorageAt"))
          const built = await Promise.all(Array.from({ length: 5 }, build))
          const nonces = built.map(({ nonce }) => Number(nonce)).toSorted((a, b) => a - b)
          expect(nonces).toEqual([250, 251, 252, 253, 254])
          expect((await make(setup.nodes.evmA.calls("eth_getStorageAt"))) - before).toBe(5)
          const client = await clientOf(setup.devnet, setup.running, { evm: account })
          const swap = await start(client, usdcToWeth(setup.devnet, account.address, evm.newAddress()))
          expect((await swap.ended).status).toBe("settled")
        }),
      timeout
    )
  })
})
