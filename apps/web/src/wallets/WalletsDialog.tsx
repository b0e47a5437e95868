/** The wallets: one slot for EVM chains, one for Solana. */
import { type ReactElement, useSyncExternalStore } from "react"
import type { Family } from "../config.js"
import { usePage } from "../pageContext.js"
import { Dialog } from "../ui/Dialog.js"
import { Hash } from "../ui/Hash.js"
import { Avatar } from "../ui/Avatar.js"
import type { WalletOption } from "./Wallet.js"

const titles: Readonly<Record<Family, string>> = { evm: "EVM", solana: "Solana" }

const Slot = ({ family }: { readonly family: Family }): ReactElement => {
  const { store } = usePage()
  const { choices, connecting, slots } = useSyncExternalStore(store.subscribe, store.snapshot)
  const wallet = slots[family]
  const offered = choices.filter((choice) => choice.family === family)
  const item = (choice: WalletOption) => (
    <li key={choice.id}>
      <button
        type="button"
        className="wallet"
        aria-pressed={wallet?.name === choice.name}
        disabled={connecting !== undefined}
        onClick={() => void store.connect(choice)}
      >
        <Avatar name={choice.name} icon={choice.icon} />
        <span>
          <span className="visually-hidden">Connect </span>
          {choice.name}
        </span>
      </button>
    </li>
  )
  return (
    <fieldset className="slot">
      <legend>{titles[family]}</legend>
      {wallet === undefined ? (
        <p className="fine">{offered.length === 0 ? "No such wallet was found in this browser." : "Not connected."}</p>
      ) : (
        <div className="connected">
          <Avatar name={wallet.name} icon={wallet.icon} />
          <span>
            <strong>{wallet.name}</strong> <Hash what="address" value={wallet.address} />
          </span>
          <button type="button" className="link" onClick={() => store.disconnect(family)}>
            Disconnect
          </button>
        </div>
      )}
      <ul>{offered.map(item)}</ul>
    </fieldset>
  )
}

interface WalletsDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

/** Connects and disconnects wallets. */
export const WalletsDialog = ({ onClose, open }: WalletsDialogProps): ReactElement => {
  const { config, store } = usePage()
  const { connecting, problem } = useSyncExternalStore(store.subscribe, store.snapshot)
  return (
    <Dialog title="Wallets" open={open} onClose={onClose}>
      {config.devnet !== undefined && (
        <p className="fine">The play wallets hold play money, and everybody knows their keys.</p>
      )}
      <Slot family="evm" />
      <Slot family="solana" />
      <p className="fine" role="status">
        {connecting !== undefined && "Your wallet asks you: look for its window."}
      </p>
      <p className="field-error" role="alert">
        {problem}
      </p>
    </Dialog>
  )
}
