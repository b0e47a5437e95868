/** Which wallets there are and which are connected, one per family; what was chosen last is found again. */
import type { Burner, Family } from "../config.js"
import * as storage from "../storage.js"
import { burnerChoice } from "./burner.js"
import { discover } from "./injected.js"
import type { WalletOption, EvmWallet, SolanaWallet, Wallet } from "./Wallet.js"

/** The connected wallets. */
export interface ConnectedWallets {
  readonly evm?: EvmWallet | undefined
  readonly solana?: SolanaWallet | undefined
}

/** How things stand. */
interface Snapshot {
  readonly slots: ConnectedWallets
  readonly choices: ReadonlyArray<WalletOption>
  /** The choice that is asked right now. */
  readonly connecting: string | undefined
  /** Why the last one did not connect. */
  readonly problem: string | undefined
}

/** The wallets of the page. */
export interface WalletStore {
  readonly subscribe: (listener: () => void) => () => void
  readonly snapshot: () => Snapshot
  readonly connect: (choice: WalletOption) => Promise<void>
  readonly disconnect: (family: Family) => void
  /** Looks for Solana wallets, whose code is loaded for it. */
  readonly discoverSolana: () => void
}

const key = "geoswap.wallets"
const none = "none"

type Remembered = Partial<Record<Family, unknown>>

const remembered = (): Remembered => {
  const value = storage.read(key)
  return typeof value === "object" && value !== null ? value : {}
}

const refusal = (name: string, error: unknown): string => {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return code === 4001 ? `You did not connect ${name}.` : `${name} could not be connected. Unlock it and try again.`
}

/** The wallets, with the play ones of a devnet and whatever the browser has. */
export const createWallets = (burners: ReadonlyArray<Burner> | undefined): WalletStore => {
  let state: Snapshot = { slots: {}, choices: [], connecting: undefined, problem: undefined }
  const listeners = new Set<() => void>()
  const unfollow: Partial<Record<Family, () => void>> = {}
  const set = (change: Partial<Snapshot>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const fill = (family: Family, wallet: Wallet | undefined) =>
    set({ slots: { ...state.slots, [family]: wallet?.family === family ? wallet : undefined } })

  const occupy = (choice: WalletOption, wallet: Wallet) => {
    unfollow[choice.family]?.()
    unfollow[choice.family] = choice.follow?.((changed) => fill(choice.family, changed)) ?? (() => undefined)
    fill(choice.family, wallet)
  }

  const reconnect = async (choice: WalletOption) => {
    const wallet = await choice.connect(true).catch(() => undefined)
    if (wallet !== undefined && state.slots[choice.family] === undefined) occupy(choice, wallet)
  }

  const found = (choice: WalletOption) => {
    if (state.choices.some(({ id }) => id === choice.id)) return
    set({ choices: [...state.choices, choice] })
    if (remembered()[choice.family] === choice.id) void reconnect(choice)
  }

  let looking = false
  const discoverSolana = () => {
    if (looking) return
    looking = true
    import("./walletStandard.js").then(
      (standard) => standard.discover(found, burners && "solana:localnet"),
      () => {
        looking = false
      }
    )
  }

  for (const choice of (burners ?? []).map(burnerChoice)) {
    const first = state.choices.every(({ family }) => family !== choice.family)
    found(choice)
    if (first && remembered()[choice.family] === undefined) void reconnect(choice)
  }
  discover(found)
  if (String(remembered().solana).startsWith("standard:")) discoverSolana()

  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot: () => state,
    connect: async (choice) => {
      set({ connecting: choice.id, problem: undefined })
      try {
        const wallet = await choice.connect(false)
        if (wallet === undefined) set({ problem: `${choice.name} showed no account to this page.` })
        else {
          occupy(choice, wallet)
          storage.write(key, { ...remembered(), [choice.family]: choice.id })
        }
      } catch (error) {
        set({ problem: refusal(choice.name, error) })
      } finally {
        set({ connecting: undefined })
      }
    },
    disconnect: (family) => {
      unfollow[family]?.()
      fill(family, undefined)
      storage.write(key, { ...remembered(), [family]: none })
    },
    discoverSolana
  }
}
