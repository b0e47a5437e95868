import type { SwapError } from "@geoswap/core"
import type * as ViemUtils from "viem/utils"
import { afterAll, afterEach, describe, expect, it, vi } from "vitest"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { account, alive, operation, tuple } from "./fixture.js"

const state = vi.hoisted(() => ({ broken: false }))

/** As a page whose lazy chunk is gone: every use of the curve rejects, whatever it should recover. */
vi.mock("viem/utils", async (original) => {
  const viem = await original<typeof ViemUtils>()
  const recoverAddress: typeof viem.recoverAddress = (input) =>
    state.broken
      ? Promise.reject(new TypeError("Failed to fetch dynamically imported module: https://page.example/curve-3f.js"))
      : viem.recoverAddress(input)
  return { ...viem, recoverAddress }
})

// Another file may have loaded the signer without the mock.
vi.resetModules()
const { EvmSigner } = await import("../src/index.js")

afterEach(() => {
  state.broken = false
})
afterAll(() => {
  vi.doUnmock("viem/utils")
  vi.resetModules()
})

describe("recovering the signer", () => {
  const signer = EvmSigner.fromAccount(account)

  it("reports that the curve cannot be loaded instead of a different key", async () => {
    state.broken = true
    const { signAuthorization, signOperation } = signer
    for (const sign of [() => signOperation(operation, alive()), async () => signAuthorization?.(tuple, alive())]) {
      const error = (await rejection(sign())) as SwapError.SignerError
      expect(error).toMatchObject({ _tag: "SignerError", reason: "failed" })
      expect(error.message).toContain("could not load")
      expect(error.message).not.toMatch(/different key|page\.example/)
    }
  })

  it("signs once the curve can be loaded again", async () => {
    state.broken = true
    await rejection(signer.signOperation(operation, alive()))
    state.broken = false
    expect(await signer.signOperation(operation, alive())).toMatch(/^0x[0-9a-f]{130}$/)
  })

  it("reports a signature that no key can have made as one by a different key", async () => {
    // No point on the curve has this r, so recovering fails although the curve is loaded.
    const r = `0x${"5".padStart(64, "0")}`
    const noPoint = { address: account.address, signDigest: () => ({ r, s: `0x${"1".padStart(64, "0")}` }) }
    const error = (await rejection(EvmSigner.fromKeyService(noPoint).signOperation(operation, alive()))) as Error
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    expect(error.message).toContain("different key")
  })
})
