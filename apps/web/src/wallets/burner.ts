/** A devnet's test wallets. Their keys stay in memory. */
import type { Burner } from "../config.js"
import { lazyEvm, lazySolana } from "./lazySigner.js"
import type { WalletOption, Wallet } from "./Wallet.js"

/** Creates the option for a test wallet. */
export const burnerOption = ({ address, family, name, privateKey }: Burner): WalletOption => {
  const common = { name, address, prompts: false }
  const wallet: Wallet =
    family === "evm"
      ? {
          ...common,
          family,
          ...lazyEvm(address, true, async () =>
            (await import("./evmSigning.js")).burnerSigner(name, address, privateKey)
          )
        }
      : {
          ...common,
          family,
          ...lazySolana(address, async () => (await import("./solanaSigning.js")).burnerSigner(name, privateKey))
        }
  return { id: `burner:${address}`, family, name, connect: () => Promise.resolve(wallet) }
}
