/** Runs two EVM chains and one SVM, with contracts, tokens and wallets, until the scope closes. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Description from "./Description.js"
import { type ChainDied, type DevnetError, InvalidOption } from "./DevnetError.js"
import * as EvmNode from "./EvmNode.js"
import { engineName } from "./internal/evm/engine.js"
import { finalityTags, profileNames, profiles } from "./internal/evm/profiles.js"
import { pause } from "./internal/timer.js"
import type * as SolanaNode from "./SolanaNode.js"
import type { ProfileName } from "./EvmNode.js"
import type { EvmWallet, Operator, PaymentTokenPlan, SolanaWallet } from "./Wallets.js"

/** The ports to listen on; 0 means any free port. */
export interface Ports {
  readonly evmA: number
  readonly evmB: number
  readonly solana: number
  readonly solanaWs: number
}

/** The default ports. */
export const defaultPorts: Ports = { evmA: 8545, evmB: 8546, solana: 8899, solanaWs: 8900 }

/** Options for a devnet. All are optional. */
export interface Options extends EvmNode.EngineOptions, Pick<EvmNode.ImitationOptions, "tags"> {
  /**
   * `"free"` uses any free ports, for parallel tests. Otherwise, the default ports are used, except for those that are
   * overridden by name.
   */
  readonly ports?: "default" | "free" | Partial<Ports> | undefined
  /**
   * The public chain that the EVM chains imitate, or one for each (default: none). With a profile, transactions wait for
   * the next block.
   */
  readonly profile?: ProfileName | Partial<Readonly<Record<"evmA" | "evmB", ProfileName | undefined>>> | undefined
  /** How many times faster than on the public chain the blocks of a profile are (default: 1). */
  readonly speed?: number | undefined
  /** Milliseconds between empty EVM blocks (default: 1000, or as in the profile); 0 means no empty blocks. */
  readonly blockTime?: number | undefined
  /**
   * Milliseconds between empty EVM blocks after 12 empty blocks in a row, until the next transaction (default:
   * `blockTime`).
   */
  readonly idleBlockTime?: number | undefined
  /**
   * The number of confirmations that make an EVM block final, counting the block itself (default: 2, or as in the
   * profile). `reorg` rejects a depth equal to or greater than this number.
   */
  readonly confirmations?: number | undefined
  /** Milliseconds between SVM slots (default: 400). */
  readonly slotTime?: number | undefined
  /** The number of slots until an SVM transaction is confirmed (default: 1). */
  readonly confirmationSlots?: number | undefined
  /** The number of slots until an SVM transaction is final (default: 32). */
  readonly finalitySlots?: number | undefined
  /** Called once if a chain exits before the devnet stops (default: emits a process warning). */
  readonly onDeath?: ((death: ChainDied) => void) | undefined
  /** Where to write the description, such as `.geoswap/devnet.json` (default: not written). */
  readonly file?: string | undefined
}

/** The fields that all chains have. */
interface AnyChain {
  readonly id: number
  readonly name: string
  readonly rpcUrl: string
  readonly wsUrl: string
  readonly tokens: ReadonlyArray<{ readonly symbol: string; readonly address: string; readonly decimals: number }>
}

/** One of the two EVM chains. */
export interface EvmChain extends AnyChain, EvmNode.Controls {
  readonly family: "evm"
  readonly contracts: { readonly account: string; readonly vault: string }
  /**
   * Tokens that show how other kinds of tokens can be paid with. They are not in `tokens` and not in the description, so
   * that a service lists them only if a test configures them.
   */
  readonly paymentTokens: ReadonlyArray<AnyChain["tokens"][number] & Pick<PaymentTokenPlan, "behavior">>
}

/** The SVM. Its vault is a wallet whose token accounts hold the inventory. */
export interface SolanaChain extends AnyChain, SolanaNode.Controls {
  readonly family: "solana"
  readonly contracts: { readonly vault: string }
}

/** A running devnet. */
export interface Devnet {
  readonly evmA: EvmChain
  readonly evmB: EvmChain
  readonly solana: SolanaChain
  readonly evmWallets: ReadonlyArray<EvmWallet>
  readonly solanaWallets: ReadonlyArray<SolanaWallet>
  /** The service's keys. Relayers have gas. */
  readonly operators: ReadonlyArray<Operator>
  /** The contents of the description file. */
  readonly description: Description.Description
  /**
   * Fails if a chain exits before the devnet stops; otherwise never completes. Race this effect against code that
   * needs the chains.
   *
   * @example
   * ```ts
   * Effect.raceFirst(program, devnet.died)
   * ```
   */
  readonly died: Effect.Effect<never, ChainDied>
}

/** A running devnet, as a service. */
export const Devnet: Context.Service<Devnet, Devnet> = /* @__PURE__ */ Context.Service<Devnet>("@geoswap/devnet/Devnet")

/** The chain ids. Wallets recognize the EVM ids as local chains. */
export const chainIds = { evmA: 31337, evmB: 31338, solana: 31339 } as const

const sol = 1_000_000_000n

/** How many milliseconds to wait for a program to exit after its connections have closed. */
const exitMillis = 1_000

const portsOf = (ports: Options["ports"]): Ports => {
  if (ports === "free") return { evmA: 0, evmB: 0, solana: 0, solanaWs: 0 }
  return ports === undefined || ports === "default"
    ? defaultPorts
    : {
        evmA: ports.evmA ?? defaultPorts.evmA,
        evmB: ports.evmB ?? defaultPorts.evmB,
        solana: ports.solana ?? defaultPorts.solana,
        solanaWs: ports.solanaWs ?? defaultPorts.solanaWs
      }
}

/** The blocks of one EVM chain. */
const blocksOf = ({ blockTime, confirmations, idleBlockTime, speed = 1 }: Options, name: ProfileName | undefined) => {
  const profile = name === undefined ? undefined : profiles[name]
  const time = blockTime ?? (profile === undefined ? 1_000 : Math.max(1, Math.round(profile.blockTime / speed)))
  return {
    profile: name,
    blockTime: time,
    idleBlockTime: idleBlockTime ?? time,
    confirmations: confirmations ?? profile?.behind.finalized ?? 2
  }
}

const resolveOptions = Effect.fnUntraced(function* (options: Options) {
  if (typeof options.ports === "string" && !["default", "free"].includes(options.ports)) {
    const message = `ports is invalid: expected "default", "free" or ports by name, got "${options.ports}".`
    return yield* new InvalidOption({ option: "ports", message })
  }
  if (options.evm !== undefined && !["edr", "anvil"].includes(options.evm)) {
    const message = `evm is invalid: expected "edr" or "anvil", got "${options.evm as string}".`
    return yield* new InvalidOption({ option: "evm", message })
  }
  const { profile, tags } = options
  const named = typeof profile === "object" ? profile : { evmA: profile, evmB: profile }
  for (const [chain, name] of Object.entries(named)) {
    if (name === undefined || profileNames.includes(name)) continue
    const option = typeof profile === "object" ? `profile.${chain}` : "profile"
    const message = `${option} is invalid: expected one of ${profileNames.join(", ")}, got "${name as string}".`
    return yield* new InvalidOption({ option, message })
  }
  if (tags !== undefined && !finalityTags.includes(tags)) {
    const message = `tags is invalid: expected one of ${finalityTags.join(", ")}, got "${tags as string}".`
    return yield* new InvalidOption({ option: "tags", message })
  }
  const imitates = named.evmA !== undefined || named.evmB !== undefined
  const onlyEdr = imitates ? "profile" : tags === undefined ? undefined : "tags"
  if (onlyEdr !== undefined && engineName(options) !== "edr") {
    const message = `${onlyEdr} is invalid: expected evm "edr", which alone imitates public chains, got "anvil".`
    return yield* new InvalidOption({ option: onlyEdr, message })
  }
  const { confirmationSlots = 1, finalitySlots = 32, slotTime = 400, speed = 1 } = options
  const ports = portsOf(options.ports)
  const whole = (option: string, value: number, least: number, most: number) =>
    Number.isInteger(value) && value >= least && value <= most
      ? Effect.void
      : Effect.fail(
          new InvalidOption({
            option,
            message: `${option} is invalid: expected a whole number from ${least} to ${most}, got ${value}.`
          })
        )
  for (const [name, port] of Object.entries<number>({ ...ports })) yield* whole(`ports.${name}`, port, 0, 65_535)
  const chosen = Object.values<number>({ ...ports }).filter((port) => port !== 0)
  if (new Set(chosen).size < chosen.length) {
    return yield* new InvalidOption({
      option: "ports",
      message: `ports is invalid: expected distinct ports, got ${chosen.join(", ")}.`
    })
  }
  yield* whole("speed", speed, 1, 1_000)
  const blocks = { evmA: blocksOf(options, named.evmA), evmB: blocksOf(options, named.evmB) }
  for (const { blockTime, confirmations, idleBlockTime } of Object.values(blocks)) {
    yield* whole("blockTime", blockTime, 0, 3_600_000)
    yield* whole("idleBlockTime", idleBlockTime, blockTime, 3_600_000)
    yield* whole("confirmations", confirmations, 1, 10_000)
  }
  yield* whole("slotTime", slotTime, 1, 3_600_000)
  yield* whole("confirmationSlots", confirmationSlots, 0, 150)
  yield* whole("finalitySlots", finalitySlots, confirmationSlots, 150)
  return { blocks, confirmationSlots, finalitySlots, ports, slotTime }
})

/** Loads wallets, addresses and deployment code while the chains start. */
const load = async () => {
  const [{ addressesOf, calls, deploy }, SolanaNode, Wallets] = await Promise.all([
    import("./internal/deployContracts.js"),
    import("./SolanaNode.js"),
    import("./Wallets.js")
  ])
  const { evmWallet, evmWallets, paymentTokens, solanaWallet, solanaWallets, tokens } = Wallets
  const [owner, evmRelayer] = [evmWallet("owner"), evmWallet("relayer")]
  const [solanaRelayer, solanaVault] = [solanaWallet("relayer"), solanaWallet("vault")]
  const wallets = { evm: evmWallets(), solana: solanaWallets() }
  const parties = { owner: owner.address, relayer: evmRelayer.address, wallets: wallets.evm, tokens, paymentTokens }
  const deployed = addressesOf(parties)
  const prepared = calls(parties, deployed)
  const mints = tokens.map((plan) => ({ plan, mint: solanaWallet(`mint ${plan.symbol}`).address }))
  const genesis = {
    funded: [
      [solanaRelayer.address, 1_000n * sol],
      [solanaVault.address, 1_000n * sol]
    ] as const,
    tokens: mints,
    vault: solanaVault.address,
    wallets: wallets.solana
  }
  const operators: ReadonlyArray<Operator> = [
    { ...evmRelayer, name: "evm-relayer", role: "relayer" },
    { ...owner, name: "evm-owner", role: "owner" },
    { ...solanaRelayer, name: "solana-relayer", role: "relayer" },
    { ...solanaVault, name: "solana-vault", role: "vault" }
  ]
  const deployTo = (url: string) => deploy(url, owner.address, prepared)
  return { SolanaNode, deployTo, deployed, genesis, operators, wallets }
}

const warn = ({ _tag, message }: ChainDied): void => process.emitWarning(message, { type: _tag })

/** Starts a devnet, which stops when the scope closes. */
export const make: (options?: Options) => Effect.Effect<Devnet, DevnetError, Scope.Scope> = Effect.fn("Devnet.make")(
  function* (options = {}) {
    const { blocks, ports, slotTime, ...commitmentSlots } = yield* resolveOptions(options)
    const loaded = yield* Effect.cached(Effect.promise(load))

    const { anvil, evm, tags } = options
    const evmChain = Effect.fnUntraced(function* (key: "evmA" | "evmB", name: string) {
      const chainId = chainIds[key]
      const chain = yield* EvmNode.make({ chainId, port: ports[key], evm, anvil, tags, ...blocks[key] })
      const { deployTo, deployed } = yield* loaded
      yield* Effect.andThen(deployTo(chain.rpcUrl), chain.start).pipe(
        // A chain that does not respond may have died, because its connections close before its exit is reported.
        Effect.catchTag("ChainRefused", (refused) =>
          refused.code === undefined
            ? Effect.raceFirst(chain.died, Effect.andThen(pause(exitMillis), Effect.fail(refused)))
            : Effect.fail(refused)
        )
      )
      const { account, paymentTokens, tokens, vault } = deployed
      const contracts = { account, vault }
      return { ...chain, id: chainId, name, family: "evm" as const, tokens, paymentTokens, contracts }
    })
    const solanaChain = Effect.gen(function* () {
      const { SolanaNode, genesis } = yield* loaded
      const front = yield* SolanaNode.make({
        ...commitmentSlots,
        port: ports.solana,
        wsPort: ports.solanaWs,
        slotTime,
        genesis
      })
      return {
        ...front,
        id: chainIds.solana,
        name: "devnet-solana",
        family: "solana" as const,
        tokens: genesis.tokens.map(({ mint, plan }) => ({
          symbol: plan.symbol,
          address: mint as string,
          decimals: plan.decimals.solana
        })),
        contracts: { vault: genesis.vault }
      }
    })

    const [evmA, evmB, solana] = yield* Effect.all(
      [evmChain("evmA", "devnet-a"), evmChain("evmB", "devnet-b"), solanaChain],
      { concurrency: "unbounded" }
    )
    const { operators, wallets } = yield* loaded
    const description: Description.Description = {
      chains: [evmA, evmB, solana].map(({ contracts, id, family, name, rpcUrl, tokens, wsUrl }) => ({
        id,
        name,
        family,
        rpcUrl,
        wsUrl,
        tokens,
        contracts
      })),
      wallets: [...wallets.evm, ...wallets.solana],
      operators
    }
    if (options.file !== undefined) yield* Description.write(options.file, description)
    const died = Effect.raceAllFirst([evmA.died, evmB.died, solana.died])
    const { onDeath = warn } = options
    yield* Effect.forkScoped(Effect.catchTag(died, "ChainDied", (death) => Effect.sync(() => onDeath(death))))
    return { evmA, evmB, solana, evmWallets: wallets.evm, solanaWallets: wallets.solana, operators, description, died }
  }
)

/**
 * A layer that starts a devnet, which stops when the layer is released.
 *
 * @example
 * ```ts
 * const devnet = Devnet.layer({ ports: "free" })
 * ```
 */
export const layer = (options?: Options): Layer.Layer<Devnet, DevnetError> => Layer.effect(Devnet, make(options))
