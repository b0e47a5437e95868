import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

/** All that a built file imports when it is loaded, its own files followed. */
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

describe("what is loaded", () => {
  it("with the query options is nothing of React, nor any part of TanStack Query", () => {
    const { files, packages } = loaded("query")
    expect(packages).toEqual(["@geoswap/core", "@geoswap/core/promise"])
    expect(files).toContain("form/parseForm.js")
    expect(files).not.toContain("useQuote.js")
  })

  it("with the hooks is not the code for layers, until a layer is used", () => {
    const { files, packages } = loaded("index")
    expect(packages).toEqual(["@geoswap/core", "@geoswap/core/promise", "@tanstack/react-query", "react"])
    expect(files).toContain("internal/lazyClient.js")
    expect(files).not.toContain("internal/layerClient.js")
    const lazy = readFileSync(new URL("../../dist/internal/lazyClient.js", import.meta.url), "utf8")
    expect(lazy).toContain('import("./layerClient.js")')
  })

  it("is marked as code for the client, for bundlers that tell servers apart", () => {
    const index = readFileSync(new URL("../../dist/index.js", import.meta.url), "utf8")
    expect(index).toMatch(/^"use client"/)
  })
})
