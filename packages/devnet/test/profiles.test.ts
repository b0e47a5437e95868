import {
  type Address,
  createTestClient,
  createWalletClient,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  getContract,
  type Hash,
  http,
  parseAbi,
  parseEther,
  parseGwei,
  publicActions,
  toHex
} from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { describe, expect, it, onTestFinished } from "vitest"
import { type Devnet, startDevnet } from "../src/index.js"
import { opChain } from "./opChain.js"

const recipient: Address = "0x00000000000000000000000000000000000000aa"
const oracle: Address = "0x420000000000000000000000000000000000000F"
const oracleAbi = parseAbi([
  "function getL1Fee(bytes) view returns (uint256)",
  "function getL1FeeUpperBound(uint256) view returns (uint256)",
  "function getOperatorFee(uint256) view returns (uint256)"
])

/** A chain that mines only on request, and an account with gas. */
const setting = async (options: Devnet.Options) => {
  const devnet = await startDevnet({ ports: "free", blockTime: 0, ...options })
  onTestFinished(() => devnet.stop())
  const chain = devnet.evmA
  await chain.hold()
  // The base fee falls back from that of the block with the contracts.
  await chain.mine(3)
  const client = createTestClient({ mode: "anvil", transport: http(chain.rpcUrl), cacheTime: 0 }).extend(publicActions)
  const account = privateKeyToAccount(generatePrivateKey())
  await client.setBalance({ address: account.address, value: parseEther("10") })
  const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) })
  const request = client.request as unknown as (call: {
    readonly method: string
    readonly params: ReadonlyArray<unknown>
  }) => Promise<Record<string, string>>
  const receiptOf = async (hash: Hash) => request({ method: "eth_getTransactionReceipt", params: [hash] })
  const fees = { maxFeePerGas: parseGwei("40"), maxPriorityFeePerGas: parseGwei("30"), type: "eip1559" } as const
  const sign = (nonce: number, more: object = {}) =>
    account.signTransaction({ chainId: 31337, nonce, to: recipient, value: 5n, gas: 200_000n, ...fees, ...more })
  const send = async (raw: `0x${string}`) => client.sendRawTransaction({ serializedTransaction: raw })
  return { account, chain, client, devnet, fees, receiptOf, request, send, sign, wallet }
}

const random = (bytes: number) => toHex(crypto.getRandomValues(new Uint8Array(bytes)))

describe("the profile base", () => {
  it("charges the fee for data and the operator's fee, and reports them in receipts as op-geth does", async () => {
    const { account, chain, client, receiptOf, send, sign } = await setting({ profile: "base" })
    const l1Block: Address = "0x4200000000000000000000000000000000000015"
    // An operator's scalar in millionths, and a constant.
    const operator = (5_000_000n << 64n) | 12_345n
    await client.setStorageAt({ address: l1Block, index: 8, value: toHex(operator, { size: 32 }) })
    const contract = getContract({ abi: oracleAbi, address: oracle, client })
    for (const [nonce, data] of ["0x", random(600), `0x${"ab".repeat(600)}`].entries()) {
      const raw = await sign(nonce, { data })
      const before = await client.getBalance({ address: account.address })
      const hash = await send(raw)
      await chain.mine()
      const receipt = await receiptOf(hash)
      const [l1Fee, gasUsed] = [BigInt(receipt["l1Fee"] ?? 0), BigInt(receipt["gasUsed"] ?? 0)]
      const operatorFee = await contract.read.getOperatorFee([gasUsed])
      expect(operatorFee).toBe((gasUsed * 5_000_000n) / 1_000_000n + 12_345n)
      expect(receipt).toMatchObject({ operatorFeeScalar: toHex(5_000_000), operatorFeeConstant: toHex(12_345) })
      const paid = gasUsed * BigInt(receipt["effectiveGasPrice"] ?? 0) + l1Fee + operatorFee
      expect(before - (await client.getBalance({ address: account.address }))).toBe(paid + 5n)
      // The oracle adds the bytes of a signature, so that it promises at least what the chain charges.
      expect(l1Fee).toBeGreaterThan(0n)
      expect(await contract.read.getL1Fee([raw])).toBeGreaterThanOrEqual(l1Fee)
      expect(await contract.read.getL1FeeUpperBound([BigInt(raw.length / 2 - 1)])).toBeGreaterThanOrEqual(l1Fee)
    }
  })

  it("refuses a sender that cannot pay for its data, to the wei, and drops one that no longer can", async () => {
    const { account, chain, client, receiptOf, send, sign } = await setting({ profile: "base" })
    const { address } = account
    const raw = await sign(0, { data: random(600) })
    const hash = await send(raw)
    await chain.mine()
    const cost = 200_000n * parseGwei("40") + 5n + BigInt((await receiptOf(hash))["l1Fee"] ?? 0)
    await chain.reorg(1)
    await client.setBalance({ address, value: cost - 1n })
    await expect(send(raw)).rejects.toThrow(
      `insufficient funds for gas * price + value: balance ${cost - 1n}, tx cost ${cost}, overshot 1`
    )
    await client.setBalance({ address, value: cost })
    await send(raw)
    await client.setBalance({ address, value: cost - 1n })
    await chain.mine()
    expect(await receiptOf(hash)).toBeNull()
    await client.setBalance({ address, value: cost })
    await send(raw)
    await chain.mine()
    expect(await receiptOf(hash)).toMatchObject({ status: "0x1" })
  })
})

describe("the profile base compared with EDR's own OP stack", () => {
  it("charges the same, to the wei", async () => {
    const { account, chain, client, receiptOf, send, sign } = await setting({ profile: "base" })
    const l1Block: Address = "0x4200000000000000000000000000000000000015"
    const slots = await Promise.all(
      [1, 3, 7].map(
        async (slot) => [BigInt(slot), await client.getStorageAt({ address: l1Block, slot: toHex(slot) })] as const
      )
    )
    const call = await opChain(slots.map(([index, value]) => ({ index, value: BigInt(value ?? 0) })))
    await call("hardhat_setBalance", account.address, toHex(parseEther("10")))
    for (const [nonce, data] of ["0x", random(90), random(2_000), `0x${"ab".repeat(2_000)}`].entries()) {
      const raw = await sign(nonce, { data, gas: 500_000n })
      const [ours, theirs] = [await send(raw), String(await call("eth_sendRawTransaction", raw))]
      await chain.mine()
      await call("hardhat_mine", "0x1")
      const fields = ["l1Fee", "l1GasPrice", "l1GasUsed", "l1BaseFeeScalar", "l1BlobBaseFee", "l1BlobBaseFeeScalar"]
      const own = await receiptOf(ours)
      const other = (await call("eth_getTransactionReceipt", theirs)) as Readonly<Record<string, string>>
      expect(fields.map((field) => own[field])).toEqual(fields.map((field) => other[field]))
    }
  })
})

describe("the profile arbitrum", () => {
  it("includes gas for data in estimates, receipts, blocks and balances", async () => {
    const { account, chain, client, receiptOf, request, send, sign } = await setting({ profile: "arbitrum" })
    const { address } = account
    const data = random(500)
    const estimated = await client.estimateGas({ account, to: recipient, value: 5n, data })
    const before = await client.getBalance({ address })
    const hashes = [
      await send(await sign(0, { data, gas: estimated })),
      await send(await sign(1, { gas: await client.estimateGas({ account, to: recipient, value: 5n }) }))
    ]
    await chain.mine()
    const receipts = await Promise.all(hashes.map(receiptOf))
    const gas = receipts.map(({ gasUsed }) => BigInt(gasUsed ?? 0))
    const forL1 = receipts.map(({ gasUsedForL1 }) => BigInt(gasUsedForL1 ?? 0))
    const [first = 0n, second = 0n] = forL1
    expect(first).toBeGreaterThan(second * 2n)
    expect(gas[1]).toBe(21_000n + second)
    expect(estimated).toBeGreaterThanOrEqual(gas[0] ?? 0n)
    const paid = receipts.reduce(
      (sum, { effectiveGasPrice, gasUsed }) => sum + BigInt(gasUsed ?? 0) * BigInt(effectiveGasPrice ?? 0),
      10n
    )
    expect(before - (await client.getBalance({ address }))).toBe(paid)
    const total = (gas[0] ?? 0n) + (gas[1] ?? 0n)
    expect(BigInt(receipts[1]?.["cumulativeGasUsed"] ?? 0)).toBe(total)
    expect((await client.getBlock()).gasUsed).toBe(total)
    const all = (await request({ method: "eth_getBlockReceipts", params: ["latest"] })) as unknown
    expect(all).toEqual(receipts)
    await expect(send(await sign(2, { gas: 21_000n + second / 2n }))).rejects.toThrow("intrinsic gas too low")
    await chain.reorg(1)
    expect(await client.getBalance({ address })).toBe(before)
  })

  it("answers NodeInterface with the gas for data", async () => {
    const { client } = await setting({ profile: "arbitrum" })
    const abi = parseAbi(["function gasEstimateL1Component(address,bool,bytes) view returns (uint64,uint256,uint256)"])
    const ask = async (bytes: number) => {
      const args = [recipient, false, random(bytes)] as const
      const data = encodeFunctionData({ abi, functionName: "gasEstimateL1Component", args })
      const found = await client.call({ to: "0x00000000000000000000000000000000000000C8", data })
      return decodeFunctionResult({ abi, functionName: "gasEstimateL1Component", data: found.data ?? "0x" })
    }
    const [[few, baseFee], [many]] = [await ask(10), await ask(1000)]
    expect(baseFee).toBe(parseGwei("0.02"))
    expect(many).toBeGreaterThan(few * 5n)
  })
})

describe("the profile polygon", () => {
  it("suggests a tip of 30 gwei, and refuses one below 25 gwei", async () => {
    const { chain, client, receiptOf, send, sign } = await setting({ profile: "polygon" })
    expect(await client.estimateMaxPriorityFeePerGas()).toBe(parseGwei("30"))
    expect(await client.getGasPrice()).toBe(parseGwei("55"))
    const fees = (tip: string) => ({ maxFeePerGas: parseGwei("100"), maxPriorityFeePerGas: parseGwei(tip) })
    await expect(send(await sign(0, fees("24")))).rejects.toThrow(
      "transaction gas price below minimum: gas tip cap 24000000000, minimum needed 25000000000"
    )
    const hash = await send(await sign(0, fees("25")))
    await chain.mine()
    expect(await receiptOf(hash)).toMatchObject({ status: "0x1" })
  })
})

describe("profiles", () => {
  it.each([
    ["base", 250n],
    ["ethereum", 8n],
    ["polygon", 64n]
  ] as const)("let the base fee of %s fall as fast as there", async (profile, denominator) => {
    const { chain, client } = await setting({ profile })
    await chain.setBaseFee(parseGwei("100"))
    await chain.mine(2)
    expect((await client.getBlock()).baseFeePerGas).toBe(parseGwei("100") - parseGwei("100") / denominator)
  })

  it.each(["base", "arbitrum"] as const)("let wallets delegate on %s", async (profile) => {
    const { account, chain, client, receiptOf, wallet } = await setting({ profile })
    const delegate = getAddress(chain.contracts.account)
    const authorization = await account.signAuthorization({ address: delegate, chainId: 31337, nonce: 1 })
    const transaction = { chain: null, to: account.address, gas: 200_000n, maxFeePerGas: parseGwei("40") }
    const hash = await wallet.sendTransaction({
      ...transaction,
      maxPriorityFeePerGas: 0n,
      authorizationList: [authorization]
    })
    await chain.mine()
    expect(await receiptOf(hash)).toMatchObject({ status: "0x1", type: "0x4" })
    expect(await client.getCode({ address: account.address })).toBe(`0xef0100${delegate.slice(2).toLowerCase()}`)
  })

  it("produce blocks with transactions at the interval of the chain, scaled by the speed", async () => {
    const devnet = await startDevnet({ ports: "free", profile: { evmA: "arbitrum", evmB: "ethereum" }, speed: 20 })
    onTestFinished(() => devnet.stop())
    const clients = [devnet.evmA, devnet.evmB].map(({ rpcUrl }) =>
      createTestClient({ mode: "anvil", transport: http(rpcUrl), cacheTime: 0 }).extend(publicActions)
    )
    const heights = () => Promise.all(clients.map((client) => client.getBlockNumber()))
    const before = await heights()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const [a = 0n, b = 0n] = (await heights()).map((height, index) => height - (before[index] ?? 0n))
    // 12.5 and 600 ms, on a machine that may be busy.
    expect(a).toBeGreaterThan(b * 5n)
    expect(b).toBeGreaterThanOrEqual(1n)
    const [client] = clients
    if (client === undefined) throw new Error("There is no client.")
    const latest = await client.getBlock()
    const earlier = await client.getBlock({ blockNumber: (latest.number ?? 0n) - 2n })
    expect(latest.timestamp - earlier.timestamp).toBeLessThanOrEqual(1n)
  })

  it.each([
    ["base", 90n, 600n],
    ["ethereum", 32n, 64n],
    ["polygon", 3n, 3n]
  ] as const)("let the tags of %s lag", async (profile, safe, finalized) => {
    const { chain, client } = await setting({ profile })
    await chain.mine(700)
    const height = await client.getBlockNumber()
    expect(height - ((await client.getBlock({ blockTag: "safe" })).number ?? 0n)).toBe(safe)
    expect(height - ((await client.getBlock({ blockTag: "finalized" })).number ?? 0n)).toBe(finalized)
  })

  it("answer the latest block or an error for the tags, if chosen", async () => {
    const latest = await setting({ profile: "base", tags: "latest" })
    const block = await latest.client.getBlock({ blockTag: "finalized" })
    expect(block.number).toBe(await latest.client.getBlockNumber())
    const missing = await setting({ tags: "missing" })
    await expect(missing.client.getBlock({ blockTag: "finalized" })).rejects.toThrow("finalized block not found")
  })

  it("refuses unknown names, and anvil", async () => {
    const refused = async (options: object) =>
      startDevnet({ ports: "free", ...options }).then(
        () => undefined,
        ({ message }: Error) => message
      )
    expect(await refused({ profile: "solana" })).toBe(
      'profile is invalid: expected one of base, arbitrum, ethereum, polygon, got "solana".'
    )
    expect(await refused({ profile: { evmB: "" } })).toContain("profile.evmB is invalid: expected one of")
    expect(await refused({ tags: "late" })).toContain("tags is invalid: expected one of lagging, latest, missing")
    expect(await refused({ profile: "base", evm: "anvil" })).toContain('profile is invalid: expected evm "edr"')
    expect(await refused({ profile: "base", speed: 0 })).toContain("speed is invalid")
  })
})
