/** The programs that a transaction of GeoSwap may call, and the token accounts that it moves tokens between. */
import { SwapError } from "@geoswap/core"
import { type Address, getAddressEncoder, getProgramDerivedAddress } from "@solana/kit"
import * as Effect from "effect/Effect"

export const computeBudgetProgram = "ComputeBudget111111111111111111111111111111" as Address
export const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" as Address
export const token2022Program = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb" as Address
export const memoProgram = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr" as Address
export const lookupTableProgram = "AddressLookupTab1e1111111111111111111111111" as Address
const associatedTokenProgram = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL" as Address

/** The associated token account of an owner for a mint. */
export type TokenAccountOf = (owner: string, mint: string) => Effect.Effect<string, SwapError.SignerError>

const most = 32

/** Derives token accounts, and remembers the last few: deriving takes milliseconds, and a wallet needs the same again. */
export const makeTokenAccounts = (): TokenAccountOf => {
  const known = new Map<string, string>()
  return (owner, mint) =>
    Effect.suspend(() => {
      const name = `${owner} ${mint}`
      const found = known.get(name)
      if (found !== undefined) return Effect.succeed(found)
      return Effect.tryPromise({
        try: async () => {
          const bytes = getAddressEncoder()
          const seeds = [owner as Address, tokenProgram, mint as Address].map((seed) => bytes.encode(seed))
          const [account] = await getProgramDerivedAddress({ programAddress: associatedTokenProgram, seeds })
          for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - most + 1))) known.delete(oldest)
          known.set(name, account)
          return account
        },
        catch: () =>
          new SwapError.SignerError({
            reason: "failed",
            message: "The token accounts could not be derived: WebCrypto is missing, as on a page without https."
          })
      })
    })
}
