/** Transaction fees: 5,000 lamports per signature, plus the priority fee. */
import type { Message } from "./decodeTransaction.js"

const lamportsPerSignature = 5_000n
const maxUnits = 1_400_000
const unitsOfBuiltin = 3_000
const unitsOfProgram = 200_000

const computeBudget = "ComputeBudget111111111111111111111111111111"

/** Built-in programs, which get fewer compute units than other programs unless a limit is set. */
const builtins = new Set([
  computeBudget,
  "11111111111111111111111111111111",
  "Vote111111111111111111111111111111111111111",
  "BPFLoader2111111111111111111111111111111111",
  "BPFLoader1111111111111111111111111111111111",
  "BPFLoaderUpgradeab1e11111111111111111111111",
  "LoaderV411111111111111111111111111111111111",
  "KeccakSecp256k11111111111111111111111111111",
  "Ed25519SigVerify111111111111111111111111111"
])

/** Programs that verify additional signatures. The first byte of their instruction data is the number of signatures. */
const precompiles = new Set([
  "KeccakSecp256k11111111111111111111111111111",
  "Ed25519SigVerify111111111111111111111111111",
  "Secp256r1SigVerify1111111111111111111111111"
])

/** The price per compute unit in micro-lamports, and the number of units. */
export const budgetOf = ({ config, instructions, staticAccounts }: Message): { price: bigint; units: number } => {
  if (config !== undefined) {
    const units = Math.min(config.computeUnitLimit ?? 0, maxUnits)
    return { price: units === 0 ? 0n : ((config.priorityFee ?? 0n) * 1_000_000n) / BigInt(units), units }
  }
  let price = 0n
  let limit: number | undefined
  let units = 0
  for (const { data = new Uint8Array(), programAddressIndex } of instructions) {
    const program = staticAccounts[programAddressIndex] ?? ""
    units += builtins.has(program) ? unitsOfBuiltin : unitsOfProgram
    if (program !== computeBudget) continue
    const view = new DataView(new Uint8Array(data).buffer)
    if (data[0] === 2 && data.length >= 5) limit = view.getUint32(1, true)
    if (data[0] === 3 && data.length >= 9) price = view.getBigUint64(1, true)
  }
  return { price, units: Math.min(limit ?? units, maxUnits) }
}

/** The fee for a message, in lamports. */
export const feeOf = (message: Message): bigint => {
  const { price, units } = budgetOf(message)
  const checked = message.instructions
    .filter(({ programAddressIndex }) => precompiles.has(message.staticAccounts[programAddressIndex] ?? ""))
    .reduce((sum, { data = new Uint8Array() }) => sum + (data[0] ?? 0), 0)
  const signatures = BigInt(message.header.numSignerAccounts + checked)
  // A version 1 message has the priority fee itself, not its price.
  const priorityFee =
    message.config === undefined ? (price * BigInt(units) + 999_999n) / 1_000_000n : (message.config.priorityFee ?? 0n)
  return signatures * lamportsPerSignature + priorityFee
}
