/** Finds what a request is for: exact paths first, then those with parameters. */

/** One path with its methods; `:name` stands for one part of it. */
export interface Path<A> {
  readonly path: string
  /** What logs, traces and metrics call it, where it is one of many; the path itself where absent. */
  readonly name?: string
  /** Only for a page of this very origin: there is nothing to say to those of others. */
  readonly sameOrigin?: boolean
  readonly methods: ReadonlyMap<string, A>
}

export interface PathMatch<A> {
  readonly path: Path<A>
  readonly params: Readonly<Record<string, string>>
  /** Without the question mark. */
  readonly query: string
}

/** A part of a path that is not well encoded stays as it is: whoever reads it refuses it. */
const decode = (part: string): string => {
  if (!part.includes("%")) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** RFC 9112 §3.2.2: a server takes the absolute form as well. */
const originForm = (target: string): string => {
  if (target.startsWith("/")) return target
  const [, rest] = /^https?:\/\/[^/?#]+(.*)$/i.exec(target) ?? []
  return rest === undefined || rest.startsWith("/") ? (rest ?? target) : `/${rest}`
}

/** What logs, traces and metrics call a path. */
export const nameOf = ({ name, path }: Path<unknown>): string => name ?? path

const noParams: Readonly<Record<string, string>> = {}

/** A router of these paths. Nothing is folded or guessed: a path is as it was sent, or unknown. */
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

/** The value of `Allow`. Whoever can be read can be looked at, and everybody can be asked. */
export const allowedMethods = ({ methods }: Path<unknown>): string =>
  [...methods.keys(), ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")
