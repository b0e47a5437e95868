/**
 * Checks that the tree contains no registry names, machine-specific paths, unfinished work, clients that follow redirects
 * or relative imports of other packages, and that its text is plain English.
 */
import { posix } from "node:path"
import { read, type Report, sourceFiles } from "../workspace.ts"
import { findPhrases } from "./phrases.ts"

interface Rule {
  readonly pattern: RegExp
  readonly message: string
  /** If present, only files whose path matches are checked. */
  readonly only?: RegExp
}

// The patterns are written so that they do not match themselves.
const rules: ReadonlyArray<Rule> = [
  { pattern: /\b(npm[j]s|yarn[p]kg|npm[m]irror|unp[k]g|jsr\.i[o])\b/i, message: "names a registry" },
  { pattern: /\bregistry\.[a-z0-9-]+\.[a-z]{2,}/i, message: "names a registry" },
  { pattern: /\b(npm\.pkg\.githu[b]|pkgs\.dev\.azur[e]|jfrog\.i[o])/i, message: "names a registry" },
  { pattern: /(?<![\w.:/@-])\/(?:work|root|home|tmp|Users|var\/folders)\//, message: "is a machine-specific path" },
  { pattern: /\b[A-Z]:\\Users\\/, message: "is a machine-specific path" },
  { pattern: /\b(TOD[O]|FIXM[E]|XX[X]|HAC[K])\b/, message: "is unfinished work. Finish it, or open an issue" },
  {
    pattern: /\b(tarball|resolved|registry):|"(tarball|resolved|registry)"/,
    message: "is a URL in a lockfile",
    only: /(^|\/)(pnpm-lock\.yaml|package-lock\.json|npm-shrinkwrap\.json)$/
  },
  {
    // By default, viem and kit follow redirects.
    pattern: /\bhttp\((?!s\)|.*\bfetchFn\b)|\bcreateSolanaRpc\(|\bcreateDefaultRpcTransport\((?!.*urlWithoutRedirects)/,
    message: "follows redirects. Use refuseRedirects or urlWithoutRedirects from @geoswap/core/adapters",
    only: /^(packages\/(core|service|signer-\w+|tools|transport-fetch)|apps\/(cli|server))\/src\//
  },
  {
    pattern: /^\s*(@[\w-]+:)?registry\s*[=:]/,
    message: "sets a registry",
    only: /(^|\/)(\.npmrc|pnpm-workspace\.yaml)$/
  }
]

/**
 * The files outside of a package that its tests import, because their package depends on the tested one: the embedded
 * database, on which the executor runs, the chain on which the contracts run, and the digest of an operation.
 */
const borrowed: ReadonlyArray<readonly [from: string, target: string]> = [
  ["packages/service/test/", "apps/server/src/storage/"],
  ["packages/contracts/test/", "packages/devnet/src/internal/"],
  ["packages/service/test/chains/evm/", "packages/devnet/test/evm.js"]
]

const packageOf = (path: string): string | undefined => /^(?:packages|apps)\/[^/]+/.exec(path)?.[0]

/** Finds relative imports that leave the package of a file. All packages may import `tooling`. */
const findForeignImports = (path: string, text: string): ReadonlyArray<string> => {
  const home = packageOf(path)
  if (home === undefined || !/\.tsx?$/.test(path)) return []
  return [...text.matchAll(/(?:\bfrom|^import|\bimport\() ?"(\.\.?\/[^"]+)"/gm)].flatMap(
    ({ 1: specifier = "", index }) => {
      const target = posix.join(posix.dirname(path), specifier)
      const isAllowed =
        target.startsWith(`${home}/`) ||
        target.startsWith("tooling/") ||
        borrowed.some(([from, to]) => path.startsWith(from) && target.startsWith(to))
      const line = text.slice(0, index).split("\n").length
      return isAllowed
        ? []
        : [`${path}:${line}: "${specifier}" leaves the package. Import an entry point of its package`]
    }
  )
}

/** Returns the problems in one file, each with its line. */
export const inspect = (path: string, text: string): ReadonlyArray<string> => [
  ...text.split("\n").flatMap((line, index) =>
    rules.flatMap(({ message, only, pattern }) => {
      const found = only === undefined || only.test(path) ? pattern.exec(line) : null
      return found === null ? [] : [`${path}:${index + 1}: "${found[0].trim()}" ${message}`]
    })
  ),
  ...findForeignImports(path, text),
  ...findPhrases(path, text)
]

export const check = (): Report => {
  const files = sourceFiles()
  const problems = files.flatMap((path) => {
    const text = read(path)
    return text.includes("\0") ? [] : inspect(path, text)
  })
  return {
    problems,
    summary: `${files.length} files: no registries, no machine-specific paths, no unfinished work, no clients that follow redirects, no relative imports of other packages, plain English`
  }
}
