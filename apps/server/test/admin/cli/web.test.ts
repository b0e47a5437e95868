import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, vi } from "vitest"
import { formatPage } from "../../../src/check/checkPage.js"
import { logOf, run, serveHere, stop, until, type Workspace } from "../../stack/program.js"
import { makeWorkspace } from "./fixture.js"

vi.setConfig({ testTimeout: 120_000 })

/** A configuration with a page beside it. */
const withPage = (web: object, listen: object = {}) =>
  makeWorkspace((file, folder) => {
    mkdirSync(join(folder, "page", "assets"), { recursive: true })
    writeFileSync(join(folder, "page", "index.html"), "<title>Ours</title>")
    writeFileSync(join(folder, "page", "assets", "app.js"), "1")
    return { ...file, listen, web }
  })

const textAt = (url: string) => Effect.promise(async () => (await fetch(url)).text())

describe.concurrent("geoswap-server with a page", () => {
  it.live("serves the folder of the configuration, relative to its file, and prints the URL", () =>
    Effect.gen(function* () {
      const workspace = yield* withPage({ folder: "page" })
      const server = yield* serveHere(workspace, "--port", "0", "--log-level", "debug")
      yield* until(() => server.stdout().split("\n").length === 3, "a line about the page")
      expect(server.stdout().split("\n")[1]).toBe(`the swap page is at ${server.url}/`)
      expect(yield* textAt(server.url)).toBe("<title>Ours</title>")
      yield* textAt(`${server.url}/assets/app.js`)
      yield* textAt(`${server.url}/web/api/swap/chains`)
      // The command has no wallets to offer.
      expect(JSON.parse(yield* textAt(`${server.url}/web/config.json`))).not.toHaveProperty("devnet")
      yield* server.kill("SIGTERM")
      const { stderr } = yield* server.ended
      const requests = logOf(stderr).filter(({ message }) => message === "request")
      const reported = requests.map(({ annotations }) => annotations as Readonly<Record<string, unknown>>)
      expect(reported.map(({ route }) => route)).toEqual(["/", "/*", "/web/api/swap/chains", "/web/config.json"])
      // The log does not identify visitors.
      const fields = ["method", "route", "status", "milliseconds", "requestId", "account"]
      expect(
        reported.flatMap((annotations) => Object.keys(annotations)).filter((name) => !fields.includes(name))
      ).toEqual([])
    })
  )

  it.live("serves the page of @geoswap/web with --web", () =>
    Effect.gen(function* () {
      const server = yield* serveHere(yield* makeWorkspace(), "--port", "0", "--web")
      const built = fileURLToPath(new URL("../../../../web/dist/index.html", import.meta.url))
      expect(yield* textAt(server.url)).toBe(readFileSync(built, "utf8"))
      yield* stop(server)
      const { stdout } = yield* run(yield* makeWorkspace(), "check", "--offline", "--web")
      expect(stdout).toContain(`files in ${realpathSync(dirname(built))};`)
    })
  )

  it.live("offers the wallets of a devnet with --devnet-wallets, but only on that devnet", () =>
    Effect.gen(function* () {
      const wallet = {
        name: "alice",
        family: "evm",
        address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        privateKey: "1"
      }
      const devnetOf = (change: object = {}, page: object = { web: { folder: "page" } }) =>
        makeWorkspace((file, folder) => {
          const chains = file.chains.map(({ id, kind: family, name, tokens, vault, vaults }) => ({
            id,
            family,
            name,
            tokens,
            rpcUrl: "http://127.0.0.1:1",
            contracts: { vault: vault ?? vaults?.[0]?.address },
            ...change
          }))
          mkdirSync(join(folder, ".geoswap"))
          mkdirSync(join(folder, "page"))
          writeFileSync(join(folder, "page", "index.html"), "<title>Ours</title>")
          writeFileSync(join(folder, ".geoswap", "devnet.json"), JSON.stringify({ chains, wallets: [wallet] }))
          return { ...file, ...page, environment: "devnet" }
        })
      const server = yield* serveHere(yield* devnetOf(), "--port", "0", "--devnet-wallets")
      expect(JSON.parse(yield* textAt(`${server.url}/web/config.json`))).toMatchObject({
        devnet: { wallets: [wallet] }
      })
      const hint = "To offer the devnet's, add --devnet-wallets"
      expect(server.stdout()).not.toContain(hint)
      yield* stop(server)
      const without = yield* serveHere(yield* devnetOf(), "--port", "0")
      yield* until(() => without.stdout().includes(hint), "the hint")
      yield* stop(without)

      const refused = (workspace: Workspace, ...args: ReadonlyArray<string>) =>
        Effect.map(run(workspace, "serve", "--port", "0", ...args), ({ code, stderr, stdout }) => {
          expect([code, stdout]).toEqual([1, ""])
          return stderr
        })
      const real = yield* makeWorkspace()
      expect(yield* refused(real, "--web", "--devnet-wallets")).toContain('requires "environment": "devnet"')
      expect(yield* refused(yield* devnetOf({}, {}), "--devnet-wallets")).toContain("Pass --web, too.")
      const other = yield* devnetOf({ contracts: { vault: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" } })
      expect(yield* refused(other, "--web", "--devnet-wallets")).toContain("describes another devnet")
    })
  )

  it.live("refuses to start without a page and prints what to do", () =>
    Effect.gen(function* () {
      const workspace = yield* withPage({ folder: "nowhere" })
      const { code, stderr, stdout } = yield* run(workspace, "serve", "--port", "0")
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toContain(`There is no index.html in ${join(workspace.folder, "nowhere")}. Build the page`)
    })
  )

  it.live("checks the folder of the page and how visitors are told apart", () =>
    Effect.gen(function* () {
      const workspace = yield* withPage({ folder: "page" }, { trustedProxies: 2 })
      const good = yield* run(workspace, "check", "--offline")
      const folder = join(workspace.folder, "page")
      expect([good.code, good.stderr]).toEqual([0, ""])
      expect(good.stdout).toContain(
        `\n  page: 2 files in ${folder}; visitors are told apart by X-Forwarded-For behind 2 trusted proxies\n`
      )
      const { stdout } = yield* run(workspace, "check", "--offline", "--json")
      expect(JSON.parse(stdout)).toMatchObject({ well: true, web: { folder, files: 2, trustedProxies: 2 } })

      const bad = yield* run(yield* withPage({ folder: "nowhere" }), "check", "--offline")
      expect([bad.code, bad.stdout]).toEqual([1, ""])
      expect(bad.stderr).toMatch(/^The server would not work correctly:\n {2}- There is no index\.html in /)
    })
  )

  it("describes how visitors are told apart, by connection or by trusted proxies", () => {
    const reported = [0, 1, 2].map((trustedProxies) => formatPage({ folder: "/page", files: 2, trustedProxies }))
    expect(reported.map((words) => words.split(" told apart by ")[1])).toEqual([
      "connection address",
      "X-Forwarded-For behind 1 trusted proxy",
      "X-Forwarded-For behind 2 trusted proxies"
    ])
  })
})
