/** Ensures that a browser wallet's active chain is the chain in the typed data that it signs. */
import { Chain, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { ActiveChain } from "./wallet.js"
import { signerError } from "./walletError.js"

type Call = (ask: () => unknown) => Effect.Effect<unknown, SwapError.SignError>

/** Parses the response to `eth_chainId`. Some wallets return a number or a decimal string. */
export const parseChainId = (answer: unknown): number | undefined => {
  const chainId = typeof answer === "string" || typeof answer === "number" ? Number(answer) : undefined
  return Chain.isChainId(chainId) ? chainId : undefined
}

const readChain = (who: string, { read }: ActiveChain, call: Call): Effect.Effect<number, SwapError.SignError> =>
  Effect.flatMap(call(read), (answer) => {
    const chainId = parseChainId(answer)
    return chainId === undefined
      ? Effect.fail(signerError("failed", `${who} did not return the id of its active chain.`))
      : Effect.succeed(chainId)
  })

const wrongChain = (who: string, found: number, chainId: number, advice: string) =>
  signerError("failed", `${who} is connected to chain ${found}, but the swap starts on chain ${chainId}. ${advice}`)

/** Switches a wallet to a chain, unless that is its active chain, and checks the result. */
export const ensureActiveChain = Effect.fnUntraced(function* (
  who: string,
  wallet: ActiveChain,
  chainId: number,
  call: Call
): Effect.fn.Return<void, SwapError.SignError> {
  if ((yield* readChain(who, wallet, call)) === chainId) return
  yield* call(() => wallet.switchTo(chainId))
  const found = yield* readChain(who, wallet, call)
  if (found !== chainId) {
    return yield* wrongChain(who, found, chainId, "Nothing was signed. Switch the chain in the wallet, then try again.")
  }
})

/** Fails if a wallet's active chain has changed while the wallet was signing. */
export const confirmActiveChain = Effect.fnUntraced(function* (
  who: string,
  wallet: ActiveChain,
  chainId: number,
  call: Call
): Effect.fn.Return<void, SwapError.SignError> {
  const found = yield* readChain(who, wallet, call)
  if (found !== chainId) {
    return yield* wrongChain(who, found, chainId, "The signature was discarded. Try again.")
  }
})
