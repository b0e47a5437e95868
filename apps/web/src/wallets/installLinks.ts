/** Where people without a wallet get one. The page does not prefer any of them: they are in alphabetical order. */
import type { Family } from "../config.js"

interface InstallLink {
  readonly name: string
  readonly url: string
}

/** Wallets that announce themselves to websites, by the family of the chains that they sign for. */
export const installLinks: Readonly<Record<Family, ReadonlyArray<InstallLink>>> = {
  evm: [
    { name: "Coinbase Wallet", url: "https://www.coinbase.com/wallet/downloads" },
    { name: "MetaMask", url: "https://metamask.io/download" },
    { name: "Rabby", url: "https://rabby.io" }
  ],
  solana: [
    { name: "Backpack", url: "https://backpack.app/download" },
    { name: "Phantom", url: "https://phantom.com/download" },
    { name: "Solflare", url: "https://www.solflare.com/download" }
  ]
}
