/** The time from submit to settled on a devnet, with real chains and finality, compared with the minimum possible. */
import { join } from "node:path"
import { createClient, type Client, type ExecuteInput } from "@geoswap/core/promise"
import { Description, Devnet } from "@geoswap/devnet"
import { DevnetConfig, Secrets, Server, Storage } from "@geoswap/server"
import { Config, Seal } from "@geoswap/service"
import { EvmSigner } from "@geoswap/signer-evm"
import { SolanaSigner } from "@geoswap/signer-solana"
import { fetchTransport } from "@geoswap/transport-fetch"
import { createKeyPairFromBytes, getBase58Encoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import { formatAddress, HttpServer } from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { privateKeyToAccount } from "viem/accounts"
import type { Bench } from "../context.ts"
import { median, type Section } from "../../../../tooling/bench/report.ts"

const pace = { ports: "free", blockTime: 250, slotTime: 50, finalitySlots: 4 } as const
const confirmations = 2

/** The configured depth, plus at most one block of waiting on average. */
const ideal = {
  evm: (confirmations + 1) * pace.blockTime,
  solana: (pace.finalitySlots + 1) * pace.slotTime
}

/** The address of a token. */
export const tokenOf = (chain: Pick<Devnet.EvmChain, "tokens">, symbol: string): string =>
  chain.tokens.find((token) => token.symbol === symbol)?.address ?? ""

const walletsOf = ({ description }: Devnet.Devnet, family: "evm" | "solana") => {
  const wallet = description.wallets.find((one) => one.family === family)
  if (wallet === undefined) throw new Error(`The devnet has no wallet of the family ${family}.`)
  return wallet
}

/** Milliseconds from the response of submit to the end; `undefined` if the operation expired before it was executed. */
const swapOnce = async (client: Client, input: ExecuteInput): Promise<number | undefined> => {
  let submittedAt = 0
  for await (const event of client.executeStream(input)) {
    if (event.type === "submitted") submittedAt = performance.now()
    if (event.type !== "done") continue
    const { failureCode, status, swapId } = event.swap
    if (failureCode === "OPERATION_EXPIRED") return undefined
    if (status !== "settled") throw new Error(`Swap ${swapId} is ${status}: ${failureCode}.`)
    return performance.now() - submittedAt
  }
  throw new Error("A swap did not end.")
}

/** How often a swap is tried: with these slots a blockhash lives for 8 seconds, which a busy machine may exceed. */
const tries = 20

/** Milliseconds from the response of submit to the end. */
const swap = async (client: Client, input: ExecuteInput): Promise<number> => {
  for (let tried = 0; tried < tries; tried++) {
    const millis = await swapOnce(client, input)
    if (millis !== undefined) return millis
  }
  throw new Error(`The machine is too slow: ${tries} operations in a row expired before they were executed.`)
}

/** A server on the devnet, in this process, which has no other work. */
const serve = Effect.fnUntraced(function* (devnet: Devnet.Devnet, bench: Bench) {
  const file = DevnetConfig.fileOf(devnet.description)
  const chains = file.chains.map((chain) => ({ ...chain, pollMillis: 50 }))
  const config = yield* Config.parse(JSON.stringify({ ...file, chains, listen: { host: "127.0.0.1", port: 0 } }))
  const secrets = yield* Secrets.read(config, {
    ...DevnetConfig.secretsOf(devnet.description),
    GEOSWAP_SEAL_KEYS: yield* Seal.generateKey
  })
  const path = join(bench.fixture.folder, "latency.db")
  const { key } = yield* Effect.promise(() => bench.fixture.newKey({ kind: "sqlite", path }))
  const context = yield* Layer.build(Server.layer({ config, secrets, database: Storage.file(path), version: "0.0.0" }))
  const { address } = yield* Effect.provide(HttpServer, context)
  return { url: formatAddress(address), key }
})

const measure = (bench: Bench) =>
  Effect.gen(function* () {
    const devnet = yield* Devnet.Devnet
    const { evmA, evmB, solana } = devnet
    const { key, url } = yield* serve(devnet, bench)
    const [evmWallet, solanaWallet] = [walletsOf(devnet, "evm"), walletsOf(devnet, "solana")]
    return yield* Effect.promise(async () => {
      const pair = await createKeyPairFromBytes(getBase58Encoder().encode(solanaWallet.privateKey))
      const client = createClient({
        transport: fetchTransport({ baseUrl: url, apiKey: key }),
        signers: {
          evm: EvmSigner.fromAccount(privateKeyToAccount(evmWallet.privateKey as `0x${string}`)),
          solana: await SolanaSigner.fromKeyPair(pair)
        },
        network: Description.network(devnet.description)
      })
      const ways = [
        { name: "EVM to EVM", from: evmA, to: evmB, wallet: evmWallet, recipient: evmWallet, least: 2 * ideal.evm },
        {
          name: "EVM to Solana",
          from: evmA,
          to: solana,
          wallet: evmWallet,
          recipient: solanaWallet,
          least: ideal.evm + ideal.solana
        },
        {
          name: "Solana to EVM",
          from: solana,
          to: evmA,
          wallet: solanaWallet,
          recipient: evmWallet,
          least: ideal.evm + ideal.solana
        }
      ]
      const rows: Array<ReadonlyArray<string | number>> = []
      for (const { from, least, name, recipient, to, wallet } of ways) {
        const took: Array<number> = []
        for (let index = 0; index < (bench.quick ? 1 : 6); index++) {
          const millis = await swap(client, {
            originChain: from.id,
            destinationChain: to.id,
            inputToken: tokenOf(from, "USDC"),
            outputToken: tokenOf(to, "USDC"),
            amount: 10_000_000n,
            walletAddress: wallet.address,
            recipient: recipient.address
          })
          // The first swap of a wallet includes its delegation and loads code.
          if (index > 0 || bench.quick) took.push(millis)
        }
        rows.push([name, median(took), Math.max(...took), least, median(took) / least])
      }
      return rows
    })
  }).pipe(
    Effect.provide(Layer.fresh(Devnet.layer(pace))),
    Effect.scoped,
    Effect.provideService(References.MinimumLogLevel, "None")
  )

/** Measures the latency. */
export const latency = async (bench: Bench): Promise<Section> => {
  const title = "From submit to settled on a devnet"
  const columns = ["", "median ms", "longest ms", "ideal ms", "of the ideal"]
  const found = await Effect.runPromise(Effect.result(measure(bench)))
  const notes = [
    `Blocks every ${pace.blockTime} ms and ${confirmations} of them final, slots every ${pace.slotTime} ms and ${pace.finalitySlots} of them final; chains are polled every 50 ms. The ideal is those depths and one block or slot on each side.`
  ]
  if (found._tag === "Success") return { title, columns, rows: found.success, notes, goals: [] }
  return {
    title,
    columns,
    rows: [],
    notes: [...notes, `The devnet did not start: ${found.failure.message}`],
    goals: []
  }
}
