/** The dialog that connects wallets: one EVM wallet and one Solana wallet. */
import type { Family } from "../config.js"
import { usePage } from "../pageContext.js"
import { Dialog } from "../ui/Dialog.js"
import { Hash } from "../ui/Hash.js"
import { Avatar } from "../ui/Avatar.js"
import { useStore } from "../ui/store.js"
import { DelegationList } from "./DelegationList.js"
import { installLinks } from "./installLinks.js"
import type { WalletOption } from "./Wallet.js"
import { text } from "../language/language.js"

const titles: Readonly<Record<Family, string>> = { evm: "EVM", solana: "Solana" }

const Slot = ({ family }: { readonly family: Family }) => {
  const { walletStore: store } = usePage()
  const { options, connecting, connected } = useStore(store.state)
  const wallet = connected[family]
  const offered = options.filter((option) => option.family === family)
  const item = (option: WalletOption) => (
    <li key={option.id}>
      <button
        type="button"
        className="wallet"
        aria-pressed={wallet?.name === option.name}
        disabled={connecting !== undefined}
        onClick={() => void store.connect(option)}
      >
        <Avatar name={option.name} icon={option.icon} />
        <span>
          <span className="visually-hidden">{text.wallets.connect} </span>
          {option.name}
        </span>
      </button>
    </li>
  )
  return (
    <fieldset className="slot">
      <legend>{titles[family]}</legend>
      {wallet === undefined ? (
        <p className="fine">{offered.length === 0 ? text.wallets.noneFound : text.wallets.notConnected}</p>
      ) : (
        <div className="connected">
          <Avatar name={wallet.name} icon={wallet.icon} />
          <span>
            <strong>{wallet.name}</strong> <Hash what={text.wallets.address} value={wallet.address} />
          </span>
          <button type="button" className="link" onClick={() => store.disconnect(family)}>
            {text.wallets.disconnect}
          </button>
          {wallet.family === "evm" && <DelegationList key={wallet.address} wallet={wallet} />}
        </div>
      )}
      <ul>{offered.map(item)}</ul>
      {offered.every(({ id }) => id.startsWith("burner:")) && (
        <p className="fine install">
          {offered.length === 0 ? text.wallets.install : text.wallets.installOwn}{" "}
          {installLinks[family].map(({ name, url }) => (
            <a key={url} href={url} target="_blank" rel="noreferrer">
              {name}
            </a>
          ))}
        </p>
      )}
    </fieldset>
  )
}

interface WalletsDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

/** Connects and disconnects wallets. */
export const WalletsDialog = ({ onClose, open }: WalletsDialogProps) => {
  const { config, walletStore: store } = usePage()
  const { connecting, error, latest } = useStore(store.state)
  return (
    <Dialog title={text.wallets.title} open={open} onClose={onClose}>
      {config.devnet !== undefined && <p className="fine">{text.wallets.testWallets}</p>}
      <Slot family="evm" />
      <Slot family="solana" />
      <p className="fine" role="status">
        {connecting === undefined ? latest !== undefined && text.wallets.connected(latest) : text.wallets.confirm}
      </p>
      <p className="field-error" role="alert">
        {error}
      </p>
    </Dialog>
  )
}
