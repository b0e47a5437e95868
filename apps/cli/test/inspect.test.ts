import * as Effect from "effect/Effect"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { describe, expect, vi } from "vitest"
import { type Ended, run, runJson } from "./runCli.js"
import { onDevnet, Fixture } from "./fixture.js"

vi.setConfig({ testTimeout: 300_000 })

const rowsOf = ({ stdout }: Ended) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/))

describe("geoswap on a devnet", () => {
  onDevnet((it) => {
    it.effect("lists the chains, as a table and as JSON", () =>
      Effect.gen(function* () {
        const { devnet, workspace } = yield* Fixture
        const here = yield* workspace
        const table = yield* run(here, "chains", "--devnet")
        expect([table.code, table.stderr]).toEqual([0, ""])
        expect(rowsOf(table)).toEqual([
          ["id", "name", "family", "pinned tokens"],
          ["31337", "devnet-a", "evm", "USDC WETH GEO ETH"],
          ["31338", "devnet-b", "evm", "USDC WETH GEO ETH"],
          ["31339", "devnet-solana", "solana", "USDC WETH GEO SOL"]
        ])
        const { answer, code, stderr } = yield* runJson(here, "chains", "--devnet")
        expect([code, stderr]).toEqual([0, ""])
        expect(answer).toEqual({
          chains: [devnet.evmA, devnet.evmB, devnet.solana].map(({ id, family, name, tokens }) => ({
            id,
            name,
            aliases: [],
            family,
            served: true,
            hasRpcUrl: true,
            deploymentPinned: true,
            listedName: name,
            tokens: [
              ...tokens.map((token) => ({ ...token, native: false, pinned: true })),
              {
                symbol: family === "evm" ? "ETH" : "SOL",
                address: family === "evm" ? `0x${"0".repeat(40)}` : "1".repeat(32),
                decimals: family === "evm" ? 18 : 9,
                native: true,
                pinned: true
              }
            ]
          }))
        })
      })
    )

    it.effect("lists the tokens of one chain by name or id, and of all chains", () =>
      Effect.gen(function* () {
        const { devnet, workspace } = yield* Fixture
        const here = yield* workspace
        const ofOne = yield* run(here, "tokens", "DEVNET-B", "--devnet")
        expect([ofOne.code, ofOne.stderr]).toEqual([0, ""])
        expect(rowsOf(ofOne)).toEqual([
          ["chain", "symbol", "decimals", "address"],
          ...devnet.evmB.tokens.map(({ address, decimals, symbol }) => ["devnet-b", symbol, String(decimals), address]),
          ["devnet-b", "ETH", "18", "native token; can only be received"]
        ])
        expect(yield* run(here, "tokens", "31338", "--devnet")).toEqual(ofOne)
        const { answer } = yield* runJson(here, "tokens", "--devnet")
        expect(answer).toMatchObject({ tokens: { length: 12 } })
      })
    )

    it.effect("reads the balances of the first wallets, or of --wallet, from the nodes", () =>
      Effect.gen(function* () {
        const { devnet, workspace } = yield* Fixture
        const here = yield* workspace
        const { answer, code, stderr } = yield* runJson(here, "balance", "--devnet")
        expect([code, stderr]).toEqual([0, ""])
        const [evm, solana] = [devnet.evmWallets[0]?.address, devnet.solanaWallets[0]?.address]
        expect(answer).toMatchObject({ wallets: { evm, solana }, unread: [] })
        const { balances } = answer as { readonly balances: ReadonlyArray<object> }
        expect(balances).toHaveLength(12)
        for (const [chain, wallet, decimals] of [
          [devnet.evmA, evm, 18],
          [devnet.solana, solana, 8]
        ] as const) {
          expect(balances).toContainEqual({
            chainId: chain.id,
            chain: chain.name,
            wallet,
            symbol: "WETH",
            token: chain.tokens.find(({ symbol }) => symbol === "WETH")?.address,
            amount: "10",
            raw: `${10n * 10n ** BigInt(decimals)}`
          })
        }
        const ofBob = yield* run(here, "balance", "--devnet", "--wallet", "bob", "--chain", "devnet-a")
        expect([ofBob.code, ofBob.stderr]).toEqual([0, ""])
        const [head, ...rows] = rowsOf(ofBob)
        expect(head).toEqual([`EVM wallet ${devnet.evmWallets[1]?.address} (bob)`])
        expect(rows).toContainEqual(["devnet-a", "10,000", "USDC"])
        const bySecond = yield* run(here, "balance", "--devnet", "--wallet", "evm-2", "--chain", "devnet-a")
        expect(bySecond).toEqual(ofBob)
      })
    )

    it.effect("shows the delegation of a wallet, and that its contract is pinned", () =>
      Effect.gen(function* () {
        const { devnet, workspace } = yield* Fixture
        const here = yield* workspace
        // No other test may have delegated this wallet.
        const wallet = privateKeyToAddress(generatePrivateKey())
        const { answer, code } = yield* runJson(here, "delegation", "--devnet", "--wallet", wallet)
        expect(code).toBe(0)
        expect(answer).toEqual({
          wallet,
          delegations: [devnet.evmA, devnet.evmB].map(({ contracts, id, name }) => ({
            chainId: id,
            chain: name,
            wallet,
            delegated: false,
            originReady: false,
            contract: contracts.account.toLowerCase(),
            pinned: true
          }))
        })
        const text = yield* run(here, "delegation", "devnet-a", "--devnet", "--wallet", wallet)
        expect([text.code, text.stderr]).toEqual([0, ""])
        expect(text.stdout).toContain("not delegated yet; the first swap from this chain will delegate the wallet")
        expect(text.stdout).not.toContain("devnet-b")
        const solana = yield* run(here, "delegation", "devnet-solana", "--devnet")
        expect([solana.code, solana.stderr]).toEqual([64, expect.stringContaining("there is nothing to delegate")])
      })
    )

    it.effect("finds no problems on a devnet", () =>
      Effect.gen(function* () {
        const { devnetFile, workspace } = yield* Fixture
        const here = yield* workspace
        const { answer, code, stderr } = yield* runJson(here, "doctor", "--devnet")
        expect([code, stderr]).toEqual([0, ""])
        const { findings, ok } = answer as {
          readonly ok: boolean
          readonly findings: ReadonlyArray<{ readonly about: string; readonly state: string; readonly found: string }>
        }
        expect(ok).toBe(true)
        expect(findings.filter(({ state }) => state !== "ok")).toEqual([])
        expect(findings.map(({ about }) => about)).toEqual([
          "configuration",
          "service",
          "TLS",
          "clock",
          "API key",
          "store",
          "EVM key",
          "Solana key",
          ...["devnet-a", "devnet-b"].flatMap((name) => [
            `${name}: contracts`,
            `${name}: accounts`,
            `${name}: tokens`,
            `${name}: delegation`,
            `${name}: balance`
          ]),
          "devnet-solana: contracts",
          "devnet-solana: tokens",
          "devnet-solana: balance"
        ])
        expect(findings).toContainEqual({ about: "configuration", state: "ok", found: devnetFile })
        const text = yield* run(here, "doctor", "--devnet")
        expect([text.code, text.stderr]).toEqual([0, ""])
        expect(text.stdout).toMatch(/21 ok, 0 warnings, 0 failed\n$/)
      })
    )

    it.effect("refuses an unknown name, and lists the known ones", () =>
      Effect.gen(function* () {
        const { workspace } = yield* Fixture
        const here = yield* workspace
        const chain = yield* run(here, "tokens", "devnet-c", "--devnet")
        expect(chain).toEqual({
          code: 64,
          stdout: "",
          stderr:
            'Error: Unknown chain "devnet-c".\n  Next: Known chains: devnet-a (31337), devnet-b (31338), devnet-solana (31339)\n'
        })
        const asJson = yield* runJson(here, "tokens", "devnet-c", "--devnet")
        expect(asJson).toEqual({
          code: 64,
          stderr: "",
          answer: {
            error: {
              name: "UnknownName",
              message: 'Unknown chain "devnet-c".',
              next: "Known chains: devnet-a (31337), devnet-b (31338), devnet-solana (31339)"
            }
          }
        })
        const wallet = yield* run(here, "balance", "--devnet", "--wallet", "mallory")
        expect([wallet.code, wallet.stderr]).toEqual([1, expect.stringContaining("alice, bob, carol, dave")])
      })
    )

    it.effect("distinguishes a rejected API key from a service that cannot be reached", () =>
      Effect.gen(function* () {
        const { workspace, url } = yield* Fixture
        const { environment, folder } = yield* workspace
        const withKey = { folder, environment: { ...environment, GEOSWAP_API_KEY: "gsk_nobody", GEOSWAP_URL: url } }
        const refused = yield* runJson(withKey, "chains")
        expect(refused).toMatchObject({
          code: 1,
          answer: { error: { name: "Unauthorized", code: "UNAUTHORIZED", requestId: expect.any(String) as unknown } }
        })
        const goneUrl = "http://127.0.0.1:65530"
        const atGone = { folder, environment: { ...withKey.environment, GEOSWAP_URL: goneUrl } }
        const gone = yield* run(atGone, "chains", "--url", goneUrl)
        expect([gone.code, gone.stdout]).toEqual([1, ""])
        expect(gone.stderr).toMatch(
          /^Error: The service cannot be reached\.\n {2}Why: {2}.*\n {2}Next: .*geoswap --url \S+ doctor\n$/
        )
        const unhealthy = yield* runJson(withKey, "doctor")
        expect(unhealthy.code).toBe(1)
        expect(unhealthy.answer).toMatchObject({ ok: false })
        expect((unhealthy.answer as { findings: ReadonlyArray<object> }).findings).toContainEqual({
          about: "API key",
          state: "fail",
          found: "the service does not accept it",
          next: "Set GEOSWAP_API_KEY to a valid key, or run geoswap init to store one."
        })
        expect(JSON.stringify(unhealthy.answer)).not.toContain("gsk_nobody")
      })
    )
  })
})
