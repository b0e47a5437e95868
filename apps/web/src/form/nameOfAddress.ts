/** Names of addresses: the connected wallets, the saved addresses and a devnet's test wallets. */
import { Chain } from "@geoswap/core"
import type { Config, Family } from "../config.js"
import type { ConnectedWallets } from "../wallets/walletStore.js"
import { savedName, savedContacts } from "./addressBook.js"

/** Where the names come from. */
interface Known {
  readonly config: Pick<Config, "devnet">
  readonly wallets: ConnectedWallets
}

/** Returns the name of an address, if it has one. */
export const nameOfAddress = ({ config, wallets }: Known, family: Family, address: string) => {
  const isThis = (other: string) => Chain.sameAddress(family, other, address)
  const connected = wallets[family]
  if (connected !== undefined && isThis(connected.address)) return connected.name
  const testWallet = config.devnet?.wallets.find((wallet) => wallet.family === family && isThis(wallet.address))
  return savedName(family, address) ?? testWallet?.name
}

/** Returns the address of a saved name or a test wallet. */
export const addressOfName = (
  { config }: Pick<Known, "config">,
  family: Family,
  entered: string
): { readonly name: string; readonly address: string } | undefined => {
  const named = [
    ...savedContacts(),
    ...(config.devnet?.wallets ?? []).map(({ address, family, name }) => ({ address, family, name }))
  ]
  return named.find((one) => one.family === family && one.name.toLowerCase() === entered.trim().toLowerCase())
}
