/**
 * What the devnet promises of an EVM chain, shown on EDR everywhere and on anvil where npm has a build of it. What the
 * engines do differently is in `differences`.
 */
import { TestToken } from "@geoswap/contracts/testing"
import { existsSync } from "node:fs"
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  decodeFunctionResult,
  encodeFunctionData,
  type Hash,
  type Hex,
  hexToNumber,
  http,
  keccak256,
  numberToHex,
  pad,
  parseEther,
  parseGwei,
  publicActions,
  RpcRequestError,
  toHex,
  webSocket
} from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isWhole } from "../../../tooling/testing/matrix.ts"
import { eventually } from "../../../tooling/testing/processes.js"
import type { EngineName } from "../src/EvmNode.js"
import { type RunningDevnet, startDevnet } from "../src/index.js"
import { anvilCommand } from "../src/internal/evm/anvilBinary.js"
import { evmWallet } from "../src/Wallets.js"

/** The engines that can run here. Anvil has no build for ARM Linux on npm. */
const engines: ReadonlyArray<EngineName> = existsSync(anvilCommand(undefined)) ? ["edr", "anvil"] : ["edr"]

/** What remains different, and why. The service and the tests depend on neither side of a row. */
const differences = {
  /** Anvil refunds 12,500 gas, up to a fifth of all, for the first authorization of an account that does not exist. */
  firstAuthorization: { edr: 46_000n, anvil: 36_800n },
  /** With EDR, the base fee does not fall below that of the first block. Anvil lets it fall to 7 wei. */
  keepsBaseFee: { edr: true, anvil: false },
  /** Real nodes require 10% more for a replacement. Anvil accepts any increase. */
  replacesWithLittleMore: { edr: false, anvil: true },
  /** Anvil forgets a transaction whose fee is below the base fee. Real nodes keep it. */
  keepsBelowBaseFee: { edr: true, anvil: false },
  /** EDR reports the pending block without a number. */
  numbersPendingBlock: { edr: false, anvil: true },
  /** EDR has no block overrides of `eth_call`, and refuses them. */
  blockOverrides: { edr: false, anvil: true }
} as const

const recipient: Address = "0x00000000000000000000000000000000000000aa"
const transferTopic = keccak256(toHex("Transfer(address,address,uint256)"))

/** Code that returns the value of its first storage slot. */
const readsSlot: Hex = "0x5f545f5260205ff3"
/** Code that reverts with the 32 bytes 0x…2a. */
const reverts: Hex = "0x602a5f5260205ffd"

describe.each(engines)("an EVM chain on %s", (evm) => {
  let devnet: RunningDevnet
  beforeAll(async () => {
    devnet = await startDevnet({ ports: "free", blockTime: 0, confirmations: 8, evm })
  })
  afterAll(() => devnet.stop())

  /** A chain that mines only on request, and an account with gas that no other test uses. */
  const setting = async (mining: "held" | "automatic" = "held") => {
    const chain = devnet.evmA
    await (mining === "held" ? chain.hold() : chain.release())
    const client = createTestClient({ mode: "anvil", transport: http(chain.rpcUrl), cacheTime: 0 }).extend(
      publicActions
    )
    const account = privateKeyToAccount(generatePrivateKey())
    await client.setBalance({ address: account.address, value: parseEther("10") })
    const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) })
    const send = (nonce: number, gwei: string, to: Address = recipient, value = 1n): Promise<Hash> =>
      wallet.sendTransaction({
        chain: null,
        to,
        value,
        nonce,
        gas: 21_000n,
        maxFeePerGas: parseGwei(gwei),
        maxPriorityFeePerGas: parseGwei(gwei),
        type: "eip1559"
      })
    const receipt = (hash: Hash) => client.getTransactionReceipt({ hash }).catch(() => undefined)
    const request = client.request as unknown as (call: {
      readonly method: string
      readonly params?: ReadonlyArray<unknown>
    }) => Promise<unknown>
    return { account, chain, client, receipt, request, send, wallet }
  }

  /** The JSON-RPC error of a call that fails. */
  const errorOf = async (failing: Promise<unknown>): Promise<{ code: number; message: string; data: unknown }> => {
    try {
      await failing
    } catch (error) {
      const walk = (error as { readonly walk?: (is: (one: unknown) => boolean) => unknown }).walk
      const found = walk?.call(error, (one) => one instanceof RpcRequestError) ?? error
      if (found instanceof RpcRequestError) return { code: found.code, message: found.details, data: found.data }
      throw error
    }
    throw new Error("The call succeeded.")
  }

  it("returns its chain id, and an error for a method that does not exist", async () => {
    const { client, request } = await setting()
    expect(await client.getChainId()).toBe(31_337)
    expect(await request({ method: "net_version" })).toBe("31337")
    expect(await request({ method: "web3_clientVersion" })).toMatch(evm)
    expect(await errorOf(request({ method: "eth_doesNotExist" }))).toMatchObject({ code: -32_601 })
  })

  it("has a finalized block two behind the latest one, and a safe block one behind", async () => {
    const { chain, client } = await setting()
    await chain.mine(3)
    const latest = await client.getBlockNumber()
    const numberAt = async (blockTag: "latest" | "safe" | "finalized" | "earliest" | "pending") =>
      (await client.getBlock({ blockTag })).number
    expect(await numberAt("latest")).toBe(latest)
    expect(await numberAt("safe")).toBe(latest - 1n)
    expect(await numberAt("finalized")).toBe(latest - 2n)
    expect(await numberAt("earliest")).toBe(0n)
    expect(await numberAt("pending")).toBe(differences.numbersPendingBlock[evm] ? latest + 1n : null)
  })

  it("reads balances and logs up to the finalized block", async () => {
    const { account, chain, client, send } = await setting()
    const to = privateKeyToAccount(generatePrivateKey()).address
    await send(0, "5", to)
    await chain.mine()
    expect(await client.getBalance({ address: to })).toBe(1n)
    expect(await client.getBalance({ address: to, blockTag: "finalized" })).toBe(0n)
    await chain.mine(2)
    expect(await client.getBalance({ address: to, blockTag: "finalized" })).toBe(1n)
    expect(await client.getTransactionCount({ address: account.address, blockTag: "safe" })).toBe(1)
    const logs = await client.getLogs({ fromBlock: "earliest", toBlock: "finalized" })
    expect(logs.length).toBeGreaterThan(0)
    expect(await client.getLogs({ fromBlock: "latest", toBlock: "latest" })).toEqual([])
  })

  describe("the pool", () => {
    it("keeps a transaction until a block includes it", async () => {
      const { account, chain, client, receipt, send } = await setting()
      const hash = await send(0, "5")
      expect(await client.getTransaction({ hash })).toMatchObject({ hash, nonce: 0, blockNumber: null })
      const { address } = account
      expect(await client.getTransactionCount({ address, blockTag: "pending" })).toBe(1)
      expect(await client.getTransactionCount({ address })).toBe(0)
      expect(await receipt(hash)).toBeUndefined()
      await chain.mine()
      expect(await receipt(hash)).toMatchObject({ status: "success", from: address.toLowerCase() })
    })

    it("queues a transaction while a nonce before it is missing", async () => {
      const { account, chain, client, receipt, send } = await setting()
      const later = await send(1, "5")
      const senderOf = (part: object) =>
        Object.entries(part).find(([from]) => from.toLowerCase() === account.address.toLowerCase())?.[1] as
          | Record<string, { readonly hash: Hash }>
          | undefined
      const queued = await client.getTxpoolContent()
      expect([senderOf(queued.pending), senderOf(queued.queued)?.["1"]?.hash]).toEqual([undefined, later])
      await chain.mine()
      expect(await receipt(later)).toBeUndefined()
      const first = await send(0, "5")
      const filled = await client.getTxpoolContent()
      expect(Object.keys(senderOf(filled.pending) ?? {})).toEqual(["0", "1"])
      expect(await client.getTxpoolStatus()).toMatchObject({ pending: 2, queued: 0 })
      await chain.mine()
      const [one, two] = [await receipt(first), await receipt(later)]
      expect(two?.blockNumber).toBe(one?.blockNumber)
      expect([one?.transactionIndex, two?.transactionIndex]).toEqual([0, 1])
      expect(await client.getTxpoolStatus()).toMatchObject({ pending: 0, queued: 0 })
    })

    it("queues a transaction with a later nonce while mining is automatic, and includes both once it can", async () => {
      const { chain, receipt, send } = await setting("automatic")
      const later = await send(1, "5")
      await chain.mine()
      expect(await receipt(later)).toBeUndefined()
      const first = await send(0, "5")
      await eventually(async () => (await receipt(first)) !== undefined && (await receipt(later)) !== undefined)
    })

    it("replaces a transaction only with a higher fee", async () => {
      const { chain, receipt, send } = await setting()
      const first = await send(0, "5")
      const little = await errorOf(send(0, "5.1")).catch(() => undefined)
      expect(little === undefined).toBe(differences.replacesWithLittleMore[evm])
      expect(little?.message ?? "underpriced").toMatch(/underpriced/i)
      const second = await send(0, "6")
      await chain.mine()
      expect([await receipt(first), (await receipt(second))?.status]).toEqual([undefined, "success"])
    })

    it("refuses a used nonce, a transaction that it has, and one without funds", async () => {
      const { account, chain, client, send } = await setting()
      await send(0, "5")
      expect(await errorOf(send(0, "5"))).toMatchObject({
        message: expect.stringMatching(/already|known|underpriced/i) as string
      })
      await chain.mine()
      expect(await errorOf(send(0, "7"))).toMatchObject({ message: expect.stringMatching(/nonce too low/i) as string })
      await client.setBalance({ address: account.address, value: 1n })
      expect(await errorOf(send(1, "5"))).toMatchObject({
        message: expect.stringMatching(/insufficient funds/i) as string
      })
    })

    it("includes the highest priority fee first", async () => {
      const { chain, receipt, send } = await setting()
      const other = await setting()
      const low = await send(0, "5")
      const high = await other.send(0, "9")
      await chain.mine()
      expect([(await receipt(high))?.transactionIndex, (await receipt(low))?.transactionIndex]).toEqual([0, 1])
    })

    it("never includes a transaction whose fee is below the base fee", async () => {
      const { chain, receipt, send } = await setting()
      const hash = await send(0, "5")
      await chain.setBaseFee(parseGwei("50"))
      await chain.mine()
      expect(await receipt(hash)).toBeUndefined()
      await chain.setBaseFee(parseGwei("1"))
      await chain.mine()
      expect((await receipt(hash))?.status).toBe(differences.keepsBelowBaseFee[evm] ? "success" : undefined)
    })
  })

  describe("a reorg", () => {
    it.each(isWhole ? [1, 2, 3, 4, 5, 6] : [1, 6])(
      "of depth %i drops the transactions of its blocks, and keeps the pool",
      async (depth) => {
        const { account, chain, client, receipt, send } = await setting()
        const other = await setting()
        const to = privateKeyToAccount(generatePrivateKey()).address
        const latest = Number(await client.getBlockNumber()) + depth
        const dropped: Array<Hash> = []
        for (let nonce = 0; nonce < depth; nonce += 1) {
          dropped.push(await send(nonce, "5", to))
          await chain.mine()
        }
        const pending = await other.send(0, "5", to)
        const queued = await send(depth + 1, "5", to)
        const hashesOf = async () =>
          Promise.all(
            Array.from({ length: depth + 1 }, async (_, index) => {
              const block = await client.getBlock({ blockNumber: BigInt(latest - depth + index) })
              return block.hash
            })
          )
        const before = await hashesOf()
        await chain.reorg(depth)
        const after = await hashesOf()
        expect(await client.getBlockNumber()).toBe(BigInt(latest))
        // The block before the replaced ones stays.
        expect(after.map((hash, index) => hash === before[index])).toEqual([true, ...dropped.map(() => false)])
        for (const hash of dropped) expect(await receipt(hash)).toBeUndefined()
        expect(await client.getBalance({ address: to })).toBe(0n)
        expect(await client.getTransactionCount({ address: account.address })).toBe(0)
        // Only the transaction of the other account can be included: the first nonces of this one are missing.
        expect(await client.getTransaction({ hash: pending })).toMatchObject({ blockNumber: null })
        expect(await client.getTransaction({ hash: queued })).toMatchObject({ blockNumber: null })
        await chain.mine()
        expect([(await receipt(pending))?.status, await receipt(queued)]).toEqual(["success", undefined])
        expect(await client.getBalance({ address: to })).toBe(1n)
        await chain.drop(queued)
      }
    )

    it("can be followed by another one", async () => {
      const { chain, client, receipt, send } = await setting()
      const hash = await send(0, "5")
      await chain.mine()
      await chain.reorg(1)
      const again = await send(0, "6")
      await chain.mine()
      expect([await receipt(hash), (await receipt(again))?.status]).toEqual([undefined, "success"])
      const { hash: before } = await client.getBlock()
      await chain.reorg(3)
      expect((await client.getBlock()).hash).not.toBe(before)
      expect(await receipt(again)).toBeUndefined()
    })
  })

  describe("time", () => {
    it("follows the clock of the machine", async () => {
      const { chain, client } = await setting()
      const before = (await client.getBlock()).timestamp
      await chain.mine(10)
      const [passed, now] = [(await client.getBlock()).timestamp - before, Math.floor(Date.now() / 1000)]
      // Several blocks can be in one second.
      expect(passed).toBeLessThan(10n)
      expect(Math.abs(Number(before + passed) - now)).toBeLessThan(60)
    })

    it("is set for the next block, and not before the last one", async () => {
      const chain = devnet.evmB
      await chain.hold()
      const client = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 })
      const { timestamp } = await client.getBlock()
      await chain.setTime(Number(timestamp) + 5_000)
      expect((await client.getBlock()).timestamp).toBe(timestamp + 5_000n)
      await expect(chain.setTime(Number(timestamp))).rejects.toMatchObject({ _tag: "ChainRefused" })
    })
  })

  describe("calls and receipts", () => {
    it("returns the data of a revert with code 3", async () => {
      const { client, request } = await setting()
      await client.setCode({ address: recipient, bytecode: reverts })
      const failing = request({ method: "eth_call", params: [{ to: recipient }, "latest"] })
      expect(await errorOf(failing)).toMatchObject({ code: 3, data: pad("0x2a") })
      expect(await errorOf(request({ method: "eth_estimateGas", params: [{ to: recipient }] }))).toMatchObject({
        code: 3,
        data: pad("0x2a")
      })
      await client.setCode({ address: recipient, bytecode: "0x" })
    })

    it("simulates with other code, storage and balances", async () => {
      const { client } = await setting()
      const address = privateKeyToAccount(generatePrivateKey()).address
      const stateDiff = [{ slot: pad("0x00"), value: pad("0x07") }]
      const { data } = await client.call({
        to: address,
        stateOverride: [{ address, code: readsSlot, stateDiff, balance: 5n }]
      })
      expect(data).toBe(pad("0x07"))
      expect(await client.getCode({ address })).toBeUndefined()
    })

    it("simulates a delegation (EIP-7702) without making it", async () => {
      const { account, client } = await setting()
      const target = privateKeyToAccount(generatePrivateKey()).address
      await client.setCode({ address: target, bytecode: "0x60075f5260205ff3" })
      const authorization = await account.signAuthorization({ address: target, chainId: 31_337, nonce: 0 })
      const stale = await account.signAuthorization({ address: target, chainId: 31_337, nonce: 9 })
      const call = { to: account.address, account: recipient }
      expect((await client.call({ ...call, authorizationList: [authorization] })).data).toBe(pad("0x07"))
      expect((await client.call({ ...call, authorizationList: [stale] })).data).toBeUndefined()
      expect(await client.getCode({ address: account.address })).toBeUndefined()
    })

    it("returns all receipts of a block, as they are returned one by one", async () => {
      const { chain, client, request, send } = await setting()
      const other = await setting()
      const hashes = [await send(0, "9"), await other.send(0, "8"), await send(1, "7")]
      await chain.mine()
      const number = numberToHex(await client.getBlockNumber())
      const one = (hash: Hash) => request({ method: "eth_getTransactionReceipt", params: [hash] })
      const all = (await request({ method: "eth_getBlockReceipts", params: [number] })) as ReadonlyArray<object>
      expect(new Set(all.map((each) => JSON.stringify(each)))).toEqual(
        new Set((await Promise.all(hashes.map(one))).map((each) => JSON.stringify(each)))
      )
      expect(await request({ method: "eth_getBlockReceipts", params: ["0xffffff"] })).toBeNull()
    })

    it("reports a reverted transaction in its receipt, with the price that it paid", async () => {
      const { chain, client, receipt, wallet } = await setting()
      const target = privateKeyToAccount(generatePrivateKey()).address
      await client.setCode({ address: target, bytecode: reverts })
      const fees = { maxFeePerGas: parseGwei("20"), maxPriorityFeePerGas: parseGwei("2") }
      const hash = await wallet.sendTransaction({ chain: null, to: target, gas: 50_000n, type: "eip1559", ...fees })
      await chain.mine()
      const { baseFeePerGas } = await client.getBlock()
      expect(await receipt(hash)).toMatchObject({
        status: "reverted",
        logs: [],
        effectiveGasPrice: (baseFeePerGas ?? 0n) + parseGwei("2")
      })
    })

    it("returns logs of a token, by address and topic, and the fees of past blocks", async () => {
      const { account, chain, client, wallet } = await setting()
      const address = chain.tokens[0]?.address as Address
      await client.impersonateAccount({ address: evmWallet("owner").address })
      const data = encodeFunctionData({ abi: TestToken.abi, functionName: "mint", args: [account.address, 5n] })
      const mint = { account: evmWallet("owner").address, chain: null, to: address, data, gas: 200_000n }
      await wallet.sendTransaction(mint)
      await client.stopImpersonatingAccount({ address: evmWallet("owner").address })
      await chain.mine()
      const blockNumber = await client.getBlockNumber()
      const logs = await client.getLogs({ address, fromBlock: blockNumber, toBlock: blockNumber })
      expect(logs).toMatchObject([{ topics: [transferTopic, pad("0x0"), pad(account.address).toLowerCase()] }])
      const balance = encodeFunctionData({ abi: TestToken.abi, functionName: "balanceOf", args: [account.address] })
      const read = await client.call({ to: address, data: balance })
      expect(decodeFunctionResult({ abi: TestToken.abi, functionName: "balanceOf", data: read.data ?? "0x" })).toBe(5n)
      const history = await client.getFeeHistory({ blockCount: 2, rewardPercentiles: [50] })
      expect([history.baseFeePerGas.length, history.gasUsedRatio.length, history.reward?.length]).toEqual([3, 2, 2])
      expect(await client.estimateMaxPriorityFeePerGas()).toBeGreaterThan(0n)
    })

    it("measures a call with the accounts and slots that it accesses in its access list", async () => {
      const { account, chain, request } = await setting()
      const address = chain.tokens[0]?.address as Address
      const from = devnet.evmWallets[0]?.address
      const data = encodeFunctionData({ abi: TestToken.abi, functionName: "transfer", args: [account.address, 5n] })
      const params = [{ from, to: address, data, gas: numberToHex(300_000) }, "latest"]
      const { accessList, gasUsed } = (await request({ method: "eth_createAccessList", params })) as {
        readonly accessList: ReadonlyArray<{ readonly address: string; readonly storageKeys: ReadonlyArray<string> }>
        readonly gasUsed: Hex
      }
      // The balances of both accounts.
      expect(accessList).toMatchObject([{ address: address.toLowerCase() }])
      expect(accessList[0]?.storageKeys).toHaveLength(2)
      // 21,000 and calldata, an address and two slots in the list, a new balance and a changed one.
      expect(hexToNumber(gasUsed)).toBeGreaterThan(52_000)
      expect(hexToNumber(gasUsed)).toBeLessThan(58_000)
    })

    it("has the proxy for deployments with CREATE2", async () => {
      const { client } = await setting()
      expect(await client.getCode({ address: "0x4e59b44847b379578588920cA78FbF26c0B4956C" })).toMatch(/^0x7fff/)
    })

    it("refuses block overrides, or applies them", async () => {
      const { request } = await setting()
      const call = request({
        method: "eth_call",
        params: [{ to: recipient }, "latest", { [recipient]: { code: "0x425f5260205ff3" } }, { time: "0x7fffffff" }]
      })
      const result = await call.catch((error: unknown) => errorOf(Promise.reject(error)))
      const refused = { code: -32_602, message: "eth_call: block overrides are not supported", data: undefined }
      expect(result).toEqual(differences.blockOverrides[evm] ? pad("0x7fffffff") : refused)
    })
  })

  describe("a delegation", () => {
    it("sets the code of an account, or does nothing if its nonce is stale", async () => {
      const { account, chain, client, receipt, wallet } = await setting()
      const delegated = privateKeyToAccount(generatePrivateKey())
      const target = chain.contracts.account as Address
      const sign = (nonce: number) => delegated.signAuthorization({ address: target, chainId: 31_337, nonce })
      const delegate = async (nonce: number) => {
        const authorizationList = [await sign(nonce)]
        const fees = { maxFeePerGas: parseGwei("20"), maxPriorityFeePerGas: parseGwei("2") }
        const hash = await wallet.sendTransaction({
          chain: null,
          to: account.address,
          authorizationList,
          gas: 100_000n,
          ...fees
        })
        await chain.mine()
        return receipt(hash)
      }
      const code = () => client.getCode({ address: delegated.address })
      expect(await delegate(3)).toMatchObject({ status: "success" })
      expect(await code()).toBeUndefined()
      const first = await delegate(0)
      expect(first).toMatchObject({ status: "success", gasUsed: differences.firstAuthorization[evm] })
      expect(await code()).toBe(`0xef0100${target.slice(2).toLowerCase()}`)
      expect(await client.getTransactionCount({ address: delegated.address })).toBe(1)
    })
  })

  it("notifies subscribers of new blocks and logs", async () => {
    const { account, chain, client, wallet } = await setting()
    const socket = createPublicClient({ transport: webSocket(chain.wsUrl) })
    const heads: Array<bigint | null> = []
    const logs: Array<string> = []
    const address = chain.tokens[0]?.address as Address
    const stops = [
      await socket.transport.subscribe({
        params: ["newHeads"],
        onData: ({ result }) => void heads.push(BigInt((result as { readonly number: Hex }).number))
      }),
      await socket.transport.subscribe({
        params: ["logs", { address, topics: [transferTopic] }],
        onData: ({ result }) => void logs.push((result as { readonly transactionHash: string }).transactionHash)
      })
    ]
    await client.impersonateAccount({ address: evmWallet("owner").address })
    const data = encodeFunctionData({ abi: TestToken.abi, functionName: "mint", args: [account.address, 5n] })
    const mint = { account: evmWallet("owner").address, chain: null, to: address, data, gas: 200_000n }
    const hash = await wallet.sendTransaction(mint)
    await client.stopImpersonatingAccount({ address: evmWallet("owner").address })
    const before = await client.getBlockNumber()
    await chain.mine(2)
    await eventually(() => heads.length >= 2 && logs.length >= 1)
    expect(heads).toEqual([before + 1n, before + 2n])
    expect(logs).toEqual([hash])
    for (const { unsubscribe } of stops) await unsubscribe()
  })

  it("restores a snapshot, and replaces blocks after that", async () => {
    const { account, chain, client, send } = await setting()
    const height = await client.getBlockNumber()
    const id = await client.snapshot()
    await send(0, "5")
    await chain.mine(2)
    await client.setStorageAt({ address: recipient, index: 0, value: pad("0x09") })
    await client.revert({ id })
    expect(await client.getBlockNumber()).toBe(height)
    expect(await client.getTransactionCount({ address: account.address })).toBe(0)
    expect(await client.getStorageAt({ address: recipient, slot: "0x0" })).toBe(pad("0x00"))
    await chain.mine()
    await chain.reorg(1)
    expect(await client.getBlockNumber()).toBe(height + 1n)
    await client.setNonce({ address: account.address, nonce: 7 })
    expect(await client.getTransactionCount({ address: account.address })).toBe(7)
  })

  it("starts at a base fee that is as high a minute later", async () => {
    const fresh = await startDevnet({ ports: "free", blockTime: 0, evm })
    const { chain, client } = { chain: fresh.evmA, client: createPublicClient({ transport: http(fresh.evmA.rpcUrl) }) }
    const prices = async () => {
      const history = await client.getFeeHistory({ blockCount: 5, rewardPercentiles: [50] })
      return { next: history.baseFeePerGas.at(-1) ?? 0n, tip: history.reward?.at(-1)?.[0] ?? 0n }
    }
    const first = await prices()
    expect(first.next).toBeLessThanOrEqual((parseGwei("0.01") * 9n) / 8n)
    expect(first.tip).toBeLessThanOrEqual(parseGwei("0.01"))
    await chain.mine(60)
    expect((await prices()).next >= (first.next * 8n) / 9n).toBe(differences.keepsBaseFee[evm])
    await fresh.stop()
  })

  it("lets a base fee that was set fall to that of the first block, also after a reorg", async () => {
    const { chain, client } = await setting()
    await chain.setBaseFee(parseGwei("0.011"))
    await chain.mine()
    expect((await client.getBlock()).baseFeePerGas).toBe(parseGwei("0.011"))
    await chain.mine(3)
    await chain.reorg(1)
    expect((await client.getBlock()).baseFeePerGas === parseGwei("0.01")).toBe(differences.keepsBaseFee[evm])
  })
})
