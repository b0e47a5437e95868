import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Hash } from "viem"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { descendants, eventually, runs } from "../../../tooling/testing/processes.js"
import { Proxy, type RunningDevnet, startDevnet, startProxy } from "../src/index.js"
import { ping, reader } from "./evm.js"
import { stuckAnvil } from "./processes.js"

const emptyAddress = "0x00000000000000000000000000000000000000aa"

describe("faults of the EVM chains", () => {
  let devnet: RunningDevnet
  let second: RunningDevnet
  beforeAll(async () => {
    // Two at once, as in parallel test files. There are no empty blocks, because tests count blocks.
    ;[devnet, second] = await Promise.all([
      startDevnet({ ports: "free", blockTime: 0, confirmations: 4 }),
      startDevnet({ ports: "free", blockTime: 0 })
    ])
  })
  afterAll(() => Promise.all([devnet.stop(), second.stop()]))

  const receiptOn = (chain: "evmA" | "evmB", hash: Hash) =>
    reader(devnet[chain])
      .getTransactionReceipt({ hash })
      .catch(() => undefined)
  const receipt = (hash: Hash) => receiptOn("evmA", hash)

  it("runs beside another devnet, each with separate chains", async () => {
    const ports = [devnet, second].flatMap(({ description }) => description.chains.map(({ rpcUrl }) => rpcUrl))
    expect(new Set(ports).size).toBe(6)
    await second.evmA.mine(5)
    const heights = [devnet, second].map(({ evmA }) => reader(evmA).getBlockNumber())
    const [one = 0n, other = 0n] = await Promise.all(heights)
    expect(other - one).toBe(5n)
  })

  it("treats two blocks as final unless configured otherwise", async () => {
    await expect(second.evmA.reorg(2)).rejects.toMatchObject({ _tag: "ReorgTooDeep", depth: 2, confirmations: 2 })
    await second.evmA.reorg(1)
  })

  it("stops without affecting another devnet, and can be stopped twice", async () => {
    const mine = descendants(process.pid).filter(runs)
    await second.stop()
    await second.stop()
    const left = mine.filter(runs)
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(mine.length)
    await expect(fetch(second.solana.rpcUrl)).rejects.toThrow("fetch failed")
    await expect(fetch(second.evmA.rpcUrl)).rejects.toThrow("fetch failed")
    expect(await reader(devnet.evmA).getChainId()).toBe(31337)
  })

  it("refuses a port that is taken, and invalid options", async () => {
    const port = Number(new URL(devnet.evmA.rpcUrl).port)
    const taken = { evmA: port, evmB: 0, solana: 0, solanaWs: 0 }
    const message = expect.stringContaining(
      `Port ${port} is already in use, so EVM chain 31337 cannot listen on it.`
    ) as string
    await expect(startDevnet({ ports: taken })).rejects.toMatchObject({ _tag: "PortTaken", port, message })
    await expect(startDevnet({ ports: { evmA: 70_000 } })).rejects.toThrow(
      "ports.evmA is invalid: expected a whole number from 0 to 65535, got 70000."
    )
    await expect(startDevnet({ ports: { evmA: 1, evmB: 1 } })).rejects.toMatchObject({ _tag: "InvalidOption" })
    await expect(startDevnet({ slotTime: 0 })).rejects.toMatchObject({ _tag: "InvalidOption", option: "slotTime" })
    await expect(startDevnet({ ports: "free", anvil: "/nowhere/anvil" })).rejects.toMatchObject({
      _tag: "BinaryMissing",
      binary: "anvil"
    })
  })

  it("aborts a start with the reason of the signal", async () => {
    const before = descendants(process.pid).filter(runs)
    const folder = mkdtempSync(join(tmpdir(), "geoswap-devnet-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const abort = new AbortController()
    const starting = startDevnet({ ports: "free", anvil: stuckAnvil(folder), signal: abort.signal })
    await eventually(() => descendants(process.pid).filter(runs).length > before.length)
    abort.abort(new Error("enough"))
    await expect(starting).rejects.toThrow("enough")
    expect(new Set(descendants(process.pid).filter(runs))).toEqual(new Set(before))
  })

  it("holds mining and mines on request", async () => {
    await devnet.evmA.hold()
    const hash = await ping(devnet.evmA, emptyAddress)
    // The other chain, which is not held, includes a transaction in the meantime.
    // viem's `waitForTransactionReceipt` may wait for another block, which this chain does not mine.
    const beside = await ping(devnet.evmB, emptyAddress)
    await eventually(async () => (await receiptOn("evmB", beside)) !== undefined)
    expect(await receipt(hash)).toBeUndefined()
    await devnet.evmA.mine()
    expect(await receipt(hash)).toMatchObject({ status: "success" })
    const waiting = await ping(devnet.evmA, emptyAddress)
    await devnet.evmA.release()
    await eventually(async () => (await receipt(waiting)) !== undefined)
    const instant = await ping(devnet.evmA, emptyAddress)
    await eventually(async () => (await receipt(instant)) !== undefined)
  })

  it("replaces blocks and drops their transactions", async () => {
    const client = reader(devnet.evmA)
    const before = await client.getBalance({ address: emptyAddress })
    const hash = await ping(devnet.evmA, emptyAddress)
    await eventually(async () => (await receipt(hash)) !== undefined)
    const { blockHash, blockNumber } = await client.getTransactionReceipt({ hash })
    await devnet.evmA.mine(2)
    await devnet.evmA.reorg(3)
    expect(await receipt(hash)).toBeUndefined()
    expect(await client.getBalance({ address: emptyAddress })).toBe(before)
    expect((await client.getBlock({ blockNumber })).hash).not.toBe(blockHash)
    expect(await client.getBlockNumber()).toBe(blockNumber + 2n)
  })

  it("replaces finalized blocks only with force", async () => {
    const client = reader(devnet.evmA)
    await devnet.evmA.mine(6)
    const latest = await client.getBlockNumber()
    const hashAt = async (blockNumber: bigint) => (await client.getBlock({ blockNumber })).hash
    const [final, pending] = await Promise.all([hashAt(latest - 3n), hashAt(latest)])
    await expect(devnet.evmA.reorg(4)).rejects.toMatchObject({
      _tag: "ReorgTooDeep",
      message: expect.stringMatching(
        /^EVM chain 31337 cannot replace its last 4 blocks: .* 4 confirmations, .* at most 3 .*force: true/
      ) as string
    })
    for (const depth of [0, -1, 1.5]) {
      await expect(devnet.evmA.reorg(depth)).rejects.toMatchObject({ _tag: "ChainRefused", method: "anvil_reorg" })
    }
    expect([await hashAt(latest - 3n), await hashAt(latest)]).toEqual([final, pending])
    await devnet.evmA.reorg(3)
    expect(await hashAt(latest - 3n)).toBe(final)
    expect(await hashAt(latest)).not.toBe(pending)
    await devnet.evmA.reorg(4, { force: true })
    expect(await hashAt(latest - 3n)).not.toBe(final)
  })

  it("drops a transaction from the pool", async () => {
    await devnet.evmA.hold()
    const hash = await ping(devnet.evmA, emptyAddress)
    expect(await devnet.evmA.drop(hash)).toBe(true)
    expect(await devnet.evmA.drop(hash)).toBe(false)
    await devnet.evmA.mine()
    expect(await receipt(hash)).toBeUndefined()
    await devnet.evmA.release()
  })

  it("raises the base fee, so that a transaction with a lower fee waits", async () => {
    const client = reader(devnet.evmA)
    await devnet.evmA.setBaseFee(500_000_000_000n)
    await devnet.evmA.mine()
    expect((await client.getBlock()).baseFeePerGas).toBe(500_000_000_000n)
    // The node may add it to the pool or not, but no block includes it.
    const balance = await client.getBalance({ address: emptyAddress })
    const poor = await ping(devnet.evmA, emptyAddress, { maxFeePerGas: 1_000_000_000n }).catch(() => undefined)
    await devnet.evmA.mine()
    expect(await client.getBalance({ address: emptyAddress })).toBe(balance)
    if (poor !== undefined) await devnet.evmA.drop(poor)
    await devnet.evmA.setBaseFee(1_000_000_000n)
    await devnet.evmA.mine()
    expect((await client.getBlock()).baseFeePerGas).toBe(1_000_000_000n)
  })

  it("sets the clock, which continues from there", async () => {
    const client = reader(devnet.evmA)
    const before = Date.now()
    const later = Math.floor(before / 1000) + 86_400
    await devnet.evmA.setTime(later)
    expect(Number((await client.getBlock()).timestamp)).toBe(later)
    await devnet.evmA.mine()
    const passed = Number((await client.getBlock()).timestamp) - later
    expect(passed).toBeGreaterThanOrEqual(0)
    expect(passed).toBeLessThanOrEqual((Date.now() - before) / 1000 + 1)
  })

  it("reports the request that the chain refused", async () => {
    await expect(devnet.evmA.setTime(1)).rejects.toMatchObject({
      _tag: "ChainRefused",
      method: "evm_setNextBlockTimestamp"
    })
  })

  it("changes receipts through a proxy, and returns the real ones again", async () => {
    await using proxy = await startProxy({ target: devnet.evmA.rpcUrl })
    const where = { ...devnet.evmA, rpcUrl: proxy.rpcUrl }
    const hash = await ping(where, emptyAddress)
    await eventually(async () => (await receipt(hash)) !== undefined)
    const getReceipt = () => reader(where).getTransactionReceipt({ hash })
    const method = "eth_getTransactionReceipt"
    await proxy.set(method, Proxy.receiptStatus(false))
    expect((await getReceipt()).status).toBe("reverted")
    await proxy.set(method, Proxy.receiptStatus(true))
    expect((await getReceipt()).status).toBe("success")
    await proxy.set(
      method,
      Proxy.receiptLogs((logs) => [...logs, { address: emptyAddress, topics: [], data: "0x01" }])
    )
    expect((await getReceipt()).logs).toMatchObject([{ address: emptyAddress }])
    await proxy.set(
      method,
      Proxy.receiptLogs(() => []),
      1
    )
    expect((await getReceipt()).logs).toEqual([])
    await proxy.set(method, Proxy.receiptMissing, 1)
    await expect(getReceipt()).rejects.toThrow(/could not be found/)
    expect((await getReceipt()).status).toBe("success")
  })

  it("loses the response to a transaction that the node accepted", async () => {
    await using proxy = await startProxy({ target: devnet.evmA.rpcUrl })
    const where = { ...devnet.evmA, rpcUrl: proxy.rpcUrl }
    const client = reader(devnet.evmA)
    const before = await client.getBalance({ address: emptyAddress })
    await proxy.set("eth_sendRawTransaction", Proxy.loseAnswer, 1)
    let ended = false
    const sending = ping(where, emptyAddress)
      .catch(() => "timeout")
      .finally(() => (ended = true))
    await eventually(async () => (await client.getBalance({ address: emptyAddress })) === before + 1n)
    // A later call gets its response first.
    await reader(where).getBlockNumber()
    expect(ended).toBe(false)
    expect(await proxy.calls("eth_sendRawTransaction")).toBe(1)
    await proxy.stop()
    // viem retries when the connection closes, and nothing listens.
    expect(await sending).toBe("timeout")
  })

  it("leaves no shell or program running after everything is stopped", async () => {
    await devnet.stop()
    await eventually(() =>
      descendants(process.pid)
        .filter(runs)
        .every((pid) => !isOurs(pid))
    )
  })
})

/** Whether a process is an EVM chain or its guarding shell. */
const isOurs = (pid: number): boolean => {
  try {
    return /geoswap-devnet|anvil|edrProgram/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"))
  } catch {
    return false
  }
}
