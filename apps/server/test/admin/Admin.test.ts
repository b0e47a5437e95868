import { describe, it as plainIt, layer } from "@effect/vitest"
import { Devnet, Proxy } from "@geoswap/devnet"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { formatAddress } from "effect/http/HttpServer"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { formatUnits, zeroAddress } from "viem"
import { expect } from "vitest"
import * as Admin from "../../src/admin/Admin.js"
import * as Storage from "../../src/storage/Storage.js"
import { clientOf, swap } from "../stack/client.js"
import { wakingClock } from "../stack/clock.js"
import * as evm from "../stack/evm.js"
import { eachChain, make, start, timeout, until, usdcToWeth } from "../stack/fixture.js"
import * as solana from "../stack/solana.js"
import { devnetLayer, environmentFor, type File, fileFor, makeApiKeys, startServer, temporary } from "../stack/stack.js"

const root = join(import.meta.dirname, "../../../..")
const solanaNative = "11111111111111111111111111111111"
const nodeKey = "canaryOfTheNodeKey"

/** Runs a server with an admin listener until the scope closes. */
const serve = Effect.fnUntraced(function* (
  devnet: Devnet.Devnet,
  change: (file: File) => File = (file) => file,
  admin: Pick<File, "admin"> = { admin: { port: 0, sampleMillis: 100 } }
) {
  const file = change({ ...fileFor(devnet), ...admin })
  const environment = yield* environmentFor(devnet)
  const database = join(yield* temporary, "geoswap.db")
  const apiKeys = yield* makeApiKeys(database)
  const options = { database: Storage.file(database), version: "1.2.3" }
  const { context, url } = yield* startServer(file, environment, options)
  const { address } = Context.get(context, Admin.Admin)
  return {
    url,
    admin: address === undefined ? undefined : formatAddress(address),
    apiKeys,
    database,
    environment
  }
})

const quiet = Effect.provideService(References.MinimumLogLevel, "None")

const scrape = async (admin: string | undefined): Promise<string> => (await fetch(`${admin}/metrics`)).text()

/** The value of a series by its name and labels as printed. */
const valueOf = (text: string, series: string): number | undefined => {
  const line = text.split("\n").find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

const sumOf = (text: string, name: string): number =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0)

const read = (path: string) => readFileSync(join(root, path), "utf8")

/** The metrics that a text mentions; a histogram by its base name. */
const mentioned = (text: string): ReadonlyArray<string> => [
  ...new Set(
    Array.from(text.matchAll(/\b(?:geoswap|process|nodejs)_[a-z_]+/g), ([name]) =>
      name.replace(/_(bucket|sum|count)$/, "")
    )
  )
]

describe("admin listener", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "reports requests, swaps, balances and nodes, and no secrets",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const { evmA, evmB, solana: sol } = devnet
          const node = yield* Proxy.make({ target: evmA.rpcUrl })
          const behind = eachChain((chain) =>
            chain.id === evmA.id ? { ...chain, rpcUrls: [`${node.rpcUrl}/v2/${nodeKey}`] } : chain
          )
          const { clock, move } = yield* wakingClock
          const running = yield* Effect.provideService(serve(devnet, behind), Clock.Clock, clock)
          const { admin, apiKeys, environment, url } = running
          yield* Effect.promise(async () => {
            const before = await scrape(admin)
            expect(valueOf(before, "geoswap_swaps_ended_total" + labels(evmA.id, evmB.id, "settled"))).toBe(0)
            expect(valueOf(before, 'geoswap_build_info{version="1.2.3"}')).toBe(1)

            const json = { "x-api-key": apiKeys[0], "content-type": "application/json" }
            await fetch(`${url}/swap/chains`, { headers: json })
            await fetch(`${url}/swap/chains`, { headers: json })
            await fetch(`${url}/swap/chains`)
            await fetch(`${url}/swap/quote`, { method: "POST", headers: json, body: "{}" })
            await fetch(`${url}/nowhere`)
            const asked = await scrape(admin)
            const requests = (route: string, method: string, code: number) =>
              valueOf(asked, `geoswap_http_requests_total{route="${route}",method="${method}",code="${code}"}`)
            expect(requests("/swap/chains", "GET", 200)).toBe(2)
            expect(requests("/swap/chains", "GET", 401)).toBe(1)
            expect(requests("/swap/quote", "POST", 400)).toBe(1)
            expect(requests("/swap/quote", "POST", 200)).toBe(0)
            expect(requests("unknown", "GET", 404)).toBe(1)
            expect(sumOf(asked, "geoswap_http_requests_total")).toBe(5)

            const { account } = await evm.newWallet(devnet, evmA, { USDC: 20_000_000n })
            const begin = Date.now()
            const client = await clientOf(devnet, running, { evm: account })
            const request = usdcToWeth(devnet, account.address, evm.newAddress())
            expect((await swap(client, request)).swap.status).toBe("settled")
            await make(evmA.hold)
            const { ended, swapId } = await start(client, request)
            await until(async () => valueOf(await scrape(admin), "geoswap_held_requests") === 1)
            await until(async () => valueOf(await scrape(admin), "geoswap_executor_working") === 1)
            // The database is read every 15 seconds.
            const sampled = 15_000
            move(sampled)
            const underway = await until(async () => {
              const text = await scrape(admin)
              return sumOf(text, "geoswap_swaps") === 1 && sumOf(text, "geoswap_swap_oldest_age_seconds") > 0 && text
            })
            expect(sumOf(underway, "geoswap_inventory_reserved")).toBeGreaterThan(0)
            await make(evmA.release)
            expect((await ended).status).toBe("settled")
            await until(async () => valueOf(await scrape(admin), "geoswap_held_requests") === 0)
            const done = await scrape(admin)
            expect(valueOf(done, "geoswap_swaps_ended_total" + labels(evmA.id, evmB.id, "settled"))).toBe(2)
            expect(sumOf(done, "geoswap_swaps_ended_total")).toBe(2)
            expect(valueOf(done, 'geoswap_swap_duration_seconds_count{state="settled"}')).toBe(2)
            const seconds = valueOf(done, 'geoswap_swap_duration_seconds_sum{state="settled"}')
            expect(seconds).toBeGreaterThan(0)
            expect(seconds).toBeLessThan((Date.now() - begin + sampled) / 1_000)

            const relayer = evm.operator(devnet, "relayer").address
            const weth = await evm.balanceOf(evmB, evm.tokenOf(evmB, "WETH"), evmB.contracts.vault)
            const gas = await evm.balanceOf(evmB, zeroAddress, relayer)
            const solRelayer = (await solana.operator(devnet, "relayer")).address
            const solGas = await solana.balanceOf(sol, solanaNative, solRelayer)
            const nonce = await evm.reader(evmB).getTransactionCount({ address: relayer })
            const onChain = {
              [`geoswap_inventory{chain="${evmB.id}",token="WETH"}`]: Number(formatUnits(weth, 18)),
              [`geoswap_relayer_balance{chain="${evmB.id}",relayer="${relayer}"}`]: Number(formatUnits(gas, 18)),
              [`geoswap_relayer_balance{chain="${sol.id}",relayer="${solRelayer}"}`]: Number(formatUnits(solGas, 9)),
              [`geoswap_relayer_nonce{chain="${evmB.id}",relayer="${relayer}"}`]: nonce,
              [`geoswap_relayer_nonce_lag{chain="${evmB.id}",relayer="${relayer}"}`]: 0
            }
            move(sampled)
            const shown = await until(async () => {
              const text = await scrape(admin)
              const isSame = Object.entries(onChain).every(([series, value]) => valueOf(text, series) === value)
              return isSame && sumOf(text, "geoswap_swaps") === 0 && text
            })
            expect(sumOf(shown, "geoswap_inventory_reserved")).toBe(0)

            const host = new URL(node.rpcUrl).host
            const errors = `geoswap_rpc_errors_total{chain="${evmA.id}",host="${host}",reason="unreachable"}`
            expect(valueOf(shown, errors)).toBe(0)
            await make(node.down)
            const text = await until(async () => {
              const found = await scrape(admin)
              return (valueOf(found, errors) ?? 0) > 0 && found
            })

            // A chain with its quorum is checked every minute.
            move(60_000)
            const ready = await until(async () => {
              const response = await fetch(`${url}/health/ready`)
              const body = (await response.json()) as { readonly status: string }
              return body.status === "degraded" && { status: response.status, body }
            })
            const problem = `Chain ${evmA.id} (devnet-a) is below its quorum: 0 of 1 nodes agree, but 1 must.`
            expect(ready).toEqual({ status: 200, body: { status: "degraded", problems: [problem] } })
            const adminReady = await fetch(`${admin}/health/ready`)
            expect([adminReady.status, await adminReady.text()]).toEqual([200, `degraded\n${problem}\n`])
            const quorums = await scrape(admin)
            expect(valueOf(quorums, `geoswap_chain_nodes_agreeing{chain="${evmA.id}"}`)).toBe(0)
            expect(valueOf(quorums, `geoswap_chain_nodes_agreeing{chain="${evmB.id}"}`)).toBe(1)
            expect(valueOf(quorums, `geoswap_chain_quorum{chain="${evmA.id}"}`)).toBe(1)

            const secrets = Object.values(environment).filter((value) => value !== undefined && value !== "")
            expect(secrets.length).toBeGreaterThan(2)
            const chosen = [swapId, account.address, "nowhere"]
            for (const word of [...apiKeys, ...secrets, ...chosen, nodeKey]) expect(text).not.toContain(word)

            const exposed = new Set(Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name))
            for (const path of ["deploy/grafana/geoswap.json", "deploy/prometheus/alerts.yml"]) {
              const names = mentioned(read(path))
              expect(names.length).toBeGreaterThan(10)
              expect(names.filter((name) => !exposed.has(name))).toEqual([])
            }
          })
        }).pipe(quiet),
      timeout
    )

    it.effect(
      "serves metrics and health checks and nothing else, until the server stops",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const scope = yield* Scope.make()
          const { admin, url } = yield* Scope.provide(serve(devnet), scope)
          yield* Effect.promise(async () => {
            const metrics = await fetch(`${admin}/metrics?any=thing`)
            expect(metrics.status).toBe(200)
            expect(metrics.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
            const text = await metrics.text()
            expect(valueOf(text, "process_resident_memory_bytes")).toBeGreaterThan(10_000_000)
            expect(valueOf(text, "nodejs_eventloop_lag_seconds")).toBeGreaterThanOrEqual(0)
            expect(valueOf(text, "process_start_time_seconds")).toBeCloseTo(performance.timeOrigin / 1_000, 0)
            expect((await fetch(`${admin}/health/live`)).status).toBe(200)
            expect((await fetch(`${admin}/health/ready`)).status).toBe(200)
            for (const path of ["/", "/metrics/", "/swap/chains", "/docs"]) {
              expect((await fetch(`${admin}${path}`)).status).toBe(404)
            }
            expect((await fetch(`${admin}/metrics`, { method: "POST" })).status).toBe(404)
            expect((await fetch(`${url}/metrics`)).status).toBe(404)
            // Scrapes are not counted as calls.
            expect(sumOf(await scrape(admin), "geoswap_http_requests_total")).toBe(1)
          })
          yield* Scope.close(scope, Exit.void)
          const gone = yield* Effect.promise(() => scrape(admin).catch(() => "gone"))
          expect(gone).toBe("gone")
        }).pipe(quiet),
      timeout
    )

    it.effect(
      "counts only its own server",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const [one, other] = [yield* serve(devnet), yield* serve(devnet)]
          yield* Effect.promise(async () => {
            await fetch(`${one.url}/nowhere`)
            const count = async (admin: string | undefined) =>
              valueOf(await scrape(admin), 'geoswap_http_requests_total{route="unknown",method="GET",code="404"}')
            expect([await count(one.admin), await count(other.admin)]).toEqual([1, undefined])
          })
        }).pipe(quiet),
      timeout
    )

    it.effect(
      "fails the start with a reason if it cannot listen",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const other = createServer()
          yield* Effect.promise(() => new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve)))
          const { port } = other.address() as AddressInfo
          const error = yield* Effect.flip(serve(devnet, undefined, { admin: { port } }))
          other.close()
          expect(error).toMatchObject({ _tag: "ListenFailed", port })
          expect(error.message).toContain("The admin listener")
          expect(error.message).toContain("another process is already using that port")
        }).pipe(quiet),
      timeout
    )

    it.effect(
      "does not listen or poll the chains if it is not configured",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const nodeOf = Effect.fnUntraced(function* (config?: Pick<File, "admin">) {
            const node = yield* Proxy.make({ target: devnet.evmA.rpcUrl })
            const behind = eachChain((chain) =>
              chain.id === devnet.evmA.id ? { ...chain, rpcUrls: [node.rpcUrl] } : chain
            )
            const { admin } = yield* serve(devnet, behind, config)
            return { admin, asked: node.calls("eth_call") }
          })
          const without = yield* nodeOf({})
          const other = yield* nodeOf()
          expect(without.admin).toBeUndefined()
          // Both check their configuration when they start. After that, only one of them reads balances.
          yield* Effect.promise(() => until(async () => (await make(other.asked)) >= 40))
          expect(yield* without.asked).toBeLessThan(20)
        }).pipe(quiet),
      timeout
    )
  })
})

const labels = (origin: number, destination: number, state: string) =>
  `{state="${state}",origin="${origin}",destination="${destination}"}`

describe("alerts", () => {
  plainIt("each have a severity, words, and a paragraph that helps", () => {
    const rules = read("deploy/prometheus/alerts.yml").split("- alert: ").slice(1)
    expect(rules.length).toBeGreaterThan(10)
    const anchors = Array.from(read("docs/operating.md").matchAll(/^#+ (.+)$/gm), ([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .trim()
        .replaceAll(" ", "-")
    )
    for (const rule of rules) {
      expect(rule).toMatch(/severity: (page|ticket)\n/)
      expect(rule).toMatch(/summary: "./)
      expect(rule).toMatch(/description: "./)
      const [, anchor] = /runbook: docs\/operating\.md#(\S+)/.exec(rule) ?? []
      expect(anchors).toContain(anchor)
    }
  })
})

describe("dashboard", () => {
  interface Panel {
    readonly id: number
    readonly type: string
    readonly title: string
    readonly description?: string
    readonly datasource?: { readonly uid: string }
    readonly fieldConfig?: { readonly defaults: { readonly unit?: string } }
  }
  plainIt("says of every panel what it shows, in which unit, from the data source that was chosen", () => {
    const { panels, schemaVersion } = JSON.parse(read("deploy/grafana/geoswap.json")) as {
      readonly schemaVersion: number
      readonly panels: ReadonlyArray<Panel>
    }
    expect(schemaVersion).toBeGreaterThanOrEqual(39)
    const rows = panels.filter(({ type }) => type === "row").map(({ title }) => title)
    expect(rows).toEqual(["Traffic", "Swaps", "Money", "Chains", "Process"])
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { datasource, description, fieldConfig, title, type } of panels) {
      if (type === "row") continue
      expect({ title, uid: datasource?.uid }).toEqual({ title, uid: "${datasource}" })
      expect(`${title}: ${description}`).toMatch(/: .+\.$/)
      expect(`${title}: ${fieldConfig?.defaults.unit ?? ""}`).toMatch(/: .+$/)
    }
  })
})
