/** The host names that a server serves, which keeps pages of other sites from reading it through DNS rebinding. */

import type { Options } from "./NodeHttp.js"

const loopback = ["localhost", "127.0.0.1", "[::1]"]

/** Whether a server listens only on this machine. */
const isLoopback = (host: string) => /^(localhost|127(\.\d+){3}|::1)$/.test(host)

/** Returns the host name in a `Host` header, without the port. */
const nameIn = (header: string) =>
  /^[^\s/?#@\\]+$/.test(header) && URL.canParse(`http://${header}`) ? new URL(`http://${header}`).hostname : undefined

/**
 * Returns a function that checks a `Host` header. On this machine, only loopback names and the configured names are
 * served: a page of another site can resolve its own name to this machine, but it cannot change the header.
 */
export const makeHostCheck = ({ host, hosts }: Options): ((header: string) => boolean) => {
  if (hosts === undefined && !isLoopback(host)) return () => true
  const served = new Set([...loopback, host, ...(hosts ?? [])])
  return (header) => served.has(nameIn(header) ?? "")
}
