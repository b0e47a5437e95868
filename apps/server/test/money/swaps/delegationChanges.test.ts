import { describe, layer } from "@effect/vitest"
import { createClient } from "@geoswap/core/promise"
import { Devnet } from "@geoswap/devnet"
import { EvmSigner, evmReader } from "@geoswap/signer-evm/promise"
import { fetchTransport } from "@geoswap/transport-fetch"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import { join } from "node:path"
import { type PrivateKeyAccount, zeroAddress } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { expect } from "vitest"
import * as evm from "../../stack/evm.js"
import { make, timeout, until, usdcToWeth } from "../../stack/fixture.js"
import {
  devnetLayer,
  environmentFor,
  type File,
  type Given,
  type Running,
  serve,
  temporary
} from "../../stack/stack.js"

/** A client for a wallet, which reads the chain itself. */
const clientOf = ({ evmA, evmB, solana }: Devnet.Devnet, running: Running, wallet: PrivateKeyAccount) => {
  const pinned = (chain: Devnet.EvmChain) => ({ delegates: [chain.contracts.account], vault: chain.contracts.vault })
  return createClient({
    transport: fetchTransport({ baseUrl: running.url, apiKey: running.apiKeys[0] }),
    signers: { evm: EvmSigner.fromAccount(wallet) },
    network: {
      chains: [
        { id: evmA.id, name: "a", family: "evm", deployment: pinned(evmA) },
        { id: evmB.id, name: "b", family: "evm", deployment: pinned(evmB) },
        { id: solana.id, name: "solana", family: "solana" }
      ]
    },
    readers: { evm: evmReader({ rpcUrls: { [evmA.id]: evmA.rpcUrl } }) }
  })
}

const codeOf = async (chain: Devnet.EvmChain, wallet: PrivateKeyAccount): Promise<string> =>
  ((await evm.reader(chain).getCode({ address: wallet.address })) ?? "0x").toLowerCase()

const designator = (chain: Devnet.EvmChain): string => `0xef0100${chain.contracts.account.slice(2).toLowerCase()}`

/** Sends an authorization to the service, without the SDK. */
const post = async (
  { apiKeys, url }: Running,
  wallet: PrivateKeyAccount,
  tuple: { readonly chainId: number; readonly address: `0x${string}`; readonly nonce: number }
) => {
  const { r, s, yParity = 0 } = await wallet.signAuthorization(tuple)
  const response = await fetch(`${url}/swap/change-delegation`, {
    method: "POST",
    headers: { "x-api-key": apiKeys[0], "content-type": "application/json" },
    body: JSON.stringify({ walletAddress: wallet.address, authorization: { ...tuple, yParity, r, s } })
  })
  const body = (await response.json()) as Readonly<Record<string, unknown>>
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body }
}

const statusOf = async ({ apiKeys, url }: Running, changeId: unknown) => {
  const response = await fetch(`${url}/swap/delegation-status/${String(changeId)}`, {
    headers: { "x-api-key": apiKeys[0] }
  })
  return (await response.json()) as Readonly<Record<string, unknown>>
}

/** Waits until a change is terminal. */
const ended = (running: Running, changeId: unknown) =>
  until(async () => {
    const change = await statusOf(running, changeId)
    return change["status"] === "pending" ? undefined : change
  })

/** Runs a test with a server, without its logs. */
const withServer = (body: (devnet: Devnet.Devnet, running: Running) => Promise<void>, change?: (file: File) => File) =>
  Effect.gen(function* () {
    const devnet = yield* Devnet.Devnet
    const running = yield* serve(devnet, change)
    yield* Effect.ensuring(
      Effect.promise(() => body(devnet, running)),
      Effect.orDie(devnet.evmA.release)
    )
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))

describe("delegation changes", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "delegate a wallet, and remove the delegation after a swap",
      () =>
        withServer(async (devnet, running) => {
          const { evmA } = devnet
          const { account } = await evm.newWallet(devnet, evmA, { USDC: 100_000_000n })
          const client = clientOf(devnet, running, account)
          const input = { chainId: evmA.id }
          expect(await client.delegate(input)).toMatchObject({
            changed: true,
            delegatedTo: evmA.contracts.account.toLowerCase(),
            txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as unknown
          })
          expect(await codeOf(evmA, account)).toBe(designator(evmA))
          expect(await client.delegate(input)).toMatchObject({ changed: false })
          const swap = await client.execute(usdcToWeth(devnet, account.address, evm.newAddress()), {
            acceptDelegation: () => false
          })
          expect(swap.status).toBe("settled")
          const { changed, txHash } = await client.undelegate(input)
          expect(changed).toBe(true)
          expect(await codeOf(evmA, account)).toBe("0x")
          const { type } = await evm.reader(evmA).getTransaction({ hash: txHash as `0x${string}` })
          expect(type).toBe("eip7702")
          expect(await client.undelegate(input)).toMatchObject({ changed: false })
          // The wallet can swap again, with a new delegation.
          const again = await client.execute(usdcToWeth(devnet, account.address, evm.newAddress()))
          expect(again.status).toBe("settled")
          expect(await codeOf(evmA, account)).toBe(designator(evmA))
        }),
      timeout
    )

    it.effect(
      "leave gas for a wallet that has swapped and revokes, no matter how many new wallets ask first",
      () =>
        withServer(
          async (devnet, running) => {
            const { evmA } = devnet
            const account = await evm.newDelegated(devnet, evmA, { USDC: 100_000_000n })
            const client = clientOf(devnet, running, account)
            const swap = await client.execute(usdcToWeth(devnet, account.address, evm.newAddress()))
            expect(swap.status).toBe("settled")
            // New wallets cost nothing. Their delegations use up what they may use.
            for (let status = 200; status === 200;) {
              const fresh = privateKeyToAccount(generatePrivateKey())
              const tuple = { chainId: evmA.id, address: evmA.contracts.account as `0x${string}`, nonce: 0 }
              status = (await post(running, fresh, tuple)).status
            }
            expect(await client.undelegate({ chainId: evmA.id })).toMatchObject({ changed: true })
            expect(await codeOf(evmA, account)).toBe("0x")
          },
          (file) => ({ ...file, delegations: { gasPerDay: 300_000 } })
        ),
      timeout
    )

    it.effect(
      "fail if the account's nonce changes before the transaction is included",
      () =>
        withServer(async (devnet, running) => {
          const { evmA } = devnet
          const { account } = await evm.newWallet(devnet, evmA, {})
          const tuple = { chainId: evmA.id, address: evmA.contracts.account as `0x${string}`, nonce: 0 }
          await make(evmA.hold)
          const { body } = await post(running, account, tuple)
          // Another account's transaction uses the nonce first: it offers more.
          const rival = await account.signAuthorization({ chainId: evmA.id, address: zeroAddress, nonce: 0 })
          const hash = await evm.sender(evmA, evm.operator(devnet, "owner")).sendTransaction({
            to: account.address,
            authorizationList: [rival],
            gas: 200_000n,
            maxFeePerGas: 10n ** 12n,
            maxPriorityFeePerGas: 10n ** 11n
          })
          await make(evmA.release)
          await evm.reader(evmA).waitForTransactionReceipt({ hash })
          expect(await ended(running, body["changeId"])).toMatchObject({
            status: "failed",
            failureCode: "INVALID_AUTHORIZATION"
          })
          expect(await codeOf(evmA, account)).toBe("0x")
          // The relayer's nonces have no gap: the next change is applied.
          expect(await clientOf(devnet, running, account).delegate({ chainId: evmA.id })).toMatchObject({
            changed: true
          })
        }),
      timeout
    )

    it.effect(
      "survive a restart of the server, and are applied once",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const { evmA } = devnet
          const given: Given = {
            database: join(yield* temporary, "geoswap.db"),
            environment: yield* environmentFor(devnet)
          }
          const { account } = yield* Effect.promise(() => evm.newWallet(devnet, evmA, {}))
          const tuple = { chainId: evmA.id, address: evmA.contracts.account as `0x${string}`, nonce: 0 }
          yield* evmA.hold
          const scope = yield* Scope.make()
          const before = yield* Scope.provide(serve(devnet, undefined, given), scope)
          const { body } = yield* Effect.promise(() => post(before, account, tuple))
          yield* Scope.close(scope, Exit.void)
          yield* evmA.release
          const after = yield* serve(devnet, undefined, given)
          yield* Effect.promise(async () => {
            const again = await post(after, account, tuple)
            expect(again.body["changeId"]).toBe(body["changeId"])
            expect(await ended(after, body["changeId"])).toMatchObject({ status: "applied" })
            expect(await codeOf(evmA, account)).toBe(designator(evmA))
            expect(await evm.reader(evmA).getTransactionCount({ address: account.address })).toBe(1)
          })
        }).pipe(
          Effect.ensuring(Effect.flatMap(Devnet.Devnet, ({ evmA }) => Effect.orDie(evmA.release))),
          Effect.provideService(References.MinimumLogLevel, "None"),
          Effect.orDie
        ),
      timeout
    )
  })
})
