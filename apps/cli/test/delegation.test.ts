import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { onDevnet, Fixture } from "./fixture.js"
import { schemaErrors } from "./jsonSchema.js"
import { accept, run, runJson } from "./runCli.js"
import { makeUser } from "./swapFixture.js"

vi.setConfig({ testTimeout: 300_000 })

describe("geoswap delegation", () => {
  onDevnet((it) => {
    it.effect("removes the delegation of a wallet, after a confirmation", () =>
      Effect.gen(function* () {
        const { devnet } = yield* Fixture
        const { wallet, workspace: here } = yield* makeUser("carol")
        const { contracts, id, name } = devnet.evmA
        const carol = ["--devnet", "--wallet", "carol"]
        const show = runJson(here, "delegation", "show", "devnet-a", ...carol)
        const revoke = runJson(here, "delegation", "revoke", "devnet-a", "--yes", ...carol)

        expect(yield* show).toMatchObject({ code: 0, answer: { delegations: [{ chainId: id, delegated: false }] } })
        expect(yield* revoke).toMatchObject({ code: 0, answer: { wallet, chainId: id, chain: name, changed: false } })

        const swapped = yield* run(here, "swap", "100", "usdc@devnet-a", "weth@devnet-b", ...accept, ...carol)
        expect([swapped.code, swapped.stderr]).toEqual([0, ""])
        const declined = yield* run(here, "delegation", "revoke", "devnet-a", ...carol)
        expect([declined.code, declined.stderr]).toEqual([3, expect.stringContaining("Pass --yes")])
        const contract = contracts.account.toLowerCase()
        expect(yield* show).toMatchObject({ answer: { delegations: [{ delegated: true, contract, pinned: true }] } })

        const { answer, code } = yield* revoke
        expect([code, schemaErrors("cli-delegation-revoke", answer)]).toEqual([0, []])
        expect(answer).toMatchObject({ wallet, changed: true, txHash: expect.stringMatching(/^0x/) as unknown })
        expect(yield* show).toMatchObject({ answer: { delegations: [{ delegated: false }] } })

        const solana = yield* run(here, "delegation", "revoke", "devnet-solana", "--yes", "--devnet")
        expect([solana.code, solana.stderr]).toEqual([64, expect.stringContaining("there is nothing to delegate")])
      })
    )
  })
})
