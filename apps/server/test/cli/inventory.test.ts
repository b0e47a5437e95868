import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { expect, vi } from "vitest"
import { describeOnAnvil } from "../stack/onAnvil.js"
import { devnetLayer, environmentFor, fileFor } from "../stack/stack.js"
import { folder, freePort } from "./place.js"
import { run } from "./program.js"

// Every process that is started loads all of the service.
vi.setConfig({ testTimeout: 240_000 })

describeOnAnvil("geoswap-server inventory", () =>
  layer(devnetLayer, { timeout: 240_000, excludeTestServices: true })((it) => {
    it.effect("tells of the other chains where one does not answer, and of gas that is little or none", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const path = yield* folder
        const { chains, ...file } = fileFor(devnet)
        const [a, b, svm] = chains
        const silent = { ...b, rpcUrls: [`http://127.0.0.1:${yield* freePort}/`] }
        writeFileSync(join(path, "geoswap.json"), JSON.stringify({ ...file, chains: [a, silent, svm] }))
        const here = { folder: path, environment: yield* environmentFor(devnet) }
        const { code, stderr, stdout } = yield* run(here, "inventory", "--min-gas", "1000000")
        expect(code).toBe(1)
        expect(stdout).toMatch(/^devnet-a \(evm 31337\), vault 0x\w{40}\n {2}token /)
        expect(stdout).toMatch(/\n\ndevnet-b \(evm 31338\), vault 0x\w{40}\n {2}did not answer\n\ndevnet-solana /)
        const [title, ...problems] = stderr.trimEnd().split("\n")
        expect(title).toBe("Something is wrong with the inventory:")
        expect(problems).toEqual([
          expect.stringMatching(
            /Chain 31337 \(devnet-a\): the relayer 0x\w{40} has [\d.]+ ETH .+, less than 1000000\.$/
          ),
          expect.stringMatching(/Chain 31338 \(devnet-b\) did not answer: 127\.0\.0\.1:\d+/),
          expect.stringMatching(
            /Chain 31339 \(devnet-solana\): the relayer \w+ has [\d.]+ SOL .+, less than 1000000\.$/
          )
        ])

        const key = generatePrivateKey()
        const environment = { ...here.environment, GEOSWAP_EVM_RELAYER_KEY: key }
        const poor = yield* run({ ...here, environment }, "inventory", "--json")
        expect(poor.code).toBe(1)
        const { problems: found } = JSON.parse(poor.stdout) as { readonly problems: ReadonlyArray<string> }
        expect(found).toContain(
          `Chain 31337 (devnet-a): the relayer ${privateKeyToAddress(key)} has no ETH to pay for gas with.`
        )
        expect(found).toHaveLength(2)
      })
    )
  })
)
