/** Matches a request's path: exact paths first, then patterns. */

/** A path with its methods. `:name` matches one segment. */
export interface Path<A> {
  readonly path: string
  /** The path's name in logs, traces and metrics (default: the path itself). */
  readonly name?: string
  /** Whether only pages from the same origin may use the path. */
  readonly sameOrigin?: boolean
  readonly methods: ReadonlyMap<string, A>
}

export interface PathMatch<A> {
  readonly path: Path<A>
  readonly params: Readonly<Record<string, string>>
  /** The query string, without the question mark. */
  readonly query: string
}

/**
 * Decodes a segment. A segment with an invalid encoding is left unchanged, and the code that reads the segment rejects
 * it.
 */
const decode = (part: string): string => {
  if (!part.includes("%")) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * Converts a request target to its origin form, because a server must also accept the absolute form (RFC 9112 §3.2.2).
 */
const originForm = (target: string): string => {
  if (target.startsWith("/")) return target
  const [, rest] = /^https?:\/\/[^/?#]+(.*)$/i.exec(target) ?? []
  return rest === undefined || rest.startsWith("/") ? (rest ?? target) : `/${rest}`
}

/** The name of a path in logs, traces and metrics. */
export const nameOf = ({ name, path }: Path<unknown>): string => name ?? path

const noParams: Readonly<Record<string, string>> = {}

/** Creates a matcher. Paths are not normalized. */
export const makeMatcher = <A>(paths: ReadonlyArray<Path<A>>): ((target: string) => PathMatch<A> | undefined) => {
  const exact = new Map(paths.filter(({ path }) => !path.includes(":")).map((path) => [path.path, path]))
  const patterns = paths.filter(({ path }) => path.includes(":")).map((path) => ({ path, parts: path.path.split("/") }))

  return (target) => {
    const url = originForm(target)
    const mark = url.indexOf("?")
    const pathname = mark === -1 ? url : url.slice(0, mark)
    const query = mark === -1 ? "" : url.slice(mark + 1)
    const path = exact.get(pathname)
    if (path !== undefined) return { path, params: noParams, query }
    const segments = pathname.split("/")
    for (const { parts, path } of patterns) {
      if (parts.length !== segments.length) continue
      if (!parts.every((part, index) => part.startsWith(":") || part === segments[index])) continue
      const params: Record<string, string> = {}
      for (const [index, part] of parts.entries()) {
        if (part.startsWith(":")) params[part.slice(1)] = decode(segments[index] ?? "")
      }
      return { path, params, query }
    }
    return undefined
  }
}

/** The value of `Allow`. HEAD is allowed if GET is allowed, and OPTIONS is always allowed. */
export const allowedMethods = ({ methods }: Path<unknown>): string =>
  [...methods.keys(), ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")
