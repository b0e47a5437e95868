import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

/** Lists everything that a built file imports, including through its own files. */
const loaded = (entry: string) => {
  const files = new Set<string>()
  const packages = new Set<string>()
  const follow = (file: URL) => {
    if (files.has(file.href)) return
    files.add(file.href)
    const text = readFileSync(file, "utf8")
    for (const [, specifier = ""] of text.matchAll(/^(?:import|export)\b[^;]*?["']([^"']+)["'];?$/gm)) {
      if (specifier.startsWith(".")) follow(new URL(specifier, file))
      else packages.add(specifier)
    }
  }
  follow(new URL(`../../dist/${entry}.js`, import.meta.url))
  return { files: [...files].map((file) => file.split("/dist/")[1]), packages: [...packages].toSorted() }
}

describe("the built package", () => {
  it("imports neither React nor TanStack Query in the query entry", () => {
    const { files, packages } = loaded("query")
    expect(packages).toEqual(["@geoswap/core", "@geoswap/core/promise"])
    expect(files).toContain("form/parseForm.js")
    expect(files).not.toContain("useQuote.js")
  })

  it("imports only core, React and TanStack Query in the main entry", () => {
    const { packages } = loaded("index")
    expect(packages).toEqual(["@geoswap/core", "@geoswap/core/promise", "@tanstack/react-query", "react"])
  })

  it("is marked with use client", () => {
    const index = readFileSync(new URL("../../dist/index.js", import.meta.url), "utf8")
    expect(index).toMatch(/^"use client"/)
  })
})
