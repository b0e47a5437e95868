/**
 * The available wallets and the connected wallets. One wallet per chain family can be connected. The wallets from the
 * last visit are reconnected.
 */
import type { Burner, Family } from "../config.js"
import * as storage from "../storage.js"
import { createStore } from "../ui/store.js"
import { burnerOption } from "./burner.js"
import { discover } from "./injected.js"
import type { WalletOption, EvmWallet, SolanaWallet, Wallet } from "./Wallet.js"
import { text } from "../language/language.js"

/** The connected wallets. */
export interface ConnectedWallets {
  readonly evm?: EvmWallet | undefined
  readonly solana?: SolanaWallet | undefined
}

/** The state of the store. */
interface Snapshot {
  readonly connected: ConnectedWallets
  readonly options: ReadonlyArray<WalletOption>
  /** The id of the wallet that is being connected. */
  readonly connecting?: string | undefined
  /** The name of the wallet that the user connected last, while it is connected. */
  readonly latest?: string | undefined
  /** Why the last attempt to connect a wallet failed. */
  readonly error?: string | undefined
}

const key = "geoswap.wallets"

const lastWallets = (): Partial<Record<Family, unknown>> => {
  const value = storage.read(key)
  return typeof value === "object" && value !== null ? value : {}
}

/** Creates the store with a devnet's test wallets and the browser's wallets. */
export const createWallets = (burners: ReadonlyArray<Burner> | undefined) => {
  const state = createStore<Snapshot>({ connected: {}, options: [] })
  const unsubscribe: Partial<Record<Family, (() => void) | undefined>> = {}
  const set = (change: Partial<Snapshot>) => state.set({ ...state.get(), ...change })
  const setConnected = (family: Family, wallet: Wallet | undefined) =>
    set({ connected: { ...state.get().connected, [family]: wallet?.family === family ? wallet : undefined } })

  const connectTo = (option: WalletOption, wallet: Wallet) => {
    unsubscribe[option.family]?.()
    unsubscribe[option.family] = option.onAccountChange?.((changed) => setConnected(option.family, changed))
    setConnected(option.family, wallet)
  }

  const reconnect = async (option: WalletOption) => {
    const wallet = await option.connect(true).catch(() => undefined)
    if (wallet !== undefined && state.get().connected[option.family] === undefined) connectTo(option, wallet)
  }

  const found = (option: WalletOption) => {
    if (state.get().options.some(({ id }) => id === option.id)) return
    set({ options: [...state.get().options, option] })
    if (lastWallets()[option.family] === option.id) void reconnect(option)
  }

  let discovering = false
  /** Loads the code for Solana wallets, and then discovers the installed ones. */
  const discoverSolana = () => {
    if (discovering) return
    discovering = true
    import("./walletStandard.js").then(
      (standard) => standard.discover(found, burners && "solana:localnet"),
      () => {
        discovering = false
      }
    )
  }

  for (const option of (burners ?? []).map(burnerOption)) {
    const first = state.get().options.every(({ family }) => family !== option.family)
    found(option)
    if (first && lastWallets()[option.family] === undefined) void reconnect(option)
  }
  discover(found)
  if (String(lastWallets().solana).startsWith("standard:")) discoverSolana()

  return {
    state,
    connect: async (option: WalletOption) => {
      set({ connecting: option.id, latest: undefined, error: undefined })
      try {
        const wallet = await option.connect(false)
        if (wallet === undefined) set({ error: text.wallets.noAccount(option.name) })
        else {
          connectTo(option, wallet)
          set({ latest: wallet.name })
          storage.write(key, { ...lastWallets(), [option.family]: option.id })
        }
      } catch (error) {
        const { code } = (error ?? {}) as { readonly code?: unknown }
        set({ error: (code === 4001 ? text.wallets.cancelled : text.wallets.failed)(option.name) })
      } finally {
        set({ connecting: undefined })
      }
    },
    disconnect: (family: Family) => {
      unsubscribe[family]?.()
      setConnected(family, undefined)
      set({ latest: undefined })
      storage.write(key, { ...lastWallets(), [family]: "none" })
    },
    discoverSolana
  }
}
