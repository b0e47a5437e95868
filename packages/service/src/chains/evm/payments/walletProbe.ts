/**
 * Finds out by simulation whether wallets that delegate to another provider's contract can pay. A wallet has not signed
 * anything yet, so a temporary key pays an amount of 0, and its address has the wallets' code in the simulation.
 */
import { Permit2, TokenAbi } from "@geoswap/contracts"
import { hashOrder, hashPayment, hashPermit } from "@geoswap/core/adapters"
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  type Address,
  concatHex,
  encodeFunctionData,
  type Hex,
  keccak256,
  maxUint256,
  numberToHex,
  serializeSignature
} from "viem"
import { generatePrivateKey, privateKeyToAddress, sign } from "viem/accounts"
import type { Payments } from "../../Wallet.js"
import type { EvmContext } from "../context.js"
import { price } from "../fees/gasFees.js"
import { isRevert, orRevert } from "../transactions/reverts.js"
import { addressOf } from "../transactions/vaultCalls.js"

/** What is simulated: the payment with a method, or the permit of `erc2612`. */
type Probe = "eip3009" | "permit2" | "permit"

/** The gas limit of a simulation. A payment uses less than half of it. */
const probeGas = 250_000n
/** No time is after this deadline, so that a node's clock does not matter. */
const latestDeadline = 2 ** 47
/** Code that reverts. */
const revertingCode: Hex = "0x60006000fd"

/** How long a result is used. A token or a node may be upgraded. */
const timeToLive = "10 minutes"
const capacity = 1_000

export const make = Effect.fnUntraced(function* (
  { config, market, quorum: { ask }, vaults }: EvmContext,
  domainOf: Payments["domainOf"]
) {
  const { id: chainId } = config
  const [vault] = vaults.all

  /** The call that a simulated wallet pays with, and that its key signed. */
  const signedCall = async (probe: Probe, token: Address, privateKey: Hex, wallet: Address) => {
    const order = {
      chainId,
      wallet,
      token,
      amount: 0n,
      vault,
      orderId: numberToHex(1n, { size: 32 }),
      terms: numberToHex(1n, { size: 32 }),
      deadline: latestDeadline,
      domain: domainOf(token) ?? { name: "", version: "" },
      nonce: Permit2.firstNonce,
      permitNonce: 0n
    }
    const deadline = BigInt(latestDeadline)
    const witness = hashOrder(order, keccak256)
    const signatureOf = async (hash: Hex) => {
      const { r, s, yParity } = await sign({ hash, privateKey })
      return { r, s, yParity: yParity ?? 0, v: 27 + (yParity ?? 0) }
    }
    switch (probe) {
      case "eip3009": {
        const { r, s, v } = await signatureOf(hashPayment({ ...order, method: "eip3009" }, keccak256))
        const args = [wallet, vault, 0n, 0n, deadline, witness, v, r, s] as const
        const data = encodeFunctionData({ abi: TokenAbi.eip3009, functionName: "receiveWithAuthorization", args })
        return { to: token, data }
      }
      case "permit2": {
        const { r, s, yParity } = await signatureOf(hashPayment({ ...order, method: "permit2" }, keccak256))
        const permit = { permitted: { token, amount: 0n }, nonce: Permit2.firstNonce, deadline }
        const transfer = { to: vault, requestedAmount: 0n }
        const signature = serializeSignature({ r, s, yParity })
        const data = encodeFunctionData({
          abi: Permit2.abi,
          functionName: "permitWitnessTransferFrom",
          args: [permit, transfer, wallet, witness, Permit2.witnessType, signature]
        })
        return { to: addressOf(Permit2.address), data }
      }
      case "permit": {
        const { r, s, v } = await signatureOf(hashPermit({ ...order, method: "erc2612" }, keccak256))
        const args = [wallet, addressOf(Permit2.address), 0n, deadline, v, r, s] as const
        return { to: token, data: encodeFunctionData({ abi: TokenAbi.erc2612, functionName: "permit", args }) }
      }
    }
  }

  /** Simulates a payment from a wallet with this code. Every simulation has a new key. */
  const simulate = Effect.fnUntraced(function* (probe: Probe, token: string, code: Hex) {
    const gasPrice = yield* price(market, config.maxFeePerGas)
    const privateKey = generatePrivateKey()
    const wallet = addressOf(privateKeyToAddress(privateKey))
    const call = yield* Effect.promise(() => signedCall(probe, addressOf(token), privateKey, wallet))
    const request = { ...call, from: vault, gas: numberToHex(probeGas), gasPrice: numberToHex(gasPrice) }
    // The vault pays for the simulated gas.
    const overrides = { [wallet]: { code }, [vault]: { balance: numberToHex(maxUint256 >> 128n) } }
    return yield* ask("eth_call", ({ request: send }) =>
      send({ method: "eth_call", params: [request, "latest", overrides] }).then(
        () => true,
        (cause: unknown) => !isRevert(orRevert(cause))
      )
    )
  })

  const results = yield* Cache.makeWith(
    (key: string) => {
      const [probe, token = "", code] = key.split(" ")
      return simulate(probe as Probe, token, code as Hex)
    },
    { capacity, timeToLive: (exit) => (Exit.isSuccess(exit) ? timeToLive : 0) }
  )
  const run = (probe: Probe, token: string, code: Hex) => Cache.get(results, `${probe} ${addressOf(token)} ${code}`)

  return {
    /** Whether a token asks the code of a wallet that has code, or only recovers the signer. */
    asksCode: (token: string) => Effect.map(run("eip3009", token, revertingCode), (works) => !works),
    /** Whether a simulated wallet that delegates to a contract can pay. */
    works: (token: string, probe: Probe, target: string) =>
      run(probe, token, concatHex(["0xef0100", addressOf(target)]))
  }
})
