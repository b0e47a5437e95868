import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Hex } from "viem"
import { privateKeyToAddress } from "viem/accounts"
import { expect, vi } from "vitest"
import { run } from "../../stack/program.js"
import { makeWorkspace, newSecrets } from "./fixture.js"

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 240_000 })

const variables = ["GEOSWAP_EVM_RELAYER_KEY", "SECOND_RELAYER_KEY"]

/** A configuration with two relayers on its EVM chain. */
const twoRelayers = Effect.fnUntraced(function* (second: string = newSecrets().GEOSWAP_EVM_RELAYER_KEY) {
  const secrets = newSecrets()
  const workspace = yield* makeWorkspace(
    (file) => ({
      ...file,
      chains: file.chains.map((chain) => (chain.kind === "evm" ? { ...chain, keys: { relayers: variables } } : chain))
    }),
    { ...secrets, SECOND_RELAYER_KEY: second }
  )
  const addressOf = (key: string) => privateKeyToAddress(key as Hex)
  return { workspace, relayers: [addressOf(secrets.GEOSWAP_EVM_RELAYER_KEY), addressOf(second)] as const, secrets }
})

describe.concurrent("geoswap-server relayers", () => {
  it.live("lists, retires and restores relayers, but does not retire the last one", () =>
    Effect.gen(function* () {
      const { relayers, workspace } = yield* twoRelayers()
      const [first, second] = relayers
      const states = Effect.map(run(workspace, "relayers", "list", "--json"), ({ code, stderr, stdout }) => {
        expect([code, stderr]).toEqual([0, ""])
        const listed = JSON.parse(stdout) as {
          readonly relayers: ReadonlyArray<{ readonly address: string; readonly retiredAt: string | null }>
        }
        return listed.relayers.map(({ address, retiredAt }) => [address, retiredAt !== null])
      })
      expect(yield* states).toEqual([
        [first, false],
        [second, false]
      ])
      const on = (...args: ReadonlyArray<string>) => run(workspace, "relayers", ...args, "--chain", "8453")
      const retired = yield* on("retire", first.toLowerCase())
      expect([retired.code, retired.stderr]).toEqual([0, ""])
      expect(retired.stdout).toContain(`The relayer ${first} takes no new transactions on chain 8453`)
      expect(yield* states).toEqual([
        [first, true],
        [second, false]
      ])
      const text = yield* run(workspace, "relayers", "list")
      expect(text.stdout).toMatch(new RegExp(`${first} +0 +0 +retired 20\\S+Z, can be removed\n`))
      expect(text.stdout).toMatch(new RegExp(`${second} +0 +0 +active\n`))

      const last = yield* on("retire", second)
      expect([last.code, last.stdout]).toEqual([1, ""])
      expect(last.stderr).toContain("is the only active relayer on chain 8453")
      expect(yield* on("restore", first)).toMatchObject({ code: 0 })
      expect(yield* on("restore", first)).toMatchObject({
        code: 1,
        stderr: `The relayer ${first} is not retired on chain 8453.\n`
      })
    })
  )

  it.live("names a chain or a relayer that is not configured", () =>
    Effect.gen(function* () {
      const { relayers, workspace } = yield* twoRelayers()
      const chain = yield* run(workspace, "relayers", "retire", relayers[0], "--chain", "1")
      expect([chain.code, chain.stderr]).toEqual([
        1,
        "Chain 1 is not a configured EVM chain. List the relayers: geoswap-server relayers list\n"
      ])
      const stranger = `0x${"ab".repeat(20)}`
      const other = yield* run(workspace, "relayers", "retire", stranger, "--chain", "8453")
      expect([other.code, other.stderr]).toEqual([
        1,
        `${stranger} is not a relayer on chain 8453. List the relayers: geoswap-server relayers list\n`
      ])
    })
  )

  it.live("refuses a key that two variables contain, without printing it", () =>
    Effect.gen(function* () {
      const key = newSecrets().GEOSWAP_EVM_RELAYER_KEY
      const { workspace } = yield* twoRelayers(key)
      const same = { ...workspace, environment: { ...workspace.environment, GEOSWAP_EVM_RELAYER_KEY: key } }
      const { code, stderr } = yield* run(same, "relayers", "list")
      expect(code).toBe(1)
      expect(stderr).toContain("SECOND_RELAYER_KEY contains the same key as GEOSWAP_EVM_RELAYER_KEY.")
      expect(stderr).not.toContain(key.slice(2))
    })
  )
})
