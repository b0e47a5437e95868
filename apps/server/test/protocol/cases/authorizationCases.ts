/** Delegation: valid authorizations, stale ones, and wallets that must not be used. */
import * as Effect from "effect/Effect"
import { type Hash, type PrivateKeyAccount, zeroAddress } from "viem"
import { expect } from "vitest"
import * as evm from "../../stack/evm.js"
import * as protocol from "../client.js"
import {
  ask,
  delegateTo,
  deploymentOf,
  evmRequest,
  evmWallet,
  moveNonce,
  solanaRequest,
  statusAndCode,
  usdc
} from "../fixture.js"
import { collectedFrom, highS, signed, submit } from "../operations.js"
import type { Cases, Suite } from "./suite.js"

const invalidAuthorization = [409, "INVALID_AUTHORIZATION"]

const delegationOf = async ({ devnet, first }: Suite, { address }: PrivateKeyAccount) =>
  (await ask(first, `/swap/delegation?chainId=${devnet.evmA.id}&walletAddress=${address}`)).body

/** A wallet that is not delegated, a quote for it, and a valid authorization. */
const undelegated = async (suite: Suite) => {
  const { devnet, first } = suite
  const account = await evmWallet(suite)
  const authorization = await protocol.authorize(first, account, devnet.evmA.id, deploymentOf(devnet, devnet.evmA.id))
  if (authorization === undefined) throw new Error("A new wallet is not delegated.")
  const { geoQuoteToken } = await protocol.quote(first, evmRequest(suite, account.address))
  const sign = async (other: Partial<protocol.Authorization>, by = account) => {
    const { address, chainId, nonce } = { ...authorization, ...other }
    const { r, s, yParity = 0 } = await by.signAuthorization({ address, chainId, nonce })
    return { address, chainId, nonce, yParity, r, s }
  }
  const build = (given?: object) =>
    statusAndCode(first, "/swap/build-geo-op", { geoQuoteToken, ...(given && { authorization: given }) })
  return { account, authorization, build, sign, geoQuoteToken }
}

export const authorizationCases: Cases = {
  "is refused an authorization that a chain would skip or that covers more than requested": async (suite) => {
    const { devnet, payer } = suite
    const { authorization, build, sign } = await undelegated(suite)
    const { r, s, yParity } = authorization
    const wrong: Readonly<Record<string, object>> = {
      "for every chain": await sign({ chainId: 0 }),
      "for another chain": await sign({ chainId: devnet.evmB.id }),
      "to another target": await sign({ address: devnet.evmA.contracts.vault as `0x${string}` }),
      "for the next nonce": await sign({ nonce: authorization.nonce + 1 }),
      "by another account": await sign({}, payer),
      "with a high s": highS(authorization, yParity),
      "of the other parity": { ...authorization, yParity: 1 - yParity },
      "of zeros": { ...authorization, r: "0x0", s: "0x0" },
      "above the curve": { ...authorization, r: `0x${"f".repeat(64)}` },
      "signed for every chain, said to be for this": {
        ...(await sign({ chainId: 0 })),
        chainId: authorization.chainId
      },
      "with r and s exchanged": { ...authorization, r: s, s: r }
    }
    for (const [name, given] of Object.entries(wrong)) {
      expect([name, ...(await build(given))]).toEqual([name, ...invalidAuthorization])
    }
    expect(await build()).toEqual([409, "NEEDS_DELEGATION"])
    expect((await build(authorization))[0]).toBe(200)
  },
  "can attach an authorization that is not needed, on both families": async (suite) => {
    const { devnet, first, owner, payer } = suite
    const { r, s, yParity } = await payer.signAuthorization({ chainId: 1, address: zeroAddress, nonce: 9 })
    const authorization = { chainId: 1, address: zeroAddress, nonce: 9, r, s, yParity }
    const delegated = await evm.newDelegated(devnet, devnet.evmA, { USDC: 10n * usdc })
    const fromEvm = await protocol.quote(first, evmRequest(suite, delegated.address))
    const fromSolana = await protocol.quote(first, solanaRequest(suite, owner.address))
    const body = (geoQuoteToken: string) => ({ geoQuoteToken, authorization })
    expect((await ask(first, "/swap/build-geo-op", body(fromEvm.geoQuoteToken))).status).toBe(200)
    expect((await ask(first, "/swap/build-solana-tx", body(fromSolana.geoQuoteToken))).status).toBe(200)
  }
}

export const staleAuthorizations: Cases = {
  "signs again if the wallet's nonce changed between delegation and build": async (suite) => {
    const { account, authorization, build, sign } = await undelegated(suite)
    await moveNonce(suite, account)
    expect(await build(authorization)).toEqual(invalidAuthorization)
    expect(await delegationOf(suite, account)).toMatchObject({ delegated: false, accountNonce: 1 })
    expect((await build(await sign({ nonce: 1 })))[0]).toBe(200)
  },
  "signs again if the wallet's nonce changed between build and submit": async (suite) => {
    const { devnet, first } = suite
    const account = await evmWallet(suite)
    const request = evmRequest(suite, account.address)
    const { submission } = await signed(suite, account, request)
    await moveNonce(suite, account)
    expect(await statusAndCode(first, "/swap/submit", submission)).toEqual(invalidAuthorization)
    expect(await collectedFrom(devnet.evmA, account.address)).toBe(0)
    const { authorization, swap } = await protocol.swapFromEvm(
      first,
      account,
      request,
      deploymentOf(devnet, devnet.evmA.id)
    )
    expect([authorization?.nonce, swap.status]).toEqual([1, "settled"])
    // The wallet is delegated now, so the first operation no longer needs an authorization.
    const { swapId } = await submit(suite, submission)
    expect((await protocol.wait(first, swapId)).status).toBe("settled")
  },
  "sees the swap fail without a transfer if the nonce changed after submit": async (suite) => {
    const { devnet, first } = suite
    const { evmA } = devnet
    const account = await evmWallet(suite)
    const { submission } = await signed(suite, account, evmRequest(suite, account.address))
    /** Starts a transaction of an operator, and returns when it is pending. */
    const inPool = async <A>(role: "owner" | "relayer", send: () => Promise<A>): Promise<() => Promise<A>> => {
      const { address } = evm.operator(devnet, role)
      const pending = () => evm.reader(evmA).getTransactionCount({ address, blockTag: "pending" })
      const before = await pending()
      const sent = send()
      while ((await pending()) === before) await new Promise((resolve) => setTimeout(resolve, 20))
      return () => sent
    }
    await Effect.runPromise(evmA.hold)
    const submitted = await inPool("relayer", () => submit(suite, submission))
    const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n }
    const moved = await inPool("owner", () => moveNonce(suite, account, fees))
    await Effect.runPromise(evmA.release)
    await moved()
    const { swapId } = await submitted()
    const failed = await protocol.wait(first, swapId)
    const originTxHash = failed.originTxHash as Hash
    const { promised } = protocol.splitReport(failed)
    expect(promised).toEqual({ swapId, status: "failed", originTxHash, failureCode: "INVALID_AUTHORIZATION" })
    // It is on chain, without effect.
    const { from } = await evm.reader(evmA).getTransactionReceipt({ hash: originTxHash })
    expect(from.toLowerCase()).toBe(evm.operator(devnet, "relayer").address.toLowerCase())
    expect(await evm.balanceOf(evmA, evm.tokenOf(evmA, "USDC"), account.address)).toBe(1_000n * usdc)
    expect(await submit(suite, submission)).toEqual(failed)
  },
  "cannot use a wallet that is delegated to another contract": async (suite) => {
    const { devnet, first } = suite
    const { account, authorization, build, sign } = await undelegated(suite)
    const other = "0x00000000000000000000000000000000deadbeef"
    const { submission } = await signed(suite, account, evmRequest(suite, account.address))
    await delegateTo(suite, account, other)
    const unsupported = [422, "UNSUPPORTED_DELEGATION"]
    for (const given of [undefined, authorization, await sign({ nonce: 1 })])
      expect(await build(given)).toEqual(unsupported)
    expect(await build(await sign({ nonce: 1 }))).toEqual(unsupported)
    expect(await statusAndCode(first, "/swap/submit", submission)).toEqual(unsupported)
    expect(await delegationOf(suite, account)).toEqual({
      chainId: devnet.evmA.id,
      walletAddress: account.address,
      delegated: false,
      originReady: false,
      delegatedTo: other
    })
    const pinned = deploymentOf(devnet, devnet.evmA.id)
    await expect(protocol.authorize(first, account, devnet.evmA.id, pinned)).rejects.toThrow("another contract's code")
    expect(await evm.reader(devnet.evmA).getCode({ address: account.address })).toBe(`0xef0100${other.slice(2)}`)
  }
}
