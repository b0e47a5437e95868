import { describe, it } from "@effect/vitest"
import { getBase58Decoder, getBase58Encoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { fileFor, nodeKey } from "../admin/cli/fixture.js"
import { freePort } from "../stack/freePort.js"
import { makeApiKeys } from "../stack/stack.js"
import { type Answer, ask, json, type Question, site, type Site, stored } from "./fixture.js"

const chains = "/web/api/swap/chains"
const ours = { "sec-fetch-site": "same-origin" }

/** The second half of a Solana key is its address. */
const addressOf = (key: string) => getBase58Decoder().decode(getBase58Encoder().encode(key).slice(32))

/** So slow that no permit is refilled during a test. */
const few = (burst: number) => ({ perSecond: 0.001, burst })

const codeOf = (answer: Answer) => (answer.status === 200 ? 200 : [answer.status, json(answer)["code"]])
const limited = [429, "RATE_LIMITED"]
const forbidden = [403, "FORBIDDEN"]

/** The statuses of that many requests of a client. */
const times = (here: Site, count: number, question: Question, path = chains) =>
  Effect.map(
    Effect.forEach(Array.from({ length: count }), () => ask(here, path, question)),
    (answers) => answers.map(codeOf)
  )

describe("server without a page", () => {
  it.live("does not have the paths of the page", () =>
    Effect.gen(function* () {
      const here = yield* site("none")
      for (const path of ["/", "/index.html", "/assets/app-3f9c.js", "/web/config.json", "/web/balances", chains]) {
        expect([path, codeOf(yield* ask(here, path, { headers: ours }))]).toEqual([path, [404, "NOT_FOUND"]])
      }
      expect((yield* ask(here, "/docs")).status).toBe(200)
    })
  )
})

describe("configuration of the page", () => {
  it.live("contains only the fields that the page needs and is not cached", () =>
    Effect.gen(function* () {
      const explorer = "https://explorer.example/tx/{hash}"
      const file = fileFor(yield* freePort)
      const listed = file.chains.map((chain) => ({
        ...chain,
        ...(chain.vaults !== undefined && {
          vaults: [{ address: `0x${"b".repeat(40)}`, delegate: `0x${"d".repeat(40)}` }, ...chain.vaults]
        })
      }))
      const here = yield* site(
        { explorers: { "8453": explorer } },
        { quotes: { highPriceImpactBps: -250 }, chains: listed }
      )
      const answer = yield* ask(here, "/web/config.json")
      expect(answer.headers).toMatchObject({
        "content-type": "application/json",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin"
      })
      const [base, solana] = here.config.chains
      const tokensOf = (chain: (typeof here.config.chains)[number] | undefined) =>
        chain?.tokens.map(({ address, decimals, symbol }) => ({ symbol, address, decimals }))
      expect(tokensOf(base)).not.toEqual([])
      const [first, second] = base?.kind === "evm" ? base.vaults : []
      expect(second).toBeDefined()
      const relayer = addressOf(here.secrets.GEOSWAP_SOLANA_RELAYER_KEY)
      expect(json(answer)).toEqual({
        service: "/web/api",
        highCostBps: 250,
        chains: [
          {
            id: 8453,
            name: "Base",
            family: "evm",
            native: { symbol: "ETH", decimals: 18 },
            tokens: tokensOf(base),
            finality: base?.kind === "evm" ? base.finality[0].after : undefined,
            explorer,
            deployment: {
              delegates: [first?.delegate],
              vault: first?.address,
              older: [{ delegate: second?.delegate, vault: second?.address }]
            }
          },
          {
            id: 792703809,
            name: "Solana",
            family: "solana",
            native: { symbol: "SOL", decimals: 9 },
            tokens: tokensOf(solana),
            deployment: { delegates: [], vault: solana?.kind === "solana" ? solana.vault : "", relayer }
          }
        ]
      })
    })
  )

  it.live("contains only the wallets that the server was started with", () =>
    Effect.gen(function* () {
      const wallet = { name: "alice", family: "evm", address: "0x01", privateKey: "0x02" } as const
      const noted = { ...wallet, note: "not for the page" }
      const here = yield* site({}, {}, [noted])
      expect(json(yield* ask(here, "/web/config.json"))["devnet"]).toEqual({ wallets: [wallet] })
    })
  )
})

describe("secrets of a server", () => {
  it.live("are in no response to a visitor", () =>
    Effect.gen(function* () {
      const here = yield* site({ limits: { quote: few(100) } })
      const [key] = yield* makeApiKeys(here.database)
      const wallet = "chainId=8453&walletAddress=0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
      const answers = [
        ...(yield* Effect.forEach(
          ["/", "/web/config.json", chains, `/web/balances?${wallet}`, `/web/api/swap/delegation?${wallet}`, "/docs"],
          (path) => ask(here, path, { headers: { ...ours, "x-api-key": key } })
        )),
        yield* ask(here, "/web/api/swap/quote", { method: "POST", headers: ours, body: { amount: key } }),
        yield* ask(here, "/web/api/swap/submit", { method: "POST", headers: ours, body: { geoOpToken: "x" } })
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 503, 503, 200, 400, 400])
      const secrets = [nodeKey, key, ...Object.values(here.secrets)]
      for (const { headers, text } of answers) {
        const said = JSON.stringify(headers) + text
        for (const secret of secrets) expect(said.includes(secret)).toBe(false)
        expect(said).not.toMatch(/GEOSWAP_[A-Z]/)
        expect(said).not.toContain(new URL(here.config.chains[0].rpcUrls[0]).host)
      }
    })
  )
})

describe("API of the page", () => {
  it.live("answers without a key as one account, and ignores a key", () =>
    Effect.gen(function* () {
      const here = yield* site({ account: "visitors" })
      const [key] = yield* makeApiKeys(here.database)
      for (const headers of [ours, { ...ours, "x-api-key": "nonsense" }, { ...ours, "x-api-key": key }]) {
        const answer = yield* ask(here, chains, { headers })
        expect(answer.status).toBe(200)
        expect(Object.keys(json(answer))).toEqual(["chains"])
        expect(answer.headers["ratelimit-policy"]).toBe('"chains";q=10;w=10')
      }
      const accounts = yield* stored(here, (store) => store.accounts)
      expect(accounts.map(({ name }) => name)).toEqual(["visitors", "first", "second"])
      expect((yield* stored(here, ({ apiKeys }) => apiKeys)).map(({ accountName }) => accountName)).not.toContain(
        "visitors"
      )
    })
  )

  it.live("refuses pages of other sites", () =>
    Effect.gen(function* () {
      const listen = { host: "127.0.0.1", port: 0, hosts: ["swap.example"] }
      const here = yield* site({ limits: { chains: few(100), balances: few(100) } }, { listen })
      const { host } = new URL(here.url)
      const wallet = "/web/balances?chainId=1&walletAddress=x"
      const fares = (headers: Readonly<Record<string, string>>, path = chains) =>
        Effect.map(ask(here, path, { headers }), codeOf)

      expect(yield* fares({})).toBe(200)
      expect(yield* fares({ origin: `http://${host}` })).toBe(200)
      // A proxy may terminate TLS in front of the server.
      expect(yield* fares({ ...ours, origin: `https://${host}` })).toBe(200)
      expect(yield* fares({ origin: "https://swap.example", host: "swap.example" })).toBe(200)
      expect(yield* fares({ origin: "https://swap.example", host: "swap.example:443" })).toBe(200)
      expect(yield* fares({ origin: "https://swap.example", host: "SWAP.example" })).toBe(200)
      expect(yield* fares({ "sec-fetch-site": "none" })).toBe(200)
      for (const headers of [
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "anything" },
        { origin: "null" },
        { origin: "https://other.example" },
        { origin: `http://${host}.other.example` },
        { origin: `http://${host}@other.example` },
        { origin: `http://127.0.0.1:1` },
        { origin: "https://swap.example", host: "swap.example:8443" },
        { origin: `ftp://${host}` },
        { ...ours, origin: "https://other.example" },
        { "sec-fetch-site": "cross-site", origin: `http://${host}` }
      ]) {
        expect([headers, yield* fares(headers)]).toEqual([headers, forbidden])
        expect([headers, yield* fares(headers, wallet)]).toEqual([headers, forbidden])
      }
      const typed = { method: "POST", body: {}, headers: { "sec-fetch-site": "none" } }
      expect(codeOf(yield* ask(here, "/web/api/swap/quote", typed))).toEqual(forbidden)
      // Refused requests were not counted.
      expect((yield* ask(here, chains)).headers["ratelimit"]).toContain('"chains";r=92')
    })
  )

  it.live("does not serve a page of another site whose name resolves to this machine", () =>
    Effect.gen(function* () {
      const wallets = [{ name: "alice", family: "evm" as const, address: "0x1", privateKey: "KEY_OF_ALICE" }]
      const listen = { host: "127.0.0.1", port: 0, hosts: ["swap.example"] }
      const [local, proxied] = [yield* site({}, {}, wallets), yield* site({}, { listen }, wallets)]
      const { port } = new URL(local.url)
      const paths = [chains, "/", "/web/config.json", "/swap/chains", "/health/live"]
      for (const host of [`evil.example:${port}`, "evil.example", "localhost.evil.example", "127.0.0.1@evil.example"]) {
        for (const path of paths) {
          const answer = yield* ask(local, path, { headers: { ...ours, origin: `http://${host}`, host } })
          expect([host, path, answer.status, json(answer)]).toMatchObject([host, path, 403, { code: "FORBIDDEN" }])
          expect(answer.text).not.toContain("KEY_OF_ALICE")
          expect(answer.text).toContain("listen.hosts")
        }
      }
      for (const host of [`localhost:${port}`, "127.0.0.1", `[::1]:${port}`, `LOCALHOST:${port}`]) {
        expect([host, (yield* ask(local, "/web/config.json", { headers: { host } })).status]).toEqual([host, 200])
      }
      expect((yield* ask(local, "/", { headers: { host: "swap.example" } })).status).toBe(403)
      for (const host of ["swap.example", "swap.example:443", "localhost"]) {
        expect([host, (yield* ask(proxied, "/", { headers: { host } })).status]).toEqual([host, 200])
      }
      expect((yield* ask(proxied, "/", { headers: { host: "evil.example" } })).status).toBe(403)
    })
  )

  it.live("sends no CORS headers, even to an allowed origin", () =>
    Effect.gen(function* () {
      const origin = "https://friend.example"
      const here = yield* site({}, { cors: { origins: [origin] } })
      const method = { "access-control-request-method": "POST" }
      for (const path of [chains, "/web/config.json", "/web/balances", "/web/api/swap/quote"]) {
        for (const method of ["GET", "OPTIONS"]) {
          const { headers } = yield* ask(here, path, { method, headers: { origin } })
          expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([])
        }
      }
      const preflight = yield* ask(here, "/swap/quote", { method: "OPTIONS", headers: { origin, ...method } })
      expect(preflight.headers["access-control-allow-origin"]).toBe(origin)
    })
  )
})

describe("limits of the page", () => {
  const limits = { chains: few(2), balances: few(1) }

  it.live("apply per address and ignore addresses that a client claims", () =>
    Effect.gen(function* () {
      const here = yield* site({ limits })
      const spoofed = (address: string) => ({ ...ours, "x-forwarded-for": address, forwarded: `for=${address}` })
      const one = { from: "127.0.0.2", headers: ours }
      expect(yield* times(here, 2, one)).toEqual([200, 200])
      const refused = yield* ask(here, chains, one)
      expect(json(refused)["message"]).toMatch(/^Too many chains calls from your network address. Wait \d+ s/)
      expect(refused.headers["retry-after"]).toMatch(/^\d+$/)
      expect(refused.headers["ratelimit"]).toMatch(/^"chains";r=0;t=\d+$/)
      for (const address of ["10.0.0.1", "127.0.0.3", "unknown"]) {
        expect(codeOf(yield* ask(here, chains, { ...one, headers: spoofed(address) }))).toEqual(limited)
      }
      expect(yield* times(here, 3, { from: "127.0.0.3", headers: ours })).toEqual([200, 200, limited])
      // Each kind of call has its own limit.
      const wallet = "/web/balances?chainId=1&walletAddress=x"
      expect(yield* times(here, 2, one, wallet)).toEqual([[400, "VALIDATION"], limited])
    })
  )

  it.live("use the address that trusted proxies report, not what a client wrote", () =>
    Effect.gen(function* () {
      const here = yield* site({ limits }, { listen: { host: "127.0.0.1", port: 0, trustedProxies: 1 } })
      const via = (forwarded: string, count: number) =>
        times(here, count, { headers: { ...ours, "x-forwarded-for": forwarded } })
      expect(yield* via("198.51.100.1", 3)).toEqual([200, 200, limited])
      expect(yield* via("203.0.113.9, 198.51.100.1", 1)).toEqual([limited])
      expect(yield* via("203.0.113.9,198.51.100.1:4711", 1)).toEqual([limited])
      expect(yield* via("198.51.100.1, 198.51.100.2", 2)).toEqual([200, 200])
      // Clients that cannot be told apart share the limit of the proxy.
      expect(yield* via("nonsense", 1)).toEqual([200])
      expect(yield* times(here, 1, { headers: ours })).toEqual([200])
      expect(yield* via("198.51.100.1, _hidden", 1)).toEqual([limited])
    })
  )

  it.live("limit all visitors together without affecting callers with a key", () =>
    Effect.gen(function* () {
      const here = yield* site({ limits: { total: { chains: few(3) } } })
      const [key] = yield* makeApiKeys(here.database)
      const addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"]
      const answers = yield* Effect.forEach(addresses, (from) => ask(here, chains, { from, headers: ours }))
      expect(answers.map(codeOf)).toEqual([200, 200, 200, limited])
      const refused = answers[3]
      if (refused === undefined) return expect.unreachable()
      expect(json(refused)["message"]).toBe(
        "Too many chains calls from all visitors to this page combined. Wait 1000 s and try again."
      )
      expect([refused.headers["retry-after"], refused.headers["ratelimit-policy"]]).toEqual([
        "1000",
        '"chains-total";q=3;w=3000'
      ])
      expect(yield* times(here, 1, { headers: { "x-api-key": key } }, "/swap/chains")).toEqual([200])
    })
  )
})

describe("balances for the page", () => {
  it.live("require a supported chain and a valid address", () =>
    Effect.gen(function* () {
      const here = yield* site({ limits: { balances: few(100) } })
      const evm = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
      const fares = (query: string) =>
        Effect.map(ask(here, `/web/balances${query}`), (answer) => [answer.status, json(answer)["message"]])
      expect(yield* fares("")).toEqual([400, expect.stringContaining("walletAddress is missing")])
      expect(yield* fares(`?chainId=x&walletAddress=${evm}`)).toEqual([
        400,
        expect.stringContaining("chainId is invalid: expected")
      ])
      expect(yield* fares(`?chainId=8453&chainId=8453&walletAddress=${evm}`)).toEqual([
        400,
        "The query contains chainId more than once. Send it only once."
      ])
      expect(yield* fares(`?chainId=1&walletAddress=${evm}`)).toEqual([
        400,
        "chainId: chain 1 is not supported. GET /swap/chains lists the supported chains."
      ])
      expect(yield* fares(`?chainId=792703809&walletAddress=${evm}`)).toEqual([
        400,
        "walletAddress: expected a Solana address."
      ])
      // The node does not answer.
      const silent = yield* ask(here, `/web/balances?chainId=8453&walletAddress=${evm}`)
      expect(codeOf(silent)).toEqual([503, "UNAVAILABLE"])
      expect(silent.headers["retry-after"]).toBe("2")
    })
  )
})
