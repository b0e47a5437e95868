/** Two operations with the same nonce on real chains: one becomes a swap, and the other one only after that has failed. */
import { describe, layer } from "@effect/vitest"
import { TestToken } from "@geoswap/contracts/testing"
import { encodeFunctionData, type Address, type Hash } from "viem"
import { expect } from "vitest"
import { type Cases, running, suiteLayer } from "../../protocol/cases/suite.js"
import * as protocol from "../../protocol/client.js"
import { ask, evmRequest, statusAndCode, usdc } from "../../protocol/fixture.js"
import { collectedFrom, signed, submit } from "../../protocol/operations.js"
import * as evm from "../../stack/evm.js"
import { make, until } from "../../stack/fixture.js"

const used = [409, "NONCE_USED"]

const cases: Cases = {
  "is refused until the first swap has failed": async (suite) => {
    const { devnet, first } = suite
    const { evmA } = devnet
    const account = await evm.newDelegated(devnet, evmA, { USDC: 10n * usdc })
    await evm.fund(devnet, evmA, account.address)
    const request = evmRequest(suite, account.address)
    const one = await signed(suite, account, request)
    /** A new quote, to be built with the nonce of the first operation. */
    const afresh = async () => {
      const { geoQuoteToken } = await protocol.quote(first, request)
      return { geoQuoteToken, previousGeoOpToken: one.geoOpToken }
    }

    const again = await ask(first, "/swap/build-geo-op", await afresh())
    expect(again.status).toBe(200)
    const { geoOpHash, geoOpToken, geoOp } = again.body as object as protocol.BuiltOperation
    expect([geoOp.nonce, geoOp.delegate]).toEqual([one.geoOp.nonce, one.geoOp.delegate])
    expect(geoOpHash).not.toBe(one.geoOpHash)
    const two = { geoOpToken, signature: await account.signMessage({ message: { raw: geoOpHash } }) }

    await make(evmA.hold)
    const { swapId } = await submit(suite, one.submission)
    expect(await statusAndCode(first, "/swap/submit", two)).toEqual(used)
    expect(await statusAndCode(first, "/swap/build-geo-op", await afresh())).toEqual(used)
    const relayer = evm.operator(devnet, "relayer").address
    await until(async () => (await evm.poolOf(evmA, relayer)).length === 1)
    // The wallet spends its input before the collect.
    const args = [evm.newAddress(), 10n * usdc] as const
    const data = encodeFunctionData({ abi: TestToken.abi, functionName: "transfer", args })
    const to = evm.tokenOf(evmA, "USDC") as Address
    await evm.sender(evmA, account).sendTransaction({ to, data, gas: 200_000n, ...evm.firstInBlock })
    await make(evmA.release)
    const failed = await protocol.wait(first, swapId)
    expect(failed).toMatchObject({ swapId, status: "failed", failureCode: "INSUFFICIENT_BALANCE" })
    // The transaction is on chain, without effect.
    const receipt = await evm.reader(evmA).getTransactionReceipt({ hash: failed.originTxHash as Hash })
    expect([receipt.status, receipt.from.toLowerCase()]).toEqual(["reverted", relayer.toLowerCase()])

    await evm.mint(devnet, evmA, "USDC", account.address, 10n * usdc)
    const next = await submit(suite, two)
    expect(next.swapId).not.toBe(swapId)
    expect((await protocol.wait(first, next.swapId)).status).toBe("settled")
    expect(await collectedFrom(evmA, account.address)).toBe(1)
    // Each of the two is still its own swap, and the nonce is used permanently.
    expect(await submit(suite, one.submission)).toEqual(failed)
    expect((await submit(suite, two)).swapId).toBe(next.swapId)
    await evm.mint(devnet, evmA, "USDC", account.address, 10n * usdc)
    expect(await statusAndCode(first, "/swap/build-geo-op", await afresh())).toEqual(used)
  }
}

describe("operation with the nonce of another operation", () => {
  layer(suiteLayer(), { timeout: 240_000, excludeTestServices: true })((it) => {
    for (const [title, run] of Object.entries(cases)) it.effect(title, () => running(run), 240_000)
  })
})
