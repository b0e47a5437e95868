import { afterEach, describe, expect, it } from "@effect/vitest"
import { type ChainReader, Payment, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import * as AbiParameters from "ox/AbiParameters"
import * as Hash from "ox/Hash"
import * as Hex from "ox/Hex"
import { rejection, thrown } from "../../../tooling/testing/expectError.ts"
import { closeServers, raw, refusal, type Script, secret, serve } from "../../../tooling/testing/rpcServer.ts"
import { EvmReader, evmReader, type EvmReaderOptions } from "../src/index.js"
import { address } from "./wallets.js"

afterEach(closeServers)

const chainId = 8453
const deadline = 1_800_000_000
const delegate = "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56"
const operation = { chainId, wallet: address, delegate, nonce: 7n, deadline }

const quantity = (value: bigint | number): Hex.Hex => `0x${value.toString(16)}`
const blockHash = Hash.keccak256("0xb10c")
const block = (timestamp: number) => ({ number: "0x64", hash: blockHash, timestamp: quantity(timestamp) })
const word = (value: bigint) => Hex.fromNumber(value, { size: 32 })

/** A node with this finalized block time, whose wallets have these bits in every word of their nonce bitmap. */
const node = (timestamp: number, bits: bigint, over: Script = {}): Script => ({
  eth_chainId: () => quantity(chainId),
  eth_getBlockByNumber: () => block(timestamp),
  eth_getStorageAt: () => word(bits),
  ...over
})

const bit = (nonce: bigint) => 1n << (nonce & 255n)

const readerOf = async (...scripts: ReadonlyArray<Script>) => {
  const servers = await Promise.all(scripts.map(serve))
  return { servers, reader: evmReader({ rpcUrls: { [chainId]: servers.map(({ url }) => url) } }) }
}

const stateWith = async (...scripts: ReadonlyArray<Script>) =>
  (await readerOf(...scripts)).reader.operationState(operation)

/** The error message, after checking that it contains no part of a URL. */
const failureOf = async (answer: Promise<unknown>): Promise<string> => {
  const error = (await rejection(answer)) as SwapError.ReaderError
  expect(error).toMatchObject({ _tag: "ReaderError", retry: "later" })
  for (const message of [error.message, JSON.stringify(error), String(error.stack)]) {
    expect(message).not.toMatch(/k3y|v2|token=|127\.0\.0\.1|http:/)
  }
  return error.message
}

describe("operationState", () => {
  it("returns used if the nonce bit is set at the finalized block, even after the deadline", async () => {
    expect(await stateWith(node(deadline - 100, bit(7n)))).toBe("used")
    expect(await stateWith(node(deadline + 100, bit(7n)))).toBe("used")
  })

  it("returns expired only if a finalized block is past the deadline and the bit is unset", async () => {
    expect(await stateWith(node(deadline + 1, 0n))).toBe("expired")
    expect(await stateWith(node(deadline + 1, ~bit(7n) & (2n ** 256n - 1n)))).toBe("expired")
  })

  it("returns open if the time of the finalized block equals the deadline", async () => {
    expect(await stateWith(node(deadline, 0n))).toBe("open")
    expect(await stateWith(node(deadline - 1, 0n))).toBe("open")
  })

  it("reads the right word of the bitmap in the same block as the time", async () => {
    const nonce = (5n << 8n) + 255n
    const { reader, servers } = await readerOf(node(deadline + 1, 1n << 255n))
    expect(await reader.operationState({ ...operation, nonce })).toBe("used")
    const root = Hash.keccak256(Hex.fromString("geoswap.account"))
    const hashed = Hash.keccak256(word(BigInt(root) - 1n))
    const base = word(BigInt(hashed) & ~0xffn)
    const slot = Hash.keccak256(AbiParameters.encode(AbiParameters.from("uint256, bytes32"), [5n, base]))
    expect(servers[0]?.requests).toEqual([
      "eth_chainId()",
      'eth_getBlockByNumber("finalized",false)',
      `eth_getStorageAt("${address}","${slot}",{"blockHash":"${blockHash}","requireCanonical":true})`
    ])
  })

  it("fails if the node does not support finalized blocks, and never reads latest", async () => {
    for (const refused of [refusal(-32602, "unknown block tag finalized"), null]) {
      const { reader, servers } = await readerOf(node(deadline + 1, 0n, { eth_getBlockByNumber: () => refused }))
      expect(await failureOf(reader.operationState(operation))).toContain("finalized")
      expect(servers[0]?.requests.join()).not.toContain("latest")
    }
  })

  it("fails if the node has pruned the state of that block", async () => {
    const pruned = node(deadline + 1, 0n, { eth_getStorageAt: () => refusal(-32000, `missing trie node ${secret}`) })
    expect(await failureOf(stateWith(pruned))).toContain("rejected eth_getStorageAt with JSON-RPC error -32000")
  })

  it("fails if a response is malformed", async () => {
    const lies: ReadonlyArray<Script> = [
      { eth_getStorageAt: () => "0x" },
      { eth_getStorageAt: () => null },
      { eth_getStorageAt: () => 0 },
      { eth_getStorageAt: () => `0x${"0".repeat(66)}` },
      { eth_getBlockByNumber: () => ({ ...block(deadline + 1), hash: undefined }) },
      { eth_getBlockByNumber: () => ({ ...block(deadline + 1), hash: "latest" }) },
      { eth_getBlockByNumber: () => ({ ...block(deadline + 1), timestamp: undefined }) },
      { eth_getBlockByNumber: () => ({ ...block(deadline + 1), timestamp: deadline + 1 }) },
      { eth_getBlockByNumber: () => "0x64" }
    ]
    for (const lie of lies) await failureOf(stateWith(node(deadline + 1, 0n, lie)))
  })

  it("fails if the node is of another chain, and checks the chain id once", async () => {
    const otherChain = node(deadline + 1, 0n, { eth_chainId: () => "0x1" })
    expect(await failureOf(stateWith(otherChain))).toContain("the node serves chain 1")
    const { reader, servers } = await readerOf(node(deadline + 1, 0n))
    await reader.operationState(operation)
    await reader.operationState(operation)
    expect(servers[0]?.requests.filter((each) => each.startsWith("eth_chainId"))).toHaveLength(1)
  })

  it("checks the chain id again until it matches once", async () => {
    let answers = 0
    const { reader } = await readerOf(
      node(deadline + 1, 0n, { eth_chainId: () => (answers++ === 0 ? refusal(-32005, "busy") : quantity(chainId)) })
    )
    await failureOf(reader.operationState(operation))
    expect(await reader.operationState(operation)).toBe("expired")
  })

  it("refuses invalid queries", async () => {
    const { reader, servers } = await readerOf(node(deadline + 1, 0n))
    const mistyped = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92267"
    for (const wrong of [
      { wallet: mistyped },
      { wallet: "0x12" },
      { nonce: -1n },
      { nonce: 2n ** 256n },
      { deadline: NaN }
    ]) {
      expect(await failureOf(reader.operationState({ ...operation, ...wrong }))).toContain("query")
    }
    expect(await failureOf(reader.operationState({ ...operation, chainId: 1 }))).toContain(
      "No node is configured for chain 1"
    )
    expect(servers[0]?.requests).toEqual([])
  })
})

describe("the state of a payment", () => {
  const nonce = Payment.permit2Nonces + 263n
  const token = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
  const payment = { chainId, wallet: address, method: "permit2", token, nonce, deadline } as const
  const authorized = { ...payment, method: "eip3009", nonce: 7n } as const
  const at = (time: number, answer: unknown) => node(time, 0n, { eth_call: () => answer })
  const stateOf = async (query: ChainReader.PaymentQuery, ...nodes: ReadonlyArray<Script>) =>
    (await readerOf(...nodes)).reader.paymentState?.(query) ?? expect.fail("missing")

  it("is used if the token or Permit2 has recorded the nonce, even after the deadline", async () => {
    for (const time of [deadline - 1, deadline + 1]) {
      expect(await stateOf(payment, at(time, word(bit(7n))))).toBe("used")
      expect(await stateOf({ ...payment, method: "erc2612" }, at(time, word(bit(7n))))).toBe("used")
      expect(await stateOf(authorized, at(time, word(1n)))).toBe("used")
    }
  })

  it("is expired only if a finalized block is past the deadline and the nonce is unused", async () => {
    const others = ~bit(7n) & (2n ** 256n - 1n)
    expect(await stateOf(payment, at(deadline + 1, word(others)))).toBe("expired")
    expect(await stateOf(authorized, at(deadline + 1, word(0n)))).toBe("expired")
    expect(await stateOf(payment, at(deadline, word(0n)))).toBe("open")
    expect(await stateOf(authorized, at(deadline, word(0n)))).toBe("open")
  })

  it("is read from the token or Permit2, in the same block as the time", async () => {
    const padded = address.slice(2).toLowerCase().padStart(64, "0")
    for (const [query, to, data] of [
      [authorized, token, `0xe94a0102${padded}${word(7n).slice(2)}`],
      [payment, Payment.permit2Address, `0x4fe02b44${padded}${word(nonce >> 8n).slice(2)}`]
    ] as const) {
      const { reader, servers } = await readerOf(at(deadline + 1, word(0n)))
      await reader.paymentState?.(query)
      expect(servers[0]?.requests.slice(1)).toEqual([
        'eth_getBlockByNumber("finalized",false)',
        `eth_call(${JSON.stringify({ to, data })},${JSON.stringify({ blockHash, requireCanonical: true })})`
      ])
    }
  })

  it("is unknown if the node has no finalized blocks, or the contract does not answer", async () => {
    const lies: ReadonlyArray<Script> = [
      { eth_getBlockByNumber: () => null },
      { eth_call: () => "0x" },
      { eth_call: () => "0x0" },
      { eth_call: () => null },
      { eth_call: () => refusal(3, "execution reverted") }
    ]
    for (const lie of lies) {
      for (const query of [payment, authorized]) {
        await failureOf(stateOf(query, node(deadline + 1, 0n, { eth_call: () => word(0n), ...lie })))
      }
    }
  })

  it("needs two nodes to agree that it expired", async () => {
    const [used, expired, open] = [at(deadline + 1, word(bit(7n))), at(deadline + 1, word(0n)), at(deadline, word(0n))]
    expect(await stateOf(payment, expired, expired)).toBe("expired")
    expect(await stateOf(payment, expired, open)).toBe("open")
    expect(await failureOf(stateOf(payment, expired, used))).toContain("node 2 reports used")
  })

  it("refuses invalid queries", async () => {
    const { reader, servers } = await readerOf(at(deadline + 1, word(0n)))
    for (const wrong of [
      { wallet: "0x12" },
      { token: "0x12" },
      { method: "delegation" },
      { nonce: -1n },
      { nonce: 2n ** 256n },
      { deadline: NaN }
    ]) {
      const query = { ...payment, ...wrong } as ChainReader.PaymentQuery
      expect(await failureOf(Promise.resolve(reader.paymentState?.(query)))).toContain("query")
    }
    expect(servers[0]?.requests).toEqual([])
  })
})

describe("with several nodes", () => {
  const [used, expired, open] = [node(deadline, bit(7n)), node(deadline + 1, 0n), node(deadline, 0n)]
  const dead: Script = { eth_chainId: () => raw((response) => response.destroy()) }

  it("returns expired only if the nodes agree", async () => {
    expect(await stateWith(expired, expired)).toBe("expired")
    expect(await failureOf(stateWith(expired, used))).toContain("node 1 reports expired; node 2 reports used")
  })

  it("returns open if one node lags behind", async () => {
    expect(await stateWith(expired, open)).toBe("open")
    expect(await stateWith(open, used)).toBe("open")
  })

  it("needs a quorum of the nodes, by default more than half of them", async () => {
    expect(await stateWith(dead, expired, expired)).toBe("expired")
    expect(await failureOf(stateWith(dead, expired))).toContain("node 1 could not be reached for eth_chainId")
    const { servers } = await readerOf(dead, expired)
    const rpcUrls = { [chainId]: servers.map(({ url }) => url) }
    expect(await evmReader({ rpcUrls, quorum: 1 }).operationState(operation)).toBe("expired")
  })
})

describe("a response of a node", () => {
  const answering = (answer: Parameters<typeof raw>[0]) =>
    stateWith(node(deadline + 1, 0n, { eth_getBlockByNumber: () => raw(answer) }))
  const json = (value: unknown) => JSON.stringify(value)

  it("is refused unless it is a JSON-RPC response with a result", async () => {
    const bodies: ReadonlyArray<readonly [status: number, body: string]> = [
      [200, "<html>"],
      [200, ""],
      [200, "null"],
      [200, json([{ jsonrpc: "2.0", id: 1, result: block(deadline + 1) }])],
      [200, json({ jsonrpc: "2.0", id: 2, result: block(deadline + 1) })],
      [200, json({ jsonrpc: "2.0", id: 1 })],
      [500, json({ jsonrpc: "2.0", id: 1, result: block(deadline + 1) })],
      [403, `forbidden for ${secret}`],
      [429, json({ jsonrpc: "2.0", id: 1, error: { code: secret, message: secret } })]
    ]
    for (const [status, body] of bodies) {
      await failureOf(
        answering((response) => {
          response.statusCode = status
          response.end(body)
        })
      )
    }
  })

  it("is refused if it is a redirect", async () => {
    const other = await serve(node(deadline + 1, 0n))
    const message = await failureOf(
      answering((response) => {
        response.writeHead(307, { location: other.url })
        response.end()
      })
    )
    expect(message).toContain("responded to eth_getBlockByNumber with a redirect, which is not followed")
    expect(other.requests).toEqual([])
  })

  it.each([
    ["a browser hides a redirect", "type", "opaqueredirect"],
    ["a replacement for fetch has followed a redirect", "redirected", true]
  ])("is refused if %s", async (_, property, value) => {
    const fetch = () =>
      Promise.resolve(Object.defineProperty(Response.json({ id: 1, result: "0x2105" }), property, { value }))
    const reader = evmReader({ rpcUrls: { [chainId]: "https://node.example/v2" }, fetch })
    expect(await failureOf(reader.operationState(operation))).toContain("redirect")
  })

  it("is refused if it is too long", async () => {
    let sent = 0
    await failureOf(
      answering((response) => {
        const more = () => {
          sent += 1
          if (!response.destroyed) response.write("0".repeat(2 ** 20), more)
        }
        more()
      })
    )
    expect(sent).toBeLessThan(64)
  })

  it.effect("is refused after the timeout", () =>
    Effect.gen(function* () {
      let heard: () => void = () => undefined
      const listening = new Promise<void>((resolve) => {
        heard = resolve
      })
      const silent = yield* Effect.promise(() =>
        serve({
          eth_chainId: () =>
            raw(() => {
              heard()
            })
        })
      )
      const reader = yield* EvmReader.make({ rpcUrls: { [chainId]: silent.url }, timeout: 5_000 })
      const asking = yield* Effect.forkChild(Effect.result(reader.operationState(operation)))
      yield* Effect.promise(() => listening)
      yield* TestClock.adjust(5_000)
      const result = yield* Fiber.join(asking)
      expect(result).toMatchObject({ failure: { message: expect.stringContaining("within 5 s") as string } })
    })
  )

  it("is abandoned when the caller aborts", async () => {
    const caller = new AbortController()
    let reader: ReturnType<typeof evmReader> | undefined
    await new Promise((closed) => {
      const asking = async () => {
        const silent = await serve({
          eth_chainId: () =>
            raw((response) => {
              response.on("close", closed)
              caller.abort(new Error("enough"))
            })
        })
        reader = evmReader({ rpcUrls: { [chainId]: silent.url } })
        await expect(reader.operationState(operation, { signal: caller.signal })).rejects.toThrow("enough")
      }
      void asking()
    })
  })
})

describe("accountNonce", () => {
  const counting = (count: unknown): Script => node(0, 0n, { eth_getTransactionCount: () => count })
  const query = { chainId, address }

  it("reads the nonce at the latest block, not in the mempool", async () => {
    const { reader, servers } = await readerOf(counting("0x5"))
    expect(await reader.accountNonce(query)).toBe(5)
    expect(servers[0]?.requests.at(-1)).toBe(`eth_getTransactionCount("${address}","latest")`)
  })

  it("fails if the nonce is invalid or the nodes disagree", async () => {
    for (const count of [5, "5", "0x", null, `0x${"f".repeat(16)}`]) {
      await failureOf((await readerOf(counting(count))).reader.accountNonce(query))
    }
    const { reader } = await readerOf(counting("0x5"), counting("0x6"))
    expect(await failureOf(reader.accountNonce(query))).toContain("contradict")
  })
})

describe("accountCode", () => {
  const coded = (code: unknown): Script => node(0, 0n, { eth_getCode: () => code })
  const query = { chainId, address }
  const designator = `0xef0100${"AB".repeat(20)}`

  it("reads the code at the latest block, in lower case", async () => {
    const { reader, servers } = await readerOf(coded(designator))
    expect(await reader.accountCode?.(query)).toBe(designator.toLowerCase())
    expect(servers[0]?.requests.at(-1)).toBe(`eth_getCode("${address}","latest")`)
    expect(await (await readerOf(coded("0x"))).reader.accountCode?.(query)).toBe("0x")
  })

  it("fails if the code is invalid or the nodes disagree, without showing a contract's code", async () => {
    for (const code of [null, "", "ef", "0x1", "0xzz", 0]) {
      await failureOf((await readerOf(coded(code))).reader.accountCode?.(query) ?? Promise.resolve())
    }
    const { reader } = await readerOf(coded("0x"), coded(`0x${"60".repeat(500)}`))
    const message = await failureOf(reader.accountCode?.(query) ?? Promise.resolve())
    expect(message).toContain("contradict")
    expect(message).toContain("500 bytes of code")
  })
})

describe("token", () => {
  const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
  const asString = (text: string) => AbiParameters.encode(AbiParameters.from("string"), [text])
  const token = (decimals: unknown, symbol: unknown): Script =>
    node(0, 0n, {
      eth_call: ([call]) => ((call as { readonly data: string }).data === "0x313ce567" ? decimals : symbol)
    })
  const factsOf = async (...scripts: ReadonlyArray<Script>) =>
    (await readerOf(...scripts)).reader.token({ chainId, address: usdc })

  it("returns decimals and symbol, with the symbol as a string or bytes32", async () => {
    expect(await factsOf(token(word(6n), asString("USDC")))).toEqual({ decimals: 6, symbol: "USDC" })
    const maker = Hex.padRight(Hex.fromString("MKR"), 32)
    expect(await factsOf(token(word(18n), maker))).toEqual({ decimals: 18, symbol: "MKR" })
    expect(await factsOf(token(word(0n), asString("₮ 0")))).toEqual({ decimals: 0, symbol: "₮ 0" })
  })

  it("omits the symbol if the token has none", async () => {
    for (const none of ["0x", refusal(3, "execution reverted"), refusal(-32000, "VM Exception: Revert")]) {
      expect(await factsOf(token(word(77n), none))).toEqual({ decimals: 77 })
    }
  })

  it("refuses invalid decimals and symbols", async () => {
    const good = asString("USDC")
    for (const decimals of [
      word(78n),
      word(2n ** 255n),
      "0x",
      "0x06",
      `${word(6n)}00`,
      null,
      6,
      refusal(3, "revert")
    ]) {
      await failureOf(factsOf(token(decimals, good)))
    }
    const symbols = ["", " ", "USDC ", "US\nDC", "US\u0000DC", "USD\u202EC", "USD\u200BC", "A".repeat(33), "\uFEFFUSDC"]
    for (const symbol of symbols) await failureOf(factsOf(token(word(6n), asString(symbol))))
    const malformed = [
      word(0n),
      `${good.slice(0, 66)}${word(2n ** 200n).slice(2)}`,
      `${word(64n)}${good.slice(66)}`,
      `${word(32n)}${word(2n).slice(2)}${Hex.padRight("0xff", 32).slice(2)}`,
      "0x0",
      "text",
      refusal(-32005, "limit exceeded")
    ]
    for (const symbol of malformed) await failureOf(factsOf(token(word(6n), symbol)))
  })

  it("fails if two nodes disagree", async () => {
    const honest = token(word(6n), asString("USDC"))
    expect(await failureOf(factsOf(honest, token(word(9n), asString("USDC"))))).toContain(
      "node 1 reports 6 decimals and the symbol USDC; node 2 reports 9 decimals"
    )
    await failureOf(factsOf(honest, token(word(6n), asString("USDT"))))
  })
})

describe("options", () => {
  it("are refused with the name of the invalid option and without the URL", () => {
    const refusals: ReadonlyArray<readonly [options: unknown, field: string]> = [
      [undefined, "options"],
      [{}, "rpcUrls"],
      [{ rpcUrls: ["https://node.example"] }, "rpcUrls"],
      [{ rpcUrls: new Map([[chainId, "https://node.example"]]) }, "rpcUrls"],
      [{ rpcUrls: { base: "https://node.example" } }, "rpcUrls"],
      [{ rpcUrls: { [chainId]: [] } }, `rpcUrls[${chainId}]`],
      [{ rpcUrls: { [chainId]: secret } }, `rpcUrls[${chainId}]`],
      [{ rpcUrls: { [chainId]: `http://node.example/${secret}` } }, `rpcUrls[${chainId}]`],
      [{ rpcUrls: { [chainId]: `ws://localhost/${secret}` } }, `rpcUrls[${chainId}]`],
      [{ rpcUrls: { [chainId]: `https://user:${secret}@node.example` } }, `rpcUrls[${chainId}]`],
      [{ rpcUrls: { [chainId]: `https://node.example/#${secret}` } }, `rpcUrls[${chainId}]`],
      [{ rpcUrls: { [chainId]: ["https://node.example", "https://node.example/"] } }, `rpcUrls[${chainId}]`],
      [{ rpcUrls: { [chainId]: 8453 } }, `rpcUrls[${chainId}]`],
      [{ rpcUrls: {}, quorum: 0 }, "quorum"],
      [{ rpcUrls: { [chainId]: `https://node.example/${secret}` }, quorum: 2 }, `rpcUrls[${chainId}]`],
      [{ rpcUrls: {}, timeout: 0 }, "timeout"],
      [{ rpcUrls: {}, timeout: "5" }, "timeout"],
      [{ rpcUrls: {}, fetch: "fetch" }, "fetch"],
      [Object.defineProperty({}, "rpcUrls", { get: () => JSON.parse(secret) as unknown }), "options"]
    ]
    for (const [options, field] of refusals) {
      const error = thrown(() => evmReader(options as EvmReaderOptions)) as SwapError.InvalidInput
      expect(error).toMatchObject({ _tag: "InvalidInput", field })
      expect(error.message).not.toContain(secret)
    }
  })

  it("may replace fetch", async () => {
    const urls: Array<string> = []
    const fetch = (url: string, init: RequestInit) => {
      urls.push(url)
      expect(init).toMatchObject({ method: "POST", redirect: "manual" })
      return Promise.resolve(Response.json({ id: 1, result: "0x2105" }))
    }
    const reader = evmReader({ rpcUrls: { [chainId]: "https://node.example/v2" }, fetch })
    await rejection(reader.operationState(operation))
    expect(urls[0]).toBe("https://node.example/v2")
  })

  it("are not shown when the reader is printed", () => {
    const reader = evmReader({ rpcUrls: { [chainId]: `https://node.example/${secret}` } })
    expect(JSON.stringify(reader) + Object.values(reader).map(String).join()).not.toContain(secret)
  })
})

describe("a balance", () => {
  const query = { chainId, token: delegate, wallet: address }
  const holding = (balance: unknown) => node(deadline, 0n, { eth_call: () => balance })
  const balanceWith = async (...answers: ReadonlyArray<unknown>) => {
    const { reader, servers } = await readerOf(...answers.map(holding))
    return { servers, balance: reader.balance?.(query) ?? Promise.reject(new Error("It reads no balances.")) }
  }

  it("is the result of balanceOf", async () => {
    expect(await (await balanceWith(word(5n))).balance).toBe(5n)
  })

  it("is the largest that a quorum of nodes reports, since nodes may be a few blocks apart", async () => {
    expect(await (await balanceWith(word(7n), word(5n), word(6n))).balance).toBe(6n)
  })

  it.each([["0x"], ["0x05"], [5], [null], [`0x${"0".repeat(63)}g`]])(
    "is refused if a node returns %j",
    async (answer) => {
      const { balance } = await balanceWith(answer)
      expect(await rejection(balance)).toMatchObject({ _tag: "ReaderError" })
    }
  )

  it.each([
    ["token", { ...query, token: "USDC" }],
    ["wallet", { ...query, wallet: "me" }]
  ])("is not requested for an invalid %s", async (_, invalid) => {
    const { reader } = await readerOf(holding(word(5n)))
    expect(await rejection(reader.balance?.(invalid) ?? Promise.resolve())).toMatchObject({ _tag: "ReaderError" })
  })
})
