/** The network address by which a client is rate-limited, taken from its connection or from `X-Forwarded-For`. */
import { isIP } from "node:net"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"

/** The eight groups of an IPv6 address, in the canonical form used in URLs. */
const groupsOf = (address: string): ReadonlyArray<string> => {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [left = [], right = []] = text.split("::").map((part) => part.split(":").filter((group) => group !== ""))
  return [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right]
}

/** Matches IPv4-mapped IPv6 addresses. */
const mapped = /^0 0 0 0 0 ffff /

/**
 * The rate-limit key for an address: a full IPv4 address, or the /64 prefix of an IPv6 address, which usually belongs
 * to one customer.
 */
const limitKey = (text: string) => {
  // An IPv6 zone has a meaning only on this machine, so it is removed.
  const [address = ""] = text.split("%")
  const version = isIP(address)
  if (version === 4) return address
  if (version === 0) return undefined
  const groups = groupsOf(address)
  if (!mapped.test(groups.join(" "))) return `${groups.slice(0, 4).join(":")}::/64`
  const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return bytes.flatMap((pair) => [pair >> 8, pair & 255]).join(".")
}

/** Removes the port, which some proxies append. */
const withoutPort = (entry: string) =>
  /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(entry)?.[1] ?? entry

/** The rate-limit key for clients whose address cannot be parsed. */
const unknownClient = "unknown"

/**
 * Returns the key by which a client is rate-limited. Each of the n trusted proxies appends an entry to
 * `X-Forwarded-For`, so the outermost proxy's entry is the nth from the right. The client may have written the entries
 * to the left of that one.
 */
export const clientAddress = (
  { headers, remoteAddress }: Pick<HttpServerRequest, "headers" | "remoteAddress">,
  trustedProxies: number
) => {
  const peer = Option.getOrElse(remoteAddress, () => "")
  if (trustedProxies === 0) return limitKey(peer) ?? unknownClient
  const entries = (headers["x-forwarded-for"] ?? "").split(",").map((entry) => entry.trim())
  const entry = entries[Math.max(0, entries.length - trustedProxies)] ?? ""
  return limitKey(withoutPort(entry)) ?? limitKey(peer) ?? unknownClient
}
