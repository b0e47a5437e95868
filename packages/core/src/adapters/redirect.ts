/** Refuses redirects. Following one would send the request, and the key in its headers or its URL, to another host. */

/** A server returned a redirect. The message names the host, without the path, which may contain a key. */
export class RedirectError extends Error {
  override readonly name = "RedirectError"
  constructor(host: string) {
    super(`${host} returned a redirect, which is not followed. Use the URL that it redirects to.`)
  }
}

/** Whether an HTTP status is a redirect. */
export const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** Returns a `fetch` that rejects with a `RedirectError` instead of following a redirect. */
export const refuseRedirects =
  <Input extends string | URL | Request>(fetch: (input: Input, init: RequestInit) => Promise<Response>) =>
  async (input: Input, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, { ...init, redirect: "manual" })
    const { redirected, status, type } = response
    // Browsers report a redirect as `opaqueredirect` with status 0. A replacement for `fetch` may follow it nevertheless.
    if (type !== "opaqueredirect" && !redirected && !isRedirect(status)) return response
    // Not awaited, because it does not matter when the connection closes.
    response.body?.cancel().catch(() => undefined)
    throw new RedirectError(new URL(typeof input === "object" && "url" in input ? input.url : input).host)
  }

/** Returns the redirect that caused an error, for libraries that wrap the errors of `fetch`. */
export const findRedirect = (error: unknown): RedirectError | undefined => {
  // A library's chain of causes is short.
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    if (cause instanceof RedirectError) return cause
  }
  return undefined
}

/**
 * Returns the `url` for the transport of `@solana/kit`, which has no option for redirects and passes `url` to `fetch`
 * unchanged. `fetch` takes the option from a `Request`. The transport reports a redirect as an HTTP error.
 */
export const urlWithoutRedirects = (url: string): string =>
  new Request(url, { redirect: "manual" }) as unknown as string
