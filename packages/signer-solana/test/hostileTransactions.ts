/** Transactions that no honest service sends, each with the field of its refusal. */
import type { Signer } from "@geoswap/core"
import {
  getRequestHeapFrameInstruction,
  getRequestUnitsInstruction,
  getSetComputeUnitPriceInstruction,
  getSetLoadedAccountsDataSizeLimitInstruction
} from "@solana-program/compute-budget"
import {
  getAdvanceNonceAccountInstruction,
  getAssignInstruction,
  getCreateAccountInstruction,
  getTransferSolInstruction
} from "@solana-program/system"
import {
  AuthorityType,
  getApproveCheckedInstruction,
  getApproveInstruction,
  getBurnCheckedInstruction,
  getBurnInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getCreateAssociatedTokenInstruction,
  getRevokeInstruction,
  getSetAuthorityInstruction,
  getSyncNativeInstruction,
  getTransferInstruction,
  TOKEN_PROGRAM_ADDRESS
} from "@solana-program/token"
import { AccountRole, address, createNoopSigner, type Instruction } from "@solana/kit"
import {
  against,
  agreed,
  amount,
  budget,
  destination,
  honest,
  limit,
  memo,
  memoOf,
  memoText,
  mint,
  orderId,
  otherMint,
  price,
  relayer,
  source,
  stranger,
  strangersAccount,
  terms,
  token2022,
  tokenAccount,
  transfer,
  transferOf,
  vault,
  wallet,
  wireOf
} from "./transactions.js"

export type Hostile = readonly [name: string, field: string, transaction: Signer.TransactionToSign]

const owner = createNoopSigner(wallet)

/** A hostile transaction with these instructions, paid by the relayer. */
const paid = (name: string, field: string, ...instructions: ReadonlyArray<Instruction>): Hostile => [
  name,
  field,
  against(wireOf(instructions))
]
const withTransfer = (name: string, field: string, lie: Instruction) => paid(name, field, ...budget, lie, memo)
const withMemo = (name: string, field: string, lie: Instruction) => paid(name, field, ...budget, transfer, lie)

const withData = (instruction: Instruction, data: ReadonlyArray<number>): Instruction => ({
  ...instruction,
  data: Uint8Array.from(data)
})
const dataOf = ({ data = new Uint8Array() }: Instruction): ReadonlyArray<number> => [...data]
const utf8 = (text: string): ReadonlyArray<number> => [...new TextEncoder().encode(text)]

const approve = getApproveInstruction({ source, delegate: stranger, owner, amount })
const approveChecked = getApproveCheckedInstruction({ source, mint, delegate: stranger, owner, amount, decimals: 6 })
const setOwner = getSetAuthorityInstruction({
  owned: source,
  owner,
  authorityType: AuthorityType.AccountOwner,
  newAuthority: stranger
})
const setCloser = getSetAuthorityInstruction({
  owned: source,
  owner,
  authorityType: AuthorityType.CloseAccount,
  newAuthority: stranger
})
const close = getCloseAccountInstruction({ account: source, destination: stranger, owner })
const burn = getBurnInstruction({ account: source, mint, authority: owner, amount })
const burnChecked = getBurnCheckedInstruction({ account: source, mint, authority: owner, amount, decimals: 6 })
const sol = getTransferSolInstruction({ source: owner, destination: stranger, amount: 1n })
const assign = getAssignInstruction({ account: owner, programAddress: stranger })
const advanceNonce = getAdvanceNonceAccountInstruction({ nonceAccount: stranger, nonceAuthority: owner })
const relayersNonce = getAdvanceNonceAccountInstruction({
  nonceAccount: stranger,
  nonceAuthority: createNoopSigner(relayer)
})
const rent = { ata: strangersAccount, owner: stranger, mint }

/** Several instructions of the token program as one. */
const batch = (...inner: ReadonlyArray<Instruction>): Instruction => ({
  programAddress: TOKEN_PROGRAM_ADDRESS,
  accounts: inner.flatMap(({ accounts = [] }) => accounts),
  data: Uint8Array.from([
    255,
    ...inner.flatMap((each) => [each.accounts?.length ?? 0, dataOf(each).length, ...dataOf(each)])
  ])
})

export const transfers: ReadonlyArray<Hostile> = [
  withTransfer("one unit more", "amount", transferOf({ amount: amount + 1n })),
  withTransfer("one unit less", "amount", transferOf({ amount: amount - 1n })),
  withTransfer("an amount of zero", "amount", transferOf({ amount: 0n })),
  withTransfer("everything", "amount", transferOf({ amount: 2n ** 64n - 1n })),
  withTransfer(
    "the amount in the other byte order",
    "amount",
    withData(transfer, [12, ...dataOf(transfer).slice(1, 9).toReversed(), 6])
  ),
  withTransfer("a stranger's token account", "destination", transferOf({ destination: strangersAccount })),
  withTransfer("the vault itself, which is not a token account", "destination", transferOf({ destination: vault })),
  withTransfer(
    "the vault's account of another token",
    "destination",
    transferOf({ destination: await tokenAccount(vault, otherMint) })
  ),
  withTransfer(
    "the vault's account at Token-2022",
    "destination",
    transferOf({ destination: await tokenAccount(vault, mint, token2022) })
  ),
  withTransfer("the wallet's own account as destination", "destination", transferOf({ destination: source })),
  withTransfer(
    "the relayer's account as destination",
    "destination",
    transferOf({ destination: await tokenAccount(relayer) })
  ),
  withTransfer("a stranger's account as source", "source", transferOf({ source: strangersAccount })),
  withTransfer(
    "the wallet's account of another token as source",
    "source",
    transferOf({ source: await tokenAccount(wallet, otherMint) })
  ),
  withTransfer("the wallet itself as source", "source", transferOf({ source: wallet })),
  withTransfer("another token", "token", transferOf({ mint: otherMint })),
  withTransfer(
    "another token with its accounts",
    "source",
    transferOf({
      mint: otherMint,
      source: await tokenAccount(wallet, otherMint),
      destination: await tokenAccount(vault, otherMint)
    })
  ),
  withTransfer("source and destination swapped", "source", transferOf({ source: destination, destination: source })),
  withTransfer("the relayer's authority", "signers", transferOf({ authority: relayer })),
  withTransfer("a stranger's authority", "signers", transferOf({ authority: stranger })),
  withTransfer("a multisig's authority", "transfer", {
    ...transfer,
    accounts: [
      ...(transfer.accounts ?? []).slice(0, 3),
      { address: stranger, role: AccountRole.READONLY },
      { address: wallet, role: AccountRole.READONLY_SIGNER }
    ]
  }),
  withTransfer("the wallet once more behind its authority", "transfer", {
    ...transfer,
    accounts: [...(transfer.accounts ?? []), { address: wallet, role: AccountRole.READONLY_SIGNER }]
  }),
  withTransfer("an account more", "transfer", {
    ...transfer,
    accounts: [...(transfer.accounts ?? []), { address: vault, role: AccountRole.READONLY }]
  }),
  withTransfer(
    "the transfer without a token",
    "transfer",
    getTransferInstruction({ source, destination, authority: owner, amount })
  ),
  withTransfer("a transfer at Token-2022", "transfer", transferOf({ program: token2022 })),
  withTransfer("the transfer at an unknown program", "transfer", { ...transfer, programAddress: stranger }),
  withTransfer("the transfer at the memo program", "transfer", { ...transfer, programAddress: memo.programAddress }),
  withTransfer("a byte behind the transfer's data", "transfer", withData(transfer, [...dataOf(transfer), 0])),
  withTransfer("a byte too few in the transfer's data", "transfer", withData(transfer, dataOf(transfer).slice(0, 9))),
  withTransfer("a transfer without data", "transfer", withData(transfer, [])),
  withTransfer(
    "a fee in the transfer, as Token-2022 has it",
    "transfer",
    withData(transfer, [26, 1, ...dataOf(transfer).slice(1)])
  ),
  withTransfer(
    "an approval that looks like the transfer",
    "transfer",
    withData(transfer, [13, ...dataOf(transfer).slice(1)])
  ),
  withTransfer("an approval in the transfer's place", "transfer", approve),
  withTransfer("a checked approval in the transfer's place", "transfer", approveChecked),
  withTransfer("a burn in the transfer's place", "transfer", burn),
  withTransfer("a checked burn in the transfer's place", "transfer", burnChecked),
  withTransfer("a change of owner in the transfer's place", "transfer", setOwner),
  withTransfer("a closing in the transfer's place", "transfer", close),
  withTransfer("SOL in the transfer's place", "transfer", sol),
  withTransfer("a batch with an approval in it", "transfer", batch(transfer, approve)),
  withTransfer("a batch of the transfer alone", "transfer", batch(transfer)),
  paid("a batch beside the transfer", "instructions", ...honest, batch(approve))
]

/** A fifth instruction, after the four and before them. */
const added = (name: string, instruction: Instruction): ReadonlyArray<Hostile> => [
  paid(`${name} behind the rest`, "instructions", ...honest, instruction),
  paid(`${name} ahead of the rest`, "instructions", instruction, ...honest)
]

export const additions: ReadonlyArray<Hostile> = [
  ...added("the same transfer", transfer),
  ...added("a transfer to a stranger", transferOf({ destination: strangersAccount })),
  ...added("an approval", approve),
  ...added("a checked approval", approveChecked),
  ...added("a change of the account's owner", setOwner),
  ...added("a change of who may close the account", setCloser),
  ...added("the account closed", close),
  ...added("a burn", burn),
  ...added("a revocation", getRevokeInstruction({ source, owner })),
  ...added("a native sync", getSyncNativeInstruction({ account: source })),
  ...added("SOL of the wallet", sol),
  ...added("the wallet assigned to a program", assign),
  ...added(
    "an account created at the wallet's cost",
    getCreateAccountInstruction({
      payer: owner,
      newAccount: createNoopSigner(relayer),
      lamports: 1,
      space: 0,
      programAddress: stranger
    })
  ),
  ...added("a token account at the wallet's cost", getCreateAssociatedTokenInstruction({ ...rent, payer: owner })),
  ...added(
    "a token account at the relayer's cost",
    getCreateAssociatedTokenIdempotentInstruction({ ...rent, payer: createNoopSigner(relayer) })
  ),
  ...added("a nonce of the wallet", advanceNonce),
  ...added("a nonce of the relayer", relayersNonce),
  ...added("an unknown program with the wallet's signature", {
    programAddress: stranger,
    accounts: [{ address: wallet, role: AccountRole.READONLY_SIGNER }],
    data: Uint8Array.of(1)
  }),
  ...added("an unknown program without accounts", { programAddress: stranger, data: Uint8Array.of(1) }),
  ...added("a larger heap", getRequestHeapFrameInstruction({ bytes: 65_536 })),
  ...added("a limit of loaded data", getSetLoadedAccountsDataSizeLimitInstruction({ accountDataSizeLimit: 64 })),
  ...added("a second limit", limit),
  ...added("a second memo", memoOf("thanks"))
]

export const budgets: ReadonlyArray<Hostile> = [
  paid("limit and price the wrong way round", "computeUnitLimit", price, limit, transfer, memo),
  paid("the memo first", "computeUnitLimit", memo, ...budget, transfer),
  paid("the memo ahead of the transfer", "transfer", ...budget, memo, transfer),
  paid("the transfer first", "computeUnitLimit", transfer, ...budget, memo),
  paid("the limit twice and no price", "computeUnitPrice", limit, limit, transfer, memo),
  paid("the price twice and no limit", "computeUnitLimit", price, price, transfer, memo),
  paid(
    "a larger heap instead of the limit",
    "computeUnitLimit",
    getRequestHeapFrameInstruction({ bytes: 65_536 }),
    price,
    transfer,
    memo
  ),
  paid(
    "the deprecated limit",
    "computeUnitLimit",
    getRequestUnitsInstruction({ units: 1, additionalFee: 0 }),
    price,
    transfer,
    memo
  ),
  paid(
    "a limit of loaded data instead of the price",
    "computeUnitPrice",
    limit,
    getSetLoadedAccountsDataSizeLimitInstruction({ accountDataSizeLimit: 64 }),
    transfer,
    memo
  ),
  paid("SOL instead of the limit", "computeUnitLimit", sol, price, transfer, memo),
  paid("an approval instead of the price", "computeUnitPrice", limit, approve, transfer, memo),
  paid("a nonce instead of the limit", "computeUnitLimit", relayersNonce, price, transfer, memo),
  paid(
    "a token account instead of the limit",
    "computeUnitLimit",
    getCreateAssociatedTokenIdempotentInstruction({ ...rent, payer: owner }),
    price,
    transfer,
    memo
  ),
  paid("a byte behind the limit", "computeUnitLimit", withData(limit, [...dataOf(limit), 0]), price, transfer, memo),
  paid("a byte behind the price", "computeUnitPrice", limit, withData(price, [...dataOf(price), 0]), transfer, memo),
  paid("a short price", "computeUnitPrice", limit, withData(price, dataOf(price).slice(0, 5)), transfer, memo),
  paid(
    "the limit at another program",
    "computeUnitLimit",
    { ...limit, programAddress: stranger },
    price,
    transfer,
    memo
  ),
  paid(
    "the price at another program",
    "computeUnitPrice",
    limit,
    { ...price, programAddress: stranger },
    transfer,
    memo
  ),
  paid(
    "the limit with the wallet as an account",
    "computeUnitLimit",
    { ...limit, accounts: [{ address: wallet, role: AccountRole.READONLY_SIGNER }] },
    price,
    transfer,
    memo
  ),
  paid(
    "the price with the wallet's tokens as an account",
    "computeUnitPrice",
    limit,
    { ...price, accounts: [{ address: source, role: AccountRole.WRITABLE }] },
    transfer,
    memo
  ),
  paid("no limit", "instructions", price, transfer, memo),
  paid("no price", "instructions", limit, transfer, memo),
  paid("no transfer", "signers", ...budget, memo),
  paid("nothing but a transfer", "instructions", transfer)
]

const wrongTerms = `0x${terms.slice(2).split("").toReversed().join("")}`

export const memos: ReadonlyArray<Hostile> = [
  paid("no memo", "instructions", ...budget, transfer),
  withMemo(
    "a memo at the first memo program",
    "memoProgram",
    memoOf(memoText, address("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"))
  ),
  withMemo("a memo at an unknown program", "memoProgram", memoOf(memoText, stranger)),
  withMemo("the wallet as signer of the memo", "memoAccounts", {
    ...memo,
    accounts: [{ address: wallet, role: AccountRole.READONLY_SIGNER }]
  }),
  withMemo("the mint as an account of the memo", "memoAccounts", {
    ...memo,
    accounts: [{ address: mint, role: AccountRole.READONLY }]
  }),
  withMemo("other terms", "terms", memoOf(`geoswap:${orderId}:${wrongTerms}`)),
  withMemo("the order id as terms", "terms", memoOf(`geoswap:${orderId}:${orderId}`)),
  withMemo("terms and order id the wrong way round", "terms", memoOf(`geoswap:${terms}:${orderId}`)),
  withMemo("terms in upper case", "memo", memoOf(`geoswap:${orderId}:0x${terms.slice(2).toUpperCase()}`)),
  withMemo("an order id in upper case", "memo", memoOf(`geoswap:0x${orderId.slice(2).toUpperCase()}:${terms}`)),
  withMemo("an order id with 0X", "memo", memoOf(`geoswap:0X${orderId.slice(2)}:${terms}`)),
  withMemo("an order id without 0x", "memo", memoOf(`geoswap:${orderId.slice(2)}:${terms}`)),
  withMemo("a short order id", "memo", memoOf(`geoswap:${orderId.slice(0, -2)}:${terms}`)),
  withMemo("a long order id", "memo", memoOf(`geoswap:${orderId}00:${terms}`)),
  withMemo("an order id that is not hex", "memo", memoOf(`geoswap:0x${"g".repeat(64)}:${terms}`)),
  withMemo("no order id", "memo", memoOf(`geoswap::${terms}`)),
  withMemo("no terms", "memo", memoOf(`geoswap:${orderId}`)),
  withMemo("another service's memo", "memo", memoOf(`geoswop:${orderId}:${terms}`)),
  withMemo("a memo in upper case", "memo", memoOf(`GEOSWAP:${orderId}:${terms}`)),
  withMemo("more text", "memo", memoOf(`${memoText}:${terms}`)),
  withMemo("a new line at the end", "memo", memoOf(`${memoText}\n`)),
  withMemo("a new line and other terms", "memo", memoOf(`${memoText}\ngeoswap:${orderId}:${wrongTerms}`)),
  withMemo("a zero byte at the end", "memo", memoOf(Uint8Array.from([...utf8(memoText), 0]))),
  withMemo("zero bytes ahead", "memo", memoOf(Uint8Array.from([0, 0, ...utf8(memoText)]))),
  withMemo("a byte order mark", "memo", memoOf(Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8(memoText)]))),
  withMemo("an invalid UTF-8 byte at the end", "memo", memoOf(Uint8Array.from([...utf8(memoText), 0xff]))),
  withMemo(
    "an overlong encoding of a colon",
    "memo",
    memoOf(Uint8Array.from([...utf8("geoswap"), 0xc0, 0xba, ...utf8(memoText.slice(8))]))
  ),
  withMemo(
    "a byte with its high bit set",
    "memo",
    memoOf(Uint8Array.from(utf8(memoText), (byte, index) => (index === 3 ? byte | 0x80 : byte)))
  ),
  withMemo("digits of full width", "memo", memoOf(memoText.replace("d4", "d４"))),
  withMemo("an empty memo", "memo", memoOf(new Uint8Array())),
  withMemo("a longer text than anything", "memo", memoOf("x".repeat(400)))
]

const { quote, request } = agreed
const { minOutput: _, ...withoutMinimum } = quote
const minimum = quote.minOutput ?? quote.output
const wire = agreed.unsignedTransaction

/** The agreed transaction, compared with another agreement. */
export const requests: ReadonlyArray<Hostile> = [
  ["another requested amount", "amount", against(wire, { request: { amount: amount + 1n } })],
  ["another requested token", "source", against(wire, { request: { inputToken: otherMint } })],
  ["an invalid requested token", "inputToken", against(wire, { request: { inputToken: "USDC" } })],
  ["another requested recipient", "terms", against(wire, { request: { recipient: `0x${"aa".repeat(20)}` } })],
  ["another requested destination", "terms", against(wire, { request: { destinationChain: 10 } })],
  ["another requested output token", "terms", against(wire, { request: { outputToken: `0x${"aa".repeat(20)}` } })],
  ["an invalid output token", "terms", against(wire, { request: { outputToken: "0xUSDC" } })],
  ["an invalid destination", "terms", against(wire, { request: { destinationChain: 1.5 } })],
  ["another wallet", "walletAddress", against(wire, { request: { walletAddress: stranger } })],
  ["the relayer as the wallet", "walletAddress", against(wire, { request: { walletAddress: relayer } })],
  ["a higher minimum agreed", "terms", against(wire, { quote: { ...quote, minOutput: minimum + 1n } })],
  ["a lower minimum agreed", "terms", against(wire, { quote: { ...quote, minOutput: minimum - 1n } })],
  ["the output agreed as the minimum", "terms", against(wire, { quote: withoutMinimum })],
  ["another vault pinned", "destination", against(wire, { deployment: { vault: stranger, relayer } })],
  [
    "the vault pinned by its token account",
    "destination",
    against(wire, { deployment: { vault: destination, relayer } })
  ],
  ["the wallet pinned as the vault", "destination", against(wire, { deployment: { vault: wallet, relayer } })],
  ["an invalid pinned vault", "vault", against(wire, { deployment: { vault: "vault", relayer } })],
  ["another relayer pinned", "feePayer", against(wire, { deployment: { vault, relayer: stranger } })],
  ["an invalid pinned relayer", "relayer", against(wire, { deployment: { vault, relayer: "" } })],
  ["nothing pinned", "deployment", against(wire, { deployment: undefined })],
  [
    "a requested recipient other than the agreed wallet",
    "terms",
    against(wire, { request: { recipient: request.walletAddress } })
  ],
  [
    "the wallet as its own vault, with a transfer to itself",
    "accounts",
    against(wireOf([...budget, transferOf({ destination: source }), memo]), { deployment: { vault: wallet, relayer } })
  ],
  [
    "the price of a stranger's choice, and of a stranger's fee payer",
    "feePayer",
    against(wireOf([limit, getSetComputeUnitPriceInstruction({ microLamports: 1n }), transfer, memo], stranger))
  ]
]
