/** The network address by which a client is rate-limited, taken from its connection or from `X-Forwarded-For`. */
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as NetAddress from "effect/net/NetAddress"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/**
 * The rate-limit key for an address: a full IPv4 address, or the /64 prefix of an IPv6 address, which usually belongs
 * to one customer.
 */
const limitKey = (text: string) => {
  // An IPv6 zone has a meaning only on this machine, so it is removed.
  const parsed = NetAddress.ipFromString(text.replace(/%.*/, ""))
  if (Result.isFailure(parsed)) return undefined
  const address = NetAddress.toCanonical(parsed.success)
  if (NetAddress.isIpv4Address(address)) return NetAddress.formatIp(address)
  const prefix = NetAddress.ipv6ToSegments(address).slice(0, 4)
  return `${prefix.map((segment) => segment.toString(16)).join(":")}::/64`
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
