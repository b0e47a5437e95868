import { AuthorizedToken } from "@geoswap/contracts/testing"
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  parseSignature,
  toHex
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { usdcAbi, useRealTokens } from "../../../tooling/testing/evm/realTokens.js"
import { type RunningDevnet, startDevnet } from "../src/index.js"

describe("the tokens of public chains on a devnet", () => {
  let devnet: RunningDevnet
  beforeAll(async () => {
    devnet = await startDevnet({ ports: "free", blockTime: 0 })
    for (const { address } of devnet.evmWallets) {
      for (const { rpcUrl } of [devnet.evmA, devnet.evmB]) {
        const client = createTestClient({ mode: "anvil", transport: http(rpcUrl) })
        await client.setBalance({ address, value: 10n ** 18n })
      }
    }
    const holders = [...devnet.evmWallets.map(({ address }) => address), devnet.evmA.contracts.vault]
    const owner = devnet.operators.find(({ name }) => name === "evm-owner")?.address ?? ""
    // The second chain keeps the tokens of the devnet.
    await useRealTokens(devnet.evmA, { holders, owner })
  }, 120_000)
  afterAll(() => devnet.stop())

  const clientsOf = ({ id, rpcUrl }: RunningDevnet["evmA"], privateKey: Hex) => {
    const account = privateKeyToAccount(privateKey)
    const chain = {
      id,
      name: "",
      nativeCurrency: { name: "", symbol: "", decimals: 18 },
      rpcUrls: { default: { http: [] } }
    }
    const transport = http(rpcUrl)
    const reader = createPublicClient({ transport, pollingInterval: 20 })
    const wallet = createWalletClient({ account, chain, transport })
    const gasOf = async (to: Address, data: Hex): Promise<bigint> => {
      const hash = await wallet.sendTransaction({ to, data, gas: 300_000n })
      const { gasUsed, status } = await reader.waitForTransactionReceipt({ hash })
      return status === "success" ? gasUsed : 0n
    }
    return { account, gasOf, reader }
  }
  const tokenOf = ({ tokens }: RunningDevnet["evmA"], symbol: string) =>
    (tokens.find((token) => token.symbol === symbol)?.address ?? "0x") as Address
  const wallets = () => {
    const [alice, bob] = devnet.evmWallets
    if (alice === undefined || bob === undefined) throw new Error("There are no wallets.")
    return { alice, bob }
  }
  const balanceOf = (chain: RunningDevnet["evmA"], symbol: string, holder: string) =>
    clientsOf(chain, wallets().alice.privateKey).reader.readContract({
      abi: AuthorizedToken.abi,
      address: tokenOf(chain, symbol),
      functionName: "balanceOf",
      args: [holder as Address]
    })

  it("keep the balances of the wallets and the vault", async () => {
    const { alice } = wallets()
    for (const holder of [alice.address, devnet.evmA.contracts.vault]) {
      for (const symbol of ["USDC", "WETH"]) {
        expect(await balanceOf(devnet.evmA, symbol, holder)).toBe(await balanceOf(devnet.evmB, symbol, holder))
      }
    }
  })

  it("cost more gas than the devnet's own", async () => {
    const { alice, bob } = wallets()
    const stranger: Address = "0x00000000000000000000000000000000000000bb"
    const measured = []
    for (const [chain, version] of [
      [devnet.evmA, "2"],
      [devnet.evmB, "1"]
    ] as const) {
      const token = tokenOf(chain, "USDC")
      const { gasOf } = clientsOf(chain, bob.privateKey)
      const transfer = (to: Address) =>
        encodeFunctionData({ abi: AuthorizedToken.abi, functionName: "transfer", args: [to, 1_000_000n] })
      const transferred = await gasOf(token, transfer(alice.address))
      const created = await gasOf(token, transfer(stranger))
      const message = {
        from: alice.address,
        to: bob.address,
        value: 1_000_000n,
        validAfter: 0n,
        validBefore: 2n ** 48n,
        nonce: toHex(7, { size: 32 })
      }
      const signature = await privateKeyToAccount(alice.privateKey).signTypedData({
        domain: { name: "USD Coin", version, chainId: chain.id, verifyingContract: token },
        primaryType: "ReceiveWithAuthorization",
        types: {
          ReceiveWithAuthorization: [
            { name: "from", type: "address" },
            { name: "to", type: "address" },
            { name: "value", type: "uint256" },
            { name: "validAfter", type: "uint256" },
            { name: "validBefore", type: "uint256" },
            { name: "nonce", type: "bytes32" }
          ]
        },
        message
      })
      const { r, s, yParity } = parseSignature(signature)
      const { from, nonce, to, validAfter, validBefore, value } = message
      const received = await gasOf(
        token,
        encodeFunctionData({
          abi: usdcAbi(),
          functionName: "receiveWithAuthorization",
          args: [from, to, value, validAfter, validBefore, nonce, 27 + yParity, r, s]
        })
      )
      measured.push({ transferred, created, received })
    }
    expect(measured).toEqual([
      { transferred: 45_090n, created: 61_962n, received: 85_866n },
      { transferred: 34_197n, created: 51_069n, received: 67_468n }
    ])
  })

  it("refuse transfers of an address that Circle blacklists", async () => {
    const { alice, bob } = wallets()
    const owner = devnet.operators.find(({ name }) => name === "evm-owner")
    const token = tokenOf(devnet.evmA, "USDC")
    const blacklist = encodeFunctionData({ abi: usdcAbi(), functionName: "blacklist", args: [bob.address] })
    expect(await clientsOf(devnet.evmA, (owner?.privateKey ?? "0x") as Hex).gasOf(token, blacklist)).toBeGreaterThan(0n)
    const { reader } = clientsOf(devnet.evmA, alice.privateKey)
    const transfer = {
      abi: AuthorizedToken.abi,
      address: token,
      functionName: "transfer",
      args: [bob.address, 1n]
    } as const
    await expect(reader.simulateContract({ ...transfer, account: alice.address })).rejects.toThrow("Blacklistable")
  })

  it("wrap ether, and unwrap it", async () => {
    const { bob } = wallets()
    const { gasOf, reader } = clientsOf(devnet.evmA, bob.privateKey)
    const weth = tokenOf(devnet.evmA, "WETH")
    const before = await reader.getBalance({ address: weth })
    const withdraw: Hex = `0x2e1a7d4d${toHex(1_000n, { size: 32 }).slice(2)}`
    expect(await gasOf(weth, withdraw)).toBeGreaterThan(0n)
    expect(before - (await reader.getBalance({ address: weth }))).toBe(1_000n)
  })
})
