/** Wallets for swaps: new ones, which must still be delegated, and ones that have swapped before. */
import { TestToken } from "@geoswap/contracts/testing"
import type { Devnet } from "@geoswap/devnet"
import { type Address, encodeFunctionData, type PrivateKeyAccount } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import * as evm from "../../stack/evm.js"
import { make as perform } from "../../stack/fixture.js"
import * as solana from "../../stack/solana.js"
import type { Place } from "./scenarios.js"

type Wallet =
  | { readonly family: "evm"; readonly address: string; readonly account: PrivateKeyAccount }
  | { readonly family: "solana"; readonly address: string; readonly keyPair: CryptoKeyPair }

/** Creates wallets with that much of each token. */
type Make = (count: number) => Promise<ReadonlyArray<Wallet>>

const makeEvm =
  (devnet: Devnet.Devnet, chain: Devnet.EvmChain, amounts: Readonly<Record<Address, bigint>>): Make =>
  async (count) => {
    const accounts = Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey()))
    const owner = evm.sender(chain, evm.operator(devnet, "owner"))
    const first = await evm.reader(chain).getTransactionCount({ address: owner.account.address })
    const mints = accounts.flatMap(({ address }) =>
      Object.entries(amounts).map(([token, amount]) => ({
        to: token as Address,
        data: encodeFunctionData({ abi: TestToken.abi, functionName: "mint", args: [address, amount] })
      }))
    )
    // Nothing is mined before all are in the pool. Otherwise, a transaction could arrive while the one before it is being
    // mined, and anvil is suspected of never including such a transaction.
    await perform(chain.hold)
    const sent = mints.map((mint, index) => owner.sendTransaction({ ...mint, nonce: first + index, gas: 150_000n }))
    await Promise.allSettled(sent)
    await perform(chain.release)
    const hashes = await Promise.all(sent)
    for (const hash of hashes) {
      const { status } = await evm.reader(chain).waitForTransactionReceipt({ hash, timeout: 60_000 })
      if (status !== "success") throw new Error("A wallet got no tokens.")
    }
    return accounts.map((account) => ({ family: "evm", address: account.address, account }))
  }

const makeSolana =
  (devnet: Devnet.Devnet, amounts: Readonly<Record<string, bigint>>): Make =>
  (count) =>
    Promise.all(
      Array.from({ length: count }, async () => ({
        family: "solana" as const,
        ...(await solana.newWallet(devnet, amounts))
      }))
    )

/** A pool of wallets with one swap at a time each. */
interface Pool {
  readonly take: () => Promise<Wallet>
  readonly free: (wallet: Wallet) => void
}

const batch = 8

/** Alternates between a new wallet and a returned one. */
const makePool = (make: Make): Pool => {
  let fresh: ReadonlyArray<Wallet> = []
  let used: ReadonlyArray<Wallet> = []
  let isFreshNext = true
  return {
    take: async () => {
      isFreshNext = !isFreshNext || used.length === 0
      if (isFreshNext && fresh.length === 0) fresh = await make(batch)
      const [wallet, ...rest] = isFreshNext ? fresh : used
      if (wallet === undefined) throw new Error("There is no wallet.")
      if (isFreshNext) fresh = rest
      else used = rest
      return wallet
    },
    free: (wallet) => void (used = [...used, wallet])
  }
}

export type Wallets = Readonly<Record<Place | "holders", Pool>>

/** More than all swaps of about ten dollars need. */
const usdc = 1_000_000n * 10n ** 6n
const weth = 100n

/** `stopped` are tokens of the first chain that wallets hold and that never leave them. */
export const makeWallets = async (devnet: Devnet.Devnet, stopped: ReadonlyArray<Address>): Promise<Wallets> => {
  const onEvm = (chain: Devnet.EvmChain) =>
    makePool(
      makeEvm(devnet, chain, {
        [evm.tokenOf(chain, "USDC") as Address]: usdc,
        [evm.tokenOf(chain, "WETH") as Address]: weth * 10n ** 18n
      })
    )
  // All wallets are funded before the tokens are stopped.
  let holders = await makeEvm(devnet, devnet.evmA, Object.fromEntries(stopped.map((token) => [token, usdc])))(batch)
  return {
    evmA: onEvm(devnet.evmA),
    evmB: onEvm(devnet.evmB),
    solana: makePool(makeSolana(devnet, { USDC: usdc, WETH: weth * 10n ** 8n })),
    holders: {
      take: () => {
        const [wallet, ...rest] = holders
        if (wallet === undefined) throw new Error("There is no holder.")
        holders = [...rest, wallet]
        return Promise.resolve(wallet)
      },
      free: () => undefined
    }
  }
}
