/** A client for a devnet on this machine, from the file that the devnet writes. For Node. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { Chain, SwapError } from "@geoswap/core"
import {
  type Client,
  type ClientOptions,
  createClient,
  type Network,
  parseNetwork,
  type TokenResolver,
  tokenResolver
} from "@geoswap/core/promise"
import { evmReader, EvmSigner } from "@geoswap/signer-evm"
import { solanaReader, SolanaSigner } from "@geoswap/signer-solana"
import { fetchTransport } from "@geoswap/transport-fetch"
import { createKeyPairFromBytes, getBase58Encoder } from "@solana/kit"
import * as Schema from "effect/Schema"
import type { Hex } from "viem"
import { privateKeyToAccount } from "viem/accounts"

const Wallet = Schema.Struct({
  name: Schema.String,
  family: Chain.Family,
  address: Schema.String,
  privateKey: Schema.String
})

/** The fields of a devnet's file that a client uses. */
const Description = Schema.Struct({
  service: Schema.Struct({ url: Schema.String, apiKeys: Schema.NonEmptyArray(Schema.String) }),
  chains: Schema.NonEmptyArray(
    Schema.Struct({
      id: Chain.ChainId,
      name: Schema.String,
      family: Chain.Family,
      rpcUrl: Schema.String,
      tokens: Schema.Array(Schema.Struct({ symbol: Schema.String, address: Schema.String, decimals: Schema.Int })),
      contracts: Schema.Struct({
        account: Schema.optionalKey(Schema.String),
        vault: Schema.String
      })
    })
  ),
  wallets: Schema.Array(Wallet),
  operators: Schema.optionalKey(
    Schema.Array(Schema.Struct({ family: Chain.Family, role: Schema.String, address: Schema.String }))
  )
})
type Description = typeof Description.Type

/** A wallet of a devnet, with test tokens and no gas. */
export interface DevnetWallet {
  readonly name: string
  readonly family: Chain.Family
  readonly address: string
  /** The private key: 0x-prefixed hex on EVM chains, or 64 bytes in base58 on Solana. */
  readonly privateKey: string
}

/** What a devnet's file says. */
export interface DevnetFile {
  readonly network: Network
  readonly service: { readonly url: string; readonly apiKey: string }
  readonly wallets: ReadonlyArray<DevnetWallet>
  /** The URLs of the devnet's nodes, by chain id. */
  readonly rpcUrls: Readonly<Record<number, string>>
}

/** Which devnet to use. */
export interface DevnetFileOptions {
  /** The devnet's file (default: the nearest `.geoswap/devnet.json`, in the current folder or one of its parents). */
  readonly file?: string | undefined
}

/** Options for `createDevnetClient`. */
export interface DevnetOptions extends DevnetFileOptions, Pick<ClientOptions, "policy" | "settings" | "store"> {
  /** The names of the wallets to sign with (default: the first wallet of each chain family). */
  readonly wallets?: { readonly [family in Chain.Family]?: string } | undefined
}

/** A client for a devnet, and what you need to make requests. */
export interface Devnet {
  readonly client: Client
  /** Resolves the devnet's tokens: `tokens.request("10 USDC@devnet-a", "WETH@devnet-b")`. */
  readonly tokens: TokenResolver
  readonly network: Network
  /** The addresses of the wallets that the client signs with. */
  readonly wallets: Readonly<Record<Chain.Family, string>>
}

const invalid = (message: string) => new SwapError.InvalidInput({ field: "file", message: `file: ${message}` })

const name = join(".geoswap", "devnet.json")
const advice =
  "Start a devnet with `npm start` in the GeoSwap repository, and pass the path of its .geoswap/devnet.json."

const findFile = (folder: string): string => {
  const path = join(folder, name)
  if (existsSync(path)) return path
  const above = dirname(folder)
  if (above === folder) throw invalid(`there is no ${name} in this folder or any of its parents. ${advice}`)
  return findFile(above)
}

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Description))

const readDescription = (file: string | undefined): Description => {
  const path = file === undefined ? findFile(process.cwd()) : resolve(file)
  if (!existsSync(path)) throw invalid(`${path} does not exist. ${advice}`)
  const description = decode(readFileSync(path, "utf8"))
  // The schema's error is not shown, because it could quote a key.
  if (description._tag === "None") throw invalid(`${path} does not describe a devnet with a running service. ${advice}`)
  return description.value
}

const networkOf = ({ chains, operators = [] }: Description): Network => {
  const relayer = operators.find(({ family, role }) => family === "solana" && role === "relayer")?.address
  return parseNetwork({
    chains: chains.map(({ contracts: { account, vault }, id, family, name: chain, tokens }) => ({
      id,
      name: chain,
      family,
      deployment: {
        vault,
        ...(family === "evm" ? { delegates: [account] } : { relayer })
      },
      tokens
    }))
  })
}

/**
 * Reads the file that a devnet writes. Throws `InvalidInput` if there is no such file.
 */
export const readDevnet = ({ file }: DevnetFileOptions = {}): DevnetFile => {
  const description = readDescription(file)
  const { chains, service, wallets } = description
  return {
    network: networkOf(description),
    service: { url: service.url, apiKey: service.apiKeys[0] },
    wallets: wallets.map(({ address, family, name: wallet, privateKey }) => ({
      name: wallet,
      family,
      address,
      privateKey
    })),
    rpcUrls: Object.fromEntries(chains.map(({ id, rpcUrl }) => [id, rpcUrl]))
  }
}

const walletOf = ({ wallets }: DevnetFile, family: Chain.Family, wanted: string | undefined): DevnetWallet => {
  const wallet = wallets.find((entry) => entry.family === family && (wanted ?? entry.name) === entry.name)
  if (wallet) return wallet
  throw new SwapError.InvalidInput({
    field: "wallets",
    message: `wallets: the devnet has no ${family} wallet${wanted === undefined ? "" : ` named ${wanted}`}.`
  })
}

/**
 * Creates a client for a running devnet, with its wallets as signers, its contracts pinned, and its nodes as readers.
 * Throws `InvalidInput` if no devnet is running.
 *
 * @example
 * ```ts
 * const { client, tokens } = await createDevnetClient()
 * const swap = await client.execute(await tokens.request("100 USDC@devnet-a", "WETH@devnet-b"))
 * ```
 */
export const createDevnetClient = async (options: DevnetOptions = {}): Promise<Devnet> => {
  const { file, wallets: wanted, ...rest } = options
  const devnet = readDevnet({ file })
  const { network, rpcUrls, service } = devnet
  const evm = walletOf(devnet, "evm", wanted?.evm)
  const solana = walletOf(devnet, "solana", wanted?.solana)
  const rpcUrlsOf = (wantedFamily: Chain.Family) =>
    Object.fromEntries(
      network.chains.filter(({ family }) => family === wantedFamily).map(({ id }) => [id, rpcUrls[id] ?? ""])
    )
  const readers = {
    evm: evmReader({ rpcUrls: rpcUrlsOf("evm") }),
    solana: solanaReader({ rpcUrls: rpcUrlsOf("solana") })
  }
  const keyPair = await createKeyPairFromBytes(getBase58Encoder().encode(solana.privateKey))
  const client = createClient({
    ...rest,
    network,
    transport: fetchTransport({ baseUrl: service.url, apiKey: service.apiKey }),
    signers: {
      evm: EvmSigner.fromAccount(privateKeyToAccount(evm.privateKey as Hex)),
      solana: await SolanaSigner.fromKeyPair(keyPair)
    },
    readers
  })
  return {
    client,
    network,
    tokens: tokenResolver({ network, readers }),
    wallets: { evm: evm.address, solana: solana.address }
  }
}
