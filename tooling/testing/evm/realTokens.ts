/**
 * Replaces the code of a devnet's USDC and WETH by that of public chains: Circle's FiatTokenV2_2 behind its proxy, and WETH9.
 * Their bytecode is read from packages that only tests install, because their licenses do not allow to publish it.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import {
  type Abi,
  type Address,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  pad,
  publicActions,
  walletActions
} from "viem"

interface Artifact {
  readonly abi: Abi
  readonly bytecode: Hex
  readonly linkReferences?: Readonly<
    Record<string, Readonly<Record<string, ReadonlyArray<{ readonly start: number }>>>>
  >
}

/** Reads a contract as its package contains it. A package may export only its manifest. */
const artifact = (name: string, path: string): Artifact => {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  return JSON.parse(readFileSync(join(folder, path), "utf8")) as Artifact
}

const fiatToken = (path: string): Artifact =>
  artifact("@stargatefinance/stg-evm-v2", `artifacts/src/usdc/impl/${path}.json`)

/** The code with the address of its only library. */
const link = ({ bytecode, linkReferences = {} }: Artifact, library: Address): Hex => {
  const places = Object.values(linkReferences).flatMap((names) => Object.values(names).flat())
  return places.reduce<Hex>((code, { start }) => {
    const at = 2 + 2 * start
    return `0x${code.slice(2, at)}${library.slice(2).toLowerCase()}${code.slice(at + 40)}`
  }, bytecode)
}

/** The slots of the proxy: the keccak256 of `org.zeppelinos.proxy.implementation` and of `org.zeppelinos.proxy.admin`. */
const proxySlots: ReadonlyArray<Hex> = [
  "0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3",
  "0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b"
]

/** Slots of the devnet's own tokens that would be read as something else. */
const ownSlots = 20

const erc20: Abi = [
  {
    type: "function",
    name: "balanceOf",
    stateMutability: "view",
    inputs: [{ name: "account", type: "address" }],
    outputs: [{ name: "", type: "uint256" }]
  }
]

/** The parts of a devnet's chain that are needed here. */
export interface Chain {
  readonly id: number
  readonly rpcUrl: string
  readonly tokens: ReadonlyArray<{ readonly symbol: string; readonly address: string }>
}

/** The abi of `FiatTokenV2_2`. */
export const usdcAbi = (): Abi => fiatToken("v2/FiatTokenV2_2.sol/FiatTokenV2_2").abi

/**
 * Replaces the code of USDC and WETH at their addresses. The holders keep their balances, and no other address does. The
 * owner gets all roles of USDC: it mints, pauses and blacklists.
 */
export const useRealTokens = async (
  { id, rpcUrl, tokens }: Chain,
  { holders, owner }: { readonly holders: ReadonlyArray<string>; readonly owner: string }
): Promise<void> => {
  const chain = {
    id,
    name: "",
    nativeCurrency: { name: "", symbol: "", decimals: 18 },
    rpcUrls: { default: { http: [] } }
  }
  const client = createTestClient({ mode: "anvil", chain, transport: http(rpcUrl), pollingInterval: 20, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
  const account = getAddress(owner)
  const addressOf = (symbol: string): Address => {
    const found = tokens.find((token) => token.symbol === symbol)
    if (found === undefined) throw new Error(`The chain has no ${symbol}.`)
    return getAddress(found.address)
  }
  const [usdc, weth] = [addressOf("USDC"), addressOf("WETH")]

  /** Sends a transaction of an account without its key. */
  const sendAs = async (from: Address, transaction: { to?: Address; data: Hex; value?: bigint }) => {
    await client.impersonateAccount({ address: from })
    const hash = await client.sendTransaction({ account: from, gas: 8_000_000n, ...transaction })
    const receipt = await client.waitForTransactionReceipt({ hash })
    await client.stopImpersonatingAccount({ address: from })
    if (receipt.status !== "success") throw new Error("A transaction of the real tokens failed.")
    return receipt
  }
  const deploy = async (data: Hex): Promise<Address> => {
    const { contractAddress } = await sendAs(account, { data })
    if (contractAddress === null || contractAddress === undefined) throw new Error("A contract has no address.")
    return contractAddress
  }
  const call = (to: Address, abi: Abi, functionName: string, ...args: ReadonlyArray<unknown>) =>
    sendAs(account, { to, data: encodeFunctionData({ abi, functionName, args }) })
  const balanceOf = async (token: Address, holder: string) =>
    (await client.readContract({ abi: erc20, address: token, functionName: "balanceOf", args: [holder] })) as bigint
  const balances = async (token: Address) =>
    Promise.all(holders.map(async (holder) => [getAddress(holder), await balanceOf(token, holder)] as const))
  /** Moves a deployed contract, with these slots, to the address of a token. */
  const move = async (from: Address, to: Address, slots: ReadonlyArray<Hex>) => {
    const code = await client.getCode({ address: from })
    await client.setCode({ address: to, bytecode: code ?? "0x" })
    for (let slot = 0; slot < ownSlots; slot += 1) {
      await client.setStorageAt({ address: to, index: slot, value: pad("0x00") })
    }
    for (const slot of slots) {
      const value = await client.getStorageAt({ address: from, slot })
      await client.setStorageAt({ address: to, index: slot, value: value ?? pad("0x00") })
    }
  }

  const [held, wrapped] = [await balances(usdc), await balances(weth)]

  const Token = fiatToken("v2/FiatTokenV2_2.sol/FiatTokenV2_2")
  const Proxy = fiatToken("v1/FiatTokenProxy.sol/FiatTokenProxy")
  const library = await deploy(fiatToken("util/SignatureChecker.sol/SignatureChecker").bytecode)
  const implementation = await deploy(link(Token, library))
  const proxy = await deploy(encodeDeployData({ ...Proxy, args: [implementation] }))
  // The proxy's admin cannot use the token, so that another address than the owner is the admin.
  await call(proxy, Proxy.abi, "changeAdmin", implementation)
  await move(proxy, usdc, proxySlots)
  const roles = [account, account, account, account]
  await call(usdc, Token.abi, "initialize", "USD Coin", "USDC", "USD", 6, ...roles)
  await call(usdc, Token.abi, "initializeV2", "USD Coin")
  await call(usdc, Token.abi, "initializeV2_1", implementation)
  await call(usdc, Token.abi, "initializeV2_2", [], "USDC")
  await call(usdc, Token.abi, "configureMinter", account, 2n ** 128n)
  for (const [holder, amount] of held) if (amount > 0n) await call(usdc, Token.abi, "mint", holder, amount)

  const Weth = artifact("canonical-weth", "build/contracts/WETH9.json")
  await move(await deploy(Weth.bytecode), weth, ["0x0", "0x1", "0x2"])
  for (const [holder, amount] of wrapped) {
    if (amount === 0n) continue
    const value = await client.getBalance({ address: holder })
    await client.setBalance({ address: holder, value: amount + 10n ** 18n })
    await sendAs(holder, { to: weth, data: "0xd0e30db0", value: amount })
    await client.setBalance({ address: holder, value })
  }
}
