/** Reads a token's symbol and decimals through a wallet's provider. The service's word is never taken for them. */
import type { EvmSigner } from "@geoswap/signer-evm"

/** A token as its contract describes it, or why it could not be read. */
export type ReadToken =
  | { readonly symbol: string; readonly decimals: number }
  | { readonly problem: "network" | "not a token" }

const isHex = (value: unknown): value is string => typeof value === "string" && /^0x([0-9a-fA-F]{2})*$/.test(value)

/** Decodes the result of `decimals()`: one word of at most 255. */
const decimalsOf = (answer: unknown): number | undefined => {
  if (!isHex(answer) || answer.length !== 66) return undefined
  const value = BigInt(answer)
  return value <= 255n ? Number(value) : undefined
}

/** Decodes the result of `symbol()`: a string, or 32 bytes in old tokens. Only letters and digits are kept. */
const symbolOf = (answer: unknown): string => {
  if (!isHex(answer)) return ""
  const bytes = Uint8Array.from(answer.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  const length = bytes.length >= 64 ? Number(BigInt(`0x${answer.slice(66, 130)}`)) : 32
  const part = bytes.length >= 64 ? bytes.slice(64, 64 + Math.min(length, 32)) : bytes.slice(0, 32)
  return new TextDecoder()
    .decode(part)
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, 11)
}

/** Reads a token on the chain that the wallet is connected to. */
export const readToken = async (
  provider: EvmSigner.Requester,
  chainId: number,
  address: string
): Promise<ReadToken> => {
  if (Number(await provider.request({ method: "eth_chainId" })) !== chainId) return { problem: "network" }
  const call = (data: string) =>
    provider.request({ method: "eth_call", params: [{ to: address, data }, "latest"] }).catch(() => undefined)
  const decimals = decimalsOf(await call("0x313ce567"))
  const symbol = symbolOf(await call("0x95d89b41"))
  return decimals === undefined || symbol === "" ? { problem: "not a token" } : { symbol, decimals }
}
