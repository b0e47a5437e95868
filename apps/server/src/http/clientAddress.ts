/** The network address that rate limits count a client by, from its connection or from `X-Forwarded-For`. */
import { isIP } from "node:net"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"

/** The eight groups of an IPv6 address, which a URL writes in one way alone. */
const groupsOf = (address: string): ReadonlyArray<string> => {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [left = [], right = []] = text.split("::").map((part) => part.split(":").filter((group) => group !== ""))
  return [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right]
}

/** IPv4 addresses as IPv6 has them. */
const mapped = /^0 0 0 0 0 ffff /

/** What an address is counted as: IPv4 as it is, of IPv6 the 64 bits that one customer has. */
const limitKey = (text: string): string | undefined => {
  // A zone is a matter of this machine.
  const [address = ""] = text.split("%")
  const version = isIP(address)
  if (version === 4) return address
  if (version === 0) return undefined
  const groups = groupsOf(address)
  if (!mapped.test(groups.join(" "))) return `${groups.slice(0, 4).join(":")}::/64`
  const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return bytes.flatMap((pair) => [pair >> 8, pair & 255]).join(".")
}

/** Some proxies write a port behind the address. */
const withoutPort = (entry: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(entry)?.[1] ?? entry

/** Whoever has no address that could be read. */
const unknownClient = "unknown"

/**
 * The name under which a client is counted. Every trusted proxy adds one entry to `X-Forwarded-For`, so that the one of
 * the outermost of them is that many from the right; what is left of it was written by the client.
 */
export const clientAddress = (
  { headers, remoteAddress }: Pick<HttpServerRequest, "headers" | "remoteAddress">,
  trustedProxies: number
): string => {
  const peer = Option.getOrElse(remoteAddress, () => "")
  if (trustedProxies === 0) return limitKey(peer) ?? unknownClient
  const entries = (headers["x-forwarded-for"] ?? "").split(",").map((entry) => entry.trim())
  const entry = entries[Math.max(0, entries.length - trustedProxies)] ?? ""
  return limitKey(withoutPort(entry)) ?? limitKey(peer) ?? unknownClient
}
