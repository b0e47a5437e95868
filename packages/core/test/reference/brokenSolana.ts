/** Solana signers that are wrong in one way each. */
import { TOKEN_PROGRAM_ADDRESS } from "@solana-program/token"
import {
  address,
  createKeyPairFromPrivateKeyBytes,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction,
  signBytes,
  type Transaction
} from "@solana/kit"
import * as Effect from "effect/Effect"
import { hexToBytes } from "viem"
import { Operation, Signer, SwapError } from "../../src/index.js"
import { type SolanaSignerOptions, Vectors } from "../../src/testing.js"
import { type Broken, solanaTools } from "./contractFailures.js"
import { type Decoded, decode, fromSeed, type Rule, rulesOf } from "./solanaSigner.js"
import { memoProgram } from "./transactions.js"

const { address: wallet, secretKey, seed } = Vectors.solanaKey
const relayer = Vectors.solanaDeployment.relayer ?? ""

const right = fromSeed(hexToBytes(seed)) as Promise<Required<Signer.PromiseSolanaSigner>>

const broken = (
  name: string,
  fails: ReadonlyArray<RegExp>,
  change: (signer: Required<Signer.PromiseSolanaSigner>) => object,
  tools: Partial<SolanaSignerOptions> = {}
): Broken<SolanaSignerOptions> => ({
  name,
  fails,
  options: {
    ...solanaTools,
    make: async () => {
      const signer = await right
      return { ...signer, ...change(signer) }
    },
    ...tools
  }
})

type Pinned = Signer.TransactionToSign & { readonly deployment: Operation.Deployment }

/** A signer that goes by other rules. */
const judging = (
  name: string,
  fails: ReadonlyArray<RegExp>,
  rulesFor: (transaction: Pinned, decoded: Decoded) => Promise<ReadonlyArray<Rule>>
) =>
  broken(name, fails, () => ({
    verifyTransaction: async (transaction: Signer.TransactionToSign) => {
      const { deployment = { vault: wallet }, unsignedTransaction } = transaction
      let decoded: Decoded
      try {
        decoded = decode(unsignedTransaction)
      } catch (error) {
        throw Operation.unsafe("unsignedTransaction", "a v0 transaction", String(error))
      }
      const rules = await rulesFor({ ...transaction, deployment }, decoded)
      const found = rules.find(([, expected, found]) => expected !== found)
      if (found !== undefined) throw Operation.unsafe(...found)
    }
  }))

const rightRules = (transaction: Pinned, decoded: Decoded) =>
  rulesOf(wallet, transaction, decoded, transaction.unsignedTransaction)

/** A signer that bends the right rules. */
const bending = (
  name: string,
  fails: ReadonlyArray<RegExp>,
  bend: (rules: ReadonlyArray<Rule>, decoded: Decoded, transaction: Pinned) => ReadonlyArray<Rule>
) =>
  judging(name, fails, async (transaction, decoded) =>
    bend(await rightRules(transaction, decoded), decoded, transaction)
  )

const without = (...fields: ReadonlyArray<string>) => {
  return (rules: ReadonlyArray<Rule>) => rules.filter(([field]) => !fields.includes(field))
}

/** Changes what one rule finds. */
const finding = (field: string, find: (rule: Rule) => string) => (rules: ReadonlyArray<Rule>) =>
  rules.map((rule): Rule => (rule[0] === field ? [field, rule[1], find(rule)] : rule))

/** Takes one account of the transfer for the right one. */
const trusting = (index: number) =>
  finding("transferAccounts", ([, expected, found]) =>
    found
      .split(",")
      .map((account, at) => (at === index ? expected.split(",")[at] : account))
      .join(",")
  )

const blank = { program: undefined, accounts: [], data: new Uint8Array() }

const extras =
  /^refuses a transaction with (a second transfer|an approval$|a change of the account|the account closed|SOL of the wallet$|a program that nobody|two memos)/
const termsLies =
  /^refuses (another (output token|recipient|destination) than agreed|a (lower|higher) minimum|a changed memo)/
const allLies = /^refuses/

const judgements = [
  bending("ignores trailing bytes", [/^refuses trailing bytes/], without("encoding")),
  bending("takes the old message format", [/the old message format/], without("version")),
  bending("takes the accounts of lookup tables on trust", [/a lookup table/], (rules) =>
    finding("transferAccounts", ([, expected, found]) => {
      const right = expected.split(",")
      return found
        .split(",")
        .map((account, index) => (account === "" ? right[index] : account))
        .join(",")
    })(without("lookupTables")(rules))
  ),
  bending(
    "does not compare the wallet",
    [/^refuses another wallet than agreed in a transaction to an EVM chain/],
    without("walletAddress")
  ),
  bending(
    "does not check the fee payer",
    [/^refuses a fee payer that is not pinned/, /(wallet|stranger) as fee payer/],
    (rules, { signers }) =>
      finding("signers", ([, expected]) => (signers.at(-1) === wallet ? expected : signers.join(",")))(
        without("feePayer")(rules)
      )
  ),
  bending(
    "checks the fee payer only where one is pinned",
    [/as fee payer, where no relayer is pinned/],
    (rules, _, { deployment }) => (deployment.relayer === undefined ? without("feePayer", "signers")(rules) : rules)
  ),
  bending("does not count the signers", [/three signers/], (rules, { signers }) =>
    finding("memoProgram", ([, expected, found]) => (signers.length === 3 ? expected : found))(
      finding("signers", ([, expected, found]) => (signers.length === 3 ? expected : found))(rules)
    )
  ),
  bending("does not count the instructions", [extras], without("instructions")),
  bending("does not check the compute unit limit", [/in place of the compute unit limit/], without("computeUnitLimit")),
  bending("does not check the compute unit price", [/in place of the compute unit price/], without("computeUnitPrice")),
  bending("does not check the token program", [/by an unknown program/], without("tokenProgram")),
  bending("does not check where the tokens come from", [/a transfer from another account/], trusting(0)),
  bending(
    "does not check where the tokens go",
    [/^refuses a vault that is not pinned/, /a transfer to (a stranger|the vault's own address)/],
    trusting(2)
  ),
  bending("does not check who authorizes", [/somebody else authorizes/], (rules, { signers }) =>
    trusting(3)(signers.length === 1 && signers[0] === relayer ? without("signers")(rules) : rules)
  ),
  bending("does not check the token", [/^refuses another token than agreed/], (rules, _, { request }) =>
    request.inputToken === Vectors.transactions[0].request.inputToken ? rules : without("transferAccounts")(rules)
  ),
  bending(
    "does not check the amount",
    [/^refuses another amount than agreed/, /a larger transfer/],
    finding("transfer", ([, expected, found]) => [found.split(",")[0], ...expected.split(",").slice(1)].join(","))
  ),
  bending(
    "does not check the kind of token instruction",
    [/an approval in the form of the transfer/],
    finding("transfer", ([, expected, found]) => [expected.split(",")[0], ...found.split(",").slice(1)].join(","))
  ),
  bending("does not check the memo's program", [/the memo at another program/], without("memoProgram")),
  bending("does not check the memo", [termsLies, /more text in the memo/], without("memo")),
  bending(
    "checks only how the memo begins",
    [/more text in the memo/],
    finding("memo", ([, expected, found]) => (found.startsWith(expected) ? expected : found))
  ),
  judging(
    "looks for a transfer and a memo, and does not mind the rest",
    [extras, /the transfer twice/, /rent paid by the wallet/, /in place of the compute unit/, /a durable nonce/],
    async (transaction, decoded) => {
      const transfer = decoded.steps.find(({ data }) => data[0] === 12) ?? blank
      const memo = decoded.steps.find(({ program }) => program?.startsWith("Memo")) ?? blank
      const rules = await rightRules(transaction, { ...decoded, steps: [blank, blank, transfer, memo] })
      return without("computeUnitLimit", "computeUnitPrice")(rules)
    }
  ),
  judging(
    "checks what it knows and skips what it does not",
    [
      /with (an approval|a change of the account|the account closed|SOL of the wallet|a program that nobody)/,
      /with (the transfer twice|a transfer that does not name|a batch|no memo|the memo at another program)/,
      /with (rent paid by the wallet|a durable nonce|the transfer by an unknown|a transfer by another token)/
    ],
    async (transaction, decoded) => {
      const ofSteps = decoded.steps.map(async (step) => {
        const rules = await rightRules(transaction, { ...decoded, steps: [blank, blank, step, step] })
        const known =
          step.program === TOKEN_PROGRAM_ADDRESS && step.data[0] === 12
            ? ["transferAccounts", "transfer"]
            : step.program === memoProgram
              ? ["memo"]
              : []
        return rules.filter(([field]) => known.includes(field))
      })
      const around = ["encoding", "version", "lookupTables", "walletAddress", "signers", "feePayer"]
      const rules = await rightRules(transaction, decoded)
      return [...rules.filter(([field]) => around.includes(field)), ...(await Promise.all(ofSteps)).flat()]
    }
  ),
  judging(
    "takes the output for the minimum",
    [/^accepts a transaction to (an EVM chain|the wallet itself)$/],
    (transaction, decoded) => {
      const { minOutput: _, ...quote } = transaction.quote
      return rightRules({ ...transaction, quote }, decoded)
    }
  ),
  judging(
    "takes a quote without a minimum for one of zero",
    [/quoted without a minimum$/],
    ({ quote, ...transaction }, decoded) =>
      rightRules({ ...transaction, quote: { ...quote, minOutput: quote.minOutput ?? 0n } }, decoded)
  ),
  judging(
    "does not check the minimum where none is quoted",
    [/^refuses a lower minimum than the output/],
    async (transaction, decoded) => {
      const rules = await rightRules(transaction, decoded)
      return transaction.quote.minOutput === undefined ? without("memo")(rules) : rules
    }
  ),
  judging(
    "takes no recipient for the relayer",
    [/^accepts a transaction to the wallet itself/],
    ({ request, ...transaction }, decoded) =>
      rightRules({ ...transaction, request: { ...request, recipient: request.recipient ?? relayer } }, decoded)
  ),
  bending("refuses everything", [/^accepts/], () => [["mood", "good", "bad"]]),
  broken("verifies nothing", [allLies], () => ({ verifyTransaction: () => undefined })),
  broken("has no verification", [allLies, /^accepts/, /^verifies/], () => ({ verifyTransaction: undefined })),
  broken("falls over a missing deployment", [/^verifies without pinned accounts/], ({ verifyTransaction }) => ({
    verifyTransaction: async (transaction: Signer.TransactionToSign) => {
      if (transaction.deployment === undefined) throw new TypeError("Cannot read properties of undefined")
      await verifyTransaction(transaction, patience)
    }
  })),
  broken("accepts what it cannot read", [/^refuses (no transaction|a changed header)/], ({ verifyTransaction }) => ({
    verifyTransaction: async (transaction: Signer.TransactionToSign) => {
      try {
        decode(transaction.unsignedTransaction)
      } catch {
        return
      }
      await verifyTransaction(transaction, patience)
    }
  }))
]

const patience = { signal: new AbortController().signal }
const bytes = hexToBytes(seed)

/** A signer that refuses what it should, and in the wrong way. */
const refusing = (name: string, wrong: () => unknown) =>
  broken(name, [allLies, /^verifies/], ({ verifyTransaction }) => ({
    verifyTransaction: (transaction: Signer.TransactionToSign) =>
      Promise.resolve(verifyTransaction(transaction, patience)).catch(() => Promise.reject(wrong() as Error))
  }))

const refusals = [
  broken("refuses with the wrong error of ours", [allLies], ({ verifyTransaction }) => ({
    verifyTransaction: (transaction: Signer.TransactionToSign) =>
      Promise.resolve(verifyTransaction(transaction, patience)).catch(() =>
        Promise.reject(new SwapError.SignerError({ reason: "rejected", message: "No." }))
      )
  })),
  refusing("refuses with an untagged error", () => new Error("no")),
  refusing("refuses with text", () => "no"),
  refusing("refuses with an object that looks like our error", () => ({ _tag: "UnsafeOperation", message: "no" })),
  refusing("has its key in its errors", () => Operation.unsafe("key", "secret", secretKey)),
  refusing("has the bytes of its key in its errors", () => Operation.unsafe("key", "secret", bytes.join(","))),
  refusing("has its key in hex in its errors", () => Operation.unsafe("key", "secret", seed)),
  broken("is written in effects and dies", [allLies, /^verifies/], (signer) => {
    const { verifyTransaction, ...rest } = Signer.solanaFromPromise(signer)
    return {
      ...rest,
      verifyTransaction: (transaction: Signer.TransactionToSign) =>
        verifyTransaction === undefined ? Effect.void : Effect.orDie(verifyTransaction(transaction))
    }
  })
]

const signs = /^signs/

const signing = (
  name: string,
  sign: (transaction: Transaction, keyPair: CryptoKeyPair) => Promise<unknown>,
  fails: ReadonlyArray<RegExp> = [signs]
) =>
  broken(name, fails, () => ({
    signTransaction: async ({ unsignedTransaction }: Signer.TransactionToSign) => {
      const keyPair = await createKeyPairFromPrivateKeyBytes(bytes)
      return sign(getTransactionDecoder().decode(getBase64Encoder().encode(unsignedTransaction)), keyPair)
    }
  }))

const wired = async (transaction: Transaction | Promise<Transaction>) =>
  getBase64EncodedWireTransaction(await transaction)

const withMessage = (transaction: Transaction, change: (message: Uint8Array) => Uint8Array): Transaction => ({
  ...transaction,
  messageBytes: change(Uint8Array.from(transaction.messageBytes)) as unknown as Transaction["messageBytes"]
})

/** Raises the compute unit price, as wallets do: the byte before it is the instruction's kind. */
const repriced = (message: Uint8Array): Uint8Array => {
  const price = message.findIndex(
    (byte, index) => byte === 3 && message[index + 1] === 0xe8 && message[index + 2] === 3
  )
  return message.with(price + 1, 0xe9)
}

const signatures = [
  signing("gives the transaction back unsigned", (transaction) => wired(transaction)),
  signing("changes the message before it signs", (transaction, keyPair) =>
    wired(partiallySignTransaction([keyPair], withMessage(transaction, repriced)))
  ),
  signing("changes the message after it signed", async (transaction, keyPair) =>
    wired(withMessage(await partiallySignTransaction([keyPair], transaction), repriced))
  ),
  signing("signs another message", async (transaction, { privateKey }) =>
    wired({
      ...transaction,
      signatures: { ...transaction.signatures, [address(wallet)]: await signBytes(privateKey, bytes) }
    })
  ),
  signing("signs with another key", async (transaction) => {
    const { privateKey } = await createKeyPairFromPrivateKeyBytes(new Uint8Array(32).fill(1))
    const signature = await signBytes(privateKey, transaction.messageBytes)
    return wired({ ...transaction, signatures: { ...transaction.signatures, [address(wallet)]: signature } })
  }),
  signing("signs in the relayer's place as well", async (transaction, { privateKey }) => {
    const signature = await signBytes(privateKey, transaction.messageBytes)
    return wired({
      ...transaction,
      signatures: { ...transaction.signatures, [address(relayer)]: signature, [address(wallet)]: signature }
    })
  }),
  signing("adds bytes behind the transaction", async (transaction, keyPair) => {
    const signed = await wired(partiallySignTransaction([keyPair], transaction))
    return getBase64Decoder().decode(new Uint8Array([...getBase64Encoder().encode(signed), 0]))
  }),
  signing("gives only the signature", async (transaction, { privateKey }) =>
    getBase64Decoder().decode(await signBytes(privateKey, transaction.messageBytes))
  ),
  signing("gives bytes instead of text", (transaction, keyPair) => partiallySignTransaction([keyPair], transaction)),
  signing("gives text that is no base64", async () => "signed!"),
  signing("gives nothing", async () => undefined),
  signing("cannot be reached", () => Promise.reject(new Error("unplugged"))),
  broken("signs in promises and verifies in effects", [signs], (signer) => {
    const { verifyTransaction } = Signer.solanaFromPromise(signer)
    return { verifyTransaction }
  })
]

const others = [
  broken("is another wallet", [/^is the wallet/], () => ({ address: relayer })),
  broken("has no address", [/^is the wallet/], () => ({ address: undefined })),
  broken("holds its key in a field", [/^does not show/], () => ({ options: { secretKey } })),
  broken("holds the bytes of its key in a field", [/^does not show/], () => ({ inner: [Array.from(bytes)] })),
  broken("holds its seed in base64", [/^does not show/], () => ({ inner: getBase64Decoder().decode(bytes) })),
  broken("is tested with an isSignedBy that always agrees", [/^is tested with an isSignedBy/], () => ({}), {
    isSignedBy: () => true
  }),
  broken("is tested with an isSignedBy that never agrees", [/^is tested with an isSignedBy/, signs], () => ({}), {
    isSignedBy: () => false
  }),
  broken("is tested with an isSignedBy that fails", [/^is tested with an isSignedBy/, signs], () => ({}), {
    isSignedBy: () => Promise.reject(new Error("this tool is broken"))
  })
]

export const brokenSolana = [...judgements, ...refusals, ...signatures, ...others]
