/** Formats the addresses of everything that is running. */
import { Wallets } from "@geoswap/devnet"
import type { StackDescription } from "../Stack.js"

const grouped = (amount: bigint): string => amount.toLocaleString("en-US")

/** Each wallet's balances on every chain of the wallet's family. */
const holdings = Wallets.tokens.map(({ perWallet, symbol }) => `${grouped(perWallet)} ${symbol}`).join(", ")

const row = (name: string, value: string): string => `  ${name.padEnd(12)} ${value}`

const chainOf = ({ id, family, name, rpcUrl, tokens }: StackDescription["chains"][number]): string =>
  [
    `${name} (${family === "evm" ? "EVM" : "Solana"}, id ${id})`,
    row("rpc", rpcUrl),
    ...tokens.map(({ address, decimals, symbol }) => row(symbol, `${address} (${decimals} decimals)`))
  ].join("\n")

/** Formats everything a user needs to try GeoSwap. */
export const overview = (
  { chains, service, wallets, web }: StackDescription,
  { adminPort, file }: { readonly adminPort: number | undefined; readonly file: string }
): string => {
  const [first, second] = service.apiKeys
  return [
    ...(web === undefined ? [] : [`The page  ${web.url}`]),
    ...chains.map(chainOf),
    [
      `Wallets: each has ${holdings} on every chain of its family, but no gas`,
      ...wallets.map(({ address, family, name }) => row(name, `${family.padEnd(6)}  ${address}`))
    ].join("\n"),
    [
      "The service",
      row("url", service.url),
      row("reference", `${service.url}/docs`),
      ...(adminPort === undefined ? [] : [row("metrics", `http://127.0.0.1:${adminPort}/metrics`)]),
      row("API key", `${first} (for your own requests; the page and the CLI work without it)`),
      row("", `${second} (a second account, to try that accounts are separate)`)
    ].join("\n"),
    `These addresses and the wallets' private keys are in ${file}. Press Ctrl-C to stop.`
  ].join("\n\n")
}
