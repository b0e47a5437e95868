/** What went wrong at the wallet, as one of our errors: words only, and none of the wallet's objects. */
import { Signer, SwapError } from "@geoswap/core"

type Reason = SwapError.SignerError["reason"]

export const signerError = (reason: Reason, message: string): SwapError.SignerError =>
  new SwapError.SignerError({ reason, message })

/** The number of an error and of those that it wraps, as EIP-1193 and JSON-RPC give them. */
const codesOf = (thrown: unknown, depth = 8): ReadonlyArray<unknown> => {
  if (typeof thrown !== "object" || thrown === null || depth === 0) return []
  const { cause, code, data, originalError } = thrown as Readonly<Record<string, unknown>>
  return [code, ...[cause, data, originalError].flatMap((inner) => codesOf(inner, depth - 1))]
}

/** EIP-1193, WalletConnect, ethers, and wallets that write the number as a text. */
const rejected = [4001, 5000, "ACTION_REJECTED", "4001"]

/** What the codes of EIP-1193 and JSON-RPC mean to whoever reads the error. */
const meanings: ReadonlyArray<
  readonly [codes: ReadonlyArray<number>, reason: Reason, message: (address: string) => string]
> = [
  [[4100], "failed", (address) => `has not connected the account ${address}. Connect it there, then try again.`],
  [[4200, -32601], "incapable", () => "does not offer what is needed to sign this. Use another wallet."],
  [[4900, 4901], "failed", () => "is disconnected. Connect it again, then try again."],
  [[-32002], "failed", () => "has a request open already. Answer it there, then try again."]
]

/** What a wallet threw, as one of our errors. Only behind JSON-RPC do codes mean this. ParsedSignature it may throw as well. */
export const walletError =
  ({ address, jsonRpc, who }: { readonly address: string; readonly jsonRpc: boolean; readonly who: string }) =>
  (thrown: unknown): SwapError.SignerError => {
    if (!jsonRpc) return Signer.failure(who, thrown)
    try {
      const codes = codesOf(thrown)
      if (rejected.some((code) => codes.includes(code))) return Signer.failure(who, { code: 4001 })
      const meaning = meanings.find(([known]) => known.some((code) => codes.includes(code)))
      if (meaning !== undefined) return signerError(meaning[1], `${who} ${meaning[2](address)}`)
    } catch {
      // Core tells what can be told.
    }
    return Signer.failure(who, thrown)
  }
