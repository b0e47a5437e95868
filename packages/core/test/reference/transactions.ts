/** The transactions of the vectors, built by kit: valid ones and ones that must be refused. */
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget"
import { getAddMemoInstruction } from "@solana-program/memo"
import {
  AuthorityType,
  findAssociatedTokenPda,
  getApproveInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSetAuthorityInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
  TOKEN_PROGRAM_ADDRESS
} from "@solana-program/token"
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getU64Encoder,
  type Instruction,
  type Nonce,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce
} from "@solana/kit"

/** Everything that a transaction of the vectors depends on. */
export interface TransactionParts {
  readonly wallet: string
  readonly vault: string
  readonly relayer: string
  readonly mint: string
  readonly amount: bigint
  readonly orderId: string
  readonly terms: string
}

export const memoProgram = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
const firstMemoProgram = address("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo")
const token2022 = address("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")
const systemProgram = address("11111111111111111111111111111111")
const stranger = address("AoVsGaj8MSJ6xwKxfFxo9iZWH3enC8RRTXKH2fx2F8os")
const lifetime = { blockhash: blockhash("EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N"), lastValidBlockHeight: 1000n }

const tokenAccount = async (owner: string, mint: string, tokenProgram: Address = TOKEN_PROGRAM_ADDRESS) =>
  (await findAssociatedTokenPda({ mint: address(mint), owner: address(owner), tokenProgram }))[0]

const limit: Instruction = getSetComputeUnitLimitInstruction({ units: 60_000 })
const price: Instruction = getSetComputeUnitPriceInstruction({ microLamports: 1000n })
const computeBudget = [limit, price]

const memoOf = ({ orderId, terms }: TransactionParts, programAddress: Address = memoProgram): Instruction =>
  getAddMemoInstruction({ memo: `geoswap:${orderId}:${terms}` }, { programAddress })

/** The transfer of the input, with the changes of a hostile transaction. */
const transferOf = async (
  { wallet, vault, mint, amount }: TransactionParts,
  change: { source?: Address; destination?: Address; authority?: Address; amount?: bigint; program?: Address } = {}
): Promise<Instruction> =>
  getTransferCheckedInstruction(
    {
      source: change.source ?? (await tokenAccount(wallet, mint, change.program)),
      mint: address(mint),
      destination: change.destination ?? (await tokenAccount(vault, mint, change.program)),
      authority: createNoopSigner(change.authority ?? address(wallet)),
      amount: change.amount ?? amount,
      decimals: 6
    },
    { programAddress: change.program ?? TOKEN_PROGRAM_ADDRESS }
  )

const messageOf = (feePayer: string, instructions: ReadonlyArray<Instruction>) =>
  pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(address(feePayer), message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message)
  )

const wireOf = (feePayer: string, instructions: ReadonlyArray<Instruction>): string =>
  getBase64EncodedWireTransaction(compileTransaction(messageOf(feePayer, instructions)))

/** The transaction that matches the agreement. */
export const build = async (parts: TransactionParts): Promise<string> =>
  wireOf(parts.relayer, [...computeBudget, await transferOf(parts), memoOf(parts)])

/** A transfer and an approval as one instruction of the token program. */
const batch = (inner: ReadonlyArray<Instruction>): Instruction => ({
  programAddress: TOKEN_PROGRAM_ADDRESS,
  accounts: inner.flatMap(({ accounts = [] }) => accounts),
  data: new Uint8Array([
    255,
    ...inner.flatMap(({ accounts = [], data = new Uint8Array() }) => [accounts.length, data.length, ...data])
  ])
})

/** The hostile transactions for the same agreement, by what is wrong with them. */
export const hostile = async (parts: TransactionParts): Promise<Readonly<Record<string, string>>> => {
  const { mint, relayer, vault, wallet } = parts
  const owner = createNoopSigner(address(wallet))
  const account = await tokenAccount(wallet, mint)
  const strangersAccount = await tokenAccount(stranger, mint)
  const transfer = await transferOf(parts)
  const memo = memoOf(parts)
  const honest = [...computeBudget, transfer, memo]
  const approve = getApproveInstruction({ source: account, delegate: stranger, owner, amount: 1n })
  const spend: Instruction = {
    programAddress: systemProgram,
    accounts: [
      { address: address(wallet), role: AccountRole.WRITABLE_SIGNER },
      { address: stranger, role: AccountRole.WRITABLE }
    ],
    data: new Uint8Array([2, 0, 0, 0, ...getU64Encoder().encode(1n)])
  }
  const paid = (...instructions: ReadonlyArray<Instruction>) => wireOf(relayer, instructions)
  const withTransfer = async (change: Parameters<typeof transferOf>[1]) =>
    paid(...computeBudget, await transferOf(parts, change), memo)
  const withoutLifetime = pipe(createTransactionMessage({ version: 0 }), (message) =>
    setTransactionMessageFeePayer(address(relayer), message)
  )
  return {
    "a larger transfer": await withTransfer({ amount: parts.amount + 1n }),
    "a transfer to a stranger": await withTransfer({ destination: strangersAccount }),
    "a transfer to the vault's own address": await withTransfer({ destination: address(vault) }),
    "a transfer from another account": await withTransfer({ source: strangersAccount }),
    "a transfer that another account authorizes": await withTransfer({ authority: address(relayer) }),
    "a transfer by another token program": await withTransfer({ program: token2022 }),
    "a transfer that does not name the token": paid(
      ...computeBudget,
      getTransferInstruction({
        source: account,
        destination: await tokenAccount(vault, mint),
        authority: owner,
        amount: parts.amount
      }),
      memo
    ),
    "the transfer by an unknown program": paid(...computeBudget, { ...transfer, programAddress: stranger }, memo),
    "an approval in the form of the transfer": paid(
      ...computeBudget,
      { ...transfer, data: new Uint8Array([13, ...(transfer.data ?? []).slice(1)]) },
      memo
    ),
    "no transfer": paid(...computeBudget, memo),
    "the transfer twice": paid(...computeBudget, transfer, transfer, memo),
    "a second transfer to a stranger": paid(...honest, await transferOf(parts, { destination: strangersAccount })),
    "an approval": paid(...honest, approve),
    "a change of the account's owner": paid(
      ...honest,
      getSetAuthorityInstruction({
        owned: account,
        owner,
        authorityType: AuthorityType.AccountOwner,
        newAuthority: stranger
      })
    ),
    "the account closed": paid(...honest, getCloseAccountInstruction({ account, destination: stranger, owner })),
    "a batch of token instructions": paid(...computeBudget, batch([transfer, approve]), memo),
    "an approval in place of the compute unit price": paid(limit, approve, transfer, memo),
    "the wallet's SOL spent": paid(...honest, spend),
    "the wallet's SOL spent in place of the compute unit limit": paid(spend, price, transfer, memo),
    "rent paid by the wallet": paid(
      getCreateAssociatedTokenIdempotentInstruction({
        payer: owner,
        ata: strangersAccount,
        owner: stranger,
        mint: address(mint)
      }),
      ...honest
    ),
    "a program that was not agreed to": paid(...honest, {
      programAddress: stranger,
      accounts: [{ address: address(wallet), role: AccountRole.READONLY_SIGNER }],
      data: new Uint8Array([1])
    }),
    "no memo": paid(...computeBudget, transfer),
    "two memos": paid(...honest, getAddMemoInstruction({ memo: "thanks" }, { programAddress: memoProgram })),
    "the memo sent to another program": paid(...computeBudget, transfer, memoOf(parts, firstMemoProgram)),
    "more text in the memo": paid(
      ...computeBudget,
      transfer,
      getAddMemoInstruction(
        { memo: `geoswap:${parts.orderId}:${parts.terms}:${parts.terms}` },
        { programAddress: memoProgram }
      )
    ),
    "the wallet as fee payer": wireOf(wallet, honest),
    "a stranger as fee payer": wireOf(stranger, honest),
    "three signers": paid(...computeBudget, transfer, {
      ...memo,
      accounts: [{ address: stranger, role: AccountRole.READONLY_SIGNER }]
    }),
    "a lookup table": getBase64EncodedWireTransaction(
      compileTransaction(
        compressTransactionMessageUsingAddressLookupTables(messageOf(relayer, honest), {
          [stranger]: [await tokenAccount(vault, mint)]
        })
      )
    ),
    "a durable nonce": getBase64EncodedWireTransaction(
      compileTransaction(
        pipe(
          withoutLifetime,
          (message) =>
            setTransactionMessageLifetimeUsingDurableNonce(
              {
                nonce: lifetime.blockhash as string as Nonce,
                nonceAccountAddress: stranger,
                nonceAuthorityAddress: address(relayer)
              },
              message
            ),
          (message) => appendTransactionMessageInstructions(honest, message)
        )
      )
    ),
    "the old message format": getBase64EncodedWireTransaction(
      compileTransaction(
        pipe(
          createTransactionMessage({ version: "legacy" }),
          (message) => setTransactionMessageFeePayer(address(relayer), message),
          (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
          (message) => appendTransactionMessageInstructions(honest, message)
        )
      )
    )
  }
}
