/** A devnet's test wallets. Their keys stay in memory. */
import type { Burner } from "../config.js"
import { lazyEvm, lazySolana } from "./lazySigner.js"
import type { WalletOption, Wallet } from "./Wallet.js"

const walletOf = ({ address, family, name, privateKey }: Burner): Wallet => {
  const common = { name, address, prompts: false }
  return family === "evm"
    ? {
        ...common,
        family,
        ...lazyEvm(address, true, async () => (await import("./evmSigning.js")).burnerSigner(name, address, privateKey))
      }
    : {
        ...common,
        family,
        ...lazySolana(address, async () => (await import("./solanaSigning.js")).burnerSigner(name, privateKey))
      }
}

/** Creates the option for a test wallet. */
export const burnerOption = (burner: Burner): WalletOption => {
  const wallet = walletOf(burner)
  return {
    id: `burner:${burner.address}`,
    family: burner.family,
    name: burner.name,
    connect: () => Promise.resolve(wallet)
  }
}
