/**
 * Signs with a key that never leaves a key management service. `kms.ts` is a local stand-in that answers like AWS KMS:
 * `Sign` with an ECDSA secp256k1 key, a digest as input, and a DER signature as output.
 */
import { createClient, isSwapError, tokenResolver } from "@geoswap/core/promise"
import { readDevnet } from "@geoswap/deployments/devnet"
import { EvmSigner } from "@geoswap/signer-evm/promise"
import { fetchTransport } from "@geoswap/transport-fetch/promise"
import { createKms } from "./kms.ts"

const { network, service, wallets } = readDevnet()
const [wallet] = wallets.filter(({ family }) => family === "evm")
if (wallet === undefined) throw new Error("Incomplete devnet")
const kms = createKms({ "alias/agent": wallet.privateKey })

const signerWith = (keyId: string) =>
  EvmSigner.fromKeyService({
    address: wallet.address,
    signDigest: async (digest) => {
      const { Signature } = await kms.sign({ KeyId: keyId, Message: Buffer.from(digest.slice(2), "hex") })
      return Signature
    }
  })

const clientWith = (keyId: string) =>
  createClient({
    network,
    transport: fetchTransport({ baseUrl: service.url, apiKey: service.apiKey }),
    signers: { evm: signerWith(keyId) }
  })

const tokens = tokenResolver({ network })
const request = await tokens.request("100 USDC@devnet-a", "WETH@devnet-b")

// A failure of the key service keeps the name and the status of its error, but not its message.
const failure = await clientWith("alias/other")
  .execute(request)
  .catch((error: unknown) => error)
console.log(isSwapError(failure) && failure._tag === "SignerError" ? failure.failure : failure)

const swap = await clientWith("alias/agent").execute(request)
console.log(swap.status, swap.deliveryTxHash)
if (swap.status !== "settled" || !isSwapError(failure)) process.exitCode = 1
