import { type Operation, SwapError } from "@geoswap/core"
import { describe, expect, it } from "vitest"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { EvmSigner } from "../src/index.js"
import { alive } from "./fixture.js"
import { agreement, built } from "./operations.js"
import { address, digestService, stranger } from "./wallets.js"

/** One digit differs, and the capital letters are still those of the correct address. */
const mistyped = `${stranger.address.slice(0, -1)}9`

describe("an address in mixed case with a wrong checksum", () => {
  const signer = EvmSigner.fromKeyService(digestService())
  const refusal = async (request: Partial<Operation.Agreement["request"]>) => {
    const operation = built({ ...agreement, request: { ...agreement.request, ...request } })
    const verified = await rejection(Promise.resolve(signer.verifyOperation?.(operation, alive())))
    expect(await rejection(signer.signOperation(operation, alive()))).toEqual(verified)
    return verified as SwapError.UnsafeOperation
  }

  it("is refused as a recipient or a token", async () => {
    for (const field of ["recipient", "outputToken", "inputToken", "walletAddress"] as const) {
      const error = await refusal({ [field]: mistyped })
      expect(error).toBeInstanceOf(SwapError.UnsafeOperation)
      expect(error).toMatchObject({ field, expected: expect.stringContaining("EIP-55") as string })
    }
  })

  it("is accepted with the right checksum, in lower case and in upper case", async () => {
    const digits = stranger.address.slice(2)
    for (const recipient of [digits, digits.toLowerCase(), digits.toUpperCase()].map((each) => `0x${each}`)) {
      const operation = built({ ...agreement, request: { ...agreement.request, recipient } })
      expect(await signer.signOperation(operation, alive())).toMatch(/^0x/)
    }
    expect(signer.address).toBe(address)
  })
})
