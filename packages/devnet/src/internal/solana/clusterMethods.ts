/** RPC methods for slots, blocks, blockhashes and fees. */
import { getBase58Decoder } from "@solana/kit"
import { seedOf } from "../keys.js"
import { type Block, maxAge } from "./blocks.js"
import { budgetOf, feeOf } from "./fees.js"
import type { Ledger } from "./ledger.js"
import { atLeastConfirmed, blockOf, config, integer, type Method, pubkey, text, texts } from "./params.js"
import { invalidParams } from "../rpcError.js"
import { blockNotAvailable, slotSkipped } from "./solanaError.js"
import { decodeMessage, decodeText } from "./decodeTransaction.js"

/** The maximum number of addresses in a fee request. */
const maxFeeAddresses = 128
/** The maximum number of blocks that a call can list. */
const maxBlocks = 500_000
const slotsInEpoch = 432_000

/** A response, with the slot at which its data was read. */
export const inContext = (ledger: Ledger, { slot }: Block, value: unknown) => ({
  context: { slot, apiVersion: ledger.version },
  value
})

/** The RPC methods for the chain as a whole. */
export const clusterMethods = (ledger: Ledger): Readonly<Record<string, Method>> => {
  // Every devnet starts with the same accounts, so the genesis hash is always the same.
  const genesisHash = getBase58Decoder().decode(seedOf("genesis"))
  return {
    getHealth: () => "ok",
    getVersion: () => ({ "solana-core": ledger.version, "feature-set": 0 }),
    getGenesisHash: () => genesisHash,
    getSlot: ([options]) => blockOf(ledger, config(options)).slot,
    getBlockHeight: ([options]) => blockOf(ledger, config(options)).height,
    getTransactionCount: ([options]) => {
      const { slot } = blockOf(ledger, config(options))
      return ledger.transactionCount() - ledger.history().filter((landed) => landed.slot > slot).length
    },
    getEpochInfo: ([options]) => {
      const { height, slot } = blockOf(ledger, config(options))
      return {
        absoluteSlot: slot,
        blockHeight: height,
        epoch: Math.floor(slot / slotsInEpoch),
        slotIndex: slot % slotsInEpoch,
        slotsInEpoch,
        transactionCount: ledger.transactionCount()
      }
    },
    getBlockTime: ([given]) => {
      const slot = integer(given)
      const block = ledger.blockOf(slot)
      // A slot on an abandoned fork, or from before the chain started, has no block.
      if (block === undefined) {
        throw slot > ledger.head().slot ? blockNotAvailable(slot) : slotSkipped(slot)
      }
      return block.time
    },
    getFirstAvailableBlock: () => ledger.blocksFrom(0)[0]?.slot ?? 0,
    getBlocksWithLimit: ([start, most, options]) => {
      const [from, limit, { commitment }] = [integer(start), integer(most), config(options)]
      const last = ledger.blockAt(atLeastConfirmed(commitment)).slot
      if (limit > maxBlocks) throw invalidParams(`Limit too large; max ${maxBlocks}`)
      const slots = ledger.blocksFrom(from).flatMap(({ slot }) => (slot <= last ? [slot] : []))
      return slots.slice(0, limit)
    },
    getLatestBlockhash: ([options]) => {
      const block = blockOf(ledger, config(options))
      const value = { blockhash: block.blockhash, lastValidBlockHeight: block.height + maxAge }
      return inContext(ledger, block, value)
    },
    isBlockhashValid: ([blockhash, options]) => {
      const block = blockOf(ledger, config(options))
      const given = text(blockhash)
      if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(given)) throw invalidParams("Invalid param: WrongSize")
      return inContext(ledger, block, ledger.isBlockhashValid(given, block))
    },
    getFeeForMessage: ([encoded, options]) => {
      const message = decodeMessage(decodeText(text(encoded), "base64", "solana_message::versions::VersionedMessage"))
      const block = blockOf(ledger, config(options))
      const known = ledger.isBlockhashValid(message.lifetimeToken, block)
      return inContext(ledger, block, known ? feeOf(message) : null)
    },
    getRecentPrioritizationFees: ([addresses]) => {
      const wanted = addresses === undefined || addresses === null ? [] : texts(addresses).map(pubkey)
      if (wanted.length > maxFeeAddresses) throw invalidParams(`Too many inputs provided; max ${maxFeeAddresses}`)
      // The lowest price in a block, and that among the transactions that write an account. An account raises the fee.
      const lowest = new Map<string, bigint>()
      const lower = (key: string, price: bigint) => {
        const known = lowest.get(key)
        if (known === undefined || price < known) lowest.set(key, price)
      }
      for (const { decoded, keys, slot } of ledger.history()) {
        const { price } = budgetOf(decoded.message)
        lower(String(slot), price)
        for (const { address, writable } of keys) if (writable) lower(`${slot} ${address}`, price)
      }
      return ledger.recent(maxAge).map(({ slot }) => {
        const fees = [String(slot), ...wanted.map((address) => `${slot} ${address}`)].map(
          (key) => lowest.get(key) ?? 0n
        )
        return { slot, prioritizationFee: fees.reduce((highest, fee) => (fee > highest ? fee : highest)) }
      })
    },
    getMinimumBalanceForRentExemption: ([length]) => ledger.svm.minimumBalanceForRentExemption(BigInt(integer(length)))
  }
}
