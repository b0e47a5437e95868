import { describe, layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import { expect } from "vitest"
import { clientOf } from "../stack/client.js"
import * as evm from "../stack/evm.js"
import { make, play, start, timeout, until } from "../stack/fixture.js"
import * as solana from "../stack/solana.js"
import { devnetLayer } from "../stack/stack.js"

const usdc = 1_000_000n
const count = 5

describe("swaps on Solana", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "that are in progress at the same time share the request for their statuses",
      () =>
        play(
          async (devnet) => {
            const wallets: Array<Awaited<ReturnType<typeof solana.newWallet>>> = []
            for (let made = 0; made < count; made++) wallets.push(await solana.newWallet(devnet, { USDC: 10n * usdc }))
            return { props: { wallets, recipient: (await solana.newWallet(devnet, {})).address } }
          },
          async ({ devnet, nodes, running }, { recipient, wallets }) => {
            const { solana: svm } = devnet
            const requests: Array<ReadonlyArray<unknown>> = []
            const record = Proxy.change((answer, [signatures]) => {
              requests.push(signatures as ReadonlyArray<unknown>)
              return answer
            })
            await make(nodes.solana.set("getSignatureStatuses", record))
            // No transaction is included while the chain is held.
            await make(svm.hold)
            const started = await Promise.all(
              wallets.map(async ({ address, keyPair }) =>
                start(await clientOf(devnet, running, { solana: keyPair }), {
                  originChain: svm.id,
                  destinationChain: svm.id,
                  inputToken: evm.tokenOf(svm, "USDC"),
                  outputToken: evm.tokenOf(svm, "WETH"),
                  amount: 10n * usdc,
                  walletAddress: address,
                  recipient
                })
              )
            )
            await until(() => requests.some(({ length }) => length === count))
            await make(svm.release)
            for (const { ended } of started) expect((await ended).status).toBe("settled")
          }
        ),
      timeout
    )
  })
})
