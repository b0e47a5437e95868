/** Turns what a wallet throws into a `SignerError`. The error keeps no objects from the wallet. */
import { Signer, SwapError } from "@geoswap/core"

type Reason = SwapError.SignerError["reason"]

export const signerError = (reason: Reason, message: string): SwapError.SignerError =>
  new SwapError.SignerError({ reason, message })

/** Collects the codes from an error and from the errors it wraps. */
const codesOf = (thrown: unknown, depth = 8): ReadonlyArray<unknown> => {
  if (typeof thrown !== "object" || thrown === null || depth === 0) return []
  const { cause, code, data, originalError } = thrown as Readonly<Record<string, unknown>>
  return [code, ...[cause, data, originalError].flatMap((inner) => codesOf(inner, depth - 1))]
}

/** The codes for a rejected request in EIP-1193, WalletConnect and ethers. Some wallets send the number as a string. */
const rejected = [4001, 5000, "ACTION_REJECTED", "4001"]

/** The reason and message for each EIP-1193 and JSON-RPC code. */
const meanings: ReadonlyArray<
  readonly [codes: ReadonlyArray<number>, reason: Reason, message: (address: string) => string]
> = [
  [
    [4100],
    "failed",
    (address) => `is not connected to account ${address}. Connect the account in the wallet, then try again.`
  ],
  [[4200, -32601], "incapable", () => "does not support the method required for signing. Use another wallet."],
  [
    [4902],
    "failed",
    () => "does not know the chain that the swap starts on. Add the chain in the wallet, then try again."
  ],
  [[4900, 4901], "failed", () => "is disconnected. Reconnect it, then try again."],
  [[-32002], "failed", () => "already has a pending request. Respond to it in the wallet, then try again."]
]

/**
 * Describes what a wallet threw. Error codes are read only for JSON-RPC wallets. Reading the thrown value may itself
 * throw.
 */
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
      // Reading a property threw an error. Core describes as much of the value as it can.
    }
    return Signer.failure(who, thrown)
  }
