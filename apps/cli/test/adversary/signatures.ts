/** Records everything that an account signs, right above its private key. */
import type { LocalAccount } from "viem"

/** What was signed. `data` is the typed data as the account received it. */
export type Signed =
  | { readonly kind: "message"; readonly raw: string }
  | { readonly kind: "typedData"; readonly data: Readonly<Record<string, unknown>> }
  | { readonly kind: "authorization"; readonly chainId: number; readonly address: string; readonly nonce: number }
  | { readonly kind: "other"; readonly what: string }

const rawOf = (message: unknown): string =>
  typeof message === "object" && message !== null && "raw" in message ? String(message.raw) : `text ${String(message)}`

/** Returns an account that reports each signature before it is made. */
export const recording = <A extends LocalAccount>(account: A, report: (signed: Signed) => void): A => {
  const copy: LocalAccount = {
    ...account,
    signMessage: (input) => {
      report({ kind: "message", raw: rawOf(input.message) })
      return account.signMessage(input)
    },
    signTypedData: (input) => {
      report({ kind: "typedData", data: input as unknown as Readonly<Record<string, unknown>> })
      return account.signTypedData(input)
    },
    signAuthorization: (input) => {
      const address = String("address" in input ? input.address : input.contractAddress)
      report({ kind: "authorization", chainId: input.chainId, address, nonce: input.nonce })
      if (account.signAuthorization === undefined) throw new Error("The account cannot sign authorizations.")
      return account.signAuthorization(input)
    },
    signTransaction: (...input) => {
      report({ kind: "other", what: "transaction" })
      return account.signTransaction(...input)
    },
    sign: (input) => {
      report({ kind: "other", what: `hash ${input.hash}` })
      if (account.sign === undefined) throw new Error("The account cannot sign hashes.")
      return account.sign(input)
    }
  }
  return copy as A
}
