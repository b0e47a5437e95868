/** Our SDK with a recorder of all bodies, to know which values no log may contain. */
import { createClient } from "@geoswap/core/promise"
import type { Devnet } from "@geoswap/devnet"
import { EvmSigner } from "@geoswap/signer-evm"
import { SolanaSigner } from "@geoswap/signer-solana"
import { fetchTransport } from "@geoswap/transport-fetch"
import { networkOf, type Wallets } from "../../stack/client.js"

/** A client that reports every request and response body. */
export const listen = async (
  devnet: Devnet.Devnet,
  { apiKey, url }: { readonly apiKey: string; readonly url: string },
  wallets: Wallets,
  hear: (body: string) => void
) =>
  createClient({
    transport: fetchTransport({
      baseUrl: url,
      apiKey,
      fetch: async (input, init) => {
        if (typeof init?.body === "string") hear(init.body)
        const response = await fetch(input, init)
        hear(await response.clone().text())
        return response
      }
    }),
    signers: {
      evm: wallets.evm && EvmSigner.fromAccount(wallets.evm),
      solana: wallets.solana && (await SolanaSigner.fromKeyPair(wallets.solana))
    },
    network: await networkOf(devnet)
  })

/** Every string in a value whose field is in the list. */
const textsOf = (value: unknown, fields: ReadonlySet<string>): ReadonlyArray<string> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([field, inner]) =>
        typeof inner === "string" && fields.has(field) ? [inner] : textsOf(inner, fields)
      )
    : []

const secretFields = new Set(["geoQuoteToken", "geoOpToken", "signature", "signedTransaction", "r", "s"])

/** The tokens and signatures in a body. */
export const secretsIn = (body: string): ReadonlyArray<string> => textsOf(JSON.parse(body), secretFields)
