/** Reads and removes the wallet's delegation. */
import { Client } from "@geoswap/core"
import { resolveChain, type View } from "@geoswap/tools"
import * as Effect from "effect/Effect"
import { AgentPolicy } from "../agent/AgentPolicy.js"
import { readDelegation } from "../chains/delegation.js"
import { Directory } from "../chains/Directory.js"
import * as Keys from "../keys/Keys.js"
import { names } from "./names.js"
import { attempt, fail } from "./toolError.js"

const evmChain = Effect.fnUntraced(function* (name: string) {
  const known = yield* names
  const { id, kind } = yield* attempt(() => resolveChain(known, name))
  const chain = (yield* Directory).chains.find((one) => one.id === id)
  return kind === "evm" && chain !== undefined
    ? chain
    : yield* fail("NO_DELEGATION", "Wallets on Solana have no delegation.", "Choose an EVM chain.")
})

/** Reads the delegation on a chain. */
export const delegation = Effect.fnUntraced(function* (name: string) {
  const chain = yield* evmChain(name)
  const address = yield* Keys.addressWithoutPassword("evm")
  if (address === undefined) {
    return yield* fail("NO_WALLET", "There is no EVM wallet.", "Ask the user to add a key with geoswap keys add.")
  }
  const { contract, delegated, pinned } = yield* readDelegation(chain, address)
  const view: View.Delegation = {
    chain: chain.name,
    chainId: chain.id,
    wallet: address,
    delegated,
    delegate: contract,
    pinned
  }
  return view
})

/** Removes the delegation on a chain. */
export const revoke = Effect.fnUntraced(function* (name: string) {
  const chain = yield* evmChain(name)
  const wallet = yield* (yield* AgentPolicy).wallet("evm")
  const { changed, delegatedTo, txHash } = yield* Effect.provide(
    Client.undelegate({ chainId: chain.id, walletAddress: wallet.address }),
    wallet.layer({ originChain: chain.id })
  )
  const view: View.Delegation = {
    chain: chain.name,
    chainId: chain.id,
    wallet: wallet.address,
    delegated: delegatedTo !== undefined,
    changed,
    txHash: /^[0-9A-Za-z]{1,128}$/.test(txHash ?? "") ? txHash : undefined
  }
  return view
})
