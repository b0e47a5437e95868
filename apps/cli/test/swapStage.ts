/** One person with a wallet of the devnet, a home of their own, a gate in front of the service, and a fresh recipient. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createPublicClient, createWalletClient, type Hex, http, isHex, parseAbi, parseEventLogs } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { expect } from "vitest"
import { mistakesOf } from "./jsonSchema.js"
import { cli, type Ended, type Place, run, start, type Started } from "./program.js"
import * as Gate from "./swapGate.js"
import { World } from "./world.js"

const events = parseAbi([
  "event Collected(bytes32 indexed orderId, address indexed account, address token, uint256 amount, bytes32 terms)",
  "event Delivered(bytes32 indexed swapId, address indexed to, address indexed token, uint256 amount)",
  "event Refunded(bytes32 indexed swapId, address indexed to, address indexed token, uint256 amount)"
])

const asHex = (text: string): Hex => {
  if (!isHex(text)) throw new Error(`${text} is no hex.`)
  return text
}

/** A scene. */
interface Stage {
  readonly place: Place
  readonly gate: Gate.Gate
  /** Nobody used this address before. */
  readonly recipient: string
  /** The words of a swap of 100 USDC for WETH on the other chain. */
  readonly words: ReadonlyArray<string>
  /** The words of a swap of 100 USDC for GEO, whose price impact is high. */
  readonly costly: ReadonlyArray<string>
  readonly wallet: string
  /** Runs the program in pipes to its end. */
  readonly geoswap: (...args: ReadonlyArray<string>) => Effect.Effect<Ended>
  /** The same with `--json`; the answer fits its schema in docs/cli.md. */
  readonly json: (
    schema: string,
    ...args: ReadonlyArray<string>
  ) => Effect.Effect<{ readonly code: Ended["code"]; readonly answer: Answer }>
  /** Starts it in pipes, and waits until it has come to a request, which is held. */
  readonly beginUntil: (
    path: RegExp,
    moment: Gate.Moment,
    ...args: ReadonlyArray<string>
  ) => Effect.Effect<Started & Pick<Gate.Held, "drop" | "release">, never, Scope.Scope>
  /** Starts a swap and kills it where it has come to a request, which is lost. */
  readonly killAt: (path: RegExp, moment: Gate.Moment, ...args: ReadonlyArray<string>) => Effect.Effect<void>
  /** How often the vaults were paid by the wallet in this scene, and how often they paid the recipient. */
  readonly executions: Effect.Effect<{ readonly collected: number; readonly delivered: number }>
  /** Where the journal is, and the flows in it. */
  readonly journal: string
  readonly flows: () => ReadonlyArray<string>
}

/** What a JSON answer holds, as far as tests look into it. */
export interface Answer {
  readonly swap?: {
    readonly swapId: string
    readonly status: string
    readonly flowId?: string
    readonly refundTxHash?: string
  }
  readonly error?: { readonly name: string; readonly message: string; readonly next: string }
  readonly [name: string]: unknown
}

const reader = (rpcUrl: string) => createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })

const eventsOf = async (chain: { readonly rpcUrl: string; readonly contracts: { readonly vault: string } }) => {
  const logs = await reader(chain.rpcUrl).getLogs({ address: asHex(chain.contracts.vault), fromBlock: 0n })
  return parseEventLogs({ abi: events, logs })
}

/** Sets a scene with a wallet of the devnet, by its name. */
export const set = Effect.fnUntraced(function* (walletName: string) {
  const world = yield* World
  const place = yield* world.place
  const gate = yield* Gate.open(world.url)
  const { HOME: home = "" } = place.environment
  const folder = join(home, "work")
  const file = JSON.parse(readFileSync(world.devnetFile, "utf8")) as { readonly service: object }
  mkdirSync(join(folder, ".geoswap"))
  writeFileSync(
    join(folder, ".geoswap", "devnet.json"),
    JSON.stringify({ ...file, service: { ...file.service, url: gate.url } })
  )
  const { evmA, evmB, evmWallets } = world.devnet
  const wallet = evmWallets.find(({ name }) => name === walletName)?.address ?? ""
  const recipient = privateKeyToAccount(generatePrivateKey()).address
  const common = ["--devnet", "--wallet", walletName]
  const here: Place = { folder, environment: place.environment }
  const collectedBy = async () =>
    (await eventsOf(evmA)).filter(
      ({ args, eventName }) => eventName === "Collected" && args.account.toLowerCase() === wallet.toLowerCase()
    ).length
  const before = yield* Effect.promise(collectedBy)
  const journal = join(home, ".local", "state", "geoswap", new URL(gate.url).host.replace(":", "_3a"), "journal")
  const beginUntil: Stage["beginUntil"] = Effect.fnUntraced(function* (path, moment, ...args) {
    const held = gate.hold(path, moment)
    const started = yield* start(here, cli, args)
    const early = Effect.flatMap(started.ended, (ended) => Effect.die(new Error(`It ended: ${JSON.stringify(ended)}`)))
    yield* Effect.raceFirst(held.arrived, early)
    return { ...started, drop: held.drop, release: held.release }
  })
  const stage: Stage = {
    beginUntil,
    killAt: (path, moment, ...args) =>
      Effect.scoped(
        Effect.gen(function* () {
          const started = yield* beginUntil(path, moment, ...args)
          started.process.kill("SIGKILL")
          expect((yield* started.ended).code).toBe("SIGKILL")
          started.drop()
        })
      ),
    place: here,
    gate,
    recipient,
    wallet,
    words: ["100", `usdc@${evmA.name}`, `weth@${evmB.name}`, "--recipient", recipient, ...common],
    costly: ["100", `usdc@${evmA.name}`, `geo@${evmB.name}`, "--recipient", recipient, ...common],
    geoswap: (...args) => run(here, ...args),
    json: (schema, ...args) =>
      Effect.map(run(here, ...args, "--json"), ({ code, stdout }) => {
        const answer = JSON.parse(stdout) as Answer
        expect({ answer, mistakes: mistakesOf(schema, answer) }).toEqual({ answer, mistakes: [] })
        return { code, answer }
      }),
    executions: Effect.promise(async () => ({
      collected: (await collectedBy()) - before,
      delivered: (await eventsOf(evmB)).filter(
        ({ args, eventName }) => eventName === "Delivered" && args.to.toLowerCase() === recipient.toLowerCase()
      ).length
    })),
    journal,
    flows: () =>
      existsSync(journal)
        ? readdirSync(journal).flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -5)] : []))
        : []
  }
  return stage
})

/** The owner of the vault on the second chain stops it, or lets it work again. */
export const setPaused = Effect.fnUntraced(function* (paused: boolean) {
  const { devnet } = yield* World
  const { contracts, id, rpcUrl } = devnet.evmB
  const owner = devnet.operators.find(({ kind, role }) => kind === "evm" && role === "owner")
  const account = privateKeyToAccount(asHex(owner?.privateKey ?? ""))
  const chain = {
    id,
    name: "devnet",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } }
  }
  const client = createWalletClient({ account, chain, transport: http(rpcUrl) })
  yield* Effect.promise(async () => {
    const hash = await client.writeContract({
      address: asHex(contracts.vault),
      abi: parseAbi(["function pause()", "function unpause()"]),
      functionName: paused ? "pause" : "unpause",
      gas: 500_000n
    })
    const { status } = await reader(rpcUrl).waitForTransactionReceipt({ hash })
    if (status !== "success") throw new Error("The vault did not listen.")
  })
})
