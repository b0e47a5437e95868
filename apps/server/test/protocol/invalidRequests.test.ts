import { describe, layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as evm from "../stack/evm.js"
import { devnetLayer, type Running, serve } from "../stack/stack.js"

/** Cases that only the real service can reject, each with its response and a phrase of the message. */
const invalidQuotes = ({ evmA, evmB, evmWallets, solana }: Devnet.Devnet) => {
  const good = {
    originChain: evmA.id,
    destinationChain: evmB.id,
    inputToken: evm.tokenOf(evmA, "USDC"),
    outputToken: evm.tokenOf(evmB, "WETH"),
    amount: "10000000",
    walletAddress: evmWallets[0]?.address ?? ""
  }
  const quotes: ReadonlyArray<readonly [name: string, body: object, status: number, code: string, says: string]> = [
    ["an unsupported origin", { originChain: 1 }, 422, "NO_ROUTE", "Chain 1 is not supported"],
    ["an unsupported destination", { destinationChain: 5 }, 422, "NO_ROUTE", "Chain 5 is not supported"],
    ["a token that is not listed", { inputToken: `0x${"12".repeat(20)}` }, 422, "NO_ROUTE", "is not supported on"],
    ["the native token as input", { inputToken: `0x${"00".repeat(20)}` }, 400, "VALIDATION", "inputToken"],
    ["a Solana wallet on an EVM chain", { walletAddress: solana.contracts.vault }, 400, "VALIDATION", "walletAddress"],
    ["an EVM recipient on Solana", { destinationChain: solana.id }, 400, "VALIDATION", "outputToken"],
    [
      "no recipient on another family",
      { destinationChain: solana.id, outputToken: evm.tokenOf(solana, "USDC") },
      400,
      "VALIDATION",
      "recipient"
    ],
    ["the zero address as recipient", { recipient: `0x${"00".repeat(20)}` }, 400, "VALIDATION", "recipient"],
    ["our vault as recipient", { recipient: evmB.contracts.vault }, 400, "VALIDATION", "recipient"],
    ["a token as recipient", { recipient: evm.tokenOf(evmB, "USDC") }, 400, "VALIDATION", "recipient"],
    ["our vault as wallet", { walletAddress: evmA.contracts.vault }, 400, "VALIDATION", "walletAddress"],
    [
      "the same token on the same chain",
      { destinationChain: evmA.id, outputToken: good.inputToken },
      400,
      "VALIDATION",
      "outputToken"
    ],
    ["more than the wallet has", { amount: "999000000000" }, 422, "INSUFFICIENT_BALANCE", "USDC"],
    ["less than the network costs", { amount: "1" }, 422, "NEEDS_LARGER_SIZE", "at least"]
  ]
  return quotes.map(([name, body, ...answer]) => ({ name, body: { ...good, ...body }, answer }))
}

const ask = async ({ apiKeys, url }: Running, path: string, body?: object) => {
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": apiKeys[0], ...(body !== undefined && { "content-type": "application/json" }) },
    body: body === undefined ? null : JSON.stringify(body)
  })
  return { status: response.status, ...((await response.json()) as { code: string; message: string }) }
}

describe("service on a devnet", () => {
  layer(devnetLayer, { timeout: 240_000, excludeTestServices: true })((it) => {
    it.effect(
      "answers every invalid request with what to fix",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const running = yield* serve(devnet)
          yield* Effect.promise(async () => {
            for (const { answer, body, name } of invalidQuotes(devnet)) {
              const { code, message, status } = await ask(running, "/swap/quote", body)
              expect([name, status, code]).toEqual([name, answer[0], answer[1]])
              expect(message).toContain(answer[2])
            }
            const delegations = [
              [`chainId=1&walletAddress=${devnet.evmWallets[0]?.address}`, "chainId"],
              [`chainId=${devnet.evmA.id}&walletAddress=${devnet.solana.contracts.vault}`, "walletAddress"]
            ]
            for (const [query, field] of delegations) {
              const { code, message, status } = await ask(running, `/swap/delegation?${query}`)
              expect([status, code, message.startsWith(`${field}:`)]).toEqual([400, "VALIDATION", true])
            }
            const withExtras = {
              ...invalidQuotes(devnet)[0]?.body,
              originChain: devnet.evmA.id,
              unknown: { deep: [1] }
            }
            expect(await ask(running, "/swap/quote", withExtras)).toMatchObject({ status: 200, origin: "evm" })
          })
        }),
      240_000
    )
  })
})
