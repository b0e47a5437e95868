/** viem's accounts, as far as the program uses them, whose signatures are recorded. See `recordSignatures.ts`. */
import { appendFileSync } from "node:fs"
import type * as Accounts from "viem/accounts"
import { recording } from "./adversary/signatures.ts"

const real = (await import(new URL(import.meta.url).searchParams.get("real") ?? "")) as typeof Accounts

const { GEOSWAP_TEST_HOLD_SIGNATURE: holds, GEOSWAP_TEST_SIGNATURES: file = "" } = process.env

const asText = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value)

export const { privateKeyToAddress } = real

export const privateKeyToAccount: typeof Accounts.privateKeyToAccount = (...input) => {
  const account = recording(real.privateKeyToAccount(...input), (signed) =>
    appendFileSync(file, `${JSON.stringify({ at: Date.now(), signed }, asText)}\n`)
  )
  if (holds === undefined) return account
  const signTypedData: typeof account.signTypedData = async (data) => {
    await account.signTypedData(data)
    appendFileSync(`${file}.held`, "held")
    return new Promise(() => undefined)
  }
  return { ...account, signTypedData }
}
