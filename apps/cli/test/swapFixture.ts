/** A user with an own wallet on the devnet, an own home folder, a proxy in front of the service, and a fresh recipient. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Devnet, Wallets } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  isHex,
  parseAbi,
  parseEventLogs,
  parseUnits,
  walletActions
} from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { expect } from "vitest"
import { schemaErrors } from "./jsonSchema.js"
import { cli, type Ended, type Workspace, run, runProcess, start, type Started } from "./runCli.js"
import * as ServiceProxy from "./serviceProxy.js"
import { Fixture } from "./fixture.js"

const events = parseAbi([
  "event Collected(bytes32 indexed orderId, address indexed account, address token, uint256 amount, bytes32 terms)",
  "event Delivered(bytes32 indexed swapId, address indexed to, address indexed token, uint256 amount)",
  "event Refunded(bytes32 indexed swapId, address indexed to, address indexed token, uint256 amount)"
])

const asHex = (text: string): Hex => {
  if (!isHex(text)) throw new Error(`${text} is not hex.`)
  return text
}

/** A user of the program. */
interface User {
  readonly workspace: Workspace
  readonly proxy: ServiceProxy.ServiceProxy
  /** An address that was never used before. */
  readonly recipient: string
  /** The arguments of a swap of 100 USDC for WETH on the other chain. */
  readonly swapArgs: ReadonlyArray<string>
  /** The arguments of a swap of 100 USDC for GEO, with a high total cost. */
  readonly highCostArgs: ReadonlyArray<string>
  readonly wallet: string
  /** Runs the program in pipes until it exits: in this process, or as a process, which may leave a swap unfinished. */
  readonly geoswap: (...args: ReadonlyArray<string>) => Effect.Effect<Ended>
  readonly geoswapProcess: (...args: ReadonlyArray<string>) => Effect.Effect<Ended>
  /** The same with `--json`; checks the output against its schema in docs/cli.md. */
  readonly json: (
    schema: string,
    ...args: ReadonlyArray<string>
  ) => Effect.Effect<{ readonly code: Ended["code"]; readonly answer: Answer }>
  /** Starts the program in pipes, and holds it at a request. */
  readonly startUntil: (
    path: RegExp,
    moment: ServiceProxy.Moment,
    ...args: ReadonlyArray<string>
  ) => Effect.Effect<Started & Pick<ServiceProxy.Held, "drop" | "release">, never, Scope.Scope>
  /** Starts the program and kills it at a request, which is dropped. */
  readonly killAt: (path: RegExp, moment: ServiceProxy.Moment, ...args: ReadonlyArray<string>) => Effect.Effect<void>
  /** How often the vaults collected from the wallet, and how often they delivered to the recipient. */
  readonly executions: Effect.Effect<{ readonly collected: number; readonly delivered: number }>
  /** The recipient's balance of WETH on the second chain, which was 0 before the first swap. */
  readonly received: Effect.Effect<bigint>
  /** The wallet's balance of USDC on the first chain. */
  readonly balance: Effect.Effect<bigint>
  /** The folder of the store, and the open flows in it. */
  readonly storeFolder: string
  readonly flows: () => ReadonlyArray<string>
}

/** The fields of JSON output that tests use. */
export interface Answer {
  readonly swap?: {
    readonly swapId: string
    readonly status: string
    readonly flowId?: string
    readonly refundTxHash?: string
    readonly delivered?: { readonly raw: string }
    readonly refunded?: { readonly raw: string }
  }
  readonly error?: { readonly name: string; readonly message: string; readonly next: string }
  readonly [name: string]: unknown
}

const reader = (rpcUrl: string) => createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })

const balanceOf = (
  {
    rpcUrl,
    tokens
  }: { readonly rpcUrl: string; readonly tokens: ReadonlyArray<{ readonly symbol: string; readonly address: string }> },
  symbol: string,
  owner: string
) =>
  Effect.promise(() =>
    reader(rpcUrl).readContract({
      address: asHex(tokens.find((token) => token.symbol === symbol)?.address ?? ""),
      abi: parseAbi(["function balanceOf(address owner) view returns (uint256)"]),
      functionName: "balanceOf",
      args: [asHex(owner)]
    })
  )

const eventsOf = async (chain: { readonly rpcUrl: string; readonly contracts: { readonly vault: string } }) => {
  const logs = await reader(chain.rpcUrl).getLogs({ address: asHex(chain.contracts.vault), fromBlock: 0n })
  return parseEventLogs({ abi: events, logs })
}

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address

/** Mints the tokens of a devnet wallet. Wallets have no gas, so another account pays. */
const fund = ({ rpcUrl, tokens }: Devnet.EvmChain, owner: string) =>
  Effect.promise(async () => {
    const minter = newAddress()
    const client = createTestClient({ mode: "anvil", transport: http(rpcUrl) }).extend(walletActions)
    await client.setBalance({ address: minter, value: parseUnits("1", 18) })
    await client.impersonateAccount({ address: minter })
    for (const { address, decimals, symbol } of tokens) {
      const whole = Wallets.tokens.find((token) => token.symbol === symbol)?.perWallet ?? 0n
      await client.writeContract({
        account: minter,
        chain: null,
        address: asHex(address),
        abi: parseAbi(["function mint(address to, uint256 amount)"]),
        functionName: "mint",
        args: [asHex(owner), parseUnits(`${whole}`, decimals)]
      })
    }
  })

/** Creates a user, with more variables in the environment. A new wallet replaces the devnet wallet of this name. */
export const makeUser = Effect.fnUntraced(function* (walletName: string, more: Workspace["environment"] = {}) {
  const fixture = yield* Fixture
  const workspace = yield* fixture.workspace
  const proxy = yield* ServiceProxy.open(fixture.url)
  const { HOME: home = "" } = workspace.environment
  const folder = join(home, "work")
  const file = JSON.parse(readFileSync(fixture.devnetFile, "utf8")) as {
    readonly service: object
    readonly wallets: ReadonlyArray<{ readonly name: string }>
  }
  const privateKey = generatePrivateKey()
  const { address: wallet } = privateKeyToAccount(privateKey)
  const wallets = file.wallets.map((one) => (one.name === walletName ? { ...one, address: wallet, privateKey } : one))
  mkdirSync(join(folder, ".geoswap"))
  writeFileSync(
    join(folder, ".geoswap", "devnet.json"),
    JSON.stringify({ ...file, wallets, service: { ...file.service, url: proxy.url } })
  )
  const { evmA, evmB } = fixture.devnet
  yield* Effect.all([fund(evmA, wallet), fund(evmB, wallet)], { concurrency: "unbounded" })
  const recipient = newAddress()
  const common = ["--devnet", "--wallet", walletName]
  const here: Workspace = { folder, environment: { ...workspace.environment, ...more } }
  const collectedBy = async () =>
    (await eventsOf(evmA)).filter(
      ({ args, eventName }) => eventName === "Collected" && args.account.toLowerCase() === wallet.toLowerCase()
    ).length
  const storeFolder = join(home, ".local", "state", "geoswap", new URL(proxy.url).host.replace(":", "%3A"), "store")
  const startUntil: User["startUntil"] = Effect.fnUntraced(function* (path, moment, ...args) {
    const held = proxy.hold(path, moment)
    const started = yield* start(here, cli, args)
    const early = Effect.flatMap(started.ended, (ended) =>
      Effect.die(new Error(`It exited early: ${JSON.stringify(ended)}`))
    )
    yield* Effect.raceFirst(held.arrived, early)
    return { ...started, drop: held.drop, release: held.release }
  })
  const user: User = {
    startUntil,
    killAt: (path, moment, ...args) =>
      Effect.scoped(
        Effect.gen(function* () {
          const started = yield* startUntil(path, moment, ...args)
          started.process.kill("SIGKILL")
          expect((yield* started.ended).code).toBe("SIGKILL")
          started.drop()
        })
      ),
    workspace: here,
    proxy,
    recipient,
    wallet,
    swapArgs: ["100", `usdc@${evmA.name}`, `weth@${evmB.name}`, "--recipient", recipient, ...common],
    highCostArgs: ["100", `usdc@${evmA.name}`, `geo@${evmB.name}`, "--recipient", recipient, ...common],
    geoswap: (...args) => run(here, ...args),
    geoswapProcess: (...args) => runProcess(here, ...args),
    json: (schema, ...args) =>
      Effect.map(run(here, ...args, "--json"), ({ code, stdout }) => {
        const answer = JSON.parse(stdout) as Answer
        expect({ answer, errors: schemaErrors(schema, answer) }).toEqual({ answer, errors: [] })
        return { code, answer }
      }),
    executions: Effect.promise(async () => ({
      collected: await collectedBy(),
      delivered: (await eventsOf(evmB)).filter(
        ({ args, eventName }) => eventName === "Delivered" && args.to.toLowerCase() === recipient.toLowerCase()
      ).length
    })),
    received: balanceOf(evmB, "WETH", recipient),
    balance: balanceOf(evmA, "USDC", wallet),
    storeFolder,
    flows: () =>
      existsSync(storeFolder)
        ? readdirSync(storeFolder)
            .filter((name) => name.startsWith("wallet-") && name.endsWith(".json"))
            .flatMap((name) => flowsIn(join(storeFolder, name)))
        : []
  }
  return user
})

/** Pauses or unpauses the vault on the second chain, as its owner. */
export const setPaused = Effect.fnUntraced(function* (paused: boolean) {
  const { devnet } = yield* Fixture
  const { contracts, id, rpcUrl } = devnet.evmB
  const owner = devnet.operators.find(({ family, role }) => family === "evm" && role === "owner")
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
    if (status !== "success") throw new Error("The vault was not paused or unpaused.")
  })
})

/** The ids of the open flows in a wallet's file. */
const flowsIn = (path: string): ReadonlyArray<string> => {
  const { record } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly record: { readonly flows: ReadonlyArray<{ readonly id: string }> }
  }
  return record.flows.map(({ id }) => id)
}
