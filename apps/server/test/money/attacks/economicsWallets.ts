/** Attackers who share their capital, and what they do between a swap's acceptance and its inclusion. */
import { Permit2 } from "@geoswap/contracts"
import { TestToken } from "@geoswap/contracts/testing"
import type { Devnet } from "@geoswap/devnet"
import { type Address, type PrivateKeyAccount, zeroAddress } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import type { SeededRandom } from "../../../../../tooling/testing/seededRandom.js"
import * as evm from "../../stack/evm.js"
import { approve, delegateTo, tokenOf } from "../payments/wallets.js"

/** How a wallet can pay: with a delegation to us or to another provider, or only without one. */
const kinds = ["ours", "foreign", "plain"] as const
export type Kind = (typeof kinds)[number]

export interface Wallet {
  readonly account: PrivateKeyAccount
  readonly kind: Kind
}

/** A new wallet without tokens. Permit2 may spend as much as it wants. */
export const newWallet = async (devnet: Devnet.Devnet, accepting: Address, kind: Kind): Promise<Wallet> => {
  const account = privateKeyToAccount(generatePrivateKey())
  await approve(devnet, account, tokenOf(devnet.evmA, "USDC"), 2n ** 255n)
  if (kind !== "plain") {
    await delegateTo(devnet, account, kind === "ours" ? devnet.evmA.contracts.account : accepting)
  }
  return { account, kind }
}

export const anyKind = (random: SeededRandom): Kind => random.pick(kinds)

/** What one attacker does, before every pending transaction. */
type Action = (devnet: Devnet.Devnet, wallet: Wallet, accepting: Address, to: Address) => Promise<unknown>

const send = ({ evmA }: Devnet.Devnet, { account }: Wallet, address: Address, functionName: string, args: unknown[]) =>
  evm.sender(evmA, account).writeContract({
    abi: address === Permit2.address ? Permit2.abi : TestToken.abi,
    address,
    functionName,
    args,
    ...evm.firstInBlock,
    gas: 100_000n
  })

const transfer: Action = async (devnet, wallet, _accepting, to) => {
  const token = tokenOf(devnet.evmA, "USDC")
  const held = await evm.balanceOf(devnet.evmA, token, wallet.account.address)
  return send(devnet, wallet, token, "transfer", [to, held])
}

const disapprove: Action = (devnet, wallet) =>
  send(devnet, wallet, tokenOf(devnet.evmA, "USDC"), "approve", [Permit2.address, 0n])

/** Uses up the first 16 of the indices that the service hands out. */
const invalidate: Action = (devnet, wallet) =>
  send(devnet, wallet, Permit2.address, "invalidateUnorderedNonces", [Permit2.firstNonce >> 8n, 0xffffn])

const revoke: Action = (devnet, { account }) => evm.delegate(devnet, devnet.evmA, account, zeroAddress)

const delegateElsewhere: Action = (devnet, { account, kind }, accepting) =>
  evm.delegate(devnet, devnet.evmA, account, kind === "foreign" ? devnet.evmA.contracts.account : accepting)

const nothing: Action = () => Promise.resolve()

export const actions: ReadonlyArray<Action> = [
  transfer,
  transfer,
  transfer,
  disapprove,
  invalidate,
  revoke,
  delegateElsewhere,
  nothing
]
