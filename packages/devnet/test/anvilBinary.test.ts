import { describe, expect, it } from "vitest"
import { anvilMissing, anvilPackage } from "../src/internal/evm/anvilBinary.js"

describe("anvilBinary", () => {
  it("finds Foundry's package for the platform if there is one", () => {
    expect(anvilPackage("linux", "x64")).toBe("@foundry-rs/anvil-linux-amd64")
    expect(anvilPackage("darwin", "arm64")).toBe("@foundry-rs/anvil-darwin-arm64")
    expect(anvilPackage("linux", "riscv64")).toBeUndefined()
    expect(anvilPackage("win32", "x64")).toBeUndefined()
  })

  it("explains how to install anvil if it is missing", () => {
    const { message, package: name } = anvilMissing("anvil")
    expect(name).toBe(anvilPackage(process.platform, process.arch))
    expect(message).toContain("anvil is not on the PATH")
    expect(message).toContain("foundryup")
    expect(message).toContain("anvil option")
  })
})
