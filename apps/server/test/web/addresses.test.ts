import * as Headers from "effect/http/Headers"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import { clientAddress } from "../../src/http/clientAddress.js"

/** The key of a request from that address, with that `X-Forwarded-For`. */
const client = (peer: string | undefined, forwarded?: string, trustedProxies = forwarded === undefined ? 0 : 1) =>
  clientAddress(
    {
      headers: Headers.fromInput({ "x-forwarded-for": forwarded }),
      remoteAddress: Option.fromUndefinedOr(peer)
    },
    trustedProxies
  )

describe("clientAddress", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["0:0:0:0:0:FFFF:cb00:7107", "203.0.113.7"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:DB8:0:0:ffff:ffff:ffff:ffff", "2001:db8:0:0::/64"],
    ["2001:0db8:0000:0001::", "2001:db8:0:1::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["1:2:3:4:5:6:7::", "1:2:3:4::/64"]
  ])("counts a client at %s as %s", (address, counted) => expect(client(address)).toBe(counted))

  it.each([
    ["198.51.100.1", "198.51.100.1"],
    ["198.51.100.1:4711", "198.51.100.1"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["[2001:db8::1]", "2001:db8:0:0::/64"],
    ["[2001:db8::1]:4711", "2001:db8:0:0::/64"],
    ["203.0.113.1,\t198.51.100.1 ", "198.51.100.1"]
  ])("counts a client behind a proxy that writes %s as %s", (forwarded, counted) =>
    expect(client("10.0.0.1", forwarded)).toBe(counted)
  )

  it.each(["", " ", "unknown", "198.51.100", "198.51.100.256", "2001:db8:::1", "http://x", "198.51.100.1, "])(
    "behind a proxy that writes %j is as good as the proxy",
    (forwarded) => expect(client("10.0.0.1", forwarded)).toBe("10.0.0.1")
  )

  it("counts a client that bypassed a proxy by the first address that a proxy saw", () => {
    expect(client("10.0.0.1", "198.51.100.1", 2)).toBe("198.51.100.1")
    expect(client("10.0.0.1", "9.9.9.9, 198.51.100.1, 10.0.0.3", 2)).toBe("198.51.100.1")
  })

  it("counts all clients without an address as one", () => {
    expect(client(undefined)).toBe("unknown")
    expect(client(undefined, "nonsense")).toBe("unknown")
  })
})
