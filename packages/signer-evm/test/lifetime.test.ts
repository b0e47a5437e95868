import { describe, expect, it } from "vitest"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { EvmSigner } from "../src/index.js"
import { account, alive } from "./fixture.js"
import { agreement, built } from "./operations.js"

describe("the lifetime of an operation", () => {
  const signer = EvmSigner.fromAccount(account)
  const lasting = (seconds: number, maxLifetimeSeconds?: number) =>
    signer.signOperation(
      built(maxLifetimeSeconds === undefined ? agreement : { ...agreement, maxLifetimeSeconds }, {
        geoOp: { deadline: Math.floor(Date.now() / 1000) + seconds }
      }),
      alive()
    )

  it("is at most 180 seconds, or the limit of the caller's policy", async () => {
    expect(await lasting(180)).toMatch(/^0x/)
    expect(await lasting(600, 600)).toMatch(/^0x/)
    for (const [seconds, most] of [[181], [61, 60], [601, 600]] as const) {
      expect(await rejection(lasting(seconds, most))).toMatchObject({ _tag: "UnsafeOperation", field: "deadline" })
    }
  })

  it("is refused if the limit itself is invalid", async () => {
    for (const most of [0, -1, NaN, Infinity, "600" as unknown as number]) {
      expect(await rejection(lasting(60, most))).toMatchObject({ _tag: "UnsafeOperation", field: "maxLifetimeSeconds" })
    }
  })
})
