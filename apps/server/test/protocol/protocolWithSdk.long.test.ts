import { describe, layer } from "@effect/vitest"
import { Signer, Network } from "@geoswap/core"
import { type TransportHarness, transportContract } from "@geoswap/core/testing"
import { Devnet } from "@geoswap/devnet"
import { EvmSigner } from "@geoswap/signer-evm"
import { SolanaSigner } from "@geoswap/signer-solana"
import { FetchTransport } from "@geoswap/transport-fetch"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PrivateKeyAccount } from "viem"
import { networkOf } from "../stack/client.js"
import { movableClock } from "../stack/clock.js"
import * as evm from "../stack/evm.js"
import * as solana from "../stack/solana.js"
import { devnetLayer, type Running, serve } from "../stack/stack.js"

const usdc = 1_000_000n

/** The server of the suite. */
class Stack extends Context.Service<
  Stack,
  {
    readonly running: Running
    readonly foreign: PrivateKeyAccount
    /** Moves the server's clock ahead. */
    readonly move: (millis: number) => void
  }
>()("test/Stack") {}

/** A wallet that is delegated to another contract, at its own cost. */
const delegatedElsewhere = async (devnet: Devnet.Devnet): Promise<PrivateKeyAccount> => {
  const { account } = await evm.newWallet(devnet, devnet.evmA, { USDC: 100n * usdc })
  const client = evm.sender(devnet.evmA, evm.operator(devnet, "owner"))
  const authorization = await account.signAuthorization({
    address: "0x00000000000000000000000000000000deadbeef",
    chainId: devnet.evmA.id,
    nonce: 0
  })
  const hash = await client.sendTransaction({ to: account.address, authorizationList: [authorization], gas: 200_000n })
  await evm.reader(devnet.evmA).waitForTransactionReceipt({ hash })
  return account
}

const stackLayer = Layer.effect(
  Stack,
  Effect.gen(function* () {
    const devnet = yield* Devnet.Devnet
    const { clock, move } = yield* movableClock
    const running = yield* serve(devnet).pipe(Effect.provideService(Clock.Clock, clock))
    return { running, move, foreign: yield* Effect.promise(() => delegatedElsewhere(devnet)) }
  })
).pipe(Layer.provideMerge(devnetLayer))

/** The wallet sends its own transaction: any account may pay for it. */
const moveNonce = async (devnet: Devnet.Devnet, account: PrivateKeyAccount): Promise<void> => {
  const chain = devnet.evmA
  const owner = evm.sender(chain, evm.operator(devnet, "owner"))
  const funding = await owner.sendTransaction({ to: account.address, value: 10n ** 16n, gas: 21_000n })
  await evm.reader(chain).waitForTransactionReceipt({ hash: funding })
  const hash = await evm.sender(chain, account).sendTransaction({ to: account.address, gas: 21_000n })
  await evm.reader(chain).waitForTransactionReceipt({ hash })
}

const harness: Effect.Effect<TransportHarness, never, Devnet.Devnet | Stack> = Effect.gen(function* () {
  const devnet = yield* Devnet.Devnet
  const { foreign, move, running } = yield* Stack
  const { evmA, evmB, solana: svm } = devnet
  const { account } = yield* Effect.promise(() => evm.newWallet(devnet, evmA, { USDC: 100n * usdc }))
  const owner = yield* Effect.promise(() => solana.newWallet(devnet, { USDC: 100n * usdc }))
  const transport = (apiKey: string) => Effect.orDie(FetchTransport.make({ baseUrl: running.url, apiKey }))
  const solanaSigner = yield* Effect.promise(() => SolanaSigner.fromKeyPair(owner.keyPair))
  const network = yield* Effect.promise(() => networkOf(devnet))
  const evmRequest = {
    originChain: evmA.id,
    destinationChain: evmB.id,
    inputToken: evm.tokenOf(evmA, "USDC"),
    outputToken: evm.tokenOf(evmB, "WETH"),
    amount: 10n * usdc,
    walletAddress: account.address
  }
  /** The suite signs only for pinned contracts, like a client. */
  const pinned = <A extends object>(chain: number, call: A): A => ({
    ...call,
    deployment: Network.find(network, chain)?.deployment
  })
  const evmSigner = Signer.evmFromPromise(EvmSigner.fromAccount(account))
  const svmSigner = Signer.solanaFromPromise(solanaSigner)
  return {
    transport: yield* transport(running.apiKeys[0]),
    otherAccount: yield* transport(running.apiKeys[1]),
    wrongKey: yield* transport("gsk_aaaaaaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
    evm: {
      ...evmSigner,
      signOperation: (call) => evmSigner.signOperation(pinned(evmA.id, call)),
      ...(evmSigner.signAuthorization !== undefined && {
        signAuthorization: (call) => evmSigner.signAuthorization?.(pinned(evmA.id, call)) ?? Effect.die("cannot sign")
      })
    },
    solana: { ...svmSigner, signTransaction: (call) => svmSigner.signTransaction(pinned(svm.id, call)) },
    evmRequest,
    solanaRequest: {
      originChain: svm.id,
      destinationChain: evmA.id,
      inputToken: evm.tokenOf(svm, "USDC"),
      outputToken: evm.tokenOf(evmA, "WETH"),
      amount: 10n * usdc,
      walletAddress: owner.address,
      recipient: account.address
    },
    delegatedElsewhere: { ...evmRequest, walletAddress: foreign.address },
    moveNonce: Effect.promise(() => moveNonce(devnet, account)),
    // Chains need real time, the expiry of a quote does not.
    elapse: (millis) => (millis < 1_000 ? Effect.sleep(millis) : Effect.sync(() => move(millis)))
  }
})

describe("rules of the interface through the SDK", () => {
  layer(stackLayer, { timeout: 240_000, excludeTestServices: true })((it) => {
    const names = transportContract(Effect.die("only the names")).map(({ name }) => name)
    for (const [index, name] of names.entries()) {
      it.effect(
        name,
        () =>
          Effect.gen(function* () {
            const context = yield* Effect.context<Devnet.Devnet | Stack>()
            const [rule] = transportContract(Effect.provide(harness, context)).slice(index, index + 1)
            yield* rule?.run ?? Effect.die("the rule exists")
          }),
        240_000
      )
    }
  })
})
