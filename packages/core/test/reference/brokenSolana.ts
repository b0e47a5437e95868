/** Solana signers that are broken in one way each. */
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

/** A signer with other rules. */
const verifying = (
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

/** A signer that changes the correct rules. */
const bending = (
  name: string,
  fails: ReadonlyArray<RegExp>,
  bend: (rules: ReadonlyArray<Rule>, decoded: Decoded, transaction: Pinned) => ReadonlyArray<Rule>
) =>
  verifying(name, fails, async (transaction, decoded) =>
    bend(await rightRules(transaction, decoded), decoded, transaction)
  )

const without = (...fields: ReadonlyArray<string>) => {
  return (rules: ReadonlyArray<Rule>) => rules.filter(([field]) => !fields.includes(field))
}

/** Changes the actual value of one rule. */
const finding = (field: string, find: (rule: Rule) => string) => (rules: ReadonlyArray<Rule>) =>
  rules.map((rule): Rule => (rule[0] === field ? [field, rule[1], find(rule)] : rule))

/** Trusts one account of the transfer. */
const trusting = (index: number) =>
  finding("transferAccounts", ([, expected, found]) =>
    found
      .split(",")
      .map((account, at) => (at === index ? expected.split(",")[at] : account))
      .join(",")
  )

const blank = { program: undefined, accounts: [], data: new Uint8Array() }

const extras =
  /^refuses a transaction with (a second transfer|an approval$|a change of the account|the account closed|the wallet's SOL spent$|a program that was not|two memos)/
const wrongTerms =
  /^refuses (a different (output token|recipient|destination) than agreed|a (lower|higher) minimum|a changed memo)/
const allRefusals = /^refuses/

const verifications = [
  bending("ignores trailing bytes", [/^refuses trailing bytes/], without("encoding")),
  bending("accepts the old message format", [/the old message format/], without("version")),
  bending("trusts the accounts of lookup tables", [/a lookup table/], (rules) =>
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
    [/^refuses a different wallet than agreed in a transaction to an EVM chain/],
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
    "checks the fee payer only if one is pinned",
    [/as fee payer, without a pinned relayer/],
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
  bending("does not check who authorizes", [/another account authorizes/], (rules, { signers }) =>
    trusting(3)(signers.length === 1 && signers[0] === relayer ? without("signers")(rules) : rules)
  ),
  bending("does not check the token", [/^refuses a different token than agreed/], (rules, _, { request }) =>
    request.inputToken === Vectors.transactions[0].request.inputToken ? rules : without("transferAccounts")(rules)
  ),
  bending(
    "does not check the amount",
    [/^refuses a different amount than agreed/, /a larger transfer/],
    finding("transfer", ([, expected, found]) => [found.split(",")[0], ...expected.split(",").slice(1)].join(","))
  ),
  bending(
    "does not check the kind of token instruction",
    [/an approval in the form of the transfer/],
    finding("transfer", ([, expected, found]) => [expected.split(",")[0], ...found.split(",").slice(1)].join(","))
  ),
  bending("does not check the memo's program", [/the memo sent to another program/], without("memoProgram")),
  bending("does not check the memo", [wrongTerms, /more text in the memo/], without("memo")),
  bending(
    "checks only the start of the memo",
    [/more text in the memo/],
    finding("memo", ([, expected, found]) => (found.startsWith(expected) ? expected : found))
  ),
  verifying(
    "looks for a transfer and a memo, and ignores the rest",
    [extras, /the transfer twice/, /rent paid by the wallet/, /in place of the compute unit/, /a durable nonce/],
    async (transaction, decoded) => {
      const transfer = decoded.steps.find(({ data }) => data[0] === 12) ?? blank
      const memo = decoded.steps.find(({ program }) => program?.startsWith("Memo")) ?? blank
      const rules = await rightRules(transaction, { ...decoded, steps: [blank, blank, transfer, memo] })
      return without("computeUnitLimit", "computeUnitPrice")(rules)
    }
  ),
  verifying(
    "ignores unknown instructions",
    [
      /with (an approval|a change of the account|the account closed|the wallet's SOL spent|a program that was not)/,
      /with (the transfer twice|a transfer that does not name|a batch|no memo|the memo sent to another program)/,
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
  verifying(
    "uses the output as the minimum",
    [/^accepts a transaction to (an EVM chain|the wallet itself)$/],
    (transaction, decoded) => {
      const { minOutput: _, ...quote } = transaction.quote
      return rightRules({ ...transaction, quote }, decoded)
    }
  ),
  verifying("treats a missing minimum as zero", [/quoted without a minimum$/], ({ quote, ...transaction }, decoded) =>
    rightRules({ ...transaction, quote: { ...quote, minOutput: quote.minOutput ?? 0n } }, decoded)
  ),
  verifying(
    "does not check the minimum if none is quoted",
    [/^refuses a lower minimum than the output/],
    async (transaction, decoded) => {
      const rules = await rightRules(transaction, decoded)
      return transaction.quote.minOutput === undefined ? without("memo")(rules) : rules
    }
  ),
  verifying(
    "treats a missing recipient as the relayer",
    [/^accepts a transaction to the wallet itself/],
    ({ request, ...transaction }, decoded) =>
      rightRules({ ...transaction, request: { ...request, recipient: request.recipient ?? relayer } }, decoded)
  ),
  bending("refuses everything", [/^accepts/], () => [["mood", "good", "bad"]]),
  broken("verifies nothing", [allRefusals], () => ({ verifyTransaction: () => undefined })),
  broken("has no verification", [allRefusals, /^accepts/, /^verifies/], () => ({ verifyTransaction: undefined })),
  broken("crashes without a deployment", [/^verifies without pinned accounts/], ({ verifyTransaction }) => ({
    verifyTransaction: async (transaction: Signer.TransactionToSign) => {
      if (transaction.deployment === undefined) throw new TypeError("Cannot read properties of undefined")
      await verifyTransaction(transaction, notAborted)
    }
  })),
  broken(
    "accepts what it cannot read",
    [/^refuses (bytes that are not a transaction|a changed header)/],
    ({ verifyTransaction }) => ({
      verifyTransaction: async (transaction: Signer.TransactionToSign) => {
        try {
          decode(transaction.unsignedTransaction)
        } catch {
          return
        }
        await verifyTransaction(transaction, notAborted)
      }
    })
  )
]

const notAborted = { signal: new AbortController().signal }
const bytes = hexToBytes(seed)

/** A signer that refuses with the wrong error. */
const refusing = (name: string, wrong: () => unknown) =>
  broken(name, [allRefusals, /^verifies/], ({ verifyTransaction }) => ({
    verifyTransaction: (transaction: Signer.TransactionToSign) =>
      Promise.resolve(verifyTransaction(transaction, notAborted)).catch(() => Promise.reject(wrong() as Error))
  }))

const refusals = [
  broken("refuses with the wrong typed error", [allRefusals], ({ verifyTransaction }) => ({
    verifyTransaction: (transaction: Signer.TransactionToSign) =>
      Promise.resolve(verifyTransaction(transaction, notAborted)).catch(() =>
        Promise.reject(new SwapError.SignerError({ reason: "rejected", message: "No." }))
      )
  })),
  refusing("refuses with an untagged error", () => new Error("no")),
  refusing("refuses with a string", () => "no"),
  refusing("refuses with a plain object with the fields of a typed error", () => ({
    _tag: "UnsafeOperation",
    message: "no"
  })),
  refusing("has its key in its errors", () => Operation.unsafe("key", "secret", secretKey)),
  refusing("has the bytes of its key in its errors", () => Operation.unsafe("key", "secret", bytes.join(","))),
  refusing("has its key as hex in its errors", () => Operation.unsafe("key", "secret", seed)),
  broken("returns effects and dies", [allRefusals, /^verifies/], (signer) => {
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
  signing("returns the transaction unsigned", (transaction) => wired(transaction)),
  signing("changes the message before signing", (transaction, keyPair) =>
    wired(partiallySignTransaction([keyPair], withMessage(transaction, repriced)))
  ),
  signing("changes the message after signing", async (transaction, keyPair) =>
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
  signing("also signs for the relayer", async (transaction, { privateKey }) => {
    const signature = await signBytes(privateKey, transaction.messageBytes)
    return wired({
      ...transaction,
      signatures: { ...transaction.signatures, [address(relayer)]: signature, [address(wallet)]: signature }
    })
  }),
  signing("adds bytes after the transaction", async (transaction, keyPair) => {
    const signed = await wired(partiallySignTransaction([keyPair], transaction))
    return getBase64Decoder().decode(new Uint8Array([...getBase64Encoder().encode(signed), 0]))
  }),
  signing("returns only the signature", async (transaction, { privateKey }) =>
    getBase64Decoder().decode(await signBytes(privateKey, transaction.messageBytes))
  ),
  signing("returns bytes instead of a string", (transaction, keyPair) =>
    partiallySignTransaction([keyPair], transaction)
  ),
  signing("returns a string that is not base64", async () => "signed!"),
  signing("returns nothing", async () => undefined),
  signing("cannot be reached", () => Promise.reject(new Error("unplugged"))),
  broken("signs with promises and verifies with effects", [signs], (signer) => {
    const { verifyTransaction } = Signer.solanaFromPromise(signer)
    return { verifyTransaction }
  })
]

const others = [
  broken("is another wallet", [/^is the wallet/], () => ({ address: relayer })),
  broken("has no address", [/^is the wallet/], () => ({ address: undefined })),
  broken("has its key in a field", [/^does not show/], () => ({ options: { secretKey } })),
  broken("has the bytes of its key in a field", [/^does not show/], () => ({ inner: [Array.from(bytes)] })),
  broken("has its seed in base64", [/^does not show/], () => ({ inner: getBase64Decoder().decode(bytes) })),
  broken("is tested with an isSignedBy that always succeeds", [/^is tested with an isSignedBy/], () => ({}), {
    isSignedBy: () => true
  }),
  broken("is tested with an isSignedBy that never succeeds", [/^is tested with an isSignedBy/, signs], () => ({}), {
    isSignedBy: () => false
  }),
  broken("is tested with an isSignedBy that fails", [/^is tested with an isSignedBy/, signs], () => ({}), {
    isSignedBy: () => Promise.reject(new Error("this tool is broken"))
  })
]

export const brokenSolana = [...verifications, ...refusals, ...signatures, ...others]
