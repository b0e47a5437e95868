/** Wallets and accounts of other providers, for tests of payments. */
import { Permit2 } from "@geoswap/contracts"
import { ForeignAccount, TestToken } from "@geoswap/contracts/testing"
import type { Devnet } from "@geoswap/devnet"
import {
  type Address,
  type Hex,
  keccak256,
  parseTransaction,
  type PrivateKeyAccount,
  type TransactionSerializedEIP1559
} from "viem"
import * as evm from "../../stack/evm.js"

/** What a wallet pays in these tests, of a token with 6 decimals. */
export const amount = 10_000_000n

/** The address of a token of the devnet, listed or not. */
export const tokenOf = (chain: Devnet.EvmChain, symbol: string): Address => {
  const found = [...chain.tokens, ...chain.paymentTokens].find((token) => token.symbol === symbol)
  if (found === undefined) throw new Error(`There is no ${symbol}.`)
  return found.address as Address
}

/** A new wallet with 100 of the tokens and no gas. */
export const payer = async (devnet: Devnet.Devnet, ...symbols: ReadonlyArray<string>): Promise<PrivateKeyAccount> => {
  const { account } = await evm.newWallet(devnet, devnet.evmA, {})
  for (const symbol of symbols.length === 0 ? ["USDC"] : symbols) {
    await evm.asOwner(devnet, devnet.evmA, {
      address: tokenOf(devnet.evmA, symbol),
      abi: TestToken.abi,
      functionName: "mint",
      args: [account.address, 10n * amount]
    })
  }
  return account
}

/** Approves Permit2 with a transaction of the wallet. */
export const approve = async (
  devnet: Devnet.Devnet,
  account: PrivateKeyAccount,
  token: Address,
  allowance: bigint
): Promise<void> => {
  await evm.fund(devnet, devnet.evmA, account.address)
  const hash = await evm.sender(devnet.evmA, account).writeContract({
    abi: TestToken.abi,
    address: token,
    functionName: "approve",
    args: [Permit2.address, allowance],
    gas: 100_000n
  })
  await evm.reader(devnet.evmA).waitForTransactionReceipt({ hash })
}

/** Delegates a wallet to a contract, and waits for it. */
export const delegateTo = async (devnet: Devnet.Devnet, account: PrivateKeyAccount, target: string): Promise<void> => {
  const hash = await evm.delegate(devnet, devnet.evmA, account, target)
  await evm.reader(devnet.evmA).waitForTransactionReceipt({ hash })
}

/** Deploys the account of another provider, which rejects plain signatures. */
export const deployForeign = (devnet: Devnet.Devnet): Promise<Address> =>
  evm.deploy(devnet, devnet.evmA, ForeignAccount.bytecode)

/** Deploys an account that accepts plain signatures, and that the configured vault does not accept. */
export const deployAccepting = async (devnet: Devnet.Devnet): Promise<Address> =>
  (await evm.deployVault(devnet, devnet.evmA, 0n)).account

/** Deploys an account that accepts every signature, but only if `tx.gasprice` is 0, as in a careless simulation. */
export const deployPretender = (devnet: Devnet.Devnet): Promise<Address> =>
  evm.deploy(devnet, devnet.evmA, "0x753a601257631626ba7e60e01b5f5260205ff35b5f5ffd5f526016600af3")

/** Deploys an account that accepts every signature while the balance of another address is even. */
export const deployFickle = (devnet: Devnet.Devnet, other: Address): Promise<Address> =>
  evm.deploy(
    devnet,
    devnet.evmA,
    `0x602e8060095f395ff373${other.slice(2)}31600116602a57631626ba7e60e01b5f5260205ff35b5f5ffd`
  )

/** Sends one unit of the native token, before every pending transaction. */
export const sendUnit = (devnet: Devnet.Devnet, to: Address): Promise<Hex> =>
  evm
    .sender(devnet.evmA, evm.operator(devnet, "owner"))
    .sendTransaction({ to, value: 1n, gas: 50_000n, ...evm.firstInBlock })

/** Sends what a stored transaction of the relayer does with another transaction, which the database does not have. */
export const sendElsewhere = async (devnet: Devnet.Devnet, raw: string): Promise<Hex> => {
  const { data = "0x", gas, nonce, to } = parseTransaction(raw as TransactionSerializedEIP1559)
  const relayer = evm.sender(devnet.evmA, evm.operator(devnet, "relayer"))
  return relayer.sendTransaction({ to, data, gas, nonce, ...evm.firstInBlock })
}

/** The target's entry in the configuration. */
export const targetOf = async (devnet: Devnet.Devnet, address: Address) => ({
  address,
  codeHash: keccak256((await evm.reader(devnet.evmA).getCode({ address })) as Hex)
})
