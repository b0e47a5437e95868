/** Faults for the scripted signers. */
import { SignerError } from "../SwapError.js"

/** What happens before or instead of a signer's normal behavior. */
export type SignerFault =
  | { readonly type: "pass" }
  /** Rejects with this error. */
  | { readonly type: "reject"; readonly error: Error }
  /** Waits, then behaves normally. */
  | { readonly type: "delay"; readonly millis: number }
  /** Never responds. */
  | { readonly type: "hang" }

/** Behaves normally. Useful between other faults. */
export const pass: SignerFault = { type: "pass" }

/** Never responds, as if the user ignored the wallet's prompt. */
export const hang: SignerFault = { type: "hang" }

/** Waits, as if the user took that long to confirm, then behaves normally. */
export const delay = (millis: number): SignerFault => ({ type: "delay", millis })

/** Declines to sign, as if the user had declined in the wallet. */
export const decline = (message = "The user declined to sign."): SignerFault => ({
  type: "reject",
  error: new SignerError({ reason: "rejected", message })
})

/** Fails, as if the wallet or the key service did not work. */
export const fail = (message = "The signer does not work."): SignerFault => ({
  type: "reject",
  error: new SignerError({ reason: "failed", message })
})

/** Rejects with any error, for example the error of your own wallet library. */
export const reject = (error: Error): SignerFault => ({ type: "reject", error })
