/** Derives associated token accounts. */
import { SwapError } from "@geoswap/core"
import { type Address, getAddressEncoder, getProgramDerivedAddress } from "@solana/kit"
import * as Effect from "effect/Effect"
import { associatedTokenProgram, tokenProgram } from "./programs.js"

/** Returns an owner's associated token account for a mint. */
export type TokenAccountOf = (owner: string, mint: string) => Effect.Effect<string, SwapError.SignerError>

const maxCached = 32

/** Derives token accounts and caches the last few, because each derivation takes milliseconds. */
export const makeTokenAccounts = (): TokenAccountOf => {
  const cached = new Map<string, string>()
  return (owner, mint) =>
    Effect.suspend(() => {
      const name = `${owner} ${mint}`
      const found = cached.get(name)
      if (found !== undefined) return Effect.succeed(found)
      return Effect.tryPromise({
        try: async () => {
          const bytes = getAddressEncoder()
          const seeds = [owner as Address, tokenProgram, mint as Address].map((seed) => bytes.encode(seed))
          const [account] = await getProgramDerivedAddress({ programAddress: associatedTokenProgram, seeds })
          for (const oldest of [...cached.keys()].slice(0, Math.max(0, cached.size - maxCached + 1)))
            cached.delete(oldest)
          cached.set(name, account)
          return account
        },
        catch: () =>
          new SwapError.SignerError({
            reason: "failed",
            message:
              "The token accounts could not be derived because WebCrypto is not available. In a web page, WebCrypto requires HTTPS."
          })
      })
    })
}
