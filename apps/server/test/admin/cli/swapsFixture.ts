/** A server on a devnet, with finished swaps of every outcome and one that is open. */
import { PausableToken, TestToken } from "@geoswap/contracts/testing"
import type { Client } from "@geoswap/core/promise"
import { Devnet } from "@geoswap/devnet"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Address, encodeFunctionData, type PrivateKeyAccount } from "viem"
import { gateAt } from "../../stack/checkpointGate.js"
import { clientOf } from "../../stack/client.js"
import * as evm from "../../stack/evm.js"
import { type Change, eachChain, make, start, type Started, until, usdcToWeth, withToken } from "../../stack/fixture.js"
import { type Workspace, run } from "../../stack/program.js"
import * as solana from "../../stack/solana.js"
import { ownDevnetLayer, serve, workspaceFor } from "../../stack/stack.js"

export interface Shape {
  readonly devnet: Devnet.Devnet
  /** Where commands run, beside the server. */
  readonly workspace: Workspace
  readonly wallets: { readonly ada: PrivateKeyAccount; readonly bob: PrivateKeyAccount }
  /** In the order of acceptance. The first is from Solana. */
  readonly swaps: {
    readonly fromSolana: Started
    readonly settled: Started
    readonly failed: Started
    readonly refunded: Started
    readonly open: Started
  }
  readonly recipient: string
  readonly stopped: string
}

export class SwapsFixture extends Context.Service<SwapsFixture, Shape>()("test/cli/SwapsFixture") {}

const usdc = 1_000_000n

/** The wallet spends its input while the collect is pending. */
const failing = async (devnet: Devnet.Devnet, client: Client, wallet: PrivateKeyAccount, recipient: string) => {
  const { evmA } = devnet
  const relayer = evm.operator(devnet, "relayer").address
  await make(evmA.hold)
  const started = await start(client, usdcToWeth(devnet, wallet.address, recipient))
  await until(async () => (await evm.poolOf(evmA, relayer)).length === 1)
  const data = encodeFunctionData({ abi: TestToken.abi, functionName: "transfer", args: [evm.newAddress(), usdc] })
  const to = evm.tokenOf(evmA, "USDC") as Address
  await evm.sender(evmA, wallet).sendTransaction({ to, data, gas: 200_000n, ...evm.firstInBlock })
  await make(evmA.release)
  await started.ended
  return started
}

const begin = Effect.fnUntraced(function* (devnet: Devnet.Devnet) {
  const { evmB } = devnet
  const stopped = yield* Effect.promise(() => evm.deployPausable(devnet, evmB, 1_000n * usdc))
  const token = { symbol: "=STOP", address: stopped, decimals: 6, asset: "USDC" }
  // Pending swaps are not retried, so that two reads return the same.
  const calm = eachChain((chain) => (chain.kind === "evm" ? { ...chain, stuckAfterMillis: 600_000 } : chain))
  const change: Change = (file) => calm(withToken(evmB.id, token)(file))
  const workspace = yield* workspaceFor(devnet, change)
  const [ada, bob] = yield* Effect.forEach(["Ada", '=Bob, "Bob"'], (account) =>
    Effect.map(run(workspace, "keys", "create", "--account", account), ({ stdout }) => stdout.trim())
  )
  const gate = gateAt("after origin_sent")
  const server = yield* serve(devnet, change, { ...workspace, mark: gate.mark })
  return { workspace, stopped, keys: { ada: ada ?? "", bob: bob ?? "" }, server, gate }
})

const operate = Effect.gen(function* () {
  const devnet = yield* Devnet.Devnet
  const { evmA, evmB, solana: svm } = devnet
  const { gate, workspace, keys, server, stopped } = yield* begin(devnet)
  return yield* Effect.promise(async (): Promise<Shape> => {
    const recipient = evm.newAddress()
    const { account: ada } = await evm.newWallet(devnet, evmA, { USDC: 30n * usdc })
    const bob = await evm.newDelegated(devnet, evmA, { USDC: 10n * usdc })
    await evm.fund(devnet, evmA, bob.address)
    const owner = await solana.newWallet(devnet, { USDC: 10n * usdc })
    const running = { url: server.url, database: "" }
    const wallets = { evm: ada, solana: owner.keyPair }
    const client = await clientOf(devnet, { ...running, apiKeys: [keys.ada, ""] }, wallets)
    const others = await clientOf(devnet, { ...running, apiKeys: [keys.bob, ""] }, { evm: bob })
    const asked = usdcToWeth(devnet, ada.address, recipient)

    const fromSolana = await start(client, {
      ...asked,
      originChain: svm.id,
      inputToken: evm.tokenOf(svm, "USDC"),
      walletAddress: owner.address
    })
    await fromSolana.ended
    const settled = await start(client, asked)
    await settled.ended
    const failed = await failing(devnet, others, bob, recipient)

    await make(evmA.hold)
    const refunded = await start(client, { ...asked, outputToken: stopped })
    await evm.asOwner(devnet, evmB, {
      address: stopped,
      abi: PausableToken.abi,
      functionName: "setPaused",
      args: [true]
    })
    await make(evmA.release)
    await refunded.ended

    await make(evmA.hold)
    await gate.close()
    const open = await start(client, asked)
    open.ended.catch(() => undefined)
    await gate.reached()
    await gate.open()
    return {
      devnet,
      workspace,
      recipient,
      stopped,
      wallets: { ada, bob },
      swaps: { fromSolana, settled, failed, refunded, open }
    }
  })
})

export const swapsFixture = Layer.effect(SwapsFixture, operate).pipe(Layer.provide(ownDevnetLayer), Layer.orDie)
