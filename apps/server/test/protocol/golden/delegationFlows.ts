/** Delegations that are set and removed without a swap. */
import * as Effect from "effect/Effect"
import type { PrivateKeyAccount } from "viem"
import { ask, delegateTo, deploymentOf, type Fixture } from "../fixture.js"
import { signed, submit } from "../operations.js"
import { ended, type Flows } from "./flow.js"
import { evmPayer, fromEvm } from "./requests.js"

const path = "/swap/change-delegation"
const zero = `0x${"0".repeat(40)}` as const

/** The body that sets or removes a delegation. */
const changeOf = async (
  account: PrivateKeyAccount,
  chainId: number,
  address: `0x${string}`,
  nonce: number
): Promise<object> => {
  const { r, s, yParity = 0 } = await account.signAuthorization({ chainId, address, nonce })
  return { walletAddress: account.address, authorization: { chainId, address, nonce, yParity, r, s } }
}

/** Sends a change, and records its status once it is terminal. */
const applied = async (quiet: Fixture, recorded: Fixture, change: object): Promise<string> => {
  const { body } = await ask(recorded.first, path, change)
  const status = `/swap/delegation-status/${String(body["changeId"])}`
  while ((await ask(quiet.first, status)).body["status"] === "pending");
  await ask(recorded.first, status)
  return status
}

export const delegationFlows: Flows = {
  "delegation-changes": async ({ main }, { note, of }) => {
    const fixture = of(main)
    const { devnet, first, second } = fixture
    const { id } = devnet.evmA
    const account = await evmPayer(main)
    const delegate = deploymentOf(devnet, id).delegate?.toLowerCase() as `0x${string}`
    const state = `/swap/delegation?chainId=${id}&walletAddress=${account.address}`
    note("a wallet that is not delegated")
    await ask(first, path, await changeOf(account, id, zero, 0))
    const set = await changeOf(account, id, delegate, 0)
    note("sets the delegation")
    const status = await applied(main, fixture, set)
    await ask(first, state)
    note("the same request again")
    await ask(first, path, set)
    note("by another account")
    await ask(second, path, set)
    await ask(second, status)
    note("the same delegation again")
    await ask(first, path, await changeOf(account, id, delegate, 1))
    note("at another nonce")
    await ask(first, path, await changeOf(account, id, zero, 2))
    note("to a contract that is not the service's")
    await ask(first, path, await changeOf(account, id, "0x00000000000000000000000000000000deadbeef", 1))
    note("while a swap is in progress")
    const remove = await changeOf(account, id, zero, 1)
    const { submission } = await signed(main, account, fromEvm(main, account.address))
    await Effect.runPromise(devnet.evmA.hold)
    try {
      const { swapId } = await submit(main, submission)
      await ask(first, path, remove)
      await Effect.runPromise(devnet.evmA.release)
      await ended(main, main, swapId)
    } finally {
      await Effect.runPromise(devnet.evmA.release)
    }
    note("removes the delegation")
    await applied(main, fixture, remove)
    await ask(first, state)
    await applied(main, main, await changeOf(account, id, delegate, 2))
    note("the account's gas budget is used up")
    await ask(first, path, await changeOf(await evmPayer(main), id, delegate, 0))
    await delegateTo(main, account, "0x00000000000000000000000000000000deadbeef")
    note("delegated to another provider")
    await ask(first, path, await changeOf(account, id, zero, 4))
    note("an unknown chain")
    await ask(first, path, await changeOf(account, 1, zero, 4))
    note("an unknown change")
    await ask(first, "/swap/delegation-status/none")
  }
}
