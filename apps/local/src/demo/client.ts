/** Sets up the SDK: a transport for the service, the signers, and the trusted contracts. */
import { type Client, createClient } from "@geoswap/core/promise"
import { Description } from "@geoswap/devnet"
import { EvmSigner } from "@geoswap/signer-evm/promise"
import { SolanaSigner } from "@geoswap/signer-solana/promise"
import { fetchTransport } from "@geoswap/transport-fetch/promise"
import { createKeyPairFromBytes, getBase58Encoder } from "@solana/kit"
import type { Hex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import type { StackDescription } from "../Stack.js"

/** A wallet as the devnet describes it. */
export type Wallet = StackDescription["wallets"][number]

/** A client that swaps from an EVM wallet and from a Solana wallet. */
export const connect = async (
  description: StackDescription,
  wallets: { evm: Wallet; solana: Wallet }
): Promise<Client> => {
  const account = privateKeyToAccount(wallets.evm.privateKey as Hex)
  const keyPair = await createKeyPairFromBytes(getBase58Encoder().encode(wallets.solana.privateKey))
  return createClient({
    // The SDK refuses to sign for any other contracts. These come from the devnet, which deployed them. For real chains,
    // get the network from a source that you trust, never from the service.
    network: Description.network(description),
    transport: fetchTransport({ baseUrl: description.service.url, apiKey: description.service.apiKeys[0] }),
    signers: {
      evm: EvmSigner.fromAccount(account),
      solana: await SolanaSigner.fromKeyPair(keyPair)
    },
    policy: { maxTotalCostBps: 300, maxFeeBps: 50 }
  })
}
