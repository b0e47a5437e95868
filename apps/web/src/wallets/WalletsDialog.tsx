/** The dialog that connects wallets: one EVM wallet and one Solana wallet. */
import type { Family } from "../config.js"
import { usePage } from "../pageContext.js"
import { Dialog } from "../ui/Dialog.js"
import { Hash } from "../ui/Hash.js"
import { Avatar } from "../ui/Avatar.js"
import { useStore } from "../ui/store.js"
import { DelegationList } from "./DelegationList.js"
import { text } from "../language/language.js"

/** Where people without a wallet get one. The page does not prefer any of them: they are in alphabetical order. */
const installLinks = {
  evm: {
    "Coinbase Wallet": "https://www.coinbase.com/wallet/downloads",
    MetaMask: "https://metamask.io/download",
    Rabby: "https://rabby.io"
  },
  solana: {
    Backpack: "https://backpack.app/download",
    Phantom: "https://phantom.com/download",
    Solflare: "https://www.solflare.com/download"
  }
}

const Slot = ({ family }: { readonly family: Family }) => {
  const { walletStore: store } = usePage()
  const { options, connecting, connected } = useStore(store.state)
  const { wallets: words } = text
  const wallet = connected[family]
  const offered = options.filter((option) => option.family === family)
  return (
    <fieldset className="slot">
      <legend>{family === "evm" ? "EVM" : "Solana"}</legend>
      {wallet === undefined ? (
        <p className="fine">{offered.length === 0 ? words.noneFound : words.notConnected}</p>
      ) : (
        <div className="connected">
          <Avatar name={wallet.name} icon={wallet.icon} />
          <span>
            <strong>{wallet.name}</strong> <Hash what={words.address} value={wallet.address} />
          </span>
          <button type="button" className="link" onClick={() => store.disconnect(family)}>
            {words.disconnect}
          </button>
          {wallet.family === "evm" && <DelegationList key={wallet.address} wallet={wallet} />}
        </div>
      )}
      <ul>
        {offered.map((option) => (
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
                <span className="visually-hidden">{words.connect} </span>
                {option.name}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {offered.every(({ id }) => id.startsWith("burner:")) && (
        <p className="fine install">
          {offered.length === 0 ? words.install : words.installOwn}{" "}
          {Object.entries(installLinks[family]).map(([name, url]) => (
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
  const { wallets: words } = text
  return (
    <Dialog title={words.title} open={open} onClose={onClose}>
      {config.devnet !== undefined && <p className="fine">{words.testWallets}</p>}
      <Slot family="evm" />
      <Slot family="solana" />
      <p className="fine" role="status">
        {connecting === undefined ? latest !== undefined && words.connected(latest) : words.confirm}
      </p>
      <p className="field-error" role="alert">
        {error}
      </p>
    </Dialog>
  )
}
