/** Compares what is expected of an EVM network with one of its nodes. */
import { hashPermit2Domain, keccak256, type NodeError, type RpcCall } from "@geoswap/core/adapters"
import { Permit2 } from "@geoswap/contracts"
import * as Effect from "effect/Effect"
import { decodeAbiParameters, hexToString, isHex } from "viem"
import { domainSeparator } from "./domainSeparator.js"
import type { Expectations } from "./expectations.js"

type Token = Expectations["tokens"][number]
type Problems = Effect.Effect<ReadonlyArray<string>, NodeError>

const selectors = { decimals: "0x313ce567", symbol: "0x95d89b41", DOMAIN_SEPARATOR: "0x3644e515" } as const
type Getter = keyof typeof selectors

/** Whether a node refused a call because the contract reverted. */
const reverted = ({ code, details }: NodeError): boolean => code === 3 || /revert/i.test(details)

/** Decodes a string. Some older tokens return 32 bytes instead. */
const textOf = (data: `0x${string}`): string | undefined => {
  try {
    if (data.length === 66) return hexToString(data, { size: 32 })
    return decodeAbiParameters([{ type: "string" }], data)[0]
  } catch {
    return undefined
  }
}

/** Returns the problems with a network, according to a node. */
export const verifyEvm = (expected: Expectations, call: RpcCall): Problems =>
  Effect.gen(function* () {
    const { id, permit2, priceFeeds, tokens } = expected
    const chainId = Number(yield* call("eth_chainId", []))
    if (chainId !== id) return [`expected chain id ${id}, got ${chainId}.`]

    /** Calls a function without parameters. Returns `undefined` if the contract has no such function. */
    const ask = (address: string, getter: Getter) =>
      call("eth_call", [{ to: address, data: selectors[getter] }, "latest"]).pipe(
        Effect.catchIf(reverted, () => Effect.succeed("0x")),
        Effect.map((data) => (isHex(data) && data.length >= 66 ? data : undefined))
      )

    const codeAt = Effect.fnUntraced(function* (address: string, what: string) {
      const code = yield* call("eth_getCode", [address, "latest"])
      return typeof code === "string" && code.length > 2 ? undefined : `${what}: there is no contract at ${address}.`
    })

    const decimals = Effect.fnUntraced(function* (address: string, wanted: number, what: string) {
      const data = yield* ask(address, "decimals")
      const found = data === undefined ? "none" : `${BigInt(data)}`
      return found === `${wanted}` ? [] : [`${what}: expected ${wanted} decimals, got ${found}.`]
    })

    const separator = Effect.fnUntraced(function* (address: string, wanted: string | undefined, what: string) {
      if (wanted === undefined) return []
      const found = yield* ask(address, "DOMAIN_SEPARATOR")
      return found === wanted
        ? []
        : [`${what}: expected the EIP-712 domain separator ${wanted}, got ${found ?? "none"}.`]
    })

    const token = Effect.fnUntraced(function* (one: Token) {
      const { address, chainSymbol = one.symbol } = one
      const what = `${one.symbol} (${address})`
      const missing = yield* codeAt(address, one.symbol)
      if (missing !== undefined) return [missing]
      const data = yield* ask(address, "symbol")
      const found = data === undefined ? undefined : textOf(data)
      return [
        ...(yield* decimals(address, one.decimals, what)),
        ...(found === chainSymbol
          ? []
          : [`${what}: expected the symbol ${JSON.stringify(chainSymbol)}, got ${JSON.stringify(found ?? null)}.`]),
        ...(yield* separator(address, domainSeparator(one, id), what))
      ]
    })

    const feed = Effect.fnUntraced(function* ({ address, decimals: wanted, pair }: Expectations["priceFeeds"][number]) {
      const missing = yield* codeAt(address, `price feed ${pair}`)
      return missing === undefined ? yield* decimals(address, wanted, `price feed ${pair} (${address})`) : [missing]
    })

    const approvals = Effect.gen(function* () {
      const missing = yield* codeAt(Permit2.address, "Permit2")
      return missing === undefined
        ? yield* separator(Permit2.address, hashPermit2Domain(id, keccak256), "Permit2")
        : [missing]
    })

    const checks = [...tokens.map(token), ...priceFeeds.map(feed), ...(permit2 ? [approvals] : [])]
    return (yield* Effect.all(checks, { concurrency: 4 })).flat()
  })
