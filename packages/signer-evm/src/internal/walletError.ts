/** Turns what a wallet throws into a `SignerError`. No object of the wallet is kept. */
import { Signer, SwapError } from "@geoswap/core"

type Reason = SwapError.SignerError["reason"]

export const signerError = (reason: Reason, message: string): SwapError.SignerError =>
  new SwapError.SignerError({ reason, message })

/** Collects the codes of an error and of the errors that it wraps. */
const codesOf = (thrown: unknown, depth = 8): ReadonlyArray<unknown> => {
  if (typeof thrown !== "object" || thrown === null || depth === 0) return []
  const { cause, code, data, originalError } = thrown as Readonly<Record<string, unknown>>
  return [code, ...[cause, data, originalError].flatMap((inner) => codesOf(inner, depth - 1))]
}

/** The codes of EIP-1193, WalletConnect and ethers, and of wallets that send the number as a string. */
const rejected = [4001, 5000, "ACTION_REJECTED", "4001"]

/** The reason and message for each code of EIP-1193 and JSON-RPC. */
const meanings: ReadonlyArray<
  readonly [codes: ReadonlyArray<number>, reason: Reason, message: (address: string) => string]
> = [
  [[4100], "failed", (address) => `is not connected to account ${address}. Connect it in the wallet, then try again.`],
  [[4200, -32601], "incapable", () => "does not support the method that is needed to sign. Use another wallet."],
  [[4900, 4901], "failed", () => "is disconnected. Reconnect it, then try again."],
  [[-32002], "failed", () => "already has an open request. Answer it in the wallet, then try again."]
]

/** Describes what a wallet threw. Codes are read only behind JSON-RPC. Reading the thrown value may throw too. */
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
      // The properties threw: core describes what it can.
    }
    return Signer.failure(who, thrown)
  }
